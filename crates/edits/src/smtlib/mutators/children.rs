//! Replaces a command, or a list that is not a term, by a part of it.
//!
//! ```text
//! (declare-const x Bool)   =>   x, Bool
//! ```
//!
//! Only programs that accept ill-formed scripts can keep the failure. For terms there is the pass `hoist`.

use crate::smtlib::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::NodeId;

/// See the module.
pub struct Children;

impl Pass<SmtView> for Children {
    fn name(&self) -> &'static str {
        "children"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let tree = view.tree();
        let is_plain = |node: &NodeId| !view.is_term(*node);
        let lists = tree.nodes().filter(|&node| tree.is_list(node)).filter(is_plain);
        let parts =
            lists.flat_map(|list| tree.children(list).skip(1).filter(is_plain).map(move |part| (list, part)));
        parts.map(|(list, part)| Edit::keep_part(view.span(list), view.span(part))).take(MAX_EDITS).collect()
    }
}
