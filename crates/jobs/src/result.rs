//! The results of jobs.

use crate::failure::{Failure, FailureKind};
use nub_cover::report::CoverReport;
use nub_explain::Explanation;
use nub_explain::output::ExplainReport;
use nub_reduce::ReductionStop;
use nub_reduce::session::Finished;
use nub_report::fuzz::CampaignState;
use nub_report::{Comparison, EndEvent, ProjectReport};
use std::path::PathBuf;

/// The result of a job, by its kind.
#[derive(Debug)]
pub enum JobResult {
    /// Of a reduction.
    Reduce(Box<ReduceResult>),
    /// Of a reduction without an oracle.
    Unchecked {
        /// A smaller file was written.
        is_smaller: bool,
    },
    /// The commands that a job would run.
    Commands(Vec<String>),
    /// Of a comparison.
    Compare(CompareResult),
    /// Of a search for tests: one report for each criterion.
    Cover(Vec<CoverReport>),
    /// Of all functions of a project.
    Project(Box<ProjectReport>),
    /// Clauses were written.
    Encoded,
    /// Tests as CSV; `None` if the clauses have no solution.
    Decoded(Option<String>),
    /// Of an explanation.
    Explain(Box<ExplainResult>),
    /// Of a campaign.
    Fuzz(Box<FuzzResult>),
    /// The state of a campaign.
    Campaign(Box<CampaignState>),
    /// The last answer of a solver.
    Solve(SolveAnswer),
    /// Files were generated.
    Generated {
        /// Statistics, if requested.
        stats: Option<String>,
    },
    /// A file was translated.
    Converted,
    /// The verdict on an oracle, or on the installed solvers.
    Doctor(DoctorResult),
    /// Everything was reported by events.
    Told,
    /// What is proved about rules.
    Rules(Vec<RuleClaim>),
}

impl JobResult {
    /// The exit code of `nub`.
    pub fn exit_code(&self) -> u8 {
        match self {
            JobResult::Reduce(result) => match &result.obstacle {
                Some(failure) => failure.kind.exit_code(),
                None => u8::from(!result.is_reduced),
            },
            JobResult::Unchecked { is_smaller } => u8::from(!is_smaller),
            JobResult::Compare(result) => result.first_failure.map_or(0, FailureKind::exit_code),
            JobResult::Rules(claims) => u8::from(!claims.iter().all(|claim| claim.is_sound)),
            JobResult::Explain(result) => result.exit_code(),
            JobResult::Solve(SolveAnswer::Sat) => 10,
            JobResult::Solve(SolveAnswer::Unsat) => 20,
            JobResult::Doctor(DoctorResult::CannotRun) => FailureKind::Usage.exit_code(),
            JobResult::Doctor(DoctorResult::Unfit) => FailureKind::Refused.exit_code(),
            JobResult::Commands(_)
            | JobResult::Cover(_)
            | JobResult::Project(_)
            | JobResult::Encoded
            | JobResult::Decoded(_)
            | JobResult::Fuzz(_)
            | JobResult::Campaign(_)
            | JobResult::Solve(SolveAnswer::Unknown)
            | JobResult::Generated { .. }
            | JobResult::Converted
            | JobResult::Doctor(DoctorResult::Fine)
            | JobResult::Told => 0,
        }
    }
}

/// Counts of a search that are worth mentioning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchCounts {
    /// Asks that were answered from the run that was resumed.
    pub remembered: u64,
    /// Candidates that were ill-formed and not asked.
    pub invalid: u64,
    /// Steps that were undone.
    pub rollbacks: u64,
    /// Edits that were lost to bugs in nub.
    pub panics: u64,
}

/// The result of a reduction.
#[derive(Clone, Debug)]
pub struct ReduceResult {
    /// Path of the result.
    pub output: String,
    /// A shell line that reproduces the failure.
    pub reproduce: String,
    /// Whether the result is smaller than the original. If not, no file was written.
    pub is_reduced: bool,
    /// Sizes and counts; `None` if the resumed run had already ended.
    pub end: Option<EndEvent>,
    /// More counts.
    pub search: SearchCounts,
    /// Why the search could not continue. The best file so far is intact.
    pub obstacle: Option<Failure>,
}

impl ReduceResult {
    pub(crate) fn new(end: EndEvent, finished: &Finished) -> ReduceResult {
        let kept = if end.reduced {
            format!("{} holds a file that still fails", end.output)
        } else {
            "your files are untouched".to_owned()
        };
        let obstacle = match &finished.stop {
            Some(ReductionStop::Store(text) | ReductionStop::Environment(text)) => {
                Some(Failure::environment(text.clone()).with_hint(kept))
            }
            _ => None,
        };
        ReduceResult {
            output: end.output.clone(),
            reproduce: end.reproduce.clone(),
            is_reduced: end.reduced,
            search: SearchCounts {
                remembered: finished.remembered,
                invalid: finished.stats.invalid,
                rollbacks: finished.stats.rollbacks,
                panics: finished.stats.panics,
            },
            obstacle,
            end: Some(end),
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct CompareResult {
    /// The tables.
    pub comparison: Comparison,
    /// The kind of the first failure, if a file could not be compared.
    pub first_failure: Option<FailureKind>,
}

/// What is proved about a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleClaim {
    /// Its name.
    pub rule: String,
    /// The claim as text.
    pub claim: String,
    /// It is proved to preserve the meaning.
    pub is_sound: bool,
}

/// The result of an explanation.
#[derive(Debug)]
pub enum ExplainResult {
    /// The failing run, the closest passing run, and their differences.
    Report {
        /// All that is known.
        report: Box<ExplainReport>,
        /// Why a requested file could not be written.
        unwritten: Option<Failure>,
    },
    /// The answer to another question: which properties there are, or whether a condition is a cause.
    Answer {
        /// As text.
        text: String,
        /// As JSON.
        json: String,
    },
}

impl ExplainResult {
    /// The exit code of `nub`: 1 if nothing is explained.
    fn exit_code(&self) -> u8 {
        match self {
            ExplainResult::Report { unwritten: Some(failure), .. } => failure.kind.exit_code(),
            ExplainResult::Report { report, .. } => {
                u8::from(!matches!(report.explanation, Explanation::Explained(_)))
            }
            ExplainResult::Answer { .. } => 0,
        }
    }
}

/// The result of a campaign.
#[derive(Debug)]
pub struct FuzzResult {
    /// What it has done and found.
    pub campaign: CampaignState,
    /// Its page.
    pub page: PathBuf,
    /// Number of groups of findings, including those that resemble older ones.
    pub n_groups: usize,
}

/// The last answer of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolveAnswer {
    /// There is a model.
    Sat,
    /// There is no model.
    Unsat,
    /// The answer is unknown, or the input has no query.
    Unknown,
}

/// The verdict on an oracle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DoctorResult {
    /// It can be used.
    Fine,
    /// Its command cannot be run.
    CannotRun,
    /// It should not be used without changes.
    Unfit,
}
