//! Running a solver on an input.

use crate::options::OptionSet;
use crate::solver::PROOF_FILE;
use crate::{Language, Solver};
use nub_process::{Cancel, Command, Input, Limits, Outcome, RunError, Runner};
use nub_store::{Scratch, StoreError};
use std::path::Path;
use std::time::Duration;

/// Bytes of a stream that are kept: models of large inputs fit, a flood does not.
const KEEP_OUTPUT: usize = 4 << 20;

/// Bytes of a proof that are looked at. Checking costs about as much as solving.
const MAX_PROOF: u64 = 16 << 20;

/// What one run may use.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Time from start to end.
    pub wall: Duration,
    /// Resident bytes of all its processes.
    pub memory: u64,
    /// Bytes of each output stream.
    pub output: u64,
}

impl Default for RunLimits {
    fn default() -> RunLimits {
        RunLimits { wall: Duration::from_secs(5), memory: 2 << 30, output: 64 << 20 }
    }
}

/// Why a solver could not be run at all. It ends the campaign: nothing is wrong with the input.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The program cannot be started.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The input cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The place of one worker. Each run gets the input as a new file in a folder of the worker's own, and that folder as its
/// working folder, so that log files and cores of solvers vanish with it.
pub struct Bench<'a> {
    runner: &'a Runner,
    scratch: Scratch,
    limits: RunLimits,
    cancel: &'a Cancel,
}

impl<'a> Bench<'a> {
    /// A place below a temporary root; `number` is the worker's.
    pub fn new(
        runner: &'a Runner,
        temp: &Path,
        number: usize,
        limits: RunLimits,
        cancel: &'a Cancel,
    ) -> Result<Bench<'a>, StoreError> {
        Ok(Bench { runner, scratch: Scratch::new(temp, number)?, limits, cancel })
    }

    /// The limits of a run.
    pub fn limits(&self) -> RunLimits {
        self.limits
    }

    /// Whether the campaign is being stopped.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Stops everything here.
    pub fn cancel(&self) -> &Cancel {
        self.cancel
    }

    /// The proof that the last run wrote; `None` if there is none, or a very long one.
    pub fn proof(&self) -> Option<Vec<u8>> {
        let path = self.scratch.path().join(PROOF_FILE);
        // A program may have put anything there; opening a pipe would wait.
        let metadata = path.symlink_metadata().ok()?;
        let is_fine = metadata.is_file() && metadata.len() <= MAX_PROOF;
        is_fine.then(|| std::fs::read(path).ok())?
    }

    /// Runs a solver on an input.
    pub fn run(
        &self,
        solver: &Solver,
        options: &OptionSet,
        text: &[u8],
        language: Language,
    ) -> Result<Outcome, BenchError> {
        let file = self.scratch.write(format!("input.{}", language.extension()), text)?;
        if options.asks_for_proof() {
            // What an earlier run left must not pass for the proof of this one.
            self.scratch.write(PROOF_FILE, b"")?;
        }
        let (program, args) = solver.words(options, language, &file);
        let command = Command {
            program,
            args,
            folder: Some(self.scratch.path().to_owned()),
            env: Vec::new(),
            input: Input::Null,
        };
        let limits = Limits {
            wall: Some(self.limits.wall),
            memory: Some(self.limits.memory),
            max_output: Some(self.limits.output),
            keep_output: KEEP_OUTPUT,
            ..Limits::default()
        };
        Ok(self.runner.run(&command, &limits, self.cancel)?)
    }
}
