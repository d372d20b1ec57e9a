//! Joins adjacent commands or binders into one.
//!
//! ```text
//! (assert a)                                         (forall ((x Int))
//! (assert b)   =>   (assert (and a b))                 (forall ((y Int)) t))   =>   (forall ((x Int) (y Int)) t)
//! ```
//!
//! An existing conjunction is extended: `(assert (and a b)) (assert c)` becomes `(assert (and a b c))`.

use super::SmtView;
use crate::{Edit, Pass};
use nub_smtlib::{CommandKind, NodeId};
use nub_text::Span;

/// The pass does nothing on larger scripts.
const MAX_BYTES: usize = 20_000;

/// See the module.
pub struct Join;

impl Pass<SmtView> for Join {
    fn name(&self) -> &'static str {
        "join"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        if view.text().len() > MAX_BYTES {
            return Vec::new();
        }
        let pairs = view.commands().windows(2);
        let mut edits: Vec<Edit> = pairs.filter_map(|pair| asserts(view, [pair[0], pair[1]])).collect();
        edits.extend(view.terms().filter_map(|term| binders(view, term)));
        edits
    }
}

/// Joins two adjacent assertions.
fn asserts(view: &SmtView, commands: [(NodeId, CommandKind); 2]) -> Option<Edit> {
    if commands.iter().any(|(_, kind)| *kind != CommandKind::Assert) {
        return None;
    }
    let tree = view.tree();
    let [first, second] = commands.map(|(command, _)| command);
    let (left, right) = (tree.child(first, 1)?, tree.child(second, 1)?);
    // Assertions with unclosed brackets or unexpected parts are skipped.
    let is_plain =
        |command: NodeId| tree.children(command).count() == 2 && view.slice(command).ends_with(b")");
    if !is_plain(first) || !is_plain(second) {
        return None;
    }
    let conjunction = view.slice(left).strip_suffix(b")").filter(|_| view.op_name(left) == Some("and"));
    let text = match conjunction {
        Some(open) => [b"(assert ", open, b" ", view.slice(right), b"))"].concat(),
        None => [b"(assert (and ", view.slice(left), b" ", view.slice(right), b"))"].concat(),
    };
    // One splice over both, so that two pairs that share an assertion conflict.
    Some(Edit::replace(Span { start: view.span(first).start, end: view.span(second).end }, text))
}

/// Joins a quantifier with one of the same kind directly inside it.
fn binders(view: &SmtView, outer: NodeId) -> Option<Edit> {
    let tree = view.tree();
    let is_quantifier = |term: NodeId| matches!(view.head_symbol(term), Some(b"forall" | b"exists"));
    let inner = tree.child(outer, 2)?;
    let is_pair = is_quantifier(outer) && view.head_symbol(outer) == view.head_symbol(inner);
    if !is_pair || tree.children(outer).count() != 3 || tree.children(inner).count() != 3 {
        return None;
    }
    let [outer_list, inner_list, body] =
        [tree.child(outer, 1)?, tree.child(inner, 1)?, tree.child(inner, 2)?];
    let (first, last) = (tree.first_child(inner_list)?, tree.children(outer_list).last()?);
    // A name that both bind would be bound twice in one list.
    let names = |list: NodeId| tree.children(list).filter_map(|binding| tree.first_child(binding));
    if names(outer_list).any(|a| names(inner_list).any(|b| view.slice(a) == view.slice(b))) {
        return None;
    }
    let between = Span { start: view.span(last).end, end: view.span(first).start };
    let closing = Span { start: view.span(body).end, end: view.span(inner).end };
    Edit::try_of([(between, b" ".to_vec()), (closing, Vec::new())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let view = SmtView::new(text.as_bytes());
        let edits = Join.edits(&view);
        let texts = edits.iter().map(|edit| String::from_utf8(render(view.text(), &edit.splices)).unwrap());
        assert_eq!(texts.collect::<Vec<_>>(), expected, "{text}");
        assert!(edits.iter().all(|edit| edit.gain() > 0), "{text}");
    }

    #[test]
    fn assertions() {
        check("(assert true)\n(assert false)", &["(assert (and true false))"]);
        check("(assert (and true true))\n(assert false)", &["(assert (and true true false))"]);
        check("(assert true)(check-sat)(assert false)", &[]);
        let three = "(assert true)(assert false)(assert true)";
        check(three, &["(assert (and true false))(assert true)", "(assert true)(assert (and false true))"]);
        check("(assert true)(assert false", &[]);
        check("(assert true true)(assert false)", &[]);
    }

    #[test]
    fn quantifiers() {
        let text = "(assert (forall ((x Int)) (forall ((y Int) (z Int)) (< x y z))))";
        check(text, &["(assert (forall ((x Int) (y Int) (z Int)) (< x y z)))"]);
        check("(assert (forall ((x Int)) (exists ((y Int)) (< x y))))", &[]);
        check("(assert (forall ((x Int)) (forall ((x Int)) (< x x))))", &[]);
        check("(assert (forall ((x Int)) (! (forall ((y Int)) (< x y)) :k v)))", &[]);
    }
}
