//! Cuts comments.
//!
//! ```text
//! c by hand        p cnf 1 1
//! p cnf 1 1   =>   1 0
//! 1 0
//! ```

use super::View;
use crate::{Edit, Pass};

/// See the module.
pub struct Comments;

impl Pass<View> for Comments {
    fn name(&self) -> &'static str {
        "comments"
    }

    fn edits(&self, view: &View) -> Vec<Edit> {
        view.file().comments().iter().map(|&span| view.cut(span)).collect()
    }
}
