//! The address of an object: `&x`, and arrays that become pointers.

use super::places::Operand;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ir::*;
use nub_c_syntax::ast;
use nub_text::Span;

impl Lower<'_> {
    /// `&operand`
    pub(super) fn address_of(&mut self, id: ast::ExprId, span: Span) -> Lowered<RValue> {
        match self.operand(id)? {
            Operand::Place(place) if self.bit_field(&place).is_some() => {
                Err(Refusal::new(span, "a bit-field has no address"))
            }
            Operand::Place(place) => {
                let ty = self.types().pointer_to(place.ty);
                Ok(self.decay(place, ty, span))
            }
            Operand::Function(function) => Ok(self.function_address(function, span)),
            Operand::Value(_) => Err(Refusal::new(span, "only objects and functions have an address")),
        }
    }

    /// A pointer of type `ty` to a place, or to its first element.
    pub(super) fn decay(&mut self, place: Place, ty: TypeId, span: Span) -> RValue {
        // `&*p` is `p`, and nothing is followed.
        if let (PlaceBase::Pointer(id), true) = (place.base, place.steps.is_empty()) {
            let value = RValue { id, ty: self.fun.expr(id).ty, bits: None };
            if value.ty == ty {
                return value;
            }
            let id = self.add(ExprKind::PointerCast(id), ty, span);
            return RValue { id, ty, bits: None };
        }
        self.check_bounds(&place, span, CompareOp::ULe);
        self.check_member_base(&place, span);
        self.mark_address_taken(place.base);
        let id = self.add(ExprKind::AddressOf(place), ty, span);
        RValue { id, ty, bits: None }
    }

    /// `&p->member` is undefined for a null pointer, though nothing is read. With a constant null pointer it is allowed: programs write `offsetof`
    /// like this.
    fn check_member_base(&mut self, place: &Place, span: Span) {
        let (PlaceBase::Pointer(id), Some(PlaceStep::Field(..))) = (place.base, place.steps.first()) else {
            return;
        };
        let mut inner = id;
        while let ExprKind::PointerCast(from) | ExprKind::IntToPointer(from) = self.fun.expr(inner).kind {
            inner = from;
        }
        if self.shared.is_model || matches!(self.fun.expr(inner).kind, ExprKind::Null | ExprKind::Int(_)) {
            return;
        }
        let pointer = RValue { id, ty: self.fun.expr(id).ty, bits: None };
        let null = self.null(pointer.ty, span);
        let not_null = self.pointer_compare(CompareOp::Ne, pointer, null, span);
        self.check(CheckKind::Null, not_null, span);
    }

    fn mark_address_taken(&mut self, base: PlaceBase) {
        match base {
            PlaceBase::Local(local) => self.fun.locals[local.index()].address_taken = true,
            PlaceBase::Global(global) => self.shared.program.globals[global.index()].address_taken = true,
            PlaceBase::String(_) | PlaceBase::Pointer(_) => {}
        }
    }
}
