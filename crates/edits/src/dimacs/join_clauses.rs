//! Joins two adjacent clauses.
//!
//! ```text
//! 1 2 0        1 2 -3 0
//! -3 0    =>
//! ```
//!
//! This saves two bytes and weakens the formula. The weight of the second clause is removed with the text between them.

use super::DimacsView;
use crate::{Edit, Pass};
use nub_text::Span;

/// The pass does nothing on larger files.
const MAX_CLAUSES: usize = 1_000;

/// See the module.
pub struct JoinClauses;

impl Pass<DimacsView> for JoinClauses {
    fn name(&self) -> &'static str {
        "join-clauses"
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let file = view.file();
        if file.clauses().len() > MAX_CLAUSES {
            return Vec::new();
        }
        let pairs = file.clauses().windows(2);
        let gaps = pairs.map(|pair| {
            let next = file.literals_of(&pair[1]).first().map_or(pair[1].zero, |literal| literal.span.start);
            Span { start: pair[0].zero, end: next }
        });
        gaps.filter(|gap| !gap.is_empty()).map(Edit::cut).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MergedEdits;
    use crate::dimacs::render;
    use nub_dimacs::DimacsKind;

    fn joined(text: &str, kind: DimacsKind) -> String {
        let view = DimacsView::new(text.into(), kind);
        let mut merged = MergedEdits::default();
        assert!(merged.add(&JoinClauses.edits(&view)[0]));
        String::from_utf8(render(&view, &merged, &[])).unwrap()
    }

    #[test]
    fn the_count_follows() {
        assert_eq!(joined("p cnf 3 3\n1 2 0\n-3 0\n1 0\n", DimacsKind::Cnf), "p cnf 3 2\n1 2 -3 0\n1 0\n");
        assert_eq!(joined("p cnf 0 2\n0\n0\n", DimacsKind::Cnf), "p cnf 0 1\n0\n");
        assert_eq!(joined("h 1 0\n7 2 0\n", DimacsKind::WcnfNew), "h 1 2 0\n");
    }
}
