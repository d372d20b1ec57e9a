//! Conversions (C17 6.3): promotions, usual arithmetic conversions, casts, conversion as if by assignment.

use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ints;
use crate::ir::*;
use crate::model::FloatEvaluation;
use crate::types::{FloatKind, IntKind, Type};
use nub_text::Span;

impl Lower<'_> {
    pub(super) fn spell(&self, ty: TypeId) -> String {
        self.shared.program.types.spell(ty)
    }

    pub(super) fn is_pointer(&self, ty: TypeId) -> bool {
        self.shared.program.types.pointee(ty).is_some()
    }

    pub(super) fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.shared.program.types.get(ty), Type::Record(_))
    }

    pub(super) fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.shared.program.types.get(ty), Type::Void)
    }

    pub(super) fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        self.shared.program.types.int_kind(ty)
    }

    /// The refusal of a type that no operation works on.
    pub(super) fn unsupported_operand(&self, ty: TypeId, span: Span) -> Refusal {
        match self.shared.program.types.get(ty) {
            Type::Float(FloatKind::Complex) => Refusal::unmodelled(span, "complex numbers are not supported"),
            Type::Float(FloatKind::Extended) => Refusal::unmodelled(
                span,
                "floating types other than `float`, `double` and `long double` are not supported",
            ),
            Type::VaList => Refusal::unmodelled(
                span,
                "functions that read their variable arguments are not supported here",
            ),
            _ if self.vector(ty).is_some() => {
                Refusal::unmodelled(span, "this operation on vectors is not supported")
            }
            _ => Refusal::new(span, format!("a value of type `{}` is not allowed here", self.spell(ty))),
        }
    }

    /// Integer promotions; a float stays as it is.
    pub(super) fn promote_number(&mut self, value: RValue, span: Span) -> Lowered<RValue> {
        match self.shared.program.types.float_kind(value.ty) {
            Some(_) => Ok(value),
            None => self.promote(value, span),
        }
    }

    /// Integer promotions, of an integer.
    pub(super) fn promote(&mut self, value: RValue, span: Span) -> Lowered<RValue> {
        let Some(kind) = self.int_kind(value.ty) else {
            return Err(self.unsupported_operand(value.ty, span));
        };
        let promoted = self.promoted_kind(kind, value.bits);
        let ty = self.types().int(promoted);
        self.convert(value, ty, span)
    }

    /// What a type, or a bit-field of it, is promoted to. A type wider than `int` stays as it is; in unusual data models, even `short` may be one.
    fn promoted_kind(&self, kind: IntKind, bits: Option<u32>) -> IntKind {
        let types = &self.shared.program.types;
        let format = types.format_of(kind);
        let int_width = types.model.int_bits;
        let width = bits.unwrap_or(format.width);
        if bits.is_none() && kind.rank() >= IntKind::Int.rank() || width > int_width {
            return kind;
        }
        if width < int_width || format.is_signed { IntKind::Int } else { IntKind::UInt }
    }

    /// The usual arithmetic conversions: both operands in their common type.
    pub(super) fn usual(&mut self, left: RValue, right: RValue, span: Span) -> Lowered<(RValue, RValue)> {
        if self.is_float(left.ty) || self.is_float(right.ty) {
            return self.float_usual(left, right, span);
        }
        let left = self.promote(left, span)?;
        let right = self.promote(right, span)?;
        let (Some(left_kind), Some(right_kind)) = (self.int_kind(left.ty), self.int_kind(right.ty)) else {
            return Err(self.unsupported_operand(left.ty, span));
        };
        let common = self.common_kind(left_kind, right_kind);
        let ty = self.types().int(common);
        Ok((self.convert(left, ty, span)?, self.convert(right, ty, span)?))
    }

    /// C17 6.3.1.8, for promoted types.
    pub(super) fn common_kind(&self, left: IntKind, right: IntKind) -> IntKind {
        let types = &self.shared.program.types;
        let (a, b) = (types.format_of(left), types.format_of(right));
        if a.is_signed == b.is_signed {
            return if left.rank() >= right.rank() { left } else { right };
        }
        let (signed, unsigned) = if a.is_signed { (left, right) } else { (right, left) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if types.format_of(signed).width > types.format_of(unsigned).width {
            signed
        } else {
            signed.unsigned()
        }
    }

    /// A cast of a scalar. Callers handle `void`.
    pub(super) fn convert(&mut self, value: RValue, to: TypeId, span: Span) -> Lowered<RValue> {
        let to = self.types().unqualified(to);
        if value.ty == to {
            return Ok(RValue { bits: None, ..value });
        }
        let types = &self.shared.program.types;
        match (types.get(value.ty), types.get(to)) {
            (Type::Int(_), Type::Int(kind)) => {
                let kind = *kind;
                Ok(self.resize(value, kind, to, span))
            }
            (Type::Int(_), Type::Pointer(_)) => self.int_to_pointer(value, to, span),
            (Type::Pointer(_), Type::Int(IntKind::Bool)) => {
                let truth = self.truth(value, span);
                self.convert(truth, to, span)
            }
            (Type::Pointer(_), Type::Int(_)) => {
                let size = self.size_type();
                let id = self.add(ExprKind::PointerToInt(value.id), size, span);
                self.convert(RValue { id, ty: size, bits: None }, to, span)
            }
            (Type::Pointer(_), Type::Pointer(_)) => Ok(self.retype_pointer(value, to, span)),
            (Type::Int(_) | Type::Float(_), Type::Float(_)) => self.float_from(value, to, span),
            (Type::Float(_), Type::Int(IntKind::Bool)) => {
                self.require_scalar(value, span)?;
                let truth = self.truth(value, span);
                self.convert(truth, to, span)
            }
            (Type::Float(_), Type::Int(_)) => self.float_to_int(value, to, span),
            (Type::VaList, _) => Err(self.unsupported_operand(value.ty, span)),
            (_, Type::VaList) => Err(self.unsupported_operand(to, span)),
            _ => {
                let message = format!("cannot convert `{}` to `{}`", self.spell(value.ty), self.spell(to));
                Err(Refusal::new(span, message))
            }
        }
    }

    /// From integer to integer.
    fn resize(&mut self, value: RValue, kind: IntKind, to: TypeId, span: Span) -> RValue {
        let (from, target) = (self.format(value.ty), self.format(to));
        let conversion = match kind {
            IntKind::Bool => Conversion::ToBool,
            _ if target.width < from.width => Conversion::Truncate,
            _ if target.width == from.width => Conversion::Same,
            _ if from.is_signed => Conversion::SignExtend,
            _ => Conversion::ZeroExtend,
        };
        if let Some(bits) = self.known(value.id) {
            return self.int(ints::convert(conversion, bits, from.width, target.width), to, span);
        }
        let id = self.add(ExprKind::Convert(conversion, value.id), to, span);
        RValue { id, ty: to, bits: None }
    }

    fn int_to_pointer(&mut self, value: RValue, to: TypeId, span: Span) -> Lowered<RValue> {
        if self.known(value.id) == Some(0) {
            return Ok(self.null(to, span));
        }
        let size = self.size_type();
        let address = self.convert(value, size, span)?;
        let id = self.add(ExprKind::IntToPointer(address.id), to, span);
        Ok(RValue { id, ty: to, bits: None })
    }

    fn retype_pointer(&mut self, value: RValue, to: TypeId, span: Span) -> RValue {
        let kind = match &self.fun.expr(value.id).kind {
            ExprKind::Null => ExprKind::Null,
            ExprKind::PointerCast(inner) => ExprKind::PointerCast(*inner),
            _ => ExprKind::PointerCast(value.id),
        };
        let id = self.add(kind, to, span);
        RValue { id, ty: to, bits: None }
    }

    /// Conversion as if by assignment: like a cast, with warnings about what a cast would hide.
    pub(super) fn assign_convert(&mut self, value: RValue, to: TypeId, span: Span) -> Lowered<RValue> {
        let to = self.types().unqualified(to);
        if self.is_record(to) && value.ty != to {
            if let Some(whole) = self.transparent(value, to, span)? {
                return Ok(whole);
            }
            if self.vector(to).is_some() {
                return Err(self.unsupported_operand(to, span));
            }
            let message = format!("expected `{}`, found `{}`", self.spell(to), self.spell(value.ty));
            return Err(Refusal::new(span, message));
        }
        let is_null = self.known(value.id) == Some(0) || self.fun.expr(value.id).kind == ExprKind::Null;
        let types = &self.shared.program.types;
        let odd = match (types.get(value.ty), types.get(to)) {
            (Type::Int(_), Type::Pointer(_)) => !is_null,
            (Type::Pointer(_), Type::Int(kind)) => *kind != IntKind::Bool,
            (Type::Pointer(from), Type::Pointer(target)) => !is_null && !self.are_similar(*from, *target),
            _ => false,
        };
        if odd && !self.fun.is_unevaluated {
            let message =
                format!("`{}` is converted to `{}` without a cast", self.spell(value.ty), self.spell(to));
            self.warn(span, message);
        }
        self.convert(value, to, span)
    }

    /// A value for a parameter that is a union: the attribute `transparent_union` lets callers pass a member. Nothing else in C does, so the
    /// attribute itself is not looked up.
    fn transparent(&mut self, value: RValue, to: TypeId, span: Span) -> Lowered<Option<RValue>> {
        let types = &self.shared.program.types;
        let (Type::Record(number), true) = (types.get(to).clone(), types.is_scalar(value.ty)) else {
            return Ok(None);
        };
        let record = types.record(number);
        // A pointer to `void` fits every pointer, and a null pointer constant too.
        let is_void = |target: TypeId| *types.get(target) == Type::Void;
        let is_null = self.known(value.id) == Some(0) || self.fun.expr(value.id).kind == ExprKind::Null;
        let fits = |ty: TypeId| match (types.pointee(ty), types.pointee(value.ty)) {
            (Some(to), Some(from)) => is_null || is_void(to) || is_void(from),
            (Some(_), None) => is_null,
            (None, _) => false,
        };
        let exact = record.fields.iter().position(|field| field.ty == value.ty);
        let found = exact.or_else(|| record.fields.iter().position(|field| fits(field.ty)));
        let Some(index) = found.filter(|_| record.is_union) else { return Ok(None) };
        let ty = record.fields[index].ty;
        let whole = self.temporary(to, span);
        let steps = vec![PlaceStep::Field(number, u32::try_from(index).unwrap_or(u32::MAX))];
        let value = self.convert(value, ty, span)?;
        self.emit(InstrKind::Store { place: Place { base: whole.base, steps, ty }, value: value.id }, span);
        let id = self.add(ExprKind::Load(whole), to, span);
        Ok(Some(RValue { id, ty: to, bits: None }))
    }

    /// May pointers to these be assigned to each other?
    fn are_similar(&self, from: TypeId, to: TypeId) -> bool {
        let types = &self.shared.program.types;
        let is_loose = |ty| {
            matches!(
                types.get(ty),
                Type::Void | Type::Function(_) | Type::Array(..) | Type::VariableArray(..)
            )
        };
        if is_loose(from) || is_loose(to) || types.are_alike(from, to) {
            return true;
        }
        match (types.get(from), types.get(to)) {
            // A different signedness of the target is accepted, and inner qualifiers are not tracked.
            (Type::Int(a), Type::Int(b)) => a.unsigned() == b.unsigned(),
            (Type::Pointer(_), Type::Pointer(_)) => true,
            _ => false,
        }
    }

    /// Default argument promotions, for arguments without a parameter.
    pub(super) fn promote_argument(&mut self, value: RValue, span: Span) -> Lowered<RValue> {
        match self.shared.program.types.get(value.ty) {
            Type::Int(_) => self.promote(value, span),
            Type::Float(FloatKind::Float) => {
                let ty = self.float_type(FloatKind::Double);
                self.convert(value, ty, span)
            }
            // It may be a `double` that was computed with more digits, which cannot be told from a `long double` here.
            Type::Float(FloatKind::LongDouble)
                if self.shared.program.model.float_evaluation == FloatEvaluation::LongDouble =>
            {
                let message =
                    "floating arguments of variadic functions are not supported where `FLT_EVAL_METHOD` is 2";
                Err(Refusal::unmodelled(span, message))
            }
            _ => Ok(value),
        }
    }
}
