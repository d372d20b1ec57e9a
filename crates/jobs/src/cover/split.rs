//! Writes clauses for an external SAT solver, and translates its answer into tests.

use super::{failure, nothing, options};
use crate::failure::Failure;
use crate::handle::Job;
use crate::input::read;
use crate::request::{CoverageCriterion, DecodeJob, EncodeJob, FunctionOptions};
use crate::result::JobResult;
use crate::sanitize::sanitize;
use crate::vocabulary::Vocabulary;
use nub_cover::describe::SourceQuotes;
use nub_cover::split;
use nub_store::{RealFs, commit};

/// Writes the clauses.
pub(crate) fn encode(job: &Job, request: &EncodeJob) -> Result<JobResult, Failure> {
    if request.function.criterion.len() > 1 {
        return Err(Failure::usage("one criterion at a time"));
    }
    let (loaded, function) = super::read(job, &request.function, &request.program)?;
    let source = SourceQuotes { program: &loaded.program, text: &loaded.text };
    let (options, _timers) = options(job, &request.function, request.function.max_time);
    let made = split::encode(source, function, &options, request.tests);
    job.check_sat_solver()?;
    match made.map_err(|error| failure(&loaded, error))? {
        Some(text) => {
            let file = sanitize(request.function.input.as_os_str().as_encoded_bytes());
            commit(&RealFs, &request.out, format!("c {file}, {}\n{text}", criterion(request)).as_bytes())?;
        }
        None => return Err(nothing(&loaded, function)),
    }
    Ok(JobResult::Encoded)
}

/// The criterion, by the words that its options take.
fn criterion(request: &EncodeJob) -> String {
    let FunctionOptions { criterion, mcdc, .. } = &request.function;
    match criterion.first() {
        Some(CoverageCriterion::Mcdc) => format!("mcdc {}", mcdc.word()),
        Some(criterion) => criterion.word().to_owned(),
        None => String::new(),
    }
}

/// The tests, as CSV.
pub(crate) fn decode(request: &DecodeJob) -> Result<JobResult, Failure> {
    let (answer, cnf) = (read(&request.answer)?, read(&request.cnf)?);
    let tests = split::decode(&String::from_utf8_lossy(&answer), &String::from_utf8_lossy(&cnf))
        .map_err(|error| Failure::usage(error.to_string()))?;
    Ok(JobResult::Decoded(tests))
}
