//! The state of a search as data: what it knows, the replies its strategy has received, the current pass, the candidate
//! to be asked.

use crate::SubjectFormat;
use crate::engine::{
    Agreement, Asking, Engine, Heard, Log, PassEnd, PassRun, ReductionStop, Reply, SearchState, Strategy,
};
use nub_oracle::{OracleAnswer, Verdict};

/// Larger subjects are not parsed speculatively: each view takes many times their size.
const MAX_READ: usize = 1 << 20;

/// The state of a search at one candidate.
pub(crate) struct Position<'e, F: SubjectFormat> {
    pub(crate) state: SearchState<'e, F>,
    pub(crate) log: Log,
    pub(crate) run: PassRun<F>,
    pub(crate) asking: Asking,
}

impl<'e, F: SubjectFormat> Position<'e, F> {
    /// The position after this verdict; `None` if the search is then over, or a copy cannot determine it.
    pub(super) fn after(
        &mut self,
        verdict: Verdict,
        strategy: Option<Strategy<'e, F>>,
    ) -> Option<Position<'e, F>> {
        let mut next = Position {
            state: self.state.fork(),
            log: self.log.clone(),
            run: self.run.fork(),
            asking: self.asking.clone(),
        };
        let answer = OracleAnswer::free(verdict);
        let heard = next.state.hear(&mut next.asking, &answer, Agreement::Kept).ok()?;
        if heard == Heard::Again {
            return Some(next);
        }
        next.run.decided(&mut next.state, next.asking.clone(), heard);
        let result = match next.run.next(&mut next.state) {
            Ok(Some(asking)) => return Some(Position { asking, ..next }),
            other => other.map(|_| ()),
        };
        next.cross(result, strategy?)
    }

    /// Continues after the end of a pass.
    fn cross(
        mut self,
        result: Result<(), ReductionStop>,
        strategy: Strategy<'e, F>,
    ) -> Option<Position<'e, F>> {
        if self.state.text().len() > MAX_READ || matches!(result, Err(ReductionStop::Cancelled)) {
            return None;
        }
        let reply = match self.run.end(&mut self.state, result) {
            PassEnd::Over(result) => Reply::Pass(result),
            PassEnd::Rerun => Reply::Rerun(self.run.start),
            PassEnd::IllFormed => return None,
        };
        self.log.push(reply);
        Engine::replay(self.state, self.log, strategy)
    }
}
