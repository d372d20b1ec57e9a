//! Coverage: the fewest tests that cover a C function.

mod native;
pub(crate) mod split;
mod write;

use crate::c_program::LoadedProgram;
use crate::explain::values;
use crate::failure::{Failure, FailureKind};
use crate::handle::Job;
use crate::request::{CoverJob, CoverageCriterion, FunctionOptions, ProgramOptions};
use crate::result::JobResult;
use crate::sanitize::sanitize;
use crate::timer::Timer;
use crate::unreadable::unreadable;
use nub_c_ir::{CheckKind, CheckSet, FunctionId};
use nub_cover::describe::SourceQuotes;
use nub_cover::mutants::{Mutation, ReadText};
use nub_cover::report::CoverReport;
use nub_cover::{
    CoverOptions, Error, ExistingTest, LaterLimits, Memory, UndefinedBehaviour, Unwind, read_tests,
};
use nub_explain::property_kind;
use nub_report::cover::cover_json;
use nub_report::{Document, JobEvent};
use nub_sat::SatLimits;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Maximum number of loop iterations, unless --unwind is given.
const MAX_UNWIND: u32 = 64;
/// Initial number of elements that a pointer points to, unless --elements is given.
const FIRST_ELEMENTS: u64 = 8;
/// Maximum number of elements.
const MAX_ELEMENTS: u64 = 64;

/// Warnings about functions without a body that are shown.
const MAX_WARNINGS: usize = 5;

/// The search gets this share of the time; in the rest the proof is checked and the tests are made readable.
const SEARCH_SHARE: f64 = 0.8;

/// If the function is not unrolled after this share of the time, or not all goals are decided, concrete runs come first.
const FIRST_SHARE: f64 = 0.1;
/// They get this share of the time.
const CONCRETE_SHARE: f64 = 0.2;
/// After this share of the time, calls that are too large to be followed completely are cut.
const WHOLE_SHARE: f64 = 0.45;
/// After this share they are cut sooner.
const CUT_SHARE: f64 = 0.65;

/// Searches for tests, replays them, and writes the requested files.
pub(crate) fn cover(job: &Job, request: &CoverJob) -> Result<JobResult, Failure> {
    write::check_names(request)?;
    if request.function.calls > 1 && request.function.criterion.contains(&CoverageCriterion::Path) {
        return Err(Failure::usage(
            "--calls cannot be combined with the criterion path, which is about single calls",
        ));
    }
    let (loaded, function) = read(job, &request.function, &request.program)?;
    job.searching("searching", "--max-time N stops with the best so far");
    let reports = cover_function(job, request, &loaded, function)?;
    write::write_all(request, &reports, job)?;
    if let Ok(content) = serde_json::from_str(&cover_json(&reports)) {
        job.events.send(JobEvent::Document(Document { of: "cover".to_owned(), content }));
    }
    Ok(JobResult::Cover(reports))
}

/// Which places of undefined behaviour are listed.
fn listed(request: &CoverJob) -> Result<UndefinedBehaviour, Failure> {
    let asked = values::all("--check", &request.program.checks, values::check_kind)?;
    let is_asked = |kind: &CheckKind| asked.contains(&property_kind(*kind));
    let is_listed = |kind: &CheckKind| request.ub && kind.is_rule() || is_asked(kind);
    let kinds: CheckSet = CheckKind::ALL.into_iter().filter(is_listed).collect();
    Ok(if kinds.is_empty() { UndefinedBehaviour::Excluded } else { UndefinedBehaviour::Listed(kinds) })
}

/// Searches for tests of a function and replays them.
pub(crate) fn cover_function(
    job: &Job,
    request: &CoverJob,
    loaded: &LoadedProgram,
    function: FunctionId,
) -> Result<Vec<CoverReport>, Failure> {
    let existing = request.tests.as_deref().map(existing).transpose()?.unwrap_or_default();
    let undefined = listed(request)?;
    let time = request.function.max_time.map(|limit| native::search_time(request.replay, limit));
    let (options, _timers) = options(job, &request.function, time);
    let mutation = Some(mutation(request, loaded, function));
    let options = CoverOptions { existing, max_tests: request.max_tests, undefined, mutation, ..options };
    let replay = native::Replay::start(job, request, loaded, function);
    let mut reports = search(loaded, function, &options)?;
    job.check_sat_solver()?;
    // Text without line markers does not contain its file name.
    for report in reports.iter_mut().filter(|report| report.file.is_empty()) {
        report.file = sanitize(request.function.input.as_os_str().as_encoded_bytes());
    }
    replay.finish(loaded, function, &mut reports, &options.closing.cancel)?;
    Ok(reports)
}

/// Mutants are parsed like the program.
fn mutation(request: &CoverJob, loaded: &LoadedProgram, function: FunctionId) -> Mutation {
    let name = loaded.program.function(function).name.clone();
    let (model, no_stubs) = (loaded.program.model.clone(), request.function.no_stubs);
    let read = ReadText::new(move |text, mutants| {
        let (unit, _) = nub_c_syntax::parse(text);
        let (mut program, _) = nub_c_ir::lower(&unit, &model);
        program.let_allocations_fail();
        program.add_callbacks();
        if !no_stubs {
            let names = mutants.iter().chain([&name]);
            let ids: Vec<FunctionId> = names.filter_map(|name| program.function_by_name(name)).collect();
            ids.iter().for_each(|id| program.supply_missing(*id));
        }
        if let Some(id) = program.function_by_name(&name) {
            program.see_opaque_as_used(id);
            program.give_room(id);
        }
        Some(program)
    });
    Mutation { read, wanted: request.mutants }
}

/// The program, and the function under test.
fn read(
    job: &Job,
    options: &FunctionOptions,
    program: &ProgramOptions,
) -> Result<(LoadedProgram, FunctionId), Failure> {
    let mut loaded = LoadedProgram::read(job, &options.input, program)?;
    let function = loaded.function(options.function.as_deref())?;
    complete(&mut loaded, function, options);
    for id in loaded.program.supplied.iter().take(MAX_WARNINGS) {
        let name = &loaded.program.function(*id).name;
        job.events.warn(format!(
            "`{name}` has no body: tests define what it returns and what it writes through its pointers"
        ));
    }
    let unmodelled = loaded.program.unmodelled(function);
    for found in unmodelled.iter().take(MAX_WARNINGS) {
        let place = loaded.place(found);
        let (path, line, message) = (&place.path, place.line, &found.message);
        job.events.warn(format!(
            "{path}:{line}: {message}: no test reaches it, and decisions inside it are not goals"
        ));
    }
    Ok((loaded, function))
}

/// Adds what the program does not contain: failing allocations, callbacks, stubs of functions without a body, and objects behind opaque
/// pointers.
pub(crate) fn complete(loaded: &mut LoadedProgram, function: FunctionId, options: &FunctionOptions) {
    loaded.program.let_allocations_fail();
    loaded.program.add_callbacks();
    if !options.no_stubs {
        loaded.program.supply_missing(function);
    }
    loaded.program.see_opaque_as_used(function);
    loaded.program.give_room(function);
}

fn existing(path: &std::path::Path) -> Result<Vec<ExistingTest>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    read_tests(&text).map_err(|error| {
        Failure::usage(format!("{}: {error}", path.display())).with_hint(
            "CSV has a line with the names of inputs, then a line per test; `nub cover --csv` prints it",
        )
    })
}

/// The options of the search, and limits for this time. Starts the clock.
fn options(job: &Job, args: &FunctionOptions, time: Option<Duration>) -> (CoverOptions, [Option<Timer>; 5]) {
    let [first, concrete, whole, cut, limits, closing] = [(); 6].map(|()| job.limits(job.control.child()));
    let timers = [
        Timer::within(time.map(|time| time.mul_f64(FIRST_SHARE)), &first.cancel),
        Timer::within(time.map(|time| time.mul_f64(WHOLE_SHARE)), &whole.cancel),
        Timer::within(time.map(|time| time.mul_f64(CUT_SHARE)), &cut.cancel),
        Timer::within(time.map(|time| time.mul_f64(SEARCH_SHARE)), &limits.cancel),
        Timer::within(time, &closing.cancel),
    ];
    let globals = if args.globals { nub_unroll::Globals::All } else { nub_unroll::Globals::Initial };
    // A test that dereferences a null pointer is excluded as undefined; one that only compares it is allowed.
    let pointers = nub_unroll::Pointers {
        elements: args.elements.unwrap_or(FIRST_ELEMENTS),
        characters: args.elements.unwrap_or(FIRST_ELEMENTS),
        may_be_null: true,
        aliases: if args.no_aliases { nub_unroll::Aliases::None } else { nub_unroll::Aliases::SameType },
        ..nub_unroll::Pointers::default()
    };
    let options = CoverOptions {
        readings: args.readings(),
        unwind: args.unwind.map_or(Unwind::UpTo(MAX_UNWIND), Unwind::Exactly),
        unroll: nub_unroll::UnrollConfig {
            globals,
            pointers,
            calls: args.calls,
            ..nub_unroll::UnrollConfig::default()
        },
        memory: if args.elements.is_some() { Memory::Fixed } else { Memory::UpTo(MAX_ELEMENTS) },
        undefined: UndefinedBehaviour::Excluded,
        seed: args.seed,
        first,
        concrete: later(time.map(|time| time.mul_f64(CONCRETE_SHARE)), concrete),
        whole,
        cut,
        limits,
        closing,
        ..CoverOptions::default()
    };
    (options, timers)
}

/// Limits whose time starts when they are needed, each time again. They share pauses with these; what stops the job stops the whole search.
fn later(time: Option<Duration>, limits: SatLimits) -> LaterLimits {
    let timers = Mutex::new(Vec::new());
    LaterLimits::new(move || {
        let started = SatLimits { cancel: limits.cancel.sibling(), ..limits.clone() };
        let timer = Timer::within(time, &started.cancel);
        timers.lock().unwrap_or_else(PoisonError::into_inner).extend(timer);
        started
    })
}

fn search(
    loaded: &LoadedProgram,
    function: FunctionId,
    options: &CoverOptions,
) -> Result<Vec<CoverReport>, Failure> {
    let source = SourceQuotes { program: &loaded.program, text: &loaded.text };
    let reports = nub_cover::cover(source, function, options).map_err(|error| failure(loaded, error))?;
    if reports.iter().all(|report| report.goals.is_empty()) {
        return Err(nothing(loaded, function));
    }
    Ok(reports)
}

fn nothing(loaded: &LoadedProgram, function: FunctionId) -> Failure {
    let name = &loaded.program.function(function).name;
    let message = format!("`{name}` has no decisions, so there is nothing to cover");
    Failure::usage(message).with_hint("--criterion statement covers its statements")
}

fn failure(loaded: &LoadedProgram, error: Error) -> Failure {
    match error {
        Error::Refused(found) => loaded.failure(&found),
        Error::TooManyWays(found) => loaded.failure(&[found]),
        Error::BadTest(number, why) => Failure::usage(format!("test {number}: {why}")),
        Error::TooLarge(message) => Failure::usage(message).with_hint("a smaller --unwind may help"),
        Error::Internal(message) => Failure::new(FailureKind::Internal, message),
    }
}
