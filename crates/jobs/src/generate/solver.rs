//! Asks a solver about a generated file.

use crate::failure::Failure;
use crate::handle::Job;
use crate::request::GenerateJob;
use nub_process::{Cancel, ChildInput, Command, ProcessLimits, RunError, Runner};
use nub_store::{Scratch, TempRoot};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

/// A solver's answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SolverAnswer {
    /// There is a model.
    Sat,
    /// There is no model.
    Unsat,
    /// Anything else: a time-out, a crash, an error.
    Other,
}

impl SolverAnswer {
    /// The name in statistics.
    pub fn name(self) -> &'static str {
        match self {
            SolverAnswer::Sat => "sat",
            SolverAnswer::Unsat => "unsat",
            SolverAnswer::Other => "other",
        }
    }
}

/// A solver under a time limit.
pub struct AskedSolver {
    runner: Arc<Runner>,
    command: Vec<OsString>,
    limits: ProcessLimits,
    scratch: Scratch,
    /// Holds the folder of `scratch`; removed at the end.
    _temp: TempRoot,
    file_name: String,
    cancel: Cancel,
}

impl AskedSolver {
    /// The solver of a request, which has one.
    pub fn new(job: &Job, request: &GenerateJob, cancel: Cancel) -> Result<AskedSolver, Failure> {
        let temp = TempRoot::open(&job.context.temp)?;
        let scratch = Scratch::new(temp.path(), 0)?;
        let limits =
            ProcessLimits { wall: Some(request.timeout), keep_output: 1 << 16, ..ProcessLimits::default() };
        Ok(AskedSolver {
            runner: job.context.runner()?,
            command: request.command.clone(),
            limits,
            scratch,
            _temp: temp,
            file_name: format!("generated.{}", request.to.extension()),
            cancel,
        })
    }

    /// Its answer to a file.
    pub fn ask(&self, text: &[u8]) -> Result<SolverAnswer, Failure> {
        let path = self.scratch.write(&self.file_name, text)?;
        let (program, words) = self.command.split_first().ok_or_else(|| Failure::usage("no command"))?;
        let command = Command {
            program: program.clone(),
            args: with_file(words, &path),
            folder: None,
            env: Vec::new(),
            input: ChildInput::Null,
        };
        let outcome = self.runner.run(&command, &self.limits, &self.cancel).map_err(cannot_run(program))?;
        Ok(answer(&outcome.stdout.bytes))
    }
}

fn cannot_run(program: &OsStr) -> impl FnOnce(RunError) -> Failure + '_ {
    move |error| {
        Failure::usage(format!("cannot run {}: {error}", program.display())).with_hint(
            "the solver and its arguments come after `--`, as in `nub generate --stats -- boolector`",
        )
    }
}

/// The arguments with `{}` replaced, or with the file at the end.
fn with_file(words: &[OsString], path: &Path) -> Vec<OsString> {
    let mut args: Vec<OsString> =
        words.iter().map(|word| if word == "{}" { path.into() } else { word.clone() }).collect();
    if !words.iter().any(|word| word == "{}") {
        args.push(path.into());
    }
    args
}

/// The first line that is an answer, of an SMT or of a SAT solver.
fn answer(output: &[u8]) -> SolverAnswer {
    let lines = output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut answers = lines.filter_map(|line| match line {
        b"sat" | b"s SATISFIABLE" => Some(SolverAnswer::Sat),
        b"unsat" | b"s UNSATISFIABLE" => Some(SolverAnswer::Unsat),
        _ => None,
    });
    answers.next().unwrap_or(SolverAnswer::Other)
}
