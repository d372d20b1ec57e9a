//! Translates a request into the options of the search.

use super::file_name;
use super::values::{self, GivenInput, ValueError, Weighted, inputs_of_json};
use crate::c_program::LoadedProgram;
use crate::failure::Failure;
use crate::handle::Job;
use crate::input::read;
use crate::request::{ExplainJob, PassingRunOptions};
use crate::similar_names::did_you_mean;
use nub_c_ir::FunctionId;
use nub_explain::{
    Antecedents, Counterexample, ExplainOptions, MetricWeights, Predicate, PropertyFilter, Slicing, Trust,
};
use nub_unroll::{AllocationModel, Patience, Pointers, RoomModel};
use std::sync::Arc;

/// Array parameters that are declared longer than this get the default length of pointers.
const MAX_DECLARED_LENGTH: u64 = 4_096;

/// A condition at its place. Text without line markers does not contain its file name, but the user may still give it.
pub fn placed(request: &ExplainJob, loaded: &LoadedProgram, predicate: &Predicate) -> Predicate {
    let has_names = loaded.program.files.iter().any(|name| !name.is_empty());
    let is_own = |file: &String| !has_names && file_name(request).ends_with(file.as_str());
    Predicate { file: predicate.file.clone().filter(|file| !is_own(file)), ..predicate.clone() }
}

/// The options.
pub fn options(
    job: &Job,
    request: &ExplainJob,
    loaded: &LoadedProgram,
    function: FunctionId,
) -> Result<ExplainOptions, Failure> {
    let limits = job.limits(job.control.search().clone());
    let globals = if request.globals { nub_unroll::Globals::Inputs } else { nub_unroll::Globals::Initial };
    let allocations =
        if request.allocations_succeed { AllocationModel::Succeed } else { AllocationModel::Sized };
    let cancel = limits.cancel.clone();
    let unroll = nub_unroll::UnrollConfig {
        unwind: request.failing.unwind,
        recursion: request.failing.unwind.max(1),
        globals,
        allocations,
        pointers: pointers(request, loaded, function),
        patience: Patience::until(move || cancel.is_cancelled()),
        ..nub_unroll::UnrollConfig::default()
    };
    let (failing, passing) = (&request.failing, &request.passing);
    let kinds = values::all("--check", &failing.kinds, values::kind)?;
    let properties = PropertyFilter { kinds, id: failing.property.clone(), line: failing.line };
    let assume = values::all("--assume", &passing.assume, values::predicate)?;
    Ok(ExplainOptions {
        unroll,
        properties,
        counterexample: if failing.shortest { Counterexample::Shortest } else { Counterexample::First },
        inputs: inputs(&failing.inputs)?,
        assume: assume.iter().map(|found| placed(request, loaded, found)).collect(),
        antecedents: if passing.free_antecedent { Antecedents::Free } else { Antecedents::Kept },
        trust: trust(passing, loaded)?,
        weights: weights(passing)?,
        slicing: if passing.one_step { Slicing::OneStep } else { Slicing::TwoPhase },
        max_slices: passing.slices,
        max_runs: passing.closest.max(1),
        max_unwind: passing.max_unwind.max(failing.unwind),
        limits,
        bounds: Arc::default(),
    })
}

/// What pointer parameters point to: one declared as an array to the declared number of elements, others to the requested number; by
/// default to a few numbers, or to one object of any other type.
fn pointers(request: &ExplainJob, loaded: &LoadedProgram, function: FunctionId) -> Pointers {
    let mut pointers = Pointers { room: RoomModel::Containers, ..Pointers::default() };
    if let Some(elements) = request.elements {
        (pointers.elements, pointers.characters) = (elements, elements);
    }
    let types = &loaded.program.types;
    let is_number = |ty| types.pointee(ty).is_some_and(|to| types.int_format(to).is_some());
    for param in loaded.program.function(function).params() {
        let usual = (request.elements.is_none() && is_number(param.ty)).then_some(pointers.characters);
        let declared = param.declared_length.filter(|length| *length <= MAX_DECLARED_LENGTH);
        if let Some(length) = declared.or(usual) {
            pointers.by_name.insert(param.name.clone(), length);
        }
    }
    pointers
}

fn inputs(given: &[String]) -> Result<Vec<(String, i128)>, Failure> {
    let mut list = Vec::new();
    for input in values::all("--input", given, values::input)? {
        match input {
            GivenInput::Value(name, value) => list.push((name, value)),
            GivenInput::File(path) => {
                let wrong = |error: ValueError| Failure::usage(format!("{}: {error}", path.display()));
                list.extend(inputs_of_json(&read(&path)?).map_err(wrong)?);
            }
        }
    }
    Ok(list)
}

fn trust(options: &PassingRunOptions, loaded: &LoadedProgram) -> Result<Trust, Failure> {
    let program = &loaded.program;
    for name in &options.trust {
        let is_file = name.contains('.') && program.files.iter().any(|file| file.ends_with(name.as_str()));
        if !is_file && program.function_by_name(name).is_none() {
            let message = format!("--trust: there is no function `{name}`, nor a file of that name");
            let own = program.functions.iter().filter(|function| !function.is_model);
            let hint = did_you_mean(own.map(|function| function.name.as_str()), name);
            return Err(Failure::usage(message).with_hint(hint));
        }
    }
    Ok(if options.trust_nothing {
        Trust::Nothing
    } else if options.trust.is_empty() {
        Trust::Automatic
    } else {
        Trust::These(options.trust.clone())
    })
}

/// If a weight is given twice, the last one counts.
fn weights(options: &PassingRunOptions) -> Result<MetricWeights, Failure> {
    let mut weights = MetricWeights::default();
    for (what, number) in values::all("--weight", &options.weights, values::weight)? {
        match what {
            Weighted::Guards => weights.guards = number,
            Weighted::Inputs => weights.inputs = number,
            Weighted::Phis => weights.phis = number,
            Weighted::Others => weights.others = number,
            Weighted::Line(line) => {
                weights.lines.retain(|(at, _)| *at != line);
                weights.lines.push((line, number));
            }
        }
    }
    Ok(weights)
}
