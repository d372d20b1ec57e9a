//! Operations on floating-point numbers.

use crate::types::IntFormat;
use nub_bitvec::float::RoundingMode;

/// An operation on floats. Operands that are floats have the format of the result if that is a float, and of each other. Results
/// are rounded to nearest, the mode that a program starts with, unless there is one more operand: the mode, as an `int`
/// ([`crate::floats::MODES`]). Questions yield `int`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatOperator {
    /// `-x`: another sign bit, that of a NaN too.
    Negate,
    /// `fabs`: no sign bit.
    Abs,
    /// `copysign`: the sign bit of the second operand.
    CopySign,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient. That by zero is defined (C17 annex F).
    Div,
    /// `remainder`: by the nearest quotient. Exact.
    Remainder,
    /// `fma`: rounded once.
    Fma,
    /// `sqrt`
    Sqrt,
    /// To an integer in the same format: `floor`, `ceil`, `trunc`, `round`, `roundeven`.
    Integral(RoundingMode),
    /// `rint`: to an integer in the same format, in the mode of the program.
    Rint,
    /// From a float of another format, or from an integer.
    FromNumber,
    /// To an integer, towards zero. What does not fit is undefined, and has a [`FloatOperator::Fits`] before it.
    ToInteger,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `==`
    Equal,
    /// `isnan`
    IsNan,
    /// `isinf`
    IsInfinite,
    /// `isnormal`
    IsNormal,
    /// `signbit`
    IsNegative,
    /// Are the encodings the same, bit by bit? So is a NaN itself, and the two zeros are different.
    SameBits,
    /// Does it fit an integer type, cut towards zero?
    Fits(IntFormat),
    /// The same number, and of a NaN another one: what functions return that hand their operand on.
    Quieted,
    /// The first operand, or the second: C leaves it open, and here it is the first.
    Either,
    /// Its encoding as an unsigned integer of the same width.
    Bits,
    /// The float with this encoding; the operand is an integer of the same width.
    OfBits,
    /// A function whose results are not exact: what the library of this machine says.
    Library(MathFunction),
}

/// Functions of `math.h` whose results are not exact. The standard does not say what they return, and libraries differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // The names are C's.
pub enum MathFunction {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Pow,
    Cbrt,
    Hypot,
}

impl MathFunction {
    /// All, with their names for `double`.
    pub const ALL: &[(&str, MathFunction)] = &[
        ("sin", MathFunction::Sin),
        ("cos", MathFunction::Cos),
        ("tan", MathFunction::Tan),
        ("asin", MathFunction::Asin),
        ("acos", MathFunction::Acos),
        ("atan", MathFunction::Atan),
        ("atan2", MathFunction::Atan2),
        ("sinh", MathFunction::Sinh),
        ("cosh", MathFunction::Cosh),
        ("tanh", MathFunction::Tanh),
        ("exp", MathFunction::Exp),
        ("exp2", MathFunction::Exp2),
        ("expm1", MathFunction::Expm1),
        ("log", MathFunction::Log),
        ("log2", MathFunction::Log2),
        ("log10", MathFunction::Log10),
        ("log1p", MathFunction::Log1p),
        ("pow", MathFunction::Pow),
        ("cbrt", MathFunction::Cbrt),
        ("hypot", MathFunction::Hypot),
    ];

    /// The function with this name for `double`.
    pub fn by_name(name: &str) -> Option<MathFunction> {
        MathFunction::ALL.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
    }

    /// How many operands it has.
    pub fn n_operands(self) -> usize {
        if matches!(self, MathFunction::Atan2 | MathFunction::Pow | MathFunction::Hypot) { 2 } else { 1 }
    }
}

/// What an operation yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatYield {
    /// A float.
    Float,
    /// An integer of the type of the expression.
    Integer,
    /// 0 or 1 as `int`.
    Truth,
}

impl FloatOperator {
    /// It is a function of `math.h` that compilers may call.
    pub fn is_library_call(self) -> bool {
        matches!(
            self,
            FloatOperator::Library(_)
                | FloatOperator::Sqrt
                | FloatOperator::Fma
                | FloatOperator::Remainder
                | FloatOperator::Integral(_)
                | FloatOperator::Rint
        )
    }

    /// Its result depends on the rounding mode, which it may have as one more operand.
    pub fn rounds(self) -> bool {
        use FloatOperator::{Add, Div, Fma, FromNumber, Mul, Rint, Sqrt, Sub};
        matches!(self, Add | Sub | Mul | Div | Fma | Sqrt | Rint | FromNumber)
    }

    /// What it yields.
    pub fn yields(self) -> FloatYield {
        match self {
            FloatOperator::ToInteger | FloatOperator::Bits => FloatYield::Integer,
            FloatOperator::Less
            | FloatOperator::AtMost
            | FloatOperator::Equal
            | FloatOperator::IsNan
            | FloatOperator::IsInfinite
            | FloatOperator::IsNormal
            | FloatOperator::IsNegative
            | FloatOperator::SameBits
            | FloatOperator::Fits(_) => FloatYield::Truth,
            _ => FloatYield::Float,
        }
    }

    /// How many operands it has.
    pub fn n_operands(self) -> usize {
        match self {
            FloatOperator::Fma => 3,
            FloatOperator::Library(function) => function.n_operands(),
            FloatOperator::CopySign
            | FloatOperator::Either
            | FloatOperator::Add
            | FloatOperator::Sub
            | FloatOperator::Mul
            | FloatOperator::Div
            | FloatOperator::Remainder
            | FloatOperator::Less
            | FloatOperator::AtMost
            | FloatOperator::Equal
            | FloatOperator::SameBits => 2,
            _ => 1,
        }
    }
}
