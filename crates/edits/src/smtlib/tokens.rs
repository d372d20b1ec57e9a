//! The last resort: removes any part of any list, and replaces a list that is not a term by a part of it.
//!
//! ```text
//! (check-sat-using (then simplify smt))   =>   (check-sat-using smt)
//! ```
//!
//! It uses no knowledge of the format: ill-formed candidates are rejected before they are asked, unless the user allows them.

use super::SmtView;
use crate::{Edit, Pass};

/// The pass does nothing on files with more nodes.
const MAX_NODES: usize = 3_000;

/// See the module.
pub struct Tokens;

impl Pass<SmtView> for Tokens {
    fn name(&self) -> &'static str {
        "tokens"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let tree = view.tree();
        if tree.len() > MAX_NODES {
            return Vec::new();
        }
        let inner = tree.nodes().filter(|&node| tree.parent(node).is_some());
        let mut edits: Vec<Edit> = inner.clone().map(|node| view.cut(node)).collect();
        for list in inner.filter(|&node| tree.is_list(node) && !view.is_term(node)) {
            let parts = tree.children(list).map(|part| Edit::keep_part(view.span(list), view.span(part)));
            edits.extend(parts);
        }
        edits
    }
}
