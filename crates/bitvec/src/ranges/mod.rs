//! Ranges of terms where some facts hold, by interval arithmetic.
//!
//! In `if (kp < 0 || kp > 100) return 0; ... kp * e` the product is only computed where `kp` needs seven bits. The solver would have to find that out for each
//! question; here a few comparisons of intervals do. Nothing is claimed where the facts do not hold.

mod assume;
mod compute;
mod product;
mod value_range;

pub use value_range::{MAX_RANGE_WIDTH, NumberInterval, ValueRange};

use crate::{Pool, TermId};
use assume::{AssumedBit, RangeEffort};
use rustc_hash::FxHashMap;

/// Limit on the terms inspected for one range. It also limits the depth of the recursion.
const MAX_LOOKS: u32 = 200;

/// Ranges of terms in all assignments that satisfy some facts.
#[derive(Clone, Debug, Default)]
pub struct RangesUnderFacts {
    /// By term, what the facts say directly.
    known: FxHashMap<TermId, ValueRange>,
    /// The facts contradict each other: they hold nowhere, so anything may be said.
    is_empty: bool,
}

impl RangesUnderFacts {
    /// With these truth values, each of them a term of one bit. O(facts).
    pub fn new(pool: &Pool, facts: impl IntoIterator<Item = TermId>) -> RangesUnderFacts {
        let mut ranges = RangesUnderFacts::default();
        for term in facts {
            let mut effort = RangeEffort { log: Vec::new(), looks: MAX_LOOKS };
            ranges.is_empty |= !ranges.assume(pool, AssumedBit { term, truth: true }, &mut effort);
        }
        ranges
    }

    /// The values that a bit-vector has where the facts hold; `None` if it is wider than [`MAX_RANGE_WIDTH`], or an array. Conditions inside of the term
    /// are assumed on the way, and forgotten again.
    pub fn range(&mut self, pool: &Pool, term: TermId) -> Option<ValueRange> {
        let mut looks = MAX_LOOKS;
        self.look(pool, term, &mut looks)
    }
}

#[cfg(test)]
mod tests;
