//! A run that breaks a property, with small inputs where that is cheap.
//!
//! Characters behind a pointer are a text with an end if that is possible: a caller that passes another one to `strlen` is
//! at fault, and not the function. Only if no such run fails, one without an end is looked for.

use crate::options::{Counterexample, ExplainOptions};
use crate::property::Instance;
use crate::session::ExplainRefusal;
use crate::small::{InputBits, small};
use crate::sum::Sum;
use crate::system::System;
use crate::tried_runs::TriedRuns;
use nub_bitvec::{Op, TermId, Value};
use nub_c_ir::{FloatEncoding, IntKind, Program};
use nub_cnf::Lit;
use nub_sat::{Minimum, SatAnswer, SatLimits, Strategy, minimise};
use nub_unroll::{InputPart, InputPlace, InputStep, Unrolled};
use std::collections::BTreeMap;

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
    /// Which of them are floats.
    floats: Vec<Option<FloatEncoding>>,
    /// The last character of each text is its end.
    text_ends: Vec<Lit>,
    /// What is tried before a solver is asked.
    tried: Option<TriedRuns>,
}

impl Search {
    pub fn new(
        program: &Program,
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
        let is_free = |index: &usize| given.iter().all(|(input, _)| input != index);
        let ends = last_characters(program, unrolled).into_iter().filter(is_free);
        let text_ends = ends.flat_map(|index| inputs[index].iter().map(|bit| !*bit)).collect();
        let floats = unrolled.inputs.iter().map(|input| program.types.float_format(input.ty)).collect();
        let tried = TriedRuns::new(program, unrolled, given);
        Ok(Search { inputs, floats, text_ends, tried })
    }

    /// The first of some properties, in an order of execution, that some run breaks before anything else goes wrong; `None` if there is
    /// none. With `n` properties at most `2 n` questions.
    pub fn find(
        &mut self,
        unrolled: &mut Unrolled,
        system: &mut System,
        chosen: &[&Instance],
        options: &ExplainOptions,
    ) -> Result<Option<Failing>, ExplainRefusal> {
        if !self.text_ends.is_empty() {
            let found = self.find_if(&self.text_ends, unrolled, system, chosen, options)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        self.find_if(&[], unrolled, system, chosen, options)
    }

    /// The same among the runs in which all of `wished` is true.
    fn find_if(
        &self,
        wished: &[Lit],
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
            let is_any = wished.is_empty() && options.counterexample == Counterexample::First;
            let tried = self.tried.as_ref().filter(|_| is_any);
            if let Some(inputs) = tried.and_then(|tried| tried.find(unrolled, broken)) {
                return Ok(Some(Failing { property: Instance::clone(property), inputs }));
            }
            let broken = system.lit(&unrolled.pool, broken)?;
            let failing = [&[broken], wished].concat();
            match system.solver.solve(&failing, &options.limits) {
                SatAnswer::Sat => {
                    let wanted = match options.counterexample {
                        Counterexample::First => failing,
                        Counterexample::Shortest => shortest(unrolled, system, failing, &options.limits)?,
                    };
                    let own = InputBits { bits: &self.inputs, floats: &self.floats };
                    let inputs = small(system, own, &wanted, &options.limits);
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

/// The inputs that are the last of several characters behind a pointer.
fn last_characters(program: &Program, unrolled: &Unrolled) -> Vec<usize> {
    let mut last: BTreeMap<(u32, usize, &[InputStep]), (u64, usize)> = BTreeMap::new();
    for (index, input) in unrolled.inputs.iter().enumerate() {
        let is_character = program.types.int_kind(input.ty) == Some(IntKind::Char);
        let InputPlace::Parameter { call, index: parameter, path } = &input.place else { continue };
        let [before @ .., InputStep::Pointee(element)] = path.as_slice() else { continue };
        if is_character && input.part == InputPart::Value {
            let found = last.entry((*call, *parameter, before)).or_default();
            *found = (*found).max((*element, index));
        }
    }
    last.into_values().filter(|(element, _)| *element > 0).map(|(_, index)| index).collect()
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
    mut wanted: Vec<Lit>,
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
    let found = minimise(system.solver.as_mut(), sum.lits(), &wanted, Strategy::Both, &limits);
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
