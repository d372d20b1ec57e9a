//! Conditions that a function checks somewhere: they may be missing elsewhere.

use super::expressions::Role;
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstBinaryOp, AstExprKind, AstUnaryOp, ExprId};

/// Conditions of one function that are tried elsewhere in it.
const MAX_ATOMS: usize = 12;

/// The smallest conditions in a list of expressions, in the order of the text, each once.
pub(super) fn atoms(unit: &TranslationUnit, list: &[(ExprId, Role)]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (id, role) in list {
        let expr = unit.expr(*id);
        let is_atom = match &expr.kind {
            AstExprKind::Binary(op, ..) => is_comparison(*op),
            AstExprKind::Ident(_)
            | AstExprKind::Call { .. }
            | AstExprKind::Index(..)
            | AstExprKind::Member { .. } => role.is_truth(),
            _ => false,
        };
        if !is_atom || has_effect(unit, *id) {
            continue;
        }
        let Some(text) = one_line(unit.text(expr.span)) else { continue };
        if !found.contains(&text) && found.len() < MAX_ATOMS {
            found.push(text);
        }
    }
    found
}

/// Whether it compares.
pub(super) fn is_comparison(op: AstBinaryOp) -> bool {
    matches!(
        op,
        AstBinaryOp::Lt
            | AstBinaryOp::Le
            | AstBinaryOp::Gt
            | AstBinaryOp::Ge
            | AstBinaryOp::Eq
            | AstBinaryOp::Ne
    )
}

/// Whether it writes something itself. The effects of calls are not considered.
fn has_effect(unit: &TranslationUnit, root: ExprId) -> bool {
    let span = unit.expr(root).span;
    let writes = |kind: &AstExprKind| {
        use AstUnaryOp::{PostDec, PostInc, PreDec, PreInc};
        matches!(
            kind,
            AstExprKind::Assign(..)
                | AstExprKind::Unary(PostDec | PostInc | PreDec | PreInc, _)
                | AstExprKind::Statement(_)
        )
    };
    let is_inside = |inner: nub_text::Span| span.start <= inner.start && inner.end <= span.end;
    unit.exprs().any(|(_, expr)| writes(&expr.kind) && is_inside(expr.span))
}

/// Text without line breaks; `None` if it contains a line marker.
pub(super) fn one_line(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let has_marker = text.lines().skip(1).any(|line| line.trim_start().starts_with('#'));
    (!has_marker).then(|| text.split_whitespace().collect::<Vec<_>>().join(" "))
}
