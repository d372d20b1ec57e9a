//! Replaces a leaf by an existing node.
//!
//! ```text
//! 2 var 8
//! 3 add 8 1 1                  3 add 8 1 1
//! 4 ult 1 3 2        =>        4 ult 1 3 -3
//! ```
//!
//! Lines are ordered, so no cycle can arise: the node precedes all uses of the leaf, so it is not one of them.

use super::{BtorView, LineRef};
use crate::{Edit, Pass};
use nub_btor::LineId;

/// Limit on the nodes offered for one leaf, each as it is and complemented.
const MAX_OFFERS: usize = 6;
/// Limit on the edits listed at once.
const MAX_EDITS: usize = 10_000;

/// See the module.
pub struct Absorb;

impl Pass<BtorView> for Absorb {
    fn name(&self) -> &'static str {
        "absorb"
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let is_leaf = |line: &LineId| view.is_node(*line) && view.nodes_of(*line).next().is_none();
        view.lines().filter(is_leaf).flat_map(|leaf| offers(view, leaf)).take(MAX_EDITS).collect()
    }
}

/// The nodes closest before the first use.
fn offers(view: &BtorView, leaf: LineId) -> Vec<Edit> {
    let Some(first) = view.uses(leaf).iter().map(|at| at.by).min() else { return Vec::new() };
    let before = (0..first.index()).rev().map(LineId::new);
    let nodes =
        before.filter(|&node| node != leaf && view.is_node(node) && view.sort(node) == view.sort(leaf));
    let both = |node| [LineRef::from(node), LineRef::from(node).complement()];
    nodes.take(MAX_OFFERS).flat_map(both).filter_map(|by| view.replace_uses(leaf, by)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::each;

    #[test]
    fn nodes_before_all_uses_as_they_are_and_complemented() {
        let text = "1 var 8\n2 var 8\n3 add 8 1 1\n4 ult 1 3 2\n5 root 1 4\n";
        let found = each(&Absorb, text);
        assert!(found.contains(&"1 var 8\n3 add 8 1 1\n4 ult 1 3 -3\n5 root 1 4\n".to_owned()), "{found:?}");
        assert_eq!(found.len(), 6, "3 and 1 for 2, and 2 for 1, which is used too early for 3: {found:?}");
    }
}
