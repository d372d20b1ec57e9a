//! Replaces a term by a fresh constant if its sort has no simple value.
//!
//! ```text
//! (assert (p (f x (g y))))   =>   (declare-const v0 Int) (assert (p v0))
//! ```

use super::SmtView;
use super::unused::command_of;
use super::values::sort_text;
use crate::{Edit, Grouping, Pass};
use nub_smtlib::NodeId;
use nub_text::Span;

/// Limit on the edits listed at once.
const MAX_EDITS: usize = 500;
/// Terms shorter than their declaration are not replaced.
const DECLARATION: usize = 20;

/// See the module.
pub struct Fresh;

impl Pass<SmtView> for Fresh {
    fn name(&self) -> &'static str {
        "fresh"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Groups
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let terms =
            view.terms().filter(|&term| view.tree().is_list(term) && view.span(term).len() > DECLARATION);
        let mut taken = 0;
        terms.filter_map(|term| edit(view, term, &mut taken)).take(MAX_EDITS).collect()
    }
}

fn edit(view: &SmtView, term: NodeId, taken: &mut usize) -> Option<Edit> {
    let sort = sort_text(view, view.sort(term)?)?;
    let command = command_of(view, term);
    if view.tree().parent(term) == Some(command) && view.head_symbol(command) == Some(b"assert") {
        return None;
    }
    let name = loop {
        *taken += 1;
        let name = format!("v{taken}");
        if memchr::memmem::find(view.text(), name.as_bytes()).is_none() {
            break name.into_bytes();
        }
    };
    let declaration = [b"(declare-const ", &name[..], b" ", &sort, b")\n"].concat();
    let start = view.span(command).start;
    // The edit alone may make the text longer, but it may also make other things useless: the engine measures both together.
    Some(Edit::of([(Span { start, end: start }, declaration), (view.span(term), name)]))
}
