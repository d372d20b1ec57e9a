//! An oracle that remembers its verdicts on disk, for runs that are resumed.

use nub_oracle::{Confirmation, Doubt, IdleTime, Oracle, OracleAnswer, TimeShare, Verdict, VotingOracle};
use nub_process::Cancel;
use nub_store::{Memo, Remembered};
use rustc_hash::{FxHashMap, FxHashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Larger candidates are not remembered, except those that were accepted: hashing 5 MB takes as long as writing it,
/// and a resumed run asks few such candidates.
const MAX_REMEMBERED: usize = 1 << 20;
/// Run times of failing candidates that are kept until one is accepted.
const MAX_WALLS: usize = 256;
/// Candidates that passed within a share of the time.
const MAX_PASSED: usize = 1 << 20;

/// What a session needs of an oracle besides verdicts.
pub trait SessionOracle: Oracle {
    /// The hash of everything the verdict on `bytes` depends on.
    fn key(&self, bytes: &[u8]) -> [u8; 32];

    /// A candidate that took `wall` was accepted.
    fn accepted(&self, bytes: &Arc<Vec<u8>>, wall: Option<Duration>);

    /// Asks `n` times on the same bytes.
    fn confirm(&self, bytes: &[u8], n: u32, cancel: &Cancel) -> Confirmation;

    /// Whether runs on the same bytes disagreed.
    fn is_flaky(&self) -> bool;
}

/// Any oracle, when runs on the same bytes are compared.
impl<O: Oracle> SessionOracle for VotingOracle<O> {
    fn key(&self, bytes: &[u8]) -> [u8; 32] {
        self.inner().identity(bytes)
    }

    fn accepted(&self, bytes: &Arc<Vec<u8>>, wall: Option<Duration>) {
        VotingOracle::accepted(self, bytes);
        if let Some(wall) = wall {
            self.inner().took(wall);
        }
    }

    fn confirm(&self, bytes: &[u8], n: u32, cancel: &Cancel) -> Confirmation {
        VotingOracle::confirm(self, bytes, n, cancel)
    }

    fn is_flaky(&self) -> bool {
        self.flakiness().is_flaky()
    }
}

/// An oracle that remembers its verdicts on disk.
pub(super) struct Remembering<'o> {
    oracle: &'o dyn SessionOracle,
    memo: Mutex<Memo>,
    /// Hashes of files that an earlier run accepted.
    known: FxHashSet<[u8; 32]>,
    walls: Mutex<FxHashMap<[u8; 32], Duration>>,
    /// Candidates that passed within a share of the time, with the largest such share: with more of it they pass as well.
    passed: Mutex<FxHashMap<[u8; 32], TimeShare>>,
    n_remembered: AtomicU64,
}

/// Asks with a share of the time.
pub(super) struct Within<'a, 'o> {
    pub(super) oracle: &'a Remembering<'o>,
    pub(super) share: TimeShare,
}

impl Oracle for Within<'_, '_> {
    fn ask(&self, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        self.oracle.ask_within(self.share, candidate, cancel)
    }

    fn has_disagreed(&self) -> bool {
        self.oracle.has_disagreed()
    }

    fn use_idle_time(&self, cancel: &Cancel) -> IdleTime {
        self.oracle.use_idle_time(cancel)
    }
}

impl<'o> Remembering<'o> {
    pub(super) fn new(
        oracle: &'o dyn SessionOracle,
        memo: Mutex<Memo>,
        known: FxHashSet<[u8; 32]>,
    ) -> Remembering<'o> {
        let (walls, passed) = (Mutex::default(), Mutex::default());
        Remembering { oracle, memo, known, walls, passed, n_remembered: AtomicU64::new(0) }
    }

    /// The oracle without memory.
    pub(super) fn inner(&self) -> &'o dyn SessionOracle {
        self.oracle
    }

    pub(super) fn n_remembered(&self) -> u64 {
        self.n_remembered.load(Ordering::Relaxed)
    }

    pub(super) fn is_flaky(&self) -> bool {
        self.oracle.is_flaky()
    }

    /// Called when a candidate was accepted: flushes the known verdicts, so that a kill does not lose them.
    pub(super) fn accepted(&self, bytes: &Arc<Vec<u8>>) {
        let wall = lock(&self.walls).remove(&super::hash(bytes));
        lock(&self.walls).clear();
        self.oracle.accepted(bytes, wall);
        // A memo that cannot be written costs asks, not results.
        let _ = lock(&self.memo).flush();
    }

    /// Whether the candidate passed with less time. If it was asked with the same time, it is asked again: a caller that asks
    /// twice wants a second run.
    fn has_passed_sooner(&self, share: TimeShare, bytes: &[u8]) -> bool {
        let passed = lock(&self.passed);
        !passed.is_empty() && passed.get(&super::hash(bytes)).is_some_and(|within| within.is_less_than(share))
    }

    fn note_passed(&self, share: TimeShare, bytes: &[u8], verdict: &Verdict) {
        let mut passed = lock(&self.passed);
        if !share.is_full()
            && *verdict == Verdict::Passes
            && bytes.len() <= MAX_REMEMBERED
            && passed.len() < MAX_PASSED
        {
            passed.insert(super::hash(bytes), share);
        }
    }

    fn recall(&self, bytes: &[u8], key: Option<&[u8; 32]>) -> Option<Verdict> {
        if !self.known.is_empty() && self.known.contains(&super::hash(bytes)) {
            return Some(Verdict::Fails);
        }
        // Asks of this run are not answered from the memo: a caller that asks twice wants a second run.
        match lock(&self.memo).get(key?)? {
            Remembered::Fails => Some(Verdict::Fails),
            Remembered::Passes => Some(Verdict::Passes),
        }
    }

    fn remember(&self, bytes: &[u8], key: Option<[u8; 32]>, answer: &OracleAnswer) {
        let remembered = match answer.verdict {
            Verdict::Fails => Remembered::Fails,
            Verdict::Passes => Remembered::Passes,
            Verdict::Unsure(_) => return,
        };
        if let Some(key) = key {
            let _ = lock(&self.memo).insert(key, remembered);
        }
        if remembered == Remembered::Fails {
            let mut walls = lock(&self.walls);
            if walls.len() < MAX_WALLS {
                walls.insert(super::hash(bytes), answer.longest);
            }
        }
    }
}

impl Oracle for Remembering<'_> {
    fn has_disagreed(&self) -> bool {
        self.oracle.has_disagreed()
    }

    fn use_idle_time(&self, cancel: &Cancel) -> IdleTime {
        self.oracle.use_idle_time(cancel)
    }

    fn ask(&self, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        self.ask_within(TimeShare::FULL, candidate, cancel)
    }

    fn ask_within(&self, share: TimeShare, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        let key = (candidate.len() <= MAX_REMEMBERED).then(|| key_within(share, self.oracle.key(candidate)));
        if self.has_passed_sooner(share, candidate) {
            return OracleAnswer::free(Verdict::Passes);
        }
        if let Some(verdict) = self.recall(candidate, key.as_ref()) {
            self.n_remembered.fetch_add(1, Ordering::Relaxed);
            self.note_passed(share, candidate, &verdict);
            return OracleAnswer::free(verdict);
        }
        // A panic must lose only this ask, not the worker: otherwise the engine would wait for its answer
        // forever.
        let asked = catch_unwind(AssertUnwindSafe(|| self.oracle.ask_within(share, candidate, cancel)));
        let answer = asked.unwrap_or_else(|_| {
            let doubt = Doubt::Environment("a run was lost to an error inside nub".to_owned());
            OracleAnswer::free(Verdict::Unsure(doubt))
        });
        self.remember(candidate, key, &answer);
        self.note_passed(share, candidate, &answer.verdict);
        answer
    }
}

/// Verdicts with a share of the time have other keys than those with the full time.
fn key_within(share: TimeShare, key: [u8; 32]) -> [u8; 32] {
    if share.is_full() { key } else { *blake3::keyed_hash(&key, &share.halvings().to_le_bytes()).as_bytes() }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every change is complete when the lock is released, even by a panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
