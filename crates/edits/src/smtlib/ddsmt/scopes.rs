//! Removes whole command-level scopes, one level at a time.
//!
//! ```text
//! (push 1)
//! (assert p)   =>   (check-sat)
//! (pop 1)
//! (check-sat)
//! ```

use crate::Edit;
use crate::dag::DagSubstitution;
use crate::smtlib::SmtView;
use nub_smtlib::{CommandKind, NodeId, NodeKind};
use nub_text::Span;

/// The scopes of a level, in order. The outermost scopes have level one.
pub fn scopes(view: &SmtView, level: usize) -> Vec<DagSubstitution> {
    let scopes = all(view).into_iter().filter(|scope| scope.level == level);
    let span =
        |scope: Scope| Span { start: view.cut_span(scope.first).start, end: view.span(scope.last).end };
    scopes.map(|scope| Edit::cut(span(scope)).into()).collect()
}

/// The deepest level.
pub fn scope_levels(view: &SmtView) -> usize {
    all(view).iter().map(|scope| scope.level).max().unwrap_or(0)
}

struct Scope {
    level: usize,
    first: NodeId,
    last: NodeId,
}

/// From each `push` to the `pop` that closes its last level. A scope that is closed by the same `pop` as the one around
/// it has no end of its own, and is removed with that one; a scope that is never closed extends to the last command before
/// `exit`.
fn all(view: &SmtView) -> Vec<Scope> {
    let mut open: Vec<(NodeId, u64)> = Vec::new();
    let mut scopes = Vec::new();
    let mut last = None;
    for &(node, kind) in view.commands() {
        match kind {
            CommandKind::Exit => break,
            CommandKind::Push if levels(view, node) > 0 => open.push((node, levels(view, node))),
            CommandKind::Pop => {
                let mut left = levels(view, node);
                while let Some((first, n)) = open.pop() {
                    if n > left {
                        open.push((first, n - left));
                        break;
                    }
                    left -= n;
                    if left == 0 {
                        scopes.push(Scope { level: open.len() + 1, first, last: node });
                        break;
                    }
                }
            }
            _ => {}
        }
        last = Some(node);
    }
    let unclosed = open.iter().enumerate();
    scopes.extend(
        unclosed.filter_map(|(i, (first, _))| Some(Scope { level: i + 1, first: *first, last: last? })),
    );
    scopes.sort_by_key(|scope| scope.first);
    scopes
}

/// The number of levels that a `push` or `pop` opens or closes; one by default.
fn levels(view: &SmtView, command: NodeId) -> u64 {
    match view.tree().child(command, 1) {
        Some(n) if view.tree().kind(n) == NodeKind::Numeral => {
            std::str::from_utf8(view.slice(n)).ok().and_then(|text| text.parse().ok()).unwrap_or(u64::MAX)
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    fn of_level(text: &str, level: usize) -> Vec<String> {
        let items = scopes(&SmtView::new(text.as_bytes()), level);
        items
            .iter()
            .map(|item| String::from_utf8(render(text.as_bytes(), &item.edit.splices)).unwrap())
            .collect()
    }

    #[test]
    fn level_by_level() {
        let text = "(push 1)(a)(push)(b)(pop)(pop 1)(push 1)(c)(pop 1)(exit)";
        assert_eq!(of_level(text, 1), ["(push 1)(c)(pop 1)(exit)", "(push 1)(a)(push)(b)(pop)(pop 1)(exit)"]);
        assert_eq!(of_level(text, 2), ["(push 1)(a)(pop 1)(push 1)(c)(pop 1)(exit)"]);
        assert_eq!(scope_levels(&SmtView::new(text.as_bytes())), 2);
    }

    #[test]
    fn odd_scopes() {
        assert_eq!(of_level("(push 2)(a)(pop 1)(b)(pop 1)(c)", 1), ["(c)"]);
        assert_eq!(of_level("(push 1)(push 1)(a)(pop 2)(c)", 1), ["(c)"]);
        assert!(of_level("(push 1)(push 1)(a)(pop 2)(c)", 2).is_empty());
        assert_eq!(of_level("(a)(push 1)(b)(exit)", 1), ["(a)(exit)"]);
        assert!(of_level("(pop 7)(push 0)(a)", 1).is_empty());
    }
}
