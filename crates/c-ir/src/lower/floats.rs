//! Floating-point numbers: constants, conversions, operators.
//!
//! An operation has the format of its converted operands, or a wider one where the data model says so (`FLT_EVAL_METHOD`), and nothing is contracted.

use super::{Lower, Lowered, RValue, Refusal};
use crate::floats::{self, FloatOperand};
use crate::ids::*;
use crate::ir::{CheckKind, ExprKind, FloatOperator};
use crate::model::FloatEvaluation;
use crate::types::{FloatKind, Type};
use nub_c_syntax::ast::{self, AstBinaryOp};
use nub_text::Span;

impl Lower<'_> {
    pub(super) fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.shared.program.types.get(ty), Type::Float(_))
    }

    pub(super) fn float_type(&mut self, kind: FloatKind) -> TypeId {
        self.types().intern(Type::Float(kind))
    }

    /// A floating constant, rounded once from its text to its type.
    pub(super) fn float_literal(&mut self, literal: ast::FloatLit) -> Lowered<RValue> {
        let text = |span: Span| self.unit.source()[span.start as usize..span.end as usize].to_vec();
        let (digits, whole) = (text(literal.digits), text(literal.span));
        let suffix = String::from_utf8_lossy(&whole[digits.len()..]).to_ascii_lowercase();
        let kind = match suffix.as_str() {
            "" | "f64" | "f32x" => FloatKind::Double,
            "f" | "f32" => FloatKind::Float,
            "l" | "f64x" => FloatKind::LongDouble,
            _ if suffix.contains(['i', 'j']) => {
                return Err(Refusal::unmodelled(literal.span, "complex numbers are not supported"));
            }
            _ => FloatKind::Extended,
        };
        let ty = self.float_type(kind);
        let ty = self.evaluated(ty);
        let Some(format) = self.shared.program.types.float_format(ty) else {
            return Err(self.unsupported_operand(ty, literal.span));
        };
        match format.read(&digits) {
            Some(bits) => Ok(self.float_constant(bits, ty, literal.span)),
            None => Err(Refusal::new(literal.span, "this is not a floating constant")),
        }
    }

    pub(super) fn float_constant(&mut self, bits: u128, ty: TypeId, span: Span) -> RValue {
        let id = self.add(ExprKind::Int(bits), ty, span);
        RValue { id, ty, bits: None }
    }

    /// An operation, folded if its operands are constants.
    pub(super) fn float_op(
        &mut self,
        op: FloatOperator,
        operands: &[RValue],
        ty: TypeId,
        span: Span,
    ) -> RValue {
        let types = &self.shared.program.types;
        let known = |value: &RValue| {
            let format = types.number_format(value.ty)?;
            self.known(value.id).map(|bits| FloatOperand { bits, format })
        };
        let constants: Option<Vec<FloatOperand>> = operands.iter().map(known).collect();
        let is_defined = match (op, &constants, types.int_format(ty)) {
            (FloatOperator::ToInteger, Some(values), Some(to)) => {
                floats::apply(FloatOperator::Fits(to), crate::types::NumberFormat::Int(to), values) != 0
            }
            _ => true,
        };
        let result = types.number_format(ty);
        let has_mode = self.needs_mode(op, result, operands, constants.as_deref());
        if let (Some(values), Some(result), true, false) = (constants, result, is_defined, has_mode) {
            let bits = floats::apply(op, result, &values);
            return self.float_constant(bits, ty, span);
        }
        let mode = if has_mode { self.rounding(span) } else { None };
        let ids = operands.iter().chain(&mode).map(|value| value.id).collect();
        let id = self.add(ExprKind::Float(op, ids), ty, span);
        RValue { id, ty, bits: None }
    }

    /// A predicate on floats; the result is an `int`.
    pub(super) fn float_test(&mut self, op: FloatOperator, operands: &[RValue], span: Span) -> RValue {
        let ty = self.int_type();
        self.float_op(op, operands, ty, span)
    }

    /// A number as a float.
    pub(super) fn float_from(&mut self, value: RValue, to: TypeId, span: Span) -> Lowered<RValue> {
        let types = &self.shared.program.types;
        if types.float_format(to).is_none() {
            return Err(self.unsupported_operand(to, span));
        }
        match types.number_format(value.ty) {
            // The same format under another name: `long double` as `double`.
            Some(from) if Some(from) == types.number_format(to) => {
                let kind = self.fun.expr(value.id).kind.clone();
                match kind {
                    ExprKind::Int(bits) => Ok(self.float_constant(bits, to, span)),
                    _ => Ok(self.float_op(FloatOperator::FromNumber, &[value], to, span)),
                }
            }
            Some(_) => {
                let converted = self.float_op(FloatOperator::FromNumber, &[value], to, span);
                self.check_conversion(value, converted, span);
                Ok(converted)
            }
            None => Err(self.unsupported_operand(value.ty, span)),
        }
    }

    /// A float as an integer, cut towards zero. What does not fit is undefined (C17 6.3.1.4).
    pub(super) fn float_to_int(&mut self, value: RValue, to: TypeId, span: Span) -> Lowered<RValue> {
        let types = &self.shared.program.types;
        if types.float_format(value.ty).is_none() {
            return Err(self.unsupported_operand(value.ty, span));
        }
        let format = self.format(to);
        let fits = self.float_test(FloatOperator::Fits(format), &[value], span);
        self.check(CheckKind::FloatConversion, fits, span);
        Ok(self.float_op(FloatOperator::ToInteger, &[value], to, span))
    }

    /// The usual arithmetic conversions where one operand is a float.
    pub(super) fn float_usual(
        &mut self,
        left: RValue,
        right: RValue,
        span: Span,
    ) -> Lowered<(RValue, RValue)> {
        let types = &self.shared.program.types;
        for value in [left, right] {
            if types.number_format(value.ty).is_none() {
                return Err(self.unsupported_operand(value.ty, span));
            }
        }
        let rank = |value: RValue| match types.float_kind(value.ty) {
            Some(FloatKind::LongDouble) => 3,
            Some(FloatKind::Double) => 2,
            Some(_) => 1,
            None => 0,
        };
        let ty = if rank(left) >= rank(right) { left.ty } else { right.ty };
        let ty = self.types().unqualified(ty);
        let ty = self.evaluated(ty);
        Ok((self.convert(left, ty, span)?, self.convert(right, ty, span)?))
    }

    /// The type in which values of a type are computed. An operand that is not evaluated, such as that of `sizeof`, keeps its own.
    fn evaluated(&mut self, ty: TypeId) -> TypeId {
        let types = &self.shared.program.types;
        let kind = types.float_kind(ty).filter(|_| !self.fun.is_unevaluated);
        match (types.model.float_evaluation, kind) {
            (FloatEvaluation::Double, Some(FloatKind::Float)) => self.float_type(FloatKind::Double),
            (FloatEvaluation::LongDouble, Some(FloatKind::Float | FloatKind::Double)) => {
                self.float_type(FloatKind::LongDouble)
            }
            _ => ty,
        }
    }

    /// A binary operator of which one operand is a float.
    pub(super) fn float_binary(
        &mut self,
        op: AstBinaryOp,
        left: RValue,
        right: RValue,
        span: Span,
    ) -> Lowered<RValue> {
        let (left, right) = self.float_usual(left, right, span)?;
        let arithmetic = match op {
            AstBinaryOp::Add => FloatOperator::Add,
            AstBinaryOp::Sub => FloatOperator::Sub,
            AstBinaryOp::Mul => FloatOperator::Mul,
            AstBinaryOp::Div => FloatOperator::Div,
            AstBinaryOp::Lt
            | AstBinaryOp::Gt
            | AstBinaryOp::Le
            | AstBinaryOp::Ge
            | AstBinaryOp::Eq
            | AstBinaryOp::Ne => {
                return Ok(self.float_compare(op, left, right, span));
            }
            _ => {
                let message =
                    format!("this operator cannot be applied to operands of type `{}`", self.spell(left.ty));
                return Err(Refusal::new(span, message));
            }
        };
        let result = self.float_op(arithmetic, &[left, right], left.ty, span);
        self.check_float_result(result, &[left, right], span);
        Ok(result)
    }

    pub(super) fn float_compare(
        &mut self,
        op: AstBinaryOp,
        left: RValue,
        right: RValue,
        span: Span,
    ) -> RValue {
        let (op, operands) = match op {
            AstBinaryOp::Lt => (FloatOperator::Less, [left, right]),
            AstBinaryOp::Gt => (FloatOperator::Less, [right, left]),
            AstBinaryOp::Le => (FloatOperator::AtMost, [left, right]),
            AstBinaryOp::Ge => (FloatOperator::AtMost, [right, left]),
            AstBinaryOp::Eq => (FloatOperator::Equal, [left, right]),
            _ => {
                let equal = self.float_test(FloatOperator::Equal, &[left, right], span);
                return self.falsity(equal, span);
            }
        };
        self.float_test(op, &operands, span)
    }
}
