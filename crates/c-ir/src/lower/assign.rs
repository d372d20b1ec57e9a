//! Assignment, compound assignment, increment and decrement.
//!
//! The place comes first, then the value, then the write. The value of the expression is what was written, kept in a temporary
//! if it is used: reading the place again could give something else.

use super::places::{Direction, Operand};
use super::{Lower, Lowered, RValue};
use crate::ir::{AccessKind, InstrKind, Place};
use nub_c_syntax::ast::{self, AstBinaryOp, AstUnaryOp};
use nub_text::Span;

impl Lower<'_> {
    /// `left = right;`
    pub(super) fn assign_effect(&mut self, left: ast::ExprId, right: ast::ExprId, span: Span) -> Lowered<()> {
        let (place, value) = self.assign_parts(left, right, span)?;
        if !self.register_store(&place, value, left) {
            self.store(place, value, span);
        }
        Ok(())
    }

    /// `left = right` as a value.
    pub(super) fn assign(&mut self, left: ast::ExprId, right: ast::ExprId, span: Span) -> Lowered<RValue> {
        let (place, value) = self.assign_parts(left, right, span)?;
        let value = self.save(value, span);
        if !self.register_store(&place, value, left) {
            self.store(place.clone(), value, span);
        }
        Ok(self.after_store(&place, value, span))
    }

    fn assign_parts(
        &mut self,
        left: ast::ExprId,
        right: ast::ExprId,
        span: Span,
    ) -> Lowered<(Place, RValue)> {
        let place = self.modifiable(left)?;
        let mark = self.fun.mark();
        let value = self.value(right)?;
        let place = self.preserve_place(place, mark, span);
        let right_span = self.unit.expr(right).span;
        let value = self.assign_convert(value, place.ty, right_span)?;
        Ok((place, value))
    }

    /// Writes a place that was just read, and so is known to be valid; returns what was written.
    fn write_and_keep(&mut self, place: Place, value: RValue, span: Span) -> RValue {
        let value = self.save(value, span);
        self.write(place.clone(), value, span);
        self.after_store(&place, value, span)
    }

    /// `left op= right;`
    pub(super) fn compound_assign_effect(
        &mut self,
        op: AstBinaryOp,
        left: ast::ExprId,
        right: ast::ExprId,
        span: Span,
    ) -> Lowered<()> {
        let (place, value) = self.compound_parts(op, left, right, span)?;
        self.write(place, value, span);
        Ok(())
    }

    /// `left op= right` as a value.
    pub(super) fn compound_assign(
        &mut self,
        op: AstBinaryOp,
        left: ast::ExprId,
        right: ast::ExprId,
        span: Span,
    ) -> Lowered<RValue> {
        let (place, value) = self.compound_parts(op, left, right, span)?;
        Ok(self.write_and_keep(place, value, span))
    }

    /// The old value is read after the right side is evaluated, as compilers do: `x += f()` sees what `f` did to `x`.
    fn compound_parts(
        &mut self,
        op: AstBinaryOp,
        left: ast::ExprId,
        right: ast::ExprId,
        span: Span,
    ) -> Lowered<(Place, RValue)> {
        let place = self.modifiable(left)?;
        let mark = self.fun.mark();
        let right = self.value(right)?;
        let place = self.preserve_place(place, mark, span);
        let old = self.load_as(AccessKind::Update, place.clone(), self.unit.expr(left).span)?;
        let new = self.binary(op, old, right, span)?;
        let new = self.convert(new, place.ty, span)?;
        Ok((place, new))
    }

    /// `++x;`, `x--;` and so on, value unused.
    pub(super) fn step_effect(&mut self, op: AstUnaryOp, operand: ast::ExprId, span: Span) -> Lowered<()> {
        let place = self.modifiable(operand)?;
        let old = self.load_as(AccessKind::Update, place.clone(), self.unit.expr(operand).span)?;
        let new = self.stepped(op, old, span)?;
        self.write(place, new, span);
        Ok(())
    }

    /// `++x`, `x--` and so on as values.
    pub(super) fn step(&mut self, op: AstUnaryOp, operand: ast::ExprId, span: Span) -> Lowered<RValue> {
        let place = self.modifiable(operand)?;
        let old = self.load_as(AccessKind::Update, place.clone(), self.unit.expr(operand).span)?;
        if op.is_postfix() {
            let old = self.save(old, span);
            let new = self.stepped(op, old, span)?;
            self.write(place, new, span);
            return Ok(old);
        }
        let new = self.stepped(op, old, span)?;
        Ok(self.write_and_keep(place, new, span))
    }

    fn stepped(&mut self, op: AstUnaryOp, old: RValue, span: Span) -> Lowered<RValue> {
        let is_up = matches!(op, AstUnaryOp::PreInc | AstUnaryOp::PostInc);
        let one = self.plain_int(1, span);
        if self.is_pointer(old.ty) {
            let direction = if is_up { Direction::Forward } else { Direction::Back };
            return self.pointer_add(old, one, direction, span);
        }
        let op = if is_up { AstBinaryOp::Add } else { AstBinaryOp::Sub };
        let new = self.binary(op, old, one, span)?;
        self.convert(new, old.ty, span)
    }

    /// GNU: `(union u) value` makes a union from the value of one of its members.
    pub(super) fn cast_to_union(
        &mut self,
        value: RValue,
        record: crate::ids::RecordId,
        ty: crate::ids::TypeId,
        span: Span,
    ) -> Lowered<RValue> {
        let record_type = self.shared.program.types.record(record);
        let field =
            record_type.fields.iter().position(|field| field.ty == value.ty).filter(|_| record_type.is_union);
        let Some(field) = field else {
            let message = format!("cannot convert `{}` to `{}`", self.spell(value.ty), self.spell(ty));
            return Err(super::Refusal::new(span, message));
        };
        let whole = self.temporary(ty, span);
        self.emit(InstrKind::Zero { place: whole.clone() }, span);
        let part = self.walk_fields(whole.clone(), &[(record, field as u32)]);
        self.emit(InstrKind::Store { place: part, value: value.id }, span);
        let value = self.operand_value(Operand::Place(whole), span)?;
        Ok(value)
    }
}
