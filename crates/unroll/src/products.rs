//! Multiplications with as few bits as the path allows.
//!
//! Programs check their inputs before they compute: on the path after the checks, a product needs fewer bits than its type has, and it does not overflow. Terms are
//! meaningful only under their guard, so the product may be another one elsewhere. Where guards are variables, and where values are chosen, nothing is gained.

use crate::machine::Machine;
use crate::paths::PathId;
use nub_bitvec::{Op, RangesUnderFacts, TermId};

/// At most this many facts of a path, the last ones, are used.
const MAX_FACTS: usize = 64;

/// Ranges of values on one path.
#[derive(Debug, Default)]
pub(crate) struct PathRanges {
    last: Option<(PathId, RangesUnderFacts)>,
}

impl Machine<'_> {
    /// `a * b` on the current path.
    pub(crate) fn product(&mut self, a: TermId, b: TermId) -> TermId {
        let Some((path, mut ranges)) = self.take_ranges([a, b]) else {
            return self.pool.mk(Op::Mul, &[a, b]);
        };
        let product = ranges.product(&mut self.pool, a, b);
        self.ranges.last = Some((path, ranges));
        product
    }

    /// Whether the signed product cannot overflow on the current path. `false` may also mean that this is unknown.
    pub(crate) fn product_fits(&mut self, a: TermId, b: TermId) -> bool {
        let Some((path, mut ranges)) = self.take_ranges([a, b]) else { return false };
        let fits = ranges.product_fits(&self.pool, a, b);
        self.ranges.last = Some((path, ranges));
        fits
    }

    /// The ranges of the current path, to be put back. `None` if they would be of no use.
    fn take_ranges(&mut self, operands: [TermId; 2]) -> Option<(PathId, RangesUnderFacts)> {
        let is_used = self.names.is_none() && self.choose.is_none();
        let is_open = operands.iter().any(|operand| self.pool.value(*operand).is_none());
        let path = self.current.path.filter(|_| is_used && is_open)?;
        if let Some(found) = self.ranges.last.take().filter(|(of, _)| *of == path) {
            return Some(found);
        }
        let mut facts: Vec<TermId> = self.paths.facts(path).take(MAX_FACTS).collect();
        facts.reverse();
        Some((path, RangesUnderFacts::new(&self.pool, facts)))
    }
}
