//! All steps in order, until the bounds meet.

use super::certificate::{self, MinimumCertificate};
use super::choose;
use super::config::{CoverSearchConfig, IfBeyond, Polishing};
use super::copies::{Copies, Tests};
use super::explorer::Explorer;
use super::grade;
use super::grow;
use super::knowledge::{AtomStatus, Behaviour, is_covered, union};
use super::needs::{Conflicts, needs, propagate};
use super::polish::polish;
use super::problem::{AtomId, Need, SuiteObjective};
use super::shuffle::SearchRng;
use super::slots;
use nub_sat::SatStop;

/// The result for a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalState {
    /// Reached, by the one or two tests that show it.
    Covered(Vec<usize>),
    /// No run of any length reaches it.
    Infeasible,
    /// No run within the bound reaches it.
    BeyondBound,
    /// Reached by runs with undefined behaviour only.
    Undefined,
    /// Can be reached, but not by these tests: their number was limited.
    LeftOut,
    /// The time limit was reached.
    Open,
}

/// Why there are no fewer tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MinimumProof {
    /// As many needs as tests, of which no run of any length meets two.
    Clique(MinimumCertificate),
    /// One test fewer was refuted by the solver, for runs within the bound of the loops if there is one.
    Copies {
        /// The largest clique, for information.
        clique: MinimumCertificate,
    },
    /// There is no proof: at least as many tests as the clique has needs are necessary.
    Gap {
        /// The largest clique.
        clique: MinimumCertificate,
    },
}

/// A set of tests.
#[derive(Clone, Debug)]
pub struct CoveringSuite {
    /// The tests.
    pub tests: Vec<Behaviour>,
    /// At least this many tests are necessary.
    pub lower: usize,
    /// The proof of that.
    pub proof: MinimumProof,
    /// The results for the goals, in their order.
    pub goals: Vec<GoalState>,
    /// Why it ended early, if it did.
    pub stop: Option<SatStop>,
}

impl CoveringSuite {
    /// No smaller set exists.
    pub fn is_minimal(&self) -> bool {
        self.lower >= self.tests.len()
    }
}

/// Shuffled passes before anything expensive.
const N_PASSES: usize = 4;
/// Attempts to fill tests that start from the clique.
const N_FILLS: usize = 16;
/// After this many questions, no more attempts are made to find fewer tests. Small functions need far fewer.
const MAX_QUESTIONS: u64 = 60_000;
/// Conflicts for one question about copies, times their clauses: a conflict costs more where there are more clauses. Minutes at most.
const COPIES_WORK: u64 = 20_000_000_000;
/// Conflicts for one question about copies, for few and for many clauses.
const COPIES_CONFLICTS: std::ops::RangeInclusive<u64> = 5_000..=500_000;

/// Finds a small set of runs that reaches all reachable goals.
pub fn cover(
    explorer: &mut Explorer<'_>,
    goals: &[SuiteObjective],
    config: &CoverSearchConfig,
) -> CoveringSuite {
    let mut search = Search::new(explorer, goals, config);
    let stop = search.run().err();
    let certificate = search.certificate();
    let is_short = certificate.needs.len() < search.clique.len();
    let stop = stop.or_else(|| is_short.then_some(SatStop::Cancelled));
    search.finish(certificate, stop)
}

/// The `n` tests that reach most goals, as far as known, instead of all that are necessary: the suite with other tests and states, and an upper bound
/// on the goals of any `n` tests.
pub fn best_grade(
    explorer: &mut Explorer<'_>,
    goals: &[SuiteObjective],
    config: &CoverSearchConfig,
    suite: &mut CoveringSuite,
    n: usize,
) -> usize {
    if n >= suite.tests.len() {
        return goals.iter().filter(|goal| explorer.known().is_coverable(goal) == Some(true)).count();
    }
    let most = grade::grade(explorer, goals, config, suite, n);
    let mut search = Search::new(explorer, goals, config);
    suite.goals = goals.iter().map(|goal| search.state(goal, &suite.tests)).collect();
    most
}

/// Makes the values of tests readable; they reach the same goals.
pub fn polish_suite(
    explorer: &mut Explorer<'_>,
    goals: &[SuiteObjective],
    config: &CoverSearchConfig,
    suite: &mut CoveringSuite,
) {
    let is_covered = |state: &GoalState| matches!(state, GoalState::Covered(_));
    let reached = goals.iter().zip(&suite.goals).filter(|(_, state)| is_covered(state));
    let reached: Vec<&SuiteObjective> = reached.map(|(goal, _)| goal).collect();
    let tests = std::mem::take(&mut suite.tests);
    suite.tests = polish(explorer, tests, &reached, &config.favourites, &config.closing);
    show_again(goals, suite);
}

/// Recomputes which tests show the goals, after the tests have changed.
pub fn show_again(goals: &[SuiteObjective], suite: &mut CoveringSuite) {
    for (goal, state) in goals.iter().zip(&mut suite.goals) {
        if let Some(shown) = shown_by(goal, &suite.tests) {
            *state = GoalState::Covered(shown);
        }
    }
}

/// The one or two tests that show a goal, if it is reached.
pub fn shown_by(goal: &SuiteObjective, tests: &[Behaviour]) -> Option<Vec<usize>> {
    let first = |atom: &AtomId| tests.iter().position(|test| test.has(*atom));
    match goal {
        SuiteObjective::Atom(atom) => first(atom).map(|test| vec![test]),
        SuiteObjective::Pairs(pairs) => {
            let mut shown = pairs.iter().find_map(|[p, q]| Some(vec![first(p)?, first(q)?]))?;
            shown.dedup();
            Some(shown)
        }
    }
}

struct Search<'e, 'p, 'g> {
    explorer: &'e mut Explorer<'p>,
    goals: &'g [SuiteObjective],
    config: &'g CoverSearchConfig,
    rng: SearchRng,
    tests: Vec<Behaviour>,
    clique: Vec<Need>,
    /// Refuted by copies: at least this many within the bound.
    lower_by_copies: usize,
    /// The number of questions asked before this search.
    first_question: u64,
}

impl<'e, 'p, 'g> Search<'e, 'p, 'g> {
    fn new(
        explorer: &'e mut Explorer<'p>,
        goals: &'g [SuiteObjective],
        config: &'g CoverSearchConfig,
    ) -> Self {
        let rng = SearchRng::new(config.seed);
        let first_question = explorer.n_questions();
        let (tests, clique) = (Vec::new(), Vec::new());
        Search { explorer, goals, config, rng, tests, clique, lower_by_copies: 0, first_question }
    }

    /// The goals that a known run reaches, or two known runs.
    fn coverable(&self) -> Vec<&'g SuiteObjective> {
        self.goals.iter().filter(|goal| self.explorer.known().is_coverable(goal) == Some(true)).collect()
    }

    fn lower(&self) -> usize {
        self.clique.len().max(self.lower_by_copies)
    }

    fn is_done(&self) -> bool {
        self.lower() >= self.tests.len()
    }

    fn run(&mut self) -> Result<(), SatStop> {
        let limits = &self.config.limits;
        let mut atoms: Vec<AtomId> = self.goals.iter().flat_map(SuiteObjective::atoms).collect();
        atoms.sort_unstable();
        atoms.dedup();
        propagate(self.explorer, &atoms, limits);
        let decided = grow::decide(self.explorer, &atoms, limits);
        self.choose();
        // Also after the time limit: what was propagated gives a bound.
        let needs = needs(self.explorer.known(), self.goals);
        let mut conflicts = Conflicts::new(self.explorer.known(), needs);
        self.take_clique(&conflicts);
        decided?;
        if self.config.if_beyond == IfBeyond::End && self.is_beyond() {
            return Ok(());
        }
        self.improve()?;
        if !self.is_done() {
            conflicts.decide(self.explorer, self.clique.len(), self.tests.len(), limits)?;
            self.take_clique(&conflicts);
            // The questions about pairs have brought new runs.
            self.choose();
        }
        self.fill_slots()?;
        if !self.is_done() {
            self.choose_exactly();
        }
        self.close_gap()
    }

    /// Whether some goal is unreachable only because of the bound.
    fn is_beyond(&self) -> bool {
        self.goals.iter().any(|goal| self.missing_from(goal) == Some(GoalState::BeyondBound))
    }

    /// Whether the questions of this search are used up.
    fn is_tired(&self) -> bool {
        self.explorer.n_questions() - self.first_question > MAX_QUESTIONS
    }

    /// Shuffled passes, until there is no improvement.
    fn improve(&mut self) -> Result<(), SatStop> {
        for _ in 0..N_PASSES {
            if self.is_done() || self.is_tired() {
                return Ok(());
            }
            let wanted = self.wanted();
            grow::pass(self.explorer, &wanted, &self.config.limits)?;
            self.choose();
        }
        Ok(())
    }

    /// Tests that start from the clique.
    fn fill_slots(&mut self) -> Result<(), SatStop> {
        for _ in 0..N_FILLS {
            if self.is_done() || self.is_tired() {
                return Ok(());
            }
            let wanted = self.wanted();
            let (clique, enough) = (self.clique.clone(), self.tests.len());
            let limits = &self.config.limits;
            if let Some(tests) = slots::fill(self.explorer, &clique, &wanted, enough, &mut self.rng, limits)?
            {
                self.take(tests);
            }
        }
        self.choose();
        Ok(())
    }

    /// Atoms that reach all goals: of the pairs of a goal, one is selected that shares most with what is wanted anyway.
    fn wanted(&mut self) -> Vec<AtomId> {
        let mut goals = self.coverable();
        self.rng.shuffle(&mut goals);
        let known = self.explorer.known();
        let mut wanted: Vec<AtomId> = Vec::new();
        for goal in goals {
            match goal {
                SuiteObjective::Atom(atom) => wanted.push(*atom),
                SuiteObjective::Pairs(pairs) => {
                    let mut pairs: Vec<&[AtomId; 2]> = pairs
                        .iter()
                        .filter(|pair| pair.iter().all(|atom| known.is_feasible(*atom)))
                        .collect();
                    self.rng.shuffle(&mut pairs);
                    let n_new =
                        |pair: &&&[AtomId; 2]| pair.iter().filter(|atom| !wanted.contains(atom)).count();
                    let best = pairs.iter().min_by_key(n_new).copied();
                    wanted.extend(best.into_iter().flatten());
                }
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        self.rng.shuffle(&mut wanted);
        wanted
    }

    /// Selects a set of known runs, if it is smaller.
    fn choose(&mut self) {
        let goals = self.coverable();
        let runs = self.explorer.known().behaviours();
        let chosen = choose::greedy(runs, &goals, self.explorer.known().n_atoms(), &mut self.rng);
        let tests = chosen.into_iter().map(|index| runs[index].clone()).collect();
        self.take(tests);
    }

    fn choose_exactly(&mut self) {
        let goals = self.coverable();
        let runs = self.explorer.known().behaviours();
        let n_atoms = self.explorer.known().n_atoms();
        if let Some(chosen) = choose::exact(runs, &goals, n_atoms, &self.config.limits) {
            let tests = chosen.into_iter().map(|index| runs[index].clone()).collect();
            self.take(tests);
        }
    }

    fn take(&mut self, tests: Vec<Behaviour>) {
        let goals = self.coverable();
        let n_reached = |tests: &[Behaviour]| {
            let all = union(self.explorer.known().n_atoms(), tests);
            goals.iter().filter(|goal| is_covered(goal, &all)).count()
        };
        let (new, old) = (n_reached(&tests), n_reached(&self.tests));
        if new > old || (new == old && tests.len() < self.tests.len()) {
            self.tests = tests;
        }
    }

    fn take_clique(&mut self, conflicts: &Conflicts) {
        let found = conflicts.clique(self.tests.len());
        if found.len() > self.clique.len() {
            self.clique = found.into_iter().map(|need| conflicts.needs()[need].clone()).collect();
        }
    }

    /// Copies of the program, one more each time.
    fn close_gap(&mut self) -> Result<(), SatStop> {
        if self.is_done() {
            return Ok(());
        }
        let goals = self.coverable();
        let known = self.explorer.known().clone();
        let clique = self.clique.clone();
        let mut copies = Copies::new(self.explorer.problem(), &known, &goals, &clique, &self.config.limits);
        while !self.is_done() {
            let k = self.lower().max(1);
            let n_clauses = (k * self.explorer.problem().cnf.n_clauses()).max(1) as u64;
            let conflicts =
                (COPIES_WORK / n_clauses).clamp(*COPIES_CONFLICTS.start(), *COPIES_CONFLICTS.end());
            match copies.ask(k, &self.config.limits.with_conflicts(conflicts)) {
                Tests::Found(tests) => {
                    tests.iter().for_each(|test| self.explorer.known_mut().saw(test.clone()));
                    self.take(tests);
                    debug_assert!(self.is_done(), "a set of {k} tests must be taken");
                    return Ok(());
                }
                Tests::None => self.lower_by_copies = k + 1,
                Tests::Unknown(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// Checks the clique. What cannot be refuted again is dropped from the lower bound.
    fn certificate(&self) -> MinimumCertificate {
        certificate::check(self.explorer.problem(), &self.clique, &self.config.closing)
    }

    fn finish(mut self, clique: MinimumCertificate, stop: Option<SatStop>) -> CoveringSuite {
        let goals = self.coverable();
        let tests = std::mem::take(&mut self.tests);
        let tests = match self.config.polishing {
            Polishing::AtOnce => {
                polish(self.explorer, tests, &goals, &self.config.favourites, &self.config.closing)
            }
            Polishing::Later => tests,
        };
        let states = self.goals.iter().map(|goal| self.state(goal, &tests)).collect();
        // Copies depend on the whole clique.
        let is_whole = clique.needs.len() == self.clique.len();
        let by_copies = if is_whole { self.lower_by_copies } else { 0 };
        let lower = clique.needs.len().max(by_copies).max(usize::from(!tests.is_empty()));
        let proof = match () {
            () if clique.needs.len() >= tests.len() => MinimumProof::Clique(clique),
            () if by_copies >= tests.len() => MinimumProof::Copies { clique },
            () => MinimumProof::Gap { clique },
        };
        CoveringSuite { tests, lower, proof, goals: states, stop }
    }

    fn state(&mut self, goal: &SuiteObjective, tests: &[Behaviour]) -> GoalState {
        if let Some(shown) = shown_by(goal, tests) {
            return GoalState::Covered(shown);
        }
        match self.explorer.known().is_coverable(goal) {
            Some(true) => GoalState::LeftOut,
            _ => self.missing(goal),
        }
    }

    /// Why a goal is not reached: every pair has a half that cannot happen.
    fn missing(&mut self, goal: &SuiteObjective) -> GoalState {
        match self.missing_from(goal) {
            Some(GoalState::Infeasible) => {
                let is_undefined = pairs(goal).iter().any(|pair| self.is_through_undefined(pair));
                if is_undefined { GoalState::Undefined } else { GoalState::Infeasible }
            }
            Some(state) => state,
            None => GoalState::Open,
        }
    }

    /// Among which runs a goal is known to be unreachable; `None` if it is not known to be unreachable.
    fn missing_from(&self, goal: &SuiteObjective) -> Option<GoalState> {
        let known = self.explorer.known();
        let all_have = |statuses: &[AtomStatus]| {
            pairs(goal).iter().all(|pair| pair.iter().any(|atom| statuses.contains(&known.status(*atom))))
        };
        match () {
            () if all_have(&[AtomStatus::Infeasible]) => Some(GoalState::Infeasible),
            () if all_have(&[AtomStatus::Infeasible, AtomStatus::BeyondBound]) => {
                Some(GoalState::BeyondBound)
            }
            () => None,
        }
    }

    /// Whether runs with undefined behaviour can have what others cannot.
    fn is_through_undefined(&mut self, pair: &[AtomId; 2]) -> bool {
        let limits = &self.config.limits;
        pair.iter().all(|atom| {
            self.explorer.known().is_feasible(*atom) || self.explorer.undefined_run(*atom, limits).is_some()
        })
    }
}

/// The pairs of a goal: a single atom is paired with itself.
fn pairs(goal: &SuiteObjective) -> Vec<[AtomId; 2]> {
    match goal {
        SuiteObjective::Atom(atom) => vec![[*atom; 2]],
        SuiteObjective::Pairs(pairs) => pairs.clone(),
    }
}
