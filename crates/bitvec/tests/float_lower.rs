//! Terms of floating-point operations against the evaluator: all operands of tiny formats, a sample for the others.
//! `NUB_FULL=1` tests more.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_bitvec::check::{RandomValues, Rng};
use nub_bitvec::float::{FloatFormat, FloatOp, FloatOperation, FloatTerms, RoundingMode, Signedness};
use nub_bitvec::{Assignment, Datum, Evaluator, Pool, Rewriting, Sort, TermId, Value};

const TINY: [(u32, u32); 8] = [(2, 2), (2, 3), (2, 4), (2, 5), (3, 2), (3, 3), (3, 4), (3, 5)];

/// Exponents wider than significands, significands much wider than exponents, and the formats of machines.
const OTHERS: [(u32, u32); 8] = [(27, 6), (53, 11), (2, 11), (2, 40), (3, 70), (5, 11), (8, 24), (11, 53)];

const SIGNED: Signedness = Signedness::Signed;
const UNSIGNED: Signedness = Signedness::Unsigned;

fn is_full() -> bool {
    std::env::var_os("NUB_FULL").is_some_and(|value| value == "1")
}

fn format((eb, sb): (u32, u32)) -> FloatFormat {
    FloatFormat::new(eb, sb).unwrap()
}

fn operations(format: FloatFormat) -> Vec<FloatOperation> {
    use FloatOp::*;
    let mut ops = FloatOp::PLAIN.to_vec();
    let n = format.significand_bits();
    for width in [1, 2, n - 1, n, n + 1, 2 * n + 3] {
        for signedness in [SIGNED, UNSIGNED] {
            ops.extend([FromInteger(signedness, width), ToInteger(signedness, width)]);
        }
    }
    ops.into_iter().map(|op| FloatOperation { op, format }).collect()
}

/// One operation on variables.
struct Lowered {
    pool: Pool,
    terms: FloatTerms,
    args: Vec<TermId>,
    result: TermId,
    operation: FloatOperation,
}

impl Lowered {
    fn new(operation: FloatOperation, rewriting: Rewriting) -> Lowered {
        Lowered::with_constants(operation, rewriting, |_| None)
    }

    /// The same, with constants for some operands.
    fn with_constants(
        operation: FloatOperation,
        rewriting: Rewriting,
        constant: impl Fn(usize) -> Option<Value>,
    ) -> Lowered {
        let mut pool = Pool::with_rewriting(rewriting);
        let mut terms = FloatTerms::default();
        let widths = operation.operand_widths();
        let args: Vec<TermId> = (widths.iter().enumerate())
            .map(|(at, width)| match constant(at) {
                Some(value) => pool.constant(value),
                None => pool.var(Sort::Bits(*width)),
            })
            .collect();
        let result = terms.apply(&mut pool, operation, &args);
        assert_eq!(pool.width(result), operation.result_width());
        Lowered { pool, terms, args, result, operation }
    }

    fn check(&self, evaluator: &Evaluator<'_>, args: &[Value], open: &mut Rng) {
        let mut assignment = Assignment::new();
        for (var, value) in self.args.iter().zip(args) {
            assignment.set(*var, Datum::Bits(value.clone()));
        }
        for var in self.terms.open_vars() {
            assignment.set(var, open.datum(self.pool.sort(var)));
        }
        let found = evaluator.run(&assignment).remove(0);
        let expected = self.operation.evaluate(&args.iter().collect::<Vec<_>>());
        assert!(expected.allows(found.bits()), "{:?} {args:?}: {found}, not {expected:?}", self.operation);
    }
}

/// The value converted to a legal operand: a mode, a float with the canonical NaN, or any number.
fn legal(operation: FloatOperation, index: usize, value: Value) -> Value {
    if operation.has_mode() && index == 0 {
        return RoundingMode::ALL[(value.to_u64().unwrap() % 5) as usize].code();
    }
    let canonical =
        |format: FloatFormat| nub_bitvec::float::Float::from_bits(format, value.clone()).bits().clone();
    match operation.op {
        FloatOp::FromInteger(..) | FloatOp::FromBits => value,
        FloatOp::FromFloat(from) => canonical(from),
        _ => canonical(operation.format),
    }
}

fn check_all(operation: FloatOperation) {
    let lowered = Lowered::new(operation, Rewriting::On);
    let evaluator = Evaluator::new(&lowered.pool, &[lowered.result]);
    let widths = operation.operand_widths();
    let n_all: u64 = widths.iter().map(|width| 1_u64 << width).product();
    // In full mode, enough for all pairs of the largest formats and all triples of the smaller ones.
    let n_wanted = if is_full() { 1 << 21 } else { 6_000 };
    // An odd step shares no factor with a power of two, so it reaches all values of all operands.
    let step = (n_all / n_wanted).max(1) | 1;
    let mut rng = Rng::new(1);
    for number in (0..n_all).step_by(step as usize) {
        let mut rest = number;
        let args: Vec<Value> = widths
            .iter()
            .enumerate()
            .map(|(index, width)| {
                let value = Value::from_u64(*width, rest);
                rest >>= width;
                legal(operation, index, value)
            })
            .collect();
        lowered.check(&evaluator, &args, &mut rng);
    }
}

/// Products and quotients with a constant: powers of two have their own terms.
fn check_constants(operation: FloatOperation, at: usize) {
    let width = operation.format.width();
    for bits in 0..1_u64 << width {
        let constant = legal(operation, at, Value::from_u64(width, bits));
        let known = |index: usize| (index == at).then(|| constant.clone());
        let lowered = Lowered::with_constants(operation, Rewriting::On, known);
        let evaluator = Evaluator::new(&lowered.pool, &[lowered.result]);
        let mut rng = Rng::new(1);
        for (mode, other) in (0..5).flat_map(|mode| (0..1_u64 << width).map(move |other| (mode, other))) {
            let other = legal(operation, 3 - at, Value::from_u64(width, other));
            let mut args = vec![RoundingMode::ALL[mode].code(), other.clone(), other];
            args[at] = constant.clone();
            lowered.check(&evaluator, &args, &mut rng);
        }
    }
}

#[test]
fn constants_have_the_right_terms() {
    let formats = if is_full() { &TINY[..] } else { &[(2, 2), (2, 3), (3, 2), (3, 3)] };
    for format in formats.iter().copied().map(format) {
        for (op, at) in [(FloatOp::Mul, 1), (FloatOp::Mul, 2), (FloatOp::Div, 2), (FloatOp::Div, 1)] {
            check_constants(FloatOperation { op, format }, at);
        }
    }
}

/// Powers of two in wide formats, and operands near the boundary between normal and subnormal.
#[test]
fn powers_of_two_have_the_right_terms() {
    for format in OTHERS.map(format) {
        let (eb, fb) = (format.exponent_bits(), format.fraction_bits());
        let mut rng = Rng::new(7);
        for round in 0..if is_full() { 400 } else { 40 } {
            let near = Value::from_u64(eb, rng.below(2 * fb as usize) as u64);
            let field = match round % 4 {
                0 => rng.value(eb),
                1 => Value::max_signed(eb).add(&Value::from_u64(eb, rng.below(6) as u64)),
                2 => Value::max_signed(eb).sub(&near),
                _ => Value::max_signed(eb).add(&near),
            };
            let power = Value::from(round % 3 == 0).concat(&field).concat(&Value::zero(fb));
            let op = if round % 2 == 0 { FloatOp::Mul } else { FloatOp::Div };
            let operation = FloatOperation { op, format };
            let lowered =
                Lowered::with_constants(operation, Rewriting::On, |at| (at == 2).then(|| power.clone()));
            let evaluator = Evaluator::new(&lowered.pool, &[lowered.result]);
            for _ in 0..100 {
                let exponent = match rng.below(4) {
                    0 => Value::from_u64(eb, rng.below(4) as u64),
                    1 => Value::ones(eb).sub(&Value::from_u64(eb, rng.below(4) as u64)),
                    2 => Value::from_u64(eb, rng.below(2 * fb as usize) as u64),
                    _ => rng.value(eb),
                };
                let bits = Value::from(rng.below(2) == 1).concat(&exponent).concat(&rng.value(fb));
                let mode = RoundingMode::ALL[rng.below(5)].code();
                let args = vec![mode, legal(operation, 1, bits), power.clone()];
                lowered.check(&evaluator, &args, &mut rng);
            }
        }
    }
}

#[test]
fn tiny_formats_have_the_right_terms() {
    for format in TINY.map(format) {
        operations(format).into_iter().for_each(check_all);
        for from in TINY.map(self::format) {
            check_all(FloatOperation { op: FloatOp::FromFloat(from), format });
        }
    }
}

/// An encoding near a bound, or any encoding.
fn operand(rng: &mut Rng, width: u32, format: FloatFormat) -> Value {
    if width != format.width() || rng.below(3) == 0 {
        return rng.value(width);
    }
    let (eb, fb) = (format.exponent_bits(), format.fraction_bits());
    let near = Value::from_u64(eb, rng.below(2 * fb as usize + 4) as u64);
    let exponent = match rng.below(6) {
        0 => Value::zero(eb),
        1 => Value::from_u64(eb, rng.below(4) as u64),
        2 => Value::ones(eb).sub(&Value::from_u64(eb, rng.below(4) as u64)),
        3 | 4 => Value::max_signed(eb).add(&near).sub(&Value::from_u64(eb, u64::from(fb))),
        _ => rng.value(eb),
    };
    Value::from(rng.below(2) == 1).concat(&exponent).concat(&rng.value(fb))
}

fn check_some(operation: FloatOperation, rewriting: Rewriting, n_rounds: usize) {
    let lowered = Lowered::new(operation, rewriting);
    let evaluator = Evaluator::new(&lowered.pool, &[lowered.result]);
    let source = match operation.op {
        FloatOp::FromFloat(from) => from,
        _ => operation.format,
    };
    let mut rng = Rng::new(9);
    for _ in 0..n_rounds {
        let widths = operation.operand_widths();
        let args: Vec<Value> = widths
            .iter()
            .enumerate()
            .map(|(index, width)| legal(operation, index, operand(&mut rng, *width, source)))
            .collect();
        lowered.check(&evaluator, &args, &mut Rng::new(rng.bits()));
    }
}

#[test]
fn other_formats_have_the_right_terms() {
    let n_rounds = if is_full() { 100_000 } else { 60 };
    for format in OTHERS.map(format) {
        for operation in operations(format) {
            check_some(operation, Rewriting::On, n_rounds);
        }
        for from in OTHERS.map(self::format) {
            check_some(FloatOperation { op: FloatOp::FromFloat(from), format }, Rewriting::On, n_rounds);
        }
    }
}

#[test]
fn rewriting_changes_nothing() {
    for format in [(3, 4), (5, 11)].map(format) {
        for operation in operations(format) {
            check_some(operation, Rewriting::Off, 40);
        }
    }
}

#[test]
fn equal_operations_are_one() {
    let (mut pool, mut terms) = (Pool::new(), FloatTerms::default());
    let format = FloatFormat::DOUBLE;
    let [x, y] = [0; 2].map(|_| pool.var(Sort::Bits(64)));
    let mode = pool.constant(RoundingMode::NearestEven.code());
    let mut apply = |op, args: &[TermId]| terms.apply(&mut pool, FloatOperation { op, format }, args);
    assert_eq!(apply(FloatOp::Add, &[mode, x, y]), apply(FloatOp::Add, &[mode, y, x]));
    assert_eq!(apply(FloatOp::Div, &[mode, x, y]), apply(FloatOp::Div, &[mode, x, y]));
    let minus = apply(FloatOp::Neg, &[y]);
    assert_ne!(apply(FloatOp::Sub, &[mode, x, y]), apply(FloatOp::Add, &[mode, x, minus]));
}

#[test]
fn constants_are_evaluated() {
    let (mut pool, mut terms) = (Pool::new(), FloatTerms::default());
    let mut constant = |value: f64| pool.constant(Value::from_u64(64, value.to_bits()));
    let [a, b, sum] = [0.1, 0.2, 0.1 + 0.2].map(&mut constant);
    let mode = pool.constant(RoundingMode::NearestEven.code());
    let add = FloatOperation { op: FloatOp::Add, format: FloatFormat::DOUBLE };
    assert_eq!(terms.apply(&mut pool, add, &[mode, a, b]), sum);
}
