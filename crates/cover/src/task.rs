//! One criterion at one bound: search, combine with the existing tests, and find which bounds are too small.

use crate::build::build;
use crate::concrete::{ConcreteTest, Supplement};
use crate::describe::{EventWords, SourceQuotes};
use crate::encode::Encoded;
use crate::existing::{ExistingTest, measure};
use crate::favourites::favourites;
use crate::goals::{Criterion, CriterionReading, RunEvent, SourceGoal};
use crate::judge::{Check, Ground, Judge, claim_of_check};
use crate::mutants;
use crate::options::{CoverOptions, Error};
use crate::reasons::Reasons;
use crate::report::{CheckState, CoverReport, MutationReport, Undefined};
use crate::search::{self, AtomId, Behaviour, CoveringSuite, Explorer, GoalState, MinimumProof};
use crate::undefined::places;
use nub_c_ir::Program;
use nub_sat::{SatLimits, SatStop};
use nub_unroll::Unrolled;

/// The bound is raised while the clauses are at most this many.
const MAX_CLAUSES_TO_RAISE: usize = 1_500_000;
/// A function with more recursive calls per level than this, on average, is not unrolled deeper.
const MAX_CALLS_PER_LEVEL: usize = 8;
/// The same where all goals are decided, and only the proof of the size depends on the bound.
const MAX_CLAUSES_FOR_PROOF: usize = 60_000;

/// Which bounds make goals unreachable.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Wanted {
    /// The bound on loops.
    pub rounds: bool,
    /// The memory behind pointers.
    pub memory: bool,
}

impl Wanted {
    /// Whether a larger bound of some kind is wanted.
    pub fn is_any(self) -> bool {
        self.rounds || self.memory
    }

    /// The union of both.
    pub fn or(self, other: Wanted) -> Wanted {
        Wanted { rounds: self.rounds || other.rounds, memory: self.memory || other.memory }
    }
}

/// A task after the search.
pub(crate) struct BegunTask {
    goals: Vec<search::SuiteObjective>,
    /// The goals that the existing tests do not reach.
    rest: Vec<search::SuiteObjective>,
    suite: CoveringSuite,
    /// Which larger bounds are worth trying.
    pub wanted: Wanted,
}

impl BegunTask {
    /// Whether the limits were reached before all goals were decided.
    pub fn is_stopped(&self) -> bool {
        self.suite.stop.is_some() && self.suite.goals.contains(&GoalState::Open)
    }

    /// Whether some goal may still be reached.
    pub fn is_incomplete(&self) -> bool {
        self.suite.goals.iter().any(|state| matches!(state, GoalState::BeyondBound | GoalState::Open))
    }
}

/// One criterion at one bound.
#[derive(Clone, Copy)]
pub(crate) struct Task<'t> {
    pub source: SourceQuotes<'t>,
    pub unrolled: &'t Unrolled,
    pub encoded: &'t Encoded,
    pub reading: CriterionReading,
    pub goals: &'t [SourceGoal],
    pub existing: &'t [Behaviour],
    pub bound: u32,
    /// Elements behind each pointer.
    pub elements: u64,
    /// Finds what claims depend on.
    pub judge: &'t Judge<'t>,
    /// How the function was unrolled.
    pub config: &'t nub_unroll::UnrollConfig,
    /// Which larger bounds there are.
    pub larger: Wanted,
    /// Why there may be more paths.
    pub routes_stop: Option<&'t SatStop>,
}

/// What the search found for a task.
pub(crate) struct Found {
    pub suite: CoveringSuite,
    /// Concrete runs that reach what the suite does not.
    pub concrete: Vec<ConcreteTest>,
    pub best_grade: Option<usize>,
    /// In the order of the goals.
    pub reasons: Vec<Option<String>>,
    /// What claims about unreached goals depend on, in the order of the goals.
    pub grounds: Vec<Ground>,
    pub undefined: Vec<Undefined>,
    /// With mutants: the last tests of the suite are for these alone.
    pub mutation: Option<MutationReport>,
    pub n_questions: u64,
}

impl Task<'_> {
    /// Describes events.
    pub fn words(&self) -> EventWords<'_> {
        EventWords { source: self.source, routes: &self.encoded.routes, evaluation: self.reading.evaluation }
    }

    /// Searches, and decides within these limits what can be reached. If a goal is beyond the bound, and there is a larger bound, it does not look for
    /// the fewest tests.
    pub fn begin(
        &self,
        explorer: &mut Explorer<'_>,
        options: &CoverOptions,
        deciding: &SatLimits,
    ) -> BegunTask {
        let (goals, rest) = self.objectives();
        let if_beyond = if self.criterion_is_bounded() && self.affordable().is_any() {
            search::IfBeyond::End
        } else {
            search::IfBeyond::GoOn
        };
        let deciding = Some(deciding.clone());
        let config = search::CoverSearchConfig { if_beyond, deciding, ..self.search_config(options) };
        let suite = self.search(explorer, &rest, &config);
        let wanted = self.wanted(&suite);
        BegunTask { goals, rest, suite, wanted }
    }

    /// Makes the values readable and reports: there is no larger bound, or it found nothing more.
    pub fn finish(
        &self,
        explorer: &mut Explorer<'_>,
        options: &CoverOptions,
        begun: BegunTask,
        supplement: Option<&mut Supplement<'_>>,
    ) -> Result<CoverReport, Error> {
        let BegunTask { goals, rest, mut suite, wanted } = begun;
        let config = self.search_config(options);
        if wanted.is_any() {
            suite = self.search(explorer, &rest, &config);
        }
        let is_few = options.max_tests.is_some_and(|n| n < suite.tests.len());
        let mutants = if is_few {
            search::polish_suite(explorer, &rest, &config, &mut suite);
            None
        } else {
            mutants::settle(self, explorer, &rest, &config, options, &mut suite)
        };
        let best_grade = options
            .max_tests
            .filter(|n| *n < suite.tests.len())
            .map(|n| search::best_grade(explorer, &rest, &config, &mut suite, n));
        join(&mut suite, self.existing, &goals);
        let concrete = self.complete(&mut suite, supplement, options)?;
        let (more, mut mutation) =
            mutants.map_or((Vec::new(), None), |found| (found.more, Some(found.report)));
        if let Some(mutation) = mutation.as_mut().filter(|_| !concrete.is_empty()) {
            make_room(mutation, suite.tests.len(), concrete.len());
        }
        suite.tests.extend(more);
        let reasons = self.reasons(explorer, &suite, options);
        let places = places(self.source.program, self.unrolled, self.encoded, explorer, &options.limits);
        let (mut undefined, checks): (Vec<Undefined>, Vec<Check>) = places.into_iter().unzip();
        let grounds = self.grounds(explorer, &suite, &mut undefined, &checks);
        let n_questions = explorer.n_questions();
        let found = Found { suite, concrete, best_grade, reasons, grounds, undefined, mutation, n_questions };
        build(self, &found)
    }

    /// Concrete runs for what the suite does not reach.
    fn complete(
        &self,
        suite: &mut CoveringSuite,
        supplement: Option<&mut Supplement<'_>>,
        options: &CoverOptions,
    ) -> Result<Vec<ConcreteTest>, Error> {
        supplement.map_or_else(|| Ok(Vec::new()), |found| found.complete(self, suite, &options.closing))
    }

    /// Reports what concrete runs reach: nothing else is known about the function.
    pub fn by_runs_alone(
        &self,
        supplement: &mut Supplement<'_>,
        options: &CoverOptions,
    ) -> Result<CoverReport, Error> {
        let n_goals = self.goals.len();
        let mut suite = CoveringSuite {
            tests: Vec::new(),
            lower: 1,
            proof: MinimumProof::Gap { clique: search::MinimumCertificate::default() },
            weighting: None,
            goals: vec![GoalState::Open; n_goals],
            stop: Some(SatStop::Cancelled),
        };
        let concrete = self.complete(&mut suite, Some(supplement), options)?;
        let undecided = |state: &GoalState| {
            let is_open = *state == GoalState::Open;
            is_open.then(|| "undecided: the function is too large to be unrolled in time".to_owned())
        };
        let reasons = suite.goals.iter().map(undecided).collect();
        let found = Found {
            suite,
            concrete,
            best_grade: None,
            reasons,
            grounds: vec![Ground::default(); n_goals],
            undefined: Vec::new(),
            mutation: None,
            n_questions: 0,
        };
        build(self, &found)
    }

    fn search(
        &self,
        explorer: &mut Explorer<'_>,
        goals: &[search::SuiteObjective],
        config: &search::CoverSearchConfig,
    ) -> CoveringSuite {
        let mut suite = search::cover(explorer, goals, config);
        suite.stop = suite.stop.or_else(|| self.routes_stop.cloned());
        suite
    }

    /// All goals, and those that the existing tests do not reach.
    fn objectives(&self) -> (Vec<search::SuiteObjective>, Vec<search::SuiteObjective>) {
        let goals: Vec<search::SuiteObjective> =
            self.goals.iter().map(|goal| self.encoded.goal(goal)).collect();
        let rest = without_existing(&goals, self.existing, self.encoded.problem.n_atoms());
        (goals, rest)
    }

    fn search_config(&self, options: &CoverOptions) -> search::CoverSearchConfig {
        search::CoverSearchConfig {
            seed: options.seed,
            limits: options.limits.clone(),
            deciding: None,
            closing: options.closing.clone(),
            favourites: favourites(self.source.program, self.unrolled.function),
            polishing: search::Polishing::Later,
            if_beyond: search::IfBeyond::GoOn,
            gap: search::GapOrder::BySize,
        }
    }

    /// Claims about goals, and about rules of C that no run violates, checked again without the assumptions about the outside.
    fn grounds(
        &self,
        explorer: &Explorer<'_>,
        suite: &CoveringSuite,
        undefined: &mut [Undefined],
        checks: &[Check],
    ) -> Vec<Ground> {
        let is_claimed = |index: usize| match suite.goals[index] {
            GoalState::Infeasible | GoalState::Undefined => true,
            GoalState::BeyondBound => self.unrolled.departures.iter().any(|found| !found.from.is_bound()),
            _ => false,
        };
        let status = |event: RunEvent| explorer.known().status(self.encoded.events[&event].1);
        let (mut never, mut claims): (Vec<&mut Undefined>, Vec<Check>) = (Vec::new(), Vec::new());
        for (place, check) in
            undefined.iter_mut().zip(checks).filter(|(place, _)| place.state == CheckState::Infeasible)
        {
            never.push(place);
            claims.push(*check);
        }
        let (grounds, of_checks) = self.judge.judge(self.goals, is_claimed, status, &claims);
        for (place, ground) in never.into_iter().zip(of_checks) {
            place.state = claim_of_check(&ground);
            place.premises = ground.premises;
        }
        grounds
    }

    /// Whether runs were cut after some iterations of a loop.
    pub fn is_loop_cut(&self) -> bool {
        use nub_unroll::Bounded::{Loop, Recursion};
        self.unrolled.over.iter().any(|over| matches!(over.bounded, Loop { .. } | Recursion(_)))
    }

    /// Whether the function calls itself more than once: twice the depth squares the number of calls.
    fn is_branching(&self) -> bool {
        let is_recursion =
            |over: &nub_unroll::Over| matches!(over.bounded, nub_unroll::Bounded::Recursion(_));
        let n_usual = MAX_CALLS_PER_LEVEL * self.bound as usize;
        self.unrolled.over.iter().any(is_recursion) && self.unrolled.contexts.len() > n_usual
    }

    /// Whether some runs need more memory behind pointers.
    pub fn is_memory_cut(&self) -> bool {
        self.unrolled.departures.iter().any(|found| found.from.is_bound())
            || self.unrolled.over.iter().any(is_allocation)
    }

    /// Whether the number of goals is bounded. There may be a path for every number of iterations, so for paths the user says how many.
    fn criterion_is_bounded(&self) -> bool {
        self.reading.criterion != Criterion::Path
    }

    /// Which larger bounds exist that would change something and are affordable.
    fn affordable(&self) -> Wanted {
        let is_affordable = self.encoded.problem.cnf.n_clauses() < MAX_CLAUSES_TO_RAISE;
        Wanted {
            rounds: is_affordable && self.larger.rounds && self.is_loop_cut() && !self.is_branching(),
            memory: is_affordable && self.larger.memory && self.is_memory_cut(),
        }
    }

    /// Whether a goal is unreachable, or the size unproved, only because of a bound, and a larger one is affordable.
    fn wanted(&self, suite: &CoveringSuite) -> Wanted {
        let n_clauses = self.encoded.problem.cnf.n_clauses();
        let is_beyond = suite.goals.contains(&GoalState::BeyondBound);
        let is_short = if self.criterion_is_bounded() {
            is_beyond || (!is_for_any_length(&suite.proof) && n_clauses < MAX_CLAUSES_FOR_PROOF)
        } else {
            // Unless there is no path at all.
            suite.tests.is_empty()
        };
        let affordable = self.affordable();
        Wanted { rounds: affordable.rounds && is_short, memory: affordable.memory && is_beyond }
    }

    fn reasons(
        &self,
        explorer: &mut Explorer<'_>,
        suite: &CoveringSuite,
        options: &CoverOptions,
    ) -> Vec<Option<String>> {
        let is_over = options.closing.cancel.is_cancelled();
        if is_over || suite.goals.iter().all(|state| matches!(state, GoalState::Covered(_))) {
            let why = |state: &GoalState| match state {
                GoalState::Open => Some("undecided: time limit reached".to_owned()),
                _ => None,
            };
            return suite.goals.iter().map(why).collect();
        }
        let mut reasons = Reasons {
            source: self.source,
            unrolled: self.unrolled,
            encoded: self.encoded,
            reading: self.reading,
            bound: self.bound,
            elements: self.elements,
            explorer,
            engine: search::Propagator::new(&self.encoded.problem.cnf, &[]),
            limits: options.closing.clone(),
        };
        self.goals.iter().zip(&suite.goals).map(|(goal, state)| reasons.reason(goal, state)).collect()
    }
}

/// Tests are inserted after the first ones: others get later numbers, and nothing is proved about all of them together.
fn make_room(mutation: &mut MutationReport, after: usize, n_tests: usize) {
    (mutation.is_minimal, mutation.is_most) = (false, false);
    for test in mutation.mutants.iter_mut().flat_map(|mutant| &mut mutant.tests).filter(|test| **test > after)
    {
        *test += n_tests;
    }
}

/// The proof of the size leans on no bound.
fn is_for_any_length(proof: &MinimumProof) -> bool {
    matches!(proof, MinimumProof::Clique(_) | MinimumProof::Weights { .. })
}

/// A run used more of an allocation than is modelled.
fn is_allocation(over: &nub_unroll::Over) -> bool {
    matches!(over.bounded, nub_unroll::Bounded::Allocation(_))
}

/// The runs of the existing tests.
pub(crate) fn existing_tests(
    program: &Program,
    unrolled: &Unrolled,
    encoded: &Encoded,
    tests: &[ExistingTest],
) -> Result<Vec<Behaviour>, Error> {
    let measured = tests.iter().enumerate().map(|(index, test)| {
        measure(program, unrolled, encoded, test).map_err(|why| Error::BadTest(index + 1, why))
    });
    measured.collect()
}

/// The goals that the existing tests do not reach. If they reach one half of a pair, the other half remains.
fn without_existing(
    goals: &[search::SuiteObjective],
    existing: &[Behaviour],
    n_atoms: usize,
) -> Vec<search::SuiteObjective> {
    let seen = search::union(n_atoms, existing);
    let rest = |[p, q]: &[AtomId; 2]| match (seen.contains(p.index()), seen.contains(q.index())) {
        (true, false) => [*q, *q],
        (false, true) => [*p, *p],
        _ => [*p, *q],
    };
    let reduced = goals.iter().map(|goal| match goal {
        goal if search::is_covered(goal, &seen) => search::SuiteObjective::Pairs(Vec::new()),
        search::SuiteObjective::Atom(atom) => search::SuiteObjective::Atom(*atom),
        search::SuiteObjective::Pairs(pairs) => {
            search::SuiteObjective::Pairs(pairs.iter().map(rest).collect())
        }
    });
    reduced.collect()
}

/// Adds the existing tests before the new ones.
fn join(suite: &mut CoveringSuite, existing: &[Behaviour], goals: &[search::SuiteObjective]) {
    if existing.is_empty() {
        return;
    }
    suite.tests.splice(0..0, existing.iter().cloned());
    for (goal, state) in goals.iter().zip(&mut suite.goals) {
        if let Some(shown) = search::shown_by(goal, &suite.tests) {
            *state = GoalState::Covered(shown);
        }
    }
}
