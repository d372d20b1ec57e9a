//! From exact results to values of a format: the one place that rounds.

use super::natural::Natural;
use super::{Float, FloatFormat, RoundingMode};
use crate::Value;
use std::cmp::Ordering;

/// A sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sign {
    /// +
    Positive,
    /// -
    Negative,
}

impl Sign {
    /// The sign of a number in two's complement, or of an encoded float: the most significant bit.
    pub(crate) fn of(bits: &Value) -> Sign {
        if bits.sign_bit() { Sign::Negative } else { Sign::Positive }
    }

    pub(crate) fn is_negative(self) -> bool {
        self == Sign::Negative
    }

    /// The sign of a product.
    pub(crate) fn times(self, other: Sign) -> Sign {
        if self == other { Sign::Positive } else { Sign::Negative }
    }

    pub(crate) fn flipped(self) -> Sign {
        self.times(Sign::Negative)
    }
}

/// What is left below the last bit that is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rest {
    Nothing,
    BelowHalf,
    Half,
    AboveHalf,
}

impl Rest {
    /// The fraction of `number` / 2^`n_bits`.
    pub(crate) fn of(number: &Natural, n_bits: u64) -> Rest {
        if number.is_zero() || n_bits == 0 {
            return Rest::Nothing;
        }
        // A number far below half is recognised without shifting it.
        if number.bit_len() < n_bits {
            return Rest::BelowHalf;
        }
        let rest = number.low_bits(n_bits);
        match rest.cmp(&Natural::power_of_two(n_bits - 1)) {
            _ if rest.is_zero() => Rest::Nothing,
            Ordering::Less => Rest::BelowHalf,
            Ordering::Equal => Rest::Half,
            Ordering::Greater => Rest::AboveHalf,
        }
    }
}

impl RoundingMode {
    /// Whether rounding increases a magnitude of which `kept` is kept and `rest` is not.
    pub(crate) fn rounds_up(self, sign: Sign, kept: &Natural, rest: Rest) -> bool {
        match self {
            RoundingMode::NearestEven => rest == Rest::AboveHalf || (rest == Rest::Half && kept.is_odd()),
            RoundingMode::NearestAway => matches!(rest, Rest::Half | Rest::AboveHalf),
            RoundingMode::TowardPositive => rest != Rest::Nothing && !sign.is_negative(),
            RoundingMode::TowardNegative => rest != Rest::Nothing && sign.is_negative(),
            RoundingMode::TowardZero => false,
        }
    }

    /// The result if the magnitude is too large for every finite value.
    fn overflow(self, format: FloatFormat, sign: Sign) -> Float {
        let to_infinity = match self {
            RoundingMode::NearestEven | RoundingMode::NearestAway => true,
            RoundingMode::TowardPositive => !sign.is_negative(),
            RoundingMode::TowardNegative => sign.is_negative(),
            RoundingMode::TowardZero => false,
        };
        if to_infinity { Float::infinity(format, sign) } else { Float::max_finite(format, sign) }
    }
}

/// A number: its sign, and `magnitude` * 2^`exponent`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Exact {
    pub(crate) sign: Sign,
    pub(crate) magnitude: Natural,
    pub(crate) exponent: i128,
}

impl Exact {
    /// The number with an infinitesimal amount added to its magnitude: enough to affect rounding, but less than one unit
    /// in the last bit that is kept. The magnitude must have at least two more bits than the format.
    pub(crate) fn and_a_little(self) -> Exact {
        let magnitude = self.magnitude.shl(1).add(&Natural::one());
        Exact { magnitude, exponent: self.exponent - 1, ..self }
    }

    /// Rounds to a value of a format; zero has the sign of the number.
    pub(crate) fn round(&self, format: FloatFormat, mode: RoundingMode) -> Float {
        if self.magnitude.is_zero() {
            return Float::zero(format, self.sign);
        }
        let length = self.magnitude.bit_len();
        let top = self.exponent + i128::from(length) - 1;
        // The exponent of the last bit that is kept.
        let quantum = top.max(format.min_exponent()) - i128::from(format.fraction_bits());
        if top > format.max_exponent() {
            return mode.overflow(format, self.sign);
        }
        let kept = match u64::try_from(quantum - self.exponent) {
            Ok(n_bits) => {
                // So far below the last bit that the exact distance does not matter.
                let n_bits = n_bits.min(length + 2);
                let kept = self.magnitude.shr(n_bits);
                let rest = Rest::of(&self.magnitude, n_bits);
                let goes_up = mode.rounds_up(self.sign, &kept, rest);
                if goes_up { kept.add(&Natural::one()) } else { kept }
            }
            // At most as many bits as the format has: the shift puts the top bit in its place.
            Err(_) => self.magnitude.shl((self.exponent - quantum) as u64),
        };
        let is_over = kept.bit_len() > u64::from(format.significand_bits());
        let (kept, quantum) = if is_over { (kept.shr(1), quantum + 1) } else { (kept, quantum) };
        if quantum + i128::from(format.fraction_bits()) > format.max_exponent() {
            return mode.overflow(format, self.sign);
        }
        Float::from_quantum(format, self.sign, &kept, quantum)
    }
}
