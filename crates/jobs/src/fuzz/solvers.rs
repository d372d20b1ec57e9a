//! Translates the user's options into working solvers: locates them, asks for their version, and removes options
//! that they reject.

use crate::context::JobContext;
use crate::failure::{Failure, FailureKind};
use crate::request::SolverOptions;
use crate::unreadable::unreadable;
use crate::words;
use nub_fleet::{Build, REGISTERED};
use nub_fuzz::{
    Bench, BenchError, Feed, FuzzedSolver, Language, OptionSet, Probe, RunLimits, SolverRole, Table, observe,
};
use nub_process::{Cancel, ChildInput, Command, ProcessEnd, ProcessLimits, RunError, Runner};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time for `--version`.
const VERSION_TIME: Duration = Duration::from_secs(5);
/// Characters of a version that are kept.
const MAX_VERSION: usize = 100;

/// The name of the built-in solver.
pub const BUILT_IN: &str = "nub";
const BUILT_IN_TABLE: &str = "program nub\nlanguages smtlib btor dimacs\nbatch reset\n";

/// All solvers, the built-in one last.
pub fn solvers(
    args: &SolverOptions,
    context: &JobContext,
    runner: &Runner,
) -> Result<Vec<FuzzedSolver>, Failure> {
    let mut solvers: Vec<FuzzedSolver> = Vec::new();
    for text in &args.solvers {
        let mut solver = as_written(args, text)?;
        solver.version = version(runner, &solver.command)?;
        if solvers.iter().any(|other| other.name == solver.name) || solver.name == BUILT_IN {
            return Err(Failure::usage(format!("there are two solvers named {}", solver.name))
                .with_hint("give them names: --solver 'old=./z3-4.8.7' --solver 'new=./z3'"));
        }
        solvers.push(solver);
    }
    for text in &args.options {
        let name = text.split_once('=').map_or("", |(name, _)| name);
        if !solvers.iter().any(|solver| solver.name == name) {
            return Err(Failure::usage(format!("--options {text}: there is no solver of that name")));
        }
    }
    if !args.no_built_in {
        solvers.push(built_in(context, args)?);
    }
    Ok(solvers)
}

/// Solvers on other machines, the built-in one last: their commands are only shown.
pub fn elsewhere(
    args: &SolverOptions,
    context: &JobContext,
    builds: &BTreeMap<String, Build>,
) -> Result<Vec<FuzzedSolver>, Failure> {
    let mut solvers = Vec::new();
    for text in &args.solvers {
        let name = text.trim_start_matches(REGISTERED);
        let Some(build) = builds.get(name) else { continue };
        let solver = as_written(args, &format!("{name}={}", build.command))?;
        solvers.push(FuzzedSolver { version: build.version.clone(), ..solver });
    }
    if !args.no_built_in {
        solvers.push(built_in(context, args)?);
    }
    Ok(solvers)
}

/// Whether a command is nub itself: another build of it, or one with a planted defect.
fn is_nub(command: &[String]) -> bool {
    let program = command.first().and_then(|program| Path::new(program).file_name());
    program.is_some_and(|name| name == BUILT_IN) && command.get(1).is_some_and(|word| word == "solve")
}

fn own_table() -> Result<Table, Failure> {
    Table::parse(BUILT_IN_TABLE)
        .map_err(|error| Failure::new(FailureKind::Internal, format!("the table of nub: {}", error.fault)))
}

fn built_in(context: &JobContext, args: &SolverOptions) -> Result<FuzzedSolver, Failure> {
    let program = &context.program;
    if program.as_os_str().is_empty() {
        return Err(Failure::environment("cannot locate the nub executable"));
    }
    let table = own_table()?;
    let mut command = vec![program.to_string_lossy().into_owned(), "solve".to_owned()];
    if let Some(choice) = &args.sat_solver {
        command.extend(["--sat-solver".to_owned(), choice.clone()]);
    }
    Ok(FuzzedSolver {
        name: BUILT_IN.to_owned(),
        command,
        feed: Feed::File,
        folder: None,
        role: SolverRole::Reference,
        table,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// A solver as given by its option. It has not been run, so its version is unknown.
pub fn as_written(args: &SolverOptions, text: &str) -> Result<FuzzedSolver, Failure> {
    let (name, command) = match text.split_once('=') {
        Some((name, command)) if is_name(name) => (Some(name), command),
        _ => (None, text),
    };
    if command.starts_with(REGISTERED) {
        return Err(Failure::usage(format!("--solver {text}: a name of a program on other machines"))
            .with_hint("--on says which machines; here, give a command"));
    }
    let words = words::split(command).map_err(|error| Failure::usage(format!("--solver {text}: {error}")))?;
    let mut command: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let Some(program) = command.first_mut() else {
        return Err(Failure::usage(format!("--solver {text}: there is no command")));
    };
    let file_name =
        Path::new(program).file_name().map_or(program.clone(), |name| name.to_string_lossy().into_owned());
    if program.contains('/') {
        let path = std::path::absolute(&*program)
            .map_err(|error| Failure::new(FailureKind::Environment, error.to_string()))?;
        *program = path.to_string_lossy().into_owned();
    }
    let name = name.map_or(file_name.clone(), str::to_owned);
    let table = match table_file(args, &name)? {
        Some(table) => table,
        None if is_nub(&command) => own_table()?,
        None => Table::for_program(&file_name).or_else(|| Table::for_program(&name)).unwrap_or_default(),
    };
    let feed = if args.stdin { Feed::Stdin } else { Feed::File };
    Ok(FuzzedSolver {
        name,
        command,
        feed,
        folder: None,
        role: SolverRole::Tested,
        table,
        version: String::new(),
    })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.+".contains(letter))
}

fn table_file(args: &SolverOptions, name: &str) -> Result<Option<Table>, Failure> {
    let given = args.options.iter().filter_map(|text| text.split_once('='));
    let Some((_, path)) = given.rev().find(|(solver, _)| *solver == name) else { return Ok(None) };
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(Path::new(path), &error))?;
    let table = Table::parse(&text)
        .map_err(|error| Failure::usage(format!("{path}:{}: {}", error.line, error.fault)))?;
    Ok(Some(table))
}

/// The first line that it prints with `--version`, if any. A program that cannot be started is an error. Not asked of
/// interpreters, whose version is not that of the script, nor of shells, which would run the rest.
fn version(runner: &Runner, words: &[String]) -> Result<String, Failure> {
    let is_script = words.get(1).is_some_and(|word| !word.starts_with('-') && !word.contains("{}"));
    let asked = if is_script { &words[..2] } else { &words[..1] };
    let command = Command {
        program: asked[0].clone().into(),
        args: asked[1..].iter().map(Into::into).chain(["--version".into()]).collect(),
        folder: None,
        env: Vec::new(),
        input: ChildInput::Null,
    };
    let limits = ProcessLimits { wall: Some(VERSION_TIME), ..ProcessLimits::default() };
    let outcome = runner.run(&command, &limits, &Cancel::new()).map_err(|error| match error {
        RunError::NotFound { .. } => Failure::usage(format!("cannot find the program `{}`", asked[0]))
            .with_hint("a name without a slash is looked up on PATH; write ./name for a file in this folder"),
        error => Failure::usage(error.to_string()),
    })?;
    let text = [outcome.stdout.bytes, outcome.stderr.bytes].concat();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("unknown");
    Ok(line.chars().filter(|letter| !letter.is_control()).take(MAX_VERSION).collect())
}

/// Small inputs that solvers answer with `sat`. A solver that lacks bit-vectors, or has only bit-vectors, supports one of
/// them.
fn probe_texts(language: Language) -> &'static [&'static [u8]] {
    match language {
        Language::SmtLib => &[
            b"(set-logic QF_BV)\n(declare-const x (_ BitVec 2))\n(assert (= x #b01))\n(check-sat)\n",
            b"(set-logic QF_UF)\n(declare-const p Bool)\n(assert p)\n(check-sat)\n",
            b"(set-logic QF_LRA)\n(declare-const x Real)\n(assert (< x 1.0))\n(check-sat)\n",
        ],
        Language::Btor => &[b"1 var 1\n2 root 1 1\n"],
        Language::Btor2 => &[b"1 sort bitvec 1\n2 input 1\n3 bad 2\n"],
        Language::Dimacs => &[b"p cnf 1 1\n1 0\n"],
    }
}

/// Whether options of solvers are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TriedOptions {
    /// Those that a solver does not reject.
    Accepted,
    /// None.
    None,
}

/// Runs each solver once on a trivial input and, if options are tried, removes those that it rejects. A solver that does not
/// answer cannot be tested: every run would look like a finding.
pub fn try_out(
    solvers: &mut [FuzzedSolver],
    language: Language,
    bench: &Bench,
    options: TriedOptions,
    here: &Path,
) -> Result<Vec<String>, Failure> {
    let mut notes = Vec::new();
    for solver in
        solvers.iter_mut().filter(|solver| solver.role == SolverRole::Tested && solver.reads(language))
    {
        let text = match find_probe(bench, solver, language, here)? {
            Probed::Answered(text) => text,
            Probed::AnsweredHere(text, folder) => {
                notes.push(format!("{} runs in the current folder, where its command works", solver.name));
                solver.folder = Some(folder);
                text
            }
        };
        if options == TriedOptions::None {
            continue;
        }
        let mut refused: Vec<Probe> = Vec::new();
        for probe in solver.table.probes(language) {
            if answers(bench, solver, &probe.set, text, language)? != TrivialAnswer::Right {
                refused.push(probe);
            }
        }
        if !refused.is_empty() {
            let names: Vec<String> = refused.iter().map(|probe| probe.set.to_string()).collect();
            notes.push(format!("{} does not take {}", solver.name, names.join(", ")));
            solver.table = solver.table.without(&refused);
        }
    }
    Ok(notes)
}

/// A trivial input that a solver answers.
enum Probed {
    /// In a folder of its own, as all runs have.
    Answered(&'static [u8]),
    /// Only in the user's folder: its command has a relative path.
    AnsweredHere(&'static [u8], PathBuf),
}

fn find_probe(
    bench: &Bench,
    solver: &FuzzedSolver,
    language: Language,
    here: &Path,
) -> Result<Probed, Failure> {
    let none = OptionSet::default();
    let mut said = String::new();
    for text in probe_texts(language) {
        match answers(bench, solver, &none, text, language)? {
            TrivialAnswer::Right => return Ok(Probed::Answered(text)),
            TrivialAnswer::None { said: words } => said = words,
        }
    }
    let moved = FuzzedSolver { folder: Some(here.to_owned()), ..solver.clone() };
    for text in probe_texts(language) {
        if answers(bench, &moved, &none, text, language)? == TrivialAnswer::Right {
            return Ok(Probed::AnsweredHere(text, here.to_owned()));
        }
    }
    let name = &solver.name;
    let said = crate::sanitize::sanitize(said.as_bytes());
    Err(Failure::new(
        FailureKind::Refused,
        format!("{name} does not answer a trivial {} input: {said}", language.name()),
    )
    .with_hint("a solver is tested only if it works: check its command and options"))
}

/// How a solver reacts to a trivial input.
#[derive(PartialEq, Eq)]
enum TrivialAnswer {
    /// It answers without errors.
    Right,
    /// It does not; what it prints or does instead.
    None { said: String },
}

/// Runs a solver on a trivial input.
fn answers(
    bench: &Bench,
    solver: &FuzzedSolver,
    options: &OptionSet,
    text: &[u8],
    language: Language,
) -> Result<TrivialAnswer, Failure> {
    let outcome = match bench.run(solver, options, text, language) {
        Ok(outcome) => outcome,
        Err(BenchError::NoProgram { message, .. }) => return Ok(TrivialAnswer::None { said: message }),
        Err(error) => return Err(Failure::new(FailureKind::Environment, error.to_string())),
    };
    let reading = observe(&outcome, language).reading;
    if !reading.answers.is_empty() && reading.errors.is_empty() {
        return Ok(TrivialAnswer::Right);
    }
    let streams = [&outcome.stderr.bytes, &outcome.stdout.bytes];
    let mut lines = streams.into_iter().flat_map(|stream| stream.split(|&byte| byte == b'\n'));
    let line = lines.find(|line| !line.trim_ascii().is_empty());
    let said = match line {
        Some(line) => String::from_utf8_lossy(line).trim().chars().take(MAX_VERSION).collect(),
        None => match outcome.end {
            ProcessEnd::Exit(status) => format!("it prints nothing and exits with status {status}"),
            ProcessEnd::Signal(signal) => format!("it is killed by signal {signal}"),
            _ => "it reaches a limit".to_owned(),
        },
    };
    Ok(TrivialAnswer::None { said })
}

/// The limits of a run.
pub fn limits(args: &SolverOptions) -> RunLimits {
    RunLimits { wall: args.timeout, memory: args.memory.saturating_mul(1 << 20), ..RunLimits::default() }
}
