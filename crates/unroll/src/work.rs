//! What is counted while a program is unrolled, and its limits.

use crate::config::{Limit, UnrollConfig, UnrollLimits};
use crate::single_run::Harmless;
use rustc_hash::FxHashMap;

/// Counts since the start of a run.
#[derive(Debug, Default)]
pub(crate) struct Work {
    pub n_instructions: usize,
    /// For a variant of the function under test: at most this many of them.
    pub max_variant: Option<usize>,
    pub n_allocations: usize,
    /// Iterations that did not count towards the bound, of all loops.
    pub n_constant_rounds: u32,
    /// Inputs read so far, by name of the source.
    pub n_reads: FxHashMap<String, u32>,
    /// Calls that were cut because they were too long.
    pub n_cut_calls: u32,
    /// In a single run: what has been looked at.
    pub harmless: Harmless,
    /// The current call is long once there are more terms than this.
    call_end: Option<usize>,
}

/// A call may use this fraction of the limit, even if the limit is used up: most calls are short. Each long call halves the fraction.
const SHARE_OF_CALL: usize = 8;

impl Work {
    /// The function under test calls another.
    pub(crate) fn begin_call(&mut self, limits: &UnrollLimits, n_terms: usize) {
        let share = |most: usize| (most / SHARE_OF_CALL) >> self.n_cut_calls.min(16);
        let end = |most: usize| most.max(n_terms + share(most));
        self.call_end = limits.max_call_terms.map(end);
    }

    /// Whether the call has become long.
    pub(crate) fn is_long_call(&self, n_terms: usize) -> bool {
        self.call_end.is_some_and(|end| n_terms > end)
    }

    /// One more instruction, unless a limit is reached.
    pub(crate) fn count_instruction(&mut self, config: &UnrollConfig, n_terms: usize) -> Result<(), Limit> {
        self.n_instructions += 1;
        let limits = &config.limits;
        let most = self.max_variant.map_or(limits.max_instructions, |most| most.min(limits.max_instructions));
        if self.n_instructions > most {
            return Err(Limit::Instructions(most));
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
