//! `sizeof`, `_Alignof`, `offsetof`, `__builtin_types_compatible_p`.

use super::places::Operand;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::types::Type;
use nub_c_syntax::ast::{self, Designator, TypeNameId};
use nub_text::Span;

impl Lower<'_> {
    fn size_value(&mut self, ty: TypeId, span: Span) -> Lowered<RValue> {
        if let Some(size) = self.variable_size(ty, span)? {
            return Ok(size);
        }
        // As in gcc.
        let is_unit = matches!(self.shared.program.types.get(ty), Type::Void | Type::Function(_));
        let size = if is_unit { Some(1) } else { self.shared.program.types.size_of(ty) };
        let Some(size) = size else {
            return Err(Refusal::new(span, format!("the size of `{}` is not known here", self.spell(ty))));
        };
        let size_type = self.size_type();
        Ok(self.int(u128::from(size), size_type, span))
    }

    pub(super) fn sizeof_type(&mut self, ty: TypeNameId, span: Span) -> Lowered<RValue> {
        let ty = self.type_name(ty)?;
        self.size_value(ty, span)
    }

    pub(super) fn sizeof_expr(&mut self, id: ast::ExprId, span: Span) -> Lowered<RValue> {
        let operand = self.discard(|lower| lower.operand(id))?;
        match operand {
            Operand::Place(place) if self.bit_field(&place).is_some() => {
                Err(Refusal::new(span, "a bit-field has no size"))
            }
            Operand::Value(RValue { bits: Some(width), .. }) => Ok(self.bit_field_size(width, span)),
            operand => self.size_value(operand.ty(self), span),
        }
    }

    /// The size of an assignment to a bit-field: as in gcc, that of the smallest integer type with enough bits. The standard leaves the type open;
    /// clang takes the declared one.
    fn bit_field_size(&mut self, width: u32, span: Span) -> RValue {
        let n_bytes = width.div_ceil(self.shared.program.types.model.char_bits).next_power_of_two();
        let size_type = self.size_type();
        self.int(u128::from(n_bytes), size_type, span)
    }

    fn align_value(&mut self, ty: TypeId, span: Span) -> RValue {
        let align = self.shared.program.types.align_of(ty);
        let size_type = self.size_type();
        self.int(u128::from(align), size_type, span)
    }

    pub(super) fn alignof_type(&mut self, ty: TypeNameId, span: Span) -> Lowered<RValue> {
        let ty = self.type_name(ty)?;
        Ok(self.align_value(ty, span))
    }

    pub(super) fn alignof_expr(&mut self, id: ast::ExprId, span: Span) -> Lowered<RValue> {
        let ty = self.type_of_expr(id)?;
        Ok(self.align_value(ty, span))
    }

    pub(super) fn offsetof(&mut self, ty: TypeNameId, path: &[Designator], span: Span) -> Lowered<RValue> {
        let mut ty = self.type_name(ty)?;
        let mut offset: u128 = 0;
        for designator in path {
            match (designator, self.shared.program.types.get(ty).clone()) {
                (Designator::Member(member), Type::Record(record)) => {
                    let name = self.spelling(member.name).to_owned();
                    let Some(path) = self.find_member(record, &name) else {
                        return Err(Refusal::new(
                            member.span,
                            format!("`{}` has no member `{name}`", self.spell(ty)),
                        ));
                    };
                    for (record, field) in path {
                        let field = &self.shared.program.types.record(record).fields[field as usize];
                        offset += u128::from(field.offset);
                        ty = field.ty;
                    }
                }
                (Designator::Index(index), Type::Array(element, _)) => {
                    let (index, _) = self.constant(*index)?;
                    let size = self.shared.program.types.size_of(element).unwrap_or(0);
                    offset = offset.wrapping_add((index as u128).wrapping_mul(u128::from(size)));
                    ty = element;
                }
                _ => {
                    return Err(Refusal::new(
                        span,
                        format!("`{}` has no such member or element", self.spell(ty)),
                    ));
                }
            }
        }
        let size_type = self.size_type();
        Ok(self.int(offset, size_type, span))
    }

    pub(super) fn types_compatible(
        &mut self,
        left: TypeNameId,
        right: TypeNameId,
        span: Span,
    ) -> Lowered<RValue> {
        let left = self.type_name(left)?;
        let right = self.type_name(right)?;
        let types = &self.shared.program.types;
        let are_equal = left == right
            || matches!(
                (types.get(left), types.get(right)),
                (Type::Array(a, None), Type::Array(b, _)) | (Type::Array(a, _), Type::Array(b, None)) if a == b
            );
        Ok(self.plain_int(u128::from(are_equal), span))
    }
}
