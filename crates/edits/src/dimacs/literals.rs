//! Removes literals, and tokens that are not literals.
//!
//! ```text
//! 1 -2 3 0   =>   1 3 0
//! ```
//!
//! Adjacent edits in the list belong to different clauses: a group that empties a whole clause makes the formula trivial,
//! and hardly any failure survives that.

use super::DimacsView;
use crate::{Edit, Grouping, Pass};
use nub_dimacs::LitId;

/// Limit on the literals listed at once. In a file with more, single literals do not matter yet; the rest is listed when
/// it has become smaller.
const MAX_LITERALS: usize = 1 << 18;

/// See the module.
pub struct DimacsLiterals;

impl Pass<DimacsView> for DimacsLiterals {
    fn name(&self) -> &'static str {
        "literals"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Complements
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let clauses = view.file().clauses().iter();
        let numbered = clauses.flat_map(|clause| (0..clause.len()).rev().zip(clause.literal_ids()));
        let mut literals: Vec<(usize, LitId)> = numbered.take(MAX_LITERALS).collect();
        literals.sort_by_key(|(n_after, _)| *n_after);
        literals.into_iter().map(|(_, id)| Edit::cut(view.cut_literal(id))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_dimacs::DimacsKind;

    #[test]
    fn one_of_each_clause_first() {
        let view = DimacsView::new(b"p cnf 4 2\n1 2 x 0\n3 4 0\n".to_vec(), DimacsKind::Cnf);
        let cut: Vec<&[u8]> =
            DimacsLiterals.edits(&view).iter().map(|edit| edit.splices[0].span.slice(view.text())).collect();
        assert_eq!(cut, [b"x ", b"4 ", b"2 ", b"3 ", b"1 "]);
    }
}
