//! Replaces all reals by integers.
//!
//! ```text
//! (declare-const x Real)              (declare-const x Int)
//! (assert (< (/ x 2.0) 0.5))    =>    (assert (< (div x 2) 0))
//! ```
//!
//! One edit for the whole script: replacing only some reals would mix the two sorts. The result is shorter, and more people can check
//! integer arithmetic by hand. If an operator has no counterpart for integers, the check of the candidate rejects the edit.

use super::SmtView;
use super::retype_sorts::has_logic;
use crate::{Edit, MergedEdits, Pass};
use nub_smtlib::{NodeId, NodeKind, SortId};

/// See the module.
pub struct Reals;

impl Pass<SmtView> for Reals {
    fn name(&self) -> &'static str {
        "reals"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        if !has_logic(view, &[b"IA", b"IRA", b"IDL"]) {
            return Vec::new();
        }
        let mut merged = MergedEdits::default();
        for node in view.tree().nodes() {
            if let Some(edit) = to_integer(view, node) {
                merged.add(&edit);
            }
        }
        let splices = merged.splices();
        if splices.is_empty() { Vec::new() } else { vec![Edit { splices }] }
    }
}

fn to_integer(view: &SmtView, node: NodeId) -> Option<Edit> {
    let replace = |text: &[u8]| Some(Edit::replace(view.span(node), text));
    if !view.tree().is_list(node) && view.analysis().sort_value(node) == Some(SortId::REAL) {
        return replace(b"Int");
    }
    if view.tree().kind(node) == NodeKind::Decimal && view.is_term(node) {
        let text = view.slice(node);
        return replace(&text[..text.iter().position(|&byte| byte == b'.')?]);
    }
    let head = view.analysis().head(node).filter(|_| view.tree().is_list(node))?;
    match head.op?.name {
        "/" => Some(Edit::replace(view.span(head.symbol), b"div".as_slice())),
        "to_real" | "to_int" => Some(Edit::keep_part(view.span(node), view.span(view.args(node).next()?))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[track_caller]
    fn check(before: &str, after: Option<&str>) {
        let view = SmtView::new(before.as_bytes());
        let edits = Reals.edits(&view);
        let text = edits.first().map(|edit| String::from_utf8(render(view.text(), &edit.splices)).unwrap());
        assert_eq!(text.as_deref(), after, "{before}");
        assert!(
            text.is_none_or(|text| SmtView::new(text.as_bytes()).analysis().errors().is_empty()),
            "{before}"
        );
    }

    #[test]
    fn all_at_once() {
        check(
            "(declare-fun f (Real) Real)(assert (< (/ (f 1.5) 2.0) (to_real (to_int 0.5))))",
            Some("(declare-fun f (Int) Int)(assert (< (div (f 1) 2) 0))"),
        );
        check("(declare-const x (Array Int Real))", Some("(declare-const x (Array Int Int))"));
    }

    #[test]
    fn nothing_real_and_no_integers() {
        check("(declare-const x Int)(assert (< x 1))", None);
        check("(set-logic QF_LRA)(declare-const x Real)", None);
    }
}
