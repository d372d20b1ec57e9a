//! Where runs happen: writes the candidate, runs a prepared command on it, cleans up.
//!
//! The bytes in memory are authoritative. Whatever a run does to its file, the next run gets a new copy.

use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nub_process::{
    Cancel, ChildInput, Command, CommandRunner, ProcessEnd, ProcessLimits, ProcessOutcome, RunError,
};
use nub_store::{Scratch, StoreError};

use crate::invocation::Prepared;
use crate::mask::MaskedNames;
use crate::{Convention, Doubt, OracleConfig};

/// Name of the file that every store folder must contain; the folder itself is the TMPDIR of the run.
const PLACEHOLDER: &str = ".nub";
/// How many bytes of each stream are kept for comparison.
const KEEP_OUTPUT: usize = 1 << 20;
/// Time between SIGTERM and SIGKILL for a run that is stopped. A solver has nothing to save.
const GRACE: Duration = Duration::ZERO;

/// Where a command runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// In the user's folder, the candidate elsewhere.
    UserFolder,
    /// In a new folder that holds the candidate alone.
    FreshFolder,
}

/// A finished run and the names to mask in its output.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub outcome: ProcessOutcome,
    pub names: MaskedNames,
    /// Names of what the run left beside the candidate. Only for runs in a fresh folder.
    pub litter: Vec<String>,
}

/// A candidate, where it runs, what cancels it, and what its runs have cost so far.
#[derive(Debug)]
pub(crate) struct Trial<'a> {
    pub bytes: &'a [u8],
    pub place: Place,
    pub cancel: &'a Cancel,
    pub wall: Duration,
    pub cpu: Duration,
}

/// Limits of one run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub wall: Duration,
    pub cpu: Option<Duration>,
}

/// The paths that a run gets.
struct At<'a> {
    file: &'a Path,
    folder: &'a Path,
    temp: &'a Path,
}

/// Folders of one worker.
struct Desk {
    files: Scratch,
    temp: Scratch,
}

/// Runs commands on candidates. Shared by threads.
pub(crate) struct Lab {
    runner: Arc<dyn CommandRunner>,
    config: OracleConfig,
    idle: Mutex<Desks>,
}

#[derive(Default)]
struct Desks {
    idle: Vec<Desk>,
    n_made: usize,
}

impl Lab {
    pub fn new(config: OracleConfig, runner: Arc<dyn CommandRunner>) -> Lab {
        Lab { runner, config, idle: Mutex::default() }
    }

    pub fn config(&self) -> &OracleConfig {
        &self.config
    }

    /// Where this convention runs its commands.
    pub fn place(&self) -> Place {
        match self.config.convention {
            Convention::Golden { .. } => Place::UserFolder,
            Convention::Script { .. } => Place::FreshFolder,
        }
    }

    /// A trial in the place that the convention prescribes.
    pub fn trial<'a>(&self, bytes: &'a [u8], cancel: &'a Cancel) -> Trial<'a> {
        Trial { bytes, place: self.place(), cancel, wall: Duration::ZERO, cpu: Duration::ZERO }
    }

    /// Runs `prepared` once, and adds what that cost to the trial.
    pub fn run(&self, prepared: &Prepared, bounds: Bounds, trial: &mut Trial) -> Result<Run, Doubt> {
        let mut desk = self.take_desk().map_err(in_the_way)?;
        let result = self.run_at(&mut desk, prepared, &self.limits(bounds), trial);
        self.lock().idle.push(desk);
        let run = result?;
        trial.wall += run.outcome.usage.wall;
        trial.cpu += run.outcome.usage.cpu;
        if run.outcome.end == ProcessEnd::Cancelled { Err(Doubt::Cancelled) } else { Ok(run) }
    }

    fn run_at(
        &self,
        desk: &mut Desk,
        prepared: &Prepared,
        limits: &ProcessLimits,
        trial: &Trial,
    ) -> Result<Run, Doubt> {
        let Desk { files, temp } = desk;
        let Trial { bytes, place, cancel, .. } = *trial;
        let name = &self.config.keep_name;
        match place {
            Place::UserFolder => {
                let file = files.write(name, bytes).map_err(in_the_way)?;
                // Creates the folder again in case an earlier run removed it.
                temp.write(PLACEHOLDER, b"").map_err(in_the_way)?;
                let command = self.command(
                    prepared,
                    bytes,
                    At { file: &file, folder: &self.config.folder, temp: temp.path() },
                );
                let outcome = self.runner.run(&command, limits, cancel).map_err(cannot_run)?;
                Ok(Run { outcome, names: MaskedNames::new(&file, Some(files.path())), litter: Vec::new() })
            }
            Place::FreshFolder => {
                let fresh = files.fresh_folder(name, bytes).map_err(in_the_way)?;
                let temp = temp.fresh_folder(PLACEHOLDER, b"").map_err(in_the_way)?;
                let command = self.command(
                    prepared,
                    bytes,
                    At { file: fresh.file(), folder: fresh.path(), temp: temp.path() },
                );
                let outcome = self.runner.run(&command, limits, cancel).map_err(cannot_run)?;
                let litter = list_others(fresh.path(), name);
                Ok(Run { outcome, names: MaskedNames::new(fresh.file(), Some(fresh.path())), litter })
            }
        }
    }

    fn command(&self, prepared: &Prepared, bytes: &[u8], at: At) -> Command {
        let mut env: Vec<(OsString, OsString)> = vec![("TMPDIR".into(), at.temp.into())];
        env.extend(self.config.env.iter().cloned());
        Command {
            program: prepared.program.clone().into(),
            args: prepared.args(at.file),
            folder: Some(at.folder.to_owned()),
            env,
            input: if self.config.stdin { ChildInput::Bytes(bytes.into()) } else { ChildInput::Null },
        }
    }

    fn limits(&self, bounds: Bounds) -> ProcessLimits {
        ProcessLimits {
            wall: Some(bounds.wall),
            cpu: bounds.cpu.or(self.config.cpu),
            memory: self.config.memory,
            keep_output: KEEP_OUTPUT,
            max_output: self.config.output,
            grace: GRACE,
            ..ProcessLimits::default()
        }
    }

    fn take_desk(&self) -> Result<Desk, StoreError> {
        let mut desks = self.lock();
        if let Some(desk) = desks.idle.pop() {
            return Ok(desk);
        }
        let idx = desks.n_made;
        desks.n_made += 1;
        drop(desks);
        let files = Scratch::new(&self.config.temp, idx)?;
        let temp = Scratch::new(&self.config.temp.join("tmp"), idx)?;
        Ok(Desk { files, temp })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Desks> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn in_the_way(error: StoreError) -> Doubt {
    Doubt::Environment(error.to_string())
}

fn cannot_run(error: RunError) -> Doubt {
    Doubt::Environment(error.to_string())
}

fn list_others(folder: &Path, name: &str) -> Vec<String> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|other| other != name).collect();
    names.sort();
    names
}
