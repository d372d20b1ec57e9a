//! The state of a running pass.

use super::{Asking, Heard, ReductionStop, SearchState};
use crate::SubjectFormat;
use crate::groups::{Rerun, Scheme};

/// The counts when a pass started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassStart {
    n_steps: u64,
    bytes: u64,
}

/// The state of a running pass.
pub(crate) struct PassRun<F: SubjectFormat> {
    name: &'static str,
    pub(crate) start: PassStart,
    scheme: Box<dyn Scheme<F>>,
}

/// What happens when the scheme of a pass has no more candidates.
pub(crate) enum PassEnd {
    /// The pass is over: whether anything was accepted, or why the search ends.
    Over(Result<bool, ReductionStop>),
    /// The pass lists its edits again.
    Rerun,
    /// The accepted steps together are ill-formed, although each looked valid, and have been undone.
    IllFormed,
}

impl PassStart {
    pub(crate) fn of<F: SubjectFormat>(state: &SearchState<'_, F>) -> PassStart {
        PassStart { n_steps: state.n_steps, bytes: state.stats.bytes }
    }
}

impl<F: SubjectFormat> PassRun<F> {
    pub(crate) fn new(name: &'static str, start: PassStart, scheme: Box<dyn Scheme<F>>) -> PassRun<F> {
        PassRun { name, start, scheme }
    }

    /// A copy.
    pub(crate) fn fork(&self) -> PassRun<F> {
        PassRun { name: self.name, start: self.start, scheme: self.scheme.fork() }
    }

    pub(crate) fn next(&mut self, state: &mut SearchState<'_, F>) -> Result<Option<Asking>, ReductionStop> {
        self.scheme.next(state)
    }

    /// Handles the decision on the last candidate.
    pub(crate) fn decided(&mut self, state: &mut SearchState<'_, F>, asking: Asking, heard: Heard) {
        match heard {
            Heard::Fails => self.scheme.fails(state, asking.bytes),
            Heard::Passes => self.scheme.passes(state),
            Heard::Again => {}
        }
    }

    /// Parses what was accepted, and decides how to continue. `result` is why there are no more candidates.
    pub(crate) fn end(&self, state: &mut SearchState<'_, F>, result: Result<(), ReductionStop>) -> PassEnd {
        if result.is_ok() && self.scheme.rerun() == Rerun::Needed && state.rebase() {
            return PassEnd::Rerun;
        }
        if !state.rebase() && !state.careful {
            return PassEnd::IllFormed;
        }
        let has_changed = state.n_steps > self.start.n_steps;
        if has_changed {
            state.end_if_joined();
        }
        let removed = self.start.bytes.saturating_sub(state.stats.bytes);
        state.stats.passes.entry(self.name).or_default().bytes += removed;
        PassEnd::Over(result.map(|()| has_changed))
    }

    /// How many edits the current candidate adds.
    pub(crate) fn n_asked(&self) -> usize {
        self.scheme.n_asked()
    }
}
