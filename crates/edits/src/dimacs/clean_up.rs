//! Removes quantified variables from the prefix when their last use in the matrix is removed.
//!
//! ```text
//! p cnf 2 2        p cnf 1 1
//! e 1 2 0     =>   e 1 0
//! 1 0              1 0
//! 2 0
//! ```
//!
//! `render` keeps the counts of the header correct.

use super::DimacsView;
use super::fate::{Fate, fates, new_variables};
use crate::dag::is_free;
use crate::{Edit, MergedEdits};
use nub_dimacs::{LitId, Quantifier, QuantifierBlock};
use nub_text::Span;

/// Removes from the prefix the variables that the splices remove from the matrix, except those in `protected` (sorted). True if there
/// were any. Linear.
pub fn clean_up(view: &DimacsView, splices: &mut MergedEdits, protected: &[Span]) -> bool {
    if view.file().blocks().is_empty() {
        return false;
    }
    let mut useless = useless(view, splices);
    useless.retain(|&id| is_free(&Edit::cut(view.cut_literal(id)), protected));
    keep_innermost(view, splices, &mut useless);
    let mut added = false;
    for id in useless {
        added |= splices.add(&Edit::cut(view.cut_literal(id)));
    }
    added
}

/// The places in the prefix of variables that are used in the matrix, but no longer after the splices.
fn useless(view: &DimacsView, splices: &MergedEdits) -> Vec<LitId> {
    let fates = fates(view, splices);
    let is_kept = |id: LitId| fates[id.0 as usize] == Fate::Kept;
    let mut new: Vec<u32> = new_variables(view, splices).collect();
    new.sort_unstable();
    let mut found = Vec::new();
    for (var, places) in view.occurrences().all() {
        let mut matrix = places.clone().filter(|&id| !view.is_quantified(id)).peekable();
        let was_used = matrix.peek().is_some();
        if was_used && !matrix.any(is_kept) && new.binary_search(&var.number()).is_err() {
            // A place where an edit inserts another variable is not useless.
            found.extend(places.filter(|&id| view.is_quantified(id) && is_kept(id)));
        }
    }
    found
}

/// The standard requires the last block to be existential: if removing it would leave a universal one, one of its
/// variables is kept.
fn keep_innermost(view: &DimacsView, splices: &MergedEdits, useless: &mut Vec<LitId>) {
    let [.., before, last] = view.file().blocks() else { return };
    if before.quantifier == Quantifier::Exists || last.quantifier == Quantifier::ForAll {
        return;
    }
    useless.sort_unstable();
    let is_useless = |id: LitId| useless.binary_search(&id).is_ok();
    let vanishes = |block: &QuantifierBlock| {
        block.literal_ids().all(|id| is_useless(id) || splices.covers(view.literal_span(id)))
    };
    if vanishes(last)
        && !vanishes(before)
        && let Some(kept) = last.literal_ids().find(|&id| is_useless(id))
    {
        useless.retain(|&id| id != kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dimacs::render;
    use nub_dimacs::DimacsKind;

    #[test]
    fn with_the_last_use() {
        let text = b"p cnf 3 3\na 1 0\ne 2 3 0\n1 2 0\n-2 0\n3 0\n";
        let view = DimacsView::new(text.to_vec(), DimacsKind::Qdimacs);
        let mut merged = MergedEdits::default();
        merged.add(&view.cut(view.file().clauses()[1].span));
        assert!(!clean_up(&view, &mut merged, &[]), "2 is still in use");
        merged.add(&view.cut(view.file().clauses()[0].span));
        assert!(clean_up(&view, &mut merged, &[]));
        assert_eq!(render(&view, &merged, &[]), b"p cnf 3 1\ne 3 0\n3 0\n");
        assert!(!clean_up(&view, &mut merged, &[]));
    }

    #[test]
    fn the_innermost_block_stays_existential() {
        let view = DimacsView::new(b"p cnf 3 2\na 1 0\ne 2 3 0\n1 0\n2 3 0\n".to_vec(), DimacsKind::Qdimacs);
        let mut merged = MergedEdits::default();
        merged.add(&view.cut(view.file().clauses()[1].span));
        assert!(clean_up(&view, &mut merged, &[]));
        assert_eq!(render(&view, &merged, &[]), b"p cnf 2 1\na 1 0\ne 2 0\n1 0\n");
        assert!(!clean_up(&view, &mut merged, &[]), "also when more is added later");
    }
}
