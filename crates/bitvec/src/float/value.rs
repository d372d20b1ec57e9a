//! A value of a format.

use super::FloatFormat;
use super::natural::Natural;
use super::round::{Exact, Sign};
use crate::Value;
use std::fmt;

/// A floating-point value as in SMT-LIB: each format has a single NaN.
///
/// Equality is identity: the NaN is equal to itself, and the zeros differ. [`Float::is_equal`] is the `==` of IEEE 754.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Float {
    format: FloatFormat,
    /// The encoding. The NaN is encoded as the quiet one without payload and sign.
    bits: Value,
}

/// What a value is: NaN, infinite, or finite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Nan,
    Infinite(Sign),
    /// Including zeros.
    Finite(Exact),
}

impl Float {
    /// From an encoding. All encodings of NaN become the same value. Panics if the width is not the format's.
    pub fn from_bits(format: FloatFormat, bits: Value) -> Float {
        assert_eq!(bits.width(), format.width(), "an encoding of another width");
        let float = Float { format, bits };
        if float.is_nan() { Float::nan(format) } else { float }
    }

    /// The encoding.
    pub fn bits(&self) -> &Value {
        &self.bits
    }

    /// The format.
    pub fn format(&self) -> FloatFormat {
        self.format
    }

    fn encode(format: FloatFormat, sign: Sign, exponent: Value, fraction: Value) -> Float {
        let bits = Value::from(sign.is_negative()).concat(&exponent).concat(&fraction);
        Float { format, bits }
    }

    /// Not a number.
    pub fn nan(format: FloatFormat) -> Float {
        let fraction = Value::min_signed(format.fraction_bits());
        Float::encode(format, Sign::Positive, Value::ones(format.exponent_bits()), fraction)
    }

    /// An infinity.
    pub fn infinity(format: FloatFormat, sign: Sign) -> Float {
        let fraction = Value::zero(format.fraction_bits());
        Float::encode(format, sign, Value::ones(format.exponent_bits()), fraction)
    }

    /// A zero.
    pub fn zero(format: FloatFormat, sign: Sign) -> Float {
        let fraction = Value::zero(format.fraction_bits());
        Float::encode(format, sign, Value::zero(format.exponent_bits()), fraction)
    }

    /// An infinity, a zero or the NaN by its name in SMT-LIB.
    pub fn named(name: &str, format: FloatFormat) -> Option<Float> {
        Some(match name {
            "+oo" => Float::infinity(format, Sign::Positive),
            "-oo" => Float::infinity(format, Sign::Negative),
            "+zero" => Float::zero(format, Sign::Positive),
            "-zero" => Float::zero(format, Sign::Negative),
            "NaN" => Float::nan(format),
            _ => return None,
        })
    }

    /// The finite value of largest magnitude.
    pub fn max_finite(format: FloatFormat, sign: Sign) -> Float {
        let fraction = Value::ones(format.fraction_bits());
        Float::encode(format, sign, Value::ones(format.exponent_bits()).dec(), fraction)
    }

    /// `significand` * 2^`quantum`, where `quantum` is the exponent of the last bit of a value with this significand.
    pub(crate) fn from_quantum(
        format: FloatFormat,
        sign: Sign,
        significand: &Natural,
        quantum: i128,
    ) -> Float {
        let is_normal = significand.bit_len() == u64::from(format.significand_bits());
        let biased = if is_normal { quantum - format.min_quantum() + 1 } else { 0 };
        debug_assert!(is_normal || quantum == format.min_quantum(), "a subnormal of another exponent");
        let exponent = Value::from_u64(format.exponent_bits(), biased as u64);
        Float::encode(format, sign, exponent, significand.to_value(format.fraction_bits()))
    }

    fn exponent_field(&self) -> Value {
        self.bits.slice(self.format.width() - 2, self.format.fraction_bits())
    }

    fn fraction_field(&self) -> Value {
        self.bits.slice(self.format.fraction_bits() - 1, 0)
    }

    pub(crate) fn kind(&self) -> Kind {
        let (field, fraction) = (self.exponent_field(), self.fraction_field());
        if field.is_ones() {
            return if fraction.is_zero() { Kind::Infinite(self.sign()) } else { Kind::Nan };
        }
        let fraction = Natural::from_value(&fraction);
        // At most 64 bits.
        let biased = i128::from(field.to_u64().unwrap_or(0));
        let hidden = Natural::power_of_two(u64::from(self.format.fraction_bits()));
        let magnitude = if biased == 0 { fraction } else { fraction.add(&hidden) };
        let exponent = self.format.min_quantum() + biased.max(1) - 1;
        Kind::Finite(Exact { sign: self.sign(), magnitude, exponent })
    }

    /// The sign bit; that of the NaN is positive.
    pub fn sign(&self) -> Sign {
        Sign::of(&self.bits)
    }

    /// `fp.isNaN`
    pub fn is_nan(&self) -> bool {
        self.exponent_field().is_ones() && !self.fraction_field().is_zero()
    }

    /// `fp.isInfinite`
    pub fn is_infinite(&self) -> bool {
        self.exponent_field().is_ones() && self.fraction_field().is_zero()
    }

    /// `fp.isZero`
    pub fn is_zero(&self) -> bool {
        self.exponent_field().is_zero() && self.fraction_field().is_zero()
    }

    /// `fp.isSubnormal`
    pub fn is_subnormal(&self) -> bool {
        self.exponent_field().is_zero() && !self.fraction_field().is_zero()
    }

    /// `fp.isNormal`
    pub fn is_normal(&self) -> bool {
        let field = self.exponent_field();
        !field.is_zero() && !field.is_ones()
    }

    /// `fp.isNegative`: false for the NaN.
    pub fn is_negative(&self) -> bool {
        !self.is_nan() && self.sign().is_negative()
    }

    /// `fp.isPositive`: false for the NaN.
    pub fn is_positive(&self) -> bool {
        !self.is_nan() && !self.sign().is_negative()
    }

    fn with_sign(&self, sign: Sign) -> Float {
        let rest = self.bits.slice(self.format.width() - 2, 0);
        let bits = Value::from(sign.is_negative()).concat(&rest);
        Float::from_bits(self.format, bits)
    }

    /// `fp.neg`
    pub fn neg(&self) -> Float {
        self.with_sign(self.sign().flipped())
    }

    /// `fp.abs`
    pub fn abs(&self) -> Float {
        self.with_sign(Sign::Positive)
    }

    /// A key for comparing numbers: both zeros have the same. `None` for the NaN.
    fn rank(&self) -> Option<(bool, Value)> {
        let magnitude = self.bits.slice(self.format.width() - 2, 0);
        let is_below = self.sign().is_negative() && !self.is_zero();
        // Among negative values the larger magnitude comes first.
        let place = if is_below { magnitude.not() } else { magnitude };
        (!self.is_nan()).then_some((!is_below, place))
    }

    /// `fp.lt`
    pub fn is_less(&self, other: &Float) -> bool {
        self.rank().zip(other.rank()).is_some_and(|(a, b)| a < b)
    }

    /// `fp.leq`
    pub fn is_at_most(&self, other: &Float) -> bool {
        self.rank().zip(other.rank()).is_some_and(|(a, b)| a <= b)
    }

    /// `fp.eq`: the zeros are equal, the NaN is equal to nothing.
    pub fn is_equal(&self, other: &Float) -> bool {
        self.rank().zip(other.rank()).is_some_and(|(a, b)| a == b)
    }

    /// `fp.min`. For zeros of opposite signs, which SMT-LIB leaves unspecified, the second operand.
    pub fn min(&self, other: &Float) -> Float {
        if other.is_nan() || self.is_less(other) { self.clone() } else { other.clone() }
    }

    /// `fp.max`. For zeros of opposite signs, which SMT-LIB leaves unspecified, the second operand.
    pub fn max(&self, other: &Float) -> Float {
        if other.is_nan() || other.is_less(self) { self.clone() } else { other.clone() }
    }

    /// True if they are zeros of different signs: `fp.min` and `fp.max` of them may be either.
    pub fn are_opposite_zeros(&self, other: &Float) -> bool {
        self.is_zero() && other.is_zero() && self.sign() != other.sign()
    }
}

/// As SMT-LIB writes it: `(fp #b0 #b01111 #b0000000000)` and the names of special values.
impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (eb, sb) = (self.format.exponent_bits(), self.format.significand_bits());
        let sign = if self.sign().is_negative() { "-" } else { "+" };
        if self.is_nan() {
            write!(f, "(_ NaN {eb} {sb})")
        } else if self.is_infinite() {
            write!(f, "(_ {sign}oo {eb} {sb})")
        } else if self.is_zero() {
            write!(f, "(_ {sign}zero {eb} {sb})")
        } else {
            let sign = Value::from(self.sign().is_negative());
            write!(f, "(fp {sign} {} {})", self.exponent_field(), self.fraction_field())
        }
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
