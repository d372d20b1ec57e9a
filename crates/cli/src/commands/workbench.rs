//! `nub workbench`: a local page for everything that nub does.

use crate::exit::Exit;
use crate::signals::{FirstSignal, Interrupt};
use clap::Args;
use nub_jobs::{Failure, JobContext, JobControl, split_words};
use nub_store::{RealFs, commit, create_folder};
use nub_workbench::{
    CRASH_PROGRAM, CRASH_SCRIPT, DEFECTIVE, Listening, RegisteredProgram, Workbench, WorkbenchOptions,
};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Solvers that are registered by their own names if they are installed.
const SOLVERS: [&str; 5] = ["z3", "cvc5", "bitwuzla", "boolector", "yices-smt2"];

pub const ABOUT: &str = "\
Show nub in the browser: open, reduce, fuzz, cover and explain.

A server on this machine prints an address. Open it in your browser; it is valid once. The page sees files below the given \
folders only, and runs programs only by the names that they are registered with here. Ctrl-C ends the server; jobs and \
their results stay, and are there again next time.";

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
    // A broken pipe ends quietly, and here it ends nothing.
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
            .with_hint("--port 0 takes any free port; --state names another folder")
    })
}

fn options(args: &WorkbenchArgs) -> Result<WorkbenchOptions, Failure> {
    let nub = std::env::current_exe()
        .map_err(|error| Failure::environment(format!("cannot locate the nub executable: {error}")))?;
    let (folders, files) = folders_and_files(&args.paths)?;
    let state = args.state.clone().unwrap_or_else(|| folders[0].join(".nub-workbench"));
    create_folder(&RealFs, &state)?;
    let mut programs = args.programs.iter().map(|text| registered(text)).collect::<Result<Vec<_>, _>>()?;
    programs.extend(of_settings()?);
    programs.extend(SOLVERS.into_iter().filter(|name| is_installed(name)).map(|name| plain(name, &[name])));
    programs.extend(example_programs(&state, &nub)?);
    let state = absolute(&state);
    Ok(WorkbenchOptions { folders, files, state, programs, port: args.port, nub })
}

/// Folders as they are given; those of files too.
fn folders_and_files(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Failure> {
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for path in paths {
        let found = path.canonicalize();
        let path =
            found.map_err(|error| Failure::usage(format!("cannot open {}: {error}", path.display())))?;
        if path.is_dir() {
            folders.push(path);
        } else {
            folders.extend(path.parent().map(Path::to_owned));
            files.push(path);
        }
    }
    if folders.is_empty() {
        folders.push(absolute(Path::new(".")));
    }
    Ok((folders, files))
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// `NAME=COMMAND`, split as a shell would. A program with a slash is meant from here, wherever it runs.
fn registered(text: &str) -> Result<RegisteredProgram, Failure> {
    let wrong = |why: &str| {
        Failure::usage(format!("--program {text}: {why}")).with_hint("--program NAME='COMMAND ARGUMENTS'")
    };
    let (name, command) = text.split_once('=').ok_or_else(|| wrong("there is no `=`"))?;
    let mut command = split_words(command).map_err(|error| wrong(&error.to_string()))?;
    let first =
        command.first_mut().filter(|_| !name.is_empty()).ok_or_else(|| wrong("name or command is empty"))?;
    if first.to_string_lossy().contains('/') {
        *first = absolute(Path::new(&*first)).into_os_string();
    }
    Ok(RegisteredProgram { name: name.to_owned(), command })
}

/// Programs of `nub.toml`.
fn of_settings() -> Result<Vec<RegisteredProgram>, Failure> {
    let settings = JobContext::of_process()?.settings;
    let programs =
        settings.iter().filter_map(|(key, setting)| Some((key.strip_prefix("programs.")?, setting)));
    programs.map(|(name, setting)| registered(&format!("{name}={}", setting.value))).collect()
}

fn is_installed(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

fn plain(name: &str, words: &[&str]) -> RegisteredProgram {
    RegisteredProgram { name: name.to_owned(), command: words.iter().map(Into::into).collect() }
}

/// The solvers of the examples: one that crashes, and one with a wrong rule.
fn example_programs(state: &Path, nub: &Path) -> Result<[RegisteredProgram; 2], Failure> {
    let script = state.join("crash.sh");
    commit(&RealFs, &script, CRASH_SCRIPT.as_bytes())?;
    let script = absolute(&script).to_string_lossy().into_owned();
    let nub = nub.to_string_lossy();
    Ok([plain(CRASH_PROGRAM, &["sh", &script]), plain(DEFECTIVE, &[&nub, "solve", "--planted-defect"])])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_names() {
        let program = registered("new=z3 -st 'a b'").unwrap();
        assert_eq!((program.name.as_str(), program.command.len()), ("new", 3));
        for wrong in ["z3", "=z3", "a=", "a='"] {
            assert!(registered(wrong).is_err(), "{wrong}");
        }
    }
}
