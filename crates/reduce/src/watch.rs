//! Who is told what happens.

use crate::Stats;

/// One accepted step.
pub struct Step<'a> {
    /// The pass that found it.
    pub pass: &'a str,
    /// What has been counted so far, this step included.
    pub stats: &'a Stats,
}

/// Told of every accepted step and every answered ask.
pub trait Watch {
    /// A smaller subject that still fails. Must make it durable before it returns; an error ends the reduction.
    fn accepted(&mut self, step: &Step, bytes: &[u8]) -> Result<(), String>;

    /// An ask was answered. Called often: be quick.
    fn asked(&mut self, _pass: &str, _stats: &Stats) {}
}

/// Nobody.
pub struct Quiet;

impl Watch for Quiet {
    fn accepted(&mut self, _step: &Step, _bytes: &[u8]) -> Result<(), String> {
        Ok(())
    }
}
