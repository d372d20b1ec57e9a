//! Claims that no solution exists, checked independently.
//!
//! "No run is closer" and "no run fails any more" are answers of an incremental solver that has answered many other questions before.
//! Before such a claim is called proved, the clauses are rebuilt from the terms, a fresh solver refutes them and writes a DRAT proof,
//! and a checker that does not depend on any solver checks it. A claim whose check takes too long is kept, but not called checked.

use crate::{SatLimits, proof};
use nub_bitvec::{Pool, TermId};
use nub_cnf::{Cnf, Lit, LiteralUse, TermEncoder, TooLarge, Totalizer};
pub use nub_report::ranking::CertificationResult;

/// Limit on the conflicts of the fresh solver.
const MAX_CONFLICTS: u64 = 20_000;
/// No check is done beyond this many clauses: checking takes time for each of them.
const MAX_CLAUSES: usize = 2_000_000;

/// Clauses that are rebuilt from the terms.
#[derive(Default)]
pub struct FreshClauses {
    encoder: TermEncoder,
    cnf: Cnf,
}

impl FreshClauses {
    /// The literal of a term of one bit.
    pub fn lit(&mut self, pool: &Pool, term: TermId) -> Result<Lit, TooLarge> {
        self.encoder.lit(pool, term, LiteralUse::Any, &mut self.cnf)
    }

    /// Checks that not all of `units` can be true with at most `bound` of `others`. If `others` is empty, nothing is counted.
    pub fn refuted(
        mut self,
        units: &[Lit],
        others: &[Lit],
        bound: usize,
        limits: &SatLimits,
    ) -> CertificationResult {
        let mut units = units.to_vec();
        units.extend(Totalizer::new(others).more_than(bound, &mut self.cnf).map(|more| !more));
        if self.cnf.n_clauses() > MAX_CLAUSES {
            return CertificationResult::NotChecked;
        }
        let limits = limits.with_conflicts(MAX_CONFLICTS);
        match proof::prove(&self.cnf, &units, &limits, proof::Prover::default()) {
            Ok(found) => match proof::check(&self.cnf, &units, &found, &limits) {
                Ok(()) => CertificationResult::Checked,
                Err(proof::ProofFault::Cancelled) => CertificationResult::NotChecked,
                Err(_) => CertificationResult::Wrong,
            },
            Err(crate::SatStop::Unproved(_)) => CertificationResult::Wrong,
            Err(_) => CertificationResult::NotChecked,
        }
    }
}

/// Checks that no values make the term true.
pub fn never_true(pool: &Pool, term: TermId, limits: &SatLimits) -> CertificationResult {
    let mut fresh = FreshClauses::default();
    match fresh.lit(pool, term) {
        Ok(lit) => fresh.refuted(&[lit], &[], 0, limits),
        Err(_) => CertificationResult::NotChecked,
    }
}
