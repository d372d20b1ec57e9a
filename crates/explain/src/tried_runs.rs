//! Failing runs, found by trying: where a question takes the solver long, evaluating is cheap.
//!
//! Inputs are drawn near the constants of the terms, between two of them, among small numbers and at random. A run that is found is a run like any
//! other. Finding nothing proves nothing.

use nub_bitvec::{Evaluator, Op, Pool, TermId, Value, cone};
use nub_random::Rng;
use nub_sat::SatLimits;
use nub_unroll::Unrolled;

/// The largest number of runs, and the smallest: even if one fails, an earlier property may fail in another.
const MAX_RUNS: usize = 20_000;
const MIN_RUNS: usize = 1_024;
/// At most this many terms are evaluated, in all runs: some seconds.
const MAX_WORK: usize = 300_000_000;
/// At most this many constants are drawn from.
const MAX_CONSTANTS: usize = 4_096;
/// Runs that are tried to make inputs smaller.
const MAX_SMALLER: usize = 2_000;
/// Small numbers that are tried for an input, and one below zero.
const SMALL: i128 = 10;
/// The seed of the random numbers.
const SEED: u64 = 1;

/// A failing run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TriedRun {
    /// Which of the terms is true.
    pub at: usize,
    pub inputs: Vec<Value>,
}

/// Tries runs until one of `broken` is true; of several, the first term. Inputs in `given` have these values. O(runs * terms).
pub(crate) fn try_runs(
    unrolled: &Unrolled,
    broken: &[TermId],
    given: &[(usize, Value)],
    limits: &SatLimits,
) -> Option<TriedRun> {
    let below = cone(&unrolled.pool, broken);
    let trial = Trial { unrolled, evaluator: Evaluator::new(&unrolled.pool, broken), n_terms: below.len() };
    let mut draw = Draw { constants: constants(&unrolled.pool, &below), random: Rng::new(SEED) };
    let mut best: Option<TriedRun> = None;
    let mut n_left = trial.affordable(MAX_RUNS);
    let mut n_tried = 0;
    while n_left > 0 && !limits.cancel.is_cancelled() {
        n_left -= 1;
        n_tried += 1;
        let mut inputs: Vec<Value> =
            unrolled.inputs.iter().map(|input| draw.value(unrolled.pool.width(input.term))).collect();
        given.iter().for_each(|(at, value)| inputs[*at] = value.clone());
        let end = best.as_ref().map_or(broken.len(), |best| best.at);
        let Some(at) = trial.first(&inputs).filter(|at| *at < end) else { continue };
        n_left = n_left.min(n_tried.max(MIN_RUNS));
        best = Some(TriedRun { at, inputs });
    }
    best.map(|best| trial.smaller(best, given, limits))
}

struct Trial<'u> {
    unrolled: &'u Unrolled,
    evaluator: Evaluator<'u>,
    n_terms: usize,
}

impl Trial<'_> {
    fn affordable(&self, most: usize) -> usize {
        (MAX_WORK / self.n_terms.max(1)).min(most)
    }

    /// The first term that is true.
    fn first(&self, inputs: &[Value]) -> Option<usize> {
        let found = self.evaluator.start(&self.unrolled.assignment(inputs));
        self.evaluator.truths(&found, 0).position(|is_true| is_true)
    }

    /// The same failure with inputs that are easier to read: 0, small numbers, fewer bits.
    fn smaller(&self, mut run: TriedRun, given: &[(usize, Value)], limits: &SatLimits) -> TriedRun {
        let mut n_left = self.affordable(MAX_SMALLER);
        for index in 0..run.inputs.len() {
            if given.iter().any(|(input, _)| *input == index) {
                continue;
            }
            let width = run.inputs[index].width();
            let numbers = (0..=SMALL).chain([-1]).map(|number| Value::from_i128(width, number));
            let shorter = (0..width).map(|n_bits| low_bits(&run.inputs[index], n_bits));
            for value in numbers.chain(shorter).collect::<Vec<Value>>() {
                if value == run.inputs[index] {
                    break;
                }
                if n_left == 0 || limits.cancel.is_cancelled() {
                    return run;
                }
                n_left -= 1;
                let mut inputs = run.inputs.clone();
                inputs[index] = value;
                if self.first(&inputs) == Some(run.at) {
                    run.inputs = inputs;
                    break;
                }
            }
        }
        run
    }
}

/// The constants of the terms, each once and as signed numbers.
fn constants(pool: &Pool, terms: &[TermId]) -> Vec<i128> {
    let values =
        terms.iter().filter(|term| pool.op(**term) == Op::Const).filter_map(|term| pool.value(*term));
    let mut found: Vec<i128> = values.filter(|value| value.width() > 1).filter_map(number).collect();
    found.sort_unstable_by_key(|number| (number.unsigned_abs(), *number < 0));
    found.dedup();
    found.truncate(MAX_CONSTANTS);
    found
}

fn number(value: &Value) -> Option<i128> {
    let bits = i128::from(value.to_u64()?);
    let is_negative = value.bit(value.width() - 1);
    Some(if is_negative { bits - (1 << value.width()) } else { bits })
}

/// The low bits; all others are zero.
fn low_bits(value: &Value, n_bits: u32) -> Value {
    Value::from_bits(value.bits().zip(0..).map(|(bit, at)| bit && at < n_bits))
}

/// Random numbers.
struct Draw {
    constants: Vec<i128>,
    random: Rng,
}

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn constant(&mut self) -> i128 {
        match self.constants.len() {
            0 => self.below(32) as i128 - 8,
            n => {
                let index = self.below(n as u64) as usize;
                self.constants[index]
            }
        }
    }

    fn value(&mut self, width: u32) -> Value {
        let number = match self.below(8) {
            0 => self.constant() + self.below(3) as i128 - 1,
            1 => self.below(32) as i128 - 8,
            2 => 0,
            3 => return Value::from_bits((0..width).map(|_| self.below(2) == 1)),
            // Ranges that the program tests lie between two of its constants.
            _ => {
                let (a, b) = (self.constant(), self.constant());
                let span = u64::try_from(a.abs_diff(b)).unwrap_or(u64::MAX).saturating_add(1);
                a.min(b) + i128::from(self.below(span))
            }
        };
        Value::from_i128(width, number)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test may stop at what it does not expect.
mod tests {
    use super::*;
    use nub_bitvec::Datum;
    use nub_unroll::{UnrollConfig, unroll};

    /// Multiplications that a solver finds hard to invert.
    const HASH: &str = "unsigned hash(unsigned x, unsigned y) {
        unsigned h = x * 2654435761u; h ^= h >> 15; h *= y | 1; h ^= h >> 13; return h * 0x85ebca6bu >> 24; }
        int f(unsigned x, unsigned y) { unsigned h = hash(x, y); return (h == 7) + 2 * (x > 5000 && x < 5010 && h > 3); }";

    fn unrolled(text: &str) -> Unrolled {
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (program, found) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
        assert!(found.is_empty(), "{found:?}");
        unroll(&program, program.function_by_name("f").unwrap(), &UnrollConfig::default()).unwrap()
    }

    #[test]
    fn runs_are_found_and_made_small() {
        let mut unrolled = unrolled(HASH);
        let returned = unrolled.result.unwrap();
        let bit = |pool: &mut Pool, at: u32| pool.mk_indexed(Op::Slice, &[returned], &[at, at]);
        let (rare, between) = (bit(&mut unrolled.pool, 0), bit(&mut unrolled.pool, 1));
        let never = unrolled.pool.truth(false);
        let run = |terms: &[TermId], given: &[(usize, Value)]| {
            let found = try_runs(&unrolled, terms, given, &SatLimits::none())?;
            let values = unrolled.assignment(&found.inputs);
            let value = Evaluator::new(&unrolled.pool, terms).run(&values);
            assert!(Datum::is_true(&value[found.at]), "{found:?}");
            Some(found)
        };
        let found = run(&[never, rare], &[]).unwrap();
        assert_eq!(found.at, 1);
        // The first of several terms; given inputs are kept.
        assert_eq!(run(&[rare, between], &[]).unwrap().at, 0);
        let found = run(&[between], &[]).unwrap();
        assert!((5_001..5_010).contains(&found.inputs[0].to_u64().unwrap()), "{found:?}");
        assert!(found.inputs[1].to_u64().unwrap() <= SMALL as u64, "any number does: {found:?}");
        let given = [(1, Value::from_u64(32, 77))];
        assert_eq!(run(&[rare], &given).unwrap().inputs[1], given[0].1);
        assert_eq!(run(&[never], &[]), None);
    }
}
