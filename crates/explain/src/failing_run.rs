//! A run that violates a property, with small inputs where that is cheap.
//!
//! Characters behind a pointer are a terminated string if possible: if an unterminated one is passed to `strlen`, the caller is at fault, not the
//! function. Only if no such run fails, one with an unterminated string is searched.

use crate::options::{Counterexample, ExplainOptions};
use crate::property::Instance;
use crate::session::ExplainRefusal;
use crate::small::{InputBits, small};
use crate::sum::Sum;
use crate::system::System;
use crate::tried_floats::TriedFloats;
use crate::tried_runs::{TriedRun, try_runs};
use nub_bitvec::{Op, TermId, Value};
use nub_c_ir::{FloatEncoding, IntKind, Program};
use nub_cnf::Lit;
use nub_sat::{Minimum, SatAnswer, SatLimits, SatStop, Strategy, minimise};
use nub_unroll::{InputPart, InputPlace, InputStep, Unrolled};
use std::collections::BTreeMap;

/// After this many conflicts of a question, runs are tried.
const FIRST_CONFLICTS: u64 = 2_000;
/// Conflicts of the questions about properties before the one that a tried run violates.
const EARLIER_CONFLICTS: u64 = 200;
/// Conflicts of each question for a shorter run.
const SHORT_CONFLICTS: u64 = 20_000;

/// A failing run.
#[derive(Clone, Debug)]
pub(crate) struct Failing {
    /// The first violation.
    pub property: Instance,
    /// Values of all inputs.
    pub inputs: Vec<Value>,
}

/// The search, in a solver that has the given inputs.
pub(crate) struct Search {
    inputs: Vec<Vec<Lit>>,
    /// Which of them are floats.
    floats: Vec<Option<FloatEncoding>>,
    /// The inputs that are the last character of a string.
    last_characters: Vec<usize>,
    trying: Trying,
}

/// Whether runs are tried where the solver takes long.
enum Trying {
    /// Only the solver knows the requirements on runs.
    Never,
    /// Some inputs are given, all others are free.
    Free {
        given: Vec<(usize, Value)>,
        /// What is tried before the solver is asked at all.
        floats: Option<TriedFloats>,
    },
}

/// Runs in which some inputs are zero.
#[derive(Clone, Copy)]
struct Wished<'w> {
    zeros: &'w [usize],
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
        let last_characters = last_characters(program, unrolled).into_iter().filter(is_free).collect();
        let floats = unrolled.inputs.iter().map(|input| program.types.float_format(input.ty)).collect();
        Ok(Search { inputs, floats, last_characters, trying: Trying::Never })
    }

    /// The same search, which tries runs where the solver takes long: the solver must have no constraints except the given inputs.
    pub fn trying(self, program: &Program, unrolled: &Unrolled, given: &[(usize, Value)]) -> Search {
        let floats = TriedFloats::new(program, unrolled, given);
        Search { trying: Trying::Free { given: given.to_vec(), floats }, ..self }
    }

    /// The first of some properties, in an order of execution, that some run violates before any other violation; `None` if there is none. Where the
    /// solver takes long, the first one that a tried run violates is enough. With `n` properties at most `4 n` questions.
    pub fn find(
        &mut self,
        unrolled: &mut Unrolled,
        system: &mut System,
        chosen: &[&Instance],
        options: &ExplainOptions,
    ) -> Result<Option<Failing>, ExplainRefusal> {
        if !self.last_characters.is_empty() {
            let wished = Wished { zeros: &self.last_characters };
            let found = self.find_if(wished, unrolled, system, chosen, options)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        self.find_if(Wished { zeros: &[] }, unrolled, system, chosen, options)
    }

    /// The same among the wished runs.
    fn find_if(
        &self,
        wished: Wished<'_>,
        unrolled: &mut Unrolled,
        system: &mut System,
        chosen: &[&Instance],
        options: &ExplainOptions,
    ) -> Result<Option<Failing>, ExplainRefusal> {
        let ends: Vec<Lit> =
            wished.zeros.iter().flat_map(|index| self.inputs[*index].iter().map(|bit| !*bit)).collect();
        let mut before = Before::new(unrolled);
        let mut broken = Vec::with_capacity(chosen.len());
        for property in chosen {
            let holds = before.up_to(unrolled, property.order);
            let own = property.broken(&mut unrolled.pool);
            broken.push(unrolled.pool.mk(Op::And, &[holds, own]));
        }
        // Once a question was too hard: the run that trying has found, if any.
        let mut tried: Option<Option<TriedRun>> = None;
        for (at, property) in chosen.iter().enumerate() {
            if let Some(inputs) = self.tried_floats(wished, unrolled, broken[at]) {
                return Ok(Some(Failing { property: Instance::clone(property), inputs }));
            }
            let lit = system.lit(&unrolled.pool, broken[at])?;
            let failing = [&[lit], ends.as_slice()].concat();
            let mut answer = system.solver.solve(&failing, &self.patience(tried.as_ref(), &options.limits));
            if answer == SatAnswer::Unknown(SatStop::Conflicts) {
                let found =
                    tried.get_or_insert_with(|| self.tried(wished, unrolled, &broken, &options.limits));
                match found {
                    Some(run) if run.at == at => {
                        let (property, inputs) = (Instance::clone(property), run.inputs.clone());
                        return Ok(Some(Failing { property, inputs }));
                    }
                    Some(run) if run.at > at => continue,
                    _ => answer = system.solver.solve(&failing, &options.limits),
                }
            }
            match answer {
                SatAnswer::Sat => {
                    let inputs = self.readable(unrolled, system, failing, options)?;
                    return Ok(Some(Failing { property: Instance::clone(property), inputs }));
                }
                SatAnswer::Unsat => {}
                SatAnswer::Unknown(stop) => return Err(ExplainRefusal::Stopped(stop)),
            }
        }
        Ok(None)
    }

    /// The limit of a question before runs are tried, and after a failing run was found.
    fn patience(&self, tried: Option<&Option<TriedRun>>, limits: &SatLimits) -> SatLimits {
        match (&self.trying, tried) {
            (Trying::Never, _) | (_, Some(None)) => limits.clone(),
            (Trying::Free { .. }, None) => limits.with_conflicts(FIRST_CONFLICTS),
            (Trying::Free { .. }, Some(Some(_))) => limits.with_conflicts(EARLIER_CONFLICTS),
        }
    }

    /// A run with floats that makes a term true, if some of the tried values do.
    fn tried_floats(&self, wished: Wished<'_>, unrolled: &Unrolled, broken: TermId) -> Option<Vec<Value>> {
        let Trying::Free { floats: Some(floats), .. } = &self.trying else { return None };
        wished.zeros.is_empty().then(|| floats.find(unrolled, broken)).flatten()
    }

    /// A wished run that makes some of these terms true, if trying finds one.
    fn tried(
        &self,
        wished: Wished<'_>,
        unrolled: &Unrolled,
        broken: &[TermId],
        limits: &SatLimits,
    ) -> Option<TriedRun> {
        let Trying::Free { given, .. } = &self.trying else { return None };
        let zero = |index: &usize| (*index, Value::zero(unrolled.pool.width(unrolled.inputs[*index].term)));
        let fixed: Vec<(usize, Value)> = given.iter().cloned().chain(wished.zeros.iter().map(zero)).collect();
        try_runs(unrolled, broken, &fixed, limits)
    }

    /// Inputs of the solver's model, or of a shorter run if requested, made small.
    fn readable(
        &self,
        unrolled: &Unrolled,
        system: &mut System,
        failing: Vec<Lit>,
        options: &ExplainOptions,
    ) -> Result<Vec<Value>, ExplainRefusal> {
        let wanted = match options.counterexample {
            Counterexample::First => failing,
            Counterexample::Shortest => shortest(unrolled, system, failing, &options.limits)?,
        };
        let own = InputBits { bits: &self.inputs, floats: &self.floats };
        Ok(small(system, own, &wanted, &options.limits))
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

/// What holds before a property is evaluated: all earlier properties. The conjunctions share prefixes.
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

    /// All properties with a smaller order hold. Must be called with ascending orders.
    pub fn up_to(&mut self, unrolled: &mut Unrolled, order: usize) -> TermId {
        while let Some((_, guard, condition)) = self.list.get(self.next).filter(|found| found.0 < order) {
            let holds = unrolled.pool.mk(Op::Implies, &[*guard, *condition]);
            self.all = unrolled.pool.mk(Op::And, &[self.all, holds]);
            self.next += 1;
        }
        self.all
    }
}

/// A constraint for short runs: no statement is executed except those of the shortest run found.
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
    // The model existed a moment ago; it is requested again because the inputs are read from the solver.
    match system.solver.solve(&wanted, &limits) {
        SatAnswer::Unknown(stop) => Err(ExplainRefusal::Stopped(stop)),
        _ => Ok(wanted),
    }
}
