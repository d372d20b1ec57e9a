//! What tests are selected by: the goals that they must reach, and the mutants that they should kill.

use crate::search::bitset::BitSet;
use crate::search::choose;
use crate::search::{AtomId, Behaviour, Knowledge, SuiteObjective, is_covered, union};
use nub_sat::SatLimits;

/// The aim of a selection of values. The number of tests is fixed.
#[derive(Clone, Copy)]
pub(super) struct Aim<'a> {
    /// Goals that the tests reach, and must keep reaching.
    pub goals: &'a [&'a SuiteObjective],
    /// For each mutant: a test kills it.
    pub kills: &'a [AtomId],
    /// For each mutant: it may be killed, or runs longer than the bounds. Decides between tests that kill equally many.
    pub suspects: &'a [AtomId],
    /// No tests kill more mutants: the others are proved to be equivalent.
    pub most: usize,
    /// Atoms of the runs: those of goals and those of mutants.
    pub n_atoms: usize,
}

impl Aim<'_> {
    /// The number of killed mutants, then of those that may be killed.
    pub fn worth(&self, all: &BitSet) -> (usize, usize) {
        let n = |atoms: &[AtomId]| atoms.iter().filter(|atom| all.contains(atom.index())).count();
        (n(self.kills), n(self.suspects))
    }

    /// The same for some tests.
    pub fn worth_of(&self, tests: &[Behaviour]) -> (usize, usize) {
        self.worth(&union(self.n_atoms, tests))
    }

    /// Whether runs that together have these atoms reach all goals.
    pub fn is_reached(&self, union: &BitSet) -> bool {
        self.goals.iter().all(|goal| is_covered(goal, union))
    }

    /// The atoms of all tests but one.
    pub fn others(&self, tests: &[Behaviour], at: usize) -> BitSet {
        let others = tests.iter().enumerate().filter(|(other, _)| *other != at);
        union(self.n_atoms, others.map(|(_, test)| test))
    }

    /// The best selection among all known runs, if it is better. False if it is not.
    pub fn choose(&self, known: &Knowledge, tests: &mut Vec<Behaviour>, limits: &SatLimits) -> bool {
        let before = self.worth_of(tests);
        if before.0 == self.most {
            return false;
        }
        let runs: Vec<Behaviour> = known.behaviours().iter().chain(&*tests).cloned().collect();
        let than = choose::RicherThan { n_runs: tests.len(), n_atoms: before.0 };
        let chosen = choose::richer(&runs, self.goals, self.kills, than, self.n_atoms, limits);
        let Some(chosen) = chosen else { return false };
        let chosen: Vec<Behaviour> = chosen.into_iter().map(|index| runs[index].clone()).collect();
        let is_better = chosen.len() == tests.len() && self.worth_of(&chosen) > before;
        if is_better {
            *tests = chosen;
        }
        is_better
    }
}
