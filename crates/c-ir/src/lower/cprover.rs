//! Primitives that harnesses of CBMC use: what memory a pointer leads to.

use super::allocations::NewMemory;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ir::*;
use nub_c_syntax::ast;
use nub_text::Span;

impl Lower<'_> {
    /// The value of a call of one of these functions; `None` if it is another.
    pub(super) fn cprover(
        &mut self,
        name: &str,
        args: &[ast::ExprId],
        span: Span,
    ) -> Lowered<Option<RValue>> {
        let Some(plain) = name.strip_prefix("__CPROVER_") else { return Ok(None) };
        let n_args = match plain {
            "allocate" | "same_object" | "equal" => 2,
            "r_ok" | "w_ok" | "rw_ok" | "OBJECT_SIZE" | "POINTER_OFFSET" => 1,
            _ => return Ok(None),
        };
        self.require_args(args, n_args, span)?;
        let values = self.argument_values(args)?;
        Ok(Some(match plain {
            "allocate" => {
                let size = self.as_size(values[0], span)?;
                // Its second argument says whether the memory is zeroed; one that is not constant counts as no.
                let is_zero = self.known(values[1].id).is_some_and(|known| known != 0);
                let name = if is_zero { "calloc" } else { "malloc" };
                self.allocate(NewMemory { name, maker: AllocationMaker::Library, size, old: None }, span)
            }
            "equal" => self.same_value(values[0], values[1], span)?,
            "same_object" => self.compare_objects(CompareOp::Eq, [values[0], values[1]], span)?,
            "OBJECT_SIZE" => self.memory_number(ExprKind::ObjectSize, values[0], span)?,
            "POINTER_OFFSET" => self.memory_number(ExprKind::PointerOffset, values[0], span)?,
            _ => {
                let size = match values.get(1) {
                    Some(size) => self.as_size(*size, span)?,
                    None => self.target_size(values[0], span)?,
                };
                self.has_room(values[0], size, span)?
            }
        }))
    }

    /// Whether two values of one type have the same representation. A NaN can be the same as another, and zeros with different signs differ.
    fn same_value(&mut self, left: RValue, right: RValue, span: Span) -> Lowered<RValue> {
        let types = &self.shared.program.types;
        if left.ty != right.ty {
            return Err(Refusal::unmodelled(span, "`__CPROVER_equal` of two types is not supported"));
        }
        if types.float_format(left.ty).is_some() {
            return Ok(self.float_test(FloatOperator::SameBits, &[left, right], span));
        }
        if types.pointee(left.ty).is_some() {
            return Ok(self.pointer_compare(CompareOp::Eq, left, right, span));
        }
        self.require_scalar(left, span)?;
        self.require_scalar(right, span)?;
        Ok(self.compare_op(CompareOp::Eq, left, right, span))
    }

    /// A number about the memory that a pointer leads to.
    fn memory_number(
        &mut self,
        kind: impl Fn(crate::ids::ExprId) -> ExprKind,
        pointer: RValue,
        span: Span,
    ) -> Lowered<RValue> {
        let pointer = self.as_pointer(pointer, span)?;
        let ty = self.size_type();
        let id = self.add(kind(pointer.id), ty, span);
        // Memory changes, so the number is saved now.
        Ok(self.save_always(RValue { id, ty, bits: None }, span))
    }

    /// The size of what a pointer points to, 1 if that has none.
    fn target_size(&mut self, pointer: RValue, span: Span) -> Lowered<RValue> {
        let target = self.shared.program.types.pointee(pointer.ty);
        let size = target.and_then(|ty| self.shared.program.types.size_of(ty)).unwrap_or(1);
        let ty = self.size_type();
        Ok(self.int(u128::from(size), ty, span))
    }

    /// Are there `size` bytes in a live object from where the pointer points to?
    fn has_room(&mut self, pointer: RValue, size: RValue, span: Span) -> Lowered<RValue> {
        let whole = self.memory_number(ExprKind::ObjectSize, pointer, span)?;
        let offset = self.memory_number(ExprKind::PointerOffset, pointer, span)?;
        let is_inside = self.compare_op(CompareOp::ULe, offset, whole, span);
        let rest = self.binary_op(BinaryOp::Sub, whole, offset, span);
        let fits = self.compare_op(CompareOp::ULe, size, rest, span);
        Ok(self.binary_op(BinaryOp::And, is_inside, fits, span))
    }

    /// Whether `size` bytes at two places do not overlap. The distance, counted both ways, is at least `size`: a size near 2^width is beyond any
    /// object.
    pub(super) fn are_apart(&mut self, pointers: [RValue; 2], size: RValue, span: Span) -> Lowered<RValue> {
        let differ = self.compare_objects(CompareOp::Ne, pointers, span)?;
        let offsets = [
            self.memory_number(ExprKind::PointerOffset, pointers[0], span)?,
            self.memory_number(ExprKind::PointerOffset, pointers[1], span)?,
        ];
        let forth = self.binary_op(BinaryOp::Sub, offsets[1], offsets[0], span);
        let back = self.binary_op(BinaryOp::Sub, offsets[0], offsets[1], span);
        let is_before = self.compare_op(CompareOp::ULe, size, forth, span);
        let is_behind = self.compare_op(CompareOp::ULe, size, back, span);
        let are_far = self.binary_op(BinaryOp::And, is_before, is_behind, span);
        Ok(self.binary_op(BinaryOp::Or, differ, are_far, span))
    }

    /// Do two pointers point into one object, or into two?
    fn compare_objects(&mut self, op: CompareOp, pointers: [RValue; 2], span: Span) -> Lowered<RValue> {
        let starts = [self.object_start(pointers[0], span)?, self.object_start(pointers[1], span)?];
        Ok(self.pointer_compare(op, starts[0], starts[1], span))
    }

    /// The start of the object that a pointer points into.
    fn object_start(&mut self, pointer: RValue, span: Span) -> Lowered<RValue> {
        let character = self.types().int(crate::types::IntKind::Char);
        let ty = self.types().pointer_to(character);
        let pointer = self.as_pointer(pointer, span)?;
        let pointer = self.convert(pointer, ty, span)?;
        let offset = self.memory_number(ExprKind::PointerOffset, pointer, span)?;
        self.pointer_add(pointer, offset, super::places::Direction::Back, span)
    }
}
