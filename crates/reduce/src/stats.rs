//! What a reduction cost and achieved.

use std::collections::BTreeMap;
use std::time::Duration;

/// Counts of one pass.
#[derive(Clone, Default, Debug)]
pub struct PassStats {
    /// Asks.
    pub asks: u64,
    /// Accepted asks.
    pub accepted: u64,
    /// Bytes removed.
    pub bytes: u64,
}

/// The size after one algorithm of a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageStats {
    /// The algorithm.
    pub name: &'static str,
    /// The size of the subject, in the unit of its format ([`crate::SubjectFormat::measure`]).
    pub size: u64,
}

/// Counts of a reduction.
#[derive(Clone, Default, Debug)]
pub struct ReductionStats {
    /// Runs of the oracle that the search needed: the same number with any number of workers.
    pub asks: u64,
    /// Speculative runs that were not needed, including those that were stopped.
    pub speculative: u64,
    /// Candidates not asked because their verdict was known.
    pub cached: u64,
    /// Candidates not asked because they were ill-formed.
    pub invalid: u64,
    /// Accepted candidates.
    pub accepted: u64,
    /// Runs of the oracle that contradicted an earlier one.
    pub disagreements: u64,
    /// Steps undone because the result was ill-formed: each is a bug in nub, made harmless.
    pub rollbacks: u64,
    /// Edits that were lost to a panic of a pass.
    pub panics: u64,
    /// Size of the best subject.
    pub bytes: u64,
    /// Time spent in the oracle, summed over workers.
    pub oracle_wall: Duration,
    /// Processor time of the oracle.
    pub oracle_cpu: Duration,
    /// The sizes after the algorithms of a chain, in order: the arrows of [Vida08] §4.4.
    pub stages: Vec<StageStats>,
    /// Per pass, by name.
    pub passes: BTreeMap<&'static str, PassStats>,
}

impl ReductionStats {
    /// Adds the costs of an earlier search; the sizes stay those of this one.
    pub(crate) fn add_costs(&mut self, before: &ReductionStats) {
        self.asks += before.asks;
        self.speculative += before.speculative;
        self.cached += before.cached;
        self.invalid += before.invalid;
        self.accepted += before.accepted;
        self.disagreements += before.disagreements;
        self.rollbacks += before.rollbacks;
        self.panics += before.panics;
        self.oracle_wall += before.oracle_wall;
        self.oracle_cpu += before.oracle_cpu;
        self.stages.splice(0..0, before.stages.iter().cloned());
        for (name, pass) in &before.passes {
            let sum = self.passes.entry(name).or_default();
            sum.asks += pass.asks;
            sum.accepted += pass.accepted;
            sum.bytes += pass.bytes;
        }
    }
}
