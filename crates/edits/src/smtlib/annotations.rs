//! Removes annotations.
//!
//! ```text
//! (! t :named n :pattern (p))   =>   t   =>   or without one attribute
//! ```
//!
//! Attributes of commands are removed one by one: `(assert-soft a :weight 2)` becomes `(assert-soft a)`.
//!
//! A name that is used stays; the pass `define-inline` replaces its uses by the term.

use super::SmtView;
use crate::{Edit, Pass};
use nub_smtlib::{CommandKind, NodeId, NodeKind};
use nub_text::Span;

/// See the module.
pub struct Annotations;

impl Pass<SmtView> for Annotations {
    fn name(&self) -> &'static str {
        "annotations"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let mut edits = Vec::new();
        for term in view.terms().filter(|&term| view.head_symbol(term) == Some(b"!")) {
            let Some(inner) = view.tree().child(term, 1) else { continue };
            if !has_used_name(view, term) {
                edits.push(Edit::keep_part(view.span(term), view.span(inner)));
            }
            let attributes = attributes(view, term);
            if attributes.len() > 1 {
                edits.extend(attributes.into_iter().map(Edit::cut));
            }
        }
        let is_plain = |kind| !matches!(kind, CommandKind::SetInfo | CommandKind::SetOption);
        let commands = view.commands().iter().filter(|(_, kind)| is_plain(*kind));
        edits.extend(commands.flat_map(|&(command, _)| attributes(view, command)).map(Edit::cut));
        edits
    }
}

/// The keyword and value of each attribute, with the blank before it.
fn attributes(view: &SmtView, term: NodeId) -> Vec<Span> {
    let children: Vec<NodeId> = view.tree().children(term).skip(2).collect();
    let is_keyword = |node: NodeId| view.tree().kind(node) == NodeKind::Keyword;
    let mut spans = Vec::new();
    for (at, &node) in children.iter().enumerate().filter(|(_, node)| is_keyword(**node)) {
        let last = children.get(at + 1).copied().filter(|&next| !is_keyword(next)).unwrap_or(node);
        if !defines_used_name(view, last) {
            spans.push(Span { start: view.cut_span(node).start, end: view.span(last).end });
        }
    }
    spans
}

fn has_used_name(view: &SmtView, term: NodeId) -> bool {
    view.tree().children(term).any(|child| defines_used_name(view, child))
}

fn defines_used_name(view: &SmtView, node: NodeId) -> bool {
    let analysis = view.analysis();
    analysis.decl_of(node).is_some_and(|id| analysis.decl(id).name == node && !analysis.uses(id).is_empty())
}
