//! Generates the inputs of a unit again, byte for byte, and runs the solvers on them.

use super::{set_up, solvers, tell};
use crate::failure::{Failure, FailureKind};
use crate::handle::Job;
use crate::request::FuzzJob;
use nub_fuzz::campaign::JournaledCampaign;
use nub_fuzz::{Bench, Tally, Trouble, examine};
use nub_store::{RealFs, TempRoot, commit, create_folder};
use std::path::Path;

/// Generates the inputs again, and writes them or runs the solvers on them.
pub fn run(
    job: &Job,
    state: &JournaledCampaign,
    begun: &FuzzJob,
    unit: u64,
    out: Option<&Path>,
) -> Result<(), Failure> {
    let runner = job.context.runner()?;
    let plan = set_up(begun, &job.context, &runner)?.plan;
    let mut source = plan.source.clone();
    let inputs = plan.inputs(&mut source, unit).map_err(stopped)?;
    let is_same = match state.units.get(&unit) {
        Some(hash) => *hash == Some(Tally::hash_of(&inputs)),
        None => {
            tell(job, &format!("unit {unit} has not been run"));
            true
        }
    };
    if !is_same {
        return Err(Failure::new(FailureKind::Refused, format!("unit {unit} has other inputs now"))
            .with_hint("the files of --mutate have changed, or nub has"));
    }
    if let Some(out) = out {
        create_folder(&RealFs, out)?;
        for input in &inputs {
            let path = out.join(format!("{}.{}", input.seed, input.language.extension()));
            commit(&RealFs, &path, &input.text)?;
            tell(job, &path.display().to_string());
        }
        return Ok(());
    }
    let temp = TempRoot::open(&job.context.temp)?;
    let cancel = job.control.child();
    let bench = Bench::new(runner.as_ref(), temp.path(), 0, solvers::limits(&begun.solvers), &cancel)?;
    let examined = examine(&plan, &mut source, &bench, unit).map_err(stopped)?;
    tell(job, &format!("unit {unit}: {} inputs, the same as before", inputs.len()));
    for (name, counts) in &examined.tally.solvers {
        tell(
            job,
            &format!(
                "  {name}: {} sat, {} unsat, {} unknown, {} slow, {} other",
                counts.n_sat, counts.n_unsat, counts.n_unknown, counts.n_timeouts, counts.n_other
            ),
        );
    }
    for found in &examined.found {
        tell(job, &format!("  seed {}: {}", found.input.seed, found.finding.title()));
    }
    Ok(())
}

fn stopped(trouble: Trouble) -> Failure {
    match trouble {
        Trouble::OurFault { seed, message } => Failure::new(
            FailureKind::Internal,
            format!("all solvers reject the input of seed {seed}: {message}"),
        ),
        Trouble::Bench(error) => Failure::new(FailureKind::Environment, error.to_string()),
        Trouble::Elsewhere(why) => Failure::environment(why),
        Trouble::Cancelled => Failure::new(FailureKind::Environment, "stopped"),
    }
}
