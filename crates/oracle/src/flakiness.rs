//! Noticing that an oracle is flaky.
//!
//! A file that fails with probability 0.9 needs 44 runs until a run that passes is seen with 99 % certainty
//! (0.9^44 < 0.01). So on probation, the first 20 asks, each ask comes with extra runs on bytes known to fail:
//! three for the first five asks, two for the others, 45 in all; with the two runs at the start, 99.2 %.
//! With slow oracles the extra runs are fewer, so that they cost a fifth of a second together: such a file is
//! labelled later, by the runs that confirm large steps and the result.
//! After probation only acceptances after a disagreement are re-asked.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::Verdict;

/// Asks on probation.
pub const PROBATION_ASKS: u32 = 20;
/// The first of them have three extra runs, the others two.
const EAGER_ASKS: u32 = 5;
/// Extra runs of a whole probation: what the promise above needs.
pub(crate) const PROBATION_RUNS: u32 = 45;
/// Extra runs of an acceptance once a disagreement was seen.
const EXTRA_WHEN_FLAKY: u32 = 4;
/// Times a finished file must fail in a row.
pub const FINAL_CONFIRMATIONS: u32 = 5;

/// What repeated asks on the same bytes said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Confirmation {
    /// Asks that failed.
    pub fails: u32,
    /// Asks that gave a sure verdict.
    pub n: u32,
    /// Asks wanted.
    pub wanted: u32,
}

impl Confirmation {
    /// Calls `ask` until `wanted` verdicts are sure, giving up at the first unsure one.
    pub fn collect(wanted: u32, mut ask: impl FnMut() -> Verdict) -> Confirmation {
        let mut confirmation = Confirmation { fails: 0, n: 0, wanted };
        while confirmation.n < wanted {
            match ask() {
                Verdict::Fails => confirmation.fails += 1,
                Verdict::Passes => {}
                Verdict::Unsure(_) => break,
            }
            confirmation.n += 1;
        }
        confirmation
    }

    /// All asks were made and all failed.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.fails == self.wanted
    }

    /// Both verdicts were seen.
    #[must_use]
    pub fn disagrees(&self) -> bool {
        self.fails != 0 && self.fails != self.n
    }
}

/// Counts disagreements. Shared by threads.
#[derive(Debug, Default)]
pub struct Flakiness {
    n_asks: AtomicU32,
    n_extra: AtomicU32,
    n_confirmed: AtomicU32,
    n_disagreements: AtomicU32,
}

impl Flakiness {
    /// Nothing seen yet.
    #[must_use]
    pub fn new() -> Flakiness {
        Flakiness::default()
    }

    /// Records repeated asks on the same bytes.
    pub fn record(&self, confirmation: Confirmation) {
        if confirmation.n >= 2 {
            self.n_confirmed.fetch_add(1, Ordering::Relaxed);
        }
        if confirmation.disagrees() {
            self.n_disagreements.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// An ask begins: how many extra runs, on bytes known to fail, belong to it; `most` in all.
    #[must_use]
    pub fn extra_runs(&self, most: u32) -> u32 {
        let ask_idx = self.n_asks.fetch_add(1, Ordering::Relaxed);
        if self.is_flaky() {
            return 0; // Known. From here on votes decide.
        }
        let wanted = match ask_idx {
            _ if ask_idx < EAGER_ASKS => 3,
            _ if ask_idx < PROBATION_ASKS => 2,
            _ => 0,
        };
        let used = self.n_extra.fetch_add(wanted, Ordering::Relaxed);
        wanted.min(most.saturating_sub(used))
    }

    /// Whether an acceptance that matters should be re-asked, and how often.
    #[must_use]
    pub fn doubtful(&self) -> Option<u32> {
        self.is_flaky().then_some(EXTRA_WHEN_FLAKY)
    }

    /// Whether any disagreement was seen.
    #[must_use]
    pub fn is_flaky(&self) -> bool {
        self.n_disagreements.load(Ordering::Relaxed) > 0
    }

    /// Disagreements, and groups of repeated asks.
    #[must_use]
    pub fn counts(&self) -> (u32, u32) {
        (self.n_disagreements.load(Ordering::Relaxed), self.n_confirmed.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confirmations() {
        let full = Confirmation::collect(5, || Verdict::Fails);
        assert!(full.is_full() && !full.disagrees());
        let mut n = 0;
        let mixed = Confirmation::collect(5, || {
            n += 1;
            if n == 3 { Verdict::Passes } else { Verdict::Fails }
        });
        assert!(!mixed.is_full() && mixed.disagrees());
        assert_eq!((mixed.fails, mixed.n), (4, 5));
        let stopped = Confirmation::collect(5, || Verdict::Unsure(crate::Doubt::Cancelled));
        assert!(!stopped.is_full() && !stopped.disagrees());
    }

    #[test]
    fn probation_has_45_extra_runs() {
        let flakiness = Flakiness::new();
        let extra: u32 = (0..100).map(|_| flakiness.extra_runs(45)).sum();
        assert_eq!(extra, 45);
        assert_eq!(flakiness.doubtful(), None);
        flakiness.record(Confirmation { fails: 1, n: 2, wanted: 2 });
        assert_eq!(flakiness.doubtful(), Some(EXTRA_WHEN_FLAKY));
    }
}
