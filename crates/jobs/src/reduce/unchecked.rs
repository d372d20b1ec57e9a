//! Reduces without running anything: every candidate counts as failing, to show what mutators do to a script.

use super::strategy;
use crate::failure::Failure;
use crate::format::FileFormat;
use crate::handle::Job;
use crate::request::ReduceJob;
use crate::result::JobResult;
use nub_oracle::FnOracle;
use nub_reduce::{Quiet, ReduceConfig, is_smaller};
use nub_smtlib::{Script, print};
use nub_store::{RealFs, commit};

/// Reduces without an oracle and writes the result.
pub(crate) fn run(
    job: &Job,
    request: &ReduceJob,
    format: FileFormat,
    original: &[u8],
) -> Result<JobResult, Failure> {
    let keep = super::keep_patterns(&request.search)?;
    let search = strategy::search(job, request, format, original, keep)?.search;
    let oracle = FnOracle::new(|_: &[u8]| true);
    let found =
        search.run(original.to_vec(), &oracle, ReduceConfig::default(), job.control.search(), &mut Quiet);
    if !is_smaller(&found.best, original) {
        return Ok(JobResult::Unchecked { is_smaller: false });
    }
    let text = match request.output.layout {
        Some(layout) => print(&Script::parse(&found.best).0, strategy::layout(layout)),
        None => found.best,
    };
    commit(&RealFs, request.output.out.as_deref().unwrap_or(&request.input), &text)?;
    Ok(JobResult::Unchecked { is_smaller: true })
}
