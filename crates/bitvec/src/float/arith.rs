//! Arithmetic: the exact result, rounded once.

use super::natural::Natural;
use super::round::{Exact, Sign};
use super::value::Kind;
use super::{Float, FloatFormat, RoundingMode};
use std::cmp::Ordering;

impl Float {
    #[track_caller]
    fn same_format(&self, other: &Float) -> FloatFormat {
        assert_eq!(self.format(), other.format(), "operands of different formats");
        self.format()
    }

    /// `fp.add`
    pub fn add(&self, other: &Float, mode: RoundingMode) -> Float {
        let format = self.same_format(other);
        match (self.kind(), other.kind()) {
            (Kind::Nan, _) | (_, Kind::Nan) => Float::nan(format),
            (Kind::Infinite(a), Kind::Infinite(b)) if a != b => Float::nan(format),
            (Kind::Infinite(sign), _) | (_, Kind::Infinite(sign)) => Float::infinity(format, sign),
            (Kind::Finite(a), Kind::Finite(b)) => a.add(&b, format, mode).round(format, mode),
        }
    }

    /// `fp.sub`
    pub fn sub(&self, other: &Float, mode: RoundingMode) -> Float {
        self.add(&other.neg(), mode)
    }

    /// `fp.mul`
    pub fn mul(&self, other: &Float, mode: RoundingMode) -> Float {
        let format = self.same_format(other);
        let sign = self.sign().times(other.sign());
        match (self.kind(), other.kind()) {
            (Kind::Nan, _) | (_, Kind::Nan) => Float::nan(format),
            (Kind::Infinite(_), _) | (_, Kind::Infinite(_)) if self.is_zero() || other.is_zero() => {
                Float::nan(format)
            }
            (Kind::Infinite(_), _) | (_, Kind::Infinite(_)) => Float::infinity(format, sign),
            (Kind::Finite(a), Kind::Finite(b)) => a.mul(&b).round(format, mode),
        }
    }

    /// `fp.div`
    pub fn div(&self, divisor: &Float, mode: RoundingMode) -> Float {
        let format = self.same_format(divisor);
        let sign = self.sign().times(divisor.sign());
        match (self.kind(), divisor.kind()) {
            (Kind::Nan, _) | (_, Kind::Nan) | (Kind::Infinite(_), Kind::Infinite(_)) => Float::nan(format),
            (Kind::Infinite(_), _) => Float::infinity(format, sign),
            (_, Kind::Infinite(_)) => Float::zero(format, sign),
            (Kind::Finite(a), Kind::Finite(b)) => match (a.magnitude.is_zero(), b.magnitude.is_zero()) {
                (true, true) => Float::nan(format),
                (false, true) => Float::infinity(format, sign),
                _ => a.div(&b, format).round(format, mode),
            },
        }
    }

    /// `fp.fma`: `self * factor + addend`, rounded once.
    pub fn fma(&self, factor: &Float, addend: &Float, mode: RoundingMode) -> Float {
        let format = self.same_format(factor);
        self.same_format(addend);
        let product = self.sign().times(factor.sign());
        match (self.kind(), factor.kind(), addend.kind()) {
            (Kind::Nan, _, _) | (_, Kind::Nan, _) | (_, _, Kind::Nan) => Float::nan(format),
            (Kind::Finite(a), Kind::Finite(b), Kind::Finite(c)) => {
                a.mul(&b).add(&c, format, mode).round(format, mode)
            }
            (Kind::Finite(_), Kind::Finite(_), Kind::Infinite(sign)) => Float::infinity(format, sign),
            (_, _, c) => {
                let is_invalid = self.is_zero()
                    || factor.is_zero()
                    || matches!(c, Kind::Infinite(sign) if sign != product);
                if is_invalid { Float::nan(format) } else { Float::infinity(format, product) }
            }
        }
    }

    /// `fp.sqrt`
    pub fn sqrt(&self, mode: RoundingMode) -> Float {
        let format = self.format();
        match self.kind() {
            Kind::Nan => Float::nan(format),
            _ if self.is_zero() => self.clone(),
            Kind::Infinite(Sign::Positive) => self.clone(),
            Kind::Finite(a) if a.sign == Sign::Positive => a.sqrt(format).round(format, mode),
            _ => Float::nan(format),
        }
    }

    /// `fp.rem`: `self - divisor * n`, where n is the integer nearest to the quotient, the even one in case of a tie. Exact.
    pub fn rem(&self, divisor: &Float) -> Float {
        let format = self.same_format(divisor);
        match (self.kind(), divisor.kind()) {
            (Kind::Nan | Kind::Infinite(_), _) | (_, Kind::Nan) => Float::nan(format),
            (Kind::Finite(_), Kind::Infinite(_)) => self.clone(),
            (Kind::Finite(_), Kind::Finite(b)) if b.magnitude.is_zero() => Float::nan(format),
            (Kind::Finite(a), Kind::Finite(b)) => a.rem(&b).round(format, RoundingMode::NearestEven),
        }
    }
}

impl Exact {
    fn mul(&self, other: &Exact) -> Exact {
        Exact {
            sign: self.sign.times(other.sign),
            magnitude: self.magnitude.mul(&other.magnitude),
            exponent: self.exponent + other.exponent,
        }
    }

    /// The sum, or a number that rounds to the same value: if the operands are far apart, the smaller one only matters as "a little
    /// more". The sum of opposite numbers is the zero that the rounding mode prescribes.
    fn add(&self, other: &Exact, format: FloatFormat, mode: RoundingMode) -> Exact {
        if other.magnitude.is_zero() && self.magnitude.is_zero() {
            let opposite = if mode == RoundingMode::TowardNegative { Sign::Negative } else { Sign::Positive };
            let sign = if self.sign == other.sign { self.sign } else { opposite };
            return Exact { sign, ..self.clone() };
        }
        if other.magnitude.is_zero() {
            return self.clone();
        }
        if self.magnitude.is_zero() {
            return other.clone();
        }
        let top = |number: &Exact| number.exponent + i128::from(number.magnitude.bit_len());
        let (large, small) = if top(self) >= top(other) { (self, other) } else { (other, self) };
        // Extra bits for the larger operand. If the smaller one is below all of them, it is below every bit that affects rounding.
        let room = u64::from(format.significand_bits()) + 3;
        let low = large.exponent - i128::from(room);
        let (small, low) = match low - top(small) {
            gap if gap >= 0 => {
                let sign = small.sign;
                (Exact { sign, magnitude: Natural::one(), exponent: low }, low)
            }
            _ => (small.clone(), low.min(small.exponent)),
        };
        let at_low = |number: &Exact| number.magnitude.shl((number.exponent - low) as u64);
        let (a, b) = (at_low(large), at_low(&small));
        let (sign, magnitude) = match a.cmp(&b) {
            _ if large.sign == small.sign => (large.sign, a.add(&b)),
            Ordering::Less => (small.sign, b.sub(&a)),
            Ordering::Greater => (large.sign, a.sub(&b)),
            Ordering::Equal if mode == RoundingMode::TowardNegative => (Sign::Negative, Natural::zero()),
            Ordering::Equal => (Sign::Positive, Natural::zero()),
        };
        Exact { sign, magnitude, exponent: low }
    }

    /// The quotient with enough bits to be rounded. The divisor is not zero.
    fn div(&self, divisor: &Exact, format: FloatFormat) -> Exact {
        let wanted = u64::from(format.significand_bits()) + 3;
        let missing = (divisor.magnitude.bit_len() + wanted).saturating_sub(self.magnitude.bit_len());
        let (quotient, rest) = self.magnitude.shl(missing).div_rem(&divisor.magnitude);
        let exponent = self.exponent - divisor.exponent - i128::from(missing);
        let found = Exact { sign: self.sign.times(divisor.sign), magnitude: quotient, exponent };
        if rest.is_zero() { found } else { found.and_a_little() }
    }

    /// The root with enough bits to be rounded.
    fn sqrt(&self, format: FloatFormat) -> Exact {
        let wanted = 2 * (u64::from(format.significand_bits()) + 3);
        let missing = wanted.saturating_sub(self.magnitude.bit_len());
        // With an even exponent, the exponent of the root is half of it.
        let odd = (self.exponent - i128::from(missing)).rem_euclid(2) as u64;
        let shift = missing + odd;
        let (root, is_inexact) = self.magnitude.shl(shift).sqrt();
        let found =
            Exact { magnitude: root, exponent: (self.exponent - i128::from(shift)) / 2, sign: self.sign };
        if is_inexact { found.and_a_little() } else { found }
    }

    /// The remainder. The divisor is not zero.
    fn rem(&self, divisor: &Exact) -> Exact {
        let distance = self.exponent - divisor.exponent;
        // The exponent alone shows that it is less than half of the divisor.
        if -distance > i128::from(self.magnitude.bit_len()) + 1 {
            return self.clone();
        }
        let (quantum, modulus, shift) = match u128::try_from(distance) {
            Ok(shift) => (divisor.exponent, divisor.magnitude.clone(), shift),
            Err(_) => (self.exponent, divisor.magnitude.shl(-distance as u64), 0),
        };
        // Modulo twice the divisor: this yields the remainder, and whether the quotient is odd.
        let twice = modulus.shl(1);
        let power = Natural::power_of_two_mod(shift, &twice);
        let (_, rest) = self.magnitude.mul(&power).div_rem(&twice);
        let is_odd = rest >= modulus;
        let rest = if is_odd { rest.sub(&modulus) } else { rest };
        let goes_up = match rest.shl(1).cmp(&modulus) {
            Ordering::Less => false,
            Ordering::Equal => is_odd,
            Ordering::Greater => true,
        };
        if goes_up {
            Exact { sign: self.sign.flipped(), magnitude: modulus.sub(&rest), exponent: quantum }
        } else {
            Exact { sign: self.sign, magnitude: rest, exponent: quantum }
        }
    }
}
