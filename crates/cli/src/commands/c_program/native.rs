//! Tests in the compiled program, under sanitizers: the compiler and the machine are the last judges.

use super::LoadArgs;
use crate::exit::{Exit, Failure};
use nub_process::{Cancel, Command, End, Input, Limits, Outcome, Runner};
use nub_store::{Scratch, TempRoot};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// Compiling, and running all tests of a file, each take at most so long.
const MAX_SECONDS: u64 = 60;
/// The data model of the machines that nub runs on.
const HOST_MODEL: &str = "lp64";

/// Compiles C files with tests and runs them.
pub struct Native<'a> {
    args: &'a LoadArgs,
    runner: Runner,
    scratch: Scratch,
    /// Keeps the folder of `scratch`.
    _root: TempRoot,
}

/// Why tests of a program cannot be run here; none if they can. The compiler is asked for its version, nothing else.
pub fn why_not(args: &LoadArgs) -> Option<String> {
    if args.data_model != HOST_MODEL {
        return Some(format!("the data model of this machine is {HOST_MODEL}, not {}", args.data_model));
    }
    let runner = match Runner::new() {
        Ok(runner) => runner,
        Err(error) => return Some(error.to_string()),
    };
    match run(&runner, args.cc.clone(), vec!["--version".into()]) {
        Ok(outcome) if outcome.end == End::Exit(0) => None,
        _ => Some(format!("there is no C compiler `{}`", args.cc.display())),
    }
}

impl<'a> Native<'a> {
    /// A folder for the files, and a runner.
    pub fn new(args: &'a LoadArgs) -> Result<Native<'a>, Failure> {
        if args.data_model != HOST_MODEL {
            let message = format!("tests are run on this machine: its data model is {HOST_MODEL}");
            return Err(Failure::usage(message));
        }
        let runner = Runner::new().map_err(|error| Failure::new(Exit::Environment, error.to_string()))?;
        let root = TempRoot::open(&std::env::temp_dir())?;
        let scratch = Scratch::new(root.path(), 0)?;
        Ok(Native { args, runner, scratch, _root: root })
    }

    /// Compiles this C file and runs it: it must exit with 0. Anything else is a defect of this program.
    pub fn check(&self, text: &str) -> Result<(), Failure> {
        let file = self.scratch.write("tests.c", text.as_bytes())?;
        let program = file.with_extension("run");
        self.compile(&file, &program)?;
        let outcome = run(&self.runner, program.into_os_string(), Vec::new())?;
        if outcome.end == End::Exit(0) {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&outcome.stdout.bytes).into_owned()
            + &String::from_utf8_lossy(&outcome.stderr.bytes);
        let message = format!("the compiled program does not do what the tests say\n{}", said.trim_end());
        Err(Failure::new(Exit::Internal, message))
    }

    fn compile(&self, file: &Path, program: &Path) -> Result<(), Failure> {
        let mut words: Vec<OsString> =
            ["-w", "-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"]
                .map(OsString::from)
                .into();
        words.extend(self.args.compiler_words());
        words.extend(["-o".into(), program.as_os_str().to_owned(), file.as_os_str().to_owned()]);
        let outcome = run(&self.runner, self.args.cc.clone(), words)?;
        if outcome.end == End::Exit(0) {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&outcome.stderr.bytes).trim_end().to_owned();
        Err(Failure::new(Exit::Environment, format!("the tests could not be compiled\n{said}")))
    }
}

fn run(runner: &Runner, program: OsString, args: Vec<OsString>) -> Result<Outcome, Failure> {
    let command = Command { program, args, folder: None, env: Vec::new(), input: Input::Null };
    let limits = Limits { wall: Some(Duration::from_secs(MAX_SECONDS)), ..Limits::default() };
    runner
        .run(&command, &limits, &Cancel::new())
        .map_err(|error| Failure::new(Exit::Environment, error.to_string()))
}
