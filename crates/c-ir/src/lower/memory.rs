//! Reading and writing of objects.

use super::places::Operand;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ir::*;
use crate::types::Type;
use nub_c_syntax::ast;
use nub_text::Span;

impl Lower<'_> {
    /// The value of an expression: objects are read, arrays and functions become pointers.
    pub(super) fn value(&mut self, id: ast::ExprId) -> Lowered<RValue> {
        let span = self.unit.expr(id).span;
        let operand = self.operand(id)?;
        self.operand_value(operand, span)
    }

    pub(super) fn operand_value(&mut self, operand: Operand, span: Span) -> Lowered<RValue> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Function(function) => Ok(self.function_address(function, span)),
            Operand::Place(place) => match *self.shared.program.types.get(place.ty) {
                Type::Array(element, _) => {
                    let ty = self.types().pointer_to(element);
                    Ok(self.decay(place, ty, span))
                }
                Type::VariableArray(element, _) => {
                    let ty = self.types().pointer_to(element);
                    match place.base {
                        PlaceBase::Pointer(id) if place.steps.is_empty() => {
                            let pointer = RValue { id, ty: self.fun.expr(id).ty, bits: None };
                            self.convert(pointer, ty, span)
                        }
                        _ => Ok(self.decay(place, ty, span)),
                    }
                }
                // A function is called through the pointer to it.
                Type::Function(_) => match place.base {
                    PlaceBase::Pointer(id) => Ok(RValue { id, ty: self.fun.expr(id).ty, bits: None }),
                    _ => Err(Refusal::new(span, "this is not a value")),
                },
                _ => self.load(place, span),
            },
        }
    }

    /// Reads a place.
    pub(super) fn load(&mut self, place: Place, span: Span) -> Lowered<RValue> {
        self.load_as(AccessKind::Read, place, span)
    }

    /// Reads a place, perhaps to write it at once. The span is that of the place.
    pub(super) fn load_as(&mut self, kind: AccessKind, place: Place, span: Span) -> Lowered<RValue> {
        match self.shared.program.types.get(place.ty) {
            Type::Int(_) | Type::Pointer(_) => {}
            Type::Record(record) if self.shared.program.types.record(*record).size.is_some() => {}
            Type::Float(_) if self.fun.is_unevaluated || self.shared.program.types.is_scalar(place.ty) => {}
            _ => return Err(self.unsupported_operand(place.ty, span)),
        }
        if let Some(value) = self.volatile_load(kind, &place, span) {
            return Ok(value);
        }
        if self.shared.program.types.is_atomic(place.ty) {
            self.emit(InstrKind::LeftOpen { choice: OpenChoice::Threads, place: None }, span);
        }
        Ok(self.load_memory(place, span))
    }

    /// Reads what was written to a place, also if it is volatile.
    pub(super) fn load_memory(&mut self, place: Place, span: Span) -> RValue {
        self.check_access(&place, span);
        self.check_initialised(&place, span);
        let bits = self.bit_field(&place);
        let ty = self.types().unqualified(place.ty);
        let id = self.add(ExprKind::Load(place), ty, span);
        RValue { id, ty, bits }
    }

    /// Writes a place that was just read, and so is known to be valid; unless it is a register.
    pub(super) fn write(&mut self, place: Place, value: RValue, span: Span) {
        if !(self.is_volatile(&place) && self.is_register(&place)) {
            self.emit(InstrKind::Store { place, value: value.id }, span);
        }
    }

    /// Writes a place. The value has its type.
    pub(super) fn store(&mut self, place: Place, value: RValue, span: Span) {
        self.check_access(&place, span);
        self.emit(InstrKind::Store { place, value: value.id }, span);
    }

    /// The value that a place of bit-field type holds after `value` was written: its low bits.
    pub(super) fn after_store(&mut self, place: &Place, value: RValue, span: Span) -> RValue {
        let Some(width) = self.bit_field(place) else { return value };
        let format = self.format(value.ty);
        if width >= format.width {
            return RValue { bits: Some(width), ..value };
        }
        let amount = self.plain_int(u128::from(format.width - width), span);
        let high = self.binary_op(BinaryOp::Shl, value, amount, span);
        let op = if format.is_signed { BinaryOp::AShr } else { BinaryOp::LShr };
        let cut = self.binary_op(op, high, amount, span);
        RValue { bits: Some(width), ..cut }
    }

    pub(super) fn function_address(&mut self, function: FunctionId, span: Span) -> RValue {
        self.shared.program.functions[function.index()].address_taken = true;
        let ty = self.shared.program.functions[function.index()].ty;
        let ty = self.types().pointer_to(ty);
        let id = self.add(ExprKind::FunctionAddress(function), ty, span);
        RValue { id, ty, bits: None }
    }
}
