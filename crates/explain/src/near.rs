//! Among all runs that are equally close, the simplest one: fewest inputs changed, then the values nearest to those of the failing run, then the
//! earliest inputs.
//!
//! The number of changed inputs is minimised under the bound on the distance, then the sum of the amounts by which they change, bit by bit from the
//! highest. Each question has few conflicts: if it is too hard, the known value is kept. The order of the attempts is fixed, so the same question has
//! the same answer on every machine.

use crate::session::ExplainRefusal;
use crate::system::System;
use nub_bitvec::{Op, Pool, TermId, Value};
use nub_c_ir::Types;
use nub_cnf::{Lit, Totalizer};
use nub_sat::{Minimum, SatAnswer, SatLimits, Strategy, minimise_from};
use nub_unroll::Unrolled;

/// Conflicts of the question for the fewest changed inputs.
const FEWEST_CONFLICTS: u64 = 10_000;
/// Conflicts of each question for a nearer value.
const NEAR_CONFLICTS: u64 = 2_000;
/// With more inputs the amounts are not summed up: there would be that many counting clauses.
const MAX_INPUTS: usize = 512;

/// The inputs, their original values, and the distance from those.
pub(crate) struct Inputs {
    bits: Vec<Vec<Lit>>,
    /// For each input: it is changed.
    changed: Vec<Lit>,
    /// Questions get this fraction of the usual conflicts.
    pub conflict_share: u64,
    /// The sum of all amounts; absent if there are too many inputs. Clauses are built on demand.
    amount: Option<TermId>,
}

impl Inputs {
    pub fn new(
        unrolled: &mut Unrolled,
        types: &Types,
        system: &mut System,
        from: &[Value],
    ) -> Result<Inputs, ExplainRefusal> {
        let (mut bits, mut changed, mut amounts) = (Vec::new(), Vec::new(), Vec::new());
        let Unrolled { pool, inputs, .. } = unrolled;
        for (input, value) in inputs.iter().zip(from) {
            let lits = system.bits(pool, input.term)?;
            for (bit, is_set) in lits.iter().zip(value.bits()) {
                system.solver.prefer(bit.negated_if(!is_set));
            }
            let old = pool.constant(value.clone());
            let same = pool.mk(Op::Eq, &[input.term, old]);
            changed.push(!system.lit(pool, same)?);
            bits.push(lits);
            let is_signed = types.int_format(input.ty).is_some_and(|format| format.is_signed);
            amounts.push(amount(pool, input.term, old, is_signed));
        }
        let is_summed = !amounts.is_empty() && amounts.len() <= MAX_INPUTS;
        let amount = is_summed.then(|| sum(pool, &amounts));
        Ok(Inputs { bits, changed, conflict_share: 1, amount })
    }

    /// The values in the solver's model.
    fn read(&self, system: &mut System) -> Vec<Value> {
        self.bits.iter().map(|bits| system.value(bits)).collect()
    }

    /// These values are tried first.
    pub fn prefer(&self, system: &mut System, values: &[Value]) {
        for (bit, is_set) in
            self.bits.iter().zip(values).flat_map(|(bits, value)| bits.iter().zip(value.bits()))
        {
            system.solver.prefer(bit.negated_if(!is_set));
        }
    }

    /// The values in a model.
    pub fn of_model(&self, is_true: impl Fn(&Lit) -> bool) -> Vec<Value> {
        self.bits.iter().map(|bits| Value::from_bits(bits.iter().map(&is_true))).collect()
    }

    /// Literals that say that the inputs have these values.
    pub fn assumed(&self, values: &[Value]) -> Vec<Lit> {
        let of = |(bits, value): (&Vec<Lit>, &Value)| -> Vec<Lit> {
            bits.iter().zip(value.bits()).map(|(bit, is_set)| bit.negated_if(!is_set)).collect()
        };
        self.bits.iter().zip(values).flat_map(of).collect()
    }

    /// The nearest of the runs for which all of `wanted` is true, starting with a known one if there is one; `None` if none is found in time.
    pub fn nearest(
        &self,
        pool: &Pool,
        system: &mut System,
        mut wanted: Vec<Lit>,
        start: &[Lit],
        limits: &SatLimits,
    ) -> Result<Option<Vec<Value>>, ExplainRefusal> {
        let fewest = limits.with_conflicts(FEWEST_CONFLICTS / self.conflict_share);
        let solver = system.solver.as_mut();
        let (cost, model) =
            match minimise_from(solver, &self.changed, &wanted, start, Strategy::Both, &fewest) {
                Minimum::Optimal { cost, model } | Minimum::Interval { upper: Some((cost, model)), .. } => {
                    (cost, model)
                }
                _ => return Ok(None),
            };
        let is_true =
            |lit: &Lit| model.get(lit.var() as usize).is_some_and(|value| *value != lit.is_negative());
        let mut best = self.of_model(is_true);
        let Some(amount) = self.amount.filter(|_| cost > 0) else { return Ok(Some(best)) };
        let more = Totalizer::new(&distinct(&self.changed)).more_than(cost, system.solver.as_mut());
        wanted.extend(more.map(|more| !more));
        let amount = system.bits(pool, amount)?;
        let limits = limits.with_conflicts(NEAR_CONFLICTS / self.conflict_share);
        if system.solver.solve(&wanted, &limits) != SatAnswer::Sat {
            return Ok(Some(best));
        }
        best = self.read(system);
        for bit in amount.iter().rev() {
            // The known model may have it already.
            let is_zero = !system.solver.value(*bit);
            wanted.push(!*bit);
            if is_zero || system.solver.solve(&wanted, &limits) == SatAnswer::Sat {
                best = self.read(system);
                continue;
            }
            wanted.pop();
            wanted.push(*bit);
            if system.solver.solve(&wanted, &limits) != SatAnswer::Sat {
                return Ok(Some(best));
            }
        }
        Ok(Some(self.earliest(system, wanted, best, &limits)))
    }

    /// Among runs that are equal so far, the one that leaves the last input unchanged, if any does, then the one before it, and so on.
    fn earliest(
        &self,
        system: &mut System,
        mut wanted: Vec<Lit>,
        mut best: Vec<Value>,
        limits: &SatLimits,
    ) -> Vec<Value> {
        for changed in self.changed.iter().rev() {
            let is_same = !system.solver.value(*changed);
            wanted.push(!*changed);
            if is_same || system.solver.solve(&wanted, limits) == SatAnswer::Sat {
                best = self.read(system);
                continue;
            }
            wanted.pop();
            // The model is gone.
            if system.solver.solve(&wanted, limits) != SatAnswer::Sat {
                break;
            }
        }
        best
    }
}

/// Each once: two inputs may be the same literal.
fn distinct(lits: &[Lit]) -> Vec<Lit> {
    let mut lits = lits.to_vec();
    lits.sort_unstable();
    lits.dedup();
    lits
}

/// By how much a value changes, as an unsigned number.
fn amount(pool: &mut Pool, term: TermId, old: TermId, is_signed: bool) -> TermId {
    let at_most = if is_signed { Op::Sle } else { Op::Ule };
    let is_less = pool.mk(at_most, &[term, old]);
    let (down, up) = (pool.mk(Op::Sub, &[old, term]), pool.mk(Op::Sub, &[term, old]));
    pool.mk(Op::Ite, &[is_less, down, up])
}

/// The sum, wide enough never to overflow, as a balanced tree.
fn sum(pool: &mut Pool, list: &[TermId]) -> TermId {
    let widest = list.iter().map(|term| pool.width(*term)).max().unwrap_or(1);
    let width = widest + usize::BITS - list.len().leading_zeros();
    let widened = |term: &TermId| {
        let more = width - pool.width(*term);
        pool.mk_indexed(Op::Uext, &[*term], &[more])
    };
    let mut level: Vec<TermId> = list.iter().map(widened).collect();
    while level.len() > 1 {
        let add = |pair: &[TermId]| match *pair {
            [a, b] => pool.mk(Op::Add, &[a, b]),
            _ => pair[0],
        };
        level = level.chunks(2).map(add).collect();
    }
    level[0]
}
