//! Conversions: to integers within a format, to and from bit-vectors, between formats, from real constants.

use super::natural::Natural;
use super::round::{Exact, Rest, Sign};
use super::value::Kind;
use super::{Float, FloatFormat, RoundingMode};
use crate::Value;

/// Whether a bit-vector is interpreted as a signed or as an unsigned number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Signedness {
    /// Two's complement.
    Signed,
    /// A natural number.
    Unsigned,
}

/// The integer that a number is rounded to.
struct Integer {
    sign: Sign,
    magnitude: Natural,
}

impl Exact {
    /// `None` if the magnitude has more than `max_bits` bits, which is detected without computing it.
    fn to_integer(&self, mode: RoundingMode, max_bits: u64) -> Option<Integer> {
        let sign = self.sign;
        let length = self.magnitude.bit_len();
        if self.exponent + i128::from(length) > i128::from(max_bits) + 1 && length > 0 {
            return None;
        }
        let magnitude = match u64::try_from(-self.exponent) {
            Ok(n_bits) => {
                let n_bits = n_bits.min(length + 2);
                let kept = self.magnitude.shr(n_bits);
                let rest = Rest::of(&self.magnitude, n_bits);
                let goes_up = mode.rounds_up(sign, &kept, rest);
                if goes_up { kept.add(&Natural::one()) } else { kept }
            }
            Err(_) if length == 0 => Natural::zero(),
            Err(_) => self.magnitude.shl(self.exponent as u64),
        };
        (magnitude.bit_len() <= max_bits).then_some(Integer { sign, magnitude })
    }
}

impl Float {
    /// `fp.roundToIntegral`. The sign is kept, even that of zero. In a format whose largest finite value is not an integer, the
    /// result may be too large; then it overflows like any other result.
    pub fn round_to_integral(&self, mode: RoundingMode) -> Float {
        let Kind::Finite(number) = self.kind() else { return self.clone() };
        if number.exponent >= 0 {
            return self.clone();
        }
        // With a negative exponent, there are fewer bits before the point than the significand has, plus a carry.
        let max_bits = u64::from(self.format().significand_bits()) + 1;
        let Some(Integer { sign, magnitude }) = number.to_integer(mode, max_bits) else {
            return self.clone();
        };
        Exact { sign, magnitude, exponent: 0 }.round(self.format(), mode)
    }

    /// `to_fp` from a signed bit-vector, or `to_fp_unsigned`.
    pub fn from_integer(
        format: FloatFormat,
        mode: RoundingMode,
        signedness: Signedness,
        bits: &Value,
    ) -> Float {
        let sign = match signedness {
            Signedness::Signed => Sign::of(bits),
            Signedness::Unsigned => Sign::Positive,
        };
        let magnitude = Natural::from_value(&if sign.is_negative() { bits.neg() } else { bits.clone() });
        Exact { sign, magnitude, exponent: 0 }.round(format, mode)
    }

    /// `fp.to_sbv`, `fp.to_ubv`; `None` if it is NaN or does not fit, which SMT-LIB leaves unspecified.
    pub fn to_integer(&self, mode: RoundingMode, signedness: Signedness, width: u32) -> Option<Value> {
        let Kind::Finite(number) = self.kind() else { return None };
        let Integer { sign, magnitude } = number.to_integer(mode, u64::from(width))?;
        let limit = Natural::power_of_two(u64::from(width) - 1);
        let fits = match (signedness, sign) {
            (Signedness::Unsigned, Sign::Positive) => true,
            (Signedness::Unsigned, Sign::Negative) => magnitude.is_zero(),
            (Signedness::Signed, Sign::Positive) => magnitude < limit,
            (Signedness::Signed, Sign::Negative) => magnitude <= limit,
        };
        let bits = magnitude.to_value(width);
        fits.then(|| if sign.is_negative() { bits.neg() } else { bits })
    }

    /// `to_fp` from another format.
    pub fn to_format(&self, format: FloatFormat, mode: RoundingMode) -> Float {
        match self.kind() {
            Kind::Nan => Float::nan(format),
            Kind::Infinite(sign) => Float::infinity(format, sign),
            Kind::Finite(number) => number.round(format, mode),
        }
    }
}

/// A rational number: the type of real constants in `to_fp`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rational {
    sign: Sign,
    numerator: Natural,
    /// Never zero.
    denominator: Natural,
}

impl Rational {
    /// From digits with or without a decimal point: `12`, `0.25`. `None` for any other text.
    pub fn from_decimal(text: &[u8]) -> Option<Rational> {
        let (whole, part) = match text.iter().position(|byte| *byte == b'.') {
            Some(at) => (&text[..at], &text[at + 1..]),
            None => (text, &b""[..]),
        };
        let is_empty = whole.is_empty() || (part.is_empty() && whole.len() < text.len());
        let numerator = Natural::from_decimal(&[whole, part].concat()).filter(|_| !is_empty)?;
        let denominator = Natural::from_decimal(&[b"1", &b"0".repeat(part.len())[..]].concat())?;
        Some(Rational { sign: Sign::Positive, numerator, denominator })
    }

    /// `number` * 10^`exponent`
    pub(super) fn from_natural(number: Natural, exponent: i64) -> Rational {
        let power = Natural::power_of_ten(exponent.unsigned_abs());
        let (numerator, denominator) =
            if exponent < 0 { (number, power) } else { (number.mul(&power), Natural::one()) };
        Rational { sign: Sign::Positive, numerator, denominator }
    }

    /// Decimal digits times a power of ten. Panics if the text contains anything else.
    pub(super) fn from_digits(digits: &[u8], exponent: i64) -> Rational {
        let number = Natural::from_decimal(digits).expect("the caller looked at the digits");
        Rational::from_natural(number, exponent)
    }

    /// Hexadecimal digits. Panics if the text contains anything else.
    pub(super) fn from_hex_digits(digits: &[u8]) -> Rational {
        let bits = digits.iter().rev().flat_map(|digit| {
            let digit = char::from(*digit).to_digit(16).expect("the caller looked at the digits");
            (0..4).map(move |bit| digit >> bit & 1 == 1)
        });
        let number = Natural::from_value(&Value::from_bits(bits));
        Rational { sign: Sign::Positive, numerator: number, denominator: Natural::one() }
    }

    /// The negation. Zero has no sign.
    pub fn neg(&self) -> Rational {
        let sign = if self.numerator.is_zero() { Sign::Positive } else { self.sign.flipped() };
        Rational { sign, ..self.clone() }
    }

    /// The quotient; `None` if the divisor is zero.
    pub fn div(&self, divisor: &Rational) -> Option<Rational> {
        if divisor.numerator.is_zero() {
            return None;
        }
        let numerator = self.numerator.mul(&divisor.denominator);
        let sign = if numerator.is_zero() { Sign::Positive } else { self.sign.times(divisor.sign) };
        Some(Rational { sign, numerator, denominator: self.denominator.mul(&divisor.numerator) })
    }

    /// Times a power of two.
    pub fn scaled(&self, exponent: i32) -> Rational {
        let by = u64::from(exponent.unsigned_abs());
        let (numerator, denominator) = match exponent {
            0.. => (self.numerator.shl(by), self.denominator.clone()),
            _ => (self.numerator.clone(), self.denominator.shl(by)),
        };
        Rational { sign: self.sign, numerator, denominator }
    }

    /// The float that it is rounded to: rounded once, from the exact number.
    pub fn round(&self, format: FloatFormat, mode: RoundingMode) -> Float {
        let wanted = u64::from(format.significand_bits()) + 3;
        let missing = (self.denominator.bit_len() + wanted).saturating_sub(self.numerator.bit_len());
        let (magnitude, rest) = self.numerator.shl(missing).div_rem(&self.denominator);
        let found = Exact { sign: self.sign, magnitude, exponent: -i128::from(missing) };
        let found = if rest.is_zero() { found } else { found.and_a_little() };
        found.round(format, mode)
    }
}
