//! `nub doctor`: which solvers are here; and with a file and a command, is that oracle any good?

use super::reduce::args::OracleArgs;
use super::reduce::{oracle, paths};
use crate::exit::{Exit, Failure};
use crate::sanitize::sanitize;
use crate::signals::Interrupt;
use clap::Args;
use nub_oracle::{Finding, diagnose};
use nub_process::{Cancel, Command, Input, Limits, Runner};
use nub_store::TempRoot;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Programs looked for, with the option that makes them tell their version.
const SOLVERS: [(&str, &str); 16] = [
    ("z3", "--version"),
    ("cvc5", "--version"),
    ("bitwuzla", "--version"),
    ("boolector", "--version"),
    ("yices-smt2", "--version"),
    ("mathsat", "-version"),
    ("opensmt", "--version"),
    ("smtinterpol", "-version"),
    ("stp", "--version"),
    ("cvc4", "--version"),
    ("dreal", "--version"),
    ("vampire", "--version"),
    ("alt-ergo", "--version"),
    ("cadical", "--version"),
    ("kissat", "--version"),
    ("ddsmt", "--version"),
];
const VERSION_LIMIT: Duration = Duration::from_secs(10);

/// Options of `nub doctor`.
#[derive(Args, Clone, Debug)]
pub struct DoctorArgs {
    /// The file that makes the program fail
    #[arg(value_name = "IN")]
    pub input: Option<PathBuf>,
    /// The program and its arguments, after `--`
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
    #[command(flatten)]
    pub oracle: OracleArgs,
}

/// Runs the command.
pub fn run(args: &DoctorArgs) -> Result<Exit, Failure> {
    let cancel = Cancel::new();
    let interrupt = Interrupt::watch(vec![cancel.clone()])
        .map_err(|error| Failure::new(Exit::Environment, format!("cannot watch for signals: {error}")))?;
    let runner = Runner::new()
        .map_err(|error| Failure::new(Exit::Environment, format!("cannot run programs here: {error}")))?;
    let exit = match &args.input {
        Some(input) => examine(args, input, Arc::new(runner), &cancel)?,
        None if args.command.is_empty() && args.oracle.test.is_none() => list_solvers(&runner, &cancel),
        None => {
            return Err(Failure::usage("which file makes it fail?").with_hint("nub doctor IN -- CMD"));
        }
    };
    Ok(interrupt.signal().map_or(exit, Exit::Signal))
}

fn examine(args: &DoctorArgs, input: &Path, runner: Arc<Runner>, cancel: &Cancel) -> Result<Exit, Failure> {
    let original = paths::read_input(input)?;
    let temp = TempRoot::open(&std::env::temp_dir())?;
    let spec = oracle::Spec { oracle: &args.oracle, command: &args.command, input };
    for invocation in oracle::invocations(spec)? {
        print(&format!("command: {}", invocation.shell_line(input, args.oracle.stdin)));
    }
    let findings = diagnose(oracle::config(spec, temp.path())?, runner, &original, cancel);
    for finding in &findings {
        print(&sanitize(finding.to_string().as_bytes()));
        if let Some(hint) = hint(finding) {
            print(&format!("  hint: {hint}"));
        }
    }
    let is_fine = findings.iter().any(|finding| matches!(finding, Finding::Fine { .. }));
    let cannot_run = findings.iter().any(|finding| matches!(finding, Finding::CannotRun(_)));
    Ok(match (is_fine, cannot_run) {
        (true, _) => Exit::Done,
        (false, true) => Exit::Usage,
        (false, false) => Exit::Refused,
    })
}

fn hint(finding: &Finding) -> Option<&'static str> {
    Some(match finding {
        Finding::CannotRun(refusal) => refusal.hint(),
        Finding::DoesNotFail { .. } => {
            "run the command by hand; a script must exit with 0 when the failure is there"
        }
        Finding::DoesNotEnd { .. } => "--hang if that is the failure, or a longer --timeout",
        Finding::DependsOnFolder { .. } => "use absolute paths inside the script",
        Finding::Flaky { .. } => "--flaky reduces with votes; better is a fixed seed or one thread",
        Finding::UnstableOutput { .. } => {
            "--match-out or --match-err for the part that stays, or --ignore-output"
        }
        Finding::Slow { .. } => "--timeout cuts runs that take even longer; more --jobs help",
        Finding::EmptyFails => "name the failure with --match-out or --match-err",
        Finding::Fine { .. } | Finding::Strays { .. } | Finding::WritesBeside { .. } => return None,
    })
}

fn list_solvers(runner: &Runner, cancel: &Cancel) -> Exit {
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    let mut n_found = 0;
    for (name, option) in SOLVERS {
        let Some(program) = find(&search_path, name) else { continue };
        n_found += 1;
        let version = version(runner, cancel, &program, option);
        print(&format!("{name:<12} {version:<40} {}", program.display()));
    }
    if n_found == 0 {
        print("no solver found on PATH; any other program works as well: nub reduce IN -- ./program");
    }
    Exit::Done
}

fn find(search_path: &OsStr, name: &str) -> Option<PathBuf> {
    std::env::split_paths(search_path).map(|folder| folder.join(name)).find(|path| {
        path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    })
}

/// The first line that has a digit; banners come first.
fn version(runner: &Runner, cancel: &Cancel, program: &Path, option: &str) -> String {
    let command = Command {
        program: program.into(),
        args: vec![option.into()],
        folder: None,
        env: Vec::new(),
        input: Input::Null,
    };
    let limits = Limits { wall: Some(VERSION_LIMIT), keep_output: 1 << 16, ..Limits::default() };
    let Ok(outcome) = runner.run(&command, &limits, cancel) else { return "cannot be run".to_owned() };
    let output = [outcome.stdout.bytes, outcome.stderr.bytes].concat();
    let mut lines = output.split(|&byte| byte == b'\n');
    let line = lines.find(|line| line.iter().any(u8::is_ascii_digit)).unwrap_or_default();
    sanitize(line).chars().take(40).collect()
}

/// A broken pipe ends quietly.
fn print(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
