//! Operations on floating-point numbers.

use crate::types::IntFormat;
use nub_bitvec::float::RoundingMode;

/// An operation on floats. All floating operands have the same format, which is that of the result if the result is a float. Results are rounded to
/// nearest, the mode that a program starts with, unless there is one more operand: the mode, as an `int` ([`crate::floats::MODES`]). Predicates yield
/// `int`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatOperator {
    /// `-x`: flips the sign bit, also that of a NaN.
    Negate,
    /// `fabs`: clears the sign bit.
    Abs,
    /// `copysign`: takes the sign bit of the second operand.
    CopySign,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient. Division by zero is defined (C17 annex F).
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
    /// Whether the encodings are the same bit by bit: a NaN is the same as itself, and the two zeros differ.
    SameBits,
    /// Does it fit an integer type, once truncated towards zero?
    Fits(IntFormat),
    /// The same number, except that a NaN becomes the default one: the result of functions that return an operand.
    Quieted,
    /// Either operand; C leaves open which, and here it is the first.
    Either,
    /// Its encoding as an unsigned integer of the same width.
    Bits,
    /// The float with this encoding; the operand is an integer of the same width.
    OfBits,
    /// A function whose results are not exact: the math library of this machine computes them.
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
    /// Whether compilers may call a function of `math.h` for it.
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

    /// Whether its result depends on the rounding mode, which may be an additional operand.
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
