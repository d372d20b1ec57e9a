//! The descendants that [`super::hoist`] omits: all of them, once the script is small.
//!
//! ```text
//! (and (or (f x y z) (g (h (= (k p) q)))) …)   =>   q
//! ```
//!
//! Hoisting tries a few descendants of every term, which is right for a large script. At the end this pass tries the others,
//! so that "nothing smaller was found" is true for every descendant.

use super::SmtView;
use super::hoist::{offers, term_children};
use crate::{Edit, Pass};
use nub_smtlib::NodeId;

/// The pass does nothing on larger scripts.
const MAX_BYTES: usize = 4_000;
/// Limit on the edits listed at once.
const MAX_EDITS: usize = 2_000;

/// See the module.
pub struct HoistRest;

impl Pass<SmtView> for HoistRest {
    fn name(&self) -> &'static str {
        "hoist-rest"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        if view.text().len() > MAX_BYTES {
            return Vec::new();
        }
        let lists = view.terms().filter(|&term| view.tree().is_list(term));
        lists.flat_map(|term| rest(view, term)).take(MAX_EDITS).collect()
    }
}

fn rest(view: &SmtView, term: NodeId) -> Vec<Edit> {
    let Some(sort) = view.sort(term) else { return Vec::new() };
    let offered = offers(view, term);
    let mut parts: Vec<NodeId> = Vec::new();
    let mut open: Vec<NodeId> = term_children(view, term).collect();
    while let Some(node) = open.pop() {
        open.extend(term_children(view, node));
        let fits = view.sort(node) == Some(sort) && view.needs().can_replace(node, term);
        if fits && !offered.contains(&node) {
            parts.push(node);
        }
    }
    // Smaller ones first: what a small script needs is often in one leaf.
    parts.sort_by_key(|&node| (view.span(node).len(), node));
    parts.into_iter().map(|part| Edit::keep_part(view.span(term), view.span(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::SmtBand;
    use crate::smtlib::hoist::SmtHoist;
    use rustc_hash::FxHashSet;

    #[test]
    fn every_descendant_is_offered_once() {
        let leaves: Vec<String> = (0..20).map(|i| format!("p{i}")).collect();
        let declarations: String = leaves.iter().map(|p| format!("(declare-const {p} Bool)")).collect();
        let text = format!("{declarations}(assert (and (or {}) (= {})))", leaves.join(" "), leaves.join(" "));
        let view = SmtView::new(text.as_bytes());
        let near = SmtHoist { band: SmtBand::ALL }.edits(&view);
        let all = near.into_iter().chain(HoistRest.edits(&view)).map(|edit| format!("{:?}", edit.splices));
        let all: Vec<String> = all.collect();
        let distinct: FxHashSet<&String> = all.iter().collect();
        // The conjunction has 42 descendants, each part of it 20.
        assert_eq!((all.len(), distinct.len()), (82, 82));
    }
}
