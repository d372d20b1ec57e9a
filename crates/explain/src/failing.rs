//! A run that breaks an assertion, with small inputs where that is cheap.

use crate::session::{Options, Refusal};
use crate::small::small;
use crate::system::{System, all_hold};
use nub_bitvec::{Op, TermId, Value};
use nub_sat::Answer;
use nub_unroll::Unrolled;

/// A run that fails.
pub(crate) struct Failing {
    /// Which of the assertions of the unrolled function breaks first.
    pub property: usize,
    /// Values of all inputs.
    pub inputs: Vec<Value>,
}

/// The first assertion, in an order of execution, that some run breaks before anything else goes wrong; `None` if there is none. With
/// `n` assertions at most `n` questions.
pub(crate) fn find(
    unrolled: &mut Unrolled,
    system: &mut System,
    given: &[(usize, Value)],
    options: &Options,
) -> Result<Option<Failing>, Refusal> {
    let mut inputs = Vec::with_capacity(unrolled.inputs.len());
    for input in &unrolled.inputs {
        inputs.push(system.bits(&unrolled.pool, input.term)?);
    }
    for (input, value) in given {
        for (bit, lit) in inputs[*input].iter().enumerate() {
            let is_set = (bit as u32) < value.width() && value.bit(bit as u32);
            system.solver.add(&[lit.negated_if(!is_set)]);
        }
    }
    inputs.iter().flatten().for_each(|bit| system.solver.prefer(!*bit));
    for property in 0..unrolled.asserts.len() {
        let line = unrolled.asserts[property].origin.position.line;
        if options.property.is_some_and(|wanted| wanted != line) {
            continue;
        }
        let term = first_broken(unrolled, property);
        let broken = system.lit(&unrolled.pool, term)?;
        match system.solver.solve(&[broken], &options.limits) {
            Answer::Sat => {
                let inputs = small(system, &inputs, &[broken], &options.limits);
                return Ok(Some(Failing { property, inputs }));
            }
            Answer::Unsat => {}
            Answer::Unknown(stop) => return Err(Refusal::Stopped(stop)),
        }
    }
    Ok(None)
}

/// Control comes to this assertion, it does not hold, and everything before it did.
fn first_broken(unrolled: &mut Unrolled, property: usize) -> TermId {
    let Unrolled { pool, asserts, checks, assumes, .. } = unrolled;
    let own = &asserts[property];
    let mut before: Vec<(TermId, TermId)> = Vec::new();
    before.extend(asserts.iter().filter(|p| p.order < own.order).map(|p| (p.guard, p.condition)));
    before.extend(checks.iter().filter(|p| p.order < own.order).map(|p| (p.guard, p.condition)));
    before.extend(assumes.iter().filter(|p| p.order < own.order).map(|p| (p.guard, p.condition)));
    let before = all_hold(pool, before);
    let fails = pool.not(own.condition);
    let broken = pool.mk(Op::And, &[own.guard, fails]);
    pool.mk(Op::And, &[before, broken])
}
