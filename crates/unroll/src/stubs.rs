//! Stubs: what they are called with, and what they return.

use crate::machine::{Machine, State, Step};
use crate::places::ContextKind;
use crate::terms;
use crate::unrolled::Assumption;
use nub_bitvec::{Sort, TermId};
use nub_c_ir::{AllocationId, FunctionId, ObservedPart, OpenChoice, SourceOrigin, TypeId};

/// A call of a stub.
#[derive(Clone, Debug)]
pub struct ObservedCall {
    /// The function.
    pub callee: FunctionId,
    /// The runs that make it.
    pub guard: TermId,
    /// The call in the program; absent if the function is the one under test.
    pub origin: Option<SourceOrigin>,
    /// What it sees, in the order of [`nub_c_ir::Program::stub_params`].
    pub values: Vec<ObservedValue>,
}

/// A scalar that a stub sees.
#[derive(Clone, Copy, Debug)]
pub struct ObservedValue {
    /// Its type.
    pub ty: TypeId,
    /// The runs in which it can be read.
    pub exists: TermId,
    /// The value; absent if there is none in any run.
    pub term: Option<TermId>,
}

impl Machine<'_> {
    /// A stub is called.
    pub(crate) fn observe(&mut self, state: &State, callee: FunctionId, parts: &[ObservedPart]) -> Step<()> {
        self.current.is_observing = true;
        let values = self.observed_values(state, parts);
        self.current.is_observing = false;
        let (values, origin) = (values?, self.call_origin());
        let guard = self.guard(state.path);
        if self.program.function(callee).is_const && !self.is_open() {
            self.depart_at_repeated_call(state, callee, &values);
        }
        self.out.stub_calls.push(ObservedCall { callee, guard, origin, values });
        Ok(())
    }

    /// Compilers make one call of two with the same arguments to a function that is declared `const`, so that a test cannot say what the second one
    /// returns. O(calls of it).
    fn depart_at_repeated_call(&mut self, state: &State, callee: FunctionId, values: &[ObservedValue]) {
        let earlier: Vec<(TermId, Vec<Option<TermId>>)> = (self.out.stub_calls.iter())
            .filter(|call| call.callee == callee)
            .map(|call| (call.guard, call.values.iter().map(|value| value.term).collect()))
            .collect();
        let mut is_repeated = self.pool.truth(false);
        for (guard, terms_before) in earlier {
            let mut is_same = guard;
            for (before, now) in terms_before.into_iter().zip(values) {
                let (Some(before), Some(now)) = (before, now.term) else { continue };
                let is_equal = terms::eq(&mut self.pool, before, now);
                is_same = terms::and(&mut self.pool, is_same, is_equal);
            }
            is_repeated = terms::or(&mut self.pool, is_repeated, is_same);
        }
        let name = self.program.function(callee).name.clone();
        self.depart_on(state.path, Assumption::LeftOpen(OpenChoice::Result(name)), is_repeated);
    }

    fn observed_values(&mut self, state: &State, parts: &[ObservedPart]) -> Step<Vec<ObservedValue>> {
        let mut values = Vec::with_capacity(parts.len());
        for part in parts {
            let mut exists = self.pool.truth(true);
            for condition in part.exists.into_iter().flat_map(|(valid, written)| [valid, written]) {
                let condition = self.eval(&state.cells, condition)?;
                let condition = self.is_true(condition);
                exists = terms::and(&mut self.pool, exists, condition);
            }
            // A value that does not exist is not observed.
            let term = match terms::known_truth(&self.pool, exists) {
                Some(false) => None,
                _ => Some(self.eval(&state.cells, part.value)?),
            };
            let ty = self.function().exprs[part.value.index()].ty;
            values.push(ObservedValue { ty, exists, term });
        }
        Ok(values)
    }

    /// The call in a function of the program that led to the stub or library function that is being executed.
    pub(crate) fn call_origin(&self) -> Option<SourceOrigin> {
        let mut found = None;
        let mut context = Some(self.context());
        while let Some(entry) = context.map(|id| self.out.contexts[id.index()]) {
            context = entry.parent;
            match entry.kind {
                ContextKind::Call { function, origin } if self.program.function(function).is_model => {
                    found = Some(origin);
                }
                ContextKind::Round { .. } => {}
                ContextKind::Call { .. } | ContextKind::Entry(_) => break,
            }
        }
        found
    }

    /// The target of the pointer that a stub returns is unknown: the object that it is given may be too short, or belong to other code.
    pub(crate) fn or_any_object(&mut self, site: AllocationId, pointer: TermId) -> TermId {
        if !self.is_open() {
            return pointer;
        }
        let bit = self.pool.var(Sort::BIT);
        let name = self.program.allocations[site.index()].name.clone();
        self.depart(Assumption::FreshResult(name), bit);
        let unknown = self.nothing_known();
        self.choose(bit, unknown, pointer)
    }
}
