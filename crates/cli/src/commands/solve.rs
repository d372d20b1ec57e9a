//! `nub solve`: the built-in solver on a file of any format.

use crate::commands::input::read_or_stdin;
use crate::exit::{Exit, Failure};
use crate::render::from_diagnostic;
use clap::{Args, ValueEnum};
use nub_bitvec::Rewriting;
use nub_btor::Dialect;
use nub_process::Cancel;
use nub_solve::{Certificates, Config, Limits, Models, Proofs, Verdict, btor, dimacs, smtlib};
use nub_store::{RealFs, commit};
use nub_text::Diagnostic;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A format that can be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Source {
    /// SMT-LIB 2: bit-vectors, arrays, functions, no quantifiers
    Smt2,
    /// The format of 2008
    Btor,
    /// The format of 2018
    Btor2,
    /// DIMACS cnf
    Cnf,
}

/// Options of `nub solve`.
#[derive(Args, Clone, Debug)]
pub struct SolveArgs {
    /// An SMT-LIB, BTOR, BTOR2 or DIMACS cnf file; `-` is standard input
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// The format of FILE; without it the content decides
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<Source>,
    /// For a transition system: look for a bad state in steps 0 to K
    #[arg(long, value_name = "K")]
    pub bound: Option<u32>,
    /// Print the model after every `sat`, in the way of the format
    #[arg(long)]
    pub model: bool,
    /// Give up after so many seconds, and answer `unknown`
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<Duration>,
    /// Before `unsat` is printed, prove it and check the proof
    ///
    /// The proof is about the clauses that the file was translated to: they are solved a second time by a solver that writes
    /// down its steps, and each step is checked (DRAT). That the clauses mean what the file says is not part of it, except
    /// for DIMACS, where they are the file. Lemmas about arrays are checked to be instances of the axioms. A proof that
    /// does not check ends in `unknown` and exit code 5. Takes about three times as long.
    #[arg(long)]
    pub check_proof: bool,
    /// Write the checked proof of the last `unsat` to PROOF in the format DRAT
    ///
    /// Of a DIMACS file it is a proof of that file. For other formats the clauses are written to PROOF.cnf, with comments
    /// that say which literals are the bits of which variable: `c x 3 17`. Implies --check-proof.
    #[arg(long, value_name = "PROOF")]
    pub proof: Option<PathBuf>,
    /// Use a rewriting rule that is wrong on purpose, for `nub demo`
    #[arg(long, hide = true)]
    pub planted_defect: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().map_err(|_| "a number of seconds is expected".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}

/// Runs the command. The last answer is the exit code.
pub fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let text = read_or_stdin(&args.input)?;
    let source = match args.from.or_else(|| guess(&args.input, &text)) {
        Some(source) => source,
        None => {
            let message = format!("{} is in none of the formats", args.input.display());
            return Err(Failure::usage(message).with_hint("--from says which it is"));
        }
    };
    if args.bound.is_some() && !matches!(source, Source::Btor | Source::Btor2) {
        return Err(Failure::usage("--bound is for transition systems: BTOR2, and BTOR with `next`"));
    }
    let config = config_of(args);
    let verdict = solve(args, source, &text, &config)
        .map_err(|diagnostic| from_diagnostic(&args.input, &text, &diagnostic))?;
    if let Some(path) = &args.proof {
        write_proof(path, source, verdict.as_ref(), &config)?;
    }
    exit_of(verdict.as_ref())
}

/// Writes the proof if the last answer has one.
fn write_proof(
    path: &Path,
    source: Source,
    verdict: Option<&Verdict>,
    config: &Config,
) -> Result<(), Failure> {
    let certificate = match &config.proofs {
        Proofs::Checked(certificates) if verdict == Some(&Verdict::Unsat) => certificates.take(),
        _ => None,
    };
    let Some(certificate) = certificate else {
        eprintln!("note: no proof is written: the last answer is not unsat");
        return Ok(());
    };
    if source != Source::Cnf {
        let mut clauses = path.as_os_str().to_owned();
        clauses.push(".cnf");
        commit(&RealFs, Path::new(&clauses), certificate.to_dimacs().as_bytes())?;
    }
    Ok(commit(&RealFs, path, &certificate.proof.to_drat())?)
}

/// By content; a name that ends in `.smt2` decides for what looks like nothing, such as an empty file.
fn guess(path: &Path, text: &[u8]) -> Option<Source> {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b";"));
    if first.is_some_and(|line| line.starts_with(b"(")) {
        return Some(Source::Smt2);
    }
    match Dialect::guess(text) {
        Some(Dialect::Btor) => Some(Source::Btor),
        Some(Dialect::Btor2) => Some(Source::Btor2),
        None if nub_dimacs::guess(text).is_some() => Some(Source::Cnf),
        None => path.extension().is_some_and(|extension| extension == "smt2").then_some(Source::Smt2),
    }
}

fn config_of(args: &SolveArgs) -> Config {
    let limits = Limits::none();
    if let Some(time) = args.time {
        start_timer(time, limits.cancel.clone());
    }
    let models = if args.model { Models::Always } else { Models::OnRequest };
    let is_proved = args.check_proof || args.proof.is_some();
    let proofs = if is_proved { Proofs::Checked(Certificates::default()) } else { Proofs::None };
    let rewriting = if args.planted_defect { Rewriting::Defective } else { Rewriting::On };
    Config { models, rewriting, limits, proofs }
}

/// Raises `cancel` when the time is over. The thread ends with the program.
fn start_timer(time: Duration, cancel: Cancel) {
    std::thread::spawn(move || {
        std::thread::sleep(time);
        cancel.cancel();
    });
}

fn solve(
    args: &SolveArgs,
    source: Source,
    text: &[u8],
    config: &Config,
) -> Result<Option<Verdict>, Diagnostic> {
    // A broken pipe ends quietly. Answers are seen as soon as they are known.
    let out = &mut |bytes: &[u8]| {
        let mut stdout = std::io::stdout().lock();
        let _ = stdout.write_all(bytes).and_then(|()| stdout.flush());
    };
    match source {
        Source::Smt2 => smtlib::run(text, config, out),
        Source::Btor => btor::run(text, Dialect::Btor, args.bound, config, out).map(Some),
        Source::Btor2 => btor::run(text, Dialect::Btor2, args.bound, config, out).map(Some),
        Source::Cnf => dimacs::run(text, config, out).map(Some),
    }
}

/// The exit code of an answer; says why there is none.
fn exit_of(verdict: Option<&Verdict>) -> Result<Exit, Failure> {
    match verdict {
        Some(Verdict::Sat) => Ok(Exit::Satisfiable),
        Some(Verdict::Unsat) => Ok(Exit::Unsatisfiable),
        Some(Verdict::Unknown(reason)) if reason.is_defect() => {
            Err(Failure::new(Exit::Internal, reason.to_string()))
        }
        Some(Verdict::Unknown(reason)) => {
            eprintln!("note: unknown: {reason}");
            Ok(Exit::Done)
        }
        None => Ok(Exit::Done),
    }
}
