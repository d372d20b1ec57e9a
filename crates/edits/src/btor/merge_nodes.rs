//! Merges two nodes of the same sort.
//!
//! ```text
//! 3 zero 8                       3 zero 8
//! 4 zero 8                       5 add 8 3 3
//! 5 add 8 3 4        =>
//! ```
//!
//! First nodes that are written alike, which preserves the meaning; then any two leaves, because one leaf can often serve as the
//! variable, the zero and the constant that a failure needs.

use super::BtorView;
use crate::{Edit, Pass};
use nub_btor::{LineId, Sort, WidthRule};
use rustc_hash::FxHashMap;

/// Which nodes to merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MergeNodes {
    /// Nodes that are written alike, except for id, symbol and comment.
    Equal,
    /// Leaves of one sort: an earlier one replaces a later one.
    Leaves,
}

/// Limit on the earlier leaves offered for a leaf.
const MAX_OFFERS: usize = 3;

impl Pass<BtorView> for MergeNodes {
    fn name(&self) -> &'static str {
        match self {
            MergeNodes::Equal => "merge-equal",
            MergeNodes::Leaves => "merge-leaves",
        }
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        match self {
            MergeNodes::Equal => equal(view),
            MergeNodes::Leaves => leaves(view),
        }
    }
}

fn equal(view: &BtorView) -> Vec<Edit> {
    let mut first: FxHashMap<&[u8], LineId> = FxHashMap::default();
    let mut edits = Vec::new();
    for line in view.lines().filter(|&line| view.is_node(line) && !is_variable(view, line)) {
        let end = view.operands(line).last().map_or(view.line(line).tag_span.end, |operand| operand.span.end);
        let body = &view.text()[view.line(line).tag_span.start as usize..end as usize];
        match first.get(body) {
            Some(&earlier) => edits.extend(view.replace_uses(line, earlier.into())),
            None => _ = first.insert(body, line),
        }
    }
    edits
}

fn leaves(view: &BtorView) -> Vec<Edit> {
    let mut by_sort: FxHashMap<Sort, Vec<LineId>> = FxHashMap::default();
    let mut edits = Vec::new();
    for line in view.lines().filter(|&line| view.is_node(line) && is_leaf(view, line)) {
        let Some(sort) = view.sort(line) else { continue };
        let earlier = by_sort.entry(sort).or_default();
        edits.extend(earlier.iter().filter_map(|&to| view.replace_uses(line, to.into())));
        if earlier.len() < MAX_OFFERS {
            earlier.push(line);
        }
    }
    edits
}

fn is_leaf(view: &BtorView, line: LineId) -> bool {
    view.tag(line).is_some_and(|tag| matches!(tag.rule(), WidthRule::Leaf | WidthRule::Constant))
}

fn is_variable(view: &BtorView, line: LineId) -> bool {
    view.tag(line).is_some_and(|tag| tag.rule() == WidthRule::Leaf)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::{each, first};

    #[test]
    fn written_alike() {
        let text = "1 zero 8\n2 zero 8\n3 add 8 1 2\n4 redor 1 3\n5 root 1 4\n";
        assert_eq!(each(&MergeNodes::Equal, text), ["1 zero 8\n3 add 8 1 1\n4 redor 1 3\n5 root 1 4\n"]);
    }

    #[test]
    fn a_later_leaf_becomes_an_earlier_one() {
        let text = "1 var 8\n2 one 8\n3 var 4\n4 ult 1 2 -1\n5 redor 1 3\n6 and 1 4 5\n7 root 1 6\n";
        assert_eq!(each(&MergeNodes::Leaves, text).len(), 1);
        assert!(first(&MergeNodes::Leaves, text).contains("ult 1 1 -1"));
    }

    #[test]
    fn a_state_does_not_begin_as_an_input() {
        let text = "1 sort bitvec 1\n2 input 1\n3 one 1\n4 state 1\n5 init 1 4 3\n6 bad 4\n7 bad 2\n";
        assert_eq!(
            each(&MergeNodes::Leaves, text),
            [
                "1 sort bitvec 1\n2 input 1\n6 bad 2\n7 bad 2\n".to_owned(),
                "1 sort bitvec 1\n2 input 1\n3 one 1\n6 bad 3\n7 bad 2\n".to_owned()
            ],
            "3 in the place of 2 is refused"
        );
    }
}
