//! From arguments to the options of the search.

use super::args::{ExplainArgs, GivenInput, PassingArgs, Weighted};
use super::parse::inputs_of_json;
use crate::commands::c_program::{Loaded, read, start_timer};
use crate::exit::Failure;
use nub_explain::{Antecedents, Counterexample, Options, Predicate, Properties, Slicing, Trust, Weights};
use nub_sat::Limits;

/// A condition at its place. Text without line markers does not know the name of its file, which the user may give all the same.
pub fn placed(args: &ExplainArgs, loaded: &Loaded, predicate: &Predicate) -> Predicate {
    let has_names = loaded.program.files.iter().any(|name| !name.is_empty());
    let is_own = |file: &String| !has_names && args.file_name().ends_with(file.as_str());
    Predicate { file: predicate.file.clone().filter(|file| !is_own(file)), ..predicate.clone() }
}

/// The options. Starts the clock.
pub fn options(args: &ExplainArgs, loaded: &Loaded) -> Result<Options, Failure> {
    let limits = Limits::none();
    if let Some(time) = args.timeout {
        start_timer(time, limits.cancel.clone());
    }
    let globals = if args.globals { nub_unroll::Globals::Inputs } else { nub_unroll::Globals::Initial };
    let unroll = nub_unroll::Config {
        unwind: args.failing.unwind,
        recursion: args.failing.unwind.max(1),
        globals,
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
        trust: trust(passing),
        weights: weights(passing),
        slicing: if passing.one_step { Slicing::OneStep } else { Slicing::TwoPhase },
        max_slices: passing.slices,
        max_runs: passing.closest.max(1),
        max_unwind: passing.max_unwind.max(failing.unwind),
        limits,
    })
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

fn trust(args: &PassingArgs) -> Trust {
    match () {
        () if args.trust_nothing => Trust::Nothing,
        () if args.trust.is_empty() => Trust::Automatic,
        () => Trust::These(args.trust.clone()),
    }
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
