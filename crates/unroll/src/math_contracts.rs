//! What is known of functions of `math.h` whose results are not exact: where they are a NaN, their range, and their sign.
//!
//! A result is a variable cut to what is promised, so no run is excluded and none is added beyond the promise. Ranges are
//! those of the mathematical function, widened to the next values: a library may round outwards.

use crate::machine::Machine;
use crate::terms;
use nub_bitvec::float::FloatOp as Lowered;
use nub_bitvec::{Op, TermId};
use nub_c_ir::{FloatEncoding, FloatOp, MathFunction, NumberFormat, floats};

/// Where a function has no result, and what bounds it.
struct Promise {
    /// The result is a NaN.
    is_nan: TermId,
    /// Otherwise it is not below.
    least: TermId,
    /// And not above.
    most: TermId,
}

impl Machine<'_> {
    /// The result of a function: any value that it may have.
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
        self.pool.mk(Op::Ite, &[promise.is_nan, nan, number])
    }

    fn float_compare(&mut self, op: Lowered, to: FloatEncoding, a: TermId, b: TermId) -> TermId {
        let operation = nub_bitvec::float::FloatOperation { op, format: to.values };
        self.floats.apply(&mut self.pool, operation, &[a, b])
    }

    fn float_class(&mut self, op: Lowered, to: FloatEncoding, a: TermId) -> TermId {
        let operation = nub_bitvec::float::FloatOperation { op, format: to.values };
        self.floats.apply(&mut self.pool, operation, &[a])
    }

    /// A constant: a number of C, `inf`, `-inf` or `nan`.
    fn float_number(&mut self, to: FloatEncoding, text: &str) -> TermId {
        let digits = text.trim_start_matches('-');
        let one = to.read(b"1.0").unwrap_or(0);
        let zero = floats::FloatOperand { bits: 0, format: NumberFormat::Float(to) };
        let one = floats::FloatOperand { bits: one, ..zero };
        let bits = match digits {
            "inf" => floats::apply(FloatOp::Div, NumberFormat::Float(to), &[one, zero]),
            "nan" => floats::apply(FloatOp::Div, NumberFormat::Float(to), &[zero, zero]),
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
        let mut is_nan = self.float_class(Lowered::IsNan, to, x);
        if let Some(y) = args.get(1) {
            // `pow(1, NaN)`, `hypot(inf, NaN)` and their like are numbers: a NaN is only promised if both are one.
            let other = self.float_class(Lowered::IsNan, to, *y);
            is_nan = terms::and(&mut self.pool, is_nan, other);
        }
        let outside = match function {
            MathFunction::Sin | MathFunction::Cos | MathFunction::Tan => {
                Some(self.float_class(Lowered::IsInfinite, to, x))
            }
            MathFunction::Asin | MathFunction::Acos => {
                let (low, high) = (self.float_number(to, "-1.0"), self.float_number(to, "1.0"));
                let (below, above) = (
                    self.float_compare(Lowered::Less, to, x, low),
                    self.float_compare(Lowered::Less, to, high, x),
                );
                Some(terms::or(&mut self.pool, below, above))
            }
            MathFunction::Log | MathFunction::Log2 | MathFunction::Log10 => {
                Some(self.float_compare(Lowered::Less, to, x, zero))
            }
            MathFunction::Log1p => {
                let low = self.float_number(to, "-1.0");
                Some(self.float_compare(Lowered::Less, to, x, low))
            }
            _ => None,
        };
        if let Some(outside) = outside {
            is_nan = terms::or(&mut self.pool, is_nan, outside);
        }
        if let Some(turn) = turning_point(function) {
            // Increasing functions: below this operand they are at most zero, above it at least.
            let turn = self.float_number(to, turn);
            let is_below = self.float_compare(Lowered::Less, to, x, turn);
            let is_above = self.float_compare(Lowered::Less, to, turn, x);
            least = self.pool.mk(Op::Ite, &[is_above, zero, least]);
            most = self.pool.mk(Op::Ite, &[is_below, zero, most]);
        }
        Promise { is_nan, least, most }
    }
}

/// Bounds of all results. Those of angles are a little above the true ones.
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
