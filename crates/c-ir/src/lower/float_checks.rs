//! Checks of floating-point arithmetic that C does not require but users may: a NaN from numbers, an infinity from finite numbers, a conversion that
//! changes the number. They are emitted where [`crate::DataModel::extra_checks`] names them.
//!
//! What is constant is not checked: `0.0 / 0.0` is how programs write a NaN, and `float x = 0.1;` is rounded by the compiler. Nor is what our
//! models of library functions compute.

use super::{Lower, RValue};
use crate::ids::ExprId;
use crate::ir::{BinaryOp, CheckKind, CompareOp, ExprKind, FloatOperator};
use crate::types::NumberFormat;
use nub_text::Span;

impl Lower<'_> {
    fn is_wanted(&self, kind: CheckKind) -> bool {
        !self.shared.is_model && self.shared.program.model.extra_checks.contains(kind)
    }

    fn is_constant(&self, values: &[RValue]) -> bool {
        values.iter().all(|value| self.known(value.id).is_some())
    }

    /// Emits the checks for the result of an operation on floats.
    pub(super) fn check_float_result(&mut self, result: RValue, operands: &[RValue], span: Span) {
        let kinds =
            [(CheckKind::Nan, FloatOperator::IsNan), (CheckKind::Infinity, FloatOperator::IsInfinite)];
        for (kind, question) in kinds {
            if !self.is_wanted(kind) || self.is_constant(operands) {
                continue;
            }
            let found = self.float_test(question, &[result], span);
            let mut holds = self.falsity(found, span);
            for operand in operands {
                let is_handed_on = self.float_test(question, &[*operand], span);
                holds = self.binary_op(BinaryOp::Or, holds, is_handed_on, span);
            }
            self.check(kind, holds, span);
        }
    }

    /// Emits the checks for a number that was converted to a float.
    pub(super) fn check_conversion(&mut self, value: RValue, converted: RValue, span: Span) {
        match self.shared.program.types.number_format(value.ty) {
            Some(NumberFormat::Float(_)) => self.check_float_result(converted, &[value], span),
            // Of all integers only those of `unsigned __int128` get beyond the largest `float`.
            Some(NumberFormat::Int(from)) if from.width == 128 && self.is_wanted(CheckKind::Infinity) => {
                let is_infinite = self.float_test(FloatOperator::IsInfinite, &[converted], span);
                let holds = self.falsity(is_infinite, span);
                self.check(CheckKind::Infinity, holds, span);
            }
            _ => {}
        }
        if !self.is_wanted(CheckKind::Precision) || self.is_constant(&[value]) {
            return;
        }
        if let Some(same) = self.is_same_number(value, converted, span) {
            self.check(CheckKind::Precision, same, span);
        }
    }

    /// Whether a conversion to a float kept the number. A NaN is kept; `None` if every number is.
    fn is_same_number(&mut self, value: RValue, converted: RValue, span: Span) -> Option<RValue> {
        let types = &self.shared.program.types;
        let to = types.float_format(converted.ty)?;
        match types.number_format(value.ty)? {
            NumberFormat::Float(from) => {
                let is_wider = from.values.significand_bits() > to.values.significand_bits()
                    || from.values.exponent_bits() > to.values.exponent_bits();
                if !is_wider {
                    return None;
                }
                let back = self.float_op(FloatOperator::FromNumber, &[converted], value.ty, span);
                let equal = self.float_test(FloatOperator::Equal, &[back, value], span);
                let is_nan = self.float_test(FloatOperator::IsNan, &[value], span);
                Some(self.binary_op(BinaryOp::Or, equal, is_nan, span))
            }
            NumberFormat::Int(from) => {
                let n_bits = from.width - u32::from(from.is_signed);
                if n_bits <= to.values.significand_bits() {
                    return None;
                }
                let fits = self.float_test(FloatOperator::Fits(from), &[converted], span);
                let back = self.float_op(FloatOperator::ToInteger, &[converted], value.ty, span);
                let equal = self.equal_integers(back.id, value.id, span);
                Some(self.binary_op(BinaryOp::And, fits, equal, span))
            }
        }
    }

    fn equal_integers(&mut self, left: ExprId, right: ExprId, span: Span) -> RValue {
        let ty = self.int_type();
        let id = self.add(ExprKind::Compare(CompareOp::Eq, left, right), ty, span);
        RValue { id, ty, bits: None }
    }
}
