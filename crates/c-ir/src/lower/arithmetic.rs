//! Operators on numbers.

use super::{Lower, Lowered, RValue, Refusal};
use crate::ir::{self, CompareOp};
use nub_c_syntax::ast::{self, BinaryOp, ExprKind, UnaryOp};
use nub_text::Span;

/// A longer chain of operators is cut by a temporary, so that whoever walks expressions need not fear their depth.
const MAX_CHAIN: usize = 64;

impl Lower<'_> {
    /// `a + b - c ...`: the left spine is walked, not recursed into.
    pub(super) fn binary_chain(&mut self, id: ast::ExprId) -> Lowered<RValue> {
        let unit = self.unit;
        let mut spine = Vec::new();
        let mut at = id;
        while let ExprKind::Binary(op, left, right) = unit.expr(at).kind
            && !matches!(op, BinaryOp::And | BinaryOp::Or)
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
        op: BinaryOp,
        left: RValue,
        right: RValue,
        span: Span,
    ) -> Lowered<RValue> {
        let has_pointer = self.is_pointer(left.ty) || self.is_pointer(right.ty);
        if has_pointer {
            return self.pointer_binary(op, left, right, span);
        }
        if self.is_float(left.ty) || self.is_float(right.ty) {
            return self.float_binary(op, left, right, span);
        }
        match op {
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, left, right, span),
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
                let (left, right) = self.usual(left, right, span)?;
                let is_signed = self.format(left.ty).is_signed;
                let (op, is_swapped) = compare_op(op, is_signed);
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

    /// Operands of a shift are promoted apart.
    fn shift(&mut self, op: BinaryOp, left: RValue, right: RValue, span: Span) -> Lowered<RValue> {
        let left = self.promote(left, span)?;
        let right = self.promote(right, span)?;
        let op = match op {
            BinaryOp::Shl => ir::BinaryOp::Shl,
            _ if self.format(left.ty).is_signed => ir::BinaryOp::AShr,
            _ => ir::BinaryOp::LShr,
        };
        self.check_binary(op, left, right, span);
        Ok(self.binary_op(op, left, right, span))
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: ast::ExprId, span: Span) -> Lowered<RValue> {
        match op {
            UnaryOp::AddressOf => self.address_of(operand, span),
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                self.step(op, operand, span)
            }
            UnaryOp::Not => self.not(operand, span),
            UnaryOp::Real | UnaryOp::Imag => Err(Refusal::new(span, "complex numbers are not supported")),
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => {
                let value = self.value(operand)?;
                let value = match op {
                    UnaryOp::BitNot => self.promote(value, span)?,
                    _ => self.promote_number(value, span)?,
                };
                Ok(match op {
                    UnaryOp::Minus if self.is_float(value.ty) => {
                        self.float_op(ir::FloatOp::Negate, &[value], value.ty, span)
                    }
                    UnaryOp::Minus => self.negate(value, span),
                    UnaryOp::BitNot => self.unary_op(ir::UnaryOp::Not, value, span),
                    _ => value,
                })
            }
            UnaryOp::Deref => {
                let value = self.value(operand)?;
                let place = self.pointer_target(value, span)?;
                self.load(place, span)
            }
        }
    }

    fn negate(&mut self, value: RValue, span: Span) -> RValue {
        if self.format(value.ty).is_signed {
            let zero = self.int(0, value.ty, span);
            self.check_overflow(ir::OverflowOp::Sub, zero, value, span);
        }
        self.unary_op(ir::UnaryOp::Negate, value, span)
    }

    /// `!a`. Over `&&` or `||` it belongs to their decision.
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

/// The comparison, and whether its operands change places.
pub(super) fn compare_op(op: BinaryOp, is_signed: bool) -> (CompareOp, bool) {
    let (less, less_equal) =
        if is_signed { (CompareOp::SLt, CompareOp::SLe) } else { (CompareOp::ULt, CompareOp::ULe) };
    match op {
        BinaryOp::Lt => (less, false),
        BinaryOp::Gt => (less, true),
        BinaryOp::Le => (less_equal, false),
        BinaryOp::Ge => (less_equal, true),
        BinaryOp::Eq => (CompareOp::Eq, false),
        _ => (CompareOp::Ne, false),
    }
}

/// The operator for a sign.
fn arithmetic_op(op: BinaryOp, is_signed: bool) -> ir::BinaryOp {
    match op {
        BinaryOp::Add => ir::BinaryOp::Add,
        BinaryOp::Sub => ir::BinaryOp::Sub,
        BinaryOp::Mul => ir::BinaryOp::Mul,
        BinaryOp::Div if is_signed => ir::BinaryOp::SDiv,
        BinaryOp::Div => ir::BinaryOp::UDiv,
        BinaryOp::Rem if is_signed => ir::BinaryOp::SRem,
        BinaryOp::Rem => ir::BinaryOp::URem,
        BinaryOp::BitAnd => ir::BinaryOp::And,
        BinaryOp::BitXor => ir::BinaryOp::Xor,
        _ => ir::BinaryOp::Or,
    }
}
