//! From operators on floats to terms over bit-vectors.
//!
//! A float is represented by its encoding, with a single NaN; a rounding mode by its code. An operator becomes terms, not a circuit:
//! they are simplified and shared like all terms, so that the same operation on the same operands exists once, a constant removes the
//! cases that it excludes, and a float that nothing depends on costs nothing.
//!
//! [`FloatTerms`] remembers what was lowered. With it a model is checked by [`Float`](super::Float), which shares no code with the
//! terms.

mod convert;
mod finish;
mod parts;
mod product;
mod quotient;
mod remainder;
mod scale;
mod simple;
mod sum;
mod words;

use super::{FloatFormat, FloatOp, FloatOperation, FloatResult, RoundingMode, Signedness};
use crate::{Assignment, Op, Pool, Sort, TermId, Value, evaluate};
use rustc_hash::FxHashMap;
use scale::PowerOfTwo;
use words::Words;

/// An operation with its operands; the rounding mode, if there is one, comes first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Application {
    operation: FloatOperation,
    args: Vec<TermId>,
}

/// Operations on floats that have been lowered to terms of one pool.
#[derive(Clone, Debug, Default)]
pub struct FloatTerms {
    lowered: FxHashMap<Application, TermId>,
    /// In the order of creation.
    applications: Vec<Application>,
    /// Results that SMT-LIB leaves unspecified are variables: for `fp.min` and `fp.max` the sign of zero, by the sign of the first operand;
    /// for conversions to integers an array from operands to results; for `fp.to_ieee_bv` the encoding of the NaN.
    open: FxHashMap<(FloatOperation, u8), TermId>,
}

impl FloatTerms {
    /// The term of an operation. Panics if the operands have the wrong widths.
    pub fn apply(&mut self, pool: &mut Pool, operation: FloatOperation, args: &[TermId]) -> TermId {
        let widths = operation.operand_widths();
        assert!(args.iter().map(|arg| pool.width(*arg)).eq(widths), "operands of other widths");
        let application = Application { operation, args: in_order(operation.op, args) };
        if let Some(known) = self.lowered.get(&application) {
            return *known;
        }
        let values: Option<Vec<&Value>> = application.args.iter().map(|arg| pool.value(*arg)).collect();
        let term = match values.map(|values| operation.evaluate(&values)) {
            Some(FloatResult::Exactly(value)) => pool.constant(value),
            _ => self.lower(pool, &application),
        };
        self.lowered.insert(application.clone(), term);
        self.applications.push(application);
        term
    }

    /// Number of operations that have been lowered.
    pub fn len(&self) -> usize {
        self.applications.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.applications.is_empty()
    }

    /// The variables for results that SMT-LIB leaves unspecified.
    pub fn open_vars(&self) -> impl Iterator<Item = TermId> + '_ {
        self.open.values().copied()
    }

    /// The first operation whose term has a value that the evaluator does not allow under this assignment. O(terms).
    pub fn first_wrong(&self, pool: &Pool, assignment: &Assignment) -> Option<FloatOperation> {
        let terms = |application: &Application| {
            let result = self.lowered.get(application).copied();
            application.args.iter().copied().chain(result).collect::<Vec<_>>()
        };
        let roots: Vec<TermId> = self.applications.iter().flat_map(terms).collect();
        let values = evaluate(pool, assignment, &roots);
        let mut at = 0;
        for application in &self.applications {
            let n_args = application.args.len();
            let args: Vec<&Value> = values[at..at + n_args].iter().map(|value| value.bits()).collect();
            let found = values[at + n_args].bits();
            at += n_args + 1;
            let has_mode = application.operation.has_mode();
            // A variable that is not constrained to be a mode may have another code.
            let is_valid = !has_mode || RoundingMode::from_code(args[0]).is_some();
            if is_valid && !application.operation.evaluate(&args).allows(found) {
                return Some(application.operation);
            }
        }
        None
    }

    fn lower(&mut self, pool: &mut Pool, application: &Application) -> TermId {
        let FloatOperation { op, format } = application.operation;
        if application.operation.has_mode() {
            return self.lower_rounded(pool, application);
        }
        let operand = |index: usize| application.args[index];
        let open = self.open_bits(pool, application.operation);
        let mut words = Words { pool };
        match op {
            FloatOp::Abs => words.absolute(format, operand(0)),
            FloatOp::Neg => words.negated(format, operand(0)),
            FloatOp::Rem => words.remainder(format, operand(0), operand(1)),
            FloatOp::Min | FloatOp::Max => {
                words.extremum(op, format, [operand(0), operand(1)], open.unwrap_or([operand(0); 2]))
            }
            FloatOp::AtMost => words.at_most(format, operand(0), operand(1)),
            FloatOp::Less => words.less(format, operand(0), operand(1)),
            FloatOp::Equal => words.equal(format, operand(0), operand(1)),
            FloatOp::FromBits => words.canonical(format, operand(0)),
            FloatOp::ToBits => {
                let nan = self.open_nan(words.pool, application.operation);
                let mut words = Words { pool: words.pool };
                let is_nan = words.class(FloatOp::IsNan, format, operand(0));
                words.ite(is_nan, nan, operand(0))
            }
            _ => words.class(op, format, operand(0)),
        }
    }

    fn lower_rounded(&mut self, pool: &mut Pool, application: &Application) -> TermId {
        let FloatOperation { op, format } = application.operation;
        let operand = |index: usize| application.args[index + 1];
        let mut words = Words { pool };
        let mode = words.mode(application.args[0]);
        match op {
            FloatOp::Add => words.sum(format, mode, operand(0), operand(1)),
            FloatOp::Sub => {
                let minus = words.flipped(format, operand(1));
                words.sum(format, mode, operand(0), minus)
            }
            FloatOp::Mul => {
                let power = |at: usize| PowerOfTwo::of(words.pool, format, operand(at));
                match (power(0), power(1)) {
                    (_, Some(by)) => words.scaled(format, mode, operand(0), by),
                    (Some(by), None) => words.scaled(format, mode, operand(1), by),
                    (None, None) => words.product(format, mode, operand(0), operand(1)),
                }
            }
            FloatOp::Div => match PowerOfTwo::of(words.pool, format, operand(1)) {
                Some(by) => words.scaled(format, mode, operand(0), by.inverse()),
                None => words.quotient(format, mode, operand(0), operand(1)),
            },
            FloatOp::Fma => words.fused(format, mode, [operand(0), operand(1), operand(2)]),
            FloatOp::Sqrt => words.root(format, mode, operand(0)),
            FloatOp::RoundToIntegral => words.integral(format, mode, operand(0)),
            FloatOp::FromFloat(from) => words.float_to_float(format, mode, from, operand(0)),
            FloatOp::FromInteger(signedness, _) => {
                words.integer_to_float(format, mode, signedness, operand(0))
            }
            FloatOp::ToInteger(signedness, width) => {
                let converted = words.float_to_integer(format, mode, signedness, operand(0), width);
                let other = self.open_integer(pool, application, width);
                pool.mk(Op::Ite, &[converted.fits, converted.bits, other])
            }
            op => unreachable!("{op:?} does not round"),
        }
    }

    fn open_var(&mut self, pool: &mut Pool, key: (FloatOperation, u8), sort: Sort) -> TermId {
        *self.open.entry(key).or_insert_with(|| pool.var(sort))
    }

    /// The signs of zero, one for each sign of the first operand.
    fn open_bits(&mut self, pool: &mut Pool, operation: FloatOperation) -> Option<[TermId; 2]> {
        let is_open = matches!(operation.op, FloatOp::Min | FloatOp::Max);
        is_open.then(|| [0, 1].map(|which| self.open_var(pool, (operation, which), Sort::BIT)))
    }

    /// An encoding of the NaN: any fraction except zero.
    fn open_nan(&mut self, pool: &mut Pool, operation: FloatOperation) -> TermId {
        let format = operation.format;
        let any = self.open_var(pool, (operation, 0), Sort::Bits(format.width()));
        let mut words = Words { pool };
        let parts = words.parts(format, any);
        let ones = words.ones(format.exponent_bits());
        let is_zero = words.is_zero(parts.fraction);
        let top = words.top(parts.fraction);
        let top = words.or(top, is_zero);
        let fraction = match format.fraction_bits() {
            1 => top,
            n => {
                let rest = words.low(parts.fraction, n - 1);
                words.concat(top, rest)
            }
        };
        let field = words.concat(parts.sign, ones);
        words.concat(field, fraction)
    }

    /// The result for operands that do not fit the width: a function of mode and operand.
    fn open_integer(&mut self, pool: &mut Pool, application: &Application, width: u32) -> TermId {
        let index = RoundingMode::CODE_BITS + application.operation.format.width();
        let sort = Sort::Array { index, element: width };
        let array = self.open_var(pool, (application.operation, 0), sort);
        let index = pool.mk(Op::Concat, &[application.args[0], application.args[1]]);
        pool.mk(Op::Read, &[array, index])
    }
}

/// Sorts the operands of commutative operations, so that equal operations become the same term.
fn in_order(op: FloatOp, args: &[TermId]) -> Vec<TermId> {
    let mut args = args.to_vec();
    match op {
        FloatOp::Add | FloatOp::Mul | FloatOp::Fma => args[1..3].sort_unstable(),
        FloatOp::Equal => args.sort_unstable(),
        _ => {}
    }
    args
}

/// A float converted to an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntegerTerms {
    /// The integer; arbitrary if the float does not fit.
    pub bits: TermId,
    /// One bit: the float is a number and fits.
    pub fits: TermId,
}

/// A float as an integer of this width, rounded towards zero, as in C.
pub fn truncated(
    pool: &mut Pool,
    format: FloatFormat,
    signedness: Signedness,
    a: TermId,
    width: u32,
) -> IntegerTerms {
    let code = pool.constant(RoundingMode::TowardZero.code());
    let mut words = Words { pool };
    let mode = words.mode(code);
    words.float_to_integer(format, mode, signedness, a, width)
}

/// Whether a bit-vector is the encoding of a float: if it is a NaN, the canonical one.
pub fn is_canonical(pool: &mut Pool, format: FloatFormat, a: TermId) -> TermId {
    let mut words = Words { pool };
    let canonical = words.canonical(format, a);
    words.eq(a, canonical)
}

/// Whether a bit-vector is the code of a rounding mode.
pub fn is_mode(pool: &mut Pool, a: TermId) -> TermId {
    let first_spare = pool.constant(Value::from_u64(RoundingMode::CODE_BITS, RoundingMode::ALL.len() as u64));
    pool.mk(Op::Ult, &[a, first_spare])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Datum;

    #[test]
    fn a_term_with_a_wrong_value_is_found() {
        let (mut pool, mut terms) = (Pool::new(), FloatTerms::default());
        let [x, y] = [0; 2].map(|_| pool.var(Sort::Bits(16)));
        let operation = FloatOperation { op: FloatOp::Min, format: FloatFormat::HALF };
        terms.apply(&mut pool, operation, &[x, y]);
        let mut assignment = Assignment::new();
        assignment.set(x, Datum::Bits(Value::from_u64(16, 0x3c00)));
        assert_eq!(terms.first_wrong(&pool, &assignment), None);
        terms.lowered.values_mut().for_each(|term| *term = x);
        assert_eq!(terms.first_wrong(&pool, &assignment), Some(operation));
    }
}
