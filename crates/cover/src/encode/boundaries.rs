//! Adjacent operands of comparisons, as terms.

use crate::goals::{Boundary, RunEvent};
use nub_bitvec::{Op, Pool, TermId, Value};
use nub_c_ir::{ConditionTest, FloatEncoding, FunctionId, IntFormat, NumberFormat, Program};
use nub_unroll::Unrolled;
use rustc_hash::FxHashMap;

/// The common types of the comparisons of a function.
pub fn formats(program: &Program, function: FunctionId) -> FxHashMap<ConditionTest, NumberFormat> {
    program.number_comparisons(function).into_iter().map(|found| (found.test, found.format)).collect()
}

/// A boundary that some goal requires.
pub struct AskedBoundary {
    pub test: ConditionTest,
    pub format: NumberFormat,
    pub boundary: Boundary,
}

/// The boundaries among some events.
pub fn asked_boundaries<'e>(
    program: &Program,
    unrolled: &Unrolled,
    events: impl Iterator<Item = &'e RunEvent>,
) -> Vec<AskedBoundary> {
    let formats = formats(program, unrolled.function);
    let asked = |event: &RunEvent| match *event {
        RunEvent::Boundary(test, boundary) => {
            formats.get(&test).map(|format| AskedBoundary { test, format: *format, boundary })
        }
        _ => None,
    };
    events.filter_map(asked).collect()
}

/// One bit: the left operand is at this boundary of the right one.
pub fn boundary_term(
    pool: &mut Pool,
    format: NumberFormat,
    [left, right]: [TermId; 2],
    boundary: Boundary,
) -> TermId {
    match format {
        NumberFormat::Int(format) => {
            let next = neighbour(pool, right, boundary);
            let is_next = pool.mk(Op::Eq, &[left, next]);
            match last(format, boundary) {
                None => is_next,
                // It has no neighbour there: the next value wraps around.
                Some(last) => {
                    let last = pool.constant(last);
                    let is_inside = pool.mk(Op::Ne, &[right, last]);
                    pool.mk(Op::And, &[is_next, is_inside])
                }
            }
        }
        NumberFormat::Float(format) => {
            let (left, left_is_number) = place(pool, left, format);
            let (right, right_is_number) = place(pool, right, format);
            // Positions beyond the infinities belong to NaNs, so nothing wraps around.
            let next = neighbour(pool, right, boundary);
            let is_next = pool.mk(Op::Eq, &[left, next]);
            let are_numbers = pool.mk(Op::And, &[left_is_number, right_is_number]);
            pool.mk(Op::And, &[are_numbers, is_next])
        }
    }
}

fn neighbour(pool: &mut Pool, term: TermId, boundary: Boundary) -> TermId {
    let width = pool.width(term);
    let distance = match boundary {
        Boundary::Equal => return term,
        Boundary::Above => Value::one(width),
        Boundary::Below => Value::ones(width),
    };
    let distance = pool.constant(distance);
    pool.mk(Op::Add, &[term, distance])
}

/// The value that has no neighbour on that side.
fn last(format: IntFormat, boundary: Boundary) -> Option<Value> {
    let width = format.width;
    match (boundary, format.is_signed) {
        (Boundary::Equal, _) => None,
        (Boundary::Above, true) => Some(Value::max_signed(width)),
        (Boundary::Above, false) => Some(Value::ones(width)),
        (Boundary::Below, true) => Some(Value::min_signed(width)),
        (Boundary::Below, false) => Some(Value::zero(width)),
    }
}

/// The position of a float in the order of all floats, as a signed number: the magnitude with its sign, so that both zeros are at 0. And whether it
/// is a number.
fn place(pool: &mut Pool, term: TermId, format: FloatEncoding) -> (TermId, TermId) {
    let (top, fraction) = (format.width() - 1, format.values.fraction_bits());
    let sign = pool.slice(term, top, top);
    let magnitude = if format.has_leading_bit {
        let high = pool.slice(term, top - 1, fraction + 1);
        let low = pool.slice(term, fraction - 1, 0);
        pool.mk(Op::Concat, &[high, low])
    } else {
        pool.slice(term, top - 1, 0)
    };
    let infinity = Value::ones(format.values.exponent_bits()).concat(&Value::zero(fraction));
    let infinity = pool.constant(infinity);
    let is_number = pool.mk(Op::Ule, &[magnitude, infinity]);
    let zero = pool.truth(false);
    let positive = pool.mk(Op::Concat, &[zero, magnitude]);
    let negative = pool.mk(Op::Neg, &[positive]);
    (pool.mk(Op::Ite, &[sign, negative, positive]), is_number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::is_at_boundary;
    use nub_bitvec::float::FloatFormat;

    fn bits(value: u128, width: u32) -> Value {
        Value::from_bits((0..width).map(|bit| value >> bit & 1 == 1))
    }

    /// For all pairs of values of a format, the terms agree with the replay. Returns how many pairs are equal, above, below.
    fn count(format: NumberFormat) -> [usize; 3] {
        let (mut pool, width) = (Pool::new(), format.width());
        let mut counts = [0; 3];
        for (left, right) in (0..1_u128 << width).flat_map(|a| (0..1_u128 << width).map(move |b| (a, b))) {
            let operands = [left, right].map(|value| pool.constant(bits(value, width)));
            for (count, boundary) in counts.iter_mut().zip(Boundary::ALL) {
                let term = boundary_term(&mut pool, format, operands, boundary);
                let is_so = pool.value(term).is_some_and(|value| !value.is_zero());
                assert_eq!(
                    is_so,
                    is_at_boundary(format, [left, right], boundary),
                    "{left} {right} {boundary}"
                );
                *count += usize::from(is_so);
            }
        }
        counts
    }

    #[test]
    fn integers_of_five_bits() {
        for is_signed in [true, false] {
            assert_eq!(count(NumberFormat::Int(IntFormat { width: 5, is_signed })), [32, 31, 31]);
        }
    }

    /// With 3 exponent bits and 2 fraction bits: 28 finite magnitudes and infinity, so 57 positions, of which zero has two encodings.
    #[test]
    fn small_floats() {
        let values = FloatFormat::new(3, 3).expect("a format");
        for has_leading_bit in [false, true] {
            let counts = count(NumberFormat::Float(FloatEncoding { values, has_leading_bit }));
            let n_encodings = if has_leading_bit { 2 } else { 1 };
            // 56 positions with one encoding and one with two; 54 of the 56 steps are between positions with one.
            let expected = [56 + 4, 54 + 2 * 2, 54 + 2 * 2].map(|n: usize| n * n_encodings * n_encodings);
            assert_eq!(counts, expected);
        }
    }
}
