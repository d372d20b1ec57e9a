//! Positions as the user sees them: never inside our models of library functions.

use crate::places::ContextKind;
use crate::{ContextId, Property, Unrolled};
use nub_c_ir::{FunctionId, Position, Program, SourceOrigin};

impl Unrolled {
    /// The function that a context is in.
    pub fn function_of(&self, context: ContextId) -> FunctionId {
        let mut next = Some(context);
        while let Some(context) = next.and_then(|id| self.contexts.get(id.index())) {
            match context.kind {
                ContextKind::Entry(function) | ContextKind::Call { function, .. } => return function,
                ContextKind::Round { .. } => next = context.parent,
            }
        }
        self.function
    }

    /// Where to report what an inner function does: the innermost call that is not itself in an inner function, and its context. `None` if the
    /// context is in no inner function.
    pub fn call_of_inner(
        &self,
        context: ContextId,
        is_inner: impl Fn(FunctionId) -> bool,
    ) -> Option<(ContextId, SourceOrigin)> {
        let (mut context, mut found) = (context, None);
        while is_inner(self.function_of(context)) {
            let Some((caller, call)) = self.call_around(context) else { break };
            (context, found) = (caller, Some((caller, call)));
        }
        found
    }

    /// The call that a context is part of, and the context of that call.
    fn call_around(&self, context: ContextId) -> Option<(ContextId, SourceOrigin)> {
        let mut next = Some(context);
        loop {
            let around = self.contexts.get(next?.index())?;
            match around.kind {
                ContextKind::Call { origin, .. } => return around.parent.map(|parent| (parent, origin)),
                ContextKind::Entry(_) => return None,
                ContextKind::Round { .. } => next = around.parent,
            }
        }
    }

    /// The position of a property in the user's text: a rule that is violated in a library model is reported at the call.
    pub fn position_of<K>(&self, program: &Program, property: &Property<K>) -> Position {
        let call = self.call_of_inner(property.context, |id| program.function(id).is_model);
        call.map_or(property.origin, |(_, origin)| origin).position
    }
}
