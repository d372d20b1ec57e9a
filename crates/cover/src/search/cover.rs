//! All steps in order, until the bounds meet.

use super::certificate::{self, MinimumCertificate};
use super::choose;
use super::config::{CoverSearchConfig, GapOrder, IfBeyond, Polishing};
use super::copies::{Copies, Tests};
use super::explorer::Explorer;
use super::grade;
use super::grow::{self, PassStart};
use super::knowledge::{AtomStatus, Behaviour, is_covered, union};
use super::narrow::Narrowing;
use super::needs::{Conflicts, PairEffort, all_needs, needs, propagate};
use super::polish::polish;
use super::problem::{AtomId, Need, SuiteObjective};
use super::slots;
use super::suite::{CoveringSuite, GoalState, MinimumProof, shown_by};
use super::weigh::Weighting;
use nub_random::Rng;
use nub_sat::SatStop;

/// Shuffled passes before anything expensive.
const N_PASSES: usize = 4;
/// Where evaluating runs is better than asking the solver, pairs of at most this many needs are decided before anything else is tried.
const FEW_NEEDS: usize = 100;
/// Attempts to fill tests that start from the clique.
const N_FILLS: usize = 16;
/// Stop after this many attempts in a row that bring nothing.
const MAX_IDLE_FILLS: usize = 4;
/// After this many questions, no more attempts are made to find fewer tests. Small functions need far fewer.
const MAX_QUESTIONS: u64 = 25_000;
/// Conflicts for one question about copies, times their clauses: a conflict costs more where there are more clauses. Minutes at most.
const COPIES_WORK: u64 = 20_000_000_000;
/// Conflicts for one question about copies, for few and for many clauses.
const COPIES_CONFLICTS: std::ops::RangeInclusive<u64> = 5_000..=500_000;

/// Copies with at most this many clauses are asked before anything else is tried, for at most this many conflicts.
const FEW_CLAUSES: u64 = 100_000;
const FEW_CONFLICTS: u64 = 5_000;

/// Finds a small set of runs that reaches all reachable goals.
pub fn cover(
    explorer: &mut Explorer<'_>,
    goals: &[SuiteObjective],
    config: &CoverSearchConfig,
) -> CoveringSuite {
    let mut search = Search::new(explorer, goals, config);
    let stop = search.run().err();
    let certificate = search.certificate();
    let is_short = certificate.needs.len() < search.clique.len() || !search.check_weighting();
    let stop = stop.or_else(|| is_short.then_some(SatStop::Cancelled));
    search.finish(certificate, stop)
}

/// Replaces the suite by the `n` tests that reach the most goals, as far as known, with the states that follow. Returns an upper bound on the goals
/// of any `n` tests.
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

struct Search<'e, 'p, 'g> {
    explorer: &'e mut Explorer<'p>,
    goals: &'g [SuiteObjective],
    config: &'g CoverSearchConfig,
    rng: Rng,
    tests: Vec<Behaviour>,
    clique: Vec<Need>,
    /// A better bound than that of the clique.
    weighting: Option<Weighting>,
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
        let rng = Rng::new(config.seed);
        let first_question = explorer.n_questions();
        let (tests, clique) = (Vec::new(), Vec::new());
        let (weighting, lower_by_copies) = (None, 0);
        Search { explorer, goals, config, rng, tests, clique, weighting, lower_by_copies, first_question }
    }

    /// The goals that a known run reaches, or two known runs.
    fn coverable(&self) -> Vec<&'g SuiteObjective> {
        self.goals.iter().filter(|goal| self.explorer.known().is_coverable(goal) == Some(true)).collect()
    }

    fn lower(&self) -> usize {
        let by_weights = self.weighting.as_ref().map_or(0, Weighting::lower);
        self.clique.len().max(by_weights).max(self.lower_by_copies)
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
        let deciding = self.config.deciding.as_ref().unwrap_or(limits);
        let decided = grow::decide(self.explorer, &atoms, deciding);
        self.choose();
        // Also after the time limit: what was propagated gives a bound.
        let needs = needs(self.explorer.known(), self.goals);
        let mut conflicts = Conflicts::new(self.explorer.known(), needs);
        self.take_clique(&conflicts);
        decided?;
        if self.config.if_beyond == IfBeyond::End && self.is_beyond() {
            return Ok(());
        }
        // Evaluated runs have probably led to the fewest tests, and what is missing is the proof.
        let is_sampled = self.explorer.evaluation().is_some() && conflicts.needs().len() <= FEW_NEEDS;
        if is_sampled {
            self.decide_pairs(&mut conflicts, PairEffort::SMALL)?;
        }
        self.improve(if is_sampled { PassStart::Known } else { PassStart::Solver })?;
        self.decide_pairs(&mut conflicts, PairEffort::LARGE)?;
        self.fill_slots()?;
        if !self.is_done() {
            self.choose_exactly();
        }
        if self.config.gap == GapOrder::BySize && self.copies_size() <= FEW_CLAUSES {
            match self.close_gap(FEW_CONFLICTS) {
                Err(SatStop::Conflicts) => {}
                ended => return ended,
            }
        }
        self.narrow()?;
        self.close_gap(u64::MAX)
    }

    /// Whether some goal is unreachable only because of the bound.
    fn is_beyond(&self) -> bool {
        self.goals.iter().any(|goal| self.missing_from(goal) == Some(GoalState::BeyondBound))
    }

    /// Whether the questions of this search are used up.
    fn is_tired(&self) -> bool {
        self.explorer.n_questions() - self.first_question > MAX_QUESTIONS
    }

    /// Decides pairs of needs, and takes what comes of it.
    fn decide_pairs(&mut self, conflicts: &mut Conflicts, effort: PairEffort) -> Result<(), SatStop> {
        if self.is_done() {
            return Ok(());
        }
        conflicts.decide(self.explorer, self.clique.len(), self.tests.len(), effort, &self.config.limits)?;
        self.take_clique(conflicts);
        // The questions about pairs have brought new runs.
        self.choose();
        Ok(())
    }

    /// Shuffled passes, until there is no improvement.
    fn improve(&mut self, start: PassStart) -> Result<(), SatStop> {
        for _ in 0..N_PASSES {
            if self.is_done() || self.is_tired() {
                return Ok(());
            }
            let wanted = self.wanted();
            grow::pass(self.explorer, &wanted, start, &self.config.limits)?;
            self.choose();
        }
        Ok(())
    }

    /// Tests that start from the clique.
    fn fill_slots(&mut self) -> Result<(), SatStop> {
        let mut n_idle = 0;
        for _ in 0..N_FILLS {
            if self.is_done() || self.is_tired() {
                return Ok(());
            }
            if n_idle >= MAX_IDLE_FILLS {
                break;
            }
            let wanted = self.wanted();
            let (clique, enough) = (self.clique.clone(), self.tests.len());
            let limits = &self.config.limits;
            if let Some(tests) = slots::fill(self.explorer, &clique, &wanted, enough, &mut self.rng, limits)?
            {
                self.take(tests);
            }
            n_idle = if self.tests.len() < enough { 0 } else { n_idle + 1 };
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

    /// Clauses of as many copies as the lower bound says.
    fn copies_size(&self) -> u64 {
        (self.lower().max(1) * self.explorer.problem().cnf.n_clauses()) as u64
    }

    /// Both bounds, where all that is cheap has left a gap.
    fn narrow(&mut self) -> Result<(), SatStop> {
        if self.is_done() {
            return Ok(());
        }
        let goals = self.coverable();
        let needs = all_needs(self.explorer.known(), self.goals);
        let (tests, lower) = (std::mem::take(&mut self.tests), self.lower());
        let clique = self.clique.clone();
        let mut narrowing = Narrowing { needs: &needs, clique: &clique, tests, lower, weighting: None };
        let ended = narrowing.run(self.explorer, &goals, &mut self.rng, self.config);
        narrowing.tests.iter().for_each(|test| self.explorer.known_mut().saw(test.clone()));
        self.tests = narrowing.tests;
        self.weighting = narrowing.weighting;
        ended
    }

    /// Copies of the program, one more each time.
    fn close_gap(&mut self, most_conflicts: u64) -> Result<(), SatStop> {
        if self.is_done() {
            return Ok(());
        }
        let goals = self.coverable();
        let known = self.explorer.known().clone();
        let clique = self.clique.clone();
        let mut copies = Copies::new(self.explorer.problem(), &known, &goals, &clique, &self.config.limits);
        while !self.is_done() {
            let k = self.lower().max(1);
            let conflicts = (COPIES_WORK / self.copies_size().max(1))
                .clamp(*COPIES_CONFLICTS.start(), *COPIES_CONFLICTS.end())
                .min(most_conflicts);
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

    /// Checks the weights, and gives them up if they cannot be confirmed. False in that case.
    fn check_weighting(&mut self) -> bool {
        let problem = self.explorer.problem();
        let is_confirmed = |found: &Weighting| certificate::holds(problem, found, &self.config.closing);
        let is_lost = self.weighting.as_ref().is_some_and(|found| !is_confirmed(found));
        if is_lost {
            self.weighting = None;
        }
        !is_lost
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
        let weighting = self.weighting.take().filter(|found| found.lower() > clique.needs.len());
        let by_weights = weighting.as_ref().map_or(0, Weighting::lower);
        let lower = clique.needs.len().max(by_weights).max(by_copies).max(usize::from(!tests.is_empty()));
        let proof = if clique.needs.len() >= tests.len() {
            MinimumProof::Clique(clique)
        } else if by_weights >= tests.len() {
            MinimumProof::Weights { clique }
        } else if by_copies >= tests.len() {
            MinimumProof::Copies { clique }
        } else {
            MinimumProof::Gap { clique }
        };
        CoveringSuite { tests, lower, proof, weighting, goals: states, stop }
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
        if all_have(&[AtomStatus::Infeasible]) {
            Some(GoalState::Infeasible)
        } else if all_have(&[AtomStatus::Infeasible, AtomStatus::BeyondBound]) {
            Some(GoalState::BeyondBound)
        } else {
            None
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
