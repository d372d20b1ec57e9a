//! Conflict analysis: the first unique implication point, and the assumptions behind a conflict.

use super::Cdcl;
use crate::proof::Action;
use nub_cnf::Lit;

impl Cdcl {
    /// Learns a clause from a conflict, backtracks to the level where it is unit, and assigns its first literal. Requires a decision.
    pub(super) fn learn(&mut self, conflict: u32) {
        let mut clause = self.first_uip(conflict);
        if let Some(log) = &mut self.log {
            log.push(Action::Add, clause.iter().copied());
        }
        let level = |lit: &Lit| self.level[lit.var() as usize];
        // The second literal must belong to the level to which we backtrack: the first two literals are watched.
        let second = (1..clause.len()).max_by_key(|at| level(&clause[*at]));
        let back = second.map_or(0, |at| level(&clause[at]));
        if let Some(at) = second {
            clause.swap(1, at);
        }
        self.back_to(back as usize);
        let reason = if clause.len() > 1 { Some(self.store(&clause)) } else { None };
        self.assign(clause[0], reason);
    }

    /// Resolves backwards along the trail until one literal of the last level is left: the first of the result.
    fn first_uip(&mut self, conflict: u32) -> Vec<Lit> {
        let now = self.levels.len() as u32;
        let mut learned = vec![];
        let mut n_open = 0;
        let mut at = self.trail.len();
        let mut reason = Some(conflict);
        let uip = loop {
            let lits = reason.map_or(Vec::new(), |clause| self.clause(clause).to_vec());
            for lit in lits {
                let var = lit.var() as usize;
                if self.seen[var] || self.level[var] == 0 || self.is_true[lit.index()] {
                    continue;
                }
                self.seen[var] = true;
                self.bump_var(lit.var());
                if self.level[var] == now {
                    n_open += 1;
                } else {
                    learned.push(lit);
                }
            }
            // Some literal of this level has been marked, because the last decision led to the conflict.
            at -= 1;
            while !self.seen[self.trail[at].var() as usize] {
                at -= 1;
            }
            let lit = self.trail[at];
            self.seen[lit.var() as usize] = false;
            n_open -= 1;
            if n_open == 0 {
                break lit;
            }
            reason = self.reason[lit.var() as usize];
        };
        learned.iter().for_each(|lit| self.seen[lit.var() as usize] = false);
        learned.insert(0, !uip);
        learned
    }

    /// The assumptions that imply the negation of `failed`, which is one of them and is included. All decisions are assumptions.
    pub(super) fn final_core(&mut self, failed: Lit) -> Vec<Lit> {
        let mut core = vec![failed];
        let mut is_needed = vec![false; self.level.len()];
        is_needed[failed.var() as usize] = true;
        for &lit in self.trail.iter().rev() {
            let var = lit.var() as usize;
            if !is_needed[var] || self.level[var] == 0 {
                continue;
            }
            match self.reason[var] {
                None => core.push(lit),
                Some(clause) => {
                    self.clause(clause).iter().for_each(|lit| is_needed[lit.var() as usize] = true)
                }
            }
        }
        core
    }
}
