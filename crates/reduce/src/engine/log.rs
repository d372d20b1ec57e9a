//! The progress of a strategy as data: the engine's replies so far.
//!
//! A strategy is a function of these replies, so a copy of the search reaches the same place by running the strategy from its
//! start with the replies of the log. That costs no more than the strategy's own control flow: passes return immediately.
//! After the end of the log the copy continues by itself, up to the next candidate ([`crate::ahead::Position`]). A strategy
//! must query the subject through [`Engine::noted`]. Otherwise the copy may diverge, and its asks are wasted; the real search
//! never replays.

use super::{Engine, MakeScheme, PassEnd, PassRun, PassStart, ReductionStop, SearchState};
use crate::SubjectFormat;
use crate::ahead::Position;
use std::any::Any;
use std::rc::Rc;

/// A reply of the engine to a strategy.
#[derive(Clone)]
pub(crate) enum Reply {
    /// To a pass that is not over: it lists its edits once more.
    Rerun(PassStart),
    /// To a pass.
    Pass(Result<bool, ReductionStop>),
    /// To anything else.
    Noted(Rc<dyn Any>),
}

/// All replies, and how many of them a copy has replayed.
#[derive(Clone, Default)]
pub(crate) struct Log {
    replies: Vec<Reply>,
    next: usize,
}

impl Log {
    /// Adds a new reply.
    pub(crate) fn push(&mut self, reply: Reply) {
        self.replies.push(reply);
        self.next = self.replies.len();
    }

    /// The next reply to replay.
    fn pop(&mut self) -> Option<Reply> {
        let reply = self.replies.get(self.next)?.clone();
        self.next += 1;
        Some(reply)
    }

    fn rewind(&mut self) {
        self.next = 0;
    }
}

/// A strategy that can be run again from its start.
pub(crate) type Strategy<'e, F> = &'e dyn for<'x> Fn(&mut Engine<'x, F>) -> Result<(), ReductionStop>;

impl<'e, F: SubjectFormat> Engine<'e, F> {
    /// The result of `look`, now or from when the search was at this place.
    pub(crate) fn noted<T: Clone + 'static>(&mut self, look: impl FnOnce(&mut Engine<'e, F>) -> T) -> T {
        if let Some(Reply::Noted(value)) = self.log.pop()
            && let Some(value) = value.downcast_ref::<T>()
        {
            return value.clone();
        }
        let value = look(self);
        if self.is_logged() {
            self.log.push(Reply::Noted(Rc::new(value.clone())));
        }
        value
    }

    /// The size of the subject.
    pub(crate) fn size(&mut self) -> usize {
        self.noted(|engine| engine.text().len())
    }

    /// Runs a strategy from its start, with the replies of a log, up to the next candidate. `None` if a copy can reach none.
    pub(crate) fn replay(
        state: SearchState<'e, F>,
        mut log: Log,
        strategy: Strategy<'e, F>,
    ) -> Option<Position<'e, F>> {
        log.rewind();
        let mut copy = Engine::copy(state, log);
        copy.state.set_defaults();
        let _ = strategy(&mut copy);
        copy.found
    }

    /// Replies to a pass of a copy.
    pub(super) fn replay_scheme(
        &mut self,
        name: &'static str,
        scheme: MakeScheme<'_, F>,
    ) -> Result<bool, ReductionStop> {
        let mut start = None;
        while let Some(reply) = self.log.pop() {
            match reply {
                Reply::Rerun(first) => start = Some(first),
                Reply::Pass(result) => return result,
                Reply::Noted(_) => return Err(ReductionStop::Cancelled),
            }
        }
        if self.found.is_some() {
            return Err(ReductionStop::Cancelled);
        }
        let result = match (start, self.may_run(name)) {
            (None, Err(stop)) => Err(stop),
            (None, Ok(false)) => Ok(false),
            _ => self.go_on(name, start, scheme)?,
        };
        self.log.push(Reply::Pass(result.clone()));
        result
    }

    /// Continues with a pass up to its first candidate. If it has none, returns the result of the pass.
    fn go_on(
        &mut self,
        name: &'static str,
        start: Option<PassStart>,
        scheme: MakeScheme<'_, F>,
    ) -> Result<Result<bool, ReductionStop>, ReductionStop> {
        let state = &mut self.state;
        let start = start.unwrap_or_else(|| PassStart::of(state));
        let mut run = PassRun::new(name, start, scheme(state));
        let result = match run.next(state) {
            Ok(Some(asking)) => {
                let log = self.log.clone();
                // A copy of the copy, because the strategy may still restore settings while it returns.
                self.found = Some(Position { state: state.fork(), log, run, asking });
                return Err(ReductionStop::Cancelled);
            }
            other => other.map(|_| ()),
        };
        match run.end(state, result) {
            PassEnd::Over(result) => Ok(result),
            PassEnd::Rerun | PassEnd::IllFormed => Err(ReductionStop::Cancelled),
        }
    }
}
