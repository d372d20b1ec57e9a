//! `_Generic`.

use super::places::Operand;
use super::{Lower, Lowered, Refusal};
use nub_c_syntax::ast::{self, GenericAssociation};
use nub_text::Span;

impl Lower<'_> {
    /// The alternative for the type of the control, which is not evaluated.
    pub(super) fn generic(
        &mut self,
        control: ast::ExprId,
        associations: &[GenericAssociation],
        span: Span,
    ) -> Lowered<Operand> {
        let ty = self.discard(|lower| {
            let operand = lower.operand(control)?;
            Ok(match operand {
                // An object need not be read to know its type.
                Operand::Place(place)
                    if lower.shared.program.types.size_of(place.ty).is_some()
                        && !lower.is_array(place.ty) =>
                {
                    place.ty
                }
                operand => lower.operand_value(operand, span)?.ty,
            })
        })?;
        let mut default = None;
        for association in associations {
            match association.ty {
                None => default = Some(association.value),
                Some(name) => {
                    if self.type_name(name)? == ty {
                        return self.operand(association.value);
                    }
                }
            }
        }
        match default {
            Some(value) => self.operand(value),
            None => Err(Refusal::new(span, format!("no alternative for type `{}`", self.spell(ty)))),
        }
    }

    pub(super) fn is_array(&self, ty: crate::ids::TypeId) -> bool {
        matches!(self.shared.program.types.get(ty), crate::types::Type::Array(..))
    }
}
