//! Numbers that are returned as they are. A case at the edge of a recursion or a search is often wrong there: `return 1` for `return n`.

use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstExprKind, ExprId, StmtId, StmtKind};
use rustc_hash::FxHashSet;

/// The numbers of all `return` statements of a body. O(size).
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
