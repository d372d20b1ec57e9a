//! The loop: choose a run, change its inputs, execute, keep what leads to something new.

use super::changes::{InputKey, Parent, Wanted, inputs};
use super::dictionary::{Dictionary, Mood};
use super::happened::{CaseValues, EventTable, comparisons, failures, features, is_valid};
use crate::describe::SourceQuotes;
use crate::goals::{EvaluationMode, SourceGoal};
use crate::options::{Bounds, CoverOptions, Memory, unroll_config};
use crate::search::bitset::BitSet;
use nub_bitvec::Value;
use nub_c_ir::{FunctionId, Program};
use nub_random::Rng;
use nub_sat::SatLimits;
use nub_unroll::{AskedInput, Patience, SingleRuns, UnrollConfig, UnrollLimits, Unrolled};
use rustc_hash::{FxHashMap, FxHashSet};

/// Runs with inputs drawn from the dictionary, before any is changed.
const N_FRESH: usize = 64;
/// It ends after this many runs in a row that bring nothing new, or as many as a third of all runs.
const MIN_IDLE: usize = 2_000;
/// The same for instructions, where runs are long: a few seconds.
const MIN_IDLE_WORK: usize = 8_000_000;
/// Calls of one function inside of each other.
const MAX_RECURSION: u32 = 64;
/// Half of the runs are changes of a recent run that brought something new: one of this many.
const LAST: usize = 16;
/// The same for runs that are not valid: the last ones mostly came furthest.
const LAST_BROKEN: usize = 4;
/// Instructions of one run.
const MAX_INSTRUCTIONS: usize = 40_000;
/// Most runs may execute this part of it, or some times as many instructions as the longest run that brought something new: a run
/// that does not end must not take almost all of the time.
const USUAL_PART: usize = 16;
const TIMES_LONGEST: usize = 4;
/// One of this many runs may be long.
const RARELY_LONG: usize = 16;
/// Terms of one run. Almost all values are constants, so only a run that depends on what C leaves open has as many.
const MAX_TERMS: usize = 1_000_000;
/// Memory behind pointers is doubled this often, compared with the first bounds.
const DOUBLINGS: u32 = 3;
/// At most this many runs are kept to be changed.
const MAX_PARENTS: usize = 4_000;
/// One of this many runs changes one that is not valid, if there are valid ones.
const RARELY_BROKEN: usize = 4;
/// Runs get this many shares of the time in all, if they still bring something new at the end of one.
const N_SLICES: usize = 2;

/// A valid run that was found.
#[derive(Clone, Debug)]
pub(crate) struct ConcreteRun {
    /// Its inputs by name, in the order in which it asks for them.
    pub inputs: Vec<(String, Value)>,
    /// Its events, by their numbers in [`RunSearch::table`].
    pub events: BitSet,
}

/// Executes concrete runs of one function.
pub(crate) struct RunSearch<'s> {
    program: &'s Program,
    runs: SingleRuns<'s>,
    evaluation: EvaluationMode,
    /// The events of the goals.
    pub table: EventTable,
    n_elements: u64,
    function: FunctionId,
}

/// What has been found so far.
struct Progress {
    parents: Vec<Parent>,
    /// Runs that are not valid, but came further than all before, or failed elsewhere.
    broken: Vec<Parent>,
    found: Vec<ConcreteRun>,
    features: FxHashSet<u64>,
    /// The same, and failures, of runs that are not valid.
    broken_features: FxHashSet<u64>,
    events: BitSet,
    n_runs: usize,
    /// How many of them, since the last one that brought something new, did not change a broken run beside valid ones.
    n_idle: usize,
    is_repair: bool,
    /// Instructions of all runs, and of those up to the last one that brought something new.
    work: usize,
    work_at_news: usize,
    /// Instructions of most runs.
    usual_work: usize,
}

impl<'s> RunSearch<'s> {
    /// For the events of these goals.
    pub fn new(
        source: SourceQuotes<'s>,
        function: FunctionId,
        options: &CoverOptions,
        goals: &[Vec<SourceGoal>],
    ) -> RunSearch<'s> {
        let doublings = match options.memory {
            Memory::Fixed => 0,
            Memory::UpTo(_) => DOUBLINGS,
        };
        let usual = unroll_config(source, function, options, Bounds { unwind: 1, doublings });
        let limits = UnrollLimits {
            max_instructions: MAX_INSTRUCTIONS,
            max_terms: MAX_TERMS,
            max_call_terms: None,
            ..usual.limits
        };
        let n_elements = usual.pointers.elements;
        // No run is long, so there is no other limit.
        let patience = Patience::default();
        let config = UnrollConfig { limits, patience, recursion: MAX_RECURSION, ..usual };
        RunSearch {
            program: source.program,
            runs: SingleRuns::new(source.program, function, config),
            evaluation: options.evaluation(),
            table: EventTable::new(goals.iter().flatten()),
            n_elements,
            function,
        }
    }

    /// Runs that together reach everything that was reached, until nothing new is found for long. The function starts the time of a slice.
    pub fn search(&mut self, seed: u64, slice: impl Fn() -> [SatLimits; 2]) -> Vec<ConcreteRun> {
        let mut rng = Rng::new(seed);
        let program = self.program;
        let dictionary = Dictionary::new(program, self.function, self.n_elements);
        let cases = CaseValues::new(program);
        let mut progress = Progress::new(self.table.len());
        let mut plain = |width: u32, asked: &AskedInput<'_>| Dictionary::plain(width, asked);
        let first = self.runs.run(&mut plain).ok();
        self.keep(&mut progress, first, &cases);
        for _ in 0..N_SLICES {
            let until = slice();
            let is_cancelled = || until.iter().any(|limits| limits.cancel.is_cancelled());
            while !progress.is_over() && !is_cancelled() {
                let wanted = progress.next(&dictionary, &mut rng);
                let mood = Mood::new(&mut rng);
                let mut choose = |width: u32, asked: &AskedInput<'_>| {
                    let given = wanted.get(&InputKey::of(asked)).filter(|value| value.width() == width);
                    given.cloned().unwrap_or_else(|| dictionary.value(&mut rng, mood, width, asked))
                };
                self.runs.set_max_instructions(progress.most_work());
                let run = self.runs.run(&mut choose).ok();
                self.keep(&mut progress, run, &cases);
            }
            if progress.is_over() || !progress.is_fruitful() {
                break;
            }
        }
        self.runs.set_max_instructions(MAX_INSTRUCTIONS);
        let chosen = choose(&progress.found, progress.events);
        chosen.into_iter().map(|(run, _)| progress.found[run].clone()).collect()
    }

    /// Keeps a run that brings something new. One that is not valid may become valid when it is changed.
    fn keep(&self, progress: &mut Progress, run: Option<Unrolled>, cases: &CaseValues) {
        progress.n_runs += 1;
        progress.n_idle += usize::from(!progress.is_repair);
        let own_work = self.runs.n_instructions() - progress.work;
        progress.work = self.runs.n_instructions();
        let Some(mut unrolled) = run else { return };
        if !is_valid(&unrolled) {
            progress.keep_broken(&unrolled, cases);
            return;
        }
        let mut is_new = false;
        for feature in features(&unrolled) {
            is_new |= progress.features.insert(feature);
        }
        if !is_new {
            return;
        }
        let compared = comparisons(&unrolled, cases);
        let given = inputs(&unrolled);
        let events = self.table.happened(self.program, &mut unrolled, self.evaluation);
        if !events.is_subset(&progress.events) {
            progress.events.union_with(&events);
            (progress.n_idle, progress.work_at_news) = (0, progress.work);
        }
        let named = given.iter().map(|input| (input.name.clone(), input.value.clone())).collect();
        progress.found.push(ConcreteRun { inputs: named, events });
        progress.parents.push(Parent::new(given, compared));
        let usual = progress.usual_work.max(own_work.saturating_mul(TIMES_LONGEST));
        progress.usual_work = usual.min(MAX_INSTRUCTIONS);
    }

    /// Executes a run that was found again, perhaps with other values.
    pub fn again(&mut self, run: &[(String, Value)]) -> Option<Unrolled> {
        let values: FxHashMap<&str, &Value> =
            run.iter().map(|(name, value)| (name.as_str(), value)).collect();
        let mut choose = |width: u32, asked: &AskedInput<'_>| {
            let given = values.get(asked.name).filter(|value| value.width() == width);
            given.map_or_else(|| Dictionary::plain(width, asked), |value| (*value).clone())
        };
        self.runs.run(&mut choose).ok().filter(is_valid)
    }

    /// The same, with what it asks for and its events.
    pub fn try_again(&mut self, run: &[(String, Value)]) -> Option<(Vec<(String, Value)>, BitSet)> {
        let mut unrolled = self.again(run)?;
        let events = self.table.happened(self.program, &mut unrolled, self.evaluation);
        Some((inputs(&unrolled).into_iter().map(|input| (input.name, input.value)).collect(), events))
    }
}

impl Progress {
    fn new(n_events: usize) -> Progress {
        Progress {
            parents: Vec::new(),
            broken: Vec::new(),
            found: Vec::new(),
            features: FxHashSet::default(),
            broken_features: FxHashSet::default(),
            events: BitSet::new(n_events),
            n_runs: 0,
            n_idle: 0,
            is_repair: false,
            work: 0,
            work_at_news: 0,
            usual_work: MAX_INSTRUCTIONS / USUAL_PART,
        }
    }

    /// How many instructions the next run may execute.
    fn most_work(&self) -> usize {
        if self.n_runs.is_multiple_of(RARELY_LONG) { MAX_INSTRUCTIONS } else { self.usual_work }
    }

    /// Whether there was something new in the last third of the runs.
    fn is_fruitful(&self) -> bool {
        self.n_idle < self.n_runs / 3
    }

    /// Keeps a run that is not valid, but evaluates something that no run before evaluated, or fails where none failed.
    fn keep_broken(&mut self, unrolled: &Unrolled, cases: &CaseValues) {
        let mut is_new = false;
        for feature in features(unrolled).into_iter().chain(failures(unrolled)) {
            is_new |= !self.features.contains(&feature) && self.broken_features.insert(feature);
        }
        if !is_new || self.broken.len() >= MAX_PARENTS {
            return;
        }
        // As long as no run is valid, this is all there is.
        if self.parents.is_empty() {
            (self.n_idle, self.work_at_news) = (0, self.work);
        }
        self.broken.push(Parent::broken(inputs(unrolled), comparisons(unrolled, cases)));
    }

    fn is_over(&self) -> bool {
        let is_idle = self.n_idle > MIN_IDLE.max(self.n_runs / 3);
        let is_long = self.work - self.work_at_news > MIN_IDLE_WORK.max(self.work / 3);
        is_idle || is_long || self.parents.len() >= MAX_PARENTS
    }

    /// The inputs of the next run.
    fn next(&mut self, dictionary: &Dictionary<'_>, rng: &mut Rng) -> Wanted {
        self.is_repair = false;
        let has_parent = !self.parents.is_empty() || !self.broken.is_empty();
        if self.n_runs < N_FRESH || !has_parent || rng.below(N_FRESH) == 0 {
            return Wanted::default();
        }
        let is_broken = !self.broken.is_empty() && (self.parents.is_empty() || rng.below(RARELY_BROKEN) == 0);
        self.is_repair = is_broken && !self.parents.is_empty();
        let (parents, n_last) =
            if is_broken { (&mut self.broken, LAST_BROKEN) } else { (&mut self.parents, LAST) };
        let n_parents = parents.len();
        // Half of the time one of the last.
        let at = match rng.below(2) {
            0 => n_parents - 1 - rng.below(n_parents.min(n_last)),
            _ => rng.below(n_parents),
        };
        let parent = &mut parents[at];
        if let Some(pair) = parent.compared.get(parent.n_tried).copied() {
            parent.n_tried += 1;
            if let Some(wanted) = parent.after_comparison(pair, rng) {
                return wanted;
            }
        }
        parents[at].changed(parents, dictionary, rng)
    }
}

/// Runs that together have all these events, each with the events that it is chosen for. The run with the most missing events is always next. O(runs²
/// * events).
pub(super) fn choose(runs: &[ConcreteRun], mut needed: BitSet) -> Vec<(usize, BitSet)> {
    let mut chosen = Vec::new();
    loop {
        let duty = |run: &ConcreteRun| {
            let mut duty = run.events.clone();
            duty.intersect_with(&needed);
            duty
        };
        let duties = runs.iter().map(duty).enumerate();
        let best = duties.max_by_key(|(at, duty)| (duty.len(), std::cmp::Reverse(*at)));
        let Some((at, duty)) = best.filter(|(_, duty)| !duty.is_empty()) else { return chosen };
        needed.subtract(&duty);
        chosen.push((at, duty));
    }
}
