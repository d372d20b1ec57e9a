//! From a function to an explanation.

use crate::attempt;
use crate::describe::Source;
use crate::failing::{self, Failing};
use crate::instrument::with_assumptions;
use crate::options::Options;
use crate::property::{Instance, PropertyKind, chosen};
use crate::replay::End;
use crate::scene::Scene;
use crate::story::{PropertyText, RunValues, Story};
use crate::system::System;
use crate::tell::Telling;
use crate::trust::Trusted;
use nub_bitvec::Op;
use nub_c_ir::FunctionId;
use nub_cnf::TooLarge;
use nub_sat::{Answer, Limits, Stop};
use nub_text::Diagnostic;
use nub_unroll::Unrolled;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::fmt;

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
        /// What nobody asked for, and some run violates: it goes no further, so it may well have come to what was asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        ends_before: Option<PropertyText>,
    },
    /// Some run fails, and none up to the bound passes.
    NoPassingRun {
        /// What is violated.
        property: PropertyText,
        /// The run that fails.
        failing: Box<RunValues>,
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
    /// There is no property of this name or at this line.
    UnknownProperty(String),
    /// A condition that was given cannot be put into the source.
    Predicate(String),
    /// With the inputs that were given, no property fails.
    InputsPass,
    /// Stopped before any run that fails, or any that passes, was found.
    Stopped(Stop),
    /// A defect of this program.
    Internal(String),
}

/// What is said about a program that is not supported.
pub(crate) fn unsupported(found: &[Diagnostic]) -> &str {
    found.first().map_or("the program is not supported", |first| &first.message)
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unsupported(found) => f.write_str(unsupported(found)),
            Refusal::TooLarge(message) => f.write_str(message),
            Refusal::UnknownInput(name) => write!(f, "there is no input `{name}`"),
            Refusal::UnknownProperty(name) => write!(f, "there is no property {name}"),
            Refusal::Predicate(message) => f.write_str(message),
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

/// All properties that `function` comes to within the bounds, by name.
pub fn properties(
    source: Source<'_>,
    function: FunctionId,
    options: &Options,
) -> Result<Vec<PropertyText>, Refusal> {
    refuse(source, function)?;
    let scene = Scene::new(source, function, &options.unroll)?;
    let mut list: Vec<PropertyText> =
        scene.instances.iter().map(|found| source.property(&scene.unrolled, found)).collect();
    list.sort_by(|a, b| (a.place.line, &a.id).cmp(&(b.place.line, &b.id)));
    list.dedup();
    Ok(list)
}

pub(crate) fn refuse(source: Source<'_>, function: FunctionId) -> Result<(), Refusal> {
    let refusals = source.program.refusals(function);
    if refusals.is_empty() { Ok(()) } else { Err(Refusal::Unsupported(refusals)) }
}

/// Explains why a property that `function` comes to fails.
pub fn explain(source: Source<'_>, function: FunctionId, options: &Options) -> Result<Explanation, Refusal> {
    refuse(source, function)?;
    let changed = with_assumptions(source, &options.assume)?;
    let (source, function) = match &changed {
        Some(changed) => (changed.source(source), changed.function(source, function)?),
        None => (source, function),
    };
    let mut scene = Scene::new(source, function, &options.unroll)?;
    let failing = match find_failing(&mut scene, options)? {
        Ok(failing) => failing,
        Err(none) => return Ok(none),
    };
    match attempt::story(&mut scene, &failing, options)? {
        Some(story) => Ok(Explanation::Explained(Box::new(story))),
        None => no_passing_run(&mut scene, &failing, options),
    }
}

/// The run that fails; if there is none, that is the explanation.
fn find_failing(scene: &mut Scene<'_>, options: &Options) -> Result<Result<Failing, Explanation>, Refusal> {
    let given = scene.given(&options.inputs)?;
    let all = scene.instances.clone();
    let chosen = chosen(&all, &options.properties);
    if let Some(id) = options.properties.id.as_ref().filter(|_| chosen.iter().all(Vec::is_empty)) {
        return Err(Refusal::UnknownProperty(format!("`{id}`")));
    }
    let mut system = System::new();
    let mut search = failing::Search::new(&scene.unrolled, &mut system, &given)?;
    for list in &chosen {
        if let Some(failing) = search.find(&mut scene.unrolled, &mut system, list, options)? {
            return Ok(Ok(failing));
        }
    }
    if !given.is_empty() {
        return Err(Refusal::InputsPass);
    }
    let is_complete = !can_exceed(&mut scene.unrolled, &mut system, &options.limits)?;
    let asked: FxHashSet<usize> = chosen.iter().flatten().map(|found| found.order).collect();
    let is_other = |found: &&Instance| found.kind != PropertyKind::Unwinding && !asked.contains(&found.order);
    let others: Vec<&Instance> = all.iter().filter(is_other).collect();
    let ends_before = search.find(&mut scene.unrolled, &mut system, &others, options)?;
    let ends_before = ends_before.map(|found| scene.source.property(&scene.unrolled, &found.property));
    Ok(Err(Explanation::NoViolation { unwind: options.unroll.unwind, is_complete, ends_before }))
}

fn no_passing_run(
    scene: &mut Scene<'_>,
    failing: &Failing,
    options: &Options,
) -> Result<Explanation, Refusal> {
    let property = scene.source.property(&scene.unrolled, &failing.property);
    let telling = Telling::new(scene, failing, Trusted::default(), options);
    let run = telling.run(&failing.inputs, &End::Fails(failing.property.clone()))?;
    Ok(Explanation::NoPassingRun { property, failing: Box::new(run), unwind: options.unroll.unwind })
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
