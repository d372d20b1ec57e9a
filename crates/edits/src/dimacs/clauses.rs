//! Removes clauses.
//!
//! ```text
//! p cnf 2 2        p cnf 1 1
//! 1 0         =>   1 0
//! -1 2 0
//! ```
//!
//! `render` adjusts the header. In a large file several clauses are removed together, in their order.

use super::DimacsView;
use crate::units::cuts;
use crate::{Edit, Grouping, Pass};
use nub_text::Span;

/// See the module.
pub struct Clauses;

impl Pass<DimacsView> for Clauses {
    fn name(&self) -> &'static str {
        "clauses"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Complements
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let spans: Vec<Span> =
            view.file().clauses().iter().map(|clause| view.cut_span(clause.span)).collect();
        cuts(&spans)
    }
}
