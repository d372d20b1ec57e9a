//! How many extra runs are made to detect flakiness, and when.
//!
//! If a file fails with probability 0.9, it takes 44 runs to see one that passes with 99 % certainty (0.9^44 < 0.01),
//! whatever the design. So there are 45 extra runs on bytes known to fail; together with the two at the start that is 99.2
//! %. Making them all within 20 asks, for fast and slow oracles alike, triples the cost of these asks. Reductions of 100
//! asks are common and would take 1.46 times as long (measured on 19 solver failures with 27 to 190 asks). Users who say
//! that the oracle may be flaky get that ([`WatchLevel::Closely`]). For all others an extra run is made only while all of
//! them together take at most a tenth of the time in the oracle or 0.2 s ([`WatchLevel::InPassing`]): all are made after 20
//! asks if a run takes up to 4 ms, after 450 asks if it is slow.
//!
//! Among the first ten asks only a failing one is run once more: a wrong step there misleads everything that follows.
//! The other extra runs come later, on the smallest failing file, which is by then often a small part of the original
//! and faster to run.
//!
//! With several workers, an answer that waits for its extra run delays all of them. So later extra runs can be left to idle
//! workers ([`Probation::leave_to_idle`]); only when several are overdue is one made immediately.

use std::time::Duration;

use crate::{FlakyPolicy, OracleAnswer};

/// Asks on probation.
pub const PROBATION_ASKS: u32 = 20;
/// The first asks, which get an extra run only if they fail.
const EARLY_ASKS: u32 = 10;
/// Total number of extra runs, as computed above.
pub(crate) const PROBATION_RUNS: u32 = 45;
/// What all extra runs together may cost in any case, at `Closely`. A file that hangs for a minute cannot be
/// checked for less.
const CLOSE_BUDGET: Duration = Duration::from_secs(60);
/// The same at `InPassing`.
const PASSING_BUDGET: Duration = Duration::from_millis(200);
/// Beyond that, extra runs may take one part in this many of the time of all asks.
const SHARE: u32 = 10;

/// Extra runs that may wait for an idle worker.
const MAX_DUE: u32 = 3;

/// How closely a steady-looking oracle is watched. `run` is the time of a run on the original.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WatchLevel {
    /// All extra runs within the first 20 asks, while they cost less than a minute together.
    Closely {
        /// The time of a run on the original.
        run: Duration,
    },
    /// Extra runs while they cost little.
    InPassing {
        /// The time of a run on the original.
        run: Duration,
    },
    /// No extra runs; only a flaky start or [`crate::VotingOracle::record`] sets the label.
    Off,
}

impl WatchLevel {
    /// The level for the user's `--flaky` setting.
    #[must_use]
    pub fn new(policy: FlakyPolicy, run: Duration) -> WatchLevel {
        match policy {
            FlakyPolicy::Allow => WatchLevel::Closely { run },
            FlakyPolicy::Refuse => WatchLevel::InPassing { run },
        }
    }
}

/// Counts asks and extra runs, and what they cost.
#[derive(Debug)]
pub(crate) struct Probation {
    n_asks: u32,
    n_extra: u32,
    /// What extra runs may cost in any case.
    free: Duration,
    /// Time in the oracle for the asks themselves.
    asks_wall: Duration,
    extra_wall: Duration,
    /// The time of the latest run on a failing file, an estimate for the next one.
    run_wall: Duration,
    /// Extra runs that wait for an idle worker, and how many may.
    n_due: u32,
    max_due: u32,
}

impl Probation {
    /// The state at the start; `None` if flakiness is not watched.
    pub(crate) fn new(watch: WatchLevel) -> Option<Probation> {
        let (free, run_wall) = match watch {
            WatchLevel::Closely { run } => (CLOSE_BUDGET, run),
            WatchLevel::InPassing { run } => (PASSING_BUDGET, run),
            WatchLevel::Off => return None,
        };
        let zero = Duration::ZERO;
        let (n_due, max_due) = (0, 0);
        Some(Probation {
            n_asks: 0,
            n_extra: 0,
            free,
            asks_wall: zero,
            extra_wall: zero,
            run_wall,
            n_due,
            max_due,
        })
    }

    /// From now on some extra runs wait for idle workers, unless the level is `Closely`.
    pub(crate) fn leave_to_idle(&mut self) {
        self.max_due = if self.free == CLOSE_BUDGET { 0 } else { MAX_DUE };
    }

    /// Takes an extra run that is due. True if there was one.
    pub(crate) fn take_due(&mut self) -> bool {
        let is_due = self.n_due > 0;
        self.n_due -= u32::from(is_due);
        is_due
    }

    /// Gives back an extra run that could not be made.
    pub(crate) fn put_back(&mut self) {
        self.n_due += 1;
    }

    /// How many extra runs to make immediately after an ask that took one run. They count as made.
    pub(crate) fn extra_runs(&mut self, answer: &OracleAnswer) -> u32 {
        if self.n_extra == PROBATION_RUNS {
            return 0; // The common case, for the rest of the reduction.
        }
        self.asks_wall += answer.wall;
        if !answer.verdict.is_sure() {
            return 0;
        }
        let fails = answer.verdict.fails();
        if fails {
            self.run_wall = answer.wall;
        }
        self.n_asks += 1;
        let n = self.wanted(fails).min(self.affordable());
        self.n_extra += n;
        let later = if self.n_asks > EARLY_ASKS { n.min(self.max_due.saturating_sub(self.n_due)) } else { 0 };
        self.n_due += later;
        n - later
    }

    /// Records the number of extra runs and the time they took.
    pub(crate) fn made(&mut self, n: u32, wall: Duration) {
        self.extra_wall += wall;
        if n > 0 {
            self.run_wall = wall / n;
        }
    }

    fn wanted(&self, fails: bool) -> u32 {
        let left = PROBATION_RUNS - self.n_extra;
        match self.n_asks {
            ..=EARLY_ASKS => u32::from(fails),
            n if n <= PROBATION_ASKS => left.div_ceil(PROBATION_ASKS + 1 - n),
            _ => left.min(1),
        }
    }

    fn affordable(&self) -> u32 {
        let spent = self.extra_wall + self.run_wall * self.n_due;
        let budget = self.free.max(self.asks_wall / SHARE).saturating_sub(spent);
        let n = budget.as_nanos() / self.run_wall.as_nanos().max(1);
        u32::try_from(n).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Doubt, Verdict};

    /// `n_asks` asks, all runs equally long, one ask in `every` fails. Returns extra runs per ask.
    fn run(watch: fn(Duration) -> WatchLevel, n_asks: usize, every: usize, wall: Duration) -> Vec<u32> {
        let mut probation = Probation::new(watch(wall)).unwrap();
        let per_ask = (0..n_asks).map(|idx| {
            let verdict = if idx % every == 0 { Verdict::Fails } else { Verdict::Passes };
            let n = probation.extra_runs(&OracleAnswer::of_one_run(verdict, wall, wall));
            probation.made(n, wall * n);
            n
        });
        per_ask.collect()
    }

    fn closely(run: Duration) -> WatchLevel {
        WatchLevel::Closely { run }
    }

    fn in_passing(run: Duration) -> WatchLevel {
        WatchLevel::InPassing { run }
    }

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn late_and_45_in_all() {
        let extra = run(closely, 100, 1, ms(1));
        assert_eq!(extra[..20], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3]);
        for every in [1, 2, 3, 1000] {
            for (watch, wall) in [(closely as fn(_) -> _, ms(1)), (closely, ms(1000)), (in_passing, ms(4))] {
                let extra = run(watch, 100, every, wall);
                assert_eq!(extra[..20].iter().sum::<u32>(), PROBATION_RUNS, "{every} {wall:?}");
                assert_eq!(extra[20..], [0; 80]);
            }
        }
    }

    #[test]
    fn in_passing_costs_a_tenth() {
        for wall in [ms(20), ms(1000), ms(60_000)] {
            for n_asks in [1, 20, 100, 300, 450, 1000] {
                let n_extra: u32 = run(in_passing, n_asks, 2, wall).iter().sum();
                let tenth = u32::try_from(n_asks).unwrap() / SHARE;
                let free = if wall == ms(20) { 10 } else { 0 };
                assert!(n_extra <= tenth.max(free).min(PROBATION_RUNS), "{n_extra} of {n_asks}, {wall:?}");
                // Early on there may be nothing to run again: the first ten asks may all pass.
                assert!(n_asks < 30 || n_extra == tenth.max(free).min(PROBATION_RUNS), "{n_extra} {wall:?}");
            }
        }
    }

    #[test]
    fn even_closely_hangs_get_the_rest_later() {
        let extra = run(closely, 20, 2, ms(10_000));
        assert_eq!(extra.iter().sum::<u32>(), 6, "a minute");
        let extra = run(closely, 1000, 2, ms(10_000));
        assert_eq!(extra.iter().sum::<u32>(), PROBATION_RUNS);
    }

    #[test]
    fn idle_workers_get_what_may_wait() {
        let passes = OracleAnswer::of_one_run(Verdict::Passes, ms(100), ms(100));
        let mut probation = Probation::new(in_passing(ms(100))).unwrap();
        probation.leave_to_idle();
        let at_once: Vec<u32> = (0..80).map(|_| probation.extra_runs(&passes)).collect();
        assert_eq!(probation.n_due, MAX_DUE);
        assert_eq!(at_once[..30], [0; 30], "three wait");
        assert_eq!(
            at_once.iter().sum::<u32>() + MAX_DUE,
            probation.n_extra,
            "the rest is not put off any longer"
        );
        assert!(probation.take_due());
        probation.put_back();
        for _ in 0..MAX_DUE {
            assert!(probation.take_due());
            probation.made(1, ms(100));
        }
        assert!(!probation.take_due());
        let fails = OracleAnswer::of_one_run(Verdict::Fails, ms(100), ms(100));
        let mut early = Probation::new(in_passing(ms(100))).unwrap();
        early.leave_to_idle();
        assert_eq!(early.extra_runs(&fails), 1, "an early step misleads all that follow");
        let mut close = Probation::new(closely(ms(100))).unwrap();
        close.leave_to_idle();
        assert_eq!((0..20).map(|_| close.extra_runs(&fails)).sum::<u32>(), PROBATION_RUNS);
    }

    #[test]
    fn unsure_asks_do_not_count() {
        let mut probation = Probation::new(closely(Duration::ZERO)).unwrap();
        for _ in 0..100 {
            assert_eq!(probation.extra_runs(&OracleAnswer::free(Verdict::Unsure(Doubt::Disagreement))), 0);
        }
        let extra: u32 = (0..20).map(|_| probation.extra_runs(&OracleAnswer::free(Verdict::Passes))).sum();
        assert_eq!(extra, PROBATION_RUNS);
        assert!(Probation::new(WatchLevel::Off).is_none());
    }
}
