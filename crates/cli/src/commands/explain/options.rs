//! From arguments to the options of the search.

use super::args::{ExplainArgs, GivenInput, PassingArgs, Weighted};
use super::parse::inputs_of_json;
use crate::commands::c_program::{Loaded, nearest, read, start_timer};
use crate::exit::Failure;
use nub_c_ir::FunctionId;
use nub_explain::{Antecedents, Counterexample, Options, Predicate, Properties, Slicing, Trust, Weights};
use nub_sat::Limits;
use nub_unroll::{Patience, Pointers};
use std::sync::Arc;

/// Longer arrays as parameters are taken to be as long as other pointers say.
const MAX_DECLARED_LENGTH: u64 = 4_096;

/// A condition at its place. Text without line markers does not know the name of its file, which the user may give all the same.
pub fn placed(args: &ExplainArgs, loaded: &Loaded, predicate: &Predicate) -> Predicate {
    let has_names = loaded.program.files.iter().any(|name| !name.is_empty());
    let is_own = |file: &String| !has_names && args.file_name().ends_with(file.as_str());
    Predicate { file: predicate.file.clone().filter(|file| !is_own(file)), ..predicate.clone() }
}

/// The options. Starts the clock.
pub fn options(args: &ExplainArgs, loaded: &Loaded, function: FunctionId) -> Result<Options, Failure> {
    let limits = Limits::none();
    if let Some(time) = args.timeout {
        start_timer(time, limits.cancel.clone());
    }
    let globals = if args.globals { nub_unroll::Globals::Inputs } else { nub_unroll::Globals::Initial };
    let cancel = limits.cancel.clone();
    let unroll = nub_unroll::Config {
        unwind: args.failing.unwind,
        recursion: args.failing.unwind.max(1),
        globals,
        pointers: pointers(args, loaded, function),
        patience: Patience::until(move || cancel.is_cancelled()),
        ..nub_unroll::Config::default()
    };
    let (failing, passing) = (&args.failing, &args.passing);
    let properties =
        Properties { kinds: failing.kinds.clone(), id: failing.property.clone(), line: failing.line };
    Ok(Options {
        unroll,
        properties,
        counterexample: if failing.shortest { Counterexample::Shortest } else { Counterexample::First },
        inputs: inputs(&failing.inputs)?,
        assume: passing.assume.iter().map(|found| placed(args, loaded, found)).collect(),
        antecedents: if passing.free_antecedent { Antecedents::Free } else { Antecedents::Kept },
        trust: trust(passing, loaded)?,
        weights: weights(passing),
        slicing: if passing.one_step { Slicing::OneStep } else { Slicing::TwoPhase },
        max_slices: passing.slices,
        max_runs: passing.closest.get(),
        max_unwind: passing.max_unwind.max(failing.unwind),
        limits,
        bounds: Arc::default(),
    })
}

/// What pointers of the start point to: a parameter that is written as an array to as many elements as it says, others to as many as were
/// asked for; without a wish to a few numbers, or to one of anything else.
fn pointers(args: &ExplainArgs, loaded: &Loaded, function: FunctionId) -> Pointers {
    let mut pointers = Pointers::default();
    if let Some(elements) = args.elements {
        (pointers.elements, pointers.characters) = (elements.get(), elements.get());
    }
    let types = &loaded.program.types;
    let is_number = |ty| types.pointee(ty).is_some_and(|to| types.int_format(to).is_some());
    for param in loaded.program.function(function).params() {
        let usual = (args.elements.is_none() && is_number(param.ty)).then_some(pointers.characters);
        let declared = param.declared_length.filter(|length| *length <= MAX_DECLARED_LENGTH);
        if let Some(length) = declared.or(usual) {
            pointers.by_name.insert(param.name.clone(), length);
        }
    }
    pointers
}

fn inputs(given: &[GivenInput]) -> Result<Vec<(String, i128)>, Failure> {
    let mut list = Vec::new();
    for input in given {
        match input {
            GivenInput::Value(name, value) => list.push((name.clone(), *value)),
            GivenInput::File(path) => {
                let wrong = |error| Failure::usage(format!("{}: {error}", path.display()));
                list.extend(inputs_of_json(&read(path)?).map_err(wrong)?);
            }
        }
    }
    Ok(list)
}

fn trust(args: &PassingArgs, loaded: &Loaded) -> Result<Trust, Failure> {
    let program = &loaded.program;
    for name in &args.trust {
        let is_file = name.contains('.') && program.files.iter().any(|file| file.ends_with(name.as_str()));
        if !is_file && program.function_by_name(name).is_none() {
            let message = format!("--trust: there is no function `{name}`, nor a file of that name");
            let own = program.functions.iter().filter(|function| !function.is_model);
            let known = nearest(own.map(|function| function.name.as_str()), name);
            return Err(Failure::usage(message).with_hint(format!("there is {known}")));
        }
    }
    Ok(match () {
        () if args.trust_nothing => Trust::Nothing,
        () if args.trust.is_empty() => Trust::Automatic,
        () => Trust::These(args.trust.clone()),
    })
}

/// The last weight of a thing counts.
fn weights(args: &PassingArgs) -> Weights {
    let mut weights = Weights::default();
    for (what, number) in &args.weights {
        match what {
            Weighted::Guards => weights.guards = *number,
            Weighted::Inputs => weights.inputs = *number,
            Weighted::Phis => weights.phis = *number,
            Weighted::Others => weights.others = *number,
            Weighted::Line(line) => {
                weights.lines.retain(|(at, _)| at != line);
                weights.lines.push((*line, *number));
            }
        }
    }
    weights
}
