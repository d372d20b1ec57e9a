//! Where a strategy is, as data: what the engine has replied to it so far.
//!
//! A strategy is a function of these replies, so a copy of the search gets to the same place by running the strategy from its
//! beginning with the replies of the log. That costs no more than the strategy's own control flow: passes return at once.
//! Past the end of the log the copy goes on by itself, up to the next candidate ([`crate::ahead::Position`]). What a strategy
//! wants to know of the subject it asks for through [`Engine::noted`]. If it does not, the copy may go astray, and asks
//! are made ahead in vain; the real search never replays.

use super::{Engine, MakeScheme, PassEnd, PassRun, PassStart, ReductionStop, SearchState};
use crate::SubjectFormat;
use crate::ahead::Position;
use std::any::Any;
use std::rc::Rc;

/// What the engine has replied to a strategy.
#[derive(Clone)]
pub(crate) enum Reply {
    /// To a pass that is not over: it lists its edits once more.
    Rerun(PassStart),
    /// To a pass.
    Pass(Result<bool, ReductionStop>),
    /// To anything else.
    Noted(Rc<dyn Any>),
}

/// All replies, and how many of them a copy has heard.
#[derive(Clone, Default)]
pub(crate) struct Log {
    replies: Vec<Reply>,
    next: usize,
}

impl Log {
    /// Adds a reply that was given just now.
    pub(crate) fn push(&mut self, reply: Reply) {
        self.replies.push(reply);
        self.next = self.replies.len();
    }

    /// The next reply that was given before.
    fn pop(&mut self) -> Option<Reply> {
        let reply = self.replies.get(self.next)?.clone();
        self.next += 1;
        Some(reply)
    }

    fn rewind(&mut self) {
        self.next = 0;
    }
}

/// A strategy that can be run from its beginning again.
pub(crate) type Strategy<'e, F> = &'e dyn for<'x> Fn(&mut Engine<'x, F>) -> Result<(), ReductionStop>;

impl<'e, F: SubjectFormat> Engine<'e, F> {
    /// What `look` says, now or when the search was here.
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

    /// Runs a strategy from its beginning, with the replies of a log, up to the next candidate. `None` if there is none that
    /// a copy can get to.
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

    /// Goes on with a pass up to its first candidate. Returns what the pass does if it has none.
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
                // A copy of the copy: on its way out the strategy may still set things right that it has changed.
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
