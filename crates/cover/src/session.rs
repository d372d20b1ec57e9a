//! From a function to a report: unroll, encode, search, observe, describe.

use crate::build::build;
use crate::describe::{Source, Words};
use crate::encode::{Encoded, UndefinedBehaviour, encode};
use crate::existing::{BEYOND, ExistingTest, Measure, measure};
use crate::favourites::favourites;
use crate::goals::{Criterion, Evaluation, MAX_PATHS, Reading, SourceGoal, decisions, goals, route_goals};
use crate::reasons::Reasons;
use crate::report::{Report, Undefined};
use crate::routes::{self, MAX_ROUTES, RouteError, Routes};
use crate::sample::sample;
use crate::search::{self, AtomId, Behaviour, Explorer, GoalState, Proof, Suite};
use crate::undefined::places;
use nub_c_ir::{DecisionId, FunctionId};
use nub_sat::{Limits, Stop, built_in};
use nub_text::Diagnostic;
use nub_unroll::{Refusal, Unrolled, unroll};

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Criteria, all with the same way of evaluating conditions.
    pub readings: Vec<Reading>,
    /// How far loops are unrolled.
    pub unwind: Unwind,
    /// How to unroll; its bound is replaced.
    pub unroll: nub_unroll::Config,
    /// How much memory pointers are given.
    pub memory: Memory,
    /// Tests that are there already, to be completed.
    pub existing: Vec<ExistingTest>,
    /// At most so many new tests; then as many goals as they can reach.
    pub max_tests: Option<usize>,
    /// Whether undefined behaviour is listed.
    pub undefined: UndefinedBehaviour,
    /// For orders.
    pub seed: u64,
    /// When to stop.
    pub limits: Limits,
    /// When to stop checking and polishing what was found: a little later.
    pub closing: Limits,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            readings: Vec::new(),
            unwind: Unwind::UpTo(16),
            unroll: nub_unroll::Config::default(),
            memory: Memory::Fixed,
            existing: Vec::new(),
            max_tests: None,
            undefined: UndefinedBehaviour::default(),
            seed: 0,
            limits: Limits::none(),
            closing: Limits::none(),
        }
    }
}

/// How far loops are unrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwind {
    /// So many rounds.
    Exactly(u32),
    /// From a few, twice as many each time while a goal is out of reach only because of the bound, up to so many.
    UpTo(u32),
}

/// How many elements the pointers of the start point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// As many as [`Options::unroll`] says.
    Fixed,
    /// From as many on twice as many each time, and a pointer more in a row, while a goal is out of reach only because of that; up to so many.
    UpTo(u64),
}

/// Rounds to begin with.
const FIRST_UNWIND: u32 = 2;
/// The bound is raised while the clauses are at most so many.
const MAX_CLAUSES_TO_RAISE: usize = 1_500_000;
/// A function that calls itself in more places than this, on the average of its depth, is not unrolled deeper.
const MAX_CALLS_PER_LEVEL: usize = 8;
/// The same where all goals are decided, and only the proof of the size leans on the bound.
const MAX_CLAUSES_FOR_PROOF: usize = 60_000;

/// Longer arrays as parameters are taken to be as long as other pointers say: unrolling refuses an open index into so many.
const MAX_DECLARED_LENGTH: u64 = 4_096;

/// Why there is no report.
#[derive(Clone, Debug)]
pub enum Error {
    /// The program does something that is not supported, or is too large, at these places.
    Refused(Vec<Diagnostic>),
    /// A decision has too many ways through it for MC/DC, or the function too many paths.
    TooManyWays(Diagnostic),
    /// A test of the user cannot be measured: which, and why.
    BadTest(String),
    /// The clauses would be too many.
    TooLarge(String),
    /// A defect of this program.
    Internal(String),
}

/// Finds tests for one function, for each reading a report.
pub fn cover(source: Source<'_>, function: FunctionId, options: &Options) -> Result<Vec<Report>, Error> {
    let refusals = source.program.refusals(function);
    if !refusals.is_empty() {
        return Err(Error::Refused(refusals));
    }
    let lists = goal_lists(source, function, options)?;
    let (mut bound, most) = match options.unwind {
        Unwind::Exactly(bound) => (bound, bound),
        Unwind::UpTo(most) => (FIRST_UNWIND.min(most), most),
    };
    let mut best: Option<Vec<Report>> = None;
    let mut doublings = 0;
    loop {
        let wanted = match round(source, function, options, &lists, Bounds { unwind: bound, doublings }) {
            Ok(found) => {
                best = Some(found.reports);
                found.wanted
            }
            // What was found with a smaller bound stays. A test of the user may need a larger one.
            Err(Error::BadTest(why)) if bound < most && why.ends_with(BEYOND) => {
                Wanted { rounds: true, memory: true }
            }
            Err(error) => match best {
                Some(reports) if !matches!(error, Error::Internal(_)) => return Ok(reports),
                _ => return Err(error),
            },
        };
        let more_rounds = wanted.rounds && bound < most;
        let more_memory = wanted.memory && options.elements(doublings + 1) > options.elements(doublings);
        if !(more_rounds || more_memory) || options.limits.cancel.is_cancelled() {
            return Ok(best.unwrap_or_default());
        }
        bound = if more_rounds { (2 * bound).min(most) } else { bound };
        doublings += u32::from(more_memory);
    }
}

impl Options {
    /// Elements behind a pointer after so many doublings.
    fn elements(&self, doublings: u32) -> u64 {
        let first = self.unroll.pointers.elements;
        match self.memory {
            Memory::Fixed => first,
            Memory::UpTo(most) => first.checked_shl(doublings).unwrap_or(most).min(most).max(first),
        }
    }
}

/// What is modelled in one round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Rounds of each loop.
    pub unwind: u32,
    /// How often the memory behind pointers was doubled.
    pub doublings: u32,
}

/// Which bounds keep goals out of reach.
#[derive(Clone, Copy, Default, Debug)]
struct Wanted {
    rounds: bool,
    memory: bool,
}

fn goal_lists(
    source: Source<'_>,
    function: FunctionId,
    options: &Options,
) -> Result<Vec<Vec<SourceGoal>>, Error> {
    let mut lists = Vec::new();
    for reading in &options.readings {
        let list = goals(source.program, function, *reading)
            .map_err(|(decision, _)| too_many_ways(source, decision))?;
        lists.push(list);
    }
    Ok(lists)
}

/// A decision that MC/DC cannot list.
pub(crate) fn too_many_ways(source: Source<'_>, decision: DecisionId) -> Error {
    let span = source.program.decisions[decision.index()].span;
    let message = format!("this decision has more than {MAX_PATHS} ways through it, too many for MC/DC");
    Error::TooManyWays(Diagnostic::error(span, message).with_hint("use --criterion condition-decision"))
}

/// Fills in the goals of the path criterion, which depend on how far loops are unrolled.
pub(crate) fn with_routes(
    source: Source<'_>,
    unrolled: &mut Unrolled,
    options: &Options,
    mut lists: Vec<Vec<SourceGoal>>,
) -> Result<(Vec<Vec<SourceGoal>>, Routes), Error> {
    let is_path = |reading: &Reading| reading.criterion == Criterion::Path;
    if !options.readings.iter().any(is_path) {
        return Ok((lists, Routes::default()));
    }
    let function = source.program.function(unrolled.function);
    let routes = routes::find(source.program, unrolled, &options.limits).map_err(|error| match error {
        RouteError::TooLarge(error) => Error::TooLarge(error.to_string()),
        RouteError::TooMany => {
            let message = format!("`{}` has more than {MAX_ROUTES} paths", function.name);
            let hint = "a smaller --unwind, or --criterion mcdc";
            Error::TooManyWays(Diagnostic::error(function.span, message).with_hint(hint))
        }
    })?;
    let decisions = decisions(source.program, unrolled.function);
    for (list, _) in lists.iter_mut().zip(&options.readings).filter(|(_, reading)| is_path(reading)) {
        *list = route_goals(&function.name, &decisions, &routes.list);
    }
    Ok((lists, routes))
}

/// How to unroll to a bound. A parameter that is written as an array points to as many elements as it says.
pub(crate) fn unroll_config(
    source: Source<'_>,
    function: FunctionId,
    options: &Options,
    bounds: Bounds,
) -> nub_unroll::Config {
    let (unwind, recursion) = (bounds.unwind, bounds.unwind.max(1));
    let cancel = options.limits.cancel.clone();
    let patience = nub_unroll::Patience::until(move || cancel.is_cancelled());
    let mut config = nub_unroll::Config { unwind, recursion, patience, ..options.unroll.clone() };
    let elements = options.elements(bounds.doublings);
    let pointers = &mut config.pointers;
    // Whoever calls the function may own more memory than is modelled: what needs it is not infeasible.
    pointers.beyond = nub_unroll::Beyond::Unknown;
    (pointers.elements, pointers.characters) = (elements, pointers.characters.max(elements));
    pointers.depth += bounds.doublings;
    for param in source.program.function(function).params() {
        if let Some(length) = param.declared_length.filter(|length| *length <= MAX_DECLARED_LENGTH) {
            config.pointers.by_name.entry(param.name.clone()).or_insert(length);
        }
    }
    config
}

/// All criteria at one bound.
struct RoundResult {
    reports: Vec<Report>,
    wanted: Wanted,
}

fn round(
    source: Source<'_>,
    function: FunctionId,
    options: &Options,
    lists: &[Vec<SourceGoal>],
    bounds: Bounds,
) -> Result<RoundResult, Error> {
    let config = unroll_config(source, function, options, bounds);
    let mut unrolled = unroll(source.program, function, &config)
        .map_err(|refusal: Refusal| Error::Refused(refusal.diagnostics()))?;
    let evaluation = options.readings.first().map_or(Evaluation::ShortCircuit, |reading| reading.evaluation);
    let (lists, routes) = with_routes(source, &mut unrolled, options, lists.to_vec())?;
    let goals = lists.iter().flatten();
    let encoded = encode(
        source.program,
        &mut unrolled,
        goals,
        &routes.list,
        evaluation,
        options.undefined,
        &options.limits,
    )
    .map_err(|error| Error::TooLarge(error.to_string()))?;
    let measure = Measure::new(&unrolled, &encoded);
    let evaluate = |inputs| measure.run(inputs).ok();
    let mut explorer = Explorer::new(&encoded.problem, built_in()).with_evaluation(&evaluate);
    let existing = existing_tests(&unrolled, &encoded, &options.existing)?;
    if let Some(evaluate) = explorer.evaluation() {
        let widths: Vec<u32> = unrolled.inputs.iter().map(|input| unrolled.pool.width(input.term)).collect();
        let favourites = favourites(source.program, function);
        sample(evaluate, &widths, &favourites, options.seed, explorer.known_mut(), &options.limits);
    }
    for inputs in routes.list.iter().filter_map(|route| route.inputs.clone()) {
        let run = measure.run(inputs).map_err(Error::Internal)?;
        explorer.known_mut().saw(run);
    }
    let mut result = RoundResult { reports: Vec::new(), wanted: Wanted::default() };
    for (reading, list) in options.readings.iter().zip(&lists) {
        let task = Task {
            source,
            unrolled: &unrolled,
            encoded: &encoded,
            reading: *reading,
            goals: list,
            existing: &existing,
            bound: bounds.unwind,
            elements: config.pointers.elements,
            routes_stop: routes.stop.as_ref().filter(|_| reading.criterion == Criterion::Path),
        };
        let (report, wanted) = task.run(&mut explorer, options)?;
        result.reports.push(report);
        result.wanted.rounds |= wanted.rounds;
        result.wanted.memory |= wanted.memory;
    }
    Ok(result)
}

/// One criterion at one bound.
pub(crate) struct Task<'t> {
    pub source: Source<'t>,
    pub unrolled: &'t Unrolled,
    pub encoded: &'t Encoded,
    pub reading: Reading,
    pub goals: &'t [SourceGoal],
    pub existing: &'t [Behaviour],
    pub bound: u32,
    /// Elements behind each pointer.
    pub elements: u64,
    /// Why there may be more paths.
    pub routes_stop: Option<&'t Stop>,
}

/// What the search found for a task.
pub(crate) struct Found {
    pub suite: Suite,
    pub best_grade: Option<usize>,
    /// In the order of the goals.
    pub reasons: Vec<Option<String>>,
    pub undefined: Vec<Undefined>,
    pub n_questions: u64,
}

impl Task<'_> {
    /// To describe events.
    pub fn words(&self) -> Words<'_> {
        Words { source: self.source, routes: &self.encoded.routes, evaluation: self.reading.evaluation }
    }

    fn run(&self, explorer: &mut Explorer<'_>, options: &Options) -> Result<(Report, Wanted), Error> {
        let config = search::Config {
            seed: options.seed,
            limits: options.limits.clone(),
            closing: options.closing.clone(),
            favourites: favourites(self.source.program, self.unrolled.function),
        };
        let goals: Vec<search::Goal> = self.goals.iter().map(|goal| self.encoded.goal(goal)).collect();
        let rest = without_existing(&goals, self.existing, self.encoded.problem.n_atoms());
        let mut suite = search::cover(explorer, &rest, &config);
        suite.stop = suite.stop.or_else(|| self.routes_stop.cloned());
        let wanted = self.wanted(&suite);
        let best_grade = options
            .max_tests
            .filter(|n| *n < suite.tests.len())
            .and_then(|n| search::best_grade(explorer, &rest, &config, &mut suite, n));
        join(&mut suite, self.existing, &goals);
        let reasons = self.reasons(explorer, &suite, options);
        let undefined = places(self.source.program, self.unrolled, self.encoded, explorer, &options.limits);
        let found = Found { suite, best_grade, reasons, undefined, n_questions: explorer.n_questions() };
        Ok((build(self, &found)?, wanted))
    }

    /// Runs were cut after some rounds of a loop.
    pub fn is_loop_cut(&self) -> bool {
        !self.unrolled.over.is_empty()
    }

    /// The function calls itself more than once: twice the depth is the square of the calls.
    fn is_branching(&self) -> bool {
        let is_recursion =
            |over: &nub_unroll::Over| matches!(over.bounded, nub_unroll::Bounded::Recursion(_));
        let n_usual = MAX_CALLS_PER_LEVEL * self.bound as usize;
        self.unrolled.over.iter().any(is_recursion) && self.unrolled.contexts.len() > n_usual
    }

    /// Some runs need more memory behind pointers.
    pub fn is_memory_cut(&self) -> bool {
        !self.unrolled.beyond.is_empty()
    }

    /// A goal is out of reach, or the size unproved, only because of a bound, and a larger one is affordable.
    fn wanted(&self, suite: &Suite) -> Wanted {
        let n_clauses = self.encoded.problem.cnf.n_clauses();
        let is_beyond = suite.goals.contains(&GoalState::BeyondBound);
        let is_short = match self.reading.criterion {
            // There may be a path for every number of rounds: the user says how many, unless there is none at all.
            Criterion::Path => suite.tests.is_empty(),
            _ => is_beyond || (!matches!(suite.proof, Proof::Clique(_)) && n_clauses < MAX_CLAUSES_FOR_PROOF),
        };
        let is_affordable = n_clauses < MAX_CLAUSES_TO_RAISE;
        Wanted {
            rounds: self.is_loop_cut() && is_short && is_affordable && !self.is_branching(),
            memory: self.is_memory_cut() && is_beyond && is_affordable,
        }
    }

    fn reasons(&self, explorer: &mut Explorer<'_>, suite: &Suite, options: &Options) -> Vec<Option<String>> {
        if suite.goals.iter().all(|state| matches!(state, GoalState::Covered(_))) {
            return vec![None; self.goals.len()];
        }
        let is_initial = options.unroll.globals == nub_unroll::Globals::Initial;
        let mut reasons = Reasons {
            source: self.source,
            unrolled: self.unrolled,
            encoded: self.encoded,
            has_initial_globals: is_initial && self.source.program.uses_globals(self.unrolled.function),
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

fn existing_tests(
    unrolled: &Unrolled,
    encoded: &Encoded,
    tests: &[ExistingTest],
) -> Result<Vec<Behaviour>, Error> {
    let measured = tests.iter().enumerate().map(|(index, test)| {
        measure(unrolled, encoded, test).map_err(|why| Error::BadTest(format!("test {}: {why}", index + 1)))
    });
    measured.collect()
}

/// The goals as they are left by tests that exist: a pair of which one half is there is the other half.
fn without_existing(goals: &[search::Goal], existing: &[Behaviour], n_atoms: usize) -> Vec<search::Goal> {
    let seen = search::union(n_atoms, existing);
    let rest = |[p, q]: &[AtomId; 2]| match (seen.contains(p.index()), seen.contains(q.index())) {
        (true, false) => [*q, *q],
        (false, true) => [*p, *p],
        _ => [*p, *q],
    };
    let reduced = goals.iter().map(|goal| match goal {
        goal if search::is_covered(goal, &seen) => search::Goal::Pairs(Vec::new()),
        search::Goal::Atom(atom) => search::Goal::Atom(*atom),
        search::Goal::Pairs(pairs) => search::Goal::Pairs(pairs.iter().map(rest).collect()),
    });
    reduced.collect()
}

/// Puts the tests that exist before the new ones.
fn join(suite: &mut Suite, existing: &[Behaviour], goals: &[search::Goal]) {
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
