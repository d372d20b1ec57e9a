//! Operators on numbers.

use super::{Lower, Lowered, RValue, Refusal};
use crate::ir::{self, CompareOp};
use crate::types::IntFormat;
use nub_c_syntax::ast::{self, AstBinaryOp, AstExprKind, AstUnaryOp};
use nub_text::Span;

/// A longer chain of operators is split by a temporary, which bounds the depth of expressions.
const MAX_CHAIN: usize = 64;

impl Lower<'_> {
    /// `a + b - c ...`: the left spine is walked, not recursed into.
    pub(super) fn binary_chain(&mut self, id: ast::ExprId) -> Lowered<RValue> {
        let unit = self.unit;
        let mut spine = Vec::new();
        let mut at = id;
        while let AstExprKind::Binary(op, left, right) = unit.expr(at).kind
            && !matches!(op, AstBinaryOp::And | AstBinaryOp::Or)
        {
            spine.push((op, right, unit.expr(at).span));
            at = left;
        }
        let mut value = self.value(at)?;
        for (n_done, (op, right, span)) in spine.into_iter().rev().enumerate() {
            if n_done % MAX_CHAIN == MAX_CHAIN - 1 {
                value = self.save_always(value, span);
            }
            let mark = self.fun.mark();
            let right = self.value(right)?;
            value = self.preserve(value, mark, span);
            value = self.binary(op, value, right, span)?;
        }
        Ok(value)
    }

    /// A binary operator on values, conversions and checks included.
    pub(super) fn binary(
        &mut self,
        op: AstBinaryOp,
        left: RValue,
        right: RValue,
        span: Span,
    ) -> Lowered<RValue> {
        if let Some(vector) = self.vector_binary(op, left, right, span)? {
            return Ok(vector);
        }
        let has_pointer = self.is_pointer(left.ty) || self.is_pointer(right.ty);
        if has_pointer {
            return self.pointer_binary(op, left, right, span);
        }
        if self.is_float(left.ty) || self.is_float(right.ty) {
            return self.float_binary(op, left, right, span);
        }
        match op {
            AstBinaryOp::Shl | AstBinaryOp::Shr => self.shift(op, left, right, span),
            AstBinaryOp::Lt
            | AstBinaryOp::Gt
            | AstBinaryOp::Le
            | AstBinaryOp::Ge
            | AstBinaryOp::Eq
            | AstBinaryOp::Ne => {
                let (left, right) = self.usual(left, right, span)?;
                let (op, is_swapped) = compare_op(op, self.format(left.ty));
                let (left, right) = if is_swapped { (right, left) } else { (left, right) };
                Ok(self.compare_op(op, left, right, span))
            }
            _ => {
                let (left, right) = self.usual(left, right, span)?;
                let is_signed = self.format(left.ty).is_signed;
                let op = arithmetic_op(op, is_signed);
                self.check_binary(op, left, right, span);
                Ok(self.binary_op(op, left, right, span))
            }
        }
    }

    /// Operands of a shift are promoted separately.
    fn shift(&mut self, op: AstBinaryOp, left: RValue, right: RValue, span: Span) -> Lowered<RValue> {
        let left = self.promote(left, span)?;
        let right = self.promote(right, span)?;
        let op = match op {
            AstBinaryOp::Shl => ir::BinaryOp::Shl,
            _ if self.format(left.ty).is_signed => ir::BinaryOp::AShr,
            _ => ir::BinaryOp::LShr,
        };
        self.check_binary(op, left, right, span);
        Ok(self.binary_op(op, left, right, span))
    }

    pub(super) fn unary(&mut self, op: AstUnaryOp, operand: ast::ExprId, span: Span) -> Lowered<RValue> {
        match op {
            AstUnaryOp::AddressOf => self.address_of(operand, span),
            AstUnaryOp::PreInc | AstUnaryOp::PreDec | AstUnaryOp::PostInc | AstUnaryOp::PostDec => {
                self.step(op, operand, span)
            }
            AstUnaryOp::Not => self.not(operand, span),
            AstUnaryOp::Real | AstUnaryOp::Imag => {
                Err(Refusal::unmodelled(span, "complex numbers are not supported"))
            }
            AstUnaryOp::Plus | AstUnaryOp::Minus | AstUnaryOp::BitNot => {
                let value = self.value(operand)?;
                match self.vector_unary(op, value, span)? {
                    Some(vector) => Ok(vector),
                    None => self.unary_number(op, value, span),
                }
            }
            AstUnaryOp::Deref => {
                let value = self.value(operand)?;
                let place = self.pointer_target(value, span)?;
                self.load(place, span)
            }
        }
    }

    /// `+`, `-` or `~` of a number.
    pub(super) fn unary_number(&mut self, op: AstUnaryOp, value: RValue, span: Span) -> Lowered<RValue> {
        let value = match op {
            AstUnaryOp::BitNot => self.promote(value, span)?,
            _ => self.promote_number(value, span)?,
        };
        Ok(match op {
            AstUnaryOp::Minus if self.is_float(value.ty) => {
                self.float_op(ir::FloatOperator::Negate, &[value], value.ty, span)
            }
            AstUnaryOp::Minus => self.negate(value, span),
            AstUnaryOp::BitNot => self.unary_op(ir::UnaryOp::Not, value, span),
            _ => value,
        })
    }

    fn negate(&mut self, value: RValue, span: Span) -> RValue {
        if self.format(value.ty).is_signed {
            let zero = self.int(0, value.ty, span);
            self.check_overflow(ir::OverflowOp::Sub, zero, value, span);
        }
        self.unary_op(ir::UnaryOp::Negate, value, span)
    }

    /// `!a`. Applied to `&&` or `||`, it is part of their decision.
    fn not(&mut self, operand: ast::ExprId, span: Span) -> Lowered<RValue> {
        if self.is_logical(operand) {
            let truth = self.logical_value(operand)?;
            return Ok(self.falsity(truth, span));
        }
        let value = self.value(operand)?;
        if !self.shared.program.types.is_scalar(value.ty) {
            return Err(self.unsupported_operand(value.ty, span));
        }
        Ok(self.falsity(value, span))
    }
}

/// The comparison of numbers of a format, and whether its operands are swapped.
pub(super) fn compare_op(op: AstBinaryOp, format: IntFormat) -> (CompareOp, bool) {
    let (less, less_equal) =
        if format.is_signed { (CompareOp::SLt, CompareOp::SLe) } else { (CompareOp::ULt, CompareOp::ULe) };
    match op {
        AstBinaryOp::Lt => (less, false),
        AstBinaryOp::Gt => (less, true),
        AstBinaryOp::Le => (less_equal, false),
        AstBinaryOp::Ge => (less_equal, true),
        AstBinaryOp::Eq => (CompareOp::Eq, false),
        _ => (CompareOp::Ne, false),
    }
}

/// The operator for signed or unsigned operands.
fn arithmetic_op(op: AstBinaryOp, is_signed: bool) -> ir::BinaryOp {
    match op {
        AstBinaryOp::Add => ir::BinaryOp::Add,
        AstBinaryOp::Sub => ir::BinaryOp::Sub,
        AstBinaryOp::Mul => ir::BinaryOp::Mul,
        AstBinaryOp::Div if is_signed => ir::BinaryOp::SDiv,
        AstBinaryOp::Div => ir::BinaryOp::UDiv,
        AstBinaryOp::Rem if is_signed => ir::BinaryOp::SRem,
        AstBinaryOp::Rem => ir::BinaryOp::URem,
        AstBinaryOp::BitAnd => ir::BinaryOp::And,
        AstBinaryOp::BitXor => ir::BinaryOp::Xor,
        _ => ir::BinaryOp::Or,
    }
}
