//! A small solver of our own: conflict-driven clause learning after MiniSat (Eén and Sörensson, SAT 2003).
//!
//! It exists so that nub works without a C++ compiler, and as a second opinion in tests. Learned clauses are never
//! deleted and there is no preprocessing, so CaDiCaL is the better choice beyond some ten thousand clauses.

mod analyze;
mod heap;
mod propagate;

use crate::proof::Proof;
use crate::{SatAnswer, SatLimits, SatSolver, SatStop};
use heap::Heap;
use nub_cnf::{Lit, Sink};
use propagate::Watch;

/// A clause: the position of its literals in the block of all literals.
#[derive(Clone, Copy, Debug)]
struct Clause {
    start: u32,
    len: u32,
}

/// See the module documentation. The result depends only on the calls: nothing is random.
#[derive(Clone, Debug, Default)]
pub struct Cdcl {
    lits: Vec<Lit>,
    clauses: Vec<Clause>,
    /// By literal: the clauses that watch it.
    watches: Vec<Vec<Watch>>,
    /// By literal: whether it is true.
    is_true: Vec<bool>,
    /// By variable: when and why it was assigned.
    level: Vec<u32>,
    reason: Vec<Option<u32>>,
    phase: Vec<bool>,
    activity: Vec<f64>,
    bump: f64,
    /// Variables to decide, most active first.
    heap: Heap,
    trail: Vec<Lit>,
    /// Where each decision level starts in the trail.
    levels: Vec<usize>,
    n_propagated: usize,
    /// The clauses contradict each other without assumptions.
    is_unsat: bool,
    model: Vec<bool>,
    core: Vec<Lit>,
    seen: Vec<bool>,
    /// The learned clauses, if they are recorded.
    log: Option<Proof>,
}

/// Conflicts before the first restart; later ones follow the Luby sequence.
const RESTART: u64 = 100;
/// Activities are scaled down above this.
const MAX_ACTIVITY: f64 = 1e100;
/// The factor by which each conflict reduces the weight of the earlier ones.
const DECAY: f64 = 0.95;

/// How a round between two restarts ended.
enum Round {
    Answer(SatAnswer),
    Restart,
}

impl Cdcl {
    /// No clauses.
    pub fn new() -> Cdcl {
        Cdcl { bump: 1.0, ..Cdcl::default() }
    }

    /// A solver without clauses that records what it learns.
    pub(crate) fn logging() -> Cdcl {
        Cdcl { log: Some(Proof::new()), ..Cdcl::new() }
    }

    /// The clauses learned so far, each of which follows from those before it. Ends the logging.
    pub(crate) fn take_log(&mut self) -> Proof {
        self.log.take().unwrap_or_default()
    }

    fn is_assigned(&self, var: u32) -> bool {
        let lit = Lit::positive(var);
        self.is_true[lit.index()] || self.is_true[(!lit).index()]
    }

    fn is_false(&self, lit: Lit) -> bool {
        self.is_true[(!lit).index()]
    }

    fn assign(&mut self, lit: Lit, reason: Option<u32>) {
        let var = lit.var() as usize;
        self.is_true[lit.index()] = true;
        self.level[var] = self.levels.len() as u32;
        self.reason[var] = reason;
        self.trail.push(lit);
    }

    /// Undoes all decisions after the first `n_levels`.
    fn back_to(&mut self, n_levels: usize) {
        if self.levels.len() <= n_levels {
            return;
        }
        let start = self.levels[n_levels];
        for lit in self.trail.split_off(start) {
            let var = lit.var();
            self.is_true[lit.index()] = false;
            self.phase[var as usize] = !lit.is_negative();
            self.heap.insert(var, &self.activity);
        }
        self.levels.truncate(n_levels);
        self.n_propagated = start;
    }

    fn bump_var(&mut self, var: u32) {
        self.activity[var as usize] += self.bump;
        if self.activity[var as usize] > MAX_ACTIVITY {
            self.activity.iter_mut().for_each(|activity| *activity /= MAX_ACTIVITY);
            self.bump /= MAX_ACTIVITY;
        }
        self.heap.moved_up(var, &self.activity);
    }

    /// Searches until there is an answer, or until this many conflicts.
    fn search(&mut self, assumptions: &[Lit], n_conflicts: u64, limits: &SatLimits) -> Round {
        let mut left = n_conflicts;
        loop {
            if let Some(conflict) = self.propagate() {
                if self.levels.is_empty() {
                    self.is_unsat = true;
                    return Round::Answer(SatAnswer::Unsat);
                }
                self.learn(conflict);
                self.bump /= DECAY;
                left = left.saturating_sub(1);
                continue;
            }
            if limits.cancel.is_cancelled() {
                return Round::Answer(SatAnswer::Unknown(SatStop::Cancelled));
            }
            if left == 0 {
                return Round::Restart;
            }
            let Some(decision) = self.next_decision(assumptions) else {
                self.model = self.is_true.iter().step_by(2).copied().collect();
                return Round::Answer(SatAnswer::Sat);
            };
            if self.is_false(decision) {
                self.core = self.final_core(decision);
                return Round::Answer(SatAnswer::Unsat);
            }
            self.levels.push(self.trail.len());
            if !self.is_true[decision.index()] {
                self.assign(decision, None);
            }
        }
    }

    /// Assumptions first, one per level, then the most active variable. `None` if every variable is assigned.
    fn next_decision(&mut self, assumptions: &[Lit]) -> Option<Lit> {
        if let Some(assumption) = assumptions.get(self.levels.len()) {
            return Some(*assumption);
        }
        while let Some(var) = self.heap.pop(&self.activity) {
            if !self.is_assigned(var) {
                return Some(Lit::positive(var).negated_if(!self.phase[var as usize]));
            }
        }
        None
    }
}

/// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...
fn luby(index: u64) -> u64 {
    let mut index = index + 1;
    loop {
        let n_bits = u64::BITS - index.leading_zeros();
        if index + 1 == 1 << n_bits {
            return 1 << (n_bits - 1);
        }
        index -= (1 << (n_bits - 1)) - 1;
    }
}

impl Sink for Cdcl {
    fn new_var(&mut self) -> Lit {
        let lit = Lit::positive(self.level.len() as u32);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.is_true.extend([false, false]);
        self.level.push(0);
        self.reason.push(None);
        self.phase.push(false);
        self.activity.push(0.0);
        self.seen.push(false);
        self.heap.insert(lit.var(), &self.activity);
        lit
    }

    fn add(&mut self, clause: &[Lit]) {
        self.back_to(0);
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        let is_tautology = lits.windows(2).any(|pair| pair[0] == !pair[1]);
        if is_tautology || lits.iter().any(|lit| self.is_true[lit.index()]) {
            return;
        }
        lits.retain(|lit| !self.is_false(*lit));
        match lits[..] {
            [] => self.is_unsat = true,
            [unit] => self.assign(unit, None),
            _ => {
                self.store(&lits);
            }
        }
    }
}

impl SatSolver for Cdcl {
    fn solve(&mut self, assumptions: &[Lit], limits: &SatLimits) -> SatAnswer {
        self.core.clear();
        self.back_to(0);
        let mut left = limits.conflicts.unwrap_or(u64::MAX);
        for round in 0.. {
            if self.is_unsat {
                return SatAnswer::Unsat;
            }
            let n_conflicts = left.min(RESTART * luby(round));
            match self.search(assumptions, n_conflicts, limits) {
                Round::Answer(answer) => return answer,
                Round::Restart => left -= n_conflicts,
            }
            self.back_to(0);
            if left == 0 {
                break;
            }
        }
        SatAnswer::Unknown(SatStop::Conflicts)
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.model.get(lit.var() as usize).copied().unwrap_or(false) != lit.is_negative()
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn prefer(&mut self, lit: Lit) {
        self.phase[lit.var() as usize] = !lit.is_negative();
    }

    fn n_vars(&self) -> u32 {
        self.level.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_follow_the_sequence() {
        let start: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(start, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
