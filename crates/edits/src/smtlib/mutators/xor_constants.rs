//! Removes constants among the arguments of `xor`.
//!
//! ```text
//! (xor a false b)   =>   (xor a b)        (xor a true)   =>   (not a)        (xor a true b)   =>   (not (xor a b))
//! ```

use crate::smtlib::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::NodeId;

/// See the module.
pub struct XorConstants;

impl Pass<SmtView> for XorConstants {
    fn name(&self) -> &'static str {
        "xor-constants"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let terms = view.terms().filter(|&term| view.op_name(term) == Some("xor"));
        terms.filter_map(|term| without_constants(view, term)).take(MAX_EDITS).collect()
    }
}

fn without_constants(view: &SmtView, term: NodeId) -> Option<Edit> {
    let is = |node: NodeId, text: &[u8]| view.slice(node) == text;
    let (constants, others): (Vec<NodeId>, Vec<NodeId>) =
        view.args(term).partition(|&arg| is(arg, b"true") || is(arg, b"false"));
    if constants.is_empty() || !view.tree().is_list(term) {
        return None;
    }
    let is_negated = constants.iter().filter(|&&node| is(node, b"true")).count() % 2 == 1;
    let rest = match others[..] {
        [] => return Some(Edit::replace(view.span(term), if is_negated { &b"true"[..] } else { b"false" })),
        [only] => view.slice(only).to_vec(),
        _ => {
            let parts: Vec<&[u8]> = others.iter().map(|&node| view.slice(node)).collect();
            [b"(xor ", &parts.join(&b' ')[..], b")"].concat()
        }
    };
    let text = if is_negated { [b"(not ", &rest[..], b")"].concat() } else { rest };
    Some(Edit::replace(view.span(term), text))
}
