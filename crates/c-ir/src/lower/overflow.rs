//! `__builtin_add_overflow` and similar functions: the exact result, cut to the type of the object, and whether that changed the value.

use super::{Lower, Lowered, RValue, Refusal};
use crate::ir::*;
use crate::types::IntKind;
use nub_c_syntax::ast;
use nub_text::Span;

impl Lower<'_> {
    /// Computed in 128 bits, where operands of up to 64 bits have an exact sum and difference. A product of two unsigned numbers may wrap to
    /// a negative one there, but never to one that a type of 64 bits holds.
    pub(super) fn overflow_builtin(
        &mut self,
        op: BinaryOp,
        args: &[ast::ExprId],
        span: Span,
    ) -> Lowered<RValue> {
        self.require_args(args, 3, span)?;
        let values = self.argument_values(args)?;
        let target = self.pointer_target(values[2], span)?;
        let is_narrow = |lower: &Self, ty| lower.int_kind(ty).is_some() && lower.format(ty).width <= 64;
        if ![values[0].ty, values[1].ty, target.ty].into_iter().all(|ty| is_narrow(self, ty)) {
            return Err(Refusal::unmodelled(span, "only integers of up to 64 bits are supported here"));
        }
        let wide = self.types().int(IntKind::Int128);
        let left = self.convert(values[0], wide, span)?;
        let right = self.convert(values[1], wide, span)?;
        let exact = self.binary_op(op, left, right, span);
        let exact = self.save(exact, span);
        let cut = self.convert(exact, target.ty, span)?;
        self.store(target, cut, span);
        let back = self.convert(cut, wide, span)?;
        let differs = self.compare_op(CompareOp::Ne, exact, back, span);
        let bool_type = self.types().int(IntKind::Bool);
        self.convert(differs, bool_type, span)
    }
}
