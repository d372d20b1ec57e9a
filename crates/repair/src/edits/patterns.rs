//! Assignments that differ from others of their function with the same form.
//!
//! ```c
//! if (most < a) most = a;
//! if (most < b) most = b;
//! if (least > b) most = b;     its siblings assign to what they compare: `least = b`
//! ```
//!
//! Copied lines often have one change too few or one too many (Li, Lu, Myagmar and Zhou, CP-Miner, 2004). So the line that differs is tried with what
//! most of them do.

use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstExprKind, ExprId, StmtId, StmtKind};
use rustc_hash::FxHashMap;

/// At least this many others must have the same form.
const MIN_SIBLINGS: usize = 2;

/// `if (x < y) target = value;` with names only, in either order and with any comparison.
struct Choice<'a> {
    compared: [&'a str; 2],
    target: &'a str,
    value: &'a str,
    assignment: ExprId,
}

impl Choice<'_> {
    /// The compared name that is not the value, if the other one is.
    fn partner(&self) -> Option<&str> {
        match self.compared {
            [x, y] if y == self.value && x != y => Some(x),
            [x, y] if x == self.value && x != y => Some(y),
            _ => None,
        }
    }
}

/// Assignments of a body that would follow the pattern with another target, and that target. O(size).
pub(super) fn patterns(unit: &TranslationUnit, body: StmtId) -> FxHashMap<ExprId, String> {
    let span = unit.stmt(body).span;
    let is_inside = |inner: nub_text::Span| span.start <= inner.start && inner.end <= span.end;
    let inside = unit.stmts().filter(|(_, stmt)| is_inside(stmt.span));
    let choices: Vec<Choice<'_>> = inside.filter_map(|(_, stmt)| choice(unit, &stmt.kind)).collect();
    let follows = |choice: &&Choice<'_>| choice.partner() == Some(choice.target);
    if choices.iter().filter(follows).count() < MIN_SIBLINGS {
        return FxHashMap::default();
    }
    let others = choices.iter().filter(|choice| !follows(choice));
    let new = |choice: &Choice<'_>| {
        let partner = choice.partner()?;
        Some((choice.assignment, format!("{partner} = {}", choice.value)))
    };
    others.filter_map(new).collect()
}

fn choice<'a>(unit: &'a TranslationUnit, stmt: &StmtKind) -> Option<Choice<'a>> {
    let StmtKind::If { condition, then, otherwise: None } = stmt else { return None };
    let name = |id: ExprId| match &unit.expr(id).kind {
        AstExprKind::Ident(ident) => Some(unit.name(ident.name)),
        _ => None,
    };
    let AstExprKind::Binary(op, left, right) = unit.expr(*condition).kind else { return None };
    let compared = super::atoms::is_comparison(op).then_some([name(left)?, name(right)?])?;
    let then = match &unit.stmt(*then).kind {
        StmtKind::Compound(items) if items.len() == 1 => items[0],
        _ => *then,
    };
    let StmtKind::Expr(assignment) = unit.stmt(then).kind else { return None };
    let AstExprKind::Assign(None, target, value) = unit.expr(assignment).kind else { return None };
    Some(Choice { compared, target: name(target)?, value: name(value)?, assignment })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let body = unit.functions().next().map(|(_, function)| function.body).expect("there is one");
        patterns(&unit, body).into_values().collect()
    }

    #[test]
    fn the_one_that_differs_is_made_alike() {
        let rest = "if (h < a) h = a; if (h < b) { h = b; }";
        assert_eq!(
            found(&format!("void f(int a, int b, int h, int l) {{ {rest} if (l > b) h = b; }}")),
            ["l = b"]
        );
        assert!(
            found(&format!("void f(int a, int b, int h, int l) {{ {rest} if (l > b) l = b; }}")).is_empty()
        );
        assert!(
            found("void f(int b, int h, int l) { if (h < b) h = b; if (l > b) h = b; }").is_empty(),
            "too few"
        );
    }
}
