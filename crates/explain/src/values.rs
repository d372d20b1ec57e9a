//! The values of a run, and where they are in the program.

use nub_bitvec::{Evaluator, TermId, Value};
use nub_c_ir::{FunctionId, SourceOrigin};
use nub_unroll::{ContextId, ContextKind, Unrolled};

/// The values of both runs.
#[derive(Clone, Copy)]
pub(crate) struct Both<'v> {
    pub before: &'v [Value],
    pub after: &'v [Value],
}

/// A run: the values that count, and whether control reaches them.
pub(crate) struct Seen {
    pub values: Vec<Value>,
    pub executed: Vec<bool>,
}

impl Seen {
    /// `counted` are positions of assignments.
    pub fn new(unrolled: &Unrolled, counted: &[usize], inputs: &[Value]) -> Seen {
        let of = |at: &usize| &unrolled.assignments[*at];
        let roots: Vec<TermId> = counted.iter().flat_map(|at| [of(at).term, of(at).guard]).collect();
        let found = Evaluator::new(&unrolled.pool, &roots).run(&unrolled.assignment(inputs));
        let values = found.iter().step_by(2).map(|value| value.bits().clone()).collect();
        let executed = found.iter().skip(1).step_by(2).map(nub_bitvec::Datum::is_true).collect();
        Seen { values, executed }
    }
}

/// The function that a context is in.
pub(crate) fn function_of(unrolled: &Unrolled, context: ContextId) -> FunctionId {
    let mut next = Some(context);
    while let Some(context) = next.and_then(|id| unrolled.contexts.get(id.index())) {
        match context.kind {
            ContextKind::Entry(function) | ContextKind::Call { function, .. } => return function,
            ContextKind::Round { .. } => next = context.parent,
        }
    }
    unrolled.function
}

/// Where something happens as the user sees it: what an inner function does happens where that function is called. Models of library
/// functions are such functions.
pub(crate) fn seen_at(
    unrolled: &Unrolled,
    (context, origin): (ContextId, Option<SourceOrigin>),
    is_inner: impl Fn(FunctionId) -> bool,
) -> (ContextId, Option<SourceOrigin>) {
    let (mut context, mut origin) = (context, origin);
    while is_inner(function_of(unrolled, context)) {
        let mut next = Some(context);
        let call = loop {
            let Some(id) = next else { break None };
            let Some(around) = unrolled.contexts.get(id.index()) else { break None };
            match around.kind {
                ContextKind::Call { origin, .. } => break around.parent.map(|parent| (parent, origin)),
                ContextKind::Entry(_) => break None,
                ContextKind::Round { .. } => next = around.parent,
            }
        };
        let Some((caller, call)) = call else { break };
        (context, origin) = (caller, Some(call));
    }
    (context, origin)
}
