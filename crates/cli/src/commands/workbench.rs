//! `nub workbench`: a local page for everything that nub does.

use crate::exit::Exit;
use crate::signals::{FirstSignal, Interrupt};
use clap::Args;
use nub_jobs::{Failure, JobContext, JobControl};
use nub_workbench::{Listening, Workbench, WorkbenchOptions, WorkbenchRequest};
use std::io::Write;
use std::path::PathBuf;

pub const ABOUT: &str = "\
Show nub in the browser: open, reduce, fuzz, cover and explain.

A server on this machine prints an address. Open it in your browser; it is valid once. The page sees files below the given \
folders only, and runs only programs that are registered here. Ctrl-C ends the server; jobs and \
their results are kept for the next time.";

pub const EXAMPLES: &str = "\
Examples:
  nub workbench                                      this folder
  nub workbench bug.smt2 --program 'new=./build/z3'  a file, and a solver of your own
  nub workbench src ../bugs --port 7777              two folders, always at the same address";

/// Options of `nub workbench`.
#[derive(Args, Clone, Debug)]
pub struct WorkbenchArgs {
    /// Files to open, or folders to look into [default: the current folder]
    #[arg(value_name = "FILES|FOLDERS")]
    pub paths: Vec<PathBuf>,
    /// Register a program that the page may run: NAME=COMMAND. `{}` is the file; without it the file is appended
    #[arg(long = "program", value_name = "NAME=COMMAND")]
    pub programs: Vec<String>,
    /// Port of the loopback interface; 0 is any free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// Folder for jobs, pasted files and examples [default: .nub-workbench in the first folder]
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &WorkbenchArgs) -> Result<Exit, Failure> {
    let listening = bind(options(args)?)?;
    let failed = |error: std::io::Error| Failure::environment(format!("cannot start the workbench: {error}"));
    let interrupt = Interrupt::watch(JobControl::default(), FirstSignal::Finishes).map_err(failed)?;
    let link = listening.link().map_err(failed)?;
    // A broken pipe is ignored, and the server continues.
    let _ = writeln!(std::io::stdout().lock(), "{link}");
    let _ = writeln!(
        std::io::stderr().lock(),
        "Open this address in your browser; it is valid once. Ctrl-C ends the workbench."
    );
    listening
        .serve(&|| interrupt.signal().is_some())
        .map_err(|error| Failure::environment(error.to_string()))?;
    Ok(interrupt.signal().map_or(Exit::DONE, Exit::Signal))
}

fn bind(options: WorkbenchOptions) -> Result<Listening, Failure> {
    Workbench::new(options).bind().map_err(|error| {
        Failure::environment(error.to_string())
            .with_hint("--port 0 picks a free port; --state sets another folder")
    })
}

fn options(args: &WorkbenchArgs) -> Result<WorkbenchOptions, Failure> {
    let nub = std::env::current_exe()
        .map_err(|error| Failure::environment(format!("cannot locate the nub executable: {error}")))?;
    let request = WorkbenchRequest {
        paths: args.paths.clone(),
        programs: args.programs.clone(),
        port: args.port,
        state: args.state.clone(),
        nub,
    };
    request.options(&JobContext::of_process()?.settings)
}
