//! Other machines: where runs happen, workers, the server, and their status.

mod hub;
mod login;
mod status;
mod worker;

pub(crate) use hub::hub;
pub(crate) use login::VARIABLES as NATS_VARIABLES;
pub(crate) use status::status;
pub(crate) use worker::worker;

use crate::failure::{Failure, FailureKind};
use crate::handle::Job;
use crate::request::FleetOptions;
use nub_fleet::{Build, Distrust, FleetError, REGISTERED, RemoteRun, RunNeeds};
use nub_oracle::{FileFeed, Invocation, OracleConfig, ProgramPlace, Reproduction};
use nub_process::CommandRunner;
use nub_report::counted;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long to wait for the first worker that can help.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the programs of a job run.
#[derive(Clone)]
pub(crate) enum RunSite {
    /// On this machine.
    Here,
    /// On the machines that have joined a server.
    Fleet(Arc<RemoteRun>),
}

impl RunSite {
    /// The site that the options select, with workers that have the programs of these commands.
    pub(crate) fn open(
        job: &Job,
        options: &FleetOptions,
        commands: &[Invocation],
        about: &str,
    ) -> Result<RunSite, Failure> {
        if options.on.is_none() {
            return Ok(RunSite::Here);
        }
        let programs = commands.iter().map(registered_name).collect::<Result<Vec<_>, _>>()?;
        let needs = RunNeeds { programs, ..RunNeeds::default() };
        Ok(open_run(job, options, needs, about)?.map_or(RunSite::Here, RunSite::Fleet))
    }

    /// The runner for programs on this site.
    pub(crate) fn runner(&self, job: &Job) -> Result<Arc<dyn CommandRunner>, Failure> {
        Ok(match self {
            RunSite::Here => job.context.runner()?,
            RunSite::Fleet(run) => run.clone(),
        })
    }

    /// Tells the oracle where its programs are, and which they are.
    pub(crate) fn adapt(&self, config: &mut OracleConfig) {
        let RunSite::Fleet(run) = self else { return };
        config.programs = ProgramPlace::Elsewhere;
        // The `PATH` of this machine has no influence there.
        config.key_env.clear();
        let key = |(name, build): (&String, &Build)| (name.into(), build.id.0.clone().into());
        config.key_env.extend(run.builds().iter().map(key));
    }

    /// How many runs to keep in progress if one takes this long.
    pub(crate) fn n_under_way(&self, run_time: Duration) -> usize {
        match self {
            RunSite::Here => crate::all_cores(),
            RunSite::Fleet(run) => run.n_under_way(run_time),
        }
    }

    /// Waits for the last spot checks. Returns an error if they contradict the answers so far.
    pub(crate) fn check_trust(&self, job: &Job) -> Result<(), Failure> {
        let RunSite::Fleet(run) = self else { return Ok(()) };
        run.settle(&job.control.child());
        run.distrust().map_or(Ok(()), |why| Err(Failure::new(FailureKind::Refused, why.to_string())))
    }

    /// Whether a worker was found to be wrong, so that everything must be repeated without its answers.
    pub(crate) fn must_start_over(&self, job: &Job) -> Result<bool, Failure> {
        let RunSite::Fleet(run) = self else { return Ok(false) };
        // A wrong answer about the original can end an attempt before its spot check is done.
        run.settle(&job.control.child());
        match run.distrust() {
            None => Ok(false),
            Some(Distrust::Quarantined(why)) => {
                job.events.warn(format!("{why}; starting over with the answers of the others"));
                run.start_over();
                Ok(!job.control.is_cancelled())
            }
            Some(Distrust::Undecided(why)) => Err(Failure::new(FailureKind::Refused, why)
                .with_hint("let a third worker join, or find out which of the machines is at fault")),
        }
    }

    /// Replaces names by the commands that are registered there.
    pub(crate) fn spell_out(
        &self,
        mut reproduction: Reproduction,
        file: &Path,
        feed: FileFeed,
    ) -> Reproduction {
        let RunSite::Fleet(run) = self else { return reproduction };
        let lines = std::iter::once(&mut reproduction.command).chain(&mut reproduction.beside);
        for line in lines.map(|command| &mut command.line) {
            let name =
                line.split(' ').next().and_then(|word| word.strip_prefix(REGISTERED)).unwrap_or_default();
            let words = run.builds().get(name).and_then(|build| crate::words::split(&build.command).ok());
            if let Some(words) = words {
                *line = Invocation::Words(words).shell_line(file, feed);
            }
        }
        reproduction
    }
}

/// Starts a run on the machines that the options select, if any.
pub(crate) fn open_run(
    job: &Job,
    options: &FleetOptions,
    needs: RunNeeds,
    about: &str,
) -> Result<Option<Arc<RemoteRun>>, Failure> {
    let Some(address) = login::address(options, &job.context)? else { return Ok(None) };
    let needs = RunNeeds { patience: options.patience.unwrap_or(PATIENCE), ..needs };
    let run = Arc::new(RemoteRun::open(&address, &needs, about).map_err(failure)?);
    let machines = counted(run.n_workers(), "worker");
    job.events.note(format!("{machines} with {} at {}", counted(run.n_slots(), "slot"), address.shown()));
    for build in run.builds().values() {
        job.events.note(offered(build));
    }
    let relay = run.clone();
    job.events.relay(move |event| relay.show(event.to_line()));
    Ok(Some(run))
}

fn description(build: &Build) -> String {
    let hash = build.program_hash.get(..12).unwrap_or_default();
    match build.version.as_str() {
        "" => format!("`{}`, file {hash}", build.command),
        version => format!("`{}`, {version}, file {hash}", build.command),
    }
}

/// The name in `@NAME`, the only form of a command on other machines.
fn registered_name(command: &Invocation) -> Result<String, Failure> {
    let name = match command {
        Invocation::Words(words) => match words.as_slice() {
            [word] => word.to_str().and_then(|word| word.strip_prefix(REGISTERED)),
            _ => None,
        },
        Invocation::Shell(_) => None,
    };
    name.filter(|name| !name.is_empty()).map(str::to_owned).ok_or_else(|| {
        Failure::usage(
            "with --on, a command is the name of a program that is registered on the workers, as in `-- @z3`",
        )
        .with_hint("a line `z3 = \"COMMAND\"` below [programs] in the nub.toml of a worker registers it")
    })
}

/// Why other machines cannot be used.
pub(crate) fn failure(error: FleetError) -> Failure {
    let kind = if error.is_refusal() {
        FailureKind::Refused
    } else if error.is_wrong_use() {
        FailureKind::Usage
    } else {
        FailureKind::Environment
    };
    let failure = Failure::new(kind, error.to_string());
    match error.hint() {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}

/// A program that a worker offers, as text.
fn offered(build: &Build) -> String {
    format!("{REGISTERED}{} is {}", build.name, description(build))
}
