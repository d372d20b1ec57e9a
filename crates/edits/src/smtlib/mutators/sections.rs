//! Removes sections of a long list at once: all, halves, quarters, and so on.
//!
//! ```text
//! 8 commands   =>   cut 1-8; 1-4, 5-8; 1-2, 3-4, 5-6, 7-8; each alone
//! ```
//!
//! First the list of commands, then lists inside them with at least eight parts. The head of a list stays.

use crate::smtlib::SmtView;
use crate::{Edit, Grouping, Pass, pass::MAX_EDITS};
use nub_smtlib::NodeId;
use nub_text::Span;

/// Shorter lists are left to passes that remove single parts.
const MIN_PARTS: usize = 8;

/// See the module.
pub struct Sections;

impl Pass<SmtView> for Sections {
    fn name(&self) -> &'static str {
        "sections"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let tree = view.tree();
        let commands: Vec<NodeId> = tree.roots().collect();
        let mut edits = sections(view, &commands);
        for list in tree.nodes().filter(|&node| tree.is_list(node)) {
            if edits.len() >= MAX_EDITS {
                break;
            }
            let parts: Vec<NodeId> = tree.children(list).skip(1).collect();
            if parts.len() + 1 >= MIN_PARTS {
                edits.extend(sections(view, &parts));
            }
        }
        edits
    }

    fn grouping(&self) -> Grouping {
        Grouping::Single
    }
}

fn sections(view: &SmtView, parts: &[NodeId]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut size = parts.len();
    while size > 0 && edits.len() < MAX_EDITS {
        edits.extend(parts.chunks(size).filter_map(|section| {
            let (first, last) = (view.cut_span(*section.first()?), view.span(*section.last()?));
            Some(Edit::cut(Span { start: first.start, end: last.end }))
        }));
        size /= 2;
    }
    edits
}
