//! Run and slice in one step, with shadow variables (section 5.1 of the paper).
//!
//! The shadow of a value is its value in some passing run: the term over inputs. The value itself is as in the failing run, or equal to its shadow;
//! in the latter case its definition over the values of its operands must yield that value. The slice is minimised, not the distance.
//!
//! It is weaker than it seems: a slice may be small because its run has little to do with the failing one, and relevance is meaningful only for two
//! given runs (section 5.1.3). The formula is about twice as large.

use crate::closest_run::passes;
use crate::relaxed::Relaxed;
use crate::render_story::Telling;
use crate::session::ExplainRefusal;
use crate::small::{InputBits, small};
use crate::sum::Sum;
use crate::system::System;
use nub_bitvec::{Op, Sort, TermId, Value};
use nub_c_ir::FloatEncoding;
use nub_cnf::Lit;
use nub_sat::{Minimum, SatAnswer, SatLimits, Strategy, minimise};

/// A passing run with a smallest slice of all; `None` if no run passes. Its distance is not considered.
pub(crate) fn one_step(
    telling: &mut Telling<'_, '_>,
    limits: &SatLimits,
) -> Result<Option<Vec<Value>>, ExplainRefusal> {
    let goal = passes(&mut telling.bounded.unrolled);
    let bounded = &*telling.bounded;
    let mut relaxed = Relaxed::new(&bounded.unrolled.pool, &bounded.ssa, bounded.unrolled.pool.clone());
    for input in &bounded.unrolled.inputs {
        relaxed.set(input.term, input.term);
    }
    let mut choices: Vec<TermId> = Vec::new();
    for (&at, before) in telling.counted.positions.iter().zip(&telling.before.values) {
        let choice = relaxed.pool.var(Sort::BIT);
        let before = relaxed.pool.constant(before.clone());
        let shadow = bounded.unrolled.assignments[at].term;
        let value = relaxed.pool.mk(Op::Ite, &[choice, shadow, before]);
        relaxed.set(bounded.ssa.definitions[at].variable, value);
        choices.push(choice);
    }
    let mut wanted = vec![goal];
    wanted.extend(telling.kept.iter().map(|kept| kept.plain));
    for (&at, &choice) in telling.counted.positions.iter().zip(&choices) {
        let definition = bounded.ssa.definitions[at];
        if definition.variable != definition.term {
            wanted.push(relaxed.follows(choice, definition.term, bounded.unrolled.assignments[at].term));
        }
    }
    wanted.extend(relaxed.properties());
    wanted.extend(telling.kept.iter().map(|kept| relaxed.rebuild(kept.named)).collect::<Vec<_>>());
    let mut system = System::new(limits);
    let mut lits = Vec::with_capacity(wanted.len());
    for term in wanted {
        lits.push(system.lit(&relaxed.pool, term)?);
    }
    let mut sum = Sum::default();
    let mut chosen = Vec::with_capacity(choices.len());
    for (choice, weight) in choices.iter().zip(&telling.counted.weights) {
        let lit = system.lit(&relaxed.pool, *choice)?;
        sum.add(&mut system, lit, *weight);
        chosen.push(lit);
    }
    let mut inputs = Vec::new();
    for input in &bounded.unrolled.inputs {
        inputs.push(system.bits(&relaxed.pool, input.term)?);
    }
    let types = &bounded.source.program.types;
    let floats: Vec<Option<FloatEncoding>> =
        bounded.unrolled.inputs.iter().map(|input| types.float_format(input.ty)).collect();
    solve(&mut system, &lits, &sum, &chosen, InputBits { bits: &inputs, floats: &floats }, limits)
}

fn solve(
    system: &mut System,
    wanted: &[Lit],
    sum: &Sum,
    chosen: &[Lit],
    inputs: InputBits<'_>,
    limits: &SatLimits,
) -> Result<Option<Vec<Value>>, ExplainRefusal> {
    let model = match minimise(system.solver.as_mut(), sum.lits(), wanted, Strategy::Both, limits) {
        Minimum::Infeasible(_) => return Ok(None),
        Minimum::Optimal { model, .. } | Minimum::Interval { upper: Some((_, model)), .. } => model,
        Minimum::Interval { upper: None, stop, .. } => return Err(ExplainRefusal::Stopped(stop)),
    };
    let is_true = |lit: &Lit| model.get(lit.var() as usize).is_some_and(|value| *value != lit.is_negative());
    let mut all = wanted.to_vec();
    all.extend(chosen.iter().map(|lit| lit.negated_if(!is_true(lit))));
    Ok(Some(match system.solver.solve(&all, limits) {
        SatAnswer::Sat => small(system, inputs, &all, limits),
        _ => inputs.bits.iter().map(|bits| Value::from_bits(bits.iter().map(is_true))).collect(),
    }))
}
