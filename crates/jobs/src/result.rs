//! What comes of jobs.

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
    /// Tests as CSV, or none if the clauses have no solution.
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
        /// What they are like, if that was asked for.
        stats: Option<String>,
    },
    /// A file was translated.
    Converted,
    /// What is to be said of an oracle, or of the solvers that there are.
    Doctor(DoctorResult),
    /// Everything was told by events.
    Told,
    /// What is proved of rules.
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

/// Counts of a search that are worth a remark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchCounts {
    /// Asks that were answered from the run that was resumed.
    pub remembered: u64,
    /// Candidates that were ill formed and not asked.
    pub invalid: u64,
    /// Steps that were taken back.
    pub rollbacks: u64,
    /// Edits that were lost to errors of nub.
    pub panics: u64,
}

/// What came of a reduction.
#[derive(Clone, Debug)]
pub struct ReduceResult {
    /// Path of the result.
    pub output: String,
    /// A shell line that reproduces the failure.
    pub reproduce: String,
    /// Whether the result is smaller than the original. If not, no file was written.
    pub is_reduced: bool,
    /// Sizes and counts; none if the run that was to be resumed had ended.
    pub end: Option<EndEvent>,
    /// More counts.
    pub search: SearchCounts,
    /// Why the search could not go on. The best file so far is whole.
    pub obstacle: Option<Failure>,
}

impl ReduceResult {
    pub(crate) fn new(end: EndEvent, finished: &Finished) -> ReduceResult {
        let kept = match end.reduced {
            true => format!("{} holds a file that still fails", end.output),
            false => "your files are untouched".to_owned(),
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

/// What came of a comparison.
#[derive(Clone, Debug)]
pub struct CompareResult {
    /// The tables.
    pub comparison: Comparison,
    /// Why the first file that could not be compared could not.
    pub first_failure: Option<FailureKind>,
}

/// What is proved of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleClaim {
    /// Its name.
    pub rule: String,
    /// In words.
    pub claim: String,
    /// It is proved to keep the meaning.
    pub is_sound: bool,
}

/// What came of an explanation.
#[derive(Debug)]
pub enum ExplainResult {
    /// The failing run, the closest passing one, and what is between them.
    Report {
        /// All that is known.
        report: Box<ExplainReport>,
        /// Why a file that was asked for does not exist.
        unwritten: Option<Failure>,
    },
    /// Another question was answered: which properties there are, or whether a condition is a cause.
    Answer {
        /// For people.
        text: String,
        /// For programs.
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

/// What came of a campaign.
#[derive(Debug)]
pub struct FuzzResult {
    /// What it has done and found.
    pub campaign: CampaignState,
    /// Its page.
    pub page: PathBuf,
    /// Groups of findings, those that are like older ones included.
    pub n_groups: usize,
}

/// The last answer of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolveAnswer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Nobody knows, or nothing was asked.
    Unknown,
}

/// What is to be said of an oracle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DoctorResult {
    /// It can be used.
    Fine,
    /// Its command cannot be run.
    CannotRun,
    /// It should not be used as it is.
    Unfit,
}
