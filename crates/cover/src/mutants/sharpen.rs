//! Values that kill mutants: among the inputs with which a test reaches its goals, those that kill more.
//!
//! The number of tests and the goals that they reach stay as they are. Values are first tried without the solver (`moves`). A mutant that no test
//! kills is then offered to one test after the other: goals and mutants that only this test has must stay. Last, all tests may change at once
//! (`whole`), which is the only step that can prove that there is nothing better. In the end the best selection is made among all runs that were
//! seen.

use super::aim::Aim;
use super::effort::SharpeningEffort;
use super::moves::{Moves, RunTrial};
use super::whole::{Maximum, WholeSuite};
use crate::search::bitset::BitSet;
use crate::search::{AtomId, Behaviour, Explorer, Reply, SuiteObjective, is_covered};
use nub_random::Rng;
use nub_sat::SatLimits;

/// How often values are tried and then requested from the solver.
const MAX_PASSES: usize = 3;
/// Passes over all mutants, each in another order, as long as there is an improvement.
const MAX_ROUNDS: usize = 6;
/// Average number of questions for each mutant.
const QUESTIONS_EACH: u64 = 30;
/// The inputs of the search.
pub(super) struct Sharpening<'s, T: RunTrial> {
    pub aim: Aim<'s>,
    /// How values are tried without the solver, and how often each time.
    pub moves: Moves<'s, T>,
    pub n_tries: usize,
    /// How all tests are replaced at once.
    pub whole: WholeSuite<'s>,
    pub effort: SharpeningEffort,
    pub seed: u64,
    pub limits: &'s SatLimits,
}

impl<T: RunTrial> Sharpening<'_, T> {
    /// The tests with other inputs, which reach the same goals, and whether no set of tests kills more mutants.
    pub fn sharpen(
        &self,
        explorer: &mut Explorer<'_>,
        mut tests: Vec<Behaviour>,
    ) -> (Vec<Behaviour>, Maximum) {
        let mut rng = Rng::new(self.seed);
        let affordable = self.effort.n_questions(explorer.problem().cnf.n_clauses());
        let most = affordable.min(explorer.n_questions() + QUESTIONS_EACH * self.aim.kills.len() as u64);
        for _ in 0..MAX_PASSES {
            self.moves.improve(&mut tests, explorer.known_mut(), self.n_tries, &mut rng);
            let before = self.aim.worth_of(&tests);
            self.offer_all(explorer, &mut tests, self.aim.kills, &mut rng, most);
            if self.whole.improve(explorer.known(), &mut tests, &mut rng) == Maximum::Proved {
                return (tests, Maximum::Proved);
            }
            self.aim.choose(explorer.known(), &mut tests, self.limits);
            if self.aim.worth_of(&tests) == before {
                break;
            }
        }
        if self.aim.suspects != self.aim.kills {
            self.offer_all(explorer, &mut tests, self.aim.suspects, &mut rng, most);
        }
        (tests, Maximum::Open)
    }

    /// Offers each mutant that no test kills to one test after the other, as long as that is an improvement and there are questions left.
    fn offer_all(
        &self,
        explorer: &mut Explorer<'_>,
        tests: &mut [Behaviour],
        wanted: &[AtomId],
        rng: &mut Rng,
        most: u64,
    ) {
        let limits = self.limits.with_conflicts(self.effort.conflicts(explorer.problem().cnf.n_clauses()));
        for _ in 0..MAX_ROUNDS {
            let before = self.aim.worth_of(tests);
            let mut order: Vec<usize> = (0..wanted.len()).collect();
            rng.shuffle(&mut order);
            for mutant in order {
                let is_late = limits.cancel.is_cancelled() || explorer.n_questions() > most;
                if is_late || tests.iter().any(|test| test.has(self.aim.kills[mutant])) {
                    continue;
                }
                self.offer(explorer, tests, wanted[mutant], rng, &limits);
            }
            if self.aim.worth_of(tests) == before {
                return;
            }
        }
    }

    /// Replaces a test by one that has the atom in addition to everything that no other test has.
    fn offer(
        &self,
        explorer: &mut Explorer<'_>,
        tests: &mut [Behaviour],
        atom: AtomId,
        rng: &mut Rng,
        limits: &SatLimits,
    ) {
        let is_possible =
            |explorer: &Explorer<'_>| !explorer.is_decided(atom) || explorer.known().is_feasible(atom);
        let before = self.aim.worth_of(tests);
        let mut order: Vec<usize> = (0..tests.len()).collect();
        rng.shuffle(&mut order);
        for at in order {
            if !is_possible(explorer) || tests.iter().any(|test| test.has(atom)) {
                return;
            }
            let others = self.aim.others(tests, at);
            let own = |atom: &&AtomId| tests[at].has(**atom) && !others.contains(atom.index());
            let mut asked = must(self.aim.goals, &others, &tests[at]);
            asked.extend(self.aim.kills.iter().filter(own));
            asked.push(atom);
            let Reply::Run(run) = explorer.ask(&asked, limits) else { continue };
            let old = std::mem::replace(&mut tests[at], run);
            if self.aim.worth_of(tests) <= before {
                tests[at] = old;
            }
        }
    }
}

/// What a test must have so that it and the others together reach all goals.
pub(super) fn must(goals: &[&SuiteObjective], others: &BitSet, test: &Behaviour) -> Vec<AtomId> {
    let mut found: Vec<AtomId> = Vec::new();
    for goal in goals.iter().filter(|goal| !is_covered(goal, others)) {
        match goal {
            SuiteObjective::Atom(atom) => found.push(*atom),
            SuiteObjective::Pairs(pairs) => {
                let missing = |pair: &[AtomId; 2]| -> Vec<AtomId> {
                    pair.iter().copied().filter(|atom| !others.contains(atom.index())).collect()
                };
                let reached =
                    pairs.iter().map(missing).filter(|atoms| atoms.iter().all(|atom| test.has(*atom)));
                let n_new = |atoms: &Vec<AtomId>| atoms.iter().filter(|atom| !found.contains(atom)).count();
                let least = reached.min_by_key(n_new);
                found.extend(least.into_iter().flatten());
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
