//! Constants that are returned. A base case of a recursion or search is often wrong there: `return 1` instead of `return n`.

use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstExprKind, ExprId, StmtId, StmtKind};
use rustc_hash::FxHashSet;

/// The constants of all `return` statements of a body. O(size).
pub(super) fn returned(unit: &TranslationUnit, body: StmtId) -> FxHashSet<ExprId> {
    let span = unit.stmt(body).span;
    let is_inside = |inner: nub_text::Span| span.start <= inner.start && inner.end <= span.end;
    let mut found = FxHashSet::default();
    for (_, stmt) in unit.stmts().filter(|(_, stmt)| is_inside(stmt.span)) {
        if let StmtKind::Return(Some(value)) = stmt.kind
            && matches!(unit.expr(value).kind, AstExprKind::Int(_))
        {
            found.insert(value);
        }
    }
    found
}
