//! Values that notice faults: among the inputs with which a test does its duty, those that tell more mutants apart.
//!
//! The number of tests and the goals that they reach stay as they are. A mutant that no test tells apart is offered to one test after the other.
//! Of a test only that is asked which no other test does: goals must stay, and mutants that only it tells apart should. It is exchanged
//! if more mutants are told apart then, so it ends. Before and between, values are tried without the solver (`moves`). Then the best choice is made
//! among all runs that were seen. This is not the maximum over all runs.

use super::aim::Aim;
use super::moves::Moves;
use crate::search::bitset::BitSet;
use crate::search::{AtomId, Behaviour, Explorer, Reply, SearchRng, SuiteObjective, is_covered};
use nub_sat::{SatLimits, SatStop};

/// Conflicts for one question.
const CONFLICTS: u64 = 1_000;
/// Rounds over all mutants, in another order each time.
const MAX_ROUNDS: usize = 6;
/// Rounds in a row without a gain.
const MAX_IDLE_ROUNDS: usize = 2;
/// Questions for each mutant, on the average.
const QUESTIONS_EACH: u64 = 60;
/// Questions times clauses: a question looks at the clauses at least once.
const MAX_WORK: u64 = 20_000_000;

/// What is looked for.
pub(super) struct Sharpening<'s> {
    pub aim: Aim<'s>,
    /// How values are tried without the solver, and how often each time.
    pub moves: Moves<'s>,
    pub n_tries: usize,
    pub seed: u64,
    pub limits: &'s SatLimits,
}

impl Sharpening<'_> {
    /// The tests with other inputs. They reach the same goals.
    pub fn sharpen(&self, explorer: &mut Explorer<'_>, mut tests: Vec<Behaviour>) -> Vec<Behaviour> {
        let limits = self.limits.with_conflicts(CONFLICTS);
        let mut rng = SearchRng::new(self.seed);
        let affordable = MAX_WORK / explorer.problem().cnf.n_clauses().max(1) as u64;
        let most = explorer.n_questions() + affordable.min(QUESTIONS_EACH * self.aim.kills.len() as u64);
        for wanted in [self.aim.kills, self.aim.kills, self.aim.suspects] {
            self.moves.improve(&mut tests, explorer.known_mut(), self.n_tries, &mut rng);
            let mut n_idle = 0;
            for _ in 0..MAX_ROUNDS {
                let before = self.aim.worth_of(&tests);
                let mut order: Vec<usize> = (0..wanted.len()).collect();
                rng.shuffle(&mut order);
                for mutant in order {
                    let is_late = limits.cancel.is_cancelled() || explorer.n_questions() > most;
                    if is_late || tests.iter().any(|test| test.has(self.aim.kills[mutant])) {
                        continue;
                    }
                    self.offer(explorer, &mut tests, wanted[mutant], &mut rng, &limits);
                }
                n_idle = if self.aim.worth_of(&tests) == before { n_idle + 1 } else { 0 };
                if n_idle >= MAX_IDLE_ROUNDS {
                    break;
                }
            }
        }
        self.aim.choose(explorer.known(), &mut tests, self.limits);
        tests
    }

    /// Exchanges a test for one that has the atom, if that is a gain.
    fn offer(
        &self,
        explorer: &mut Explorer<'_>,
        tests: &mut [Behaviour],
        atom: AtomId,
        rng: &mut SearchRng,
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
            let must = must(self.aim.goals, &others, &tests[at]);
            let own = |atom: &&AtomId| tests[at].has(**atom) && !others.contains(atom.index());
            let should: Vec<AtomId> = self.aim.kills.iter().filter(own).copied().collect();
            let Some(run) = grown(explorer, must, atom, &should, limits) else { continue };
            let old = std::mem::replace(&mut tests[at], run);
            if self.aim.worth_of(tests) <= before {
                tests[at] = old;
            }
        }
    }
}

/// What a test must have so that all goals are reached together with the others.
fn must(goals: &[&SuiteObjective], others: &BitSet, test: &Behaviour) -> Vec<AtomId> {
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

/// A run with all that it must have and the atom; with all that it should have if one question finds that, else with as much as fits one by one.
fn grown(
    explorer: &mut Explorer<'_>,
    must: Vec<AtomId>,
    atom: AtomId,
    should: &[AtomId],
    limits: &SatLimits,
) -> Option<Behaviour> {
    let mut kept = must;
    kept.push(atom);
    let all: Vec<AtomId> = kept.iter().chain(should).copied().collect();
    if let Reply::Run(run) = explorer.ask(&all, limits) {
        return Some(run);
    }
    let mut run = match explorer.ask(&kept, limits) {
        Reply::Run(run) => run,
        Reply::None | Reply::Unknown(_) => return None,
    };
    for wanted in should {
        if run.has(*wanted) {
            kept.push(*wanted);
            continue;
        }
        let asked: Vec<AtomId> = kept.iter().copied().chain([*wanted]).collect();
        match explorer.ask(&asked, limits) {
            Reply::Run(larger) => (run, kept) = (larger, asked),
            Reply::Unknown(SatStop::Cancelled) => return Some(run),
            Reply::None | Reply::Unknown(_) => {}
        }
    }
    Some(run)
}
