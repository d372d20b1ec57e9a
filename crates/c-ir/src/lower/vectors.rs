//! GNU vector types: structures with one unnamed array, whose elements are computed one by one.
//!
//! No structure of C has an unnamed member that is an array, so nothing else looks like a vector; and where a path is printed as C, an element of the
//! array is `v[i]`, which is what the compiler expects.

use super::places::Operand;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ir::*;
use crate::layout::{DeclaredMember, Packing};
use crate::types::{IntKind, Type};
use nub_c_syntax::ast::{AstBinaryOp, AstUnaryOp, RecordKeyword};
use nub_text::Span;

/// A vector type.
#[derive(Clone, Copy)]
pub(super) struct Vector {
    record: RecordId,
    element: TypeId,
    length: u64,
}

impl Lower<'_> {
    /// The vector type with this id, if it is one.
    pub(super) fn vector(&self, ty: TypeId) -> Option<Vector> {
        let types = &self.shared.program.types;
        let Type::Record(record) = *types.get(ty) else { return None };
        let [only] = types.record(record).fields.as_slice() else { return None };
        match *types.get(only.ty) {
            Type::Array(element, Some(length)) if only.name.is_empty() => {
                Some(Vector { record, element, length })
            }
            _ => None,
        }
    }

    /// The type of vectors of this many bytes.
    pub(super) fn vector_type(&mut self, element: TypeId, bytes: u64, span: Span) -> Lowered<TypeId> {
        let types = &self.shared.program.types;
        let size = types.size_of(element).filter(|size| *size > 0 && types.is_scalar(element));
        let length = size.map(|size| bytes / size).filter(|length| *length > 0 && bytes.is_power_of_two());
        let Some(length) = length else {
            return Err(Refusal::unmodelled(span, "this vector type is not supported"));
        };
        let known = types.record_types().find(|ty| {
            self.vector(*ty).is_some_and(|found| (found.element, found.length) == (element, length))
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let ty = self.types().intern(Type::Array(element, Some(length)));
        let number = self.types().add_record(RecordKeyword::Struct, "");
        let member = DeclaredMember {
            name: String::new(),
            ty,
            width: None,
            align: None,
            is_packed: false,
            is_const: false,
        };
        self.types().complete(number, &[member], Packing::Natural, Some(bytes));
        Ok(self.types().intern(Type::Record(number)))
    }

    /// The array to index: that of a vector, also of one that was just computed.
    pub(super) fn vector_base(&self, base: Operand) -> Operand {
        let place = match &base {
            Operand::Place(place) => Some(place),
            Operand::Value(value) => match &self.fun.expr(value.id).kind {
                ExprKind::Load(place) => Some(place),
                _ => None,
            },
            Operand::Function(_) => None,
        };
        let elements = place.and_then(|place| self.vector_elements(place));
        elements.map_or(base, Operand::Place)
    }

    /// The array of a vector in memory.
    fn vector_elements(&self, place: &Place) -> Option<Place> {
        let vector = self.vector(place.ty)?;
        let mut array = place.clone();
        array.steps.push(PlaceStep::Field(vector.record, 0));
        array.ty = self.shared.program.types.record(vector.record).fields[0].ty;
        Some(array)
    }

    fn vector_element(&mut self, value: RValue, index: u64, span: Span) -> Lowered<RValue> {
        let ExprKind::Load(place) = self.fun.expr(value.id).kind.clone() else {
            return Err(self.unsupported_operand(value.ty, span));
        };
        let place = self.element_at(&place, index, span);
        self.check_initialised(&place, span);
        let ty = place.ty;
        let id = self.add(ExprKind::Load(place), ty, span);
        Ok(RValue { id, ty, bits: None })
    }

    fn element_at(&mut self, place: &Place, index: u64, span: Span) -> Place {
        let ty = self.difference_type();
        let index = self.int(u128::from(index), ty, span);
        let mut place = self.vector_elements(place).unwrap_or_else(|| place.clone());
        if let Type::Array(element, _) = *self.shared.program.types.get(place.ty) {
            place.steps.push(PlaceStep::Index(index.id));
            place.ty = element;
        }
        place
    }

    /// `a + b`, `a + 1` and so on; a comparison is -1 or 0 in each element. None if no operand is a vector.
    pub(super) fn vector_binary(
        &mut self,
        op: AstBinaryOp,
        left: RValue,
        right: RValue,
        span: Span,
    ) -> Lowered<Option<RValue>> {
        let (first, second) = (self.vector(left.ty), self.vector(right.ty));
        let Some(vector) = first.or(second) else { return Ok(None) };
        if first.zip(second).is_some_and(|(a, b)| a.length != b.length) {
            return Err(Refusal::new(span, "the vectors have different lengths"));
        }
        let (left, right) =
            (self.vector_operand(left, vector, span)?, self.vector_operand(right, vector, span)?);
        let is_comparison = matches!(
            op,
            AstBinaryOp::Lt
                | AstBinaryOp::Gt
                | AstBinaryOp::Le
                | AstBinaryOp::Ge
                | AstBinaryOp::Eq
                | AstBinaryOp::Ne
        );
        let element = if is_comparison { self.mask_element(vector.element) } else { vector.element };
        self.each_element(vector, element, span, |lower, index| {
            let a = if first.is_some() { lower.vector_element(left, index, span)? } else { left };
            let b = if second.is_some() { lower.vector_element(right, index, span)? } else { right };
            let value = lower.binary(op, a, b, span)?;
            Ok(if is_comparison { lower.unary_op(UnaryOp::Negate, value, span) } else { value })
        })
        .map(Some)
    }

    /// `-a` and `~a`; `None` if the operand is not a vector.
    pub(super) fn vector_unary(
        &mut self,
        op: AstUnaryOp,
        value: RValue,
        span: Span,
    ) -> Lowered<Option<RValue>> {
        let Some(vector) = self.vector(value.ty) else { return Ok(None) };
        let value = self.save_always(value, span);
        self.each_element(vector, vector.element, span, |lower, index| {
            let element = lower.vector_element(value, index, span)?;
            lower.unary_number(op, element, span)
        })
        .map(Some)
    }

    /// A vector in a temporary, or a number as an element.
    fn vector_operand(&mut self, value: RValue, vector: Vector, span: Span) -> Lowered<RValue> {
        match self.vector(value.ty) {
            Some(_) => Ok(self.save_always(value, span)),
            None => {
                let value = self.convert(value, vector.element, span)?;
                Ok(self.save(value, span))
            }
        }
    }

    /// The signed integer as wide as an element.
    fn mask_element(&mut self, element: TypeId) -> TypeId {
        let size = self.shared.program.types.size_of(element);
        let kinds = [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong];
        let found = kinds.into_iter().find(|kind| {
            let ty = self.types().int(*kind);
            self.shared.program.types.size_of(ty) == size
        });
        found.map_or(element, |kind| self.types().int(kind))
    }

    /// A new vector, element by element.
    fn each_element(
        &mut self,
        vector: Vector,
        element: TypeId,
        span: Span,
        mut value_at: impl FnMut(&mut Self, u64) -> Lowered<RValue>,
    ) -> Lowered<RValue> {
        let bytes = vector.length * self.shared.program.types.size_of(element).unwrap_or(1);
        let ty = self.vector_type(element, bytes, span)?;
        let result = self.temporary(ty, span);
        for index in 0..vector.length {
            let value = value_at(self, index)?;
            let value = self.convert(value, element, span)?;
            let place = self.element_at(&result, index, span);
            self.emit(InstrKind::Store { place, value: value.id }, span);
        }
        let id = self.add(ExprKind::Load(result), ty, span);
        Ok(RValue { id, ty, bits: None })
    }
}
