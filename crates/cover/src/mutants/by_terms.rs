//! Runs of the function with its mutants, evaluated as terms.

use super::moves::RunTrial;
use crate::measure::{Measure, MeasuredRun};
use crate::search::Behaviour;
use std::cell::Cell;

/// Runs of the function with its mutants as terms.
pub(super) struct ByTerms<'t> {
    measure: &'t Measure<'t>,
    /// For each mutant: its group of terms.
    groups: &'t [usize],
    /// Terms that were evaluated.
    n_steps: Cell<u64>,
    /// From this number on, no run is started.
    max_steps: u64,
}

impl<'t> ByTerms<'t> {
    pub fn new(measure: &'t Measure<'t>, groups: &'t [usize], max_steps: u64) -> ByTerms<'t> {
        ByTerms { measure, groups, n_steps: Cell::new(0), max_steps }
    }

    /// How many terms were evaluated so far.
    pub fn n_steps(&self) -> u64 {
        self.n_steps.get()
    }

    fn count(&self, group: usize) {
        self.n_steps.set(self.n_steps.get() + self.measure.n_steps(group) as u64);
    }
}

impl RunTrial for ByTerms<'_> {
    type Run = MeasuredRun;
    const PATIENCE: u32 = u32::MAX;

    fn reach(&self, inputs: Vec<nub_bitvec::Value>) -> Option<MeasuredRun> {
        if self.n_steps() > self.max_steps {
            return None;
        }
        self.count(0);
        self.measure.start(inputs).ok()
    }

    fn behaviour<'r>(&self, run: &'r MeasuredRun) -> &'r Behaviour {
        &run.behaviour
    }

    fn ask(&self, run: &mut MeasuredRun, mutant: usize) -> Option<()> {
        self.count(self.groups[mutant]);
        self.measure.add(run, self.groups[mutant]);
        Some(())
    }
}
