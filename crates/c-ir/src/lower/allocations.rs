//! `malloc` and similar functions, `alloca`, `free`.

use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ir::*;
use crate::types::IntKind;
use nub_c_syntax::ast;
use nub_text::Span;

/// Constant sizes up to this are part of the graph; a larger one is a number like any other.
const MAX_CONSTANT: u128 = 1 << 24;

/// What is to be allocated.
pub(super) struct NewMemory<'a> {
    /// The function of the library, or the array.
    pub name: &'a str,
    pub maker: AllocationMaker,
    /// In bytes; an unsigned number.
    pub size: RValue,
    /// For `realloc`: the pointer to the object whose content it gets.
    pub old: Option<RValue>,
}

impl Lower<'_> {
    /// A call of one of the functions that this file knows.
    pub(super) fn memory_call(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Lowered<RValue> {
        let n_args = match name {
            "calloc" | "realloc" | "aligned_alloc" | "memalign" | "alloca_with_align" => 2,
            "reallocarray" => 3,
            _ => 1,
        };
        self.require_args(args, n_args, span)?;
        let values = self.argument_values(args)?;
        let maker =
            if name.starts_with("alloca") { AllocationMaker::Automatic } else { AllocationMaker::Library };
        let (size, old) = match name {
            "free" => {
                let pointer = self.as_pointer(values[0], span)?;
                self.emit(InstrKind::Free { pointer: pointer.id }, span);
                return Ok(self.void_value(span));
            }
            "realloc" => (self.as_size(values[1], span)?, Some(self.as_pointer(values[0], span)?)),
            "reallocarray" => {
                (self.product(values[1], values[2], span)?, Some(self.as_pointer(values[0], span)?))
            }
            "calloc" => (self.product(values[0], values[1], span)?, None),
            "aligned_alloc" | "memalign" => (self.as_size(values[1], span)?, None),
            _ => (self.as_size(values[0], span)?, None),
        };
        Ok(self.allocate(NewMemory { name, maker, size, old }, span))
    }

    pub(super) fn as_pointer(&mut self, value: RValue, span: Span) -> Lowered<RValue> {
        if self.is_pointer(value.ty) {
            return Ok(value);
        }
        let void = self.void_type();
        let ty = self.types().pointer_to(void);
        self.assign_convert(value, ty, span)
    }

    pub(super) fn as_size(&mut self, value: RValue, span: Span) -> Lowered<RValue> {
        let ty = self.size_type();
        self.assign_convert(value, ty, span)
    }

    /// A product of two sizes, which may be more than a size can hold: then there is no such object.
    fn product(&mut self, left: RValue, right: RValue, span: Span) -> Lowered<RValue> {
        let (left, right) = (self.as_size(left, span)?, self.as_size(right, span)?);
        let wide = self.types().int(IntKind::UInt128);
        let (left, right) = (self.convert(left, wide, span)?, self.convert(right, wide, span)?);
        Ok(self.binary_op(BinaryOp::Mul, left, right, span))
    }

    /// A number that is known when the graph is made.
    pub(super) fn constant_size(&mut self, id: ast::ExprId, span: Span) -> Lowered<RValue> {
        let value = self.value(id)?;
        match self.known(value.id) {
            Some(_) => self.as_size(value, span),
            None => Err(Refusal::new(span, "the size must be constant here")),
        }
    }

    /// A new object; the value is the pointer to it.
    pub(super) fn allocate(&mut self, new: NewMemory<'_>, span: Span) -> RValue {
        let constant = self.known(new.size.id).filter(|size| *size <= MAX_CONSTANT);
        let function = self.fun.function;
        let size = constant.map(|size| size as u64);
        let allocations = &mut self.shared.program.allocations;
        allocations.push(Allocation { function, name: new.name.to_owned(), size, span, maker: new.maker });
        let site = AllocationId::next(allocations.len() - 1);
        let void = self.void_type();
        let ty = self.types().pointer_to(void);
        let result = self.temporary(ty, span);
        let kind = InstrKind::Allocate {
            result: result.clone(),
            site,
            size: constant.is_none().then_some(new.size.id),
            old: new.old.map(|old| old.id),
            is_zeroed: new.name == "calloc",
            fails: None,
        };
        self.emit(kind, span);
        let id = self.add(ExprKind::Load(result), ty, span);
        RValue { id, ty, bits: None }
    }
}
