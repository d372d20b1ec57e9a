//! The SAT copy of an unrolled function: terms of its pool as literals of one incremental solver.

use crate::session::ExplainRefusal;
use nub_bitvec::{Op, Pool, TermId, Value};
use nub_cnf::{Lit, LiteralUse, TermEncoder, TooLarge};
use nub_sat::{SatLimits, SatSolver, SatStop};

/// Terms become clauses on demand.
pub(crate) struct System {
    pub solver: Box<dyn SatSolver>,
    encoder: TermEncoder,
    /// Also limits the building of clauses.
    limits: SatLimits,
}

impl System {
    /// With a solver of the kind that these limits name.
    pub fn new(limits: &SatLimits) -> System {
        System { solver: limits.new_solver(), encoder: TermEncoder::new(), limits: limits.clone() }
    }

    /// The literals of a term, lowest bit first.
    pub fn bits(&mut self, pool: &Pool, term: TermId) -> Result<Vec<Lit>, TooLarge> {
        self.encoder.bits(pool, term, LiteralUse::Any, self.solver.as_mut())
    }

    /// The literal of a term of one bit.
    pub fn lit(&mut self, pool: &Pool, term: TermId) -> Result<Lit, ExplainRefusal> {
        let mut is_over = || self.limits.cancel.is_cancelled();
        let solver = self.solver.as_mut();
        let lit = self.encoder.lit_unless(pool, term, LiteralUse::Any, solver, &mut is_over)?;
        lit.ok_or(ExplainRefusal::Stopped(SatStop::Cancelled))
    }

    /// The value of some literals in the model.
    pub fn value(&mut self, bits: &[Lit]) -> Value {
        let bits: Vec<bool> = bits.iter().map(|bit| self.solver.value(*bit)).collect();
        Value::from_bits(bits)
    }
}

/// All conditions hold where their guards do.
pub(crate) fn all_hold(pool: &mut Pool, list: impl IntoIterator<Item = (TermId, TermId)>) -> TermId {
    let mut all = pool.truth(true);
    for (guard, condition) in list {
        let holds = pool.mk(Op::Implies, &[guard, condition]);
        all = pool.mk(Op::And, &[all, holds]);
    }
    all
}
