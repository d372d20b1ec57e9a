//! Conditions for defined behaviour, each emitted just before the operation.
//!
//! A check that can be decided from the types and constants is omitted: the sum of two `short` fits an `int`.

use super::{Lower, RValue};
use crate::ids::*;
use crate::ints;
use crate::ir::*;
use crate::model::SignedOverflow;
use crate::types::{IntKind, Type};
use nub_text::Span;

impl Lower<'_> {
    /// Emits a check, unless its condition is a constant that holds.
    pub(super) fn check(&mut self, kind: CheckKind, condition: RValue, span: Span) {
        if self.known(condition.id).is_some_and(|bits| bits != 0) {
            return;
        }
        self.emit(InstrKind::Check { kind, condition: condition.id }, span);
    }

    /// Before an operation on converted operands.
    pub(super) fn check_binary(&mut self, op: BinaryOp, left: RValue, right: RValue, span: Span) {
        let is_signed = self.format(left.ty).is_signed;
        match op {
            BinaryOp::Add if is_signed => self.check_overflow(OverflowOp::Add, left, right, span),
            BinaryOp::Sub if is_signed => self.check_overflow(OverflowOp::Sub, left, right, span),
            BinaryOp::Mul if is_signed => self.check_overflow(OverflowOp::Mul, left, right, span),
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
                self.check_division(left, right, span);
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => self.check_shift(op, left, right, span),
            _ => {}
        }
    }

    pub(super) fn check_overflow(&mut self, op: OverflowOp, left: RValue, right: RValue, span: Span) {
        if self.overflow_wraps() {
            return;
        }
        let width = self.format(left.ty).width;
        let (a, b) = (self.signed_bits(left.id), self.signed_bits(right.id));
        let needed = match op {
            OverflowOp::Add | OverflowOp::Sub => a.max(b) + 1,
            OverflowOp::Mul => a + b,
        };
        if needed <= width {
            return;
        }
        if let (Some(a), Some(b)) = (self.known(left.id), self.known(right.id))
            && !ints::overflows(op, a, b, width)
        {
            return;
        }
        let ty = self.int_type();
        let id = self.add(ExprKind::Overflows(op, left.id, right.id), ty, span);
        let fits = self.falsity(RValue { id, ty, bits: None }, span);
        self.check(CheckKind::Overflow, fits, span);
    }

    /// Whether signed overflow is defined. In our models of the C library it never is: what `atoi` does with a number that is too large does not
    /// depend on how the program is compiled.
    fn overflow_wraps(&self) -> bool {
        let overflow = self.shared.program.model.signed_overflow;
        overflow == SignedOverflow::Wraps && !self.shared.is_model
    }

    /// Bits that the value needs as a signed number, at most; looks through conversions only.
    fn signed_bits(&self, id: ExprId) -> u32 {
        let expr = self.fun.expr(id);
        let width = self.format(expr.ty).width;
        match &expr.kind {
            ExprKind::Int(bits) => {
                let number = ints::to_signed(*bits, width);
                129 - number.unsigned_abs().leading_zeros().max(1)
            }
            ExprKind::Convert(Conversion::ZeroExtend, from) => self.unsigned_bits(*from) + 1,
            ExprKind::Convert(Conversion::SignExtend, from) => self.signed_bits(*from),
            ExprKind::Convert(Conversion::Same, from) if !self.format(self.fun.expr(*from).ty).is_signed => {
                (self.unsigned_bits(*from) + 1).min(width)
            }
            ExprKind::Compare(..) | ExprKind::PointerCompare(..) => 2.min(width),
            ExprKind::Load(place) => match self.bit_field(place) {
                Some(bits) if self.format(expr.ty).is_signed => bits,
                Some(bits) => (bits + 1).min(width),
                None => width,
            },
            _ => width,
        }
    }

    /// Bits that the value needs as an unsigned number, at most.
    fn unsigned_bits(&self, id: ExprId) -> u32 {
        let expr = self.fun.expr(id);
        match &expr.kind {
            ExprKind::Load(place) if self.bit_field(place).is_some() => self.bit_field(place).unwrap_or(128),
            _ => self.format(expr.ty).width,
        }
    }

    fn check_division(&mut self, left: RValue, right: RValue, span: Span) {
        let not_zero = self.compare_zero_divisor(right, span);
        self.check(CheckKind::DivisionByZero, not_zero, span);
        let format = self.format(left.ty);
        if !format.is_signed || self.signed_bits(left.id) < format.width {
            return;
        }
        // The smallest number divided by -1. As one expression, without a branch: (a ^ min) | ~b is zero in that case only.
        if self.known(right.id).is_some_and(|bits| bits != ints::from_signed(-1, format.width)) {
            return;
        }
        let least = self.int(1 << (format.width - 1), left.ty, span);
        let left_differs = self.binary_op(BinaryOp::Xor, left, least, span);
        let right_differs = self.unary_op(UnaryOp::Not, right, span);
        let differs = self.binary_op(BinaryOp::Or, left_differs, right_differs, span);
        let fits = self.truth(differs, span);
        self.check(CheckKind::Overflow, fits, span);
    }

    fn compare_zero_divisor(&mut self, divisor: RValue, span: Span) -> RValue {
        let zero = self.int(0, divisor.ty, span);
        self.compare_op(CompareOp::Ne, divisor, zero, span)
    }

    fn check_shift(&mut self, op: BinaryOp, left: RValue, right: RValue, span: Span) {
        let format = self.format(left.ty);
        let amount = self.format(right.ty);
        // The type of the amount may be too narrow to hold the width; that happens only in unusual data models, and then no amount is too large.
        if amount.width >= 128 || u128::from(format.width) < 1 << amount.width {
            let limit = self.int(u128::from(format.width), right.ty, span);
            // A negative amount is a large unsigned number.
            let is_below = self.compare_op(CompareOp::ULt, right, limit, span);
            self.check(CheckKind::ShiftAmount, is_below, span);
        }
        if op == BinaryOp::Shl && format.is_signed && !self.overflow_wraps() {
            self.check_shift_base(left, right, span);
        }
    }

    /// `left << right` fits if `left >> (width - 1 - right)` is zero as an unsigned shift: not negative, no bit lost, none into the sign.
    fn check_shift_base(&mut self, left: RValue, right: RValue, span: Span) {
        let width = self.format(left.ty).width;
        if let (Some(value), Some(by)) = (self.known(left.id), self.known(right.id))
            && by < u128::from(width)
            && value >> (u128::from(width) - 1 - by) == 0
        {
            return;
        }
        let last = self.int(u128::from(width - 1), right.ty, span);
        let rest = self.binary_op(BinaryOp::Sub, last, right, span);
        let lost = self.binary_op(BinaryOp::LShr, left, rest, span);
        let fits = self.falsity(lost, span);
        self.check(CheckKind::ShiftBase, fits, span);
    }

    /// Before a place is read or written: its indices are in bounds, its pointer is valid.
    pub(super) fn check_access(&mut self, place: &Place, span: Span) {
        self.check_access_of(place, AccessTarget::Object, span);
    }

    /// The same for a place that may be a register.
    pub(super) fn check_access_of(&mut self, place: &Place, target: AccessTarget, span: Span) {
        self.check_bounds(place, span, CompareOp::ULt);
        let PlaceBase::Pointer(pointer) = place.base else {
            // The type does not say how many elements the object has.
            if self.is_in_unsized_array(place)
                && let Some(size) = self.bytes_touched(place)
            {
                let ty = self.types().pointer_to(place.ty);
                let pointer = self.add(ExprKind::AddressOf(place.clone()), ty, span);
                self.check_pointer(pointer, size, target, span);
            }
            return;
        };
        self.check_variable_index(pointer, span);
        let ty = self.fun.expr(pointer).ty;
        let null = self.null(ty, span);
        let not_null =
            self.pointer_compare(CompareOp::Ne, RValue { id: pointer, ty, bits: None }, null, span);
        self.check(CheckKind::Null, not_null, span);
        let Some(size) = self.bytes_touched(place) else { return };
        let pointer = if place.steps.is_empty() {
            pointer
        } else {
            let ty = self.types().pointer_to(place.ty);
            self.add(ExprKind::AddressOf(place.clone()), ty, span)
        };
        self.check_pointer(pointer, size, target, span);
    }

    /// There are `size` bytes where a pointer points to.
    pub(super) fn check_pointer(&mut self, pointer: ExprId, size: u64, target: AccessTarget, span: Span) {
        let ty = self.int_type();
        let id = self.add(ExprKind::ValidPointer { pointer, size, target }, ty, span);
        self.check(CheckKind::Pointer, RValue { id, ty, bits: None }, span);
    }

    /// An element of an array without a length, or of length 0 as GNU C allows: as a member, such an array may have elements.
    fn is_in_unsized_array(&self, place: &Place) -> bool {
        let types = &self.shared.program.types;
        let mut ty = self.base_type(place.base);
        for step in &place.steps {
            match (step, types.get(ty)) {
                (PlaceStep::Field(record, field), _) => {
                    ty = types.record(*record).fields[*field as usize].ty;
                    if matches!(types.get(ty), Type::Array(_, None)) {
                        return true;
                    }
                }
                (PlaceStep::Index(_), Type::Array(_, Some(0) | None)) => return true,
                (PlaceStep::Index(_), Type::Array(element, _)) => ty = *element,
                (PlaceStep::Index(_), _) => return false,
            }
        }
        false
    }

    /// Bytes that an access reads or writes. A bit-field at the end of a structure touches fewer than its declared type has.
    fn bytes_touched(&self, place: &Place) -> Option<u64> {
        let types = &self.shared.program.types;
        if let Some(PlaceStep::Field(record, field)) = place.steps.last()
            && let Some(bits) = types.record(*record).fields[*field as usize].bits
        {
            return Some(u64::from((bits.start + bits.width).div_ceil(types.model.char_bits)));
        }
        types.size_of(place.ty)
    }

    /// Indices of a place against the lengths of their arrays: below for an access, at most equal for an address.
    pub(super) fn check_bounds(&mut self, place: &Place, span: Span, op: CompareOp) {
        let mut ty = self.base_type(place.base);
        for (at, step) in place.steps.iter().enumerate() {
            let types = &self.shared.program.types;
            match (*step, types.get(ty)) {
                (PlaceStep::Field(record, field), _) => ty = types.record(record).fields[field as usize].ty,
                (PlaceStep::Index(index), Type::Array(element, length)) => {
                    let (element, length) = (*element, *length);
                    let op = if at + 1 == place.steps.len() { op } else { CompareOp::ULt };
                    if let Some(length) = length.filter(|length| *length > 0) {
                        self.check_index(index, length, op, span);
                    }
                    ty = element;
                }
                (PlaceStep::Index(_), _) => return,
            }
        }
    }

    fn check_index(&mut self, index: ExprId, length: u64, op: CompareOp, span: Span) {
        let ty = self.fun.expr(index).ty;
        let length = self.int(u128::from(length), ty, span);
        let is_inside = self.compare_op(op, RValue { id: index, ty, bits: None }, length, span);
        self.check(CheckKind::Bounds, is_inside, span);
    }

    /// Before a scalar is read: it was written. [`super::written`] removes the check later where it always holds.
    pub(super) fn check_initialised(&mut self, place: &Place, span: Span) {
        let is_checked = match place.base {
            PlaceBase::Pointer(_) => !(self.is_byte(place.ty) && self.copies_bytes()),
            PlaceBase::Local(_) | PlaceBase::Global(_) => true,
            PlaceBase::String(_) => false,
        };
        if !is_checked || !self.shared.program.types.is_scalar(place.ty) {
            return;
        }
        let ty = self.int_type();
        let id = self.add(ExprKind::Initialised(place.clone()), ty, span);
        self.check(CheckKind::Uninitialised, RValue { id, ty, bits: None }, span);
    }

    /// Whether this is our model of `memcpy` or `memmove`, which may copy bytes that were never written, such as padding.
    fn copies_bytes(&self) -> bool {
        let name = self
            .shared
            .program
            .functions
            .get(self.fun.function.index())
            .map(|function| function.name.as_str());
        self.shared.is_model && matches!(name, Some("memcpy" | "memmove"))
    }

    fn is_byte(&self, ty: TypeId) -> bool {
        matches!(self.int_kind(ty), Some(IntKind::Char | IntKind::SChar | IntKind::UChar))
    }
}
