//! The endgame: cuts any part of any list.
//!
//! ```text
//! (check-sat-using (then simplify smt))   =>   (check-sat-using (then smt))
//! ```
//!
//! No knowledge at all: what is ill formed is refused before it is asked, unless the user allows it.

use super::View;
use crate::{Edit, Pass};

/// Files with more nodes than this are not at the stage where single tokens matter.
const MAX_NODES: usize = 3_000;

/// See the module.
pub struct Tokens;

impl Pass<View> for Tokens {
    fn name(&self) -> &'static str {
        "tokens"
    }

    fn edits(&self, view: &View) -> Vec<Edit> {
        let tree = view.tree();
        if tree.len() > MAX_NODES {
            return Vec::new();
        }
        let inner = tree.nodes().filter(|&node| tree.parent(node).is_some());
        inner.map(|node| view.cut(node)).collect()
    }
}
