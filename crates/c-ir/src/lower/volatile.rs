//! `volatile`: each read is an input, since hardware, an interrupt or another thread may have written the object before it.
//!
//! A write goes to the object, and does not determine what is read from it later. Registers are volatile objects at constant addresses, `*(volatile
//! uint32_t *)0x40020000u`: there is no object, so a write has no effect. A pointer may lead to a register too, `port->data`: it does if the program
//! made the pointer from a number. A local variable whose address is never taken is an ordinary one: `for (volatile int i = 0; i < 100; i++);` counts.

use super::builder::Builder;
use super::{Lower, RValue};
use crate::ids::*;
use crate::ir::*;
use nub_c_syntax::ast;
use nub_text::Span;

/// Longer names of what is read are cut.
const MAX_NAME: usize = 40;

impl Lower<'_> {
    /// Whether an access to this place is visible to others.
    pub(super) fn is_volatile(&self, place: &Place) -> bool {
        self.shared.program.types.is_volatile(place.ty) && !self.fun.is_unevaluated
    }

    /// Where a volatile place may be.
    fn access_target(&self, place: &Place) -> AccessTarget {
        match place.base {
            _ if self.is_register(place) => AccessTarget::Register,
            PlaceBase::Pointer(_) => AccessTarget::Either,
            PlaceBase::Local(_) | PlaceBase::Global(_) | PlaceBase::String(_) => AccessTarget::Object,
        }
    }

    /// Is the place at a constant address?
    pub(super) fn is_register(&self, place: &Place) -> bool {
        let PlaceBase::Pointer(mut pointer) = place.base else { return false };
        loop {
            pointer = match &self.fun.expr(pointer).kind {
                ExprKind::PointerCast(inner) => *inner,
                ExprKind::PointerAdd { pointer, .. } => *pointer,
                ExprKind::AddressOf(Place { base: PlaceBase::Pointer(inner), .. }) => *inner,
                ExprKind::IntToPointer(address) => return self.known(*address).is_some_and(|bits| bits != 0),
                ExprKind::Load(Place { base: PlaceBase::Global(global), steps, .. }) => {
                    return steps.is_empty() && self.is_fixed_address(*global);
                }
                _ => return false,
            };
        }
    }

    /// A constant pointer that holds a number.
    fn is_fixed_address(&self, global: GlobalId) -> bool {
        let global = &self.shared.program.globals[global.index()];
        let is_number = |piece: &InitialPiece| matches!(piece.value, Constant::Int(bits) if bits != 0);
        global.is_const && global.initial.iter().any(is_number)
    }

    /// The value of a volatile object that holds a number; `None` for any other place.
    pub(super) fn volatile_load(&mut self, kind: AccessKind, place: &Place, span: Span) -> Option<RValue> {
        let is_number = self.shared.program.types.number_format(place.ty).is_some();
        if !is_number || !self.is_volatile(place) {
            return None;
        }
        self.check_volatile(place, span);
        if let PlaceBase::Local(_) = place.base {
            self.check_initialised(place, span);
        }
        let ty = self.types().unqualified(place.ty);
        // The value in the object, for a local that turns out to be an ordinary one.
        let ordinary = match place.base {
            PlaceBase::Local(local) => Some((local, self.add(ExprKind::Load(place.clone()), ty, span))),
            _ => None,
        };
        let access = self.access(kind, place, ordinary, span);
        let result = self.temporary(ty, span);
        let source = InputSource::Volatile(self.access_name(span), access);
        self.emit(InstrKind::Input { place: result.clone(), source }, span);
        let id = self.add(ExprKind::Load(result), ty, span);
        let bits = self.bit_field(place);
        let value = RValue { id, ty, bits };
        if let Some(bits) = bits {
            self.assume_width(value, bits, span);
        }
        Some(value)
    }

    fn check_volatile(&mut self, place: &Place, span: Span) {
        match self.access_target(place) {
            AccessTarget::Register => self.check_bounds(place, span, CompareOp::ULt),
            target => self.check_access_of(place, target, span),
        }
    }

    fn access_name(&self, span: Span) -> String {
        let text = self.source_text(span);
        if text.chars().count() <= MAX_NAME {
            return text;
        }
        text.chars().take(MAX_NAME).chain("...".chars()).collect()
    }

    /// A bit-field holds only values that fit it.
    fn assume_width(&mut self, value: RValue, bits: u32, span: Span) {
        let format = self.format(value.ty);
        if bits >= format.width {
            return;
        }
        let amount = self.plain_int(u128::from(format.width - bits), span);
        let high = self.binary_op(BinaryOp::Shl, value, amount, span);
        let op = if format.is_signed { BinaryOp::AShr } else { BinaryOp::LShr };
        let cut = self.binary_op(op, high, amount, span);
        let fits = self.compare_op(CompareOp::Eq, cut, value, span);
        self.emit(InstrKind::Assume { condition: fits.id }, span);
    }

    /// Writes a place that is or may be a register; false if it is neither. `left` designates the place.
    pub(super) fn register_store(&mut self, place: &Place, value: RValue, left: ast::ExprId) -> bool {
        let target = self.access_target(place);
        if !self.is_volatile(place) || target == AccessTarget::Object {
            return false;
        }
        // Pointers and structures in a register are not modelled.
        if target == AccessTarget::Either && self.shared.program.types.number_format(place.ty).is_none() {
            return false;
        }
        let span = self.unit.expr(left).span;
        self.check_volatile(place, span);
        self.access(AccessKind::Write, place, None, span);
        if target == AccessTarget::Either {
            self.emit(InstrKind::Store { place: place.clone(), value: value.id }, span);
        }
        true
    }

    fn access(
        &mut self,
        kind: AccessKind,
        place: &Place,
        ordinary: Option<(LocalId, ExprId)>,
        span: Span,
    ) -> AccessId {
        let types = &self.shared.program.types;
        let size = match place.steps.last() {
            Some(PlaceStep::Field(record, field))
                if types.record(*record).fields[*field as usize].bits.is_some() =>
            {
                types.record(*record).size
            }
            _ => types.size_of(place.ty),
        };
        let access = Access {
            size: size.unwrap_or(u64::MAX),
            span,
            kind,
            ty: self.types().unqualified(place.ty),
            bits: self.bit_field(place),
            target: self.access_target(place),
            is_pure: self.is_pure(place),
            ordinary,
        };
        let accesses = &mut self.shared.program.accesses;
        accesses.push(access);
        AccessId::next(accesses.len() - 1)
    }

    /// Whether reaching the place has no side effect: no call, no other input.
    fn is_pure(&self, place: &Place) -> bool {
        let mut todo = Vec::new();
        super::place_children(place, &mut todo);
        while let Some(id) = todo.pop() {
            let kind = &self.fun.expr(id).kind;
            if let ExprKind::Load(Place { base: PlaceBase::Local(local), .. }) = kind
                && self.fun.locals[local.index()].kind == LocalKind::Temporary
            {
                return false;
            }
            super::children(kind, &mut todo);
        }
        true
    }
}

/// Reads of locals whose address is never taken become ordinary reads. Which ones is known only at the end of the function.
pub(super) fn settle(built: &mut Builder, accesses: &mut [Access]) {
    for instr in built.blocks.iter_mut().flat_map(|block| &mut block.instrs) {
        let InstrKind::Input { place, source: InputSource::Volatile(_, access) } = &instr.kind else {
            continue;
        };
        let access = &mut accesses[access.index()];
        match access.ordinary {
            Some((local, value)) if !built.locals[local.index()].address_taken => {
                instr.kind = InstrKind::Store { place: place.clone(), value };
            }
            _ => access.ordinary = None,
        }
    }
}
