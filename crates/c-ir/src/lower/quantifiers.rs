//! `__CPROVER_forall { int i; ... }` and `__CPROVER_exists`, over ranges whose ends are constant.
//!
//! The variable takes each number of its range: the value is the conjunction, or disjunction, of that many copies of the body.

use super::scope::Entity;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ints;
use crate::ir::*;
use nub_c_syntax::ast::{
    self, AstBinaryOp as Op, AstExprKind as AstKind, AstUnaryOp as Prefix, Ident, QuantifierKind,
};
use nub_text::Span;

/// At most this many numbers for one variable.
const MAX_COPIES: i128 = 1024;
/// Types of at most this many bits need no range.
const SMALL_WIDTH: u32 = 8;

impl Lower<'_> {
    pub(super) fn quantifier(
        &mut self,
        kind: QuantifierKind,
        ty: ast::TypeNameId,
        name: Ident,
        body: ast::ExprId,
        span: Span,
    ) -> Lowered<RValue> {
        let ty = self.type_name(ty)?;
        if self.int_kind(ty).is_none() {
            return Err(Refusal::new(name.span, "a quantified variable must be an integer"));
        }
        let (low, high) = self.quantified_range(kind, ty, name, body)?;
        let (op, start) = match kind {
            QuantifierKind::ForAll => (BinaryOp::And, 1),
            QuantifierKind::Exists => (BinaryOp::Or, 0),
        };
        let width = self.format(ty).width;
        let mut all = self.plain_int(start, span);
        for number in low..=high {
            let depth = self.scopes.depth();
            self.scopes.enter();
            self.scopes.declare(name.name, Entity::Enumerator(ints::from_signed(number, width), ty));
            let value = self.value(body);
            self.scopes.leave_to(depth);
            let value = self.truth(value?, span);
            all = self.binary_op(op, all, value, span);
        }
        Ok(all)
    }

    /// The numbers for which the body is not trivial.
    fn quantified_range(
        &mut self,
        kind: QuantifierKind,
        ty: TypeId,
        name: Ident,
        body: ast::ExprId,
    ) -> Lowered<(i128, i128)> {
        let format = self.format(ty);
        let (mut low, mut high) = if format.is_signed {
            (-(1_i128 << (format.width.min(127) - 1)), (1_i128 << (format.width.min(127) - 1)) - 1)
        } else {
            (0, (1_i128 << format.width.min(126)) - 1)
        };
        let mut todo: Vec<ast::ExprId> = match (self.unit.expr(body).kind.clone(), kind) {
            (AstKind::Binary(Op::Or, left, _), QuantifierKind::ForAll) => match self.unit.expr(left).kind {
                AstKind::Unary(Prefix::Not, guard) => vec![guard],
                _ => Vec::new(),
            },
            (_, QuantifierKind::Exists) => vec![body],
            _ => Vec::new(),
        };
        while let Some(id) = todo.pop() {
            let AstKind::Binary(op, left, right) = self.unit.expr(id).kind else { continue };
            if op == Op::And {
                todo.extend([left, right]);
                continue;
            }
            let is_variable = |id: ast::ExprId| matches!(self.unit.expr(id).kind, AstKind::Ident(found) if found.name == name.name);
            let (op, other) = match (is_variable(left), is_variable(right)) {
                (true, false) => (op, right),
                (false, true) => (mirrored(op), left),
                _ => continue,
            };
            let Some((bits, other_type)) = self.try_constant(other)? else { continue };
            let format = self.format(other_type);
            let number = if format.is_signed { ints::to_signed(bits, format.width) } else { bits as i128 };
            match op {
                Op::Lt => high = high.min(number - 1),
                Op::Le => high = high.min(number),
                Op::Gt => low = low.max(number + 1),
                Op::Ge => low = low.max(number),
                Op::Eq => (low, high) = (low.max(number), high.min(number)),
                _ => {}
            }
        }
        if high - low >= MAX_COPIES && format.width > SMALL_WIDTH {
            let message =
                format!("the range of a quantified variable must be constant and at most {MAX_COPIES}");
            return Err(Refusal::new(name.span, message));
        }
        Ok((low, high))
    }
}

/// `a op b` as `b op a`.
fn mirrored(op: Op) -> Op {
    match op {
        Op::Lt => Op::Gt,
        Op::Le => Op::Ge,
        Op::Gt => Op::Lt,
        Op::Ge => Op::Le,
        other => other,
    }
}
