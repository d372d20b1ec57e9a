//! The label "flaky": runs on the same bytes disagreed.
//!
//! One disagreement is enough. `probation.rs` decides which extra runs look for one, `voting.rs` what happens
//! then.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::ScopedJoinHandle;

use crate::Verdict;

/// How many times in a row the finished file must fail.
pub const FINAL_CONFIRMATIONS: u32 = 5;

/// The verdicts of repeated asks on the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Confirmation {
    /// Asks that failed.
    pub fails: u32,
    /// Asks that gave a sure verdict.
    pub n: u32,
    /// Asks requested.
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

    /// Like [`Confirmation::collect`], with up to `at_once` asks in parallel.
    pub fn collect_at_once(wanted: u32, at_once: usize, ask: impl Fn() -> Verdict + Sync) -> Confirmation {
        let mut verdicts = VecDeque::new();
        let mut n_left = wanted as usize;
        Confirmation::collect(wanted, || {
            if verdicts.is_empty() {
                let n = n_left.min(at_once);
                n_left -= n;
                verdicts = ask_at_once(n, &ask);
            }
            verdicts.pop_front().expect("as many as are wanted")
        })
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

fn ask_at_once(n: usize, ask: &(impl Fn() -> Verdict + Sync)) -> VecDeque<Verdict> {
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..n).map(|_| scope.spawn(ask)).collect();
        let first = ask();
        let join = |other: ScopedJoinHandle<'_, Verdict>| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        std::iter::once(first).chain(others.into_iter().map(join)).collect()
    })
}

/// Counts disagreements. Shared by threads.
#[derive(Debug, Default)]
pub struct Flakiness {
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
        let calls = AtomicU32::new(0);
        for at_once in [1, 2, 5, 9] {
            calls.store(0, Ordering::Relaxed);
            let confirmation = Confirmation::collect_at_once(5, at_once, || {
                if calls.fetch_add(1, Ordering::Relaxed) == 2 { Verdict::Passes } else { Verdict::Fails }
            });
            assert_eq!((confirmation, calls.load(Ordering::Relaxed)), (mixed, 5));
        }
        let stopped = Confirmation::collect(5, || Verdict::Unsure(crate::Doubt::Cancelled));
        assert!(!stopped.is_full() && !stopped.disagrees());
    }

    #[test]
    fn one_disagreement_is_enough() {
        let flakiness = Flakiness::new();
        flakiness.record(Confirmation { fails: 1, n: 1, wanted: 2 });
        flakiness.record(Confirmation { fails: 3, n: 3, wanted: 3 });
        flakiness.record(Confirmation { fails: 0, n: 3, wanted: 3 });
        assert!(!flakiness.is_flaky());
        flakiness.record(Confirmation { fails: 1, n: 2, wanted: 2 });
        flakiness.record(Confirmation { fails: 2, n: 2, wanted: 2 });
        assert!(flakiness.is_flaky());
        assert_eq!(flakiness.counts(), (1, 4));
    }
}
