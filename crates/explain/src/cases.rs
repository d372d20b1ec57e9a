//! The minimal distance by case analysis: boxes of inputs, halved where it matters.
//!
//! In a box of inputs the values of most terms are in known ranges ([`RangeEvaluator`]), so some values are known to differ for all inputs of the
//! box: this gives a lower bound on the distance of every run in it. The box with the smallest bound is split in two, at a number that the program
//! compares with. For programs with thousands of values and few inputs there are far fewer cases than cores that the solver would have to find.

use crate::ranges::{NumberRange, RangeEvaluator};
use nub_bitvec::{Assignment, Datum, Evaluator, Pool, TermId, Value};
use nub_sat::SatLimits;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// With fewer counted values the solver is asked at once.
const MIN_VALUES: usize = 1_000;
/// With more relevant inputs there are too many cases.
const MAX_INPUTS: usize = 4;
/// At most this many terms are evaluated, in all boxes: some seconds.
const MAX_WORK: usize = 400_000_000;
/// From this many counted values on, the solver does not find the minimal distance in minutes. A bound that is at most a tenth of the distance below
/// it is then good enough.
const MANY_VALUES: usize = 5_000;
const CLOSE: usize = 10;

/// Inputs with their values in the failing run.
#[derive(Clone, Debug)]
pub(crate) struct FromRun {
    pub inputs: Vec<TermId>,
    pub values: Vec<Value>,
}

/// The runs to find: the goal is true, and few values differ. Each counted term is true if a value is the same.
#[derive(Clone, Copy)]
pub(crate) struct DistanceQuestion<'q> {
    pub goal: TermId,
    pub same: &'q [(TermId, u32)],
    pub from: &'q FromRun,
}

/// What is known about the minimal distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CaseBounds {
    /// No run is closer.
    pub lower: usize,
    /// The distance of the closest run that was found.
    pub upper: usize,
    /// Its inputs.
    pub inputs: Vec<Value>,
}

impl CaseBounds {
    /// Whether the bounds meet, or come close enough for this many counted values.
    pub fn is_enough(&self, n_values: usize) -> bool {
        let most = if n_values >= MANY_VALUES { self.upper / CLOSE } else { 0 };
        self.upper - self.lower <= most
    }
}

/// Bounds on the distance; `None` if the program is small, has many inputs, or no run was found.
pub(crate) fn by_cases(
    pool: &Pool,
    question: DistanceQuestion<'_>,
    limits: &SatLimits,
) -> Option<CaseBounds> {
    if question.same.len() < MIN_VALUES {
        return None;
    }
    bounds(pool, question, MAX_WORK, limits)
}

/// The same for a program of any size.
pub(crate) fn bounds(
    pool: &Pool,
    question: DistanceQuestion<'_>,
    max_work: usize,
    limits: &SatLimits,
) -> Option<CaseBounds> {
    let roots: Vec<TermId> =
        std::iter::once(question.goal).chain(question.same.iter().map(|found| found.0)).collect();
    let ranges = RangeEvaluator::new(pool, &roots);
    let matters = |index: &usize| ranges.has(question.from.inputs[*index]);
    let inputs: Vec<usize> = (0..question.from.inputs.len()).filter(matters).collect();
    let is_word = |index: &usize| pool.width(question.from.inputs[*index]) <= 64;
    // A box says nothing about a variable that is not an input.
    let is_input = |variable: &TermId| question.from.inputs.contains(variable);
    if inputs.len() > MAX_INPUTS || !inputs.iter().all(is_word) || !ranges.variables().all(|id| is_input(&id))
    {
        return None;
    }
    let evaluator = Evaluator::new(pool, &roots);
    let cuts = inputs.iter().map(|index| cuts(&ranges, pool, question.from, *index)).collect();
    let work = max_work / ranges.len().max(1);
    let mut cases = Cases { pool, question, ranges, evaluator, inputs, cuts, best: None };
    let lower = cases.search(work, limits);
    cases.best.map(|(upper, inputs)| CaseBounds { lower: lower.min(upper), upper, inputs })
}

/// Where boxes are split: before each of these numbers, which are not 0.
fn cuts(ranges: &RangeEvaluator<'_>, pool: &Pool, from: &FromRun, index: usize) -> Vec<u64> {
    let width = pool.width(from.inputs[index]);
    let most = NumberRange::full(width).high;
    let own = from.values[index].to_u64().unwrap_or(0);
    let numbers = ranges.constants().into_iter().chain([own, 1 << (width - 1)]);
    let mut found: Vec<u64> =
        numbers.flat_map(|number| [number & most, (number & most).wrapping_add(1) & most]).collect();
    found.retain(|number| *number > 0);
    found.sort_unstable();
    found.dedup();
    found
}

/// Ranges of the relevant inputs.
type InputBox = Vec<NumberRange>;

struct Cases<'q, 'p> {
    pool: &'p Pool,
    question: DistanceQuestion<'q>,
    ranges: RangeEvaluator<'p>,
    evaluator: Evaluator<'p>,
    /// Positions of the relevant inputs.
    inputs: Vec<usize>,
    /// For each of them.
    cuts: Vec<Vec<u64>>,
    /// The closest run so far.
    best: Option<(usize, Vec<Value>)>,
}

impl Cases<'_, '_> {
    /// Examines the box with the smallest bound first. Returns the smallest bound of the boxes that are left at the end: no run in them is closer.
    fn search(&mut self, mut n_left: usize, limits: &SatLimits) -> usize {
        let whole: InputBox = self.inputs.iter().map(|index| NumberRange::full(self.width(*index))).collect();
        let mut boxes: Vec<InputBox> = Vec::new();
        let mut open: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
        let mut new = vec![whole];
        loop {
            for found in new.drain(..) {
                if let Some(bound) = self.bound(&found) {
                    open.push(Reverse((bound, boxes.len())));
                    boxes.push(found);
                }
            }
            let Some(Reverse((bound, next))) = open.pop() else { return usize::MAX };
            let is_enough = self.best.as_ref().is_some_and(|best| best.0 <= bound);
            if is_enough || n_left < 4 || limits.cancel.is_cancelled() {
                return bound;
            }
            n_left -= 4;
            new.extend(self.halves(std::mem::take(&mut boxes[next])));
        }
    }

    fn width(&self, index: usize) -> u32 {
        self.pool.width(self.question.from.inputs[index])
    }

    /// A lower bound on the distance of all wanted runs in a box; `None` if there is none, or all are known.
    fn bound(&mut self, found: &InputBox) -> Option<usize> {
        let named: Vec<(TermId, NumberRange)> = self
            .inputs
            .iter()
            .map(|index| self.question.from.inputs[*index])
            .zip(found.iter().copied())
            .collect();
        let values = self.ranges.run(&named);
        if values[0] == NumberRange::FALSE {
            return None;
        }
        let weights = self.question.same.iter().map(|same| same.1 as usize);
        let differ = values[1..].iter().zip(weights).filter(|(value, _)| **value == NumberRange::FALSE);
        let bound = differ.map(|(_, weight)| weight).sum();
        if self.best.as_ref().is_none_or(|best| bound < best.0) {
            self.meet(found);
        }
        // All runs of the box are like the one that was evaluated.
        let is_uniform =
            values.iter().all(|value| value.is_point()) || found.iter().all(|range| range.is_point());
        (!is_uniform).then_some(bound)
    }

    /// Evaluates the run of a box that is nearest to the failing one.
    fn meet(&mut self, found: &InputBox) {
        let mut inputs = self.question.from.values.clone();
        for (index, range) in self.inputs.iter().zip(found) {
            let number = inputs[*index].to_u64().unwrap_or(0).clamp(range.low, range.high);
            inputs[*index] = Value::from_u64(self.width(*index), number);
        }
        let mut values = Assignment::new();
        for (term, value) in self.question.from.inputs.iter().zip(&inputs) {
            values.set(*term, Datum::Bits(value.clone()));
        }
        let run = self.evaluator.start(&values);
        let mut truths = self.evaluator.truths(&run, 0);
        if truths.next() != Some(true) {
            return;
        }
        let weights = self.question.same.iter().map(|same| same.1 as usize);
        let distance = truths.zip(weights).filter(|(is_same, _)| !is_same).map(|(_, weight)| weight).sum();
        if self.best.as_ref().is_none_or(|best| distance < best.0) {
            self.best = Some((distance, inputs));
        }
    }

    /// Splits a box with more than one run in the middle of the numbers that the program compares with; without such numbers, in the middle.
    fn halves(&self, found: InputBox) -> [InputBox; 2] {
        let inside = |at: usize| {
            let (range, cuts) = (found[at], &self.cuts[at]);
            cuts.partition_point(|cut| *cut <= range.low)..cuts.partition_point(|cut| *cut <= range.high)
        };
        let rank = |at: &usize| (inside(*at).len(), found[*at].high - found[*at].low);
        let at = (0..found.len()).max_by_key(rank).unwrap_or(0);
        let places = inside(at);
        let NumberRange { low, high } = found[at];
        let cut = if places.is_empty() {
            low + (high - low) / 2 + 1
        } else {
            self.cuts[at][places.start + places.len() / 2]
        };
        let (mut first, mut second) = (found.clone(), found);
        first[at] = NumberRange { low, high: cut - 1 };
        second[at] = NumberRange { low: cut, high };
        [first, second]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges::tests::{Grown, WIDTH};
    use nub_bitvec::check::Rng;
    use nub_bitvec::{Op, Rewriting, Sort};

    /// Compared with all runs: with enough work the bounds meet at the minimal distance, with little work they hold.
    #[test]
    fn bounds_are_those_of_all_runs() {
        let (mut n_met, mut n_open) = (0, 0);
        for seed in 0..200 {
            let mut rng = Rng::new(1_000 + seed);
            let grown = Grown::new(&mut rng, 2, 40);
            let goal = rng.pick(&grown.truths);
            let same: Vec<(TermId, u32)> =
                (0..12).map(|_| (rng.pick(&grown.truths), 1 + rng.below(2) as u32)).collect();
            let value = |_: &TermId| Value::from_u64(WIDTH, rng.below(1 << WIDTH) as u64);
            let values = grown.variables.iter().map(value).collect();
            let from = FromRun { inputs: grown.variables.clone(), values };
            let roots: Vec<TermId> = [goal].into_iter().chain(same.iter().map(|found| found.0)).collect();
            let distance = |values: &[u64]| -> Option<usize> {
                let each = values[1..].iter().zip(&same).filter(|(value, _)| **value == 0);
                (values[0] == 1).then(|| each.map(|(_, same)| same.1 as usize).sum())
            };
            let all = grown.all(&roots);
            let least = all.iter().filter_map(|(_, values)| distance(values)).min();
            let question = DistanceQuestion { goal, same: &same, from: &from };
            let found = bounds(&grown.pool, question, usize::MAX, &SatLimits::none());
            assert_eq!(
                found.as_ref().map(|found| (found.lower, found.upper)),
                least.zip(least),
                "seed {seed}"
            );
            n_met += usize::from(found.is_some());
            for work in [10, 100, 1_000] {
                let Some(found) = bounds(&grown.pool, question, work * 50, &SatLimits::none()) else {
                    continue;
                };
                let numbers: Vec<u64> = found.inputs.iter().filter_map(Value::to_u64).collect();
                let run = all.iter().find(|(inputs, _)| *inputs == numbers).and_then(|run| distance(&run.1));
                assert_eq!(run, Some(found.upper), "seed {seed}");
                assert!(
                    least.is_some_and(|least| found.lower <= least && least <= found.upper),
                    "seed {seed}"
                );
                n_open += usize::from(found.lower < found.upper);
            }
        }
        assert!(n_met > 100 && n_open > 20, "{n_met} {n_open}");
    }

    #[test]
    fn variables_that_are_not_inputs_are_for_the_solver() {
        let mut pool = Pool::with_rewriting(Rewriting::Off);
        let [input, other] = [(); 2].map(|()| pool.var(Sort::Bits(WIDTH)));
        let goal = pool.mk(Op::Ult, &[input, other]);
        let from = FromRun { inputs: vec![input], values: vec![Value::zero(WIDTH)] };
        let asked = |from: &FromRun| {
            let question = DistanceQuestion { goal, same: &[], from };
            bounds(&pool, question, usize::MAX, &SatLimits::none())
        };
        assert_eq!(asked(&from), None);
        let both = FromRun { inputs: vec![input, other], values: vec![Value::zero(WIDTH); 2] };
        assert!(asked(&both).is_some());
    }
}
