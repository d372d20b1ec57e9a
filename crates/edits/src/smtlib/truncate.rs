//! Removes everything after some command: a failure at the third `check-sat` needs nothing that follows.
//! The command is found by bisection.

use super::SmtView;
use crate::{Edit, Grouping, Pass};
use nub_text::Span;

/// See the module.
pub struct Truncate;

impl Pass<SmtView> for Truncate {
    fn name(&self) -> &'static str {
        "truncate"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Bisect
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        // Most powerful first: keep one command, keep two, …
        let commands = view.commands();
        let keep = (0..commands.len().saturating_sub(1)).map(|last| {
            let end = view.span(commands[last].0).end as usize;
            Edit::cut(Span::new(end, view.text().len()))
        });
        keep.collect()
    }
}
