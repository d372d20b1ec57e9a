//! The improving search: ask for a model better than the best so far, until there is none.

use super::{Search, Turn};
use crate::{SatAnswer, SatLimits, SatStop};
use nub_cnf::Totalizer;

/// A counter that would need more clauses than this, roughly, is not built; then the search relies on cores.
const MAX_COUNTER: usize = 20_000_000;

/// A counter is also not built if it needs more than this many clauses for each conflict that a question may cost: building it would
/// take most of the turn.
const CLAUSES_PER_CONFLICT: u64 = 500;

pub(super) struct Improve {
    counter: Option<Totalizer>,
}

impl Improve {
    pub(super) fn new() -> Improve {
        Improve { counter: None }
    }

    /// Lowers the upper bound until it is proved minimal or a limit is reached. Requires a model.
    pub(super) fn turn(&mut self, search: &mut Search<'_>, limits: &SatLimits) -> Turn {
        while let Some(upper) = search.upper().filter(|_| !search.is_done()) {
            // Ask directly for a model that is good enough.
            let upper = search.enough.map_or(upper, |enough| upper.min(enough));
            let n_clauses = search.lits.len().saturating_mul(upper);
            let affordable =
                limits.conflicts.map_or(u64::MAX, |most| most.saturating_mul(CLAUSES_PER_CONFLICT));
            if n_clauses > MAX_COUNTER || n_clauses as u64 > affordable {
                return Turn::Stopped(SatStop::Conflicts);
            }
            let counter = self.counter.get_or_insert_with(|| Totalizer::new(&search.lits));
            let too_many = counter.more_than(upper - 1, search.solver);
            let fewer = too_many.map(|lit| !lit);
            match search.solve(fewer.as_slice(), limits) {
                SatAnswer::Sat => {
                    let cost = search.keep_model();
                    assert!(cost < upper, "the counter holds");
                }
                SatAnswer::Unsat => search.raise(upper),
                SatAnswer::Unknown(stop) => return Turn::Stopped(stop),
            }
        }
        Turn::Done
    }
}
