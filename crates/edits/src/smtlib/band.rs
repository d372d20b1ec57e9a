//! Terms by size.
//!
//! A strategy goes from the largest terms to the smallest, one band at a time, without ever listing all terms of a
//! large file. Nested terms of nearly the same size (a chain of lets) are thinned out: asking for each of them
//! would be linear in the depth, while halving is logarithmic.
//!
//! A band with very many terms is processed in parts, so that the memory for its edits does not grow with the file.

use super::SmtView;
use nub_smtlib::NodeId;

/// Below this size, in bytes, every term is listed.
const FINE: usize = 256;
/// Limit on the terms in a part of a band.
const MAX_TERMS: usize = 1 << 14;

/// A range of term sizes, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct SmtBand {
    /// Largest term.
    pub max_bytes: usize,
    /// Smallest term.
    pub min_bytes: usize,
    /// Where the first of its terms may begin.
    from: u32,
    /// Its terms begin before this position.
    to: u32,
}

impl SmtBand {
    /// All terms.
    pub const ALL: SmtBand = SmtBand::of_sizes(1, usize::MAX);

    /// All terms of these sizes.
    pub const fn of_sizes(min_bytes: usize, max_bytes: usize) -> SmtBand {
        SmtBand { max_bytes, min_bytes, from: 0, to: u32::MAX }
    }

    /// The band, divided by position so that no part has too many terms. The last part comes first: cuts in it do
    /// not move the others. O(n) in the terms of the view.
    pub fn parts(self, view: &SmtView) -> Vec<SmtBand> {
        let starts = self.terms(view).step_by(MAX_TERMS).map(|term| view.span(term).start);
        let mut to = self.to;
        let mut parts: Vec<SmtBand> = Vec::new();
        for from in starts.skip(1).collect::<Vec<u32>>().into_iter().rev() {
            parts.push(SmtBand { from, to, ..self });
            to = from;
        }
        parts.push(SmtBand { to, ..self });
        parts
    }

    /// The terms of the band in preorder; among nested large terms, only those that are a quarter smaller than the last
    /// one listed around them.
    pub(super) fn terms<'v>(&self, view: &'v SmtView) -> impl Iterator<Item = NodeId> + 'v {
        let SmtBand { max_bytes, min_bytes, from, to } = *self;
        let mut outer: Option<NodeId> = None;
        view.terms().filter(move |&term| {
            let size = view.span(term).len();
            let start = view.span(term).start;
            if size < min_bytes || size > max_bytes || start < from || start >= to {
                return false;
            }
            let crowded = outer.is_some_and(|outer| {
                view.tree().is_within(term, outer) && size * 4 > view.span(outer).len() * 3
            });
            if size > FINE && crowded {
                return false;
            }
            outer = Some(term);
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_band_have_each_of_its_terms_once() {
        let text = "(assert (f x (g y)))\n".repeat(MAX_TERMS / 2);
        let view = SmtView::new(text.as_bytes());
        let band = SmtBand::of_sizes(1, 5);
        let parts = band.parts(&view);
        assert_eq!(parts.len(), 2);
        let terms: Vec<Vec<NodeId>> = parts.iter().rev().map(|part| part.terms(&view).collect()).collect();
        assert!(terms.iter().all(|part| part.len() <= MAX_TERMS));
        assert_eq!(terms.concat(), band.terms(&view).collect::<Vec<_>>());
    }
}
