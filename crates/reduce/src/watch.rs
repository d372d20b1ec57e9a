//! Who is told what happens.

use crate::ReductionStats;
use std::sync::Arc;

/// One accepted step.
pub struct AcceptedStep<'a> {
    /// The pass that found it.
    pub pass: &'a str,
    /// What has been counted so far, this step included.
    pub stats: &'a ReductionStats,
}

/// Told of every accepted step and every answered ask.
pub trait ReductionObserver {
    /// A smaller subject that still fails. Must make it durable before it returns; an error ends the reduction. The text is shared, since
    /// copies of large ones are what needs most memory.
    fn accepted(&mut self, step: &AcceptedStep, bytes: &Arc<Vec<u8>>) -> Result<(), String>;

    /// An ask was answered. Called often: be quick.
    fn asked(&mut self, _pass: &str, _stats: &ReductionStats) {}
}

/// Nobody.
pub struct Quiet;

impl ReductionObserver for Quiet {
    fn accepted(&mut self, _step: &AcceptedStep, _bytes: &Arc<Vec<u8>>) -> Result<(), String> {
        Ok(())
    }
}
