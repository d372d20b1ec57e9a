//! Functions that read their variable arguments.
//!
//! A call stores the arguments that no parameter takes in a record, each at the next multiple of eight bytes, and passes the address of the record
//! after the other arguments. The callee keeps it in a temporary. A `va_list` is the address of the next argument, so it can be copied and passed on
//! like any pointer, and reading one argument too many dereferences a pointer past the end of the record.

use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ir::*;
use crate::layout::{DeclaredMember, Packing};
use crate::types::{IntKind, Type};
use nub_c_syntax::ast;
use nub_text::Span;

/// Bytes from one variable argument to the next.
pub const VARIABLE_ARGUMENT_BYTES: u64 = 8;
const SLOT: u64 = VARIABLE_ARGUMENT_BYTES;

impl Lower<'_> {
    /// The type of a `va_list`.
    pub(super) fn va_list_type(&mut self) -> TypeId {
        let arguments = self.types().intern(Type::VaList);
        self.types().pointer_to(arguments)
    }

    /// The function that is being lowered has variable arguments.
    pub(super) fn take_variable_arguments(&mut self, span: Span) {
        let ty = self.va_list_type();
        let local = self.push_local(String::new(), ty, LocalKind::Temporary, span);
        self.fun.variable_arguments = Some(local);
    }

    /// `va_start`, `va_end`, `va_copy`; `None` if it is another function.
    pub(super) fn va_call(
        &mut self,
        name: &str,
        args: &[ast::ExprId],
        span: Span,
    ) -> Lowered<Option<RValue>> {
        match name.strip_prefix("__builtin_").unwrap_or(name) {
            "va_start" | "c23_va_start" => {
                self.require_args(args, 1, span)?;
                let list = self.modifiable(args[0])?;
                let Some(local) = self.fun.variable_arguments else {
                    return Err(Refusal::new(span, "this function has no variable arguments"));
                };
                let place = Place { base: PlaceBase::Local(local), steps: Vec::new(), ty: list.ty };
                self.fun.uses_variable_arguments = true;
                let id = self.add(ExprKind::Load(place), list.ty, span);
                self.store(list.clone(), RValue { id, ty: list.ty, bits: None }, span);
            }
            "va_copy" => {
                self.require_args(args, 2, span)?;
                let list = self.modifiable(args[0])?;
                let from = self.value(args[1])?;
                self.store(list, from, span);
            }
            "va_end" => {
                self.require_args(args, 1, span)?;
                self.modifiable(args[0])?;
            }
            _ => return Ok(None),
        }
        Ok(Some(self.void_value(span)))
    }

    /// `va_arg(list, T)`
    pub(super) fn va_arg(&mut self, list: ast::ExprId, ty: ast::TypeNameId, span: Span) -> Lowered<RValue> {
        let ty = self.type_name(ty)?;
        let size = self.slot_size(ty, span)?;
        let list = self.modifiable(list)?;
        let here = self.load(list.clone(), span)?;
        let here = self.save_always(here, span);
        let character = self.types().int(IntKind::Char);
        let bytes = self.types().pointer_to(character);
        let start = self.convert(here, bytes, span)?;
        let step = self.plain_int(u128::from(size), span);
        let next = self.pointer_add(start, step, super::places::Direction::Forward, span)?;
        let next = self.convert(next, list.ty, span)?;
        self.store(list, next, span);
        let target = self.types().pointer_to(ty);
        let pointer = self.convert(here, target, span)?;
        let place = self.pointer_target(pointer, span)?;
        let value = self.load(place, span)?;
        Ok(if self.is_record(ty) { value } else { self.save_always(value, span) })
    }

    /// Bytes that an argument of this type takes.
    fn slot_size(&mut self, ty: TypeId, span: Span) -> Lowered<u64> {
        self.require_complete(ty, span)?;
        if self.shared.program.types.align_of(ty) > SLOT {
            let message = format!("variable arguments of type `{}` are not supported", self.spell(ty));
            return Err(Refusal::new(span, message));
        }
        Ok(self.shared.program.types.size_of(ty).unwrap_or(0).next_multiple_of(SLOT))
    }

    /// The address of a record with these arguments.
    pub(super) fn packed_arguments(&mut self, args: &[ExprId], span: Span) -> Lowered<ExprId> {
        let mut members = Vec::with_capacity(args.len());
        for (at, arg) in args.iter().enumerate() {
            let ty = self.fun.expr(*arg).ty;
            self.slot_size(ty, span)?;
            let name = format!("argument{at}");
            members.push(DeclaredMember {
                name,
                ty,
                width: None,
                align: Some(SLOT),
                is_packed: false,
                is_const: false,
            });
        }
        let record = self.types().add_record(ast::RecordKeyword::Struct, "");
        if self.types().complete(record, &members, Packing::Natural, Some(SLOT)).is_none() {
            return Err(Refusal::new(span, "these arguments are too large"));
        }
        let ty = self.types().intern(Type::Record(record));
        let local = self.push_local(String::new(), ty, LocalKind::Variable, span);
        self.fun.locals[local.index()].address_taken = true;
        self.emit(InstrKind::LifetimeBegin { local }, span);
        for (at, arg) in args.iter().enumerate() {
            let steps = vec![PlaceStep::Field(record, at as u32)];
            let place = Place { base: PlaceBase::Local(local), steps, ty: members[at].ty };
            self.emit(InstrKind::Store { place, value: *arg }, span);
        }
        let whole = Place { base: PlaceBase::Local(local), steps: Vec::new(), ty };
        let pointer_type = self.types().pointer_to(ty);
        let id = self.add(ExprKind::AddressOf(whole), pointer_type, span);
        let list = self.va_list_type();
        Ok(self.convert(RValue { id, ty: pointer_type, bits: None }, list, span)?.id)
    }
}
