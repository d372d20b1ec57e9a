//! Terms by size.
//!
//! A strategy goes from the largest terms to the smallest, one band at a time, without ever listing all terms of a
//! large file. Nested terms of nearly the same size (a chain of lets) are thinned out: asking for each of them
//! would be linear in the depth, where halving is logarithmic.

use super::View;
use nub_smtlib::NodeId;

/// Below this size every term is listed.
const FINE: usize = 256;

/// A range of term sizes, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Band {
    /// Largest term.
    pub max_bytes: usize,
    /// Smallest term.
    pub min_bytes: usize,
}

impl Band {
    /// The terms of the band in preorder; of nested large ones only those that are a quarter smaller than the last
    /// one listed around them.
    pub(super) fn terms<'v>(&self, view: &'v View) -> impl Iterator<Item = NodeId> + 'v {
        let Band { max_bytes, min_bytes } = *self;
        let mut outer: Option<NodeId> = None;
        view.terms().filter(move |&term| {
            let size = view.span(term).len();
            if size < min_bytes || size > max_bytes {
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
