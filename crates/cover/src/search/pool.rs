//! Known runs, as the fractional problem and the local search see them: by the needs that they meet.

use super::bitset::BitSet;
use super::choose::without_superfluous;
use super::knowledge::{Behaviour, is_covered, union};
use super::problem::{Need, SuiteObjective};
use super::select::Selection;
use nub_random::Rng;

/// Exchanges of the local search per call. Each takes about 10 µs with 1,000 needs and 5,000 runs.
const MAX_EXCHANGES: usize = 100_000;
/// The same for each known run.
const RUN_EXCHANGES: usize = 40;

/// Runs that are drawn to find one with a certain property.
const N_DRAWN: usize = 200;

/// Runs, none of which meets only needs that an earlier one meets.
pub(super) struct RunPool {
    /// No need contains another one.
    needs: Vec<Need>,
    n_atoms: usize,
    /// By run: the needs that it meets.
    met: Vec<BitSet>,
    /// By run: the test. `None` if the run may exceed the bound of the loops.
    tests: Vec<Option<Behaviour>>,
}

impl RunPool {
    /// Without runs.
    pub fn new(needs: &[Need], n_atoms: usize) -> RunPool {
        RunPool { needs: without_larger(needs), n_atoms, met: Vec::new(), tests: Vec::new() }
    }

    pub fn needs(&self) -> &[Need] {
        &self.needs
    }

    /// By run: the needs that it meets.
    pub fn met(&self) -> &[BitSet] {
        &self.met
    }

    /// The run as a test.
    pub fn test(&self, run: usize) -> Option<&Behaviour> {
        self.tests[run].as_ref()
    }

    /// The tests among the runs from this one on.
    pub fn tests_from(&self, first: usize) -> Vec<Behaviour> {
        self.tests[first..].iter().flatten().cloned().collect()
    }

    /// The needs that a run with these atoms meets.
    pub fn met_with(&self, atoms: &BitSet) -> BitSet {
        let mut met = BitSet::new(self.needs.len());
        for (index, need) in self.needs.iter().enumerate() {
            if need.atoms.iter().any(|atom| atoms.contains(atom.index())) {
                met.insert(index);
            }
        }
        met
    }

    /// Adds a test. Returns the needs that it meets, or `None` if a known test meets them all. O(runs * needs / 64).
    pub fn add_test(&mut self, test: &Behaviour) -> Option<&BitSet> {
        let met = self.met_with(&test.atoms);
        let is_old = |(other, its): (&BitSet, &Option<Behaviour>)| its.is_some() && met.is_subset(other);
        if self.met.iter().zip(&self.tests).any(is_old) {
            return None;
        }
        self.tests.push(Some(test.clone()));
        self.met.push(met);
        self.met.last()
    }

    /// The same for a run that may exceed the bound of the loops.
    pub fn add_run(&mut self, atoms: &BitSet) -> Option<&BitSet> {
        let met = self.met_with(atoms);
        if self.met.iter().any(|other| met.is_subset(other)) {
            return None;
        }
        self.tests.push(None);
        self.met.push(met);
        self.met.last()
    }

    /// A test that meets a need, if one of a few that are drawn does.
    pub fn meeting(&self, need: usize, rng: &mut Rng) -> Option<&Behaviour> {
        let drawn = (0..N_DRAWN).map(|_| rng.below(self.met.len()));
        let mut tests = drawn.filter(|run| self.met.get(*run).is_some_and(|met| met.contains(need)));
        tests.find_map(|run| self.tests[run].as_ref())
    }

    /// Fewer tests that reach all the goals, if the local search finds them; and a set with one test less that reaches almost all.
    pub fn fewer_tests(
        &self,
        tests: &[Behaviour],
        goals: &[&SuiteObjective],
        rng: &mut Rng,
    ) -> (Option<Vec<Behaviour>>, Vec<Behaviour>) {
        let known: Vec<usize> = (0..self.met.len()).filter(|run| self.tests[*run].is_some()).collect();
        let own: Vec<BitSet> = tests.iter().map(|test| self.met_with(&test.atoms)).collect();
        let met: Vec<&BitSet> = known.iter().map(|run| &self.met[*run]).chain(&own).collect();
        let start: Vec<usize> = (known.len()..met.len()).collect();
        let n_exchanges = (RUN_EXCHANGES * met.len()).min(MAX_EXCHANGES);
        let found = Selection::new(&met, self.needs.len(), &start).smaller(n_exchanges, rng);
        let test = |chosen: usize| match known.get(chosen) {
            Some(run) => self.tests[*run].clone(),
            None => tests.get(chosen - known.len()).cloned(),
        };
        let tests_of = |chosen: Vec<usize>| chosen.into_iter().filter_map(test).collect::<Vec<_>>();
        (found.complete.and_then(|chosen| self.complete(&tests_of(chosen), goals)), tests_of(found.short))
    }

    /// These tests without superfluous ones, if they reach all the goals.
    pub fn complete(&self, tests: &[Behaviour], goals: &[&SuiteObjective]) -> Option<Vec<Behaviour>> {
        // Some goals have more needs than are listed.
        let all = union(self.n_atoms, tests);
        if !goals.iter().all(|goal| is_covered(goal, &all)) {
            return None;
        }
        let kept = without_superfluous(tests, goals, self.n_atoms, (0..tests.len()).collect());
        Some(kept.into_iter().map(|index| tests[index].clone()).collect())
    }
}

/// Drops needs that contain another one: a run that meets the smaller one meets them too.
fn without_larger(needs: &[Need]) -> Vec<Need> {
    let contains = |large: &Need, small: &Need| small.atoms.iter().all(|atom| large.atoms.contains(atom));
    let is_smallest = |(index, need): &(usize, &Need)| {
        !needs.iter().enumerate().any(|(other, small)| {
            other != *index
                && contains(need, small)
                && (small.atoms.len() < need.atoms.len() || other < *index)
        })
    };
    needs.iter().enumerate().filter(is_smallest).map(|(_, need)| need.clone()).collect()
}
