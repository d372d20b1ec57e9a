//! Removes comments.
//!
//! ```text
//! c by hand        p cnf 1 1
//! p cnf 1 1   =>   1 0
//! 1 0
//! ```

use super::DimacsView;
use crate::{Edit, Pass};

/// See the module.
pub struct Comments;

impl Pass<DimacsView> for Comments {
    fn name(&self) -> &'static str {
        "comments"
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        view.file().comments().iter().map(|&span| view.cut(span)).collect()
    }
}
