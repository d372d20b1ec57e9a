//! Lists the installed solvers or, given a file and a command, checks whether that oracle can be used.

use crate::failure::Failure;
use crate::handle::Job;
use crate::reduce::{oracle, paths};
use crate::request::DoctorJob;
use crate::result::{DoctorResult, JobResult};
use crate::sanitize::sanitize;
use nub_oracle::{DoctorFinding, diagnose};
use nub_process::{Cancel, ChildInput, Command, ProcessLimits, Runner};
use nub_store::TempRoot;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Programs to look for, with the option that prints their version.
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

/// Examines an oracle, or lists solvers.
pub(crate) fn examine(job: &Job, request: &DoctorJob) -> Result<JobResult, Failure> {
    let cancel = job.control.child();
    let result = match &request.input {
        Some(input) => examine_oracle(job, request, input, &cancel)?,
        None if request.command.is_empty() && request.oracle.test.is_none() => {
            list_solvers(job, &*job.context.runner()?, &cancel)
        }
        None => {
            return Err(Failure::usage("no input file was given").with_hint("nub doctor IN -- CMD"));
        }
    };
    Ok(JobResult::Doctor(result))
}

fn examine_oracle(
    job: &Job,
    request: &DoctorJob,
    input: &Path,
    cancel: &Cancel,
) -> Result<DoctorResult, Failure> {
    let original = paths::read_input(job, input)?;
    let temp = TempRoot::open(&job.context.temp)?;
    let spec = oracle::Spec { oracle: &request.oracle, command: &request.command, input, jobs: None };
    for invocation in oracle::invocations(spec)? {
        tell(job, &format!("command: {}", invocation.shell_line(input, request.oracle.feed())));
    }
    let config = oracle::config(spec, &job.context, temp.path())?;
    let findings = diagnose(config, job.context.runner()?, &original, cancel);
    for finding in &findings {
        tell(job, &sanitize(finding.to_string().as_bytes()));
        if let Some(hint) = hint(finding) {
            tell(job, &format!("  hint: {hint}"));
        }
    }
    let is_fine = findings.iter().any(|finding| matches!(finding, DoctorFinding::Fine { .. }));
    let cannot_run = findings.iter().any(|finding| matches!(finding, DoctorFinding::CannotRun(_)));
    Ok(match (is_fine, cannot_run) {
        (true, _) => DoctorResult::Fine,
        (false, true) => DoctorResult::CannotRun,
        (false, false) => DoctorResult::Unfit,
    })
}

fn hint(finding: &DoctorFinding) -> Option<&'static str> {
    Some(match finding {
        DoctorFinding::CannotRun(refusal) => refusal.hint(),
        DoctorFinding::DoesNotFail { .. } => {
            "run the command by hand; a script must exit with 0 if the failure occurs"
        }
        DoctorFinding::DoesNotEnd { .. } => "--hang if that is the failure, or a longer --timeout",
        DoctorFinding::DependsOnFolder { .. } => "use absolute paths inside the script",
        DoctorFinding::Flaky { .. } => "--flaky reduces with votes; better is a fixed seed or one thread",
        DoctorFinding::UnstableOutput { .. } => {
            "--match-out or --match-err for the part that stays, or --ignore-output"
        }
        DoctorFinding::Slow { .. } => "--timeout stops slower runs; more --jobs run in parallel",
        DoctorFinding::EmptyFails => "name the failure with --match-out or --match-err",
        DoctorFinding::Fine { .. } | DoctorFinding::Strays { .. } | DoctorFinding::WritesBeside { .. } => {
            return None;
        }
    })
}

fn list_solvers(job: &Job, runner: &Runner, cancel: &Cancel) -> DoctorResult {
    let search_path = &job.context.search_path;
    let mut n_found = 0;
    for (name, option) in SOLVERS {
        let Some(program) = find(search_path, name) else { continue };
        n_found += 1;
        let version = version(runner, cancel, &program, option);
        tell(job, &format!("{name:<12} {version:<40} {}", program.display()));
    }
    if n_found == 0 {
        tell(job, "no solver found on PATH; any other program works as well: nub reduce IN -- ./program");
    }
    DoctorResult::Fine
}

fn find(search_path: &OsStr, name: &str) -> Option<PathBuf> {
    std::env::split_paths(search_path).map(|folder| folder.join(name)).find(|path| {
        path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    })
}

/// The first line with a digit; banners may precede it.
fn version(runner: &Runner, cancel: &Cancel, program: &Path, option: &str) -> String {
    let command = Command {
        program: program.into(),
        args: vec![option.into()],
        folder: None,
        env: Vec::new(),
        input: ChildInput::Null,
    };
    let limits =
        ProcessLimits { wall: Some(VERSION_LIMIT), keep_output: 1 << 16, ..ProcessLimits::default() };
    let Ok(outcome) = runner.run(&command, &limits, cancel) else { return "cannot be run".to_owned() };
    let output = [outcome.stdout.bytes, outcome.stderr.bytes].concat();
    let mut lines = output.split(|&byte| byte == b'\n');
    let line = lines.find(|line| line.iter().any(u8::is_ascii_digit)).unwrap_or_default();
    sanitize(line).chars().take(40).collect()
}

fn tell(job: &Job, line: &str) {
    job.events.output(format!("{line}\n").as_bytes());
}
