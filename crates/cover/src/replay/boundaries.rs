//! Adjacent numbers of a run. The terms of [`crate::encode`] count positions; here the next value is computed, as in `nextafter`.

use crate::goals::Boundary;
use nub_bitvec::Value;
use nub_bitvec::float::Float;
use nub_c_ir::{NumberFormat, ints};

/// Whether the left one of two numbers, given by their bits, is at this boundary of the right one.
pub fn is_at_boundary(format: NumberFormat, [left, right]: [u128; 2], boundary: Boundary) -> bool {
    match format {
        NumberFormat::Int(format) if format.is_signed => {
            let [left, right] = [left, right].map(|bits| ints::to_signed(bits, format.width));
            let wanted = match boundary {
                Boundary::Equal => Some(right),
                Boundary::Above => right.checked_add(1),
                Boundary::Below => right.checked_sub(1),
            };
            wanted == Some(left)
        }
        NumberFormat::Int(_) => {
            let wanted = match boundary {
                Boundary::Equal => Some(right),
                Boundary::Above => right.checked_add(1),
                Boundary::Below => right.checked_sub(1),
            };
            wanted == Some(left)
        }
        NumberFormat::Float(format) => {
            let [left, right] = [left, right].map(|bits| format.decode(bits));
            if left.is_nan() || right.is_nan() {
                return false;
            }
            let wanted = match boundary {
                Boundary::Equal => right,
                Boundary::Above => next_up(&right),
                Boundary::Below => next_up(&right.neg()).neg(),
            };
            wanted.is_at_most(&left) && left.is_at_most(&wanted)
        }
    }
}

/// The next float up; a NaN after infinity.
fn next_up(value: &Float) -> Float {
    let bits = match (value.is_zero(), value.is_negative()) {
        (true, _) => Value::one(value.format().width()),
        (false, true) => value.bits().dec(),
        (false, false) => value.bits().inc(),
    };
    Float::from_bits(value.format(), bits)
}
