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

/// Notified of every accepted step and every answered ask.
pub trait ReductionObserver {
    /// A smaller subject that still fails was accepted. The observer must make it durable before it returns; an error ends the reduction.
    /// The text is shared, because copies of large texts take most of the memory.
    fn accepted(&mut self, step: &AcceptedStep, bytes: &Arc<Vec<u8>>) -> Result<(), String>;

    /// An ask was answered. Called often: be quick.
    fn asked(&mut self, _pass: &str, _stats: &ReductionStats) {}
}

/// An observer that ignores everything.
pub struct Quiet;

impl ReductionObserver for Quiet {
    fn accepted(&mut self, _step: &AcceptedStep, _bytes: &Arc<Vec<u8>>) -> Result<(), String> {
        Ok(())
    }
}
