//! Expressions: which file lowers which.

use super::places::Operand;
use super::{Lower, Lowered, RValue};
use crate::types::Type;
use nub_c_syntax::ast::{self, AstBinaryOp, AstExprKind, AstUnaryOp, TypeNameId};
use nub_text::Span;

impl Lower<'_> {
    /// Lowers an expression. Its side effects are emitted.
    pub(super) fn operand(&mut self, id: ast::ExprId) -> Lowered<Operand> {
        let span = self.unit.expr(id).span;
        self.nested(span, |lower| lower.operand_here(id, span))
    }

    fn operand_here(&mut self, id: ast::ExprId, span: Span) -> Lowered<Operand> {
        let unit = self.unit;
        let value = match &unit.expr(id).kind {
            AstExprKind::Ident(ident) => return self.name(*ident),
            AstExprKind::Member { base, access, member } => {
                return self.member(*base, *access, *member, span);
            }
            AstExprKind::Index(base, index) => return self.index(*base, *index, span),
            AstExprKind::Unary(AstUnaryOp::Deref, pointer) => return self.dereference(*pointer, span),
            AstExprKind::CompoundLiteral(ty, init) => {
                return self.compound_literal(*ty, *init, span).map(Operand::Place);
            }
            AstExprKind::String(string) => {
                let (units, element) = self.string_units(unit.string(*string));
                return Ok(Operand::Place(self.string_place(units, element, span)));
            }
            AstExprKind::Generic { control, associations } => {
                return self.generic(*control, associations, span);
            }
            AstExprKind::Comma(left, right) => {
                self.effect(*left)?;
                self.value(*right)?
            }
            AstExprKind::Int(literal) => self.int_literal(literal, span)?,
            AstExprKind::Char(literal) => self.char_literal(literal, span),
            AstExprKind::Unary(op, operand) => self.unary(*op, *operand, span)?,
            AstExprKind::Binary(AstBinaryOp::And | AstBinaryOp::Or, ..) => self.logical_value(id)?,
            AstExprKind::Binary(..) => self.binary_chain(id)?,
            AstExprKind::Assign(None, left, right) => self.assign(*left, *right, span)?,
            AstExprKind::Assign(Some(op), left, right) => self.compound_assign(*op, *left, *right, span)?,
            AstExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(*condition, *then, *otherwise, span)?
            }
            AstExprKind::Call { callee, args } => self.call(*callee, args, span)?,
            AstExprKind::Cast(ty, operand) => self.cast(*ty, *operand, span)?,
            AstExprKind::SizeofExpr(operand) => self.sizeof_expr(*operand, span)?,
            AstExprKind::SizeofType(ty) => self.sizeof_type(*ty, span)?,
            AstExprKind::AlignofType(ty) => self.alignof_type(*ty, span)?,
            AstExprKind::AlignofExpr(operand) => self.alignof_expr(*operand, span)?,
            AstExprKind::Offsetof { ty, path } => self.offsetof(*ty, path, span)?,
            AstExprKind::TypesCompatible(left, right) => self.types_compatible(*left, *right, span)?,
            AstExprKind::Statement(statement) => self.statement_value(*statement, span)?,
            AstExprKind::Float(literal) => self.float_literal(*literal)?,
            AstExprKind::LabelAddress(label) => self.label_address(*label, span)?,
            AstExprKind::VaArg(list, ty) => self.va_arg(*list, *ty, span)?,
            AstExprKind::Quantifier { kind, ty, name, body } => {
                self.quantifier(*kind, *ty, *name, *body, span)?
            }
        };
        Ok(Operand::Value(value))
    }

    /// Lowers for its side effects; the value is not used.
    pub(super) fn effect(&mut self, id: ast::ExprId) -> Lowered<()> {
        let span = self.unit.expr(id).span;
        let unit = self.unit;
        self.nested(span, |lower| match &unit.expr(id).kind {
            AstExprKind::Assign(None, left, right) => lower.assign_effect(*left, *right, span),
            AstExprKind::Assign(Some(op), left, right) => {
                lower.compound_assign_effect(*op, *left, *right, span)
            }
            AstExprKind::Unary(
                op @ (AstUnaryOp::PreInc | AstUnaryOp::PostInc | AstUnaryOp::PreDec | AstUnaryOp::PostDec),
                operand,
            ) => lower.step_effect(*op, *operand, span),
            AstExprKind::Comma(left, right) => {
                lower.effect(*left)?;
                lower.effect(*right)
            }
            AstExprKind::Cast(ty, operand) if lower.names_void(*ty)? => lower.effect(*operand),
            AstExprKind::Conditional { condition, then, otherwise } => {
                lower.conditional_effect(*condition, *then, *otherwise, span)
            }
            // A bare name or a constant: nothing is read for its own sake, so `(void) x` does not require that `x` is initialised.
            AstExprKind::Ident(ident) => match lower.name(*ident)? {
                // Mentioning a variable of the function only marks it as used.
                Operand::Place(crate::ir::Place { base: crate::ir::PlaceBase::Local(_), .. }) => Ok(()),
                Operand::Place(place) if lower.is_volatile(&place) => lower.load(place, span).map(|_| ()),
                _ => Ok(()),
            },
            AstExprKind::Call { callee, args } => lower.call_effect(*callee, args, span),
            _ => {
                // `*p;` reads, though the value is not used.
                match lower.operand(id)? {
                    Operand::Place(place) if lower.is_volatile(&place) => lower.load(place, span).map(|_| ()),
                    Operand::Place(place) => {
                        lower.check_access(&place, span);
                        Ok(())
                    }
                    _ => Ok(()),
                }
            }
        })
    }

    fn dereference(&mut self, pointer: ast::ExprId, span: Span) -> Lowered<Operand> {
        let pointer = self.value(pointer)?;
        self.pointer_target(pointer, span).map(Operand::Place)
    }

    fn names_void(&mut self, ty: TypeNameId) -> Lowered<bool> {
        let ty = self.type_name(ty)?;
        Ok(self.is_void(ty))
    }

    fn cast(&mut self, ty: TypeNameId, operand: ast::ExprId, span: Span) -> Lowered<RValue> {
        let ty = self.type_name(ty)?;
        if self.is_void(ty) {
            self.effect(operand)?;
            return Ok(self.void_value(span));
        }
        let value = self.value(operand)?;
        if let Type::Record(record) = *self.shared.program.types.get(ty)
            && value.ty != ty
        {
            return self.cast_to_union(value, record, ty, span);
        }
        self.convert(value, ty, span)
    }

    /// A value that must not be used.
    pub(super) fn void_value(&mut self, span: Span) -> RValue {
        let ty = self.void_type();
        let id = self.add(crate::ir::ExprKind::Int(0), ty, span);
        RValue { id, ty, bits: None }
    }
}
