//! Asserts one subterm and drops everything around it.
//!
//! ```text
//! (assert (p (f (bvudiv x y)) z))   =>   (assert (= (bvudiv x y) #x00))
//! ```
//!
//! Many solvers fail on a term wherever it is. Hoisting cannot move it out of a context of another sort, but an
//! equation with a value of its sort can.

use super::SmtView;
use super::hoist::term_children;
use super::values::values;
use crate::{Edit, Pass};
use nub_smtlib::{CommandKind, NodeId, SortId};

/// Limit on the subterms offered per assertion.
const MAX_OFFERS: usize = 12;
/// Limit on the subterms inspected per assertion.
const MAX_LOOK: usize = 256;

/// See the module.
pub struct Isolate;

impl Pass<SmtView> for Isolate {
    fn name(&self) -> &'static str {
        "isolate"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let mut edits: Vec<(usize, Edit)> = Vec::new();
        for &(command, kind) in view.commands() {
            let body = view.tree().child(command, 1);
            if let (CommandKind::Assert, Some(body)) = (kind, body) {
                edits.extend(offers(view, body).into_iter().enumerate());
            }
        }
        edits.sort_by_key(|(rank, _)| *rank);
        edits.into_iter().map(|(_, edit)| edit).collect()
    }
}

/// Larger subterms first: they are more likely to contain what the failure needs.
fn offers(view: &SmtView, body: NodeId) -> Vec<Edit> {
    let mut found: Vec<NodeId> = Vec::new();
    let mut level = vec![body];
    let mut looked = 0;
    while !level.is_empty() && looked < MAX_LOOK {
        let next: Vec<NodeId> =
            level.iter().flat_map(|&term| term_children(view, term).take(MAX_LOOK)).collect();
        looked += next.len();
        found.extend(next.iter().filter(|&&term| view.tree().is_list(term)));
        level = next;
    }
    found.sort_by_key(|&term| std::cmp::Reverse(view.span(term).len()));
    found.into_iter().filter_map(|term| isolate(view, body, term)).take(MAX_OFFERS).collect()
}

fn isolate(view: &SmtView, body: NodeId, term: NodeId) -> Option<Edit> {
    let sort = view.sort(term).filter(|&sort| sort != SortId::BOOL)?;
    if !view.needs().can_replace(term, body) {
        return None;
    }
    let value = values(view, sort, term).into_iter().next()?;
    // Only what is around the term is changed, so that edits inside it stay independent.
    let mut edit = Edit::keep_part(view.span(body), view.span(term));
    let [before, after] = &mut edit.splices[..] else { return None };
    before.text = b"(= ".as_slice().into();
    after.text = [b" ", &value[..], b")"].concat().into();
    (edit.gain() > 0).then_some(edit)
}
