//! Replaces terms by one of their children.
//!
//! ```text
//! (bvor (_ bv0 1) t)  =>  t      (or false t)  =>  t      (store a i e)  =>  a
//! (bvand (_ bv1 1) t) =>  t      (and true t)  =>  t      (ite c t e)    =>  t, or e
//! (let ((x s)) t)     =>  t
//! ```
//!
//! The constant may be either argument: §2.2 prints it first, ddSMT's source (2013, `ddsmt_main`) tries both. A `let`
//! is removed whether or not its variables are used; the oracle decides.

use super::terms_of;
use crate::Edit;
use crate::dag::DagSubstitution;
use crate::smtlib::SmtView;
use nub_smtlib::{CommandKind, NodeId};

/// Which terms to replace, and by which child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChildChoice {
    /// `(bvor (_ bv0 1) t)`
    BvOrZero,
    /// `(bvand (_ bv1 1) t)`
    BvAndOne,
    /// `(let (…) t)`
    Let,
    /// `(or false t)`
    OrFalse,
    /// `(and true t)`
    AndTrue,
    /// `(store t i e)`
    Store,
    /// `(ite c t e)`
    IteLeft,
    /// `(ite c e t)`
    IteRight,
}

pub(super) fn items(view: &SmtView, kind: CommandKind, shape: ChildChoice) -> Vec<DagSubstitution> {
    let edit =
        |term| child(view, term, shape).map(|child| Edit::keep_part(view.span(term), view.span(child)));
    terms_of(view, kind).filter_map(edit).map(DagSubstitution::from).collect()
}

fn child(view: &SmtView, term: NodeId, shape: ChildChoice) -> Option<NodeId> {
    if !view.tree().is_list(term) {
        return None;
    }
    if shape == ChildChoice::Let {
        return (view.head_symbol(term) == Some(b"let")).then(|| view.tree().child(term, 2)).flatten();
    }
    let op = view.op_name(term)?;
    let args: Vec<NodeId> = view.args(term).take(4).collect();
    match (shape, op, &args[..]) {
        (ChildChoice::BvOrZero, "bvor", [a, b]) => other_than(view, &[b"(_ bv0 1)", b"#b0"], *a, *b),
        (ChildChoice::BvAndOne, "bvand", [a, b]) => other_than(view, &[b"(_ bv1 1)", b"#b1"], *a, *b),
        (ChildChoice::OrFalse, "or", [a, b]) => other_than(view, &[b"false"], *a, *b),
        (ChildChoice::AndTrue, "and", [a, b]) => other_than(view, &[b"true"], *a, *b),
        (ChildChoice::Store, "store", [array, _, _]) => Some(*array),
        (ChildChoice::IteLeft, "ite", [_, left, _]) => Some(*left),
        (ChildChoice::IteRight, "ite", [_, _, right]) => Some(*right),
        _ => None,
    }
}

/// The argument that is not the constant.
fn other_than(view: &SmtView, constants: &[&[u8]], left: NodeId, right: NodeId) -> Option<NodeId> {
    let is_constant = |node| constants.contains(&view.slice(node));
    if is_constant(left) {
        return Some(right);
    }
    is_constant(right).then_some(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[track_caller]
    fn check(shape: ChildChoice, before: &str, after: Option<&str>) {
        let declarations =
            "(declare-const a (Array Int Int))(declare-const b (_ BitVec 1))(declare-const p Bool)";
        let text = format!("{declarations}(assert {before})").into_bytes();
        let found = items(&SmtView::new(&text), CommandKind::Assert, shape);
        let rendered =
            found.first().map(|item| String::from_utf8(render(&text, &item.edit.splices)).unwrap());
        assert_eq!(rendered, after.map(|after| format!("{declarations}(assert {after})")));
    }

    #[test]
    fn the_shapes_of_the_paper() {
        check(ChildChoice::BvOrZero, "(= b (bvor (_ bv0 1) b))", Some("(= b b)"));
        check(ChildChoice::BvAndOne, "(= b (bvand b #b1))", Some("(= b b)"));
        check(ChildChoice::Let, "(let ((x 1)) (= x 1))", Some("(= x 1)"));
        check(ChildChoice::OrFalse, "(or false p)", Some("p"));
        check(ChildChoice::OrFalse, "(or p p)", None);
        check(ChildChoice::AndTrue, "(and p true)", Some("p"));
        check(ChildChoice::Store, "(= a (store a 1 2))", Some("(= a a)"));
        check(ChildChoice::IteLeft, "(ite p true p)", Some("true"));
        check(ChildChoice::IteRight, "(ite p true p)", Some("p"));
    }
}
