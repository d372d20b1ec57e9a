//! Merges an application of an associative operator into the application around it.
//!
//! ```text
//! (and a (and b c))   =>   (and a b c)        (+ (+ x y) 1)   =>   (+ x y 1)
//! ```
//!
//! Only for operators that accept any number of arguments.

use super::SmtView;
use crate::{Edit, Pass};
use nub_smtlib::NodeId;
use nub_smtlib::ops::Associativity;
use nub_text::Span;

/// Limit on the edits listed at once.
const MAX_EDITS: usize = 10_000;

/// See the module.
pub struct Flatten;

impl Pass<SmtView> for Flatten {
    fn name(&self) -> &'static str {
        "flatten"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        view.terms().filter_map(|term| into_parent(view, term)).take(MAX_EDITS).collect()
    }
}

/// Removes the brackets and the operator of an argument.
fn into_parent(view: &SmtView, term: NodeId) -> Option<Edit> {
    let tree = view.tree();
    let parent = tree.parent(term).filter(|&parent| view.is_term(parent))?;
    let first = view.args(term).next()?;
    let (own, outer) = (view.analysis().head(term)?, view.analysis().head(parent)?);
    let op =
        own.op.filter(|op| matches!(op.attribute, Associativity::LeftAssoc | Associativity::RightAssoc))?;
    if outer.op.map(|op| op.name) != Some(op.name) || own.first_index.is_some() {
        return None;
    }
    let span = view.span(term);
    let opening = Span { start: span.start, end: view.span(first).start };
    let closing = Span { start: span.end - 1, end: span.end };
    Some(Edit::of([opening, closing].map(|span| (span, Vec::new()))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[track_caller]
    fn check(term: &str, expected: &[&str]) {
        let view = SmtView::new(format!("(assert {term})").as_bytes());
        let texts = Flatten.edits(&view).into_iter().map(|edit| render(view.text(), &edit.splices));
        let expected = expected.iter().map(|term| format!("(assert {term})").into_bytes());
        assert_eq!(texts.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{term}");
    }

    #[test]
    fn only_the_same_associative_operator() {
        check("(and true (and false true))", &["(and true false true)"]);
        check("(or true (and false true))", &[]);
        check("(= true (= false true))", &[]);
        check(
            "(< (+ (+ 1 2) 3) (- 5 (- 4 3)))",
            &["(< (+ 1 2 3) (- 5 (- 4 3)))", "(< (+ (+ 1 2) 3) (- 5 4 3))"],
        );
    }
}
