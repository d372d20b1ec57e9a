//! Removes any command, even if it is needed: for programs that accept ill-formed scripts.
//!
//! ```text
//! (declare-const x Int)
//! (assert (= x 1))        =>   (assert (= x 1))
//! ```
//!
//! The pass `tokens` removes parts of commands.

use crate::smtlib::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};

/// See the module.
pub struct Erase;

impl Pass<SmtView> for Erase {
    fn name(&self) -> &'static str {
        "erase"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        view.tree().roots().map(|node| view.cut(node)).take(MAX_EDITS).collect()
    }
}
