//! The SAT copy of an unrolled function: terms of its pool as literals of one incremental solver.

use nub_bitvec::{Assignment, Datum, Op, Pool, TermId, Value};
use nub_cnf::{Blaster, Lit, TooLarge, Tseitin};
use nub_sat::{Solver, built_in};
use nub_unroll::Unrolled;

/// Terms become clauses when they are asked for.
pub(crate) struct System {
    pub solver: Box<dyn Solver>,
    blaster: Blaster,
    tseitin: Tseitin,
}

impl System {
    pub fn new() -> System {
        System { solver: built_in(), blaster: Blaster::new(), tseitin: Tseitin::new() }
    }

    /// The literals of a term, lowest bit first.
    pub fn bits(&mut self, pool: &Pool, term: TermId) -> Result<Vec<Lit>, TooLarge> {
        self.blaster.blast(pool, &[term])?;
        let edges = self.blaster.bits(pool, term).to_vec();
        let aig = self.blaster.aig();
        Ok(edges.into_iter().map(|edge| self.tseitin.lit(aig, edge, self.solver.as_mut())).collect())
    }

    /// The literal of a term of one bit.
    pub fn lit(&mut self, pool: &Pool, term: TermId) -> Result<Lit, TooLarge> {
        match self.bits(pool, term)?.first() {
            Some(lit) => Ok(*lit),
            None => Ok(self.solver.new_var()),
        }
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

/// A run from values of all inputs.
pub(crate) fn assignment(unrolled: &Unrolled, inputs: &[Value]) -> Assignment {
    let mut values = Assignment::new();
    for (input, value) in unrolled.inputs.iter().zip(inputs) {
        values.set(input.term, Datum::Bits(value.clone()));
    }
    values
}
