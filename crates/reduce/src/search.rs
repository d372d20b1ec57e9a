//! A search together with its format, so that a session need not know either.

use crate::{Engine, ReduceConfig, ReductionObserver, ReductionStats, ReductionStop, SubjectFormat};
use nub_oracle::Oracle;
use nub_process::Cancel;

/// The result of a search: why it ended early if it did, the best subject, and what it cost.
pub struct SearchResult {
    /// Why it ended before its fixpoint.
    pub stop: Option<ReductionStop>,
    /// The best subject.
    pub best: Vec<u8>,
    /// What it cost.
    pub stats: ReductionStats,
}

/// A format and a strategy on it.
pub trait Search: Sync {
    /// Searches from `subject` to the end of the strategy.
    fn run(
        &self,
        subject: Vec<u8>,
        oracle: &dyn Oracle,
        config: ReduceConfig,
        cancel: &Cancel,
        watch: &mut dyn ReductionObserver,
    ) -> SearchResult;

    /// Counts of a text of the format besides its bytes ([`SubjectFormat::measure`]).
    fn measure(&self, text: &[u8]) -> Vec<(&'static str, u64)>;
}

/// The one implementation: a [`SubjectFormat`] and a function that drives an [`Engine`] on it.
pub struct With<F, S> {
    /// The format of subjects.
    pub format: F,
    /// Which passes, in which order.
    pub strategy: S,
}

impl<F, S> Search for With<F, S>
where
    F: SubjectFormat,
    S: Fn(&mut Engine<'_, F>) -> Result<(), ReductionStop> + Sync,
{
    fn run(
        &self,
        subject: Vec<u8>,
        oracle: &dyn Oracle,
        config: ReduceConfig,
        cancel: &Cancel,
        watch: &mut dyn ReductionObserver,
    ) -> SearchResult {
        let (result, best, stats) =
            Engine::search(&self.format, oracle, subject, config, cancel, watch, &self.strategy);
        SearchResult { stop: result.err(), best, stats }
    }

    fn measure(&self, text: &[u8]) -> Vec<(&'static str, u64)> {
        self.format.measure(&self.format.read(text.to_vec()))
    }
}
