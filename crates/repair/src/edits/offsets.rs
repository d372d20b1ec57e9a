//! Where one more or less is often meant: an index, an argument, the limit of a comparison, an assigned value.

use super::expressions::Role;
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{BinaryOp, ExprId, ExprKind};
use rustc_hash::FxHashSet;

/// Those places among the expressions of a function. Constants are not among them: other numbers are tried there.
pub(super) fn offset_places(unit: &TranslationUnit, list: &[(ExprId, Role)]) -> FxHashSet<ExprId> {
    let mut found = FxHashSet::default();
    for (id, _) in list {
        match &unit.expr(*id).kind {
            ExprKind::Index(_, index) => drop(found.insert(*index)),
            ExprKind::Assign(op, left, right) => {
                if let ExprKind::Index(_, index) = unit.expr(*left).kind {
                    found.insert(index);
                }
                if op.is_none() {
                    found.insert(*right);
                }
            }
            ExprKind::Binary(BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge, _, limit) => {
                found.insert(*limit);
            }
            ExprKind::Call { args, .. } => found.extend(args),
            _ => {}
        }
    }
    let is_tried = |id: &ExprId| match &unit.expr(*id).kind {
        ExprKind::Ident(_) | ExprKind::Member { .. } | ExprKind::Index(..) => true,
        ExprKind::Binary(op, ..) => {
            matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem)
        }
        _ => false,
    };
    found.retain(is_tried);
    found
}
