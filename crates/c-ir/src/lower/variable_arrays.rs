//! Arrays whose length is not constant (C17 6.7.6.2).
//!
//! The type holds a number, and a temporary of the function holds the length that was evaluated where the type was written. An object of such
//! a type is memory that is allocated at its declaration; its name is a place behind the pointer to it. So `a[i]`, `sizeof a`, pointers to
//! rows and arrays of arrays need no further case in the graphs.

use super::allocations::NewMemory;
use super::scope::Entity;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ir::*;
use crate::types::Type;
use nub_c_syntax::ast::{self, Ident, InitKind};
use nub_text::Span;

impl Lower<'_> {
    /// Is the size of the type known at run time only?
    pub(super) fn is_variable(&self, ty: TypeId) -> bool {
        matches!(self.shared.program.types.get(ty), Type::VariableArray(..))
    }

    /// An array of variable length, or of elements whose size is variable. The length is evaluated at this point.
    pub(super) fn variable_array(
        &mut self,
        element: TypeId,
        length: ast::ExprId,
        span: Span,
    ) -> Lowered<TypeId> {
        if self.scopes.is_file_scope() || self.n_prototypes > 0 || self.fun.is_unevaluated {
            return Err(Refusal::unmodelled(span, "variable-length arrays are not supported here"));
        }
        let value = self.value(length)?;
        let value = self.promote(value, span)?;
        let zero = self.int(0, value.ty, span);
        let op = if self.format(value.ty).is_signed { CompareOp::SLt } else { CompareOp::ULt };
        let is_positive = self.compare_op(op, zero, value, span);
        self.check(CheckKind::ArrayLength, is_positive, span);
        let size = self.size_type();
        let value = self.convert(value, size, span)?;
        let place = self.temporary(size, span);
        self.emit(InstrKind::Store { place: place.clone(), value: value.id }, span);
        let PlaceBase::Local(local) = place.base else { return Err(Refusal::silent()) };
        let number = self.shared.lengths.len() as u32;
        self.shared.lengths.push(local);
        Ok(self.types().intern(Type::VariableArray(element, number)))
    }

    /// The length of an array of variable length.
    pub(super) fn variable_length(&mut self, number: u32, span: Span) -> RValue {
        let ty = self.size_type();
        let base = PlaceBase::Local(self.shared.lengths[number as usize]);
        let id = self.add(ExprKind::Load(Place { base, steps: Vec::new(), ty }), ty, span);
        RValue { id, ty, bits: None }
    }

    /// A type as elements of constant size, and how many there are. `None` if the size of the type is constant.
    pub(super) fn variable_parts(&mut self, ty: TypeId, span: Span) -> Lowered<Option<(RValue, u64)>> {
        let (mut count, mut inner) = (None, ty);
        while let Type::VariableArray(element, number) = *self.shared.program.types.get(inner) {
            let length = self.variable_length(number, span);
            count = Some(match count {
                Some(count) => self.binary_op(BinaryOp::Mul, count, length, span),
                None => length,
            });
            inner = element;
        }
        let Some(count) = count else { return Ok(None) };
        self.require_complete(inner, span)?;
        Ok(Some((count, self.shared.program.types.size_of(inner).unwrap_or(0))))
    }

    /// The size in bytes of a type whose size is variable.
    pub(super) fn variable_size(&mut self, ty: TypeId, span: Span) -> Lowered<Option<RValue>> {
        let Some((count, size)) = self.variable_parts(ty, span)? else { return Ok(None) };
        let size = self.int(u128::from(size), count.ty, span);
        Ok(Some(self.binary_op(BinaryOp::Mul, count, size, span)))
    }

    /// A variable of such a type.
    pub(super) fn variable_object(
        &mut self,
        name: Ident,
        ty: TypeId,
        init: Option<ast::InitId>,
        span: Span,
    ) -> Lowered<()> {
        let is_empty = |init| matches!(&self.unit.init(init).kind, InitKind::List(items) if items.is_empty());
        if init.is_some_and(|init| !is_empty(init)) {
            return Err(Refusal::new(span, "a variable-length array cannot have initial values"));
        }
        let Some(size) = self.variable_size(ty, span)? else { return Err(Refusal::silent()) };
        let spelling = self.spelling(name.name).to_owned();
        let maker = AllocationMaker::Automatic;
        let memory = self.allocate(NewMemory { name: &spelling, maker, size, old: None }, span);
        if let (Some(_), Some(Instr { kind: InstrKind::Allocate { is_zeroed, .. }, .. })) =
            (init, self.fun.blocks[self.fun.current.index()].instrs.last_mut())
        {
            *is_zeroed = true;
        }
        let pointer_type = self.types().pointer_to(ty);
        let pointer = self.convert(memory, pointer_type, span)?;
        let place = self.temporary(pointer_type, span);
        self.emit(InstrKind::Store { place: place.clone(), value: pointer.id }, span);
        if let PlaceBase::Local(local) = place.base {
            self.scopes.declare(name.name, Entity::VariableArray(local));
        }
        Ok(())
    }

    /// What the name of such an object designates.
    pub(super) fn variable_place(&mut self, local: LocalId, span: Span) -> Place {
        let ty = self.fun.locals[local.index()].ty;
        let pointer = Place { base: PlaceBase::Local(local), steps: Vec::new(), ty };
        let id = self.add(ExprKind::Load(pointer), ty, span);
        let target = self.shared.program.types.pointee(ty).unwrap_or(ty);
        Place { base: PlaceBase::Pointer(id), steps: Vec::new(), ty: target }
    }

    /// Before an element is used: the index is below the length. One past the end is an address, but not an element.
    pub(super) fn check_variable_index(&mut self, element: ExprId, span: Span) {
        let Some((array, index)) = self.fun.variable_elements.get(&element).copied() else { return };
        let Type::VariableArray(_, number) = *self.shared.program.types.get(array) else { return };
        let length = self.variable_length(number, span);
        if let Ok(index) = self.index_value(index, span)
            && let Ok(index) = self.convert(index, length.ty, span)
        {
            let is_inside = self.compare_op(CompareOp::ULt, index, length, span);
            self.check(CheckKind::Bounds, is_inside, span);
        }
    }
}
