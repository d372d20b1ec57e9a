//! Searches with a share of the time limit, when the failure is that the command takes long.
//!
//! Every candidate that still hangs takes the full limit. So the search asks with a share of it ([`TimeShare`]): a candidate that
//! passes within the share certainly passes with the full time; one that fails is accepted provisionally. When the subject has lost
//! half of its bytes since the last confirmed step, and at the end, the last step is a *milestone*: it is asked with the full limit.
//! If it still fails, it is written, and the search continues. If not, the steps since then are bisected for the last one that does,
//! and the search starts again there, with the smallest share within which the following step passes.
//!
//! Confirmations end when their own time limit is reached ([`Cancels::checks`]). Then the last confirmed step is the result, and the steps
//! after it are only counted and reported ([`UnconfirmedSteps`]), never presented as a result.
//!
//! A search that ends at a confirmed milestone is complete: every remaining candidate has passed, and so passes with the
//! full limit too. So the result is as minimal as with the full limit throughout.
//!
//! Everything here depends only on verdicts and on the initial share, which the journal stores. So a run can be
//! resumed, and the number of workers has no influence.

use super::recorder::Recorder;
use super::remember::{Remembering, Within};
use super::{Cancels, ReductionPlan, UnconfirmedSteps};
use crate::search::SearchResult;
use crate::{
    AcceptedStep, ReduceConfig, ReductionObserver, ReductionStats, ReductionStop, SecondLook, StepError,
};
use nub_oracle::{Doubt, Oracle, OracleAnswer, TimeShare, Verdict};
use std::sync::Arc;

/// Limit on the bytes of all unconfirmed steps; beyond it the next step is a milestone, whatever its size.
const MAX_OPEN_BYTES: usize = 1 << 26;
/// The pass name under which asks of milestones are counted.
const MILESTONE: &str = "milestone";

/// A reduction in stages, each with more time than the one before.
pub(super) struct Staged<'s, 'o> {
    pub(super) plan: &'s ReductionPlan<'s>,
    pub(super) oracle: &'s Remembering<'o>,
    pub(super) cancels: &'s Cancels<'s>,
    /// The share of the first stage.
    pub(super) share: TimeShare,
}

/// The result of all stages.
pub(super) struct StagedResult {
    pub(super) searched: SearchResult,
    pub(super) unconfirmed: Option<UnconfirmedSteps>,
}

/// Whether the last step of a stage is confirmed.
enum Settled {
    /// It is confirmed.
    Holds,
    /// This step is the first that is refuted; the one before is confirmed.
    Refuted(Vec<u8>),
    /// The check was stopped.
    Stopped(ReductionStop),
}

impl<'o> Staged<'_, 'o> {
    /// Searches from `subject`, which is known to fail.
    pub(super) fn search(&self, recorder: &mut Recorder<'_, 'o>, mut subject: Vec<u8>) -> StagedResult {
        let mut share = self.share;
        let mut spent = ReductionStats::default();
        loop {
            let oracle = Within { oracle: self.oracle, share };
            let config = self.config(share, spent.asks);
            // With the full time every step counts immediately, so no second copy of a large subject is
            // needed.
            let confirmed = if share.is_full() { Vec::new() } else { subject.clone() };
            let mut steps = Steps::new(self, share, &mut *recorder, confirmed, spent);
            let SearchResult { stop, best, mut stats } =
                self.plan.search.run(subject, &oracle, config, self.cancels.search, &mut steps);
            if share.is_full() {
                stats.add_costs(&steps.spent);
                return StagedResult { searched: SearchResult { stop, best, stats }, unconfirmed: None };
            }
            // Whether the search ended because of a milestone, not by itself or by cancellation.
            let is_cut = steps.is_refuted;
            let settled = steps.settle();
            stats.add_costs(&steps.spent);
            let unconfirmed = steps.unconfirmed();
            let best = steps.confirmed;
            stats.bytes = best.len() as u64;
            let stop = match settled {
                Settled::Holds => stop,
                Settled::Stopped(stop) => Some(stop),
                Settled::Refuted(candidate) if is_cut || stop.is_none() => {
                    share = self.next_share(share, &candidate, &mut stats);
                    (subject, spent) = (best, stats);
                    continue;
                }
                Settled::Refuted(_) => stop,
            };
            return StagedResult { searched: SearchResult { stop, best, stats }, unconfirmed };
        }
    }

    fn config(&self, share: TimeShare, n_spent: u64) -> ReduceConfig {
        let config = self.plan.engine.clone();
        let second_look = if share.is_full() { config.second_look } else { SecondLook::Never };
        ReduceConfig {
            max_asks: config.max_asks.map(|max| max.saturating_sub(n_spent)),
            second_look,
            ..config
        }
    }

    /// The smallest share within which a refuted step passes.
    fn next_share(&self, share: TimeShare, refuted: &[u8], stats: &mut ReductionStats) -> TimeShare {
        let mut share = share.doubled();
        while !share.is_full() {
            let answer = self.oracle.ask_within(share, refuted, self.cancels.checks);
            count(stats, &answer);
            if !answer.verdict.fails() {
                break;
            }
            share = share.doubled();
        }
        share
    }
}

/// An accepted step that is not confirmed.
struct OpenStep {
    pass: String,
    stats: ReductionStats,
    bytes: Arc<Vec<u8>>,
}

/// The steps of a stage on their way to the recorder.
struct Steps<'s, 'o, 'r, 'a> {
    staged: &'s Staged<'s, 'o>,
    share: TimeShare,
    recorder: &'r mut Recorder<'a, 'o>,
    /// The last confirmed subject.
    confirmed: Vec<u8>,
    open: Vec<OpenStep>,
    n_open_bytes: usize,
    /// The costs of earlier stages and of the milestones of this one.
    spent: ReductionStats,
    /// A milestone did not hold.
    is_refuted: bool,
    stop: Option<ReductionStop>,
}

impl<'s, 'o, 'r, 'a> Steps<'s, 'o, 'r, 'a> {
    fn new(
        staged: &'s Staged<'s, 'o>,
        share: TimeShare,
        recorder: &'r mut Recorder<'a, 'o>,
        confirmed: Vec<u8>,
        spent: ReductionStats,
    ) -> Steps<'s, 'o, 'r, 'a> {
        let (open, n_open_bytes, is_refuted, stop) = (Vec::new(), 0, false, None);
        Steps { staged, share, recorder, confirmed, open, n_open_bytes, spent, is_refuted, stop }
    }

    /// The counts of all stages.
    fn total(&self, stats: &ReductionStats) -> ReductionStats {
        let mut total = stats.clone();
        total.add_costs(&self.spent);
        total
    }

    fn is_milestone(&self, bytes: &[u8]) -> bool {
        bytes.len() * 2 <= self.confirmed.len() || self.n_open_bytes > MAX_OPEN_BYTES
    }

    /// Steps that could be neither confirmed nor refuted. Called after the steps are settled: those still open are
    /// unknown.
    fn unconfirmed(&self) -> Option<UnconfirmedSteps> {
        let bytes = self.open.iter().map(|step| step.bytes.len() as u64).min()?;
        Some(UnconfirmedSteps { n_steps: self.open.len(), bytes })
    }

    /// Asks an open step with the full limit. The error says why there is no answer.
    fn holds(&mut self, index: usize) -> Result<bool, ReductionStop> {
        let cancel = self.staged.cancels.checks;
        let answer = self.staged.oracle.ask_within(TimeShare::FULL, &self.open[index].bytes, cancel);
        count(&mut self.spent, &answer);
        match answer.verdict {
            Verdict::Fails => Ok(true),
            Verdict::Unsure(Doubt::Cancelled) => Err(ReductionStop::Cancelled),
            Verdict::Passes | Verdict::Unsure(_) => Ok(false),
        }
    }

    /// Marks an open step as confirmed: it counts from now on.
    fn confirm(&mut self, index: usize) -> Result<(), ReductionStop> {
        let OpenStep { pass, stats, bytes } = &mut self.open[index];
        let step = AcceptedStep { pass, stats };
        let recorded = self.recorder.accepted(&step, bytes);
        recorded.map_err(|error| ReductionStop::Store(error.to_string()))?;
        self.confirmed.clone_from(&**bytes);
        Ok(())
    }

    /// Asks the last step with the full limit.
    fn confirm_last(&mut self) -> Result<(), ReductionStop> {
        let last = self.open.len() - 1;
        self.is_refuted = !self.holds(last)?;
        if !self.is_refuted {
            self.confirm(last)?;
            self.open.clear();
            self.n_open_bytes = 0;
        }
        Ok(())
    }

    /// Confirms or refutes the steps when the stage is over.
    fn settle(&mut self) -> Settled {
        let settled = match self.stop.take() {
            Some(stop) => Err(stop),
            None if self.is_refuted => self.bisect(),
            None if self.open.is_empty() => return Settled::Holds,
            None => {
                self.confirm_last().and_then(|()| if self.open.is_empty() { Ok(None) } else { self.bisect() })
            }
        };
        match settled {
            Ok(None) => Settled::Holds,
            Ok(Some(refuted)) => Settled::Refuted(refuted),
            Err(stop) => Settled::Stopped(stop),
        }
    }

    /// Called when the last step is refuted: confirms the last open step that still fails, and returns the
    /// one after it.
    fn bisect(&mut self) -> Result<Option<Vec<u8>>, ReductionStop> {
        // The step before `low` still fails, the one at `high` does not.
        let (mut low, mut high) = (0, self.open.len() - 1);
        while low < high {
            let middle = low + (high - low) / 2;
            let holds = self.holds(middle).inspect_err(|_| {
                // The others are known to hold or not to hold.
                self.open.truncate(high);
                self.open.drain(..low);
            })?;
            if holds {
                self.confirm(middle)?;
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(self.open.drain(..).nth(high).map(|step| Arc::unwrap_or_clone(step.bytes)))
    }
}

impl ReductionObserver for Steps<'_, '_, '_, '_> {
    fn accepted(&mut self, step: &AcceptedStep, bytes: &Arc<Vec<u8>>) -> Result<(), StepError> {
        if self.share.is_full() {
            let stats = self.total(step.stats);
            return self.recorder.accepted(&AcceptedStep { pass: step.pass, stats: &stats }, bytes);
        }
        if self.is_refuted || self.stop.is_some() {
            return Err(StepError::StageOver);
        }
        self.n_open_bytes += bytes.len();
        let stats = self.total(step.stats);
        self.open.push(OpenStep { pass: step.pass.to_owned(), stats, bytes: bytes.clone() });
        if !self.is_milestone(bytes) {
            return Ok(());
        }
        match self.confirm_last() {
            Ok(()) if self.is_refuted => Err(StepError::MilestoneRefuted),
            Ok(()) => Ok(()),
            Err(stop) => {
                self.stop = Some(stop);
                Err(StepError::MilestoneUndecided)
            }
        }
    }

    fn asked(&mut self, pass: &str, stats: &ReductionStats) {
        if self.spent.asks == 0 && self.share.is_full() {
            return self.recorder.asked(pass, stats);
        }
        let mut total = self.total(stats);
        if !self.share.is_full() {
            total.bytes = self.confirmed.len() as u64;
        }
        self.recorder.asked(pass, &total);
    }
}

/// Counts an ask outside the search.
fn count(stats: &mut ReductionStats, answer: &OracleAnswer) {
    stats.asks += 1;
    stats.oracle_wall += answer.wall;
    stats.oracle_cpu += answer.cpu;
    stats.passes.entry(MILESTONE).or_default().asks += 1;
}
