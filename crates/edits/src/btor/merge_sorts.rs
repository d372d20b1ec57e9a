//! BTOR2: one sort line for two that say the same.
//!
//! ```text
//! 1 sort bitvec 1                1 sort bitvec 1
//! 2 sort bitvec 1
//! 3 input 2              =>      3 input 1
//! ```

use super::View;
use crate::{Edit, Pass};
use nub_btor::{LineId, OperandKind, Sort};
use rustc_hash::FxHashMap;

/// See the module.
pub struct MergeSorts;

impl Pass<View> for MergeSorts {
    fn name(&self) -> &'static str {
        "merge-sorts"
    }

    fn edits(&self, view: &View) -> Vec<Edit> {
        let mut first: FxHashMap<Sort, LineId> = FxHashMap::default();
        let mut edits = Vec::new();
        for line in view.lines() {
            let Some(sort) = view.line(line).names else { continue };
            let to = *first.entry(sort).or_insert(line);
            let uses = view.uses(line).iter().filter(|at| at.operand.kind == OperandKind::Sort);
            let splices: Vec<_> = uses.map(|at| (at.operand.span, view.reference(to, false))).collect();
            if to != line && !splices.is_empty() {
                edits.extend(Edit::try_of(splices));
            }
        }
        edits
    }
}
