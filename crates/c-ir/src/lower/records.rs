//! Structures and unions.

use super::scope::Tag;
use super::{Lower, Lowered, Refusal};
use crate::ids::*;
use crate::layout::{DeclaredMember, Packing};
use crate::types::{IntKind, Type};
use nub_c_syntax::ast::{self, FieldDeclarator, RecordKeyword};
use nub_text::Span;

impl Lower<'_> {
    /// A mention of a record, which may define it.
    pub(super) fn record_type(&mut self, id: ast::RecordId) -> Lowered<TypeId> {
        let unit = self.unit;
        let record = unit.record(id);
        let is_union = record.kind == RecordKeyword::Union;
        let known = record.tag.and_then(|tag| match &record.members {
            Some(_) => self.scopes.find_tag_here(tag.name),
            None => self.scopes.find_tag(tag.name),
        });
        let number = match known {
            Some(Tag::Record(number)) if self.shared.program.types.record(number).is_union == is_union => {
                number
            }
            Some(Tag::Poisoned(poison)) => return Err(self.poisoned(poison)),
            Some(_) => return Err(Refusal::new(record.span, "this tag was declared as something else")),
            None => self.new_record(record),
        };
        if let Some(members) = &record.members {
            if self.shared.program.types.record(number).size.is_some() {
                return Err(Refusal::new(record.span, "this tag is defined twice"));
            }
            let defined = self.nested(record.span, |lower| lower.define_record(number, record, members));
            if let (Err(refusal), Some(tag)) = (&defined, record.tag) {
                let poison = self.poison(refusal);
                self.scopes.declare_tag(tag.name, Tag::Poisoned(poison));
            }
            defined?;
        }
        Ok(self.types().intern(Type::Record(number)))
    }

    fn new_record(&mut self, record: &ast::RecordSpecifier) -> RecordId {
        let tag = record.tag.map(|tag| self.spelling(tag.name).to_owned()).unwrap_or_default();
        let number = self.types().add_record(record.kind, &tag);
        let is_local = !self.scopes.is_file_scope() || self.n_prototypes > 0;
        self.types().record_mut(number).is_local = is_local;
        if let Some(tag) = record.tag {
            self.scopes.declare_tag(tag.name, Tag::Record(number));
        }
        number
    }

    fn define_record(
        &mut self,
        number: RecordId,
        record: &ast::RecordSpecifier,
        members: &[ast::MemberDeclaration],
    ) -> Lowered<()> {
        let mut laid_out = Vec::new();
        for member in members {
            match member {
                ast::MemberDeclaration::StaticAssert(assertion) => self.static_assert(assertion)?,
                ast::MemberDeclaration::Fields { span, specifiers, fields } => {
                    self.members(*specifiers, fields, *span, &mut laid_out)?;
                }
            }
        }
        let packing = match self.pragma_pack(record.span.start) {
            _ if self.is_packed(&record.attributes) => Packing::AtMost(1),
            Some(limit) => Packing::AtMost(limit),
            None => Packing::Natural,
        };
        let align = self.attribute_align(&record.attributes)?;
        match self.types().complete(number, &laid_out, packing, align) {
            Some(()) => Ok(()),
            None => Err(Refusal::new(record.span, "a member of this type is incomplete or too large")),
        }
    }

    /// The members that one declaration in a record declares.
    fn members(
        &mut self,
        specifiers: ast::SpecifiersId,
        fields: &[FieldDeclarator],
        span: Span,
        into: &mut Vec<DeclaredMember>,
    ) -> Lowered<()> {
        let base = self.specifiers_type(specifiers)?;
        let align = self.specifier_align(specifiers)?;
        let is_packed = self.is_packed(&self.unit.specifiers(specifiers).attributes);
        let is_const = self.qualifiers_of(specifiers).is_const;
        if fields.is_empty() && self.is_record(base) {
            into.push(DeclaredMember {
                name: String::new(),
                ty: base,
                width: None,
                align,
                is_packed,
                is_const,
            });
        }
        for field in fields {
            let ty = self.declarator_type(base, &field.declarator)?;
            let name =
                field.declarator.name.map(|name| self.spelling(name.name).to_owned()).unwrap_or_default();
            let width = match field.width {
                Some(width) => Some(self.bit_field_width(ty, width, &name)?),
                None => None,
            };
            if matches!(self.shared.program.types.get(ty), Type::Function(_)) {
                return Err(Refusal::new(span, "a member cannot be a function"));
            }
            let align = align.max(self.attribute_align(&field.declarator.attributes)?);
            let is_packed = is_packed || self.is_packed(&field.declarator.attributes);
            let is_const = self.declared_qualifiers(specifiers, &field.declarator).is_const;
            into.push(DeclaredMember { name, ty, width, align, is_packed, is_const });
        }
        Ok(())
    }

    fn bit_field_width(&mut self, ty: TypeId, width: ast::ExprId, name: &str) -> Lowered<u32> {
        let span = self.unit.expr(width).span;
        let Some(kind) = self.int_kind(ty) else {
            return Err(Refusal::new(span, "a bit-field must have an integer type"));
        };
        let (number, _) = self.constant(width)?;
        let limit = if kind == IntKind::Bool { 1 } else { self.format(ty).width };
        match u32::try_from(number) {
            Ok(0) if !name.is_empty() => {
                Err(Refusal::new(span, "only an unnamed bit-field can have zero width"))
            }
            Ok(width) if width <= limit => Ok(width),
            _ => Err(Refusal::new(
                span,
                format!("a bit-field of type `{}` can have at most {limit} bits", self.spell(ty)),
            )),
        }
    }
}
