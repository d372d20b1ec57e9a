//! Speculative asks: while one candidate is asked, those that are likely to come next are asked too.
//!
//! The search itself is sequential and does not know about this: it asks for one answer after another, as with one worker.
//! In parallel, copies of the search run ahead with guessed answers ([`Position`], [`tree`]). Each guess has a probability,
//! learned from the answers so far ([`odds`]), and the workers ask the candidates that are most likely to be needed, across
//! passes and on both sides of a guess. When the search asks for a candidate whose answer is known, it gets it immediately;
//! copies that a real answer has refuted are dropped, and their asks are stopped.
//!
//! So the result is the same as with one worker by construction: a wrong guess, or a bug in this module, only costs
//! asks and time.

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
use std::time::Duration;
use tree::{Edge, Tree};

/// Asks that are less likely to be needed are not made; scaled by the number of workers, because with more workers the
/// remaining asks are less likely.
const LEAST_CHANCE: f64 = 1.0;
/// The same when the budget for unneeded runs is used up.
const LAST_CHANCE: f64 = 2.5;
/// Every eight workers may make one speculative run for each needed run: 16 workers two, so that there are at most about three
/// times as many runs as needed. Without a bound there were six times as many, because each answer makes new guesses likely.
const WORKERS_PER_SPARE: usize = 8;
/// An answer is expected soon if its run has taken about as long as others, within this fraction of their time.
const SLACK: f64 = 0.1;
/// Fewer workers than this do not wait for such answers: they make few unneeded runs, and one idle worker
/// is a large share of all workers.
const MIN_HELD: usize = 4;
/// The maximum wait for several such answers in sequence, as a multiple of that fraction.
const MAX_SLACKS: u32 = 3;
/// Limit on the bytes of all candidates that are built speculatively.
const MAX_BYTES: usize = 1 << 28;
/// Limit on the number of answers that are kept without having been needed.
const MAX_KEPT: usize = 1 << 16;
/// Factor by which the weight of a measured time decreases with each later one.
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

/// An ask in progress.
struct Running {
    key: Key,
    began: Duration,
    is_stopped: bool,
}

/// Makes speculative asks for a search.
pub(crate) struct Ahead<'e, F: SubjectFormat> {
    workers: &'e mut dyn Workers,
    strategy: Option<Strategy<'e, F>>,
    tree: Tree<'e, F>,
    odds: Odds,
    /// The next candidates according to a strategy with its own scheme.
    offered: Vec<(Key, Arc<Vec<u8>>)>,
    running: BTreeMap<AskId, Running>,
    by_key: FxHashMap<Key, AskId>,
    /// Answers that have not been needed yet.
    kept: FxHashMap<Key, OracleAnswer>,
    n_started: u64,
    n_needed: u64,
    /// Oracle time spent on unneeded runs.
    wasted: OracleAnswer,
    /// The average time of a run, and of building a candidate, in seconds.
    run_seconds: f64,
    build_seconds: f64,
    /// The average time from the start of a run until its answer arrives, in seconds.
    turnaround: f64,
    /// Since when no speculative run is started because answers are expected soon.
    held_since: Option<Duration>,
}

/// What was done while waiting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Done {
    Something,
    Nothing,
    /// Nothing until this time: answers that are expected soon will show what is worth doing.
    NothingUntil(Duration),
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
            turnaround: 0.0,
            held_since: None,
        }
    }

    pub(crate) fn n_slots(&self) -> usize {
        self.workers.n_slots()
    }

    pub(crate) fn has_disagreed(&self) -> bool {
        self.workers.has_disagreed()
    }

    /// Number of unneeded runs so far.
    pub(crate) fn n_in_vain(&self) -> u64 {
        self.n_started - self.n_needed - self.running.len() as u64
    }

    /// Announces the candidates that are likely to be asked after the next one, in order.
    pub(crate) fn offer(&mut self, candidates: Vec<Arc<Vec<u8>>>) {
        self.offered = candidates.into_iter().map(|bytes| (Key::new(&bytes, 0), bytes)).collect();
    }

    /// The answer to the search's current ask. `position` is its state, if a copy can continue from there.
    pub(crate) fn answer(
        &mut self,
        asking: &Asking,
        position: Option<impl FnOnce() -> Position<'e, F>>,
    ) -> OracleAnswer {
        let key = Key::of(asking);
        match position {
            Some(position) => self.tree.be_at(key, position),
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
            } else {
                match self.run_ahead() {
                    Done::Something => {}
                    Done::Nothing => self.hear(WaitPolicy::Wait),
                    Done::NothingUntil(time) => self.hear(WaitPolicy::Until(time)),
                }
            }
        };
        self.n_needed += 1;
        self.run_seconds = faded(self.run_seconds, answer.wall.as_secs_f64());
        self.odds.learn(self.tree.event(), &answer.verdict);
        self.tree.follow(&answer.verdict);
        answer
    }

    /// Stops all asks in progress, and counts what was spent on unneeded runs.
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

    /// Receives an answer, if there is one.
    fn hear(&mut self, patience: WaitPolicy) {
        let Some(Answered { id, answer }) = self.workers.next(patience) else { return };
        let Some(Running { key, began, is_stopped }) = self.running.remove(&id) else { return };
        if self.by_key.get(&key) == Some(&id) {
            self.by_key.remove(&key);
        }
        if !is_stopped {
            let taken = self.workers.now().saturating_sub(began).as_secs_f64();
            self.turnaround = if self.turnaround > 0.0 { faded(self.turnaround, taken) } else { taken };
        }
        let is_void = is_stopped && answer.verdict == Verdict::Unsure(Doubt::Cancelled);
        if is_void || self.kept.len() >= MAX_KEPT {
            self.wasted.wall += answer.wall;
            self.wasted.cpu += answer.cpu;
        } else {
            self.kept.insert(key, answer);
        }
    }

    /// Frees a slot for what the search needs now, by stopping the ask that is least likely to be needed.
    fn make_room(&mut self) {
        while self.running.len() >= self.workers.n_slots() {
            if self.running.values().all(|running| !running.is_stopped) {
                let chances = self.tree.chances(&self.odds, &self.kept);
                let chance = |running: &Running| chances.get(&running.key).copied().unwrap_or(0.0);
                let least = self.running.iter().min_by(|a, b| chance(a.1).total_cmp(&chance(b.1)));
                if let Some(id) = least.map(|(id, _)| *id) {
                    self.stop(id);
                }
            }
            self.hear(WaitPolicy::Wait);
        }
    }

    /// Stops asks that no future needs any more.
    fn stop_refuted(&mut self, key: Key) {
        if self.running.is_empty() {
            return;
        }
        let mut wanted: FxHashSet<Key> = self.tree.chances(&self.odds, &self.kept).into_keys().collect();
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
        let began = self.workers.now();
        self.running.insert(id, Running { key, began, is_stopped: false });
        self.held_since = None;
        self.by_key.insert(key, id);
        self.workers.start(id, bytes);
    }

    /// Starts the ask that is most likely to be needed, or builds a candidate that is.
    fn run_ahead(&mut self) -> Done {
        let Some(least) = self.least_chance().filter(|_| self.running.len() < self.workers.n_slots()) else {
            return Done::Nothing;
        };
        if let Some(time) = self.hold() {
            return Done::NothingUntil(time);
        }
        if let Some((key, bytes)) = self.offered.iter().find(|(key, _)| self.is_open(key)).cloned() {
            self.start(key, &bytes);
            return Done::Something;
        }
        let survey = self.tree.survey(&self.odds, &self.kept, |key| self.by_key.contains_key(key));
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

    /// The minimum probability at which a run is made now; `None` if none may be made. It rises as the budget is used up, because a
    /// better guess may come later.
    fn least_chance(&self) -> Option<f64> {
        let n_slots = self.workers.n_slots();
        let spare_per_needed = (n_slots / WORKERS_PER_SPARE).max(1) as u64;
        let allowed = spare_per_needed * self.n_needed + n_slots as u64;
        let left = allowed.checked_sub(self.n_started - self.n_needed)?;
        let ease = (left as f64 / n_slots as f64).min(1.0);
        Some(LEAST_CHANCE.powf(ease) * LAST_CHANCE.powf(1.0 - ease) / n_slots as f64)
    }

    /// Until when no speculative run is started because answers are expected soon. Runs that started together end at nearly the same
    /// time, and all their answers together show much better what is worth asking than the first one alone.
    fn hold(&mut self) -> Option<Duration> {
        if self.workers.n_slots() < MIN_HELD {
            return None;
        }
        let (now, turnaround) = (self.workers.now(), Duration::from_secs_f64(self.turnaround));
        let slack = turnaround.mul_f64(SLACK);
        let due = self.running.values().filter(|run| !run.is_stopped).map(|run| run.began + turnaround);
        let Some(last) = due.filter(|due| now < *due + slack && *due < now + slack).max() else {
            self.held_since = None;
            return None;
        };
        let since = *self.held_since.get_or_insert(now);
        let until = (last + slack).min(since + slack * MAX_SLACKS);
        (until > now).then_some(until)
    }

    fn is_open(&self, key: &Key) -> bool {
        !self.by_key.contains_key(key) && !self.kept.contains_key(key)
    }

    /// Whether another candidate may be built: there is memory for it, and building takes less time than a
    /// run.
    fn may_build(&self, n_bytes: usize) -> bool {
        n_bytes < MAX_BYTES && self.build_seconds <= self.run_seconds
    }

    fn build(&mut self, edge: Edge) {
        let before = self.workers.now();
        self.tree.grow(edge, self.strategy);
        let taken = self.workers.now().saturating_sub(before);
        self.build_seconds = faded(self.build_seconds, taken.as_secs_f64());
    }
}

fn faded(mean: f64, latest: f64) -> f64 {
    FADING * mean + (1.0 - FADING) * latest
}
