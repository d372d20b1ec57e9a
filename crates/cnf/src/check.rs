//! For tests of this crate and of those above it: what follows from clauses by unit propagation alone.

use crate::{Cnf, Lit};

pub use nub_bitvec::check::Rng;

/// The literals that follow from the clauses and the given literals by unit propagation, as a table indexed by literal; `None` if
/// propagation finds a contradiction. Quadratic: for small formulas.
pub fn propagates(cnf: &Cnf, given: &[Lit]) -> Option<Vec<bool>> {
    let mut is_true = vec![false; 2 * cnf.n_vars() as usize];
    given.iter().for_each(|lit| is_true[lit.index()] = true);
    if given.iter().any(|lit| is_true[(!*lit).index()]) {
        return None;
    }
    loop {
        let mut changed = false;
        for clause in cnf.clauses() {
            if clause.iter().any(|lit| is_true[lit.index()]) {
                continue;
            }
            let mut open = clause.iter().filter(|lit| !is_true[(!**lit).index()]);
            match (open.next(), open.next()) {
                (None, _) => return None,
                (Some(unit), None) => {
                    is_true[unit.index()] = true;
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            return Some(is_true);
        }
    }
}
