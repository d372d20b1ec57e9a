//! What is known about functions of `math.h` whose results are not exact: where they are a NaN, their range, and their sign.
//!
//! A result is a variable limited to what is guaranteed, so no possible run is excluded and none is added beyond the guarantee. Ranges are those of
//! the mathematical function, widened by [`MAX_ERROR`]: a cosine may be slightly above one. Signs are always right in every library.

use crate::machine::Machine;
use crate::terms;
use nub_bitvec::float::{FloatOp as Lowered, FloatOperation, RoundingMode};
use nub_bitvec::{Op, TermId};
use nub_c_ir::{FloatEncoding, FloatOperator, MathFunction, NumberFormat, floats};

/// The largest error assumed of a library, in units in the last place. C guarantees nothing here; libraries in common use document errors of a few
/// units for these functions, and this leaves room.
const MAX_ERROR: u128 = 8;

/// Where a function has no result, and the bounds of its result.
struct Promise {
    /// The result is a NaN.
    is_nan: TermId,
    /// It may be one.
    may_be_nan: TermId,
    /// Otherwise, it is not below this.
    least: TermId,
    /// And not above this.
    most: TermId,
}

impl Machine<'_> {
    /// The result of a function: any value that it may return.
    pub(crate) fn promised(
        &mut self,
        function: MathFunction,
        to: FloatEncoding,
        any: TermId,
        args: &[TermId],
    ) -> TermId {
        let promise = self.promise(function, to, args);
        let above = self.float_compare(Lowered::AtMost, to, promise.least, any);
        let below = self.float_compare(Lowered::AtMost, to, any, promise.most);
        let is_inside = terms::and(&mut self.pool, above, below);
        let number = self.pool.mk(Op::Ite, &[is_inside, any, promise.least]);
        let nan = self.float_number(to, "nan");
        let is_any = self.float_class(Lowered::IsNan, to, any);
        let is_nan = terms::and(&mut self.pool, promise.may_be_nan, is_any);
        let is_nan = terms::or(&mut self.pool, promise.is_nan, is_nan);
        self.pool.mk(Op::Ite, &[is_nan, nan, number])
    }

    fn float_compare(&mut self, op: Lowered, to: FloatEncoding, a: TermId, b: TermId) -> TermId {
        let operation = FloatOperation { op, format: to.values };
        self.floats.apply(&mut self.pool, operation, &[a, b])
    }

    fn float_class(&mut self, op: Lowered, to: FloatEncoding, a: TermId) -> TermId {
        let operation = FloatOperation { op, format: to.values };
        self.floats.apply(&mut self.pool, operation, &[a])
    }

    /// A constant: a number of C, `inf`, `-inf` or `nan`.
    fn float_number(&mut self, to: FloatEncoding, text: &str) -> TermId {
        let digits = text.trim_start_matches('-');
        let one = to.read(b"1.0").unwrap_or(0);
        let zero = floats::FloatOperand { bits: 0, format: NumberFormat::Float(to) };
        let one = floats::FloatOperand { bits: one, ..zero };
        let bits = match digits {
            "inf" => floats::apply(FloatOperator::Div, NumberFormat::Float(to), &[one, zero]),
            "nan" => floats::apply(FloatOperator::Div, NumberFormat::Float(to), &[zero, zero]),
            digits => to.read(digits.as_bytes()).unwrap_or(0),
        };
        let bits = if digits.len() < text.len() { bits ^ to.sign_mask() } else { bits };
        terms::constant(&mut self.pool, to.width(), bits)
    }

    fn promise(&mut self, function: MathFunction, to: FloatEncoding, args: &[TermId]) -> Promise {
        let x = args[0];
        let (least, most) = range(function);
        let (mut least, mut most) = (self.float_number(to, least), self.float_number(to, most));
        let zero = self.float_number(to, "0.0");
        least = self.widened(to, least, Outwards::Down);
        most = self.widened(to, most, Outwards::Up);
        if let Some(turn) = turning_point(function) {
            // Increasing functions: below this operand they are at most zero, above it at least zero.
            let turn = self.float_number(to, turn);
            let is_below = self.float_compare(Lowered::Less, to, x, turn);
            let is_above = self.float_compare(Lowered::Less, to, turn, x);
            least = self.pool.mk(Op::Ite, &[is_above, zero, least]);
            most = self.pool.mk(Op::Ite, &[is_below, zero, most]);
        }
        if function == MathFunction::Pow {
            let is_positive = self.float_compare(Lowered::Less, to, zero, x);
            least = self.pool.mk(Op::Ite, &[is_positive, zero, least]);
        }
        let (is_nan, may_be_nan) = self.promised_nans(function, to, args);
        Promise { is_nan, may_be_nan, least, most }
    }

    /// Where the result is a NaN, and where it may be one.
    fn promised_nans(
        &mut self,
        function: MathFunction,
        to: FloatEncoding,
        args: &[TermId],
    ) -> (TermId, TermId) {
        let x = args[0];
        let is_nan = self.float_class(Lowered::IsNan, to, x);
        let never = self.pool.truth(false);
        if let Some(y) = args.get(1) {
            let is_other = self.float_class(Lowered::IsNan, to, *y);
            let either = terms::or(&mut self.pool, is_nan, is_other);
            return match function {
                // `pow(1, NaN)` and `pow(NaN, 0)` are numbers, and `pow(-8, 1.0 / 3)` is not.
                MathFunction::Pow => {
                    let both = terms::and(&mut self.pool, is_nan, is_other);
                    let is_root = self.is_root_of_negative(to, x, *y);
                    (terms::or(&mut self.pool, both, is_root), either)
                }
                // `hypot(inf, NaN)` is infinite.
                MathFunction::Hypot => {
                    let infinite = [x, *y].map(|arg| self.float_class(Lowered::IsInfinite, to, arg));
                    let is_infinite = terms::or(&mut self.pool, infinite[0], infinite[1]);
                    let is_finite = self.pool.not(is_infinite);
                    (terms::and(&mut self.pool, either, is_finite), never)
                }
                _ => (either, never),
            };
        }
        let outside = self.outside_domain(function, to, x).unwrap_or(never);
        (terms::or(&mut self.pool, is_nan, outside), never)
    }

    /// A finite number below zero to the power of a number that is not whole (C17 F.10.4.4).
    fn is_root_of_negative(&mut self, to: FloatEncoding, x: TermId, y: TermId) -> TermId {
        let (zero, infinity) = (self.float_number(to, "0.0"), self.float_number(to, "-inf"));
        let mode = self.pool.constant(RoundingMode::TowardZero.code());
        let operation = FloatOperation { op: Lowered::RoundToIntegral, format: to.values };
        let whole = self.floats.apply(&mut self.pool, operation, &[mode, y]);
        // Infinity counts as whole, and a NaN as neither.
        let parts = [
            self.float_compare(Lowered::Less, to, infinity, x),
            self.float_compare(Lowered::Less, to, x, zero),
            self.float_class(Lowered::IsNan, to, y),
            self.float_compare(Lowered::Equal, to, whole, y),
        ];
        let is_excluded = terms::or(&mut self.pool, parts[2], parts[3]);
        let is_broken = self.pool.not(is_excluded);
        let is_inside = terms::and(&mut self.pool, parts[0], parts[1]);
        terms::and(&mut self.pool, is_inside, is_broken)
    }

    /// Whether the operand is a number for which there is no result.
    fn outside_domain(&mut self, function: MathFunction, to: FloatEncoding, x: TermId) -> Option<TermId> {
        let low = match function {
            MathFunction::Sin | MathFunction::Cos | MathFunction::Tan => {
                return Some(self.float_class(Lowered::IsInfinite, to, x));
            }
            MathFunction::Asin | MathFunction::Acos | MathFunction::Log1p => "-1.0",
            MathFunction::Log | MathFunction::Log2 | MathFunction::Log10 => "0.0",
            _ => return None,
        };
        let low = self.float_number(to, low);
        let is_below = self.float_compare(Lowered::Less, to, x, low);
        if !matches!(function, MathFunction::Asin | MathFunction::Acos) {
            return Some(is_below);
        }
        let high = self.float_number(to, "1.0");
        let is_above = self.float_compare(Lowered::Less, to, high, x);
        Some(terms::or(&mut self.pool, is_below, is_above))
    }

    /// A bound moved outwards by the error of a library. Zero and infinity are exact.
    fn widened(&mut self, to: FloatEncoding, bound: TermId, outwards: Outwards) -> TermId {
        let bits = terms::known(&self.pool, bound).unwrap_or(0);
        let value = to.decode(bits);
        if value.is_zero() || value.is_infinite() {
            return bound;
        }
        // The bits of floats are ordered by magnitude.
        let is_negative = bits & to.sign_mask() != 0;
        let bits = match (outwards, is_negative) {
            (Outwards::Up, false) | (Outwards::Down, true) => bits + MAX_ERROR,
            _ => bits - MAX_ERROR,
        };
        terms::constant(&mut self.pool, to.width(), bits)
    }
}

/// In which direction a bound moves.
#[derive(Clone, Copy)]
enum Outwards {
    Down,
    Up,
}

/// Bounds of all results, before they are widened. Those of angles are rounded outwards.
fn range(function: MathFunction) -> (&'static str, &'static str) {
    match function {
        MathFunction::Sin | MathFunction::Cos | MathFunction::Tanh => ("-1.0", "1.0"),
        MathFunction::Asin | MathFunction::Atan => ("-1.5708", "1.5708"),
        MathFunction::Acos => ("0.0", "3.1416"),
        MathFunction::Atan2 => ("-3.1416", "3.1416"),
        MathFunction::Exp | MathFunction::Exp2 | MathFunction::Hypot => ("0.0", "inf"),
        MathFunction::Cosh => ("1.0", "inf"),
        MathFunction::Expm1 => ("-1.0", "inf"),
        _ => ("-inf", "inf"),
    }
}

/// Where an increasing function changes its sign.
fn turning_point(function: MathFunction) -> Option<&'static str> {
    match function {
        MathFunction::Asin
        | MathFunction::Atan
        | MathFunction::Sinh
        | MathFunction::Tanh
        | MathFunction::Expm1
        | MathFunction::Log1p
        | MathFunction::Cbrt => Some("0.0"),
        MathFunction::Log | MathFunction::Log2 | MathFunction::Log10 => Some("1.0"),
        _ => None,
    }
}
