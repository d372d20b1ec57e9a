//! Removes `push` and `pop` in pairs: with everything between them, or alone; level by level if one command opens
//! several; and a `pop` alone if nothing after it depends on it.
//!
//! ```text
//! (push 1)                              (push 2)
//! (assert a)   =>   (check-sat)   or    (assert a)   =>   (assert a)   or   (push 1)     or   (push 2)
//! (pop 1)                               (pop 2)           (check-sat)       (assert a)        (assert a)
//! (check-sat)                           (check-sat)                         (pop 1)           (check-sat)
//!                                                                           (check-sat)
//! ```

use super::SmtView;
use crate::{Edit, Pass};
use nub_smtlib::{CommandKind, NodeId, NodeKind};
use nub_text::Span;

/// What to remove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scopes {
    /// The pair and everything between them.
    Whole,
    /// Only the pair; its content moves to the scope around it.
    Pair,
    /// Only the `pop`; its scope stays open.
    Pop,
}

impl Pass<SmtView> for Scopes {
    fn name(&self) -> &'static str {
        match self {
            Scopes::Whole => "scopes",
            Scopes::Pair => "push-pop",
            Scopes::Pop => "pop",
        }
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let levels = levels(view);
        let groups = levels.chunk_by(|a, b| a.push == b.push);
        match self {
            Scopes::Whole => groups.filter_map(|group| whole(view, group)).collect(),
            Scopes::Pair => groups.flat_map(|group| pair(view, group)).collect(),
            Scopes::Pop => {
                let pops = view.commands().iter().filter(|(_, kind)| *kind == CommandKind::Pop);
                pops.map(|&(node, _)| view.cut(node)).collect()
            }
        }
    }
}

/// One level of assertions: the command that opens it, and the one that closes it.
#[derive(Clone, Copy)]
struct Level {
    push: NodeId,
    pop: Option<NodeId>,
}

/// Removes everything from the `push` to the `pop`, if the one closes exactly what the other opens; of a scope that is never
/// closed, only the `push`.
fn whole(view: &SmtView, group: &[Level]) -> Option<Edit> {
    let push = group[0].push;
    let pop = group[0].pop;
    if group.iter().any(|level| level.pop != pop) {
        return None;
    }
    let Some(pop) = pop else { return Some(view.cut(push)) };
    let span = Span { start: view.cut_span(push).start, end: view.span(pop).end };
    (n_levels(view, pop) == group.len()).then(|| Edit::cut(span))
}

/// All levels of a `push`, then one of several.
fn pair(view: &SmtView, group: &[Level]) -> Vec<Edit> {
    let mut edits = vec![without(view, group)];
    if group.len() > 1 {
        edits.push(without(view, &group[..1]));
    }
    edits
}

/// Removes the levels of one `push` where they are opened and where they are closed.
fn without(view: &SmtView, levels: &[Level]) -> Edit {
    let mut counts: Vec<(NodeId, usize)> = vec![(levels[0].push, levels.len())];
    for pop in levels.iter().filter_map(|level| level.pop) {
        match counts[1..].iter_mut().find(|(node, _)| *node == pop) {
            Some((_, n)) => *n += 1,
            None => counts.push((pop, 1)),
        }
    }
    Edit::of(counts.into_iter().map(|(command, n_gone)| {
        let n_left = n_levels(view, command).saturating_sub(n_gone);
        match view.tree().child(command, 1) {
            Some(numeral) if n_left > 0 => (view.span(numeral), n_left.to_string().into_bytes()),
            _ => (view.cut_span(command), Vec::new()),
        }
    }))
}

/// Limits on the levels that are open at once, and in total; levels beyond them are not paired.
const MAX_OPEN: usize = 1 << 10;
const MAX_LEVELS: usize = 1 << 18;

/// All levels in the order in which they are opened.
fn levels(view: &SmtView) -> Vec<Level> {
    let mut open: Vec<usize> = Vec::new();
    let mut levels: Vec<Level> = Vec::new();
    for &(node, kind) in view.commands() {
        match kind {
            CommandKind::Push => {
                let n = n_levels(view, node);
                if n > MAX_OPEN - open.len() || n > MAX_LEVELS - levels.len() {
                    break;
                }
                open.extend(levels.len()..levels.len() + n);
                levels.extend(std::iter::repeat_n(Level { push: node, pop: None }, n));
            }
            CommandKind::Pop => {
                for index in open.drain(open.len().saturating_sub(n_levels(view, node))..) {
                    levels[index].pop = Some(node);
                }
            }
            CommandKind::Reset | CommandKind::ResetAssertions => open.clear(),
            _ => {}
        }
    }
    levels
}

/// The number of levels that a command opens or closes.
pub(super) fn n_levels(view: &SmtView, command: NodeId) -> usize {
    match view.tree().child(command, 1) {
        Some(n) if view.tree().kind(n) == NodeKind::Numeral => {
            std::str::from_utf8(view.slice(n)).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[track_caller]
    fn check(pass: Scopes, text: &str, expected: &[&str]) {
        let view = SmtView::new(text.as_bytes());
        let found: Vec<String> = pass
            .edits(&view)
            .iter()
            .map(|edit| String::from_utf8(render(view.text(), &edit.splices)).unwrap())
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn several_levels_go_together_or_one_by_one() {
        let text = "(push 2)(check-sat)(pop 2)(exit)";
        check(Scopes::Whole, text, &["(exit)"]);
        check(Scopes::Pair, text, &["(check-sat)(exit)", "(push 1)(check-sat)(pop 1)(exit)"]);
        check(Scopes::Pop, text, &["(push 2)(check-sat)(exit)"]);
    }

    #[test]
    fn levels_closed_by_different_commands() {
        let text = "(push 2)(pop 1)(push 1)(pop 2)";
        check(Scopes::Whole, text, &[]);
        check(
            Scopes::Pair,
            text,
            &["(push 1)(pop 1)", "(push 1)(pop 1)(push 1)(pop 1)", "(push 2)(pop 1)(pop 1)"],
        );
    }

    #[test]
    fn a_scope_that_stays_open() {
        check(Scopes::Whole, "(push 2)(reset)(pop 1)", &["(reset)(pop 1)"]);
        check(Scopes::Whole, "(pop 1)(push 99999999999)", &[]);
        check(Scopes::Whole, "(push 18446744073709551615)(push 18446744073709551616)", &[]);
    }

    #[test]
    fn memory_is_bounded() {
        let view = SmtView::new("(push 1000)(pop 1000)".repeat(2_000).as_bytes());
        assert!(levels(&view).len() <= MAX_LEVELS);
    }
}
