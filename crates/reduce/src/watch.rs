//! The observer of a reduction.

use crate::ReductionStats;
use std::sync::Arc;

/// One accepted step.
pub struct AcceptedStep<'a> {
    /// The pass that found it.
    pub pass: &'a str,
    /// The counts so far, including this step.
    pub stats: &'a ReductionStats,
}

/// Why an accepted step was not recorded. It ends the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepError {
    /// A file could not be written; with the message.
    Store(String),
    /// The thread that writes steps has died: a bug in nub.
    WriterDied,
    /// A resumed run accepted a different step from the earlier run.
    Diverged,
    /// A search with a share of the time limit continues with another share.
    StageOver,
    /// A milestone passes with the full time limit.
    MilestoneRefuted,
    /// The check of a milestone was stopped.
    MilestoneUndecided,
}

impl std::fmt::Display for StepError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            StepError::Store(message) => message,
            StepError::WriterDied => "the writing thread died",
            StepError::Diverged => "the run accepted a different step from the earlier one",
            StepError::StageOver => "the stage is over",
            StepError::MilestoneRefuted => "a milestone does not hold",
            StepError::MilestoneUndecided => "nobody can tell whether a milestone holds",
        })
    }
}

impl std::error::Error for StepError {}

/// Notified of every accepted step and every answered ask.
pub trait ReductionObserver {
    /// A smaller subject that still fails was accepted. The observer must make it durable before it returns; an error ends the reduction.
    /// The text is shared, because copies of large texts take most of the memory.
    fn accepted(&mut self, step: &AcceptedStep, bytes: &Arc<Vec<u8>>) -> Result<(), StepError>;

    /// An ask was answered. Called often: be quick.
    fn asked(&mut self, _pass: &str, _stats: &ReductionStats) {}
}

/// An observer that ignores everything.
pub struct Quiet;

impl ReductionObserver for Quiet {
    fn accepted(&mut self, _step: &AcceptedStep, _bytes: &Arc<Vec<u8>>) -> Result<(), StepError> {
        Ok(())
    }
}
