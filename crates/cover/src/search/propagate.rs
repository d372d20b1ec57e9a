//! Unit propagation: what follows from a literal without any search.
//!
//! The solvers behind [`nub_sat::SatSolver`] propagate too, but do not report it. One call here finds all atoms that an atom excludes, which in
//! practice is nearly everything that the lower bound needs.

use nub_cnf::{Cnf, Lit};

/// The clauses with two watched literals each. Clauses are never added after the start.
pub struct Propagator {
    /// All clauses, one block. The first two literals of a clause are watched.
    lits: Vec<Lit>,
    /// Start and end of each clause in `lits`.
    clauses: Vec<(u32, u32)>,
    /// For each literal: clauses that watch it, and must be visited when it becomes false.
    watches: Vec<Vec<u32>>,
    /// For each literal.
    is_true: Vec<bool>,
    trail: Vec<Lit>,
    /// The clauses alone are contradictory by propagation.
    is_contradictory: bool,
}

impl Propagator {
    /// The clauses and some literals that hold always. Linear, plus the propagation.
    pub fn new(cnf: &Cnf, units: &[Lit]) -> Propagator {
        let n_lits = 2 * cnf.n_vars() as usize;
        let mut made = Propagator {
            lits: Vec::new(),
            clauses: Vec::new(),
            watches: vec![Vec::new(); n_lits],
            is_true: vec![false; n_lits],
            trail: Vec::new(),
            is_contradictory: false,
        };
        let mut facts = units.to_vec();
        for clause in cnf.clauses() {
            made.add(clause, &mut facts);
        }
        made.is_contradictory |= !made.assert_all(&facts);
        made
    }

    fn add(&mut self, clause: &[Lit], facts: &mut Vec<Lit>) {
        match clause {
            [] => self.is_contradictory = true,
            [unit] => facts.push(*unit),
            [first, second, ..] => {
                let index = self.clauses.len() as u32;
                self.watches[first.index()].push(index);
                self.watches[second.index()].push(index);
                let start = self.lits.len() as u32;
                self.lits.extend_from_slice(clause);
                self.clauses.push((start, self.lits.len() as u32));
            }
        }
    }

    /// Calls `read` with what follows from the literals, which are then undone. False if it is a contradiction; then nothing is read.
    pub fn probe(&mut self, given: &[Lit], read: impl FnOnce(&Implied<'_>)) -> bool {
        if self.is_contradictory {
            return false;
        }
        let n_before = self.trail.len();
        let is_possible = self.assert_all(given);
        if is_possible {
            read(&Implied { is_true: &self.is_true });
        }
        for lit in self.trail.drain(n_before..) {
            self.is_true[lit.index()] = false;
        }
        is_possible
    }

    /// Makes literals true, with everything that follows. False at a contradiction.
    fn assert_all(&mut self, given: &[Lit]) -> bool {
        let mut head = self.trail.len();
        for lit in given {
            if !self.enqueue(*lit) {
                return false;
            }
        }
        while let Some(lit) = self.trail.get(head).copied() {
            head += 1;
            if !self.visit(!lit) {
                return false;
            }
        }
        true
    }

    fn enqueue(&mut self, lit: Lit) -> bool {
        if self.is_true[(!lit).index()] {
            return false;
        }
        if !self.is_true[lit.index()] {
            self.is_true[lit.index()] = true;
            self.trail.push(lit);
        }
        true
    }

    /// Visits the clauses that watch a literal that became false.
    fn visit(&mut self, falsified: Lit) -> bool {
        let mut watching = std::mem::take(&mut self.watches[falsified.index()]);
        let mut kept = 0;
        let mut is_consistent = true;
        for position in 0..watching.len() {
            let index = watching[position];
            match self.update(index, falsified) {
                Some(other) => self.watches[other.index()].push(index),
                None => {
                    watching[kept] = index;
                    kept += 1;
                    let unit = self.lits[self.clauses[index as usize].0 as usize];
                    is_consistent &= !is_consistent || self.enqueue(unit);
                }
            }
        }
        watching.truncate(kept);
        self.watches[falsified.index()] = watching;
        is_consistent
    }

    /// Another literal for the clause to watch, or `None`: then its first literal must be true.
    fn update(&mut self, index: u32, falsified: Lit) -> Option<Lit> {
        let (start, end) = self.clauses[index as usize];
        let clause = &mut self.lits[start as usize..end as usize];
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        if self.is_true[clause[0].index()] {
            return None;
        }
        let other = clause[2..].iter().position(|lit| !self.is_true[(!*lit).index()])? + 2;
        clause.swap(1, other);
        Some(clause[1])
    }
}

/// What follows.
pub struct Implied<'p> {
    is_true: &'p [bool],
}

impl Implied<'_> {
    /// Whether this literal must be true.
    pub fn is_true(&self, lit: Lit) -> bool {
        self.is_true[lit.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_cnf::{Sink, check};

    /// On random clauses: the same as the quadratic propagation of the test helper, again and again on one engine.
    #[test]
    fn agrees_with_naive_propagation() {
        let mut rng = check::Rng::new(7);
        for _ in 0..300 {
            let mut cnf = Cnf::new();
            let vars: Vec<Lit> = (0..8).map(|_| cnf.new_var()).collect();
            for _ in 0..rng.below(20) {
                let width = 1 + rng.below(4);
                let clause: Vec<Lit> =
                    (0..width).map(|_| rng.pick(&vars).negated_if(rng.below(2) == 0)).collect();
                cnf.add(&clause);
            }
            let mut engine = Propagator::new(&cnf, &[]);
            for _ in 0..6 {
                let given: Vec<Lit> =
                    (0..rng.below(3)).map(|_| rng.pick(&vars).negated_if(rng.below(2) == 0)).collect();
                let expected = check::propagates(&cnf, &given);
                let mut found = None;
                let is_possible = engine.probe(&given, |implied| {
                    found = Some((0..16).map(|index| implied.is_true[index]).collect::<Vec<_>>());
                });
                assert_eq!(is_possible, expected.is_some(), "{cnf:?} {given:?}");
                assert_eq!(found, expected, "{cnf:?} {given:?}");
            }
        }
    }
}
