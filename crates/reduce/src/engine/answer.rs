//! Turns the oracle's answers into a decision: how often a candidate is asked, and how far an answer is
//! trusted.

use super::{ReductionStop, SearchState, SecondLook};
use crate::SubjectFormat;
use nub_oracle::{Doubt, OracleAnswer, Verdict};
use std::sync::Arc;

/// Runs that must agree before a step is accepted from an oracle that has contradicted itself.
const FLAKY_CONFIRMATIONS: u32 = 3;

/// A candidate that is not decided yet.
#[derive(Clone)]
pub(crate) struct Asking {
    pub(crate) pass: &'static str,
    pub(crate) bytes: Arc<Vec<u8>>,
    /// Number of answers so far: the next run repeats the same bytes.
    pub(crate) n_heard: u32,
    /// Further runs that must fail too; zero until the first has failed.
    n_wanted: u32,
}

impl Asking {
    pub(crate) fn new(pass: &'static str, bytes: Vec<u8>) -> Asking {
        Asking { pass, bytes: Arc::new(bytes), n_heard: 0, n_wanted: 0 }
    }
}

/// The consequence of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Heard {
    /// The same bytes are asked once more.
    Again,
    /// The failure is still present, confirmed where there was doubt.
    Fails,
    /// The failure is gone, or the oracle cannot tell.
    Passes,
}

/// Whether runs on the same bytes have disagreed, according to the oracle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Agreement {
    Kept,
    Broken,
}

impl<F: SubjectFormat> SearchState<'_, F> {
    /// Counts an answer and returns its consequence.
    pub(crate) fn hear(
        &mut self,
        asking: &mut Asking,
        answer: &OracleAnswer,
        agreement: Agreement,
    ) -> Result<Heard, ReductionStop> {
        self.count(asking.pass, answer);
        asking.n_heard += 1;
        if asking.n_heard > 1 {
            return Ok(self.hear_confirmation(asking, &answer.verdict));
        }
        if self.stats.disagreements == 0 && agreement == Agreement::Broken {
            self.distrust();
        }
        match &answer.verdict {
            Verdict::Fails if self.is_doubtful(&asking.bytes) => {
                asking.n_wanted = if self.is_flaky() { FLAKY_CONFIRMATIONS - 1 } else { 1 };
                Ok(Heard::Again)
            }
            Verdict::Fails => Ok(self.decide(asking, Heard::Fails)),
            Verdict::Passes => Ok(self.decide(asking, Heard::Passes)),
            Verdict::Unsure(doubt) => {
                self.unsure(doubt)?;
                Ok(Heard::Passes)
            }
        }
    }

    fn hear_confirmation(&mut self, asking: &mut Asking, verdict: &Verdict) -> Heard {
        match verdict {
            Verdict::Fails if asking.n_wanted > 1 => {
                asking.n_wanted -= 1;
                return Heard::Again;
            }
            Verdict::Fails => return self.decide(asking, Heard::Fails),
            Verdict::Passes if self.stats.disagreements == 0 => self.distrust(),
            Verdict::Passes => self.stats.disagreements += 1,
            Verdict::Unsure(_) => {}
        }
        self.decide(asking, Heard::Passes)
    }

    fn decide(&mut self, asking: &Asking, heard: Heard) -> Heard {
        self.n_unsure = 0;
        match heard {
            Heard::Fails => self.cache.put_failed(&asking.bytes),
            _ => self.cache.put_passed(&asking.bytes),
        }
        heard
    }

    fn count(&mut self, pass: &'static str, answer: &OracleAnswer) {
        self.stats.asks += 1;
        self.learned.fade();
        self.stats.oracle_wall += answer.wall;
        self.stats.oracle_cpu += answer.cpu;
        self.stats.passes.entry(pass).or_default().asks += 1;
    }

    /// Stops after too many unsure answers in a row: the environment is broken, and continuing would only
    /// waste time.
    fn unsure(&mut self, doubt: &Doubt) -> Result<(), ReductionStop> {
        const MAX_UNSURE: u32 = 50;
        self.n_unsure += 1;
        match doubt {
            Doubt::Cancelled => Err(ReductionStop::Cancelled),
            Doubt::Environment(text) if self.n_unsure > MAX_UNSURE => {
                Err(ReductionStop::Environment(text.clone()))
            }
            Doubt::Disagreement => {
                self.stats.disagreements += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn is_flaky(&self) -> bool {
        self.config.flaky || self.stats.disagreements > 0
    }

    /// A step that halves the subject affects all later asks, so it is worth a second run; with a flaky oracle
    /// every step is.
    fn is_doubtful(&self, bytes: &[u8]) -> bool {
        let halves = self.config.second_look == SecondLook::AtHalves && bytes.len() * 2 <= self.text().len();
        self.is_flaky() || halves
    }

    /// The oracle is flaky: discards its verdicts so far, and confirms every step from now on.
    fn distrust(&mut self) {
        self.cache.clear();
        self.stats.disagreements += 1;
    }
}
