//! Replay of the tests in the compiled program, under sanitizers.

use super::args::{Harness, ProgramArgs};
use super::write::{absolute, c_text};
use crate::exit::{Exit, Failure};
use nub_cover::report::Report;
use nub_process::{Cancel, Command, End, Input, Limits, Outcome, Runner};
use nub_store::{Scratch, TempRoot};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// Compiling, and running all tests, each take at most so long.
const MAX_SECONDS: u64 = 60;

/// Compiles the C file with the tests and runs it. A test that ends differently is a defect of this program.
pub fn replay(args: &ProgramArgs, reports: &[Report]) -> Result<(), Failure> {
    if args.data_model != "lp64" {
        return Err(Failure::usage("--native runs the tests on this machine: its data model is lp64"));
    }
    let environment = |error: String| Failure::new(Exit::Environment, error);
    let runner = Runner::new().map_err(|error| environment(error.to_string()))?;
    let root = TempRoot::open(&std::env::temp_dir())?;
    let scratch = Scratch::new(root.path(), 0)?;
    for report in reports.iter().filter(|report| !report.tests.is_empty()) {
        let text = c_text(Harness::Plain, report, &absolute(&args.input).to_string_lossy());
        let file = scratch.write("tests.c", text.as_bytes())?;
        let program = file.with_extension("run");
        compile(args, &runner, &file, &program)?;
        let outcome = run(&runner, program.into_os_string(), Vec::new())?;
        if outcome.end != End::Exit(0) {
            let said = String::from_utf8_lossy(&outcome.stdout.bytes).into_owned()
                + &String::from_utf8_lossy(&outcome.stderr.bytes);
            let message = format!("the compiled program does not do what the tests say\n{}", said.trim_end());
            return Err(Failure::new(Exit::Internal, message));
        }
    }
    Ok(())
}

fn compile(args: &ProgramArgs, runner: &Runner, file: &Path, program: &Path) -> Result<(), Failure> {
    let mut words: Vec<OsString> =
        ["-w", "-g", "-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"]
            .map(OsString::from)
            .into();
    words.extend(args.define.iter().map(|name| OsString::from(format!("-D{name}"))));
    for folder in &args.include {
        words.extend(["-I".into(), absolute(folder).into_os_string()]);
    }
    words.extend(["-o".into(), program.as_os_str().to_owned(), file.as_os_str().to_owned()]);
    let outcome = run(runner, args.cc.clone(), words)?;
    if outcome.end == End::Exit(0) {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&outcome.stderr.bytes).trim_end().to_owned();
    Err(Failure::new(Exit::Environment, format!("the tests could not be compiled\n{said}")))
}

fn run(runner: &Runner, program: OsString, args: Vec<OsString>) -> Result<Outcome, Failure> {
    let command = Command { program, args, folder: None, env: Vec::new(), input: Input::Null };
    let limits = Limits { wall: Some(Duration::from_secs(MAX_SECONDS)), ..Limits::default() };
    runner
        .run(&command, &limits, &Cancel::new())
        .map_err(|error| Failure::new(Exit::Environment, error.to_string()))
}
