//! Replaces a `let` by its body.
//!
//! ```text
//! (let ((x (f y))) (= z 1))   =>   (= z 1)
//! ```
//!
//! Variables that the body uses become free: only programs that accept ill-formed scripts can keep the failure.

use crate::smtlib::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};

/// See the module.
pub struct LetBody;

impl Pass<SmtView> for LetBody {
    fn name(&self) -> &'static str {
        "let-body"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let lets = view.terms().filter(|&term| view.head_symbol(term) == Some(b"let"));
        let bodies = lets.filter_map(|term| view.tree().child(term, 2).map(|body| (term, body)));
        bodies.map(|(term, body)| Edit::keep_part(view.span(term), view.span(body))).take(MAX_EDITS).collect()
    }
}
