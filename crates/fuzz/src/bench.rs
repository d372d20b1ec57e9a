//! Running a solver on an input.

use crate::options::OptionSet;
use crate::solver::PROOF_FILE;
use crate::{FuzzedSolver, Language};
use memchr::memmem;
use nub_process::{
    Cancel, ChildInput, Command, CommandRunner, ProcessEnd, ProcessLimits, ProcessOutcome, RunError,
};
use nub_store::{Scratch, StoreError};
use std::path::Path;
use std::time::Duration;

/// How many bytes of a stream are kept: enough for models of large inputs.
const KEEP_OUTPUT: usize = 4 << 20;

/// Maximum size of a proof that is checked. Checking takes about as long as solving.
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

/// Why a solver could not be run at all. It ends the campaign, because the input is not the cause.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The program cannot be started.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The input cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A shell or a loader reports that the program does not exist: it never read the input.
    #[error("{solver} cannot be run: {message}")]
    NoProgram {
        /// The solver's name.
        solver: String,
        /// What was said.
        message: String,
    },
}

/// Exit statuses of a shell if a program cannot be run or not be found; loaders use the second for missing libraries.
const NO_PROGRAM: [ProcessEnd; 2] = [ProcessEnd::Exit(126), ProcessEnd::Exit(127)];

/// What shells and loaders print in this case.
const NO_PROGRAM_WORDS: [&[u8]; 6] = [
    b"not found",
    b"No such file",
    b"Permission denied",
    b"cannot execute",
    b"Exec format error",
    b"error while loading shared libraries",
];

/// The line that says that there is no program.
fn missing_program(outcome: &ProcessOutcome) -> Option<String> {
    let says_so = |line: &&[u8]| NO_PROGRAM_WORDS.iter().any(|words| memmem::find(line, words).is_some());
    let mut lines = outcome.stderr.bytes.split(|&byte| byte == b'\n');
    let line = lines.find(says_so).filter(|_| NO_PROGRAM.contains(&outcome.end))?;
    Some(String::from_utf8_lossy(line).trim().to_owned())
}

/// The working place of one worker. Each run gets the input as a new file in the worker's own folder, which is also its
/// working folder unless the solver has one, so that log files and core dumps are removed with it.
pub struct Bench<'a> {
    runner: &'a dyn CommandRunner,
    scratch: Scratch,
    limits: RunLimits,
    cancel: &'a Cancel,
}

impl<'a> Bench<'a> {
    /// A bench below a temporary root, for worker `number`.
    pub fn new(
        runner: &'a dyn CommandRunner,
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

    /// The request that stops everything here.
    pub fn cancel(&self) -> &Cancel {
        self.cancel
    }

    /// The proof that the last run wrote; `None` if there is none, or a very long one.
    pub fn proof(&self) -> Option<Vec<u8>> {
        let path = self.scratch.path().join(PROOF_FILE);
        // A program may have created anything there; opening a pipe would block.
        let metadata = path.symlink_metadata().ok()?;
        let is_fine = metadata.is_file() && metadata.len() <= MAX_PROOF;
        is_fine.then(|| std::fs::read(path).ok())?
    }

    /// Runs a solver on an input.
    pub fn run(
        &self,
        solver: &FuzzedSolver,
        options: &OptionSet,
        text: &[u8],
        language: Language,
    ) -> Result<ProcessOutcome, BenchError> {
        let file = self.scratch.write(format!("input.{}", language.extension()), text)?;
        if options.asks_for_proof() {
            // A file left by an earlier run must not be taken for the proof of this one.
            self.scratch.write(PROOF_FILE, b"")?;
        }
        let (program, args) = solver.words(options, language, &file);
        let command = Command {
            program,
            args,
            folder: Some(solver.folder.as_deref().unwrap_or(self.scratch.path()).to_owned()),
            env: Vec::new(),
            input: if solver.is_fed(options) { ChildInput::File(file) } else { ChildInput::Null },
        };
        let limits = ProcessLimits {
            wall: Some(self.limits.wall),
            memory: Some(self.limits.memory),
            max_output: Some(self.limits.output),
            keep_output: KEEP_OUTPUT,
            ..ProcessLimits::default()
        };
        let outcome = self.runner.run(&command, &limits, self.cancel)?;
        match missing_program(&outcome) {
            Some(message) => Err(BenchError::NoProgram { solver: solver.name.clone(), message }),
            None => Ok(outcome),
        }
    }
}
