//! Replaces what is asserted or assumed by the smallest term that is not a constant.
//!
//! ```text
//! (assert (or (is-nil x) (= x y)))   =>   (assert (not false))
//! ```
//!
//! Solvers remove constants as soon as they are read. A failure that needs any operator at all is left with one that
//! no other pass can replace, because they only use parts of it.

use super::SmtView;
use crate::{Edit, Pass};
use nub_smtlib::{CommandKind, NodeId};

const SMALLEST: &[u8] = b"(not false)";

/// See the module.
pub struct Compound;

impl Pass<SmtView> for Compound {
    fn name(&self) -> &'static str {
        "compound"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let stated = view.commands().iter().flat_map(|&(command, kind)| stated(view, command, kind));
        let larger =
            stated.filter(|&term| view.tree().is_list(term) && view.slice(term).len() > SMALLEST.len());
        larger.map(|term| Edit::replace(view.span(term), SMALLEST)).collect()
    }
}

/// What a command asserts or assumes.
fn stated(view: &SmtView, command: NodeId, kind: CommandKind) -> Vec<NodeId> {
    let Some(first) = view.tree().child(command, 1) else { return Vec::new() };
    match kind {
        CommandKind::Assert => vec![first],
        CommandKind::CheckSatAssuming => view.tree().children(first).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[test]
    fn the_smallest_that_is_no_constant() {
        let text = "(assert (or p (not p)))(assert (not p))(check-sat-assuming (p (and p p p p)))";
        let view = SmtView::new(text.as_bytes());
        let texts = Compound.edits(&view).into_iter().map(|edit| render(view.text(), &edit.splices));
        let texts: Vec<String> = texts.map(|text| String::from_utf8(text).unwrap()).collect();
        let first = "(assert (not false))(assert (not p))(check-sat-assuming (p (and p p p p)))";
        let second = "(assert (or p (not p)))(assert (not p))(check-sat-assuming (p (not false)))";
        assert_eq!(texts, [first, second]);
    }
}
