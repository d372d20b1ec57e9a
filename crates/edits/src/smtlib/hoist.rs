//! Replaces a term by a descendant of the same sort (the `changeref` of [Vida08] §4.3.3, generalised).
//!
//! ```text
//! (and (or a b) c)   =>   (or a b)   =>   a
//! ```
//!
//! The descendant must not use a variable that is bound between the two.

use super::SmtView;
use super::band::SmtBand;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::{NodeId, SortId};

/// Limit on the descendants inspected per term.
const MAX_LOOK: usize = 64;
/// Limit on the descendants offered per term.
const MAX_OFFERS: usize = 6;
/// Limit on the far descendants offered per term, and the minimum size of a term to look for them.
const MAX_FAR: usize = 4;
const FAR_BYTES: usize = 128;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct SmtHoist {
    /// Which terms to replace.
    pub band: SmtBand,
}

impl Pass<SmtView> for SmtHoist {
    fn name(&self) -> &'static str {
        "hoist"
    }

    /// All first choices, then all second choices, so that a group contains choices for different terms.
    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let mut choices: Vec<(u8, NodeId, NodeId)> = Vec::new();
        for term in self.band.terms(view) {
            choices.extend((0..).zip(offers(view, term)).map(|(rank, part)| (rank, term, part)));
        }
        choices.sort_by_key(|(rank, ..)| *rank);
        choices.truncate(MAX_EDITS);
        choices.into_iter().map(|(_, term, part)| Edit::keep_part(view.span(term), view.span(part))).collect()
    }
}

/// Descendants far down the path of the largest children, each at most half as large as the one before: a deep chain
/// is removed in log n steps instead of a few levels at a time.
fn far_offers(view: &SmtView, term: NodeId, sort: SortId) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut limit = view.span(term).len() / 2;
    let mut node = term;
    while limit >= FAR_BYTES && found.len() < MAX_FAR {
        let largest = term_children(view, node).max_by_key(|&child| view.span(child).len());
        let Some(next) = largest else { break };
        node = next;
        let fits = view.span(node).len() <= limit && view.sort(node) == Some(sort);
        if fits && view.needs().can_replace(node, term) {
            found.push(node);
            limit = view.span(node).len() / 2;
        }
    }
    found
}

/// Descendants of the same sort, closer ones first, larger ones first at the same distance: a larger one is more likely to contain what
/// the failure needs.
pub(super) fn offers(view: &SmtView, term: NodeId) -> Vec<NodeId> {
    let Some(sort) = view.sort(term) else { return Vec::new() };
    let mut found = far_offers(view, term, sort);
    let mut level: Vec<NodeId> = vec![term];
    let mut looked = 0;
    let most = found.len() + MAX_OFFERS;
    while !level.is_empty() && found.len() < most && looked < MAX_LOOK {
        let mut next: Vec<NodeId> = Vec::new();
        for node in level {
            next.extend(term_children(view, node).take(MAX_LOOK));
        }
        looked += next.len();
        next.sort_by_key(|&node| std::cmp::Reverse(view.span(node).len()));
        let fits = |&node: &NodeId| view.sort(node) == Some(sort) && view.needs().can_replace(node, term);
        let fitting: Vec<NodeId> =
            next.iter().copied().filter(|node| fits(node) && !found.contains(node)).collect();
        found.extend(fitting);
        level = next;
    }
    found.truncate(most);
    found
}

/// The terms directly below a term: arguments, bodies, and the values of bindings.
pub(super) fn term_children(view: &SmtView, term: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let tree = view.tree();
    let mut stack: Vec<NodeId> = tree.children(term).collect();
    stack.reverse();
    std::iter::from_fn(move || {
        while let Some(node) = stack.pop() {
            if view.is_term(node) {
                return Some(node);
            }
            let at = stack.len();
            stack.extend(tree.children(node));
            stack[at..].reverse();
        }
        None
    })
}
