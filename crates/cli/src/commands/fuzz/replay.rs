//! `nub fuzz replay`: the inputs of a unit again, byte for byte, and what the solvers say.

use super::{failed, plan_of, println_line, runner, solvers};
use crate::exit::{Exit, Failure};
use nub_fuzz::campaign::State;
use nub_fuzz::{Bench, Tally, Trouble, examine};
use nub_process::Cancel;
use nub_store::{RealFs, TempRoot, commit, create_folder};
use std::path::Path;

/// Runs the command.
pub fn run(campaign: &Path, unit: u64, out: Option<&Path>) -> Result<Exit, Failure> {
    let state = State::read(campaign).map_err(failed)?;
    let runner = runner()?;
    let (plan, args) = plan_of(&state, &runner)?;
    let mut source = plan.source.clone();
    let inputs = plan.inputs(&mut source, unit).map_err(stopped)?;
    let is_same = match state.units.get(&unit) {
        Some(hash) => *hash == Tally::of_inputs(&inputs).hash,
        None => {
            println_line(&format!("unit {unit} has not been run"));
            true
        }
    };
    if !is_same {
        return Err(Failure::new(Exit::Refused, format!("unit {unit} has other inputs now"))
            .with_hint("the files of --mutate have changed, or nub has"));
    }
    if let Some(out) = out {
        create_folder(&RealFs, out)?;
        for input in &inputs {
            let path = out.join(format!("{}.{}", input.seed, input.language.extension()));
            commit(&RealFs, &path, &input.text)?;
            println_line(&path.display().to_string());
        }
        return Ok(Exit::Done);
    }
    let temp = TempRoot::open(&std::env::temp_dir())?;
    let cancel = Cancel::new();
    let bench = Bench::new(&runner, temp.path(), 0, solvers::limits(&args.solvers), &cancel)?;
    let examined = examine(&plan, &mut source, &bench, unit).map_err(stopped)?;
    println_line(&format!("unit {unit}: {} inputs, the same as before", inputs.len()));
    for (name, counts) in &examined.tally.solvers {
        println_line(&format!(
            "  {name}: {} sat, {} unsat, {} unknown, {} slow, {} other",
            counts.n_sat, counts.n_unsat, counts.n_unknown, counts.n_timeouts, counts.n_other
        ));
    }
    for found in &examined.found {
        println_line(&format!("  seed {}: {}", found.input.seed, found.finding.title()));
    }
    Ok(Exit::Done)
}

fn stopped(trouble: Trouble) -> Failure {
    match trouble {
        Trouble::OurFault { seed, message } => {
            Failure::new(Exit::Internal, format!("all solvers reject the input of seed {seed}: {message}"))
        }
        Trouble::Bench(error) => Failure::new(Exit::Environment, error.to_string()),
        Trouble::Cancelled => Failure::new(Exit::Environment, "stopped"),
    }
}
