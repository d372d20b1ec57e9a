//! The core-guided search: OLL (Andres, Kaufmann, Matheis, Schaub, ICLP 2012; Morgado, Dodaro, Marques-Silva, CP 2014), for
//! literals of equal weight.
//!
//! All literals are assumed false. A core of n of them shows that at least one is true: the lower bound rises by one, and the n
//! assumptions are replaced by the output "at most one of the n" of a counter. If that output is in a later core, it is
//! replaced by "at most two", and so on. When all assumptions hold, the model is optimal.

use super::{Search, Turn};
use crate::{SatAnswer, SatLimits};
use nub_cnf::{Lit, Totalizer};
use std::collections::BTreeMap;

/// How often to ask again for a smaller core.
const MAX_TRIMS: usize = 8;
/// Limit on the conflicts of each question that trims a core.
const TRIM_CONFLICTS: u64 = 1_000;

pub(super) struct Oll {
    /// The literals that are assumed false, and what each counts. Sorted, so that questions do not depend on hash order.
    assumed: BTreeMap<Lit, Counted>,
    counters: Vec<Totalizer>,
}

#[derive(Clone, Copy)]
enum Counted {
    /// A literal of the set.
    One,
    /// Output `bound` of a counter: more than `bound` are true.
    MoreThan { counter: usize, bound: usize },
}

impl Oll {
    pub(super) fn new(search: &Search<'_>) -> Oll {
        // Pairs of opposite literals are already part of the lower bound, and cannot be assumptions.
        let is_paired = |lit: &Lit| search.lits.binary_search(&!*lit).is_ok();
        let lits = search.lits.iter().filter(|lit| !is_paired(lit));
        Oll { assumed: lits.map(|lit| (*lit, Counted::One)).collect(), counters: Vec::new() }
    }

    /// Raises the lower bound until it is high enough, a limit is reached, or this many cores have been found.
    pub(super) fn turn(&mut self, search: &mut Search<'_>, n_cores: usize, limits: &SatLimits) -> Turn {
        let most = search.lower.saturating_add(n_cores);
        while !search.is_done() {
            if search.lower >= most {
                return Turn::Paused;
            }
            let assumed: Vec<Lit> = self.assumed.keys().map(|lit| !*lit).collect();
            match search.solve(&assumed, limits) {
                SatAnswer::Sat => {
                    let cost = search.keep_model();
                    assert_eq!(
                        cost, search.lower,
                        "all assumptions hold, so no literal is true beyond the bound"
                    );
                    return Turn::Done;
                }
                SatAnswer::Unknown(stop) => return Turn::Stopped(stop),
                SatAnswer::Unsat => {}
            }
            let core = self.trimmed_core(search, limits);
            if core.is_empty() {
                return Turn::Infeasible(search.solver.core().to_vec());
            }
            search.raise(search.lower + 1);
            self.relax(search, &core);
        }
        Turn::Done
    }

    /// The counted literals of the solver's core. Asks again as long as the core shrinks.
    fn trimmed_core(&self, search: &mut Search<'_>, limits: &SatLimits) -> Vec<Lit> {
        let counted = |core: &[Lit]| -> Vec<Lit> {
            core.iter().map(|lit| !*lit).filter(|lit| self.assumed.contains_key(lit)).collect()
        };
        let mut core = counted(search.solver.core());
        let limits = limits.with_conflicts(TRIM_CONFLICTS);
        for _ in 0..MAX_TRIMS {
            if core.len() < 2 {
                break;
            }
            let assumed: Vec<Lit> = core.iter().map(|lit| !*lit).collect();
            if search.solve(&assumed, &limits) != SatAnswer::Unsat {
                break;
            }
            let smaller = counted(search.solver.core());
            if smaller.len() >= core.len() {
                break;
            }
            core = smaller;
        }
        core
    }

    fn relax(&mut self, search: &mut Search<'_>, core: &[Lit]) {
        for lit in core {
            if let Some(Counted::MoreThan { counter, bound }) = self.assumed.remove(lit) {
                self.assume(search, counter, bound + 1);
            }
        }
        if core.len() > 1 {
            self.counters.push(Totalizer::new(core));
            self.assume(search, self.counters.len() - 1, 1);
        }
    }

    fn assume(&mut self, search: &mut Search<'_>, counter: usize, bound: usize) {
        if let Some(output) = self.counters[counter].more_than(bound, search.solver) {
            self.assumed.insert(output, Counted::MoreThan { counter, bound });
        }
    }
}
