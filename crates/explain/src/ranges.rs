//! Ranges of the values of terms, for given ranges of inputs.
//!
//! Values are words of up to 64 bits, and ranges are of unsigned numbers. A range that is not known exactly is made larger, never smaller.

use nub_bitvec::{Op, Pool, Term, TermId, Value, cone};
use rustc_hash::FxHashMap;

/// All numbers from the first to the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NumberRange {
    /// The least.
    pub low: u64,
    /// The greatest.
    pub high: u64,
}

impl NumberRange {
    pub const FALSE: NumberRange = NumberRange::point(0);

    /// One number.
    pub const fn point(number: u64) -> NumberRange {
        NumberRange { low: number, high: number }
    }

    /// All numbers of a width of at most 64 bits.
    pub fn full(width: u32) -> NumberRange {
        NumberRange { low: 0, high: mask(width) }
    }

    pub fn is_point(self) -> bool {
        self.low == self.high
    }

    fn truth(truth: Option<bool>) -> NumberRange {
        truth.map_or(NumberRange { low: 0, high: 1 }, |truth| NumberRange::point(u64::from(truth)))
    }

    /// The truth value, if there is only one.
    fn as_truth(self) -> Option<bool> {
        self.is_point().then_some(self.low == 1)
    }

    fn hull(self, other: NumberRange) -> NumberRange {
        NumberRange { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Numbers that may be too large for the width, and then lose their high bits. The full range, if only some do.
    fn wrapped(low: i128, high: i128, width: u32) -> NumberRange {
        let size = i128::from(mask(width)) + 1;
        if low.div_euclid(size) == high.div_euclid(size) {
            NumberRange { low: low.rem_euclid(size) as u64, high: high.rem_euclid(size) as u64 }
        } else {
            NumberRange::full(width)
        }
    }

    /// The smallest and largest value as signed numbers.
    fn signed(self, width: u32) -> (i128, i128) {
        let (half, size) = (1_i128 << (width - 1), 1_i128 << width);
        let (low, high) = (i128::from(self.low), i128::from(self.high));
        if high < half {
            (low, high)
        } else if low >= half {
            (low - size, high - size)
        } else {
            (-half, half - 1)
        }
    }

    fn unsigned(self) -> (i128, i128) {
        (i128::from(self.low), i128::from(self.high))
    }
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// Evaluates the same terms in boxes of inputs.
pub(crate) struct RangeEvaluator<'p> {
    pool: &'p Pool,
    /// Operands first.
    order: Vec<TermId>,
    /// For each position: positions of the operands.
    operands: Vec<[u32; 3]>,
    roots: Vec<u32>,
    places: FxHashMap<TermId, u32>,
}

impl<'p> RangeEvaluator<'p> {
    /// O(n log n) for n terms below the roots.
    pub fn new(pool: &'p Pool, roots: &[TermId]) -> RangeEvaluator<'p> {
        let order = cone(pool, roots);
        let places: FxHashMap<TermId, u32> = order.iter().copied().zip(0..).collect();
        let operands = order.iter().map(|id| {
            let mut found = [0; 3];
            found.iter_mut().zip(pool.term(*id).args()).for_each(|(to, arg)| *to = places[&arg]);
            found
        });
        let operands = operands.collect();
        let roots = roots.iter().map(|root| places[root]).collect();
        RangeEvaluator { pool, order, operands, roots, places }
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The numbers that occur, each once.
    pub fn constants(&self) -> Vec<u64> {
        let values = self.order.iter().filter(|id| self.pool.op(**id) == Op::Const);
        let mut found: Vec<u64> =
            values.filter_map(|id| self.pool.value(*id).and_then(Value::to_u64)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The ranges of the roots if variables are in these ranges; variables that are not named may have any value. A root must be a word.
    pub fn run(&self, inputs: &[(TermId, NumberRange)]) -> Vec<NumberRange> {
        let mut ranges: Vec<NumberRange> = Vec::with_capacity(self.order.len());
        for (place, id) in self.order.iter().enumerate() {
            let term = self.pool.term(*id);
            let range = match term.sort().bits() {
                Some(width @ 1..=64) => self.range(*id, term, width, self.operands[place], &ranges),
                // Not a word: it is not used.
                _ => NumberRange::FALSE,
            };
            ranges.push(range);
            if term.op() == Op::Var {
                let known = inputs.iter().find(|(variable, _)| variable == id);
                known.into_iter().for_each(|(_, range)| ranges[place] = *range);
            }
        }
        self.roots.iter().map(|root| ranges[*root as usize]).collect()
    }

    /// The variables of the terms.
    pub fn variables(&self) -> impl Iterator<Item = TermId> {
        self.order.iter().copied().filter(|id| self.pool.op(*id) == Op::Var)
    }

    /// Whether the variable occurs in the terms.
    pub fn has(&self, variable: TermId) -> bool {
        self.places.contains_key(&variable)
    }

    fn range(&self, id: TermId, term: &Term, width: u32, at: [u32; 3], done: &[NumberRange]) -> NumberRange {
        let word = self.pool.value(id).and_then(Value::to_u64);
        if let Some(word) = word {
            return NumberRange::point(word);
        }
        let is_word = |arg: TermId| self.pool.sort(arg).bits().is_some_and(|bits| bits <= 64);
        if term.op() == Op::Var || !term.args().all(is_word) {
            return NumberRange::full(width);
        }
        let first_width = term.args().next().map_or(width, |arg| self.pool.width(arg));
        let [a, b, c] = at.map(|place| done.get(place as usize).copied().unwrap_or(NumberRange::FALSE));
        match term.op() {
            Op::Ite => match a.as_truth() {
                Some(true) => b,
                Some(false) => c,
                None => b.hull(c),
            },
            Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Udiv | Op::Urem => arithmetic(term.op(), width, a, b),
            Op::Eq | Op::Ne | Op::Ult | Op::Ule | Op::Ugt | Op::Uge => {
                NumberRange::truth(compared(term.op(), a.unsigned(), b.unsigned()))
            }
            Op::Slt | Op::Sle | Op::Sgt | Op::Sge => {
                NumberRange::truth(compared(term.op(), a.signed(first_width), b.signed(first_width)))
            }
            Op::Saddo | Op::Ssubo => NumberRange::truth(overflows(term.op(), first_width, a, b)),
            Op::Uext | Op::Sext | Op::Slice | Op::Concat => {
                let second_width = if term.op() == Op::Concat { width - first_width } else { 0 };
                moved(term, [width, first_width, second_width], a, b)
            }
            op => bitwise(op, width, a, b),
        }
    }
}

fn arithmetic(op: Op, width: u32, a: NumberRange, b: NumberRange) -> NumberRange {
    let ((a_low, a_high), (b_low, b_high)) = (a.unsigned(), b.unsigned());
    match op {
        Op::Add => NumberRange::wrapped(a_low + b_low, a_high + b_high, width),
        Op::Sub => NumberRange::wrapped(a_low - b_high, a_high - b_low, width),
        Op::Neg => NumberRange::wrapped(-a_high, -a_low, width),
        // Products of 64-bit numbers have at most 128 bits, one of which is the sign.
        Op::Mul if a.high.leading_zeros() + b.high.leading_zeros() > 1 => {
            NumberRange::wrapped(a_low * b_low, a_high * b_high, width)
        }
        Op::Udiv if b.low > 0 => NumberRange { low: a.low / b.high, high: a.high / b.low },
        Op::Urem if b.low > 0 => NumberRange { low: 0, high: a.high.min(b.high - 1) },
        _ => NumberRange::full(width),
    }
}

/// Whether a comparison of two ranges of numbers holds, if it is the same for all of them.
fn compared(op: Op, a: (i128, i128), b: (i128, i128)) -> Option<bool> {
    let is_less = |a: (i128, i128), b: (i128, i128)| {
        if a.1 < b.0 {
            Some(true)
        } else if a.0 >= b.1 {
            Some(false)
        } else {
            None
        }
    };
    let is_equal = if a == b && a.0 == a.1 {
        Some(true)
    } else if a.1 < b.0 || b.1 < a.0 {
        Some(false)
    } else {
        None
    };
    match op {
        Op::Eq => is_equal,
        Op::Ne => is_equal.map(|truth| !truth),
        Op::Ult | Op::Slt => is_less(a, b),
        Op::Ugt | Op::Sgt => is_less(b, a),
        Op::Ule | Op::Sle => is_less(b, a).map(|truth| !truth),
        _ => is_less(a, b).map(|truth| !truth),
    }
}

fn overflows(op: Op, width: u32, a: NumberRange, b: NumberRange) -> Option<bool> {
    let ((a_low, a_high), (b_low, b_high)) = (a.signed(width), b.signed(width));
    let (low, high) = match op {
        Op::Saddo => (a_low + b_low, a_high + b_high),
        _ => (a_low - b_high, a_high - b_low),
    };
    let half = 1_i128 << (width - 1);
    if low >= -half && high < half {
        Some(false)
    } else if high < -half || low >= half {
        Some(true)
    } else {
        None
    }
}

/// Bits that are kept or added. The widths are those of the result and of the operands.
fn moved(term: &Term, [width, first, second]: [u32; 3], a: NumberRange, b: NumberRange) -> NumberRange {
    match term.op() {
        Op::Uext => a,
        Op::Sext => {
            let (low, high) = a.signed(first);
            NumberRange::wrapped(low, high, width)
        }
        Op::Concat => NumberRange { low: a.low << second | b.low, high: a.high << second | b.high },
        _ => {
            let low_bit = term.index(1);
            NumberRange::wrapped(i128::from(a.low >> low_bit), i128::from(a.high >> low_bit), width)
        }
    }
}

/// Truth values, and simple cases of words.
fn bitwise(op: Op, width: u32, a: NumberRange, b: NumberRange) -> NumberRange {
    if width > 1 {
        return match op {
            Op::Not => NumberRange { low: mask(width) - a.high, high: mask(width) - a.low },
            Op::And => NumberRange { low: 0, high: a.high.min(b.high) },
            _ => NumberRange::full(width),
        };
    }
    let (a, b) = (a.as_truth(), b.as_truth());
    let both = |a: Option<bool>, b: Option<bool>| match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    };
    let not = |a: Option<bool>| a.map(|truth| !truth);
    NumberRange::truth(match op {
        Op::Not => not(a),
        Op::And => both(a, b),
        Op::Nand => not(both(a, b)),
        Op::Or => not(both(not(a), not(b))),
        Op::Nor => both(not(a), not(b)),
        Op::Implies => not(both(a, not(b))),
        Op::Xor => a.zip(b).map(|(a, b)| a != b),
        Op::Xnor | Op::Iff => a.zip(b).map(|(a, b)| a == b),
        _ => None,
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use nub_bitvec::check::Rng;
    use nub_bitvec::{Assignment, Datum, Evaluator, Rewriting, Sort};

    /// Width of a word in bits.
    pub(crate) const WIDTH: u32 = 5;

    /// Random terms over some variables: words and truth values.
    pub(crate) struct Grown {
        pub pool: Pool,
        pub variables: Vec<TermId>,
        pub words: Vec<TermId>,
        pub truths: Vec<TermId>,
    }

    impl Grown {
        pub(crate) fn new(rng: &mut Rng, n_variables: usize, n_terms: usize) -> Grown {
            let mut pool = Pool::with_rewriting(Rewriting::Off);
            let variables: Vec<TermId> = (0..n_variables).map(|_| pool.var(Sort::Bits(WIDTH))).collect();
            let words = variables.clone();
            let mut grown = Grown { pool, variables, words, truths: Vec::new() };
            grown.compare(rng);
            for _ in 0..n_terms {
                match rng.below(5) {
                    0 => grown.word(rng),
                    1 => grown.moved(rng),
                    2 => grown.connect(rng),
                    _ => grown.compare(rng),
                }
            }
            grown
        }

        fn word(&mut self, rng: &mut Rng) {
            let (a, b) = (rng.pick(&self.words), rng.pick(&self.words));
            let constant = self.pool.constant(Value::from_u64(WIDTH, rng.below(1 << WIDTH) as u64));
            let b = if rng.below(2) == 0 { b } else { constant };
            let ops =
                [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor, Op::Udiv, Op::Urem, Op::Shl, Op::Sdiv];
            let made = match rng.below(14) {
                0 => self.pool.mk(Op::Not, &[a]),
                1 => self.pool.mk(Op::Neg, &[a]),
                2 | 3 => {
                    let condition = rng.pick(&self.truths);
                    self.pool.mk(Op::Ite, &[condition, a, b])
                }
                _ => self.pool.mk(rng.pick(&ops), &[a, b]),
            };
            self.words.push(made);
        }

        fn moved(&mut self, rng: &mut Rng) {
            let a = rng.pick(&self.words);
            let cut = 1 + rng.below(WIDTH as usize - 1) as u32;
            let low = self.pool.mk_indexed(Op::Slice, &[a], &[cut - 1, 0]);
            let high = self.pool.mk_indexed(Op::Slice, &[a], &[WIDTH - 1, cut]);
            let made = match rng.below(4) {
                0 => self.pool.mk(Op::Concat, &[low, high]),
                1 => self.pool.mk_indexed(Op::Sext, &[high], &[cut]),
                2 => self.pool.mk_indexed(Op::Sext, &[low], &[WIDTH - cut]),
                _ => self.pool.mk_indexed(Op::Uext, &[high], &[cut]),
            };
            self.words.push(made);
        }

        fn compare(&mut self, rng: &mut Rng) {
            let (a, b) = (rng.pick(&self.words), rng.pick(&self.words));
            let constant = self.pool.constant(Value::from_u64(WIDTH, rng.below(1 << WIDTH) as u64));
            let b = if rng.below(3) == 0 { b } else { constant };
            let unsigned = [Op::Eq, Op::Ne, Op::Ult, Op::Ule, Op::Ugt, Op::Uge, Op::Uaddo, Op::Smulo];
            let signed = [Op::Slt, Op::Sle, Op::Sgt, Op::Sge, Op::Saddo, Op::Ssubo];
            let op = if rng.below(2) == 0 { rng.pick(&unsigned) } else { rng.pick(&signed) };
            let made = self.pool.mk(op, &[a, b]);
            self.truths.push(made);
        }

        fn connect(&mut self, rng: &mut Rng) {
            let (a, b) = (rng.pick(&self.truths), rng.pick(&self.truths));
            let ops = [Op::And, Op::Or, Op::Xor, Op::Implies, Op::Iff, Op::Nand, Op::Nor, Op::Xnor];
            let made = match rng.below(6) {
                0 => self.pool.mk(Op::Not, &[a]),
                1 => self.pool.mk(Op::Redor, &[a]),
                _ => self.pool.mk(rng.pick(&ops), &[a, b]),
            };
            self.truths.push(made);
        }

        /// The values of terms for each choice of values of the variables.
        pub(crate) fn all(&self, roots: &[TermId]) -> Vec<(Vec<u64>, Vec<u64>)> {
            let evaluator = Evaluator::new(&self.pool, roots);
            let n_runs = 1_u64 << (WIDTH * self.variables.len() as u32);
            let one = |run: u64| {
                let numbers: Vec<u64> =
                    (0..self.variables.len() as u32).map(|at| run >> (WIDTH * at) & mask(WIDTH)).collect();
                let mut values = Assignment::new();
                for (variable, number) in self.variables.iter().zip(&numbers) {
                    values.set(*variable, Datum::Bits(Value::from_u64(WIDTH, *number)));
                }
                let found = evaluator.run(&values).into_iter().map(|datum| match datum {
                    Datum::Bits(value) => value.to_u64().unwrap_or(0),
                    other => panic!("{other:?}"),
                });
                let found = found.collect();
                (numbers, found)
            };
            (0..n_runs).map(one).collect()
        }
    }

    /// No value is outside its range, for all inputs of random boxes.
    #[test]
    fn values_lie_in_their_ranges() {
        let mut n_points = 0;
        for seed in 0..150 {
            let mut rng = Rng::new(seed);
            let grown = Grown::new(&mut rng, 2, 30);
            let roots = [grown.words.clone(), grown.truths.clone()].concat();
            let (ranges, all) = (RangeEvaluator::new(&grown.pool, &roots), grown.all(&roots));
            for _ in 0..10 {
                let mut side = || {
                    let (a, b) = (rng.below(1 << WIDTH) as u64, rng.below(1 << WIDTH) as u64);
                    NumberRange { low: a.min(b), high: a.max(b) }
                };
                let sides = [side(), side()];
                let named: Vec<(TermId, NumberRange)> = grown.variables.iter().copied().zip(sides).collect();
                let found = ranges.run(&named);
                n_points += found.iter().filter(|range| range.is_point()).count();
                let contains = |range: NumberRange, number: u64| (range.low..=range.high).contains(&number);
                let inside = all.iter().filter(|(numbers, _)| {
                    numbers.iter().zip(sides).all(|(number, side)| contains(side, *number))
                });
                for (numbers, values) in inside {
                    for ((root, range), value) in roots.iter().zip(&found).zip(values) {
                        let term = grown.pool.term(*root);
                        assert!(
                            contains(*range, *value),
                            "seed {seed}: {term:?} {numbers:?} {value} {range:?}"
                        );
                    }
                }
            }
        }
        assert!(n_points > 10_000, "ranges say something: {n_points}");
    }
}
