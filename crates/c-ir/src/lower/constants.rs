//! Integer constant expressions: lowered, folded, discarded.

use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ints;
use nub_c_syntax::ast::{self, StaticAssert};

impl Lower<'_> {
    /// The value and type of a constant expression; `None` if it is not constant.
    pub(super) fn try_constant(&mut self, id: ast::ExprId) -> Lowered<Option<(u128, TypeId)>> {
        self.discard(|lower| {
            let value: RValue = lower.value(id)?;
            Ok(lower.known(value.id).map(|bits| (bits, value.ty)))
        })
    }

    /// A constant expression as a number; refused if it is not constant.
    pub(super) fn constant(&mut self, id: ast::ExprId) -> Lowered<(i128, TypeId)> {
        let span = self.unit.expr(id).span;
        match self.try_constant(id)? {
            Some((bits, ty)) if !self.is_float(ty) => {
                let format = self.format(ty);
                let number =
                    if format.is_signed { ints::to_signed(bits, format.width) } else { bits as i128 };
                Ok((number, ty))
            }
            _ => Err(Refusal::new(span, "this is not an integer constant expression")),
        }
    }

    pub(super) fn static_assert(&mut self, assertion: &StaticAssert) -> Lowered<()> {
        let (number, _) = self.constant(assertion.condition)?;
        if number == 0 && self.scopes.is_file_scope() {
            // The file is not valid C for this data model.
            self.unsupported(assertion.span, "static assertion failed");
        } else if number == 0 {
            return Err(Refusal::new(assertion.span, "static assertion failed"));
        }
        Ok(())
    }

    /// The type of an expression that is not evaluated. Arrays and functions do not decay.
    pub(super) fn type_of_expr(&mut self, id: ast::ExprId) -> Lowered<TypeId> {
        self.discard(|lower| Ok(lower.operand(id)?.ty(lower)))
    }
}
