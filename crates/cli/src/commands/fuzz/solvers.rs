//! From what the user wrote to solvers that work here: found, asked for their version, options they refuse left out.

use super::args::SolverArgs;
use crate::exit::{Exit, Failure};
use crate::words;
use nub_fuzz::{Bench, Language, OptionSet, Probe, Role, RunLimits, Solver, Table, observe};
use nub_process::{Cancel, Command, Input, Limits, Runner};
use std::path::Path;
use std::time::Duration;

/// Time for `--version`.
const VERSION_TIME: Duration = Duration::from_secs(5);
/// Characters of a version that are kept.
const MAX_VERSION: usize = 100;

/// The name of the built-in solver.
pub const BUILT_IN: &str = "nub";
const BUILT_IN_TABLE: &str = "program nub\nlanguages smtlib btor dimacs\nbatch reset\n";

/// All solvers, the built-in one last.
pub fn solvers(args: &SolverArgs, runner: &Runner) -> Result<Vec<Solver>, Failure> {
    let mut solvers: Vec<Solver> = Vec::new();
    for text in &args.solvers {
        let mut solver = as_written(args, text)?;
        solver.version = version(runner, &solver.command[0])?;
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
        solvers.push(built_in()?);
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
        .map_err(|error| Failure::new(Exit::Internal, format!("the table of nub: {}", error.reason)))
}

fn built_in() -> Result<Solver, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::new(Exit::Environment, format!("cannot find myself: {error}")))?;
    let table = own_table()?;
    Ok(Solver {
        name: BUILT_IN.to_owned(),
        command: vec![program.to_string_lossy().into_owned(), "solve".to_owned()],
        role: Role::Reference,
        table,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// A solver as its option says, not run yet: it has no version.
pub fn as_written(args: &SolverArgs, text: &str) -> Result<Solver, Failure> {
    let (name, command) = match text.split_once('=') {
        Some((name, command)) if is_name(name) => (Some(name), command),
        _ => (None, text),
    };
    let words = words::split(command).map_err(|error| Failure::usage(format!("--solver {text}: {error}")))?;
    let mut command: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let Some(program) = command.first_mut() else {
        return Err(Failure::usage(format!("--solver {text}: there is no command")));
    };
    let file_name =
        Path::new(program).file_name().map_or(program.clone(), |name| name.to_string_lossy().into_owned());
    if program.contains('/') {
        let path = std::path::absolute(&*program)
            .map_err(|error| Failure::new(Exit::Environment, error.to_string()))?;
        *program = path.to_string_lossy().into_owned();
    }
    let name = name.map_or(file_name.clone(), str::to_owned);
    let table = match table_file(args, &name)? {
        Some(table) => table,
        None if is_nub(&command) => own_table()?,
        None => Table::for_program(&file_name).or_else(|| Table::for_program(&name)).unwrap_or_default(),
    };
    Ok(Solver { name, command, role: Role::Tested, table, version: String::new() })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.+".contains(letter))
}

fn table_file(args: &SolverArgs, name: &str) -> Result<Option<Table>, Failure> {
    let given = args.options.iter().filter_map(|text| text.split_once('='));
    let Some((_, path)) = given.rev().find(|(solver, _)| *solver == name) else { return Ok(None) };
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read {path}: {error}")))?;
    let table = Table::parse(&text)
        .map_err(|error| Failure::usage(format!("{path}:{}: {}", error.line, error.reason)))?;
    Ok(Some(table))
}

/// The first line of what it says to `--version`, if it says anything. A program that cannot be started is an error.
fn version(runner: &Runner, program: &str) -> Result<String, Failure> {
    let command = Command {
        program: program.into(),
        args: vec!["--version".into()],
        folder: None,
        env: Vec::new(),
        input: Input::Null,
    };
    let limits = Limits { wall: Some(VERSION_TIME), ..Limits::default() };
    let outcome =
        runner.run(&command, &limits, &Cancel::new()).map_err(|error| Failure::usage(error.to_string()))?;
    let text = [outcome.stdout.bytes, outcome.stderr.bytes].concat();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("unknown");
    Ok(line.chars().filter(|letter| !letter.is_control()).take(MAX_VERSION).collect())
}

/// A small input that every solver answers with `sat`.
fn probe_text(language: Language) -> &'static [u8] {
    match language {
        Language::SmtLib => {
            b"(set-logic QF_BV)\n(declare-const x (_ BitVec 2))\n(assert (= x #b01))\n(check-sat)\n"
        }
        Language::Btor => b"1 var 1\n2 root 1 1\n",
        Language::Btor2 => b"1 sort bitvec 1\n2 input 1\n3 bad 2\n",
        Language::Dimacs => b"p cnf 1 1\n1 0\n",
    }
}

/// Runs each solver once on a trivial input and, if options are tried, leaves out those that it refuses.
pub fn try_out(
    solvers: &mut [Solver],
    language: Language,
    bench: &Bench,
    tries_options: bool,
) -> Result<Vec<String>, Failure> {
    let mut notes = Vec::new();
    for solver in solvers.iter_mut().filter(|solver| solver.role == Role::Tested && solver.reads(language)) {
        if !answers(bench, solver, &OptionSet::default(), language)? {
            notes.push(format!("{} gives no answer to a trivial input", solver.name));
            continue;
        }
        if !tries_options {
            continue;
        }
        let mut refused: Vec<Probe> = Vec::new();
        for probe in solver.table.probes(language) {
            if !answers(bench, solver, &probe.set, language)? {
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

fn answers(bench: &Bench, solver: &Solver, options: &OptionSet, language: Language) -> Result<bool, Failure> {
    let outcome = bench
        .run(solver, options, probe_text(language), language)
        .map_err(|error| Failure::new(Exit::Environment, error.to_string()))?;
    let reading = observe(&outcome, language).reading;
    Ok(!reading.answers.is_empty() && reading.errors.is_empty())
}

/// The limits of a run.
pub fn limits(args: &SolverArgs) -> RunLimits {
    RunLimits { wall: args.timeout, memory: args.memory.saturating_mul(1 << 20), ..RunLimits::default() }
}
