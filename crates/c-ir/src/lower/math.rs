//! Functions of `math.h`. Those that are exact are operations, or have a C model (`prelude/math.c`); the values of the others are known only to the
//! library of the machine.

use super::{Lower, Lowered, RValue, Refusal};
use crate::ir::*;
use crate::types::{FloatKind, NumberFormat};
use nub_bitvec::float::{Float, RoundingMode, Sign};
use nub_c_syntax::ast::{self, AstBinaryOp as AstOp};
use nub_text::Span;

/// Functions with one name per type: `floor`, `floorf`, `floorl`.
const BY_SUFFIX: &[(&str, FloatOperator)] = &[
    ("fabs", FloatOperator::Abs),
    ("copysign", FloatOperator::CopySign),
    ("sqrt", FloatOperator::Sqrt),
    ("fma", FloatOperator::Fma),
    ("remainder", FloatOperator::Remainder),
    ("drem", FloatOperator::Remainder),
    ("floor", FloatOperator::Integral(RoundingMode::TowardNegative)),
    ("ceil", FloatOperator::Integral(RoundingMode::TowardPositive)),
    ("trunc", FloatOperator::Integral(RoundingMode::TowardZero)),
    ("round", FloatOperator::Integral(RoundingMode::NearestAway)),
    ("rint", FloatOperator::Rint),
    ("nearbyint", FloatOperator::Rint),
    ("roundeven", FloatOperator::Integral(RoundingMode::NearestEven)),
];

/// Operations that only our models call.
const OF_MODELS: &[(&str, FloatOperator)] =
    &[("nub_quieted", FloatOperator::Quieted), ("nub_either", FloatOperator::Either)];

/// Inexact functions that are not supported.
const REFUSED: &[&str] = &[
    "asinh",
    "acosh",
    "atanh",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
    "gamma",
    "exp10",
    "j0",
    "j1",
    "jn",
    "y0",
    "y1",
    "yn",
    "sincos",
    // They set the rounding mode among other things.
    "fegetenv",
    "fesetenv",
    "feholdexcept",
    "feupdateenv",
    "nexttoward",
];

impl Lower<'_> {
    /// The value of a call of a function of `math.h` without `__builtin_`; `None` if it is another one.
    pub(super) fn math(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Lowered<Option<RValue>> {
        let class = match name.strip_prefix("__CPROVER_") {
            Some("signf" | "signd" | "signld") => "signbit",
            Some(class) => class,
            None => name.trim_start_matches("__"),
        };
        if let Some(value) = self.classification(class, args, span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.special_value(name, args, span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.rounding_call(name, args, span)? {
            return Ok(Some(value));
        }
        for (base, kind) in bases(name) {
            let of_models = if self.shared.is_model { OF_MODELS } else { &[] };
            if let Some((_, op)) = BY_SUFFIX.iter().chain(of_models).find(|(known, _)| *known == base) {
                return self.math_call(*op, kind, args, span).map(Some);
            }
            if let Some(function) = MathFunction::by_name(base) {
                if self.shared.sets_rounding {
                    let message = format!("`{name}` is not supported where the rounding mode can change");
                    return Err(Refusal::new(span, message));
                }
                if kind == FloatKind::LongDouble {
                    let message = format!("`{name}` is not supported: its result is not known exactly");
                    return Err(Refusal::new(span, message));
                }
                return self.math_call(FloatOperator::Library(function), kind, args, span).map(Some);
            }
            if REFUSED.contains(&base) {
                return Err(Refusal::unmodelled(span, format!("`{name}` is not supported")));
            }
        }
        Ok(None)
    }

    fn math_call(
        &mut self,
        op: FloatOperator,
        kind: FloatKind,
        args: &[ast::ExprId],
        span: Span,
    ) -> Lowered<RValue> {
        self.require_args(args, op.n_operands(), span)?;
        let ty = self.float_type(kind);
        let mut operands = Vec::with_capacity(args.len());
        for value in self.argument_values(args)? {
            operands.push(self.assign_convert(value, ty, span)?);
        }
        let result = self.float_op(op, &operands, ty, span);
        self.check_float_result(result, &operands, span);
        Ok(result)
    }

    /// Arguments of a macro for any floating type, converted to their common type.
    fn generic_floats(&mut self, args: &[ast::ExprId], span: Span) -> Lowered<Vec<RValue>> {
        let double = self.float_type(FloatKind::Double);
        let mut values = self.argument_values(args)?;
        for value in &mut values {
            if !self.is_float(value.ty) {
                *value = self.convert(*value, double, span)?;
            }
            self.require_scalar(*value, span)?;
        }
        if let [left, right] = values[..] {
            let (left, right) = self.float_usual(left, right, span)?;
            values = vec![left, right];
        }
        Ok(values)
    }

    fn classification(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Lowered<Option<RValue>> {
        let comparison = match name {
            "isgreater" => Some(AstOp::Gt),
            "isgreaterequal" => Some(AstOp::Ge),
            "isless" => Some(AstOp::Lt),
            "islessequal" => Some(AstOp::Le),
            "islessgreater" | "isunordered" => None,
            _ => return self.class_of_one(name, args, span),
        };
        self.require_args(args, 2, span)?;
        let values = self.generic_floats(args, span)?;
        let (left, right) = (values[0], values[1]);
        Ok(Some(match comparison {
            Some(op) => self.float_compare(op, left, right, span),
            None if name == "islessgreater" => {
                let below = self.float_compare(AstOp::Lt, left, right, span);
                let above = self.float_compare(AstOp::Gt, left, right, span);
                self.binary_op(BinaryOp::Or, below, above, span)
            }
            None => {
                let [a, b] = [left, right].map(|value| self.float_test(FloatOperator::IsNan, &[value], span));
                self.binary_op(BinaryOp::Or, a, b, span)
            }
        }))
    }

    fn class_of_one(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Lowered<Option<RValue>> {
        if name == "fpclassify" {
            self.require_args(args, 6, span)?;
            return self.fpclassify(args, span).map(Some);
        }
        // CBMC writes `ld` for what the library writes as `l`.
        let bases = [Some(name), name.strip_suffix(['f', 'l', 'd']), name.strip_suffix("ld")];
        let known =
            ["isnan", "isinf", "isinf_sign", "isfinite", "finite", "isnormal", "signbit", "issubnormal"];
        let Some(base) = bases.into_iter().flatten().find(|base| known.contains(base)) else {
            return Ok(None);
        };
        self.require_args(args, 1, span)?;
        let value = self.generic_floats(&args[..1], span)?[0];
        Ok(Some(match base {
            "isnan" => self.float_test(FloatOperator::IsNan, &[value], span),
            "isnormal" => self.float_test(FloatOperator::IsNormal, &[value], span),
            "signbit" => self.float_test(FloatOperator::IsNegative, &[value], span),
            "issubnormal" => self.is_subnormal(value, span),
            "isfinite" | "finite" => {
                let is_nan = self.float_test(FloatOperator::IsNan, &[value], span);
                let is_infinite = self.float_test(FloatOperator::IsInfinite, &[value], span);
                let either = self.binary_op(BinaryOp::Or, is_nan, is_infinite, span);
                self.falsity(either, span)
            }
            // `isinf` is 1 or -1, by the sign, as in glibc.
            _ => {
                let is_infinite = self.float_test(FloatOperator::IsInfinite, &[value], span);
                let is_negative = self.float_test(FloatOperator::IsNegative, &[value], span);
                let both = self.binary_op(BinaryOp::And, is_infinite, is_negative, span);
                let twice = self.binary_op(BinaryOp::Add, both, both, span);
                self.binary_op(BinaryOp::Sub, is_infinite, twice, span)
            }
        }))
    }

    fn is_subnormal(&mut self, value: RValue, span: Span) -> RValue {
        let others = [FloatOperator::IsNan, FloatOperator::IsInfinite, FloatOperator::IsNormal];
        let mut any = self.falsity(value, span);
        for op in others {
            let next = self.float_test(op, &[value], span);
            any = self.binary_op(BinaryOp::Or, any, next, span);
        }
        self.falsity(any, span)
    }

    /// The first five arguments are the values for a NaN, an infinity, a normal number, a subnormal number and a zero.
    fn fpclassify(&mut self, args: &[ast::ExprId], span: Span) -> Lowered<RValue> {
        let names = self.argument_values(&args[..5])?;
        let value = self.generic_floats(&args[5..], span)?[0];
        let classes = [
            self.float_test(FloatOperator::IsNan, &[value], span),
            self.float_test(FloatOperator::IsInfinite, &[value], span),
            self.float_test(FloatOperator::IsNormal, &[value], span),
            self.is_subnormal(value, span),
            self.falsity(value, span),
        ];
        let int = self.int_type();
        let mut found = self.plain_int(0, span);
        for (name, class) in names.into_iter().zip(classes) {
            let name = self.convert(name, int, span)?;
            let mask = self.unary_op(UnaryOp::Negate, class, span);
            let chosen = self.binary_op(BinaryOp::And, mask, name, span);
            found = self.binary_op(BinaryOp::Or, found, chosen, span);
        }
        Ok(found)
    }

    /// Infinities and NaNs by name.
    fn special_value(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Lowered<Option<RValue>> {
        let found =
            bases(name).into_iter().find(|(base, _)| ["inf", "huge_val", "nan", "nans"].contains(base));
        let Some((base, kind)) = found else { return Ok(None) };
        let ty = self.float_type(kind);
        let Some(NumberFormat::Float(format)) = self.shared.program.types.number_format(ty) else {
            return Ok(None);
        };
        let infinity = format.encode(&Float::infinity(format.values, Sign::Positive));
        if matches!(base, "inf" | "huge_val") {
            self.require_args(args, 0, span)?;
            return Ok(Some(self.float_constant(infinity, ty, span)));
        }
        self.require_args(args, 1, span)?;
        let Some(text) = self.literal_text(args[0]) else {
            return Err(Refusal::unmodelled(
                span,
                format!("`{name}` is supported only with a literal argument"),
            ));
        };
        let quiet = 1 << (format.values.fraction_bits() - 1);
        let payload = payload(&text) & (quiet - 1);
        let fraction = match base {
            "nan" => quiet | payload,
            // A signalling NaN needs a payload to be one.
            _ if payload == 0 => quiet >> 1,
            _ => payload,
        };
        Ok(Some(self.float_constant(infinity | fraction, ty, span)))
    }
}

/// The ways to split a name: as it is for `double`, or with the suffix of another type.
fn bases(name: &str) -> Vec<(&str, FloatKind)> {
    let float = name.strip_suffix('f').map(|base| (base, FloatKind::Float));
    let long = name.strip_suffix('l').map(|base| (base, FloatKind::LongDouble));
    [Some((name, FloatKind::Double)), float, long].into_iter().flatten().collect()
}

/// The number in the argument of `nan`, as `strtoull` reads it; zero if it is not a number.
fn payload(text: &str) -> u128 {
    let digits = text.trim();
    let (digits, radix) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => (hex, 16),
        None if digits.starts_with('0') => (digits, 8),
        None => (digits, 10),
    };
    u128::from(u64::from_str_radix(digits, radix).unwrap_or(0))
}
