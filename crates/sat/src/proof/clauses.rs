//! The checker's clauses, and unit propagation over them with two watched literals.
//!
//! Assignments at the top level are permanent; those assumed for one test are undone. Each stored clause has
//! two watched literals that are not false at the top level, or is satisfied there permanently. Propagation within a test
//! maintains this, so undoing needs no work on the watches.

use nub_cnf::Lit;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy)]
struct Clause {
    start: u32,
    len: u32,
    is_live: bool,
}

/// Unit propagation found a false clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Conflict;

/// See the module documentation.
#[derive(Default)]
pub(super) struct Clauses {
    lits: Vec<Lit>,
    clauses: Vec<Clause>,
    watches: Vec<Vec<u32>>,
    is_true: Vec<bool>,
    /// By variable: the clause that assigned it at the top level.
    reason: Vec<Option<u32>>,
    trail: Vec<Lit>,
    n_propagated: usize,
    /// Live clauses by the hash of their sorted literals, to find the clause to delete.
    by_hash: FxHashMap<u64, Vec<u32>>,
}

/// The sum of one mixed number per literal, which does not depend on their order.
fn hash(sorted: &[Lit]) -> u64 {
    let mix = |lit: &Lit| (lit.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    sorted
        .iter()
        .map(mix)
        .fold(sorted.len() as u64, |sum, number| sum.wrapping_add(number.wrapping_mul(number | 1)))
}

fn sorted(clause: &[Lit]) -> Vec<Lit> {
    let mut lits = clause.to_vec();
    lits.sort_unstable();
    lits.dedup();
    lits
}

impl Clauses {
    fn reserve(&mut self, clause: &[Lit]) {
        let n_vars = clause.iter().map(|lit| lit.var() as usize + 1).max().unwrap_or(0);
        if n_vars > self.reason.len() {
            self.reason.resize(n_vars, None);
            self.is_true.resize(2 * n_vars, false);
            self.watches.resize_with(2 * n_vars, Vec::new);
        }
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.is_true[lit.index()]
    }

    fn is_false(&self, lit: Lit) -> bool {
        self.is_true[(!lit).index()]
    }

    fn range(&self, number: u32) -> std::ops::Range<usize> {
        let Clause { start, len, .. } = self.clauses[number as usize];
        start as usize..(start + len) as usize
    }

    /// The live clauses that contain a literal. O(all clauses).
    pub(super) fn with(&self, lit: Lit) -> Vec<Vec<Lit>> {
        let live = (0..self.clauses.len() as u32).filter(|number| self.clauses[*number as usize].is_live);
        let clauses = live.map(|number| &self.lits[self.range(number)]);
        clauses.filter(|clause| clause.contains(&lit)).map(<[Lit]>::to_vec).collect()
    }

    /// Adds a clause at the top level and propagates.
    pub(super) fn add(&mut self, clause: &[Lit]) -> Result<(), Conflict> {
        self.reserve(clause);
        let mut lits = sorted(clause);
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Ok(());
        }
        let number = u32::try_from(self.clauses.len()).expect("fewer than 2^32 clauses");
        self.by_hash.entry(hash(&lits)).or_default().push(number);
        // True literals first, then unassigned ones: the first two are watched.
        lits.sort_by_key(|lit| (!self.is_true(*lit), self.is_false(*lit)));
        let start = u32::try_from(self.lits.len()).expect("fewer than 2^32 literals");
        self.lits.extend_from_slice(&lits);
        self.clauses.push(Clause { start, len: lits.len() as u32, is_live: true });
        lits.iter().take(2).filter(|_| lits.len() > 1).for_each(|lit| self.watches[lit.index()].push(number));
        match lits[..] {
            [] => Err(Conflict),
            [first, ..] if self.is_true(first) => Ok(()),
            [first, ..] if self.is_false(first) => Err(Conflict),
            [first, ref rest @ ..] if rest.first().is_none_or(|second| self.is_false(*second)) => {
                self.reason[first.var() as usize] = Some(number);
                self.assign(first);
                self.propagate(true)
            }
            _ => Ok(()),
        }
    }

    /// Deletes a clause. A clause that assigned a literal at the top level is kept, as in `drat-trim`: solvers delete such
    /// clauses without undoing the assignment. Deleting a clause that does not exist has no effect.
    pub(super) fn delete(&mut self, clause: &[Lit]) {
        self.reserve(clause);
        let lits = sorted(clause);
        let Some(mut bucket) = self.by_hash.remove(&hash(&lits)) else { return };
        let found = bucket.iter().position(|number| sorted(&self.lits[self.range(*number)]) == lits);
        if let Some(at) = found {
            let number = bucket[at];
            if !lits.iter().any(|lit| self.reason[lit.var() as usize] == Some(number)) {
                bucket.swap_remove(at);
                self.clauses[number as usize].is_live = false;
            }
        }
        if !bucket.is_empty() {
            self.by_hash.insert(hash(&lits), bucket);
        }
    }

    fn assign(&mut self, lit: Lit) {
        self.is_true[lit.index()] = true;
        self.trail.push(lit);
    }

    /// The state before a test, for [`Self::back_to`].
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Undoes all assumptions since `mark`.
    pub(super) fn back_to(&mut self, mark: usize) {
        for lit in self.trail.split_off(mark) {
            self.is_true[lit.index()] = false;
        }
        self.n_propagated = self.n_propagated.min(mark);
    }

    /// Makes literals false for a test and propagates.
    pub(super) fn refute(&mut self, lits: &[Lit]) -> Result<(), Conflict> {
        self.reserve(lits);
        for &lit in lits {
            if self.is_true(lit) {
                return Err(Conflict);
            }
            if !self.is_false(lit) {
                self.assign(!lit);
            }
        }
        self.propagate(false)
    }

    fn propagate(&mut self, is_top: bool) -> Result<(), Conflict> {
        while let Some(&lit) = self.trail.get(self.n_propagated) {
            self.n_propagated += 1;
            let falsified = !lit;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            let mut result = Ok(());
            watches.retain(|number| result.is_err() || self.visit(*number, falsified, is_top, &mut result));
            self.watches[falsified.index()] = watches;
            result?;
        }
        Ok(())
    }

    /// Visits a clause after one of its watched literals became false. Returns false if the clause now watches another literal.
    fn visit(
        &mut self,
        number: u32,
        falsified: Lit,
        is_top: bool,
        result: &mut Result<(), Conflict>,
    ) -> bool {
        if !self.clauses[number as usize].is_live {
            return false;
        }
        let range = self.range(number);
        let start = range.start;
        if self.lits[start] == falsified {
            self.lits.swap(start, start + 1);
        }
        let first = self.lits[start];
        if self.is_true(first) {
            return true;
        }
        if let Some(other) = (start + 2..range.end).find(|at| !self.is_false(self.lits[*at])) {
            self.lits.swap(start + 1, other);
            self.watches[self.lits[start + 1].index()].push(number);
            return false;
        }
        if self.is_false(first) {
            *result = Err(Conflict);
        } else {
            if is_top {
                self.reason[first.var() as usize] = Some(number);
            }
            self.assign(first);
        }
        true
    }
}
