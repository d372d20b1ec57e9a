//! All requests: plain data that can be serialised.

mod c_program;
mod cover;
mod explain;
mod fleet;
mod formulas;
mod fuzz;
mod project;
mod reduce;
mod rules;

pub use c_program::ProgramOptions;
pub use cover::{
    CompiledReplay, CoverJob, CoverageCriterion, DEFAULT_MUTANTS, DecodeJob, EncodeJob, FunctionOptions,
    McdcReading, TestHarness,
};
pub use explain::{ExplainJob, ExplainOutput, FailingRunOptions, PassingRunOptions};
pub use fleet::{FleetOptions, FleetStatusJob, HubJob, WorkerJob};
pub use formulas::{ConvertJob, FormulaStatus, GenerateJob, GraphOptions, ScriptOptions, SolveJob};
pub use fuzz::{
    CampaignAction, CampaignJob, DoctorJob, FuzzJob, GeneratedInputs, InputOptions, SolverOptions,
};
pub use project::{ProjectJob, UnitJob};
pub use reduce::{
    CompareJob, DdsmtMutators, DdsmtScheme, FailureOptions, ReduceJob, ReduceOutput, ScriptLayout,
    SearchOptions, Simplification, StrategyName, VariableOrder,
};
pub use rules::RulesJob;

use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A request for a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum JobRequest {
    /// Find the smallest file that still shows the failure.
    Reduce(Box<ReduceJob>),
    /// Run several strategies on the same files, and compare them.
    Compare(Box<CompareJob>),
    /// Find the fewest tests that cover a C function.
    Cover(Box<CoverJob>),
    /// Find the fewest tests of every function of a project.
    Project(Box<ProjectJob>),
    /// Cover some functions of one file of a project.
    Unit(UnitJob),
    /// Write clauses for an external SAT solver.
    Encode(Box<EncodeJob>),
    /// Read its answer: tests.
    Decode(DecodeJob),
    /// Explain why an assertion of a C program fails.
    Explain(Box<ExplainJob>),
    /// Look for bugs in solvers.
    Fuzz(Box<FuzzJob>),
    /// Ask something about a campaign.
    Campaign(CampaignJob),
    /// Answer with the built-in solver.
    Solve(SolveJob),
    /// Generate valid random formulas.
    Generate(Box<GenerateJob>),
    /// Translate between formats.
    Convert(ConvertJob),
    /// Examine the installed solvers, or an oracle.
    Doctor(Box<DoctorJob>),
    /// Check rewriting rules.
    Rules(RulesJob),
    /// Work for other machines.
    Worker(WorkerJob),
    /// Start a server that other machines can join.
    Hub(HubJob),
    /// Show the machines that have joined a server.
    FleetStatus(FleetStatusJob),
}

/// Runs at once. Each has a thread, and a system has only some tens of thousands of them.
pub(crate) const MAX_JOBS: u64 = 1024;

impl JobRequest {
    /// An error if more runs are requested at once than a system can start.
    pub(crate) fn check_jobs(&self) -> Result<(), Failure> {
        let jobs = match self {
            JobRequest::Reduce(job) => job.search.jobs.map(u64::from),
            JobRequest::Compare(job) => job.reduction.search.jobs.map(u64::from),
            JobRequest::Fuzz(job) => job.jobs.map(|jobs| jobs as u64),
            JobRequest::Project(job) => job.jobs.map(|jobs| jobs as u64),
            JobRequest::Worker(job) => job.jobs.map(|jobs| jobs as u64),
            _ => None,
        };
        match jobs {
            None | Some(1..=MAX_JOBS) => Ok(()),
            Some(jobs) => {
                Err(Failure::usage(format!("{jobs} runs at once: from 1 to {MAX_JOBS} are possible")))
            }
        }
    }

    /// The name of the kind, as in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            JobRequest::Reduce(_) => "reduce",
            JobRequest::Compare(_) => "compare",
            JobRequest::Cover(_) => "cover",
            JobRequest::Project(_) => "project",
            JobRequest::Unit(_) => "unit",
            JobRequest::Encode(_) => "encode",
            JobRequest::Decode(_) => "decode",
            JobRequest::Explain(_) => "explain",
            JobRequest::Fuzz(_) => "fuzz",
            JobRequest::Campaign(_) => "campaign",
            JobRequest::Solve(_) => "solve",
            JobRequest::Generate(_) => "generate",
            JobRequest::Convert(_) => "convert",
            JobRequest::Doctor(_) => "doctor",
            JobRequest::Rules(_) => "rules",
            JobRequest::Worker(_) => "worker",
            JobRequest::Hub(_) => "hub",
            JobRequest::FleetStatus(_) => "fleet-status",
        }
    }

    /// The folder for request and events, if one was requested. A reduction and a campaign have their own.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            JobRequest::Cover(job) => job.folder.as_deref(),
            JobRequest::Explain(job) => job.folder.as_deref(),
            JobRequest::Solve(job) => job.folder.as_deref(),
            _ => None,
        }
    }

    /// The SAT solver that the job itself uses, if one was chosen. That of a campaign is used by the built-in solver.
    pub(crate) fn sat_solver(&self) -> Option<&str> {
        match self {
            JobRequest::Cover(job) => job.function.sat_solver.as_deref(),
            JobRequest::Project(job) => job.function.sat_solver.as_deref(),
            JobRequest::Encode(job) => job.function.sat_solver.as_deref(),
            JobRequest::Explain(job) => job.sat_solver.as_deref(),
            JobRequest::Solve(job) => job.sat_solver.as_deref(),
            JobRequest::Rules(job) => job.sat_solver.as_deref(),
            _ => None,
        }
    }

    /// Calls `change` on every path.
    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        match self {
            JobRequest::Reduce(job) => job.paths_mut(change),
            JobRequest::Compare(job) => {
                job.reduction.paths_mut(change);
                job.more.iter_mut().for_each(change);
            }
            JobRequest::Cover(job) => job.paths_mut(change),
            JobRequest::Project(job) => job.paths_mut(change),
            JobRequest::Unit(job) => change(&mut job.task),
            JobRequest::Encode(job) => {
                job.function.paths_mut(change);
                job.program.paths_mut(change);
                change(&mut job.out);
            }
            JobRequest::Decode(job) => [&mut job.answer, &mut job.cnf].into_iter().for_each(change),
            JobRequest::Explain(job) => job.paths_mut(change),
            JobRequest::Fuzz(job) => job.paths_mut(change),
            JobRequest::Campaign(job) => job.paths_mut(change),
            JobRequest::Solve(job) => job.paths_mut(change),
            JobRequest::Generate(job) => job.out.iter_mut().for_each(change),
            JobRequest::Convert(job) => job.paths_mut(change),
            JobRequest::Doctor(job) => job.input.iter_mut().chain(&mut job.oracle.test).for_each(change),
            JobRequest::Rules(job) => change(&mut job.file),
            JobRequest::Worker(job) => job.fleet.paths_mut().for_each(change),
            JobRequest::Hub(job) => {
                let optional = [&mut job.password_file, &mut job.certificate, &mut job.key];
                std::iter::once(&mut job.folder).chain(optional.into_iter().flatten()).for_each(change);
            }
            JobRequest::FleetStatus(job) => job.fleet.paths_mut().for_each(change),
        }
    }
}
