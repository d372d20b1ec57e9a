//! Removes variables from the prefix, and whole blocks.
//!
//! ```text
//! e 1 2 0        e 1 0
//! 1 0       =>   1 0
//! ```
//!
//! A variable that is used in the matrix becomes free. If the original had no free variables, such candidates are never
//! asked.

use super::DimacsView;
use crate::{Edit, Grouping, Pass};
use nub_dimacs::LitId;

/// See the module.
pub struct Quantified;

impl Pass<DimacsView> for Quantified {
    fn name(&self) -> &'static str {
        "quantified"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Complements
    }

    /// Variables without a use come first: they are unlikely to matter.
    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let blocks = view.file().blocks();
        let mut is_used = vec![false; view.file().literals().len()];
        for (_, places) in view.occurrences().all() {
            if places.clone().any(|id| !view.is_quantified(id)) {
                places.for_each(|id| is_used[id.0 as usize] = true);
            }
        }
        let mut ids: Vec<LitId> = blocks.iter().flat_map(|block| block.literal_ids()).collect();
        ids.sort_by_key(|id| is_used[id.0 as usize]);
        let variables = ids.into_iter().map(|id| Edit::cut(view.cut_literal(id)));
        variables.chain(blocks.iter().map(|block| view.cut(block.span))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_dimacs::DimacsKind;

    #[test]
    fn unused_ones_first() {
        let view = DimacsView::new(b"p cnf 2 1\ne 1 2 0\n1 0\n".to_vec(), DimacsKind::Qdimacs);
        let cut: Vec<&[u8]> =
            Quantified.edits(&view).iter().map(|edit| edit.splices[0].span.slice(view.text())).collect();
        assert_eq!(cut, [b"2 ".as_slice(), b"1 ", b"e 1 2 0\n"]);
    }
}
