//! From a function to an explanation.

use crate::closest;
use crate::convention::counted;
use crate::cuts::Both;
use crate::describe::{Source, input_names};
use crate::failing::{self, Failing};
use crate::replay::replay;
use crate::slices::{Slices, slices};
use crate::story::{Interval, PropertyText, RunValues, Story};
use crate::system::{System, assignment};
use nub_bitvec::{Evaluator, Op, TermId, Value};
use nub_c_ir::FunctionId;
use nub_cnf::TooLarge;
use nub_sat::{Answer, Limits, Stop};
use nub_text::Diagnostic;
use nub_unroll::{Unrolled, unroll};
use serde::Serialize;
use std::fmt;

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// How to unroll.
    pub unroll: nub_unroll::Config,
    /// Only assertions at this line.
    pub property: Option<u32>,
    /// Values of some inputs of the run that fails, by the name of the input or of the variable that takes it. The others are found.
    pub inputs: Vec<(String, i128)>,
    /// At most so many slices.
    pub max_slices: usize,
    /// When to stop.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            unroll: nub_unroll::Config::default(),
            property: None,
            inputs: Vec::new(),
            max_slices: 16,
            limits: Limits::none(),
        }
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Explanation {
    /// No run up to the bound breaks an assertion.
    NoViolation {
        /// Rounds of each loop.
        unwind: u32,
        /// No run is longer.
        is_complete: bool,
    },
    /// Some run fails, and none up to the bound passes.
    NoPassingRun {
        /// What is violated.
        property: PropertyText,
        /// The run that fails.
        failing: RunValues,
        /// Rounds of each loop.
        unwind: u32,
    },
    /// A run that fails, and the closest one that passes.
    Explained(Box<Story>),
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The program does something that is not supported, or is too large, at these places.
    Unsupported(Vec<Diagnostic>),
    /// The clauses would be too many.
    TooLarge(String),
    /// There is no input of this name.
    UnknownInput(String),
    /// With the inputs that were given, no assertion fails.
    InputsPass,
    /// Stopped before any run that fails, or any that passes, was found.
    Stopped(Stop),
    /// A defect of this program.
    Internal(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unsupported(found) => match found.first() {
                Some(first) => f.write_str(&first.message),
                None => f.write_str("the program is not supported"),
            },
            Refusal::TooLarge(message) => f.write_str(message),
            Refusal::UnknownInput(name) => write!(f, "there is no input `{name}`"),
            Refusal::InputsPass => f.write_str("no assertion fails with these inputs"),
            Refusal::Stopped(stop) => write!(f, "stopped before there was an answer: {stop}"),
            Refusal::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl From<TooLarge> for Refusal {
    fn from(error: TooLarge) -> Refusal {
        Refusal::TooLarge(error.to_string())
    }
}

/// Explains why an assertion that `function` comes to fails.
pub fn explain(source: Source<'_>, function: FunctionId, options: &Options) -> Result<Explanation, Refusal> {
    let refusals = source.program.refusals(function);
    if !refusals.is_empty() {
        return Err(Refusal::Unsupported(refusals));
    }
    let mut unrolled = unroll(source.program, function, &options.unroll)
        .map_err(|refusal| Refusal::Unsupported(refusal.diagnostics()))?;
    let given = given(source, &unrolled, options)?;
    let unwind = options.unroll.unwind;
    let mut system = System::new();
    let Some(failing) = failing::find(&mut unrolled, &mut system, &given, options)? else {
        if !given.is_empty() {
            return Err(Refusal::InputsPass);
        }
        let is_complete = !can_exceed(&mut unrolled, &mut system, &options.limits)?;
        return Ok(Explanation::NoViolation { unwind, is_complete });
    };
    let origin = unrolled.asserts[failing.property].origin;
    let is_replayed =
        replay(source.program, &unrolled, &failing.inputs, Some(origin)).map_err(Refusal::Internal)?;
    let property = source.property(&unrolled, failing.property);
    let run = source.run(&unrolled, &failing.inputs, is_replayed);
    match story(source, &mut unrolled, &failing, property.clone(), run.clone(), options)? {
        Some(story) => Ok(Explanation::Explained(Box::new(story))),
        None => Ok(Explanation::NoPassingRun { property, failing: run, unwind }),
    }
}

/// The values that the user gave, by the number of the input.
fn given(source: Source<'_>, unrolled: &Unrolled, options: &Options) -> Result<Vec<(usize, Value)>, Refusal> {
    let names = input_names(source.program, unrolled);
    let find = |(name, number): &(String, i128)| {
        let is_it = |index: &usize| names[*index] == *name || unrolled.inputs[*index].name == *name;
        let index = (0..names.len()).find(is_it).ok_or_else(|| Refusal::UnknownInput(name.clone()))?;
        let width = unrolled.pool.width(unrolled.inputs[index].term);
        let bit = |at: u32| number >> at.min(127) & 1 == 1;
        Ok((index, Value::from_bits((0..width).map(bit))))
    };
    options.inputs.iter().map(find).collect()
}

/// Some run meets a bound.
fn can_exceed(unrolled: &mut Unrolled, system: &mut System, limits: &Limits) -> Result<bool, Refusal> {
    let mut any = unrolled.pool.truth(false);
    for over in &unrolled.over {
        any = unrolled.pool.mk(Op::Or, &[any, over.guard]);
    }
    let any = system.lit(&unrolled.pool, any)?;
    // An assumption may exclude it; to be sure it is enough to ask without.
    Ok(system.solver.solve(&[any], limits) != Answer::Unsat)
}

/// The closest run that passes and what it tells; `None` if no run passes. The question gets a solver of its own, since inputs that were
/// given hold for the run that fails alone.
fn story(
    source: Source<'_>,
    unrolled: &mut Unrolled,
    failing: &Failing,
    property: PropertyText,
    failing_run: RunValues,
    options: &Options,
) -> Result<Option<Story>, Refusal> {
    let counted = counted(source.program, unrolled);
    let terms: Vec<TermId> = counted.iter().map(|at| unrolled.assignments[*at].term).collect();
    let before = Seen::new(unrolled, &counted, &failing.inputs);
    let mut system = System::new();
    let limits = &options.limits;
    let passing = closest::find(unrolled, &mut system, &terms, &before.values, &failing.inputs, limits)?;
    let Some(passing) = passing else { return Ok(None) };
    let is_replayed = replay(source.program, unrolled, &passing.inputs, None).map_err(Refusal::Internal)?;
    let after = Seen::new(unrolled, &counted, &passing.inputs);
    let both = Both { before: &before.values, after: &after.values };
    let (deltas, positions) = source.deltas(unrolled, &counted, both, [&before.executed, &after.executed]);
    let inputs = [failing.inputs.as_slice(), passing.inputs.as_slice()];
    let found = slices(source.program, unrolled, &counted, both, inputs, options.max_slices, limits)?;
    let Slices { list, is_complete } = found;
    // A slice is a set of differences, so each has its place.
    let place = |index: &usize| positions.binary_search(index).ok();
    let slices = list.iter().map(|slice| slice.iter().filter_map(place).collect()).collect();
    Ok(Some(Story {
        function: source.program.function(unrolled.function).name.clone(),
        property,
        unwind: options.unroll.unwind,
        failing: failing_run,
        passing: source.run(unrolled, &passing.inputs, is_replayed),
        distance: Interval { lower: passing.lower.min(deltas.len()), upper: deltas.len() },
        n_values: counted.len(),
        deltas,
        slices,
        has_all_slices: is_complete,
    }))
}

/// A run: the values that count, and whether control comes to them.
struct Seen {
    values: Vec<Value>,
    executed: Vec<bool>,
}

impl Seen {
    fn new(unrolled: &Unrolled, counted: &[usize], inputs: &[Value]) -> Seen {
        let of = |at: &usize| &unrolled.assignments[*at];
        let roots: Vec<TermId> = counted.iter().flat_map(|at| [of(at).term, of(at).guard]).collect();
        let found = Evaluator::new(&unrolled.pool, &roots).run(&assignment(unrolled, inputs));
        let values = found.iter().step_by(2).map(|value| value.bits().clone()).collect();
        let executed = found.iter().skip(1).step_by(2).map(nub_bitvec::Datum::is_true).collect();
        Seen { values, executed }
    }
}
