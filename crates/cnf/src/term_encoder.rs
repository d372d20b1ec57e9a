//! Terms to literals: the circuit of a term and its clauses, in one step and as they are needed.
//!
//! Whoever needs terms of one pool in a SAT solver needs a [`Blaster`] and a [`Tseitin`] that fit together, and must never give one of
//! them to another sink. Here they are one thing. The sink is a parameter, not a field, since its owner also adds clauses and asks questions.

use crate::{Blaster, BuildProgress, Lit, LiteralUse, Sink, TooLarge, Tseitin};
use nub_bitvec::{Op, Pool, TermId, Value, cone};

/// The literals of terms of one pool in one sink. A term is encoded when it is first asked for, and never twice.
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

    /// The literal of a bit of a term; of a truth value that is bit 0. Only this bit gets clauses. Panics if there is no such bit.
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

    /// The literal of a truth value, unless it is stopped before: one term may take seconds. That is asked about once for every
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

    /// The values of all encoded bit-vectors below some terms, from the values of literals. Only those of inputs are read, the rest is
    /// simulated: with clauses in one direction a solver's own idea of a gate may be wrong.
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
