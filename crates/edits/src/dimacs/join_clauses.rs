//! Makes one clause of two neighbours.
//!
//! ```text
//! 1 2 0        1 2 -3 0
//! -3 0    =>
//! ```
//!
//! Two bytes less and a weaker formula. A weight of the second clause goes along with what is between them.

use super::View;
use crate::{Edit, Pass};
use nub_text::Span;

/// Larger files are not at this stage.
const MAX_CLAUSES: usize = 1_000;

/// See the module.
pub struct JoinClauses;

impl Pass<View> for JoinClauses {
    fn name(&self) -> &'static str {
        "join-clauses"
    }

    fn edits(&self, view: &View) -> Vec<Edit> {
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
    use crate::Merged;
    use crate::dimacs::render;
    use nub_dimacs::Kind;

    fn joined(text: &str, kind: Kind) -> String {
        let view = View::new(text.into(), kind);
        let mut merged = Merged::default();
        assert!(merged.add(&JoinClauses.edits(&view)[0]));
        String::from_utf8(render(&view, &merged)).unwrap()
    }

    #[test]
    fn the_count_follows() {
        assert_eq!(joined("p cnf 3 3\n1 2 0\n-3 0\n1 0\n", Kind::Cnf), "p cnf 3 2\n1 2 -3 0\n1 0\n");
        assert_eq!(joined("p cnf 0 2\n0\n0\n", Kind::Cnf), "p cnf 0 1\n0\n");
        assert_eq!(joined("h 1 0\n7 2 0\n", Kind::WcnfNew), "h 1 2 0\n");
    }
}
