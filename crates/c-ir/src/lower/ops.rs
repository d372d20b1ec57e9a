//! Typed operators. Operands that are constants are folded, unless the operation is undefined.

use super::{Lower, RValue};
use crate::ids::*;
use crate::ints;
use crate::ir::*;
use crate::types::{IntFormat, IntKind, Type};
use nub_text::Span;

impl Lower<'_> {
    /// The type `int`.
    pub(super) fn int_type(&mut self) -> TypeId {
        self.types().int(IntKind::Int)
    }

    pub(super) fn void_type(&mut self) -> TypeId {
        self.types().intern(Type::Void)
    }

    /// The unsigned integer type as wide as a pointer.
    pub(super) fn size_type(&mut self) -> TypeId {
        let kind = self.size_kind();
        self.types().int(kind)
    }

    pub(super) fn size_kind(&self) -> IntKind {
        let types = &self.shared.program.types;
        let wanted = types.model.pointer_bits;
        let kinds = [IntKind::UInt, IntKind::ULong, IntKind::UShort, IntKind::ULongLong];
        // A model without such a type is refused when it is read.
        kinds.into_iter().find(|kind| types.format_of(*kind).width == wanted).unwrap_or(IntKind::ULongLong)
    }

    /// `ptrdiff_t`.
    pub(super) fn difference_type(&mut self) -> TypeId {
        let kind = match self.size_kind() {
            IntKind::UShort => IntKind::Short,
            IntKind::UInt => IntKind::Int,
            IntKind::ULong => IntKind::Long,
            _ => IntKind::LongLong,
        };
        self.types().int(kind)
    }

    /// Width and sign of an expression of integer type. Pointers count as unsigned numbers.
    pub(super) fn format(&self, ty: TypeId) -> IntFormat {
        let types = &self.shared.program.types;
        types.int_format(ty).unwrap_or(IntFormat { width: types.model.pointer_bits, is_signed: false })
    }

    /// A constant of integer type.
    pub(super) fn int(&mut self, bits: u128, ty: TypeId, span: Span) -> RValue {
        let width = self.format(ty).width;
        let id = self.add(ExprKind::Int(ints::truncate(bits, width)), ty, span);
        RValue { id, ty, bits: None }
    }

    /// A constant of type `int`.
    pub(super) fn plain_int(&mut self, number: u128, span: Span) -> RValue {
        let ty = self.int_type();
        self.int(number, ty, span)
    }

    /// The value, if it is a constant of integer type.
    pub(super) fn known(&self, id: ExprId) -> Option<u128> {
        match self.fun.expr(id).kind {
            ExprKind::Int(bits) => Some(bits),
            _ => None,
        }
    }

    pub(super) fn unary_op(&mut self, op: UnaryOp, operand: RValue, span: Span) -> RValue {
        let width = self.format(operand.ty).width;
        if let Some(bits) = self.known(operand.id) {
            return self.int(ints::unary(op, bits, width), operand.ty, span);
        }
        let id = self.add(ExprKind::Unary(op, operand.id), operand.ty, span);
        RValue { id, ty: operand.ty, bits: None }
    }

    /// The result has the type of the left operand.
    pub(super) fn binary_op(&mut self, op: BinaryOp, left: RValue, right: RValue, span: Span) -> RValue {
        let width = self.format(left.ty).width;
        if let (Some(a), Some(b)) = (self.known(left.id), self.known(right.id))
            && !self.is_undefined(op, a, b, left.ty)
            && let Some(bits) = ints::binary(op, a, b, width)
        {
            return self.int(bits, left.ty, span);
        }
        let id = self.add(ExprKind::Binary(op, left.id, right.id), left.ty, span);
        RValue { id, ty: left.ty, bits: None }
    }

    /// Is the operation on these constants undefined in C?
    pub(super) fn is_undefined(&self, op: BinaryOp, left: u128, right: u128, ty: TypeId) -> bool {
        let IntFormat { width, is_signed } = self.format(ty);
        match op {
            BinaryOp::Add if is_signed => ints::overflows(OverflowOp::Add, left, right, width),
            BinaryOp::Sub if is_signed => ints::overflows(OverflowOp::Sub, left, right, width),
            BinaryOp::Mul if is_signed => ints::overflows(OverflowOp::Mul, left, right, width),
            BinaryOp::UDiv | BinaryOp::URem => right == 0,
            BinaryOp::SDiv | BinaryOp::SRem => {
                right == 0 || (left == 1 << (width - 1) && right == ints::from_signed(-1, width))
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => right >= u128::from(width),
            _ => false,
        }
    }

    /// Compares integers of one type; the result is an `int`.
    pub(super) fn compare_op(&mut self, op: CompareOp, left: RValue, right: RValue, span: Span) -> RValue {
        let width = self.format(left.ty).width;
        if let (Some(a), Some(b)) = (self.known(left.id), self.known(right.id)) {
            return self.plain_int(u128::from(ints::compare(op, a, b, width)), span);
        }
        let ty = self.int_type();
        let id = self.add(ExprKind::Compare(op, left.id, right.id), ty, span);
        RValue { id, ty, bits: None }
    }

    /// `value != 0` for a scalar. What is a comparison already stays as it is.
    pub(super) fn truth(&mut self, value: RValue, span: Span) -> RValue {
        if self.is_truth(value.id) {
            return value;
        }
        self.compare_with_zero(CompareOp::Ne, value, span)
    }

    /// `value == 0`.
    pub(super) fn falsity(&mut self, value: RValue, span: Span) -> RValue {
        self.compare_with_zero(CompareOp::Eq, value, span)
    }

    fn compare_with_zero(&mut self, op: CompareOp, value: RValue, span: Span) -> RValue {
        if self.shared.program.types.pointee(value.ty).is_some() {
            let null = self.null(value.ty, span);
            return self.pointer_compare(op, value, null, span);
        }
        if self.is_float(value.ty) {
            let zero = self.float_constant(0, value.ty, span);
            let is_zero = self.float_test(FloatOperator::Equal, &[value, zero], span);
            return if op == CompareOp::Eq { is_zero } else { self.falsity(is_zero, span) };
        }
        let zero = self.int(0, value.ty, span);
        self.compare_op(op, value, zero, span)
    }

    fn is_truth(&self, id: ExprId) -> bool {
        if let ExprKind::Float(op, _) = &self.fun.expr(id).kind {
            return op.yields() == FloatYield::Truth;
        }
        matches!(
            self.fun.expr(id).kind,
            ExprKind::Compare(..)
                | ExprKind::PointerCompare(..)
                | ExprKind::Overflows(..)
                | ExprKind::ValidPointer { .. }
                | ExprKind::Initialised(_)
        )
    }

    /// The null pointer of a pointer type.
    pub(super) fn null(&mut self, ty: TypeId, span: Span) -> RValue {
        let id = self.add(ExprKind::Null, ty, span);
        RValue { id, ty, bits: None }
    }

    pub(super) fn pointer_compare(
        &mut self,
        op: CompareOp,
        left: RValue,
        right: RValue,
        span: Span,
    ) -> RValue {
        let is_null = |lower: &Self, id| lower.fun.expr(id).kind == ExprKind::Null;
        let is_object = |lower: &Self, id| {
            let program = &lower.shared.program;
            match &lower.fun.expr(id).kind {
                ExprKind::FunctionAddress(function) => !program.functions[function.index()].is_weak,
                ExprKind::AddressOf(Place { base: PlaceBase::Global(global), .. }) => {
                    !program.globals[global.index()].is_weak
                }
                ExprKind::AddressOf(place) => !matches!(place.base, PlaceBase::Pointer(_)),
                _ => false,
            }
        };
        let known = if is_null(self, left.id) && is_null(self, right.id) {
            Some(matches!(op, CompareOp::Eq | CompareOp::ULe))
        } else if is_object(self, left.id) && is_null(self, right.id) {
            matches!(op, CompareOp::Eq | CompareOp::Ne).then_some(op == CompareOp::Ne)
        } else {
            None
        };
        if let Some(truth) = known {
            return self.plain_int(u128::from(truth), span);
        }
        let ty = self.int_type();
        let id = self.add(ExprKind::PointerCompare(op, left.id, right.id), ty, span);
        RValue { id, ty, bits: None }
    }
}
