//! Enumerations, with the types that gcc gives them: `unsigned int` unless a constant is negative or needs more.

use super::scope::{Entity, Tag};
use super::{Lower, Lowered, Refusal};
use crate::ids::*;
use crate::ints;
use crate::types::IntKind;
use nub_c_syntax::ast::{self, Enumerator};

impl Lower<'_> {
    pub(super) fn enum_type(&mut self, id: ast::EnumId) -> Lowered<TypeId> {
        let unit = self.unit;
        let enumeration = unit.enumeration(id);
        let fixed = enumeration.fixed.map(|ty| self.type_name(ty)).transpose()?;
        let Some(enumerators) = &enumeration.enumerators else {
            return self.enum_name(enumeration, fixed);
        };
        let before = enumeration.tag.and_then(|tag| self.scopes.find_tag_here(tag.name));
        let result = self.enumerators(enumerators, fixed);
        let result = match (result, before) {
            (Ok(ty), Some(Tag::Enum(assumed))) if assumed != ty => {
                Err(Refusal::new(enumeration.span, "this enumeration was used before its type was known"))
            }
            (result, _) => result,
        };
        let meaning = match &result {
            Ok(ty) => Tag::Enum(*ty),
            Err(refusal) => {
                let poison = self.poison(refusal);
                for enumerator in enumerators {
                    self.scopes.declare(enumerator.name.name, Entity::Poisoned(poison));
                }
                Tag::Poisoned(poison)
            }
        };
        if let Some(tag) = enumeration.tag {
            self.scopes.declare_tag(tag.name, meaning);
        }
        result
    }

    /// An enumeration that is only named. Before it is defined, which GNU C allows, its type is taken for the usual one.
    fn enum_name(&mut self, enumeration: &ast::Enum, fixed: Option<TypeId>) -> Lowered<TypeId> {
        let Some(tag) = enumeration.tag else {
            return Err(Refusal::new(enumeration.span, "this enumeration is not defined"));
        };
        let ty = match (fixed, self.scopes.find_tag(tag.name)) {
            (Some(ty), _) => ty,
            (None, Some(Tag::Enum(ty))) => return Ok(ty),
            (None, Some(Tag::Poisoned(poison))) => return Err(self.poisoned(poison)),
            (None, Some(Tag::Record(_))) => {
                return Err(Refusal::new(enumeration.span, "this tag was declared as something else"));
            }
            (None, None) => self.types().int(IntKind::UInt),
        };
        self.scopes.declare_tag(tag.name, Tag::Enum(ty));
        Ok(ty)
    }

    /// Declares the constants; returns the type of the enumeration. If the type is written, the constants have it too.
    fn enumerators(&mut self, enumerators: &[Enumerator], fixed: Option<TypeId>) -> Lowered<TypeId> {
        let (mut next, mut least, mut most): (i128, i128, i128) = (0, 0, 0);
        for enumerator in enumerators {
            if let Some(value) = enumerator.value {
                next = self.constant(value)?.0;
            }
            (least, most) = (least.min(next), most.max(next));
            let Some(kind) = self.kind_for(next, next, IntKind::Int) else {
                return Err(Refusal::new(
                    enumerator.name.span,
                    "this constant does not fit any integer type",
                ));
            };
            let own = self.types().int(kind);
            let ty = fixed.unwrap_or(own);
            let bits = ints::from_signed(next, self.format(ty).width);
            self.scopes.declare(enumerator.name.name, Entity::Enumerator(bits, ty));
            next = next.wrapping_add(1);
        }
        if let Some(ty) = fixed {
            return Ok(ty);
        }
        let first = if least < 0 { IntKind::Int } else { IntKind::UInt };
        let kind = self.kind_for(least, most, first).unwrap_or(IntKind::ULongLong);
        Ok(self.types().int(kind))
    }

    /// The first type from `first` on that holds both numbers.
    fn kind_for(&self, least: i128, most: i128, first: IntKind) -> Option<IntKind> {
        let kinds = [
            IntKind::Int,
            IntKind::UInt,
            IntKind::Long,
            IntKind::ULong,
            IntKind::LongLong,
            IntKind::ULongLong,
        ];
        kinds.into_iter().filter(|kind| *kind >= first).find(|kind| {
            let format = self.shared.program.types.format_of(*kind);
            let holds = |number: i128| {
                let bits = ints::from_signed(number, format.width);
                let back = if format.is_signed { ints::to_signed(bits, format.width) } else { bits as i128 };
                back == number
            };
            holds(least) && holds(most)
        })
    }
}
