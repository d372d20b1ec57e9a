//! What is counted while a program is unrolled, and the limits on it.

use crate::config::{Limit, UnrollConfig};
use rustc_hash::FxHashMap;

/// Counts since the start of a run.
#[derive(Debug, Default)]
pub(crate) struct Work {
    pub n_instructions: usize,
    pub n_allocations: usize,
    /// Rounds that did not count, of all loops.
    pub n_constant_rounds: u32,
    /// Inputs read so far, by name of the source.
    pub n_reads: FxHashMap<String, u32>,
}

impl Work {
    /// One more instruction, unless a limit is reached.
    pub(crate) fn count_instruction(&mut self, config: &UnrollConfig, n_terms: usize) -> Result<(), Limit> {
        self.n_instructions += 1;
        let limits = &config.limits;
        if self.n_instructions > limits.max_instructions {
            return Err(Limit::Instructions(limits.max_instructions));
        }
        if n_terms > limits.max_terms {
            return Err(Limit::Terms(limits.max_terms));
        }
        if config.patience.is_over() {
            return Err(Limit::Time);
        }
        Ok(())
    }
}
