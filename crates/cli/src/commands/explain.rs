//! `nub explain`: why an assertion fails, by the closest run that passes.

use super::cover::args::{Criterion, Mcdc, ProgramArgs};
use super::cover::program::Loaded;
use super::cover::start_timer;
use crate::exit::{Exit, Failure};
use crate::sanitize::sanitize;
use clap::Args;
use nub_c_ir::FunctionId;
use nub_explain::{Explanation, Options, Refusal, Source, explain, text};
use nub_sat::Limits;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// What the command does, for its help.
pub const ABOUT: &str = "\
Say why an assertion of a C program fails.

A run that fails is compared with the run that passes and differs in the fewest values, inputs, assignments, branches and values \
where paths meet; that no other run is closer is proved. The differences are shown in the order of the source. Both runs are replayed in an interpreter before anything is printed.";

/// Examples, for its help.
pub const EXAMPLES: &str = "\
Examples:
  nub explain minmax.c                              the first assertion that can fail
  nub explain lock.c -f take --unwind 4             a function, and at most 4 rounds of each loop
  nub explain minmax.c --input a=1,b=0,c=1          this run, not any that fails
  nub explain minmax.c --line 15 --json             one assertion; for programs";

/// Options of `nub explain`.
#[derive(Args, Clone, Debug)]
pub struct ExplainArgs {
    /// A C file. It is preprocessed with `cc -E` unless that was done already
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// Where runs start; `main` if there is one, or the only function
    #[arg(short, long, value_name = "NAME")]
    function: Option<String>,
    /// Rounds of each loop
    #[arg(long, value_name = "N", default_value_t = 8)]
    unwind: u32,
    /// Only assertions at this line
    #[arg(long, value_name = "N")]
    line: Option<u32>,
    /// Inputs of the run that fails; those that are not named are found
    #[arg(long = "input", value_name = "NAME=VALUE", value_delimiter = ',', value_parser = input)]
    input_values: Vec<(String, i128)>,
    /// Global variables are inputs too
    #[arg(long)]
    globals: bool,
    /// Stop after so many seconds, with the closest run so far and the bounds on the distance
    #[arg(long, value_name = "SECONDS", value_parser = super::cover::args::seconds)]
    timeout: Option<Duration>,
    /// Widths of the integer types: lp64, ilp32, int16, or a file with lines such as `int_bitlength: 16`
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    data_model: String,
    /// The C compiler, for preprocessing
    #[arg(long, value_name = "PROGRAM", default_value = "cc")]
    cc: OsString,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Look for headers there
    #[arg(short = 'I', value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// Show first which of the differences suffice. A variable that vanished when conditions were simplified is passed over here
    #[arg(long)]
    slices: bool,
    /// Print the explanation as JSON
    #[arg(long)]
    json: bool,
}

fn input(text: &str) -> Result<(String, i128), String> {
    let (name, value) = text.rsplit_once('=').ok_or("NAME=VALUE is expected")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not a number"))?;
    Ok((name.trim().to_owned(), value))
}

/// Runs the command.
pub fn run(args: &ExplainArgs) -> Result<Exit, Failure> {
    let loaded = Loaded::read(&program_args(args))?;
    let function = function(&loaded, args)?;
    let file = sanitize(args.input.as_os_str().as_encoded_bytes());
    let source = Source { program: &loaded.program, text: &loaded.text, file: &file };
    let found = explain(source, function, &options(args)).map_err(|refusal| failure(&loaded, refusal))?;
    let report = if args.json { json(&found)? } else { text(&found) };
    // A broken pipe ends quietly.
    let _ = std::io::stdout().lock().write_all(report.as_bytes());
    Ok(Exit::Done)
}

fn json(found: &Explanation) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(found);
    text.map(|text| text + "\n").map_err(|error| Failure::new(Exit::Internal, error.to_string()))
}

fn function(loaded: &Loaded, args: &ExplainArgs) -> Result<FunctionId, Failure> {
    let main = loaded.program.function_by_name("main").filter(|_| args.function.is_none());
    main.map_or_else(|| loaded.function(args.function.as_deref()), Ok)
}

/// A program is read as for `nub cover`.
fn program_args(args: &ExplainArgs) -> ProgramArgs {
    ProgramArgs {
        input: args.input.clone(),
        function: args.function.clone(),
        criterion: vec![Criterion::Statement],
        mcdc: Mcdc::Masking,
        evaluate_all: false,
        data_model: args.data_model.clone(),
        unwind: Some(args.unwind),
        timeout: args.timeout,
        seed: 0,
        globals: args.globals,
        elements: 1,
        cc: args.cc.clone(),
        define: args.define.clone(),
        include: args.include.clone(),
    }
}

/// Starts the clock.
fn options(args: &ExplainArgs) -> Options {
    let limits = Limits::none();
    if let Some(time) = args.timeout {
        start_timer(time, limits.cancel.clone());
    }
    let globals = if args.globals { nub_unroll::Globals::Inputs } else { nub_unroll::Globals::Initial };
    let unroll = nub_unroll::Config {
        unwind: args.unwind,
        recursion: args.unwind.max(1),
        globals,
        ..nub_unroll::Config::default()
    };
    let max_slices = if args.slices { Options::default().max_slices } else { 0 };
    Options { max_slices, unroll, property: args.line, inputs: args.input_values.clone(), limits }
}

fn failure(loaded: &Loaded, refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Unsupported(found) => loaded.failure(&found),
        Refusal::TooLarge(message) => Failure::usage(message).with_hint("a smaller --unwind may help"),
        Refusal::Internal(message) => Failure::new(Exit::Internal, message),
        other => Failure::usage(other.to_string()),
    }
}
