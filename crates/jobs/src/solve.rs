//! The built-in solver on a file of any format.

use crate::events::EventSink;
use crate::failure::{Failure, FailureKind};
use crate::format::FileFormat;
use crate::handle::Job;
use crate::input::read_or_stdin;
use crate::reduce::paths::is_same_file;
use crate::request::SolveJob;
use crate::result::{JobResult, SolveAnswer};
use nub_bitvec::Rewriting;
use nub_btor::BtorDialect;
use nub_solve::{Certificates, Models, Proofs, SolveConfig, SolveVerdict, btor, dimacs, smtlib};
use nub_store::{RealFs, commit};
use nub_text::Diagnostic;
use std::path::{Path, PathBuf};

/// Solves a file. Answers are reported as events as soon as they are known.
pub(crate) fn solve(job: &Job, request: &SolveJob) -> Result<JobResult, Failure> {
    let text = read_or_stdin(&request.input, &job.context)?;
    let format = request.from.unwrap_or_else(|| FileFormat::detect(&request.input, &text));
    if matches!(format, FileFormat::Text | FileFormat::C) {
        let message = format!("{} is neither SMT-LIB, BTOR, BTOR2 nor DIMACS", request.input.display());
        return Err(Failure::usage(message)
            .with_hint("if it is, specify the format with --from, as in `--from smt2`"));
    }
    if request.bound.is_some() && format.dialect().is_none() {
        return Err(Failure::usage("--bound is for transition systems: BTOR2, and BTOR with `next`"));
    }
    if let Some(path) = &request.proof {
        check_proof_files(path, format, &request.input)?;
    }
    let timer = job.limit(request.max_time);
    let config = config_of(job, request);
    let verdict = answer(request, format, &text, &config, &job.events)
        .map_err(|diagnostic| Failure::from_diagnostic(&request.input, &text, &diagnostic))?;
    drop(timer);
    job.check_sat_solver()?;
    if let Some(path) = &request.proof {
        write_proof(path, format, verdict.as_ref(), &config, &job.events)?;
    }
    last_answer(verdict.as_ref(), &job.events)
}

/// The clauses that a proof is about, written beside it; for DIMACS they are the input.
fn clauses_file(proof: &Path, format: FileFormat) -> Option<PathBuf> {
    let mut clauses = proof.as_os_str().to_owned();
    clauses.push(".cnf");
    (format != FileFormat::Dimacs).then(|| PathBuf::from(clauses))
}

/// Refuses to replace the input.
fn check_proof_files(proof: &Path, format: FileFormat, input: &Path) -> Result<(), Failure> {
    let hint = "nub never changes its input: name another file with --proof";
    if is_same_file(proof, input) {
        return Err(Failure::usage(format!("{} is the input itself", proof.display())).with_hint(hint));
    }
    match clauses_file(proof, format).filter(|clauses| is_same_file(clauses, input)) {
        Some(clauses) => {
            let message = format!("{}, for the clauses of the proof, is the input itself", clauses.display());
            Err(Failure::usage(message).with_hint(hint))
        }
        None => Ok(()),
    }
}

/// Writes the proof if the last answer has one.
fn write_proof(
    path: &Path,
    format: FileFormat,
    verdict: Option<&SolveVerdict>,
    config: &SolveConfig,
    events: &EventSink,
) -> Result<(), Failure> {
    let certificate = match &config.proofs {
        Proofs::Checked(certificates) if verdict == Some(&SolveVerdict::Unsat) => certificates.take(),
        _ => None,
    };
    let Some(certificate) = certificate else {
        events.note("no proof is written: the last answer is not unsat");
        return Ok(());
    };
    if let Some(clauses) = clauses_file(path, format) {
        commit(&RealFs, &clauses, certificate.to_dimacs().as_bytes())?;
        events.file(&clauses);
    }
    commit(&RealFs, path, &certificate.proof.to_drat())?;
    events.file(path);
    Ok(())
}

fn config_of(job: &Job, request: &SolveJob) -> SolveConfig {
    let limits = job.limits(job.control.search().clone());
    let models = if request.model { Models::Always } else { Models::OnRequest };
    let is_proved = request.check_proof || request.proof.is_some();
    let proofs = if is_proved { Proofs::Checked(Certificates::default()) } else { Proofs::None };
    let rewriting = if request.planted_defect { Rewriting::Defective } else { Rewriting::On };
    SolveConfig { models, rewriting, limits, proofs }
}

fn answer(
    request: &SolveJob,
    format: FileFormat,
    text: &[u8],
    config: &SolveConfig,
    events: &EventSink,
) -> Result<Option<SolveVerdict>, Diagnostic> {
    let out = &mut |bytes: &[u8]| events.output(bytes);
    match format {
        FileFormat::Btor => btor::run(text, BtorDialect::Btor, request.bound, config, out).map(Some),
        FileFormat::Btor2 => btor::run(text, BtorDialect::Btor2, request.bound, config, out).map(Some),
        FileFormat::Dimacs => dimacs::run(text, config, out).map(Some),
        FileFormat::Smt2 | FileFormat::Text | FileFormat::C => smtlib::run(text, config, out),
    }
}

/// The last answer; reports why there is none.
fn last_answer(verdict: Option<&SolveVerdict>, events: &EventSink) -> Result<JobResult, Failure> {
    let answer = match verdict {
        Some(SolveVerdict::Sat) => SolveAnswer::Sat,
        Some(SolveVerdict::Unsat) => SolveAnswer::Unsat,
        Some(SolveVerdict::Unknown(reason)) if reason.is_defect() => {
            return Err(Failure::new(FailureKind::Internal, reason.to_string()));
        }
        Some(SolveVerdict::Unknown(reason)) => {
            events.note(format!("unknown: {reason}"));
            SolveAnswer::Unknown
        }
        None => SolveAnswer::Unknown,
    };
    Ok(JobResult::Solve(answer))
}
