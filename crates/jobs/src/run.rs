//! Dispatches a request to the code that does it.

use crate::c_program::for_target;
use crate::failure::Failure;
use crate::handle::Job;
use crate::request::{CoverJob, EncodeJob, ExplainJob, JobRequest};
use crate::result::JobResult;
use crate::{convert, cover, doctor, explain, fleet, fuzz, generate, project, reduce, rules, solve};

/// Runs a job to its end, in this thread.
pub(crate) fn run(job: &Job, request: &JobRequest) -> Result<JobResult, Failure> {
    match request {
        JobRequest::Reduce(request) => reduce::reduce(job, request),
        JobRequest::Compare(request) => reduce::compare(job, request),
        JobRequest::Cover(request) => {
            let program = for_target(job, &request.program);
            cover::cover(job, &CoverJob { program, ..(**request).clone() })
        }
        JobRequest::Project(request) => project::cover_project(job, request),
        JobRequest::Unit(request) => project::cover_unit(job, request),
        JobRequest::Encode(request) => {
            let program = for_target(job, &request.program);
            cover::split::encode(job, &EncodeJob { program, ..(**request).clone() })
        }
        JobRequest::Decode(request) => cover::split::decode(request),
        JobRequest::Explain(request) => {
            let program = for_target(job, &request.program);
            explain::explain(job, &ExplainJob { program, ..(**request).clone() })
        }
        JobRequest::Fuzz(request) => fuzz::fuzz(job, request),
        JobRequest::Campaign(request) => fuzz::campaign(job, request),
        JobRequest::Solve(request) => solve::solve(job, request),
        JobRequest::Generate(request) => generate::generate(job, request),
        JobRequest::Convert(request) => convert::convert(job, request),
        JobRequest::Doctor(request) => doctor::examine(job, request),
        JobRequest::Rules(request) => rules::check(job, request),
        JobRequest::Worker(request) => fleet::worker(job, request),
        JobRequest::Hub(request) => fleet::hub(job, request),
        JobRequest::FleetStatus(request) => fleet::status(job, request),
    }
}
