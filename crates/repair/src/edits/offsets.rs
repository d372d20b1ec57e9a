//! Places with frequent off-by-one errors: an index, an argument, the limit of a comparison, an assigned value.

use super::expressions::Role;
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstBinaryOp, AstExprKind, ExprId};
use rustc_hash::FxHashSet;

/// These places among the expressions of a function. Constants are not included: other numbers are tried there.
pub(super) fn offset_places(unit: &TranslationUnit, list: &[(ExprId, Role)]) -> FxHashSet<ExprId> {
    let mut found = FxHashSet::default();
    for (id, _) in list {
        match &unit.expr(*id).kind {
            AstExprKind::Index(_, index) => drop(found.insert(*index)),
            AstExprKind::Assign(op, left, right) => {
                if let AstExprKind::Index(_, index) = unit.expr(*left).kind {
                    found.insert(index);
                }
                if op.is_none() {
                    found.insert(*right);
                }
            }
            AstExprKind::Binary(
                AstBinaryOp::Lt | AstBinaryOp::Le | AstBinaryOp::Gt | AstBinaryOp::Ge,
                _,
                limit,
            ) => {
                found.insert(*limit);
            }
            AstExprKind::Call { args, .. } => found.extend(args),
            _ => {}
        }
    }
    let is_tried = |id: &ExprId| match &unit.expr(*id).kind {
        AstExprKind::Ident(_) | AstExprKind::Member { .. } | AstExprKind::Index(..) => true,
        AstExprKind::Binary(op, ..) => {
            matches!(
                op,
                AstBinaryOp::Add | AstBinaryOp::Sub | AstBinaryOp::Mul | AstBinaryOp::Div | AstBinaryOp::Rem
            )
        }
        _ => false,
    };
    found.retain(is_tried);
    found
}
