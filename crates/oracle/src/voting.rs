//! An oracle that watches another for flakiness and, once it is flaky, lets votes decide.
//!
//! While the inner oracle looks steady, one run decides, and the first asks come with extra runs (see
//! `probation.rs`). Once it is labelled flaky, a candidate fails if `needed` of `votes` runs fail. Counting
//! stops as soon as the result is certain. A rejected candidate that would save much gets `second_chance`
//! more runs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nub_process::Cancel;

use crate::probation::{Probation, WatchLevel};
use crate::{Confirmation, Doubt, Flakiness, IdleTime, Oracle, OracleAnswer, Stability, TimeShare, Verdict};

/// How votes are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Votes {
    /// Runs that must fail.
    pub needed: u32,
    /// Maximum number of runs; at least `needed`.
    pub votes: u32,
    /// More runs for a rejected candidate that would save a tenth of the file or more.
    pub second_chance: u32,
}

impl Default for Votes {
    fn default() -> Votes {
        Votes { needed: 2, votes: 3, second_chance: 2 }
    }
}

/// Wraps an oracle. Shared by threads.
pub struct VotingOracle<O> {
    inner: O,
    votes: Votes,
    flakiness: Flakiness,
    probation: Option<Mutex<Probation>>,
    best: Mutex<KnownFailure>,
    n_workers: usize,
}

/// The smallest file known to fail.
struct KnownFailure {
    len: usize,
    /// Kept only during probation, when it is occasionally run again.
    bytes: Option<Arc<Vec<u8>>>,
}

impl<O: Oracle> VotingOracle<O> {
    /// Wraps `inner`, on which `original` is known to fail; `start` says how steadily.
    pub fn new(
        inner: O,
        original: &[u8],
        start: Stability,
        votes: Votes,
        watch: WatchLevel,
    ) -> VotingOracle<O> {
        assert!(votes.needed >= 1 && votes.votes >= votes.needed, "votes must be able to pass");
        let flakiness = Flakiness::new();
        let (fails, n) = match start {
            Stability::Steady { n } => (n, n),
            Stability::Flaky { fails, n } => (fails, n),
        };
        flakiness.record(Confirmation { fails, n, wanted: n });
        let probation = Probation::new(watch).map(Mutex::new);
        let bytes = probation.is_some().then(|| Arc::new(original.to_vec()));
        let best = Mutex::new(KnownFailure { len: original.len(), bytes });
        VotingOracle { inner, votes, flakiness, probation, best, n_workers: 1 }
    }

    /// Sets the number of workers. If there are several, extra runs that may wait are left to idle workers
    /// ([`Oracle::use_idle_time`]), and independent runs are made in parallel.
    #[must_use]
    pub fn with_workers(mut self, n: usize) -> VotingOracle<O> {
        self.n_workers = n.max(1);
        if let Some(probation) = self.probation.as_ref().filter(|_| n > 1) {
            lock(probation).leave_to_idle();
        }
        self
    }

    /// The wrapped oracle.
    pub fn inner(&self) -> &O {
        &self.inner
    }

    /// What is known about flakiness.
    pub fn flakiness(&self) -> &Flakiness {
        &self.flakiness
    }

    /// A candidate was accepted: gains are measured against it.
    pub fn accepted(&self, bytes: &Arc<Vec<u8>>) {
        let kept = self.probation.is_some().then(|| bytes.clone());
        *lock(&self.best) = KnownFailure { len: bytes.len(), bytes: kept };
    }

    /// Records a confirmation made elsewhere.
    pub fn record(&self, confirmation: Confirmation) {
        self.flakiness.record(confirmation);
    }

    /// Asks the inner oracle `n` times and records what it said.
    pub fn confirm(&self, bytes: &[u8], n: u32, cancel: &Cancel) -> Confirmation {
        let ask = || self.inner.ask(bytes, cancel).verdict;
        let confirmation = Confirmation::collect_at_once(n, self.n_workers, ask);
        self.flakiness.record(confirmation);
        confirmation
    }

    /// One run, and during probation extra runs on bytes known to fail: the candidate itself, or the best
    /// file.
    fn ask_watched(&self, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        let mut total = self.inner.ask(candidate, cancel);
        let Some(probation) = &self.probation else { return total };
        let n_extra = lock(probation).extra_runs(&total);
        if n_extra == 0 {
            return total;
        }
        let failed = total.verdict.fails();
        let best = lock(&self.best).bytes.clone();
        let known_to_fail = best.as_deref().filter(|_| !failed).map_or(candidate, Vec::as_slice);
        let asked = total.wall;
        let extra = Confirmation::collect(n_extra, || self.add_run(known_to_fail, cancel, &mut total));
        lock(probation).made(extra.n, total.wall - asked);
        // One run on these bytes failed before: the candidate's just now, or the best file's.
        let group = Confirmation { fails: extra.fails + 1, n: extra.n + 1, wanted: n_extra + 1 };
        self.flakiness.record(group);
        if failed && group.disagrees() && group.fails < self.votes.needed {
            total.verdict = Verdict::Unsure(Doubt::Disagreement);
        }
        total
    }

    /// Runs until `needed` runs have failed or that has become impossible.
    fn ask_by_votes(&self, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        let mut total = OracleAnswer::free(Verdict::Passes);
        let chances = if self.gains_much(candidate) { self.votes.second_chance } else { 0 };
        let n_runs = self.votes.votes + chances;
        let (mut fails, mut n) = (0, 0);
        while fails < self.votes.needed && fails + (n_runs - n) >= self.votes.needed {
            match self.add_run(candidate, cancel, &mut total) {
                Verdict::Fails => fails += 1,
                Verdict::Passes => {}
                unsure @ Verdict::Unsure(_) => {
                    total.verdict = unsure;
                    return total;
                }
            }
            n += 1;
        }
        self.flakiness.record(Confirmation { fails, n, wanted: n });
        total.verdict = if fails >= self.votes.needed { Verdict::Fails } else { Verdict::Passes };
        total
    }

    fn add_run(&self, bytes: &[u8], cancel: &Cancel, total: &mut OracleAnswer) -> Verdict {
        let answer = self.inner.ask(bytes, cancel);
        total.wall += answer.wall;
        total.cpu += answer.cpu;
        total.longest = total.longest.max(answer.longest);
        answer.verdict
    }

    fn gains_much(&self, candidate: &[u8]) -> bool {
        let best_len = lock(&self.best).len;
        candidate.len() <= best_len - best_len.div_ceil(10)
    }
}

impl<O: Oracle> Oracle for VotingOracle<O> {
    fn has_disagreed(&self) -> bool {
        self.flakiness.is_flaky()
    }

    /// Runs the best file once more, if that is due.
    fn use_idle_time(&self, cancel: &Cancel) -> IdleTime {
        let Some(probation) = self.probation.as_ref().filter(|_| !self.flakiness.is_flaky()) else {
            return IdleTime::NothingDue;
        };
        let Some(best) = lock(&self.best).bytes.clone().filter(|_| lock(probation).take_due()) else {
            return IdleTime::NothingDue;
        };
        let answer = self.inner.ask(&best, cancel);
        match answer.verdict {
            Verdict::Unsure(Doubt::Cancelled) => lock(probation).put_back(),
            Verdict::Unsure(_) => {}
            sure => {
                lock(probation).made(1, answer.wall);
                // It has failed before.
                self.flakiness.record(Confirmation { fails: 1 + u32::from(sure.fails()), n: 2, wanted: 2 });
            }
        }
        IdleTime::Used
    }

    fn ask(&self, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        if self.flakiness.is_flaky() {
            self.ask_by_votes(candidate, cancel)
        } else {
            self.ask_watched(candidate, cancel)
        }
    }

    /// With less than the full time one run decides: times near the limit vary from run to run, and that alone does not
    /// make an oracle flaky. Decisive asks use the full time and are watched.
    fn ask_within(&self, share: TimeShare, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        if share.is_full() {
            self.ask(candidate, cancel)
        } else {
            self.inner.ask_within(share, candidate, cancel)
        }
    }

    fn least_share(&self) -> TimeShare {
        if self.flakiness.is_flaky() { TimeShare::FULL } else { self.inner.least_share() }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every change is complete when the lock is released, even by a panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
