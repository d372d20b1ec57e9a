//! Values of floating-point terms, for scripts that are satisfiable by construction.
//!
//! A float is represented by its encoding, with a single NaN, and a rounding mode by its code. Solvers choose differently where SMT-LIB
//! leaves a result unspecified, such as the integer of an infinity: an application that is unspecified under the chosen values is not
//! generated.

use super::arena::TermIdx;
use super::builder::Builder;
use super::catalog::OpRef;
use super::literals;
use nub_bitvec::float::{
    Float, FloatFormat, FloatOp, FloatOperation, FloatResult, Rational, RoundingMode, Signedness,
};
use nub_bitvec::{Datum, Value};
use nub_random::Rng;
use nub_smtlib::ops::Theory;
use nub_smtlib::{SmtSort, SortId};

/// The value of an application.
pub(super) enum FloatMeaning {
    /// It is not about floats, or no values are known.
    NotHere,
    /// Its value.
    Known(Value),
    /// Solvers do not agree about its value.
    Open,
}

impl Builder<'_> {
    fn format(&self, sort: SortId) -> Option<FloatFormat> {
        let (exponent, significand) = self.universe.float(sort)?;
        FloatFormat::new(exponent, significand)
    }

    /// The value of an application of a floating-point operator.
    pub(super) fn float_meaning(
        &self,
        op: OpRef,
        indices: &[u32],
        args: &[TermIdx],
        sort: SortId,
    ) -> FloatMeaning {
        let Some(evaluation) = self.evaluation.as_ref().filter(|_| op.theory == Theory::FloatingPoint) else {
            return FloatMeaning::NotHere;
        };
        let values: Option<Vec<Value>> = args.iter().map(|arg| evaluation.value(*arg)).collect();
        let found = values.and_then(|values| self.float_value(op.name, indices, (args, &values), sort));
        found.map_or(FloatMeaning::Open, FloatMeaning::Known)
    }

    fn float_value(
        &self,
        name: &str,
        indices: &[u32],
        (args, values): (&[TermIdx], &[Value]),
        sort: SortId,
    ) -> Option<Value> {
        let formats: Vec<Option<FloatFormat>> =
            args.iter().map(|arg| self.format(self.arena.get(*arg).sort)).collect();
        let of_args = || formats.iter().copied().flatten().next();
        let signedness = if matches!(name, "to_fp_unsigned" | "fp.to_ubv") {
            Signedness::Unsigned
        } else {
            Signedness::Signed
        };
        let (op, format) = match (name, values) {
            ("fp", [sign, exponent, fraction]) => {
                let bits = sign.concat(exponent).concat(fraction);
                return exactly(FloatOp::FromBits, self.format(sort)?, &[&bits]);
            }
            ("to_fp", [_]) => (FloatOp::FromBits, self.format(sort)?),
            ("to_fp" | "to_fp_unsigned", [_, of]) => {
                let op = match formats[1] {
                    Some(from) => FloatOp::FromFloat(from),
                    None => FloatOp::FromInteger(signedness, of.width()),
                };
                (op, self.format(sort)?)
            }
            ("fp.to_ubv" | "fp.to_sbv", [_, _]) => {
                (FloatOp::ToInteger(signedness, *indices.first()?), of_args()?)
            }
            ("fp.lt" | "fp.leq" | "fp.gt" | "fp.geq" | "fp.eq", _) => {
                return compared(name, of_args()?, values);
            }
            _ => (FloatOp::from_smtlib(name)?, of_args()?),
        };
        exactly(op, format, &values.iter().collect::<Vec<_>>())
    }

    /// The value of a literal of this theory.
    pub(super) fn float_literal_value(&self, text: &str, sort: SortId) -> Option<Value> {
        if let Some(mode) = RoundingMode::from_smtlib(text) {
            return Some(mode.code());
        }
        let format = self.format(sort)?;
        let words: Vec<&str> = text.split([' ', '(', ')']).filter(|word| !word.is_empty()).collect();
        match words[..] {
            ["_", name, _, _] => Some(Float::named(name, format)?.bits().clone()),
            ["_", "to_fp", _, _, mode, real] => {
                let number = Rational::from_decimal(real.as_bytes())?;
                Some(number.round(format, RoundingMode::from_smtlib(mode)?).bits().clone())
            }
            ["fp", sign, exponent, fraction] => {
                let digits: String =
                    [sign, exponent, fraction].iter().map(|part| part.trim_start_matches("#b")).collect();
                let bits = Value::parse_binary(digits.as_bytes())?;
                Some(Float::from_bits(format, bits).bits().clone())
            }
            _ => None,
        }
    }

    /// A random value of a sort of this theory, if it is one.
    pub(super) fn random_float_value(&mut self, sort: SortId) -> Option<Value> {
        if matches!(self.universe.get(sort), SmtSort::RoundingMode) {
            return Some(self.rng.pick(&RoundingMode::ALL).code());
        }
        let format = self.format(sort)?;
        Some(float(&mut self.rng, format))
    }
}

/// A corner value, or a number of moderate size.
fn float(rng: &mut Rng, format: FloatFormat) -> Value {
    let (exponent_bits, fraction_bits) = (format.exponent_bits(), format.fraction_bits());
    let sign = Value::from(rng.percent(50));
    let exponent = if rng.percent(60) {
        let near = Value::from_u64(exponent_bits, rng.below(8_u64));
        Value::max_signed(exponent_bits).add(&near).sub(&Value::from_u64(exponent_bits, 3))
    } else {
        literals::bits(rng, exponent_bits)
    };
    let bits = sign.concat(&exponent).concat(&literals::bits(rng, fraction_bits));
    Float::from_bits(format, bits).bits().clone()
}

/// The result, if it is specified; `None` if the operands do not fit the operator.
fn exactly(op: FloatOp, format: FloatFormat, values: &[&Value]) -> Option<Value> {
    let operation = FloatOperation { op, format };
    if !values.iter().map(|value| value.width()).eq(operation.operand_widths()) {
        return None;
    }
    match operation.evaluate(values) {
        FloatResult::Exactly(value) => Some(value),
        FloatResult::Open(_) => None,
    }
}

/// Comparisons of adjacent arguments.
fn compared(name: &str, format: FloatFormat, values: &[Value]) -> Option<Value> {
    let op = match name {
        "fp.lt" | "fp.gt" => FloatOp::Less,
        "fp.leq" | "fp.geq" => FloatOp::AtMost,
        _ => FloatOp::Equal,
    };
    let is_swapped = matches!(name, "fp.gt" | "fp.geq");
    let mut all = true;
    for pair in values.windows(2) {
        let pair = if is_swapped { [&pair[1], &pair[0]] } else { [&pair[0], &pair[1]] };
        all &= Datum::Bits(exactly(op, format, &pair)?).is_true();
    }
    Some(Value::from(all))
}
