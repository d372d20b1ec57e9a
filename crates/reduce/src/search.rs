//! A search with its format behind it: what a session runs without knowing either.

use crate::{Config, Engine, Format, Stats, Stop, Watch};
use nub_oracle::Oracle;
use nub_process::Cancel;

/// How a search ended: why it ended early if it did, the best subject, and what it cost.
pub struct Found {
    /// Why it ended before its fixpoint.
    pub stop: Option<Stop>,
    /// The best subject.
    pub best: Vec<u8>,
    /// What it cost.
    pub stats: Stats,
}

/// A format and a strategy on it.
pub trait Search: Sync {
    /// Searches from `subject` to the end of the strategy.
    fn run(
        &self,
        subject: Vec<u8>,
        oracle: &dyn Oracle,
        config: Config,
        cancel: &Cancel,
        watch: &mut dyn Watch,
    ) -> Found;

    /// What people count in a text of the format beside its bytes ([`Format::measure`]).
    fn measure(&self, text: &[u8]) -> Vec<(&'static str, u64)>;
}

/// The one implementation: a [`Format`] and a function that drives an [`Engine`] on it.
pub struct With<F, S> {
    /// How subjects are read.
    pub format: F,
    /// Which passes, in which order.
    pub strategy: S,
}

impl<F, S> Search for With<F, S>
where
    F: Format,
    S: Fn(&mut Engine<'_, F>) -> Result<(), Stop> + Sync,
{
    fn run(
        &self,
        subject: Vec<u8>,
        oracle: &dyn Oracle,
        config: Config,
        cancel: &Cancel,
        watch: &mut dyn Watch,
    ) -> Found {
        let (result, best, stats) =
            Engine::search(&self.format, oracle, subject, config, cancel, watch, &self.strategy);
        Found { stop: result.err(), best, stats }
    }

    fn measure(&self, text: &[u8]) -> Vec<(&'static str, u64)> {
        self.format.measure(&self.format.read(text.to_vec()))
    }
}
