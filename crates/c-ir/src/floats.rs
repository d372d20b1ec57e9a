//! Floating-point arithmetic on the bits of values, as [`crate::ints`] is for integers.
//!
//! A value is its encoding in a `u128`, as memory has it: the sign and the payload of a NaN are kept where C keeps them (copies, `-x`,
//! `fabs`, `copysign`). C does not say which NaN an operation makes; here it is the quiet one without sign and payload.

use crate::ir::{FloatOperator, MathFunction};
use crate::types::{FloatEncoding, FloatKind, IntFormat, NumberFormat};
use nub_bitvec::Value;
use nub_bitvec::float::{Float, FloatFormat, Rational, RoundingMode, Signedness};

impl FloatEncoding {
    /// binary32
    pub const SINGLE: FloatEncoding = FloatEncoding { values: FloatFormat::SINGLE, has_leading_bit: false };
    /// binary64
    pub const DOUBLE: FloatEncoding = FloatEncoding { values: FloatFormat::DOUBLE, has_leading_bit: false };
    /// The 80 bits of the x87, which write the leading bit of the significand.
    pub const EXTENDED: FloatEncoding =
        FloatEncoding { values: FloatFormat::EXTENDED, has_leading_bit: true };

    /// Bits of a value.
    pub fn width(self) -> u32 {
        self.values.width() + u32::from(self.has_leading_bit)
    }

    /// The value with an encoding. An explicit leading bit is ignored: no operation makes one that contradicts the exponent.
    pub fn decode(self, bits: u128) -> Float {
        let fraction = self.values.fraction_bits();
        let bits = if self.has_leading_bit {
            let low = bits & ((1 << fraction) - 1);
            bits >> (fraction + 1) << fraction | low
        } else {
            bits
        };
        Float::from_bits(self.values, wide(bits, self.values.width()))
    }

    /// The encoding of a value.
    pub fn encode(self, value: &Float) -> u128 {
        let bits = narrow(value.bits());
        if !self.has_leading_bit {
            return bits;
        }
        let fraction = self.values.fraction_bits();
        let (high, low) = (bits >> fraction, bits & ((1 << fraction) - 1));
        let exponent = high & ((1 << self.values.exponent_bits()) - 1);
        (high << 1 | u128::from(exponent != 0)) << fraction | low
    }

    /// The encoding of a floating constant of C, rounded once; `None` if the text is not one.
    pub fn read(self, text: &[u8]) -> Option<u128> {
        let rational = Rational::from_c(text)?;
        Some(self.encode(&rational.round(self.values, RoundingMode::NearestEven)))
    }

    /// The sign bit alone.
    pub fn sign_mask(self) -> u128 {
        1 << (self.width() - 1)
    }
}

fn wide(bits: u128, width: u32) -> Value {
    Value::from_bits((0..width).map(|bit| bits >> bit & 1 == 1))
}

fn narrow(value: &Value) -> u128 {
    value.bits().enumerate().fold(0, |bits, (at, bit)| bits | u128::from(bit) << at)
}

fn signedness(format: IntFormat) -> Signedness {
    if format.is_signed { Signedness::Signed } else { Signedness::Unsigned }
}

impl crate::types::Types {
    /// A float of this type as C writes it, with the suffix of its type; a NaN by its name in gcc and clang, so that sign and payload are
    /// kept. `None` if the type is not a float.
    pub fn shown_float(&self, ty: crate::ids::TypeId, bits: u128) -> Option<String> {
        let format = self.float_format(ty)?;
        let suffix = match self.float_kind(ty)? {
            FloatKind::Float => "f",
            FloatKind::LongDouble => "l",
            _ => "",
        };
        let value = format.decode(bits);
        let sign = if bits & format.sign_mask() != 0 { "-" } else { "" };
        if value.is_infinite() {
            return Some(format!("{sign}__builtin_inf{suffix}()"));
        }
        if value.is_nan() {
            let quiet = 1 << (format.values.fraction_bits() - 1);
            let payload = bits & (quiet - 1);
            let name = if bits & quiet != 0 { "nan" } else { "nans" };
            let payload = if payload == 0 { String::new() } else { format!("0x{payload:x}") };
            return Some(format!("{sign}__builtin_{name}{suffix}(\"{payload}\")"));
        }
        Some(format!("{}{}", value.to_shortest(), suffix.replace('l', "L")))
    }
}

/// The result of converting a number that does not fit the integer type, which is undefined: the smallest integer, as on x86.
pub fn unfit_integer(width: u32) -> u128 {
    1 << (width - 1)
}

/// An operand with its representation.
#[derive(Clone, Copy, Debug)]
pub struct FloatOperand {
    /// The bits of a float, or of an integer that becomes one.
    pub bits: u128,
    /// What they mean.
    pub format: NumberFormat,
}

impl FloatOperand {
    fn float(self) -> Float {
        match self.format {
            NumberFormat::Float(format) => format.decode(self.bits),
            NumberFormat::Int(_) => unreachable!("the validator asks for a float here"),
        }
    }
}

/// The rounding modes that C lets a program set on x86, indexed by the mode operand of an operation.
pub const MODES: [RoundingMode; 4] = [
    RoundingMode::NearestEven,
    RoundingMode::TowardNegative,
    RoundingMode::TowardPositive,
    RoundingMode::TowardZero,
];

/// The mode that is the last operand of an operation that has one.
fn mode_of(op: FloatOperator, operands: &[FloatOperand]) -> RoundingMode {
    let number = operands.get(op.n_operands()).map_or(0, |mode| mode.bits);
    usize::try_from(number).ok().and_then(|number| MODES.get(number)).copied().unwrap_or(MODES[0])
}

/// The result of an operation: bits of the result's format, or 0 and 1. Panics if there are fewer operands than it needs.
pub fn apply(op: FloatOperator, result: NumberFormat, operands: &[FloatOperand]) -> u128 {
    match (op, result) {
        (FloatOperator::ToInteger, NumberFormat::Int(to)) => {
            let found = operands[0].float().to_integer(RoundingMode::TowardZero, signedness(to), to.width);
            found.map_or(unfit_integer(to.width), |value| narrow(&value))
        }
        (FloatOperator::Bits | FloatOperator::OfBits, _) => operands[0].bits,
        (_, NumberFormat::Float(to)) => made(op, to, operands),
        _ => u128::from(is_true(op, operands)),
    }
}

/// Operations that make a float.
fn made(op: FloatOperator, to: FloatEncoding, operands: &[FloatOperand]) -> u128 {
    let (mode, sign) = (mode_of(op, operands), to.sign_mask());
    let float = |at: usize| operands[at].float();
    let value = match op {
        FloatOperator::Negate => return operands[0].bits ^ sign,
        FloatOperator::Abs => return operands[0].bits & !sign,
        FloatOperator::CopySign => return operands[0].bits & !sign | operands[1].bits & sign,
        FloatOperator::Either => return operands[0].bits,
        FloatOperator::Quieted => float(0),
        FloatOperator::Add => float(0).add(&float(1), mode),
        FloatOperator::Sub => float(0).sub(&float(1), mode),
        FloatOperator::Mul => float(0).mul(&float(1), mode),
        FloatOperator::Div => float(0).div(&float(1), mode),
        FloatOperator::Remainder => float(0).rem(&float(1)),
        FloatOperator::Fma => float(0).fma(&float(1), &float(2), mode),
        FloatOperator::Sqrt => float(0).sqrt(mode),
        FloatOperator::Integral(mode) => float(0).round_to_integral(mode),
        FloatOperator::Rint => float(0).round_to_integral(mode),
        FloatOperator::FromNumber => match operands[0].format {
            NumberFormat::Float(_) => float(0).to_format(to.values, mode),
            NumberFormat::Int(from) => {
                let bits = wide(operands[0].bits, from.width);
                Float::from_integer(to.values, mode, signedness(from), &bits)
            }
        },
        FloatOperator::Library(function) => return from_library(function, to, operands),
        op => unreachable!("{op:?} makes no float"),
    };
    to.encode(&value)
}

/// What the library of this machine returns. There is no such operation on `long double`.
fn from_library(function: MathFunction, to: FloatEncoding, operands: &[FloatOperand]) -> u128 {
    macro_rules! call {
        ($float:ty, $bits:ty) => {{
            let operand =
                |at: usize| <$float>::from_bits(operands.get(at).map_or(0, |found| found.bits as $bits));
            let (x, y) = (operand(0), operand(1));
            let value: $float = match function {
                MathFunction::Sin => x.sin(),
                MathFunction::Cos => x.cos(),
                MathFunction::Tan => x.tan(),
                MathFunction::Asin => x.asin(),
                MathFunction::Acos => x.acos(),
                MathFunction::Atan => x.atan(),
                MathFunction::Atan2 => x.atan2(y),
                MathFunction::Sinh => x.sinh(),
                MathFunction::Cosh => x.cosh(),
                MathFunction::Tanh => x.tanh(),
                MathFunction::Exp => x.exp(),
                MathFunction::Exp2 => x.exp2(),
                MathFunction::Expm1 => x.exp_m1(),
                MathFunction::Log => x.ln(),
                MathFunction::Log2 => x.log2(),
                MathFunction::Log10 => x.log10(),
                MathFunction::Log1p => x.ln_1p(),
                MathFunction::Pow => x.powf(y),
                MathFunction::Cbrt => x.cbrt(),
                MathFunction::Hypot => x.hypot(y),
            };
            // A single NaN, as for all operations.
            if value.is_nan() { <$float>::NAN.abs().to_bits() } else { value.to_bits() }
        }};
    }
    if to == FloatEncoding::SINGLE { u128::from(call!(f32, u32)) } else { u128::from(call!(f64, u64)) }
}

/// Operations that return a truth value.
fn is_true(op: FloatOperator, operands: &[FloatOperand]) -> bool {
    let float = |at: usize| operands[at].float();
    match op {
        FloatOperator::Less => float(0).is_less(&float(1)),
        FloatOperator::AtMost => float(0).is_at_most(&float(1)),
        FloatOperator::Equal => float(0).is_equal(&float(1)),
        FloatOperator::IsNan => float(0).is_nan(),
        FloatOperator::IsInfinite => float(0).is_infinite(),
        FloatOperator::IsNormal => float(0).is_normal(),
        FloatOperator::IsNegative => match operands[0].format {
            NumberFormat::Float(format) => operands[0].bits & format.sign_mask() != 0,
            NumberFormat::Int(_) => false,
        },
        FloatOperator::SameBits => operands[0].bits == operands[1].bits,
        FloatOperator::Fits(to) => {
            float(0).to_integer(RoundingMode::TowardZero, signedness(to), to.width).is_some()
        }
        op => unreachable!("{op:?} is not a question"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_x87_encoding_has_its_leading_bit() {
        let one = FloatEncoding::EXTENDED.read(b"1.0").unwrap();
        assert_eq!(one, 0x3fff_8000_0000_0000_0000);
        let half = FloatEncoding::EXTENDED.read(b"0x1p-1").unwrap();
        assert_eq!(half, 0x3ffe_8000_0000_0000_0000);
        let least = FloatEncoding::EXTENDED.read(b"0x1p-16445").unwrap();
        assert_eq!(least, 1);
        for bits in [one, half, least, 0, 0x8000_0000_0000_0000_0000, 0x7fff_8000_0000_0000_0000] {
            assert_eq!(FloatEncoding::EXTENDED.encode(&FloatEncoding::EXTENDED.decode(bits)), bits);
        }
    }

    #[test]
    fn sign_and_payload_of_a_nan_are_kept() {
        let nan = FloatOperand { bits: 0xffc0_1234, format: NumberFormat::Float(FloatEncoding::SINGLE) };
        let result = NumberFormat::Float(FloatEncoding::SINGLE);
        assert_eq!(apply(FloatOperator::Negate, result, &[nan]), 0x7fc0_1234);
        assert_eq!(apply(FloatOperator::Abs, result, &[nan]), 0x7fc0_1234);
        let minus = FloatOperand { bits: 0x8000_0000, ..nan };
        let plus = FloatOperand { bits: 0x7fc0_1234, ..nan };
        assert_eq!(apply(FloatOperator::CopySign, result, &[plus, minus]), 0xffc0_1234);
    }
}
