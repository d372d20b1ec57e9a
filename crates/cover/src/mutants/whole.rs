//! All tests at once: is there a suite of as many tests that reaches the goals and kills more mutants?
//!
//! Changing one test after the other gets stuck where two would have to change together. Here each test is a copy of the function with its mutants,
//! and the number of mutants that no copy kills must decrease by one. The solver is asked until there is no such suite; this is the proof that no
//! suite of this size is better. Where that is too hard, all tests but a few keep their inputs.
//!
//! Size: tests × clauses. It is bounded by numbers of clauses and of conflicts, never by the clock.

use super::aim::Aim;
use super::effort::SharpeningEffort;
use crate::measure::Measure;
use crate::search::bitset::BitSet;
use crate::search::choose::add_goals;
use crate::search::copies::Builder;
use crate::search::{AtomId, AtomStatus, Behaviour, Knowledge, Need, Problem, SuiteObjective};
use nub_cnf::{Lit, Totalizer};
use nub_random::Rng;
use nub_sat::{SatAnswer, SatLimits, SatSolver};

/// How many tests change at once where all are too many, and how many such selections are tried in a row without an improvement.
const N_FEW: usize = 3;
const MAX_IDLE: usize = 12;

/// The result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Maximum {
    /// No suite of this size kills more mutants.
    Proved,
    /// Unknown.
    Open,
}

/// The question.
pub(super) struct WholeSuite<'w> {
    pub aim: Aim<'w>,
    pub problem: &'w Problem,
    pub measure: &'w Measure<'w>,
    /// Needs of which no run meets two, if there are as many as tests.
    pub clique: &'w [Need],
    pub effort: SharpeningEffort,
    pub limits: &'w SatLimits,
}

/// Copies in a solver.
struct CopiesOfAll<'w> {
    builder: Builder<'w>,
    solver: Box<dyn SatSolver>,
    /// Counts mutants that no copy kills.
    missed: Totalizer,
    n_missed: usize,
}

impl WholeSuite<'_> {
    /// Improves the tests as far as possible.
    pub fn improve(&self, known: &Knowledge, tests: &mut Vec<Behaviour>, rng: &mut Rng) -> Maximum {
        if self.aim.worth_of(tests).0 == self.aim.most {
            return self.maximum(known);
        }
        let n_clauses = tests.len() * self.problem.cnf.n_clauses().max(1);
        if tests.is_empty() || n_clauses > self.effort.clauses_of_copies || !self.problem.library.is_empty() {
            return Maximum::Open;
        }
        let objectives: Vec<SuiteObjective> =
            self.aim.kills.iter().map(|kill| SuiteObjective::Atom(*kill)).collect();
        let objectives: Vec<&SuiteObjective> = self.aim.goals.iter().copied().chain(&objectives).collect();
        let Some(mut copies) = self.copies(known, tests, &objectives) else { return Maximum::Open };
        let limits = |work: u64| self.limits.with_conflicts((work / n_clauses as u64).max(1));
        let mut n_idle = 0;
        let mut is_tried = false;
        while n_idle < MAX_IDLE && !self.limits.cancel.is_cancelled() {
            let is_all = !is_tried || tests.len() <= N_FEW;
            let free: Vec<usize> = if is_all { (0..tests.len()).collect() } else { some(tests.len(), rng) };
            let work = if is_all { self.effort.whole } else { self.effort.part };
            match self.better(&mut copies, tests, &free, &limits(work)) {
                (SatAnswer::Sat, Some(better)) => {
                    *tests = better;
                    (n_idle, is_tried) = (0, false);
                }
                (SatAnswer::Unsat, _) if is_all => return self.maximum(known),
                (SatAnswer::Unknown(_), _) if tests.len() <= N_FEW => return Maximum::Open,
                _ => (n_idle, is_tried) = (n_idle + 1, true),
            }
        }
        Maximum::Open
    }

    /// Mutants for which it is unknown whether any test kills them were not counted.
    fn maximum(&self, known: &Knowledge) -> Maximum {
        let is_open = |kill: &AtomId| known.status(*kill) == AtomStatus::Open;
        if self.aim.kills.iter().any(is_open) { Maximum::Open } else { Maximum::Proved }
    }

    /// A copy for each test; together they reach all goals.
    fn copies<'k>(
        &'k self,
        known: &'k Knowledge,
        tests: &[Behaviour],
        objectives: &[&SuiteObjective],
    ) -> Option<CopiesOfAll<'k>> {
        let mut builder = Builder::new(self.problem, known, objectives);
        let mut solver = self.limits.new_solver();
        for test in tests {
            let is_met = |need: &&Need| need.atoms.iter().any(|atom| test.has(*atom));
            let need = self.clique.iter().find(is_met).filter(|_| self.clique.len() == tests.len());
            builder.add_copy(solver.as_mut(), need);
        }
        let seen = builder.seen_lits(solver.as_mut());
        let lit_of = |atom: AtomId| builder.seen_lit(&seen, atom);
        add_goals(solver.as_mut(), self.aim.goals, lit_of, None);
        let missed: Vec<Lit> =
            self.aim.kills.iter().filter_map(|kill| lit_of(*kill)).map(|lit| !lit).collect();
        let n_missed = missed.len();
        (n_missed > 0).then(|| CopiesOfAll { builder, solver, missed: Totalizer::new(&missed), n_missed })
    }

    /// A suite that kills more mutants; tests that are not free keep their inputs.
    fn better(
        &self,
        copies: &mut CopiesOfAll<'_>,
        tests: &[Behaviour],
        free: &[usize],
        limits: &SatLimits,
    ) -> (SatAnswer, Option<Vec<Behaviour>>) {
        let before = self.aim.worth_of(tests);
        // Atoms that no known run has are not counted, and no test has them.
        let Some(most_missed) = (copies.n_missed).checked_sub(before.0 + 1) else {
            return (SatAnswer::Unsat, None);
        };
        let CopiesOfAll { builder, solver, missed, .. } = copies;
        let mut assumed: Vec<Lit> = Vec::new();
        assumed.extend(missed.more_than(most_missed, solver.as_mut()).map(|too_many| !too_many));
        let mut is_free = BitSet::new(tests.len());
        free.iter().for_each(|test| is_free.insert(*test));
        for (copy, test) in tests.iter().enumerate() {
            for (input, value) in self.problem.inputs.iter().zip(&test.inputs) {
                for (bit, is_one) in input.bits.iter().zip(value.bits()) {
                    let lit = builder.shifted(bit.negated_if(!is_one), copy);
                    if is_free.contains(copy) { solver.prefer(lit) } else { assumed.push(lit) }
                }
            }
        }
        let answer = solver.solve(&assumed, limits);
        if answer != SatAnswer::Sat {
            return (answer, None);
        }
        let runs = (0..tests.len()).map(|copy| builder.read(copy, |lit| solver.value(lit)));
        let runs: Vec<Behaviour> = runs.collect();
        let runs: Option<Vec<Behaviour>> =
            runs.into_iter().map(|run| self.measure.run(run.inputs).ok()).collect();
        let is_better = |runs: &Vec<Behaviour>| self.aim.worth_of(runs).0 > before.0;
        (answer, runs.filter(is_better))
    }
}

/// Selects a few of the tests.
fn some(n_tests: usize, rng: &mut Rng) -> Vec<usize> {
    let mut all: Vec<usize> = (0..n_tests).collect();
    rng.shuffle(&mut all);
    all.truncate(N_FEW);
    all
}
