//! `nub cover`: the fewest tests that cover a C function.

pub mod args;
mod native;
mod split;
mod write;

use crate::commands::c_program::{LoadArgs, Loaded, progress, start_timer};
use crate::exit::{Exit, Failure};
use crate::sanitize::sanitize;
use args::{CoverArgs, CoverCommand, ProgramArgs, RunArgs};
use nub_c_ir::FunctionId;
use nub_cover::describe::Source;
use nub_cover::mutants::{Mutation, ReadText};
use nub_cover::report::Report;
use nub_cover::{Error, ExistingTest, Memory, Options, UndefinedBehaviour, Unwind, output, read_tests};
use nub_sat::Limits;
use std::io::Write;

/// Rounds of loops at most, unless --unwind says.
const MAX_UNWIND: u32 = 64;
/// Elements behind a pointer to begin with, unless --elements says.
const FIRST_ELEMENTS: u64 = 8;
/// And at most.
const MAX_ELEMENTS: u64 = 64;

/// Warnings about functions without a body that are shown.
const MAX_WARNINGS: usize = 5;

/// The search gets so much of the time: the proof is checked, and the tests are made readable, in the rest.
const SEARCH_SHARE: f64 = 0.8;

/// Runs the command.
pub fn run(args: &CoverArgs) -> Result<Exit, Failure> {
    match (&args.command, &args.program) {
        (Some(CoverCommand::Encode(args)), _) => split::encode(args),
        (Some(CoverCommand::Decode(args)), _) => split::decode(args),
        (None, Some(program)) => search(program, &args.load, &args.run),
        (None, None) => Err(Failure::usage("a C file is missing")),
    }
}

fn search(program: &ProgramArgs, load: &LoadArgs, args: &RunArgs) -> Result<Exit, Failure> {
    write::check_names(program, args)?;
    if program.calls > 1 && program.criterion.contains(&args::Criterion::Path) {
        return Err(Failure::usage(
            "--calls does not go with the criterion path: paths are those of one call",
        ));
    }
    let existing = args.tests.as_deref().map(existing).transpose()?.unwrap_or_default();
    let (loaded, function) = read(program, load)?;
    let undefined = if args.ub { UndefinedBehaviour::Listed } else { UndefinedBehaviour::Excluded };
    let mutation = Some(mutation(program, (&loaded, function), args.mutants));
    let options = Options { existing, max_tests: args.max_tests, undefined, mutation, ..options(program) };
    let replay = native::Replay::start(program, load, args, &loaded, function);
    let watching = progress::watch("searching", "--timeout N stops with the best so far");
    let mut reports = cover(&loaded, function, &options)?;
    drop(watching);
    // Text without line markers does not say where it comes from.
    for report in reports.iter_mut().filter(|report| report.file.is_empty()) {
        report.file = sanitize(program.input.as_os_str().as_encoded_bytes());
    }
    let limit = &options.closing.cancel;
    replay.finish(program, load, args, (&loaded, function), (&mut reports, limit))?;
    write::write_all(program, args, &reports)?;
    print(args, &reports);
    Ok(grade(args, &reports))
}

/// Mutants are read as the program was.
fn mutation(
    args: &ProgramArgs,
    (loaded, function): (&Loaded, FunctionId),
    wanted: Option<usize>,
) -> Mutation {
    let name = loaded.program.function(function).name.clone();
    let (model, stub_missing) = (loaded.program.model.clone(), args.stub_missing);
    let read = ReadText::new(move |text, mutants| {
        let (unit, _) = nub_c_syntax::parse(text);
        let (mut program, _) = nub_c_ir::lower(&unit, &model);
        program.let_allocations_fail();
        program.add_callbacks();
        if stub_missing {
            let names = mutants.iter().chain([&name]);
            let ids: Vec<FunctionId> = names.filter_map(|name| program.function_by_name(name)).collect();
            ids.into_iter().for_each(|id| program.supply_missing(id));
        }
        Some(program)
    });
    Mutation { read, wanted }
}

/// The program, and the function under test.
fn read(program: &ProgramArgs, load: &LoadArgs) -> Result<(Loaded, FunctionId), Failure> {
    let mut loaded = Loaded::read(&program.input, load)?;
    let function = loaded.function(program.function.as_deref())?;
    loaded.program.let_allocations_fail();
    loaded.program.add_callbacks();
    if program.stub_missing {
        loaded.program.supply_missing(function);
        for id in loaded.program.supplied.iter().take(MAX_WARNINGS) {
            let name = &loaded.program.function(*id).name;
            eprintln!("warning: `{name}` has no body: it returns what a test says, and changes nothing else");
        }
    }
    Ok((loaded, function))
}

fn existing(path: &std::path::Path) -> Result<Vec<ExistingTest>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
    read_tests(&text).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// What the options about the program say. Starts the clock.
fn options(args: &ProgramArgs) -> Options {
    let (limits, closing) = (Limits::none(), Limits::none());
    if let Some(time) = args.timeout {
        start_timer(time.mul_f64(SEARCH_SHARE), limits.cancel.clone());
        start_timer(time, closing.cancel.clone());
    }
    let globals = if args.globals { nub_unroll::Globals::All } else { nub_unroll::Globals::Initial };
    // A test that follows a null pointer is excluded as undefined; one that only compares it is welcome.
    let pointers = nub_unroll::Pointers {
        elements: args.elements.unwrap_or(FIRST_ELEMENTS),
        characters: args.elements.unwrap_or(FIRST_ELEMENTS),
        may_be_null: true,
        aliases: if args.no_aliases { nub_unroll::Aliases::None } else { nub_unroll::Aliases::SameType },
        ..nub_unroll::Pointers::default()
    };
    Options {
        readings: args.readings(),
        unwind: args.unwind.map_or(Unwind::UpTo(MAX_UNWIND), Unwind::Exactly),
        unroll: nub_unroll::Config { globals, pointers, calls: args.calls, ..nub_unroll::Config::default() },
        memory: if args.elements.is_some() { Memory::Fixed } else { Memory::UpTo(MAX_ELEMENTS) },
        existing: Vec::new(),
        max_tests: None,
        undefined: UndefinedBehaviour::Excluded,
        mutation: None,
        seed: args.seed,
        limits,
        closing,
    }
}

fn cover(loaded: &Loaded, function: FunctionId, options: &Options) -> Result<Vec<Report>, Failure> {
    let source = Source { program: &loaded.program, text: &loaded.text };
    let reports = nub_cover::cover(source, function, options).map_err(|error| failure(loaded, error))?;
    if reports.iter().all(|report| report.goals.is_empty()) {
        return Err(nothing(loaded, function));
    }
    Ok(reports)
}

fn nothing(loaded: &Loaded, function: FunctionId) -> Failure {
    let name = &loaded.program.function(function).name;
    let message = format!("`{name}` has no decisions, so there is nothing to cover");
    Failure::usage(message).with_hint("--criterion statement asks for its statements")
}

fn print(args: &RunArgs, reports: &[Report]) {
    let text = match () {
        () if args.json => output::json(reports),
        () if args.csv => reports.iter().map(output::csv).collect(),
        () => reports.iter().map(output::table).collect::<Vec<_>>().join("\n"),
    };
    // A broken pipe ends quietly.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

fn grade(args: &RunArgs, reports: &[Report]) -> Exit {
    let Some(wanted) = args.fail_under else { return Exit::Done };
    let is_below = |report: &&Report| report.summary.percent() < wanted;
    for report in reports.iter().filter(is_below) {
        eprintln!("{}: {:.1} % is less than {wanted} %", report.criterion, report.summary.percent());
    }
    if reports.iter().any(|report| is_below(&report)) { Exit::NotReduced } else { Exit::Done }
}

fn failure(loaded: &Loaded, error: Error) -> Failure {
    match error {
        Error::Refused(found) => loaded.failure(&found),
        Error::TooManyWays(found) => loaded.failure(&[found]),
        Error::BadTest(message) => Failure::usage(message),
        Error::TooLarge(message) => Failure::usage(message).with_hint("a smaller --unwind may help"),
        Error::Internal(message) => Failure::new(Exit::Internal, message),
    }
}
