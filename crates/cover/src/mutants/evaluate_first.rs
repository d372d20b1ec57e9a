//! Values that kill mutants, by evaluating runs first.
//!
//! Most values that kill a mutant are near the values of a test, or near a constant of the source, and evaluating a run costs microseconds. So values
//! are tried (`moves`), and the best selection is made among all runs that were seen. The solver is asked last, about one mutant at a
//! time (`one_mutant`), and may work only in proportion to what evaluating has cost: both grow with the function, as its search did. Claims about
//! all mutants need more (`sharpen`, `whole`), which is done if the user asks about mutants.

use super::aim::Aim;
use super::by_terms::ByTerms;
use super::moves::{IdleMoves, Moves};
use super::one_mutant::{MutantAnswer, MutantQuestions, MutantSolver, WantedRun};
use super::rerun::{MutantHost, Rerun};
use super::sharpen::must;
use super::twin_terms::{MutantTerms, TwinTerms, about_clauses};
use super::{MIN_SHARPENING, narrowed, reaches_as_much};
use crate::encode::{Encoded, Request, UndefinedBehaviour, encode_extensible};
use crate::measure::Measure;
use crate::search::{
    self, AtomId, Behaviour, CoverSearchConfig, CoveringSuite, GoalState, Knowledge, SuiteObjective,
};
use crate::task::Task;
use nub_bitvec::{TermId, Value};
use nub_cnf::TermEncoder;
use nub_random::Rng;

/// How often values are tried and then requested from the solver.
const MAX_PASSES: usize = 3;
/// Runs of the search that are looked at.
const MAX_SEEN: usize = 100;
/// Values that are tried in each pass.
const MAX_TRIES: usize = 3_000;
/// Terms that are evaluated in all passes.
const MAX_STEPS: u64 = 3_000_000;
/// The search by moves ends when it has found nothing for as long as it had taken to find the last improvement.
const IDLE: IdleMoves = IdleMoves { each: 200, per_move: 1 };
/// The work of the solver, in ticks (roughly memory accesses): at least [`MIN_TICKS`], about a hundredth of a second, and one more for every
/// [`STEPS_PER_TICK`] terms that were evaluated, so that both take about as long.
const MIN_TICKS: u64 = 400_000;
const STEPS_PER_TICK: u64 = 6;
/// Ticks for each variable when a solver is made, and with every question, in addition to those that the solver counts.
const TICKS_TO_LOAD: u64 = 40;
const TICKS_TO_ASK: u64 = 4;
/// Ticks for each clause that a mutant is expected to have. The expected number is usually too large, so this one is small.
const TICKS_PER_CLAUSE: u64 = 10;
/// The solver is asked if it may load the function this many times.
const MIN_QUESTIONS: u64 = 4;
/// About the most ticks that a conflict costs for each variable: a question must not use much more than is left.
const TICKS_PER_CONFLICT: u64 = 4;
/// Conflicts for one question, at most.
const MAX_CONFLICTS: u64 = 300;

/// A function with its mutants as terms, and the function itself as clauses.
pub(super) struct EvaluateFirst<'e> {
    task: &'e Task<'e>,
    config: &'e CoverSearchConfig,
    twins: TwinTerms,
    encoded: Encoded,
    terms: TermEncoder,
    /// Those that a test may kill.
    mutants: Vec<MutantTerms>,
    /// Whether terms decide about all of them: what may be killed is killed.
    is_exact: bool,
}

/// What the solver says about a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outlook {
    /// Nothing yet, or that a run kills it.
    Open,
    /// No run within the bounds kills it.
    Refuted,
    /// The question was too hard, and is not asked again.
    TooHard,
}

/// What the search has found out.
struct Progress<'p> {
    tests: Vec<Behaviour>,
    known: Knowledge,
    rng: Rng,
    /// By mutant.
    outlook: Vec<Outlook>,
    /// Work of the solver.
    n_ticks: u64,
    measure: &'p Measure<'p>,
}

impl<'e> EvaluateFirst<'e> {
    /// `None` if the function cannot be encoded.
    pub fn new(
        task: &'e Task<'e>,
        mut twins: TwinTerms,
        config: &'e CoverSearchConfig,
    ) -> Option<EvaluateFirst<'e>> {
        let request = Request {
            events: twins.events.clone(),
            more: &[],
            routes: &[],
            evaluation: twins.evaluation,
            undefined: UndefinedBehaviour::Excluded,
        };
        let (encoded, terms) =
            encode_extensible(&twins.program, &mut twins.unrolled, request, &config.limits).ok()?;
        let never = |term: TermId| twins.unrolled.pool.value(term).is_some_and(|value| value.is_zero());
        let is_possible = |terms: &MutantTerms| !never(terms.killed) || !never(terms.suspect);
        let mutants: Vec<MutantTerms> =
            twins.list.iter().filter_map(|twin| twin.terms).filter(is_possible).collect();
        let is_exact = mutants.iter().all(|terms| terms.killed == terms.suspect);
        let is_any = mutants.len() >= MIN_SHARPENING;
        is_any.then_some(EvaluateFirst { task, config, twins, encoded, terms, mutants, is_exact })
    }

    fn kill(&self, mutant: usize) -> AtomId {
        AtomId((self.encoded.problem.n_atoms() + mutant) as u32)
    }

    /// Where terms decide about mutants, "may be killed" is the same as "is killed".
    fn suspected(&self, mutant: usize) -> AtomId {
        if self.is_exact { self.kill(mutant) } else { self.kill(self.mutants.len() + mutant) }
    }

    /// The tests of a suite with values that kill more; `None` if the tests have to stay as they are. `seen`: runs that the search has found.
    pub fn improved(&self, suite: &CoveringSuite, seen: &Knowledge) -> Option<Vec<Behaviour>> {
        let host = MutantHost { program: &self.twins.program, unrolled: &self.twins.unrolled };
        // Tests that the interpreter cannot run would be checked by a compiler only: they keep their values.
        let is_run = |test: &Behaviour| Rerun::new(host, &self.twins.widened(&test.inputs)).is_some();
        if !suite.tests.iter().all(is_run) {
            return None;
        }
        let groups: Vec<Vec<(TermId, AtomId)>> = (0..)
            .zip(&self.mutants)
            .map(|(at, terms)| vec![(terms.killed, self.kill(at)), (terms.suspect, self.suspected(at))])
            .collect();
        let measure = Measure::with_groups(&self.twins.unrolled, &self.encoded, &groups);
        let run = |test: &Behaviour| measure.run(self.twins.widened(&test.inputs)).ok();
        let tests: Vec<Behaviour> = suite.tests.iter().map(run).collect::<Option<_>>()?;
        let is_covered = |state: &GoalState| matches!(state, GoalState::Covered(_));
        let reached = self.task.goals.iter().zip(&suite.goals).filter(|(_, state)| is_covered(state));
        let goals: Vec<SuiteObjective> = reached.map(|(goal, _)| self.encoded.goal(goal)).collect();
        let goals: Vec<&SuiteObjective> = goals.iter().collect();
        let kills: Vec<AtomId> = (0..self.mutants.len()).map(|at| self.kill(at)).collect();
        let suspects: Vec<AtomId> = (0..self.mutants.len()).map(|at| self.suspected(at)).collect();
        let n_atoms = self.kill(2 * self.mutants.len()).index();
        let aim = Aim { goals: &goals, kills: &kills, suspects: &suspects, most: kills.len(), n_atoms };
        let mut known = Knowledge::new(n_atoms);
        let seen = seen.behaviours().iter().rev().take(MAX_SEEN).filter_map(run);
        tests.iter().cloned().chain(seen).for_each(|run| known.saw(run));
        let mut progress = Progress {
            tests,
            known,
            rng: Rng::new(self.config.seed),
            outlook: vec![Outlook::Open; kills.len()],
            n_ticks: 0,
            measure: &measure,
        };
        self.search(aim, &mut progress);
        let tests = self.polished(aim, &measure, progress.tests);
        narrowed(self.task, self.twins.n_own_inputs, &tests)
            .filter(|tests| reaches_as_much(self.task, tests, suite))
    }

    fn search(&self, aim: Aim<'_>, progress: &mut Progress<'_>) {
        let groups: Vec<usize> = (1..=self.mutants.len()).collect();
        let trial = ByTerms::new(progress.measure, &groups, MAX_STEPS);
        let inputs = &self.encoded.problem.inputs[..self.twins.n_own_inputs];
        let (favourites, limits) = (&self.config.favourites, &self.config.limits);
        for _ in 0..MAX_PASSES {
            let n_refuted = progress.outlook.iter().filter(|outlook| **outlook == Outlook::Refuted).count();
            let aim = Aim { most: aim.kills.len() - n_refuted, ..aim };
            let moves = Moves { aim, trial: &trial, inputs, favourites, idle: IDLE, limits };
            moves.improve(&mut progress.tests, &mut progress.known, MAX_TRIES, &mut progress.rng);
            let before = aim.worth_of(&progress.tests);
            let affordable = MIN_TICKS + trial.n_steps() / STEPS_PER_TICK;
            self.ask_all(aim, progress, affordable);
            aim.choose(&progress.known, &mut progress.tests, limits);
            if aim.worth_of(&progress.tests) == before {
                break;
            }
        }
    }

    /// Offers each mutant that no test kills to one test after the other, as long as the solver may work.
    fn ask_all(&self, aim: Aim<'_>, progress: &mut Progress<'_>, affordable: u64) {
        let limits = &self.config.limits;
        let questions =
            MutantQuestions { twins: &self.twins, encoded: &self.encoded, terms: &self.terms, limits };
        // Not where even the function itself costs too much.
        let n_vars = TICKS_TO_LOAD * u64::from(self.encoded.problem.cnf.n_vars());
        if !questions.are_possible() || affordable.saturating_sub(progress.n_ticks) < MIN_QUESTIONS * n_vars {
            return;
        }
        let mut order: Vec<usize> = (0..self.mutants.len()).collect();
        progress.rng.shuffle(&mut order);
        // What no run has killed comes first: there is nothing to select from.
        order.sort_by_key(|mutant| progress.known.is_feasible(aim.kills[*mutant]));
        for mutant in order {
            let is_over = progress.n_ticks > affordable || limits.cancel.is_cancelled();
            let is_killed = progress.tests.iter().any(|test| test.has(aim.kills[mutant]));
            if is_over || is_killed || progress.outlook[mutant] != Outlook::Open {
                continue;
            }
            let solver = self.is_affordable(mutant, affordable - progress.n_ticks);
            let solver = solver.then(|| questions.solver(self.mutants[mutant])).flatten();
            let Some(mut solver) = solver else {
                progress.outlook[mutant] = Outlook::TooHard;
                continue;
            };
            progress.n_ticks += TICKS_TO_LOAD * solver.n_vars();
            self.offer(aim, progress, &questions, &mut solver, mutant, affordable);
        }
    }

    /// Whether the clauses of a mutant are few enough for this many ticks. Wide products and quotients never are.
    fn is_affordable(&self, mutant: usize, n_ticks: u64) -> bool {
        let n_clauses = about_clauses(&self.twins.unrolled.pool, &[self.mutants[mutant].killed]) as u64;
        n_clauses * TICKS_PER_CLAUSE <= n_ticks
    }

    /// Replaces a test by one that kills the mutant in addition to everything that no other test does.
    fn offer(
        &self,
        aim: Aim<'_>,
        progress: &mut Progress<'_>,
        questions: &MutantQuestions<'_>,
        solver: &mut MutantSolver,
        mutant: usize,
        affordable: u64,
    ) {
        let before = aim.worth_of(&progress.tests);
        let mut order: Vec<usize> = (0..progress.tests.len()).collect();
        progress.rng.shuffle(&mut order);
        if !progress.known.is_feasible(aim.kills[mutant]) {
            let near = progress.tests.first().map_or(&[][..], |test| &test.inputs).to_vec();
            let wanted = WantedRun { goals: &[], kills: &[], near: &near };
            match self.asked(progress, questions, solver, &wanted, affordable) {
                Ok(run) => progress.known.saw(run),
                Err(outlook) => {
                    progress.outlook[mutant] = outlook;
                    return;
                }
            }
        }
        for at in order {
            let tests = &progress.tests;
            let others = aim.others(tests, at);
            let goals = must(aim.goals, &others, &tests[at]);
            let is_own = |kill: &AtomId| tests[at].has(*kill) && !others.contains(kill.index());
            let own = (0..self.mutants.len()).filter(|other| is_own(&aim.kills[*other]));
            let kills: Vec<TermId> = own.map(|other| self.mutants[other].killed).collect();
            let near = tests[at].inputs.clone();
            let wanted = WantedRun { goals: &goals, kills: &kills, near: &near };
            let Ok(run) = self.asked(progress, questions, solver, &wanted, affordable) else { continue };
            progress.known.saw(run.clone());
            let old = std::mem::replace(&mut progress.tests[at], run);
            if aim.worth_of(&progress.tests) > before {
                return;
            }
            progress.tests[at] = old;
        }
    }

    /// A run that was found, with everything that it does.
    fn asked(
        &self,
        progress: &mut Progress<'_>,
        questions: &MutantQuestions<'_>,
        solver: &mut MutantSolver,
        wanted: &WantedRun<'_>,
        affordable: u64,
    ) -> Result<Behaviour, Outlook> {
        let left =
            affordable.saturating_sub(progress.n_ticks) / (TICKS_PER_CONFLICT * solver.n_vars().max(1));
        let limits = self.config.limits.with_conflicts(left.clamp(1, MAX_CONFLICTS));
        let before = solver.n_ticks();
        let answer = questions.ask(solver, wanted, &limits);
        progress.n_ticks += solver.n_ticks() - before + TICKS_TO_ASK * solver.n_vars();
        match answer {
            MutantAnswer::Inputs(inputs) => progress.measure.run(inputs).map_err(|_| Outlook::TooHard),
            MutantAnswer::None => Err(Outlook::Refuted),
            // With more work there may be an answer.
            MutantAnswer::Unknown if left < MAX_CONFLICTS => Err(Outlook::Open),
            MutantAnswer::Unknown => Err(Outlook::TooHard),
        }
    }

    /// The tests with readable values. They reach the same goals and kill the same mutants.
    fn polished(&self, aim: Aim<'_>, measure: &Measure<'_>, tests: Vec<Behaviour>) -> Vec<Behaviour> {
        let first = self.encoded.problem.n_atoms();
        let own =
            if self.is_exact { aim.kills.iter().chain(&[]) } else { aim.kills.iter().chain(aim.suspects) };
        let killed: Vec<SuiteObjective> = own
            .filter(|kill| tests.iter().any(|test| test.has(**kill)))
            .map(|kill| SuiteObjective::Atom(*kill))
            .collect();
        let wanted: Vec<&SuiteObjective> = aim.goals.iter().copied().chain(&killed).collect();
        let try_run = |inputs: Vec<Value>, duty: &[AtomId]| {
            let mut run = measure.start(inputs).ok()?;
            let (goals, kills): (Vec<AtomId>, Vec<AtomId>) =
                duty.iter().partition(|atom| atom.index() < first);
            goals.iter().all(|goal| run.behaviour.has(*goal)).then_some(())?;
            for kill in kills {
                if !run.behaviour.has(kill) {
                    measure.add(&mut run, (kill.index() - first) % self.mutants.len() + 1);
                }
                run.behaviour.has(kill).then_some(())?;
            }
            Some(run.behaviour)
        };
        let trials = search::RunTrials { try_run: &try_run, may_have: Some(measure) };
        let (favourites, closing) = (&self.config.favourites, &self.config.closing);
        let inputs = &self.encoded.problem.inputs[..self.twins.n_own_inputs];
        search::polish_by_trying(trials, inputs, tests, &wanted, favourites, closing)
    }
}
