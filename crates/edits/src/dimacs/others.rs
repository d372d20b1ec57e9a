//! Removes lines that are not part of the format, cubes of inccnf, and everything after a `%`.
//!
//! ```text
//! 1 0        1 0
//! %     =>
//! 0
//! ```

use super::DimacsView;
use crate::{Edit, Grouping, Pass};

/// See the module.
pub struct Others;

impl Pass<DimacsView> for Others {
    fn name(&self) -> &'static str {
        "other-lines"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Complements
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let lines = view.file().others().iter().copied().chain(view.file().end_marker());
        lines.map(|span| view.cut(span)).collect()
    }
}
