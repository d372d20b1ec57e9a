//! Runs that are found by trying values, for floating-point arithmetic.
//!
//! Solving a division of floats takes a solver seconds; evaluating it takes microseconds. So before the solver is asked for a run, some are tried:
//! common values, then random ones. A run that is found helps the solver or makes it unnecessary; if none is found, the solver decides.
//!
//! Cost: at most [`MAX_FIND`] evaluations, and fewer of large programs.

use nub_bitvec::{Datum, Evaluator, TermId, Value, cone};
use nub_c_ir::{FloatChoice, FloatEncoding, FunctionId, Program, float_constants};
use nub_random::Rng;
use nub_unroll::Unrolled;

/// Runs that are evaluated to find one, and to explore around one: the first stops at a hit, the second never does.
const MAX_FIND: usize = 2_000;
const MAX_NEAR: usize = 1_000;
/// Terms that are evaluated in all runs for one question.
const MAX_WORK: usize = 4_000_000;
/// Integers that are tried for every input.
const NUMBERS: [i128; 11] = [0, 1, -1, 2, 3, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
/// The seed of the random numbers.
const SEED: u64 = 1;
/// Bits after the leading one of a random float with few digits.
const FEW_BITS: u32 = 6;

/// The values to try for the inputs of a program.
pub(crate) struct TriedFloats {
    /// For each input: values, the simplest first. A single one if it is given.
    values: Vec<Vec<Value>>,
    floats: Vec<Option<FloatChoice>>,
}

impl TriedFloats {
    /// For an unrolled program with possibly given inputs; `None` if it has no floating-point arithmetic, so that solvers do well.
    pub fn new(program: &Program, unrolled: &Unrolled, given: &[(usize, Value)]) -> Option<TriedFloats> {
        if !program.computes_floats() || unrolled.inputs.is_empty() {
            return None;
        }
        let own = (0..program.functions.len()).filter(|at| !program.functions[*at].is_model);
        let constants: Vec<_> = own.flat_map(|at| float_constants(program, FunctionId(at as u32))).collect();
        let (mut values, mut floats) = (Vec::new(), Vec::new());
        for (index, input) in unrolled.inputs.iter().enumerate() {
            let encoding: Option<FloatEncoding> = program.types.float_format(input.ty);
            let choice = encoding.map(|encoding| FloatChoice::new(encoding, &constants));
            let width = unrolled.pool.width(input.term);
            let own = match (given.iter().find(|(at, _)| *at == index), &choice) {
                (Some((_, value)), _) => vec![value.clone()],
                (None, Some(choice)) => choice.values().to_vec(),
                (None, None) => integers(width),
            };
            values.push(own);
            floats.push(choice);
        }
        Some(TriedFloats { values, floats })
    }

    /// A run in which a one-bit term is true, with values as simple as trying finds.
    pub fn find(&self, unrolled: &Unrolled, wanted: TermId) -> Option<Vec<Value>> {
        let evaluator = Evaluator::new(&unrolled.pool, &[wanted]);
        let is_true = |inputs: &[Value]| evaluator.run(&unrolled.assignment(inputs))[0].is_true();
        let n_tries = MAX_FIND.min(n_affordable(unrolled, &[wanted]));
        let found = self.runs().take(n_tries).find(|inputs| is_true(inputs))?;
        Some(self.simplified(found, n_tries, is_true))
    }

    /// Runs near a given one, with the values of some terms in each: as long as more are wanted, first single inputs are changed, then several.
    pub fn near(
        &self,
        unrolled: &Unrolled,
        from: &[Value],
        terms: &[TermId],
    ) -> Vec<(Vec<Value>, Vec<Datum>)> {
        let evaluator = Evaluator::new(&unrolled.pool, terms);
        let n_tries = MAX_NEAR.min(n_affordable(unrolled, terms));
        let mut others: Vec<Vec<Value>> = Vec::new();
        for (at, value) in from.iter().enumerate() {
            let changed = |value: Value| {
                let mut inputs = from.to_vec();
                inputs[at] = value;
                inputs
            };
            let near = self.neighbours(at, value);
            others.extend(near.into_iter().chain(self.values[at].iter().cloned()).map(changed));
        }
        // Some inputs as they were, and the others from a random run.
        let mut random = Rng::new(SEED);
        let mixed = self.runs().map(|run| {
            let keep = random.bits();
            let kept = |(at, (old, new)): (usize, (&Value, Value))| match keep >> (at % 64) & 1 {
                0 => old.clone(),
                _ => new,
            };
            from.iter().zip(run).enumerate().map(kept).collect::<Vec<Value>>()
        });
        let evaluated = |inputs: Vec<Value>| {
            let found = evaluator.run(&unrolled.assignment(&inputs));
            (inputs, found)
        };
        others.into_iter().chain(mixed).take(n_tries).map(evaluated).collect()
    }

    /// Values around one: the neighbouring encodings, those two away, four and so on, and for floats those with fewer digits.
    fn neighbours(&self, at: usize, value: &Value) -> Vec<Value> {
        if self.values[at].len() == 1 {
            return Vec::new();
        }
        let mut found = Vec::new();
        for bit in 0..value.width() {
            let step = Value::from_i128(value.width(), 1_i128.checked_shl(bit).unwrap_or(0));
            found.extend([value.add(&step), value.sub(&step)]);
        }
        found.extend(self.floats[at].iter().flat_map(|choice| choice.rounded(value)));
        found
    }

    /// All inputs with their first value, their second and so on; then an endless sequence of random values.
    fn runs(&self) -> impl Iterator<Item = Vec<Value>> {
        let n_values = self.values.iter().map(Vec::len).max().unwrap_or(0);
        let alike = (0..n_values).map(|number| {
            let one = |values: &Vec<Value>| values[number % values.len()].clone();
            self.values.iter().map(one).collect()
        });
        let mut random = Rng::new(SEED);
        let by_chance = std::iter::repeat_with(move || {
            (0..self.values.len()).map(|at| self.by_chance(at, &mut random)).collect()
        });
        alike.chain(by_chance)
    }

    /// A simple value, or a random number with few digits.
    fn by_chance(&self, at: usize, random: &mut Rng) -> Value {
        let values = &self.values[at];
        let width = values[0].width();
        let is_free = values.len() > 1;
        match (random.below(4_u32), &self.floats[at]) {
            (0, Some(choice)) if is_free => {
                let n_zeros = choice.encoding().values.fraction_bits().saturating_sub(FEW_BITS);
                let any = any_bits(width, random);
                Value::from_bits(any.bits().enumerate().map(|(at, bit)| bit && at as u32 >= n_zeros))
            }
            (1 | 2, Some(choice)) if is_free => eighths(choice.encoding(), random),
            (0, None) if is_free => Value::from_i128(width, random.below(1_000_u64).into()),
            (1, None) if is_free => Value::from_i128(width, i128::from(random.below(100_000_u64)) - 50_000),
            _ => values[random.below(values.len())].clone(),
        }
    }

    /// The first simple value that works, for one input after the other; otherwise, for a float, one with few digits.
    fn simplified(
        &self,
        mut run: Vec<Value>,
        mut n_tries: usize,
        is_true: impl Fn(&[Value]) -> bool,
    ) -> Vec<Value> {
        for at in 0..run.len() {
            let old = run[at].clone();
            let rounded = self.floats[at].iter().flat_map(|choice| choice.rounded(&old));
            let simpler: Vec<Value> = self.values[at].iter().cloned().chain(rounded).collect();
            for value in simpler {
                if value == old || n_tries == 0 {
                    break;
                }
                n_tries -= 1;
                run[at] = value;
                if is_true(&run) {
                    break;
                }
                run[at] = old.clone();
            }
        }
        run
    }
}

/// How many runs may be evaluated for some terms.
fn n_affordable(unrolled: &Unrolled, terms: &[TermId]) -> usize {
    MAX_WORK / cone(&unrolled.pool, terms).len().max(1)
}

fn integers(width: u32) -> Vec<Value> {
    let limits = [Value::min_signed(width)];
    let mut found: Vec<Value> = Vec::new();
    for value in NUMBERS.into_iter().map(|number| Value::from_i128(width, number)).chain(limits) {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// A multiple of 1/8 below a thousand, which exists in every format except the smallest.
fn eighths(encoding: FloatEncoding, random: &mut Rng) -> Value {
    let number = f64::from(random.below(8_000_u32)) / 8.0;
    let sign = if random.below(4_u32) == 0 { encoding.sign_mask() } else { 0 };
    let bits = encoding.read(format!("{number:.3}").as_bytes()).unwrap_or(0) | sign;
    Value::from_bits((0..encoding.width()).map(|bit| bits >> bit & 1 == 1))
}

fn any_bits(width: u32, random: &mut Rng) -> Value {
    Value::from_bits((0..width).map(|_| random.below(2_u32) == 1))
}
