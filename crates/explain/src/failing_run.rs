//! A run that breaks a property, with small inputs where that is cheap.

use crate::options::{Counterexample, ExplainOptions};
use crate::property::Instance;
use crate::session::ExplainRefusal;
use crate::small::small;
use crate::sum::Sum;
use crate::system::System;
use nub_bitvec::{Op, TermId, Value};
use nub_cnf::Lit;
use nub_sat::{Minimum, SatAnswer, SatLimits, Strategy, minimise};
use nub_unroll::Unrolled;

/// Conflicts of each question for a shorter run.
const SHORT_CONFLICTS: u64 = 20_000;

/// A run that fails.
#[derive(Clone, Debug)]
pub(crate) struct Failing {
    /// What breaks first.
    pub property: Instance,
    /// Values of all inputs.
    pub inputs: Vec<Value>,
}

/// The search, in a solver that knows the inputs that were given.
pub(crate) struct Search {
    inputs: Vec<Vec<Lit>>,
}

impl Search {
    pub fn new(
        unrolled: &Unrolled,
        system: &mut System,
        given: &[(usize, Value)],
    ) -> Result<Search, ExplainRefusal> {
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
        Ok(Search { inputs })
    }

    /// The first of some properties, in an order of execution, that some run breaks before anything else goes wrong; `None` if there is
    /// none. With `n` properties at most `n` questions.
    pub fn find(
        &mut self,
        unrolled: &mut Unrolled,
        system: &mut System,
        chosen: &[&Instance],
        options: &ExplainOptions,
    ) -> Result<Option<Failing>, ExplainRefusal> {
        let mut before = Before::new(unrolled);
        for property in chosen {
            let holds = before.up_to(unrolled, property.order);
            let broken = property.broken(&mut unrolled.pool);
            let broken = unrolled.pool.mk(Op::And, &[holds, broken]);
            let broken = system.lit(&unrolled.pool, broken)?;
            match system.solver.solve(&[broken], &options.limits) {
                SatAnswer::Sat => {
                    let wanted = match options.counterexample {
                        Counterexample::First => vec![broken],
                        Counterexample::Shortest => shortest(unrolled, system, broken, &options.limits)?,
                    };
                    let inputs = small(system, &self.inputs, &wanted, &options.limits);
                    let property = Instance::clone(property);
                    return Ok(Some(Failing { property, inputs }));
                }
                SatAnswer::Unsat => {}
                SatAnswer::Unknown(stop) => return Err(ExplainRefusal::Stopped(stop)),
            }
        }
        Ok(None)
    }
}

/// What holds before a property is evaluated: all that come earlier. The conjunctions share their beginnings.
pub(crate) struct Before {
    /// Order, guard, condition; ascending.
    list: Vec<(usize, TermId, TermId)>,
    next: usize,
    all: TermId,
}

impl Before {
    pub fn new(unrolled: &mut Unrolled) -> Before {
        let mut list: Vec<(usize, TermId, TermId)> = Vec::new();
        list.extend(unrolled.asserts.iter().map(|found| (found.order, found.guard, found.condition)));
        list.extend(unrolled.checks.iter().map(|found| (found.order, found.guard, found.condition)));
        list.extend(unrolled.assumes.iter().map(|found| (found.order, found.guard, found.condition)));
        list.sort_unstable_by_key(|found| found.0);
        Before { list, next: 0, all: unrolled.pool.truth(true) }
    }

    /// Everything with a smaller order holds. Orders are asked for in ascending order.
    pub fn up_to(&mut self, unrolled: &mut Unrolled, order: usize) -> TermId {
        while let Some((_, guard, condition)) = self.list.get(self.next).filter(|found| found.0 < order) {
            let holds = unrolled.pool.mk(Op::Implies, &[*guard, *condition]);
            self.all = unrolled.pool.mk(Op::And, &[self.all, holds]);
            self.next += 1;
        }
        self.all
    }
}

/// What makes a run short: no statement is executed but those of the shortest run that is found.
fn shortest(
    unrolled: &Unrolled,
    system: &mut System,
    broken: Lit,
    limits: &SatLimits,
) -> Result<Vec<Lit>, ExplainRefusal> {
    let mut sum = Sum::default();
    let mut executed = Vec::with_capacity(unrolled.statements.len());
    for statement in &unrolled.statements {
        let lit = system.lit(&unrolled.pool, statement.guard)?;
        sum.add(system, lit, 1);
        executed.push(lit);
    }
    let limits = limits.with_conflicts(SHORT_CONFLICTS);
    let found = minimise(system.solver.as_mut(), sum.lits(), &[broken], Strategy::Both, &limits);
    let mut wanted = vec![broken];
    if let Minimum::Optimal { model, .. } | Minimum::Interval { upper: Some((_, model)), .. } = found {
        let is_false =
            |lit: &&Lit| model.get(lit.var() as usize).is_some_and(|value| *value == lit.is_negative());
        wanted.extend(executed.iter().filter(is_false).map(|lit| !*lit));
    }
    // The model was there a moment ago; it is asked for again because the inputs are read from the solver.
    match system.solver.solve(&wanted, &limits) {
        SatAnswer::Unknown(stop) => Err(ExplainRefusal::Stopped(stop)),
        _ => Ok(wanted),
    }
}
