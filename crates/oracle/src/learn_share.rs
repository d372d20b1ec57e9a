//! How short a time limit a search can start with, when the failure is that the command takes long.
//!
//! Learned from runs that end by themselves: one on an empty file, which measures the start-up of the program, and one on the
//! first half of the original, which usually measures reading it, up to the error where the file is cut off.

use std::time::Duration;

use nub_process::Cancel;

use crate::real::{Patience, RealOracle, Rule};
use crate::slow::Threshold;
use crate::{OracleAnswer, TimeShare, Verdict};

/// The run on half of the original gets this share of the time; if it does not end by then, nothing is
/// learned.
const PROBE_HALVINGS: u32 = 2;
/// When two commands are compared by a factor: the smallest factor that still counts as slow.
const LEAST_FACTOR: f64 = 2.0;

impl RealOracle {
    /// Learns the share from the run on the empty file and one more.
    pub(crate) fn learn_share(&mut self, original: &[u8], empty: &OracleAnswer, cancel: &Cancel) {
        self.least_share = match &self.rule {
            Rule::Slow(slow) => match &slow.threshold {
                Threshold::Ratio { factor, .. } => of_factor(*factor),
                Threshold::AtLeast(full) => {
                    TimeShare::above(&[self.time_of(empty), self.half_time(original, cancel)], *full)
                }
            },
            Rule::Outcome(_) if self.can_hang_sooner() => {
                let full = self.limits.first.first();
                TimeShare::above(&[self.time_of(empty), self.half_time(original, cancel)], full)
            }
            Rule::Outcome(_) => TimeShare::FULL,
        };
    }

    /// Whether a hanging run looks the same when it is stopped sooner. Not if it has to print something
    /// first: that may come late.
    fn can_hang_sooner(&self) -> bool {
        let config = self.lab.config();
        config.hang && config.expect.is_default()
    }

    /// The time of a run on the first half of the original; zero if it does not end soon.
    fn half_time(&self, original: &[u8], cancel: &Cancel) -> Duration {
        let half = &original[..original.len() / 2];
        let answer = self.answer(half, cancel, Patience::Share(TimeShare::halved(PROBE_HALVINGS)));
        if answer.verdict == Verdict::Passes { self.time_of(&answer) } else { Duration::ZERO }
    }

    /// The time of an answer by the rule's measure: processor or wall time.
    fn time_of(&self, answer: &OracleAnswer) -> Duration {
        match &self.rule {
            Rule::Slow(slow) => slow.measured(answer),
            Rule::Outcome(_) => answer.wall,
        }
    }
}

fn of_factor(factor: f64) -> TimeShare {
    let halvings = (factor / LEAST_FACTOR).max(1.0).log2().floor();
    TimeShare::halved(halvings as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_stays_a_factor() {
        assert_eq!([1.5, 3.9, 4.0, 10.0, 1e9].map(|factor| of_factor(factor).halvings()), [0, 0, 1, 2, 5]);
    }
}
