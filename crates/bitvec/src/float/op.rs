//! The operators of the SMT-LIB theory, on encodings: which operands they take and what they evaluate to.

use super::{Float, FloatFormat, RoundingMode, Signedness};
use crate::Value;

/// An operator. [`FloatOperation`] adds its format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // Named as in SMT-LIB.
pub enum FloatOp {
    Abs,
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    Sqrt,
    Rem,
    RoundToIntegral,
    Min,
    Max,
    AtMost,
    Less,
    Equal,
    IsNormal,
    IsSubnormal,
    IsZero,
    IsInfinite,
    IsNan,
    IsNegative,
    IsPositive,
    /// `to_fp` from an encoding.
    FromBits,
    /// `to_fp` from a value of this format.
    FromFloat(FloatFormat),
    /// `to_fp` and `to_fp_unsigned` from an integer of this width.
    FromInteger(Signedness, u32),
    /// `fp.to_sbv` and `fp.to_ubv` to this width.
    ToInteger(Signedness, u32),
    /// `fp.to_ieee_bv`, an extension of the standard.
    ToBits,
}

impl FloatOp {
    /// The operators without parameters: all except conversions to and from other formats and integers.
    pub const PLAIN: [FloatOp; 24] = [
        FloatOp::Abs,
        FloatOp::Neg,
        FloatOp::Add,
        FloatOp::Sub,
        FloatOp::Mul,
        FloatOp::Div,
        FloatOp::Fma,
        FloatOp::Sqrt,
        FloatOp::Rem,
        FloatOp::RoundToIntegral,
        FloatOp::Min,
        FloatOp::Max,
        FloatOp::AtMost,
        FloatOp::Less,
        FloatOp::Equal,
        FloatOp::IsNormal,
        FloatOp::IsSubnormal,
        FloatOp::IsZero,
        FloatOp::IsInfinite,
        FloatOp::IsNan,
        FloatOp::IsNegative,
        FloatOp::IsPositive,
        FloatOp::FromBits,
        FloatOp::ToBits,
    ];

    /// The operator with this name that takes floats of one format, preceded by a mode if it rounds. `fp.gt` and `fp.geq` are not
    /// included: they are `fp.lt` and `fp.leq` with their operands swapped.
    pub fn from_smtlib(name: &str) -> Option<FloatOp> {
        Some(match name {
            "fp.abs" => FloatOp::Abs,
            "fp.neg" => FloatOp::Neg,
            "fp.add" => FloatOp::Add,
            "fp.sub" => FloatOp::Sub,
            "fp.mul" => FloatOp::Mul,
            "fp.div" => FloatOp::Div,
            "fp.fma" => FloatOp::Fma,
            "fp.sqrt" => FloatOp::Sqrt,
            "fp.rem" => FloatOp::Rem,
            "fp.roundToIntegral" => FloatOp::RoundToIntegral,
            "fp.min" => FloatOp::Min,
            "fp.max" => FloatOp::Max,
            "fp.lt" => FloatOp::Less,
            "fp.leq" => FloatOp::AtMost,
            "fp.eq" => FloatOp::Equal,
            "fp.isNormal" => FloatOp::IsNormal,
            "fp.isSubnormal" => FloatOp::IsSubnormal,
            "fp.isZero" => FloatOp::IsZero,
            "fp.isInfinite" => FloatOp::IsInfinite,
            "fp.isNaN" => FloatOp::IsNan,
            "fp.isNegative" => FloatOp::IsNegative,
            "fp.isPositive" => FloatOp::IsPositive,
            "fp.to_ieee_bv" | "to_ieee_bv" => FloatOp::ToBits,
            _ => return None,
        })
    }
}

/// An operator and a format: that of the result if it is a float, otherwise that of the operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FloatOperation {
    /// The operator.
    pub op: FloatOp,
    /// The format.
    pub format: FloatFormat,
}

/// The result of an operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FloatResult {
    /// This value.
    Exactly(Value),
    /// Unspecified by SMT-LIB: any value that it allows, but always the same one for the same operands.
    Open(OpenResult),
}

/// The values that SMT-LIB allows for an unspecified result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpenResult {
    /// A zero of either sign.
    AnyZero(FloatFormat),
    /// The encoding of a NaN.
    AnyNan(FloatFormat),
    /// Any bit-vector of this width.
    AnyBits(u32),
}

impl OpenResult {
    /// Whether a value is one of those.
    pub fn allows(&self, value: &Value) -> bool {
        match self {
            OpenResult::AnyZero(format) => Float::from_bits(*format, value.clone()).is_zero(),
            OpenResult::AnyNan(format) => Float::from_bits(*format, value.clone()).is_nan(),
            OpenResult::AnyBits(width) => value.width() == *width,
        }
    }
}

impl FloatResult {
    /// Whether it may be this value.
    pub fn allows(&self, value: &Value) -> bool {
        match self {
            FloatResult::Exactly(expected) => expected == value,
            FloatResult::Open(open) => open.allows(value),
        }
    }
}

impl FloatOperation {
    /// True if the first operand is a rounding mode.
    pub fn has_mode(self) -> bool {
        use FloatOp::*;
        matches!(
            self.op,
            Add | Sub
                | Mul
                | Div
                | Fma
                | Sqrt
                | RoundToIntegral
                | FromFloat(_)
                | FromInteger(..)
                | ToInteger(..)
        )
    }

    /// Widths of the operands.
    pub fn operand_widths(self) -> Vec<u32> {
        use FloatOp::*;
        let others = match self.op {
            FromFloat(from) => vec![from.width()],
            FromInteger(_, width) => vec![width],
            Fma => vec![self.format.width(); 3],
            Add | Sub | Mul | Div | Rem | Min | Max | AtMost | Less | Equal => vec![self.format.width(); 2],
            _ => vec![self.format.width()],
        };
        let mode = self.has_mode().then_some(RoundingMode::CODE_BITS);
        mode.into_iter().chain(others).collect()
    }

    /// The width of the result.
    pub fn result_width(self) -> u32 {
        use FloatOp::*;
        match self.op {
            ToInteger(_, width) => width,
            AtMost | Less | Equal | IsNormal | IsSubnormal | IsZero | IsInfinite | IsNan | IsNegative
            | IsPositive => 1,
            _ => self.format.width(),
        }
    }

    /// The result. Panics if the number or the widths of the operands are wrong, or if the mode is invalid.
    pub fn evaluate(self, args: &[&Value]) -> FloatResult {
        let widths = self.operand_widths();
        assert!(args.iter().map(|arg| arg.width()).eq(widths), "operands of other widths");
        if self.has_mode() {
            let mode = RoundingMode::from_code(args[0]).expect("a rounding mode has one of five codes");
            return self.rounded(mode, &args[1..]);
        }
        self.unrounded(args)
    }

    fn float(self, bits: &Value) -> Float {
        Float::from_bits(self.format, bits.clone())
    }

    fn rounded(self, mode: RoundingMode, args: &[&Value]) -> FloatResult {
        let float = |index: usize| self.float(args[index]);
        let found = match self.op {
            FloatOp::Add => float(0).add(&float(1), mode),
            FloatOp::Sub => float(0).sub(&float(1), mode),
            FloatOp::Mul => float(0).mul(&float(1), mode),
            FloatOp::Div => float(0).div(&float(1), mode),
            FloatOp::Fma => float(0).fma(&float(1), &float(2), mode),
            FloatOp::Sqrt => float(0).sqrt(mode),
            FloatOp::RoundToIntegral => float(0).round_to_integral(mode),
            FloatOp::FromFloat(from) => Float::from_bits(from, args[0].clone()).to_format(self.format, mode),
            FloatOp::FromInteger(signedness, _) => {
                Float::from_integer(self.format, mode, signedness, args[0])
            }
            FloatOp::ToInteger(signedness, width) => {
                return match float(0).to_integer(mode, signedness, width) {
                    Some(bits) => FloatResult::Exactly(bits),
                    None => FloatResult::Open(OpenResult::AnyBits(width)),
                };
            }
            op => unreachable!("{op:?} does not round"),
        };
        FloatResult::Exactly(found.bits().clone())
    }

    fn unrounded(self, args: &[&Value]) -> FloatResult {
        let float = |index: usize| self.float(args[index]);
        let truth = |truth: bool| FloatResult::Exactly(Value::from(truth));
        let found = match self.op {
            FloatOp::AtMost => return truth(float(0).is_at_most(&float(1))),
            FloatOp::Less => return truth(float(0).is_less(&float(1))),
            FloatOp::Equal => return truth(float(0).is_equal(&float(1))),
            FloatOp::IsNormal => return truth(float(0).is_normal()),
            FloatOp::IsSubnormal => return truth(float(0).is_subnormal()),
            FloatOp::IsZero => return truth(float(0).is_zero()),
            FloatOp::IsInfinite => return truth(float(0).is_infinite()),
            FloatOp::IsNan => return truth(float(0).is_nan()),
            FloatOp::IsNegative => return truth(float(0).is_negative()),
            FloatOp::IsPositive => return truth(float(0).is_positive()),
            FloatOp::Min | FloatOp::Max if float(0).are_opposite_zeros(&float(1)) => {
                return FloatResult::Open(OpenResult::AnyZero(self.format));
            }
            FloatOp::ToBits if float(0).is_nan() => {
                return FloatResult::Open(OpenResult::AnyNan(self.format));
            }
            FloatOp::Min => float(0).min(&float(1)),
            FloatOp::Max => float(0).max(&float(1)),
            FloatOp::Abs => float(0).abs(),
            FloatOp::Neg => float(0).neg(),
            FloatOp::Rem => float(0).rem(&float(1)),
            FloatOp::FromBits | FloatOp::ToBits => float(0),
            op => unreachable!("{op:?} rounds"),
        };
        FloatResult::Exactly(found.bits().clone())
    }
}
