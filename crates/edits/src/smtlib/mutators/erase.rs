//! Cuts any command, whatever needs it: for programs that accept ill-formed scripts.
//!
//! ```text
//! (declare-const x Int)
//! (assert (= x 1))        =>   (assert (= x 1))
//! ```
//!
//! Parts of commands are cut by the pass `tokens`.

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
