//! Asking ahead: while one candidate is asked, those that are likely to come next are asked, too.
//!
//! The search itself is sequential and knows nothing of this: it asks for one answer after the other, as with one worker.
//! Beside it, copies of the search follow it into the future with guessed answers ([`Position`], [`tree`]). Each guess has a
//! probability, learned from the answers so far ([`odds`]), and the workers ask the candidates that are most likely
//! to be needed, across passes and on both sides of a guess. When the search asks for a candidate whose answer is there, it
//! gets it at once; copies that a real answer has refuted are forgotten, and what they asked is stopped.
//!
//! So the result is that of one worker by construction: a wrong guess, or an error in this module, costs asks and time.

mod odds;
mod position;
mod tree;

pub(crate) use position::Position;

use crate::engine::{Asking, Strategy};
use crate::workers::{Answered, AskId, WaitPolicy, Workers};
use crate::{ReductionStats, SubjectFormat};
use nub_oracle::{Doubt, OracleAnswer, Verdict};
use odds::Odds;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;
use tree::{Edge, Tree};

/// Asks that are less likely to be needed are not made. The more workers there are, the less likely ones are left for them.
const LEAST_CHANCE: f64 = 1.0;
/// Eight workers may make one run ahead for each run that was needed: 16 workers two, so that all runs are about three times the
/// needed ones at most. Without a bound they were six times as many, as each answer makes new guesses likely.
const WORKERS_PER_SPARE: usize = 8;
/// Bytes of all candidates that are built ahead.
const MAX_BYTES: usize = 1 << 28;
/// Answers that are kept although nobody has needed them yet.
const MAX_KEPT: usize = 1 << 16;
/// What is left of the weight of a measured time after the next one.
const FADING: f64 = 0.9;

/// A run of the oracle: which bytes, and which of several runs on them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    hash: [u8; 16],
    n_heard: u32,
}

impl Key {
    fn new(bytes: &[u8], n_heard: u32) -> Key {
        let mut hash = [0; 16];
        hash.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        Key { hash, n_heard }
    }

    fn of(asking: &Asking) -> Key {
        Key::new(&asking.bytes, asking.n_heard)
    }
}

/// An ask under way.
struct Running {
    key: Key,
    is_stopped: bool,
}

/// See the module.
pub(crate) struct Ahead<'e, F: SubjectFormat> {
    workers: &'e mut dyn Workers,
    strategy: Option<Strategy<'e, F>>,
    tree: Tree<'e, F>,
    odds: Odds,
    /// Candidates that a strategy with a scheme of its own says are next.
    offered: Vec<(Key, Arc<Vec<u8>>)>,
    running: BTreeMap<AskId, Running>,
    by_key: FxHashMap<Key, AskId>,
    /// Answers that nobody has needed yet.
    kept: FxHashMap<Key, OracleAnswer>,
    n_started: u64,
    n_needed: u64,
    /// What was spent in the oracle in vain.
    wasted: OracleAnswer,
    /// Seconds that a run takes, and that building a candidate ahead takes.
    run_seconds: f64,
    build_seconds: f64,
}

/// What there was to do while waiting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Done {
    Something,
    Nothing,
}

impl<'e, F: SubjectFormat> Ahead<'e, F> {
    pub(crate) fn new(workers: &'e mut dyn Workers, strategy: Option<Strategy<'e, F>>) -> Ahead<'e, F> {
        Ahead {
            workers,
            strategy,
            tree: Tree::default(),
            odds: Odds::default(),
            offered: Vec::new(),
            running: BTreeMap::new(),
            by_key: FxHashMap::default(),
            kept: FxHashMap::default(),
            n_started: 0,
            n_needed: 0,
            wasted: OracleAnswer::free(Verdict::Passes),
            run_seconds: 0.0,
            build_seconds: 0.0,
        }
    }

    pub(crate) fn n_slots(&self) -> usize {
        self.workers.n_slots()
    }

    pub(crate) fn has_disagreed(&self) -> bool {
        self.workers.has_disagreed()
    }

    /// Runs that were made and not needed so far.
    pub(crate) fn n_in_vain(&self) -> u64 {
        self.n_started - self.n_needed - self.running.len() as u64
    }

    /// Names the candidates that are likely to be asked after the next one, in their order.
    pub(crate) fn offer(&mut self, candidates: Vec<Arc<Vec<u8>>>) {
        self.offered = candidates.into_iter().map(|bytes| (Key::new(&bytes, 0), bytes)).collect();
    }

    /// The answer to what the search asks now. `position` is where it is, if a copy can follow it from there.
    pub(crate) fn answer(
        &mut self,
        asking: &Asking,
        position: Option<impl FnOnce() -> Position<'e, F>>,
    ) -> OracleAnswer {
        let key = Key::of(asking);
        match position {
            Some(position) => self.tree.be_at(key, &self.odds, position),
            None => self.tree.clear(),
        }
        self.stop_refuted(key);
        let answer = loop {
            self.hear(WaitPolicy::Now);
            if let Some(answer) = self.kept.remove(&key) {
                break answer;
            }
            if !self.by_key.contains_key(&key) {
                self.make_room();
                self.start(key, &asking.bytes);
            } else if self.run_ahead() == Done::Nothing {
                self.hear(WaitPolicy::Wait);
            }
        };
        self.n_needed += 1;
        self.run_seconds = faded(self.run_seconds, answer.wall.as_secs_f64());
        self.odds.learn(self.tree.event(), &answer.verdict);
        self.tree.follow(&answer.verdict);
        answer
    }

    /// Stops what is under way, and counts what was spent in vain.
    pub(crate) fn finish(&mut self, stats: &mut ReductionStats) {
        self.tree.clear();
        self.offered.clear();
        self.stop_all_but(&FxHashSet::default());
        while !self.running.is_empty() {
            self.hear(WaitPolicy::Wait);
        }
        for answer in self.kept.values() {
            self.wasted.wall += answer.wall;
            self.wasted.cpu += answer.cpu;
        }
        self.kept.clear();
        stats.speculative = self.n_in_vain();
        stats.oracle_wall += self.wasted.wall;
        stats.oracle_cpu += self.wasted.cpu;
    }

    /// Takes an answer, if there is one.
    fn hear(&mut self, patience: WaitPolicy) {
        let Some(Answered { id, answer }) = self.workers.next(patience) else { return };
        let Some(Running { key, is_stopped }) = self.running.remove(&id) else { return };
        if self.by_key.get(&key) == Some(&id) {
            self.by_key.remove(&key);
        }
        let is_void = is_stopped && answer.verdict == Verdict::Unsure(Doubt::Cancelled);
        if is_void || self.kept.len() >= MAX_KEPT {
            self.wasted.wall += answer.wall;
            self.wasted.cpu += answer.cpu;
        } else {
            self.kept.insert(key, answer);
        }
    }

    /// Frees a slot for what the search needs now: the ask that is least likely to be needed is stopped.
    fn make_room(&mut self) {
        while self.running.len() >= self.workers.n_slots() {
            if self.running.values().all(|running| !running.is_stopped) {
                let chances = self.tree.chances(&self.kept);
                let chance = |running: &Running| chances.get(&running.key).copied().unwrap_or(0.0);
                let least = self.running.iter().min_by(|a, b| chance(a.1).total_cmp(&chance(b.1)));
                if let Some(id) = least.map(|(id, _)| *id) {
                    self.stop(id);
                }
            }
            self.hear(WaitPolicy::Wait);
        }
    }

    /// Stops asks that no copy needs any more.
    fn stop_refuted(&mut self, key: Key) {
        if self.running.is_empty() {
            return;
        }
        let mut wanted: FxHashSet<Key> = self.tree.chances(&self.kept).into_keys().collect();
        wanted.extend(self.offered.iter().map(|(key, _)| *key));
        wanted.insert(key);
        self.stop_all_but(&wanted);
    }

    fn stop_all_but(&mut self, wanted: &FxHashSet<Key>) {
        let refuted = self.running.iter().filter(|(_, run)| !run.is_stopped && !wanted.contains(&run.key));
        let refuted: Vec<AskId> = refuted.map(|(id, _)| *id).collect();
        refuted.into_iter().for_each(|id| self.stop(id));
    }

    fn stop(&mut self, id: AskId) {
        if let Some(running) = self.running.get_mut(&id) {
            running.is_stopped = true;
            self.by_key.remove(&running.key);
            self.workers.stop(id);
        }
    }

    fn start(&mut self, key: Key, bytes: &Arc<Vec<u8>>) {
        let id = AskId(self.n_started);
        self.n_started += 1;
        self.running.insert(id, Running { key, is_stopped: false });
        self.by_key.insert(key, id);
        self.workers.start(id, bytes);
    }

    /// Starts the ask that is most likely to be needed, or builds a candidate that is.
    fn run_ahead(&mut self) -> Done {
        if self.running.len() >= self.workers.n_slots() || !self.may_spend() {
            return Done::Nothing;
        }
        if let Some((key, bytes)) = self.offered.iter().find(|(key, _)| self.is_open(key)).cloned() {
            self.start(key, &bytes);
            return Done::Something;
        }
        let least = LEAST_CHANCE / self.workers.n_slots() as f64;
        let survey = self.tree.survey(&self.kept, |key| self.by_key.contains_key(key));
        let ask = survey.ask.filter(|(_, chance)| *chance >= least);
        let edge = survey.edge.filter(|(_, chance)| *chance >= least);
        match (ask, edge) {
            (Some((node, chance)), edge) if edge.as_ref().is_none_or(|(_, other)| chance >= *other) => {
                let (key, bytes) = self.tree.candidate(node);
                self.start(key, &bytes);
                Done::Something
            }
            (_, Some((edge, _))) if self.may_build(survey.n_bytes) => {
                self.build(edge);
                Done::Something
            }
            (Some((node, _)), _) => {
                let (key, bytes) = self.tree.candidate(node);
                self.start(key, &bytes);
                Done::Something
            }
            _ => Done::Nothing,
        }
    }

    /// Whether another run may be made that nobody needs yet.
    fn may_spend(&self) -> bool {
        let n_slots = self.workers.n_slots();
        let spare_per_needed = (n_slots / WORKERS_PER_SPARE).max(1) as u64;
        let allowed = spare_per_needed * self.n_needed + n_slots as u64;
        self.n_started - self.n_needed <= allowed
    }

    fn is_open(&self, key: &Key) -> bool {
        !self.by_key.contains_key(key) && !self.kept.contains_key(key)
    }

    /// Whether another candidate may be built: there is memory for it, and a run takes longer than that.
    fn may_build(&self, n_bytes: usize) -> bool {
        n_bytes < MAX_BYTES && self.build_seconds <= self.run_seconds
    }

    fn build(&mut self, edge: Edge) {
        let before = self.workers.now();
        self.tree.grow(edge, &self.odds, self.strategy);
        let taken = self.workers.now().saturating_sub(before);
        self.build_seconds = faded(self.build_seconds, taken.as_secs_f64());
    }
}

fn faded(mean: f64, latest: f64) -> f64 {
    FADING * mean + (1.0 - FADING) * latest
}
