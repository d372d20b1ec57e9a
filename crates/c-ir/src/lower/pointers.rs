//! Arithmetic and comparison of pointers.

use super::arithmetic::compare_op;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ir::*;
use crate::types::Type;
use nub_c_syntax::ast::AstBinaryOp as Op;
use nub_text::Span;

/// A pointer that moves by at most two to this power bytes does not wrap around: the objects of a process lie above that address, and far below the
/// top.
const FAR: u32 = 40;

/// Which way a pointer moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Back,
}

impl Lower<'_> {
    /// Bytes by which a pointer to `ty` moves. For `void` and functions one, as gcc has it.
    fn scale(&self, pointer: TypeId, span: Span) -> Lowered<u64> {
        let types = &self.shared.program.types;
        let target = types.pointee(pointer).unwrap_or(pointer);
        if matches!(types.get(target), Type::Void | Type::Function(_)) {
            return Ok(1);
        }
        types
            .size_of(target)
            .ok_or_else(|| Refusal::new(span, format!("`{}` is not complete here", self.spell(target))))
    }

    /// `pointer + amount`, `pointer - amount`
    pub(super) fn pointer_add(
        &mut self,
        pointer: RValue,
        amount: RValue,
        direction: Direction,
        span: Span,
    ) -> Lowered<RValue> {
        if !self.is_pointer(pointer.ty) {
            let message = format!("expected a pointer, found `{}`", self.spell(pointer.ty));
            return Err(Refusal::new(span, message));
        }
        let mut index = self.index_value(amount, span)?;
        let target = self.shared.program.types.pointee(pointer.ty).unwrap_or(pointer.ty);
        let scale = match self.variable_parts(target, span)? {
            Some((count, scale)) => {
                let count = self.convert(count, index.ty, span)?;
                index = self.binary_op(BinaryOp::Mul, index, count, span);
                scale
            }
            None => self.scale(pointer.ty, span)?,
        };
        if direction == Direction::Back {
            index = self.unary_op(UnaryOp::Negate, index, span);
        }
        if self.known(index.id) == Some(0) {
            return Ok(pointer);
        }
        let kind = ExprKind::PointerAdd { pointer: pointer.id, index: index.id, scale };
        let id = self.add(kind, pointer.ty, span);
        Ok(RValue { id, ty: pointer.ty, bits: None })
    }

    /// `p + n` as a value. It may point outside its object, because much code relies on that, but not so far away that the address wraps around.
    fn pointer_step(
        &mut self,
        pointer: RValue,
        amount: RValue,
        direction: Direction,
        span: Span,
    ) -> Lowered<RValue> {
        let bits = self.shared.program.model.pointer_bits;
        let is_wide = self.int_kind(amount.ty).is_some() && self.format(amount.ty).width >= bits;
        let index = self.index_value(amount, span)?;
        if is_wide && !self.shared.is_model {
            let types = &self.shared.program.types;
            let target = types.pointee(pointer.ty);
            let scale = target.and_then(|target| types.size_of(target)).unwrap_or(1).max(1);
            let most = u128::from((1_u64 << if bits >= 64 { FAR } else { bits - 4 }) / scale);
            let (least, most) =
                (self.int(most.wrapping_neg(), index.ty, span), self.int(most, index.ty, span));
            let not_before = self.compare_op(CompareOp::SLe, least, index, span);
            self.check(CheckKind::Pointer, not_before, span);
            let not_behind = self.compare_op(CompareOp::SLe, index, most, span);
            self.check(CheckKind::Pointer, not_behind, span);
        }
        self.pointer_add(pointer, index, direction, span)
    }

    /// A binary operator with at least one pointer.
    pub(super) fn pointer_binary(
        &mut self,
        op: Op,
        left: RValue,
        right: RValue,
        span: Span,
    ) -> Lowered<RValue> {
        let (left_is, right_is) = (self.is_pointer(left.ty), self.is_pointer(right.ty));
        match op {
            Op::Add if left_is && !right_is => self.pointer_step(left, right, Direction::Forward, span),
            Op::Add if right_is && !left_is => self.pointer_step(right, left, Direction::Forward, span),
            Op::Sub if left_is && !right_is => self.pointer_step(left, right, Direction::Back, span),
            Op::Sub if left_is && right_is => self.pointer_difference(left, right, span),
            Op::Lt | Op::Gt | Op::Le | Op::Ge | Op::Eq | Op::Ne => {
                self.pointer_comparison(op, left, right, span)
            }
            _ => {
                let message = format!(
                    "operator `{}` cannot be applied to `{}` and `{}`",
                    op.spelling(),
                    self.spell(left.ty),
                    self.spell(right.ty)
                );
                Err(Refusal::new(span, message))
            }
        }
    }

    fn pointer_difference(&mut self, left: RValue, right: RValue, span: Span) -> Lowered<RValue> {
        let target = self.shared.program.types.pointee(left.ty).unwrap_or(left.ty);
        let parts = self.variable_parts(target, span)?;
        let scale = match parts {
            Some((_, scale)) => scale,
            None => self.scale(left.ty, span)?,
        };
        if scale == 0 {
            return Err(Refusal::new(span, "pointers to an empty type cannot be subtracted"));
        }
        let ty = self.difference_type();
        let id = self.add(ExprKind::PointerDifference { left: left.id, right: right.id, scale }, ty, span);
        let distance = RValue { id, ty, bits: None };
        let Some((count, _)) = parts else { return Ok(distance) };
        let count = self.convert(count, ty, span)?;
        Ok(self.binary_op(BinaryOp::SDiv, distance, count, span))
    }

    fn pointer_comparison(&mut self, op: Op, left: RValue, right: RValue, span: Span) -> Lowered<RValue> {
        let ty = if self.is_pointer(left.ty) { left.ty } else { right.ty };
        let is_plain_int =
            |lower: &Self, value: RValue| !lower.is_pointer(value.ty) && lower.known(value.id) != Some(0);
        if (is_plain_int(self, left) || is_plain_int(self, right)) && !self.fun.is_unevaluated {
            self.warn(span, "a pointer is compared with an integer");
        }
        let left = self.convert(left, ty, span)?;
        let right = self.convert(right, ty, span)?;
        let (op, is_swapped) = compare_op(op, self.format(ty));
        let (left, right) = if is_swapped { (right, left) } else { (left, right) };
        Ok(self.pointer_compare(op, left, right, span))
    }
}
