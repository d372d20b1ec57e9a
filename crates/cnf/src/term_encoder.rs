//! Terms to literals: builds the circuit of a term and its clauses in one step, on demand.
//!
//! Putting terms of a pool into a SAT solver takes a [`Blaster`] and a [`Tseitin`] that belong together, and neither may ever be used
//! with another sink. A [`TermEncoder`] holds both. The sink is a parameter, not a field, because its owner also adds clauses and calls the solver.

use crate::{Blaster, BuildProgress, Lit, LiteralUse, Sink, TooLarge, Tseitin};
use nub_bitvec::{Op, Pool, TermId, Value, cone};

/// The literals of terms of one pool in one sink. A term is encoded when it is first requested, and only once.
#[derive(Clone, Debug, Default)]
pub struct TermEncoder {
    blaster: Blaster,
    tseitin: Tseitin,
}

impl TermEncoder {
    /// No terms yet.
    pub fn new() -> TermEncoder {
        TermEncoder::default()
    }

    /// The literals of a term, least significant first. Panics if it is an array.
    pub fn bits(
        &mut self,
        pool: &Pool,
        term: TermId,
        wanted: LiteralUse,
        sink: &mut dyn Sink,
    ) -> Result<Vec<Lit>, TooLarge> {
        self.blaster.blast(pool, &[term])?;
        let (aig, edges) = (self.blaster.aig(), self.blaster.bits(pool, term));
        Ok(edges.iter().map(|edge| self.tseitin.lit_for(aig, *edge, wanted, sink)).collect())
    }

    /// The literal of a bit of a term; the bit of a truth value is bit 0. Only this bit gets clauses. Panics if there is no such bit.
    pub fn bit(
        &mut self,
        pool: &Pool,
        term: TermId,
        index: u32,
        wanted: LiteralUse,
        sink: &mut dyn Sink,
    ) -> Result<Lit, TooLarge> {
        self.blaster.blast(pool, &[term])?;
        let edge = self.blaster.bits(pool, term)[index as usize];
        Ok(self.tseitin.lit_for(self.blaster.aig(), edge, wanted, sink))
    }

    /// The literal of a truth value.
    pub fn lit(
        &mut self,
        pool: &Pool,
        term: TermId,
        wanted: LiteralUse,
        sink: &mut dyn Sink,
    ) -> Result<Lit, TooLarge> {
        self.bit(pool, term, 0, wanted, sink)
    }

    /// The literal of a truth value, but can be stopped, since one term may take seconds: `is_stopped` is called once for every
    /// [`PACE`](crate::PACE) nodes.
    pub fn lit_unless(
        &mut self,
        pool: &Pool,
        term: TermId,
        wanted: LiteralUse,
        sink: &mut dyn Sink,
        is_stopped: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Lit>, TooLarge> {
        if self.blaster.blast_unless(pool, &[term], is_stopped)? == BuildProgress::Stopped {
            return Ok(None);
        }
        let edge = self.blaster.bits(pool, term)[0];
        Ok(self.tseitin.lit_unless(self.blaster.aig(), edge, wanted, sink, is_stopped))
    }

    /// The bits of all variables that have literals, least significant first.
    pub fn var_lits(&self, pool: &Pool) -> Vec<(TermId, u32, Lit)> {
        let inputs = (0..).map_while(|number| self.blaster.input(number)).zip(self.blaster.inputs());
        let vars = inputs.filter(|((term, _), _)| pool.op(*term) == Op::Var);
        vars.filter_map(|((term, bit), edge)| Some((term, bit, self.tseitin.find(edge)?))).collect()
    }

    /// The values of all encoded bit-vectors below some terms, computed from the values of literals. Only the literals of inputs are read, the
    /// rest is simulated: where a gate has clauses in one direction only, its value in the solver's model may be wrong.
    pub fn values(
        &self,
        pool: &Pool,
        roots: &[TermId],
        mut lit: impl FnMut(Lit) -> bool,
    ) -> Vec<(TermId, Value)> {
        let literals = self.blaster.inputs().map(|edge| self.tseitin.find(edge));
        let inputs: Vec<bool> = literals.map(|found| found.is_some_and(&mut lit)).collect();
        let simulation = self.blaster.aig().simulate(|number| inputs[number as usize]);
        let value = |id: TermId| self.blaster.value(pool, id, |edge| simulation.value(edge));
        cone(pool, roots).into_iter().filter_map(|id| Some((id, value(id)?))).collect()
    }
}
