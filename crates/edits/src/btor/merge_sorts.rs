//! BTOR2: merges two sort lines that define the same sort.
//!
//! ```text
//! 1 sort bitvec 1                1 sort bitvec 1
//! 2 sort bitvec 1
//! 3 input 2              =>      3 input 1
//! ```

use super::BtorView;
use crate::{Edit, Pass};
use nub_btor::{LineId, OperandKind, Sort};
use rustc_hash::FxHashMap;

/// See the module.
pub struct MergeSorts;

impl Pass<BtorView> for MergeSorts {
    fn name(&self) -> &'static str {
        "merge-sorts"
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let mut first: FxHashMap<Sort, LineId> = FxHashMap::default();
        let mut edits = Vec::new();
        for line in view.lines() {
            let Some(sort) = view.line(line).names else { continue };
            let to = *first.entry(sort).or_insert(line);
            let uses = view.uses(line).iter().filter(|at| at.operand.kind == OperandKind::Sort);
            let splices: Vec<_> = uses.map(|at| (at.operand.span, view.reference(to.into()))).collect();
            if to != line && !splices.is_empty() {
                edits.extend(Edit::try_of(splices));
            }
        }
        edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::each;

    #[test]
    fn the_first_of_equal_sorts() {
        let text = "1 sort bitvec 1\n2 sort bitvec 1\n3 sort array 1 1\n4 sort array 2 1\n5 input 4\n6 one 2\n7 read 1 5 6\n8 bad 7\n";
        let found = each(&MergeSorts, text);
        assert_eq!(
            found[0],
            text.replace("2 sort bitvec 1\n", "").replace("array 2 1", "array 1 1").replace("one 2", "one 1")
        );
        assert_eq!(found[1], text.replace("4 sort array 2 1\n", "").replace("input 4", "input 3"));
    }
}
