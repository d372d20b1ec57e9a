//! Unit propagation with two watched literals per clause.

use super::{Cdcl, Clause};
use nub_cnf::Lit;

/// An entry in the list of a watched literal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    clause: u32,
    /// Another literal of the clause: if it is true, the clause need not be visited.
    blocker: Lit,
}

impl Cdcl {
    /// Stores a clause of at least two literals. The first two are watched.
    pub(super) fn store(&mut self, lits: &[Lit]) -> u32 {
        let clause = self.clauses.len() as u32;
        let start = u32::try_from(self.lits.len()).expect("fewer than 2^32 literals");
        self.clauses.push(Clause { start, len: lits.len() as u32 });
        self.lits.extend_from_slice(lits);
        self.watches[lits[0].index()].push(Watch { clause, blocker: lits[1] });
        self.watches[lits[1].index()].push(Watch { clause, blocker: lits[0] });
        clause
    }

    pub(super) fn clause(&self, number: u32) -> &[Lit] {
        let Clause { start, len } = self.clauses[number as usize];
        &self.lits[start as usize..(start + len) as usize]
    }

    /// Assigns everything that follows. Returns a false clause if there is one.
    pub(super) fn propagate(&mut self) -> Option<u32> {
        while let Some(&lit) = self.trail.get(self.n_propagated) {
            self.n_propagated += 1;
            let falsified = !lit;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            let mut conflict = None;
            watches.retain(|watch| conflict.is_some() || self.visit(*watch, falsified, &mut conflict));
            // Clauses that found another literal to watch have left the list; none can have been added to it.
            self.watches[falsified.index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Visits a clause after one of its watched literals became false. Returns false if the clause now watches another literal.
    fn visit(&mut self, watch: Watch, falsified: Lit, conflict: &mut Option<u32>) -> bool {
        if self.is_true[watch.blocker.index()] {
            return true;
        }
        let Clause { start, len } = self.clauses[watch.clause as usize];
        let (start, end) = (start as usize, (start + len) as usize);
        if self.lits[start] == falsified {
            self.lits.swap(start, start + 1);
        }
        let first = self.lits[start];
        if self.is_true[first.index()] {
            return true;
        }
        if let Some(other) = (start + 2..end).find(|at| !self.is_false(self.lits[*at])) {
            self.lits.swap(start + 1, other);
            let watched = self.lits[start + 1];
            self.watches[watched.index()].push(Watch { clause: watch.clause, blocker: first });
            return false;
        }
        if self.is_false(first) {
            *conflict = Some(watch.clause);
        } else {
            self.assign(first, Some(watch.clause));
        }
        true
    }
}
