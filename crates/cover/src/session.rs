//! From a function to a report: unroll, encode, search, observe, describe.

use crate::build::build;
use crate::describe::Source;
use crate::encode::{Encoded, UndefinedBehaviour, encode};
use crate::existing::{BEYOND, ExistingTest, measure};
use crate::favourites::favourites;
use crate::goals::{Evaluation, Reading, SourceGoal, goals};
use crate::reasons::Reasons;
use crate::report::{Report, Undefined};
use crate::sample::sample;
use crate::search::{self, AtomId, Behaviour, Explorer, GoalState, Proof, Suite};
use crate::undefined::reachable;
use nub_c_ir::FunctionId;
use nub_sat::{Limits, built_in};
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
}

/// How far loops are unrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwind {
    /// So many rounds.
    Exactly(u32),
    /// From a few, twice as many each time while a goal is out of reach only because of the bound, up to so many.
    UpTo(u32),
}

/// Rounds to begin with.
const FIRST_UNWIND: u32 = 2;
/// The bound is raised while the clauses are at most so many.
const MAX_CLAUSES_TO_RAISE: usize = 1_500_000;

/// Why there is no report.
#[derive(Clone, Debug)]
pub enum Error {
    /// The program does something that is not supported, or is too large, at these places.
    Refused(Vec<Diagnostic>),
    /// A decision has too many ways through it for MC/DC.
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
    loop {
        match round(source, function, options, &lists, bound) {
            Ok(found) => {
                best = Some(found.reports);
                if !found.needs_more || bound >= most || options.limits.cancel.is_cancelled() {
                    break;
                }
            }
            // What was found with a smaller bound stays. A test of the user may need a larger one.
            Err(Error::BadTest(why)) if bound < most && why.ends_with(BEYOND) => {}
            Err(error) => match best {
                Some(reports) if !matches!(error, Error::Internal(_)) => return Ok(reports),
                _ => return Err(error),
            },
        }
        bound = (2 * bound).min(most);
    }
    Ok(best.unwrap_or_default())
}

fn goal_lists(
    source: Source<'_>,
    function: FunctionId,
    options: &Options,
) -> Result<Vec<Vec<SourceGoal>>, Error> {
    let mut lists = Vec::new();
    for reading in &options.readings {
        let list = goals(source.program, function, *reading).map_err(|(decision, _)| {
            let span = source.program.decisions[decision.index()].span;
            let message = "this decision has too many ways through it for MC/DC";
            Error::TooManyWays(
                Diagnostic::error(span, message).with_hint("use --criterion condition-decision"),
            )
        })?;
        lists.push(list);
    }
    Ok(lists)
}

/// All criteria at one bound.
struct RoundResult {
    reports: Vec<Report>,
    /// A larger bound may help.
    needs_more: bool,
}

fn round(
    source: Source<'_>,
    function: FunctionId,
    options: &Options,
    lists: &[Vec<SourceGoal>],
    bound: u32,
) -> Result<RoundResult, Error> {
    let config = nub_unroll::Config { unwind: bound, recursion: bound.max(1), ..options.unroll.clone() };
    let mut unrolled = unroll(source.program, function, &config)
        .map_err(|refusal: Refusal| Error::Refused(refusal.diagnostics()))?;
    let evaluation = options.readings.first().map_or(Evaluation::ShortCircuit, |reading| reading.evaluation);
    let encoded =
        encode(source.program, &mut unrolled, lists.iter().flatten(), evaluation, options.undefined)
            .map_err(|error| Error::TooLarge(error.to_string()))?;
    let mut explorer = Explorer::new(&encoded.problem, built_in());
    let existing = existing_tests(&unrolled, &encoded, &options.existing)?;
    sample(&unrolled, &encoded, &favourites(source.program, function), options.seed, explorer.known_mut());
    let mut result = RoundResult { reports: Vec::new(), needs_more: false };
    for (reading, list) in options.readings.iter().zip(lists) {
        let task = Task {
            source,
            unrolled: &unrolled,
            encoded: &encoded,
            reading: *reading,
            goals: list,
            existing: &existing,
            bound,
        };
        let (report, needs_more) = task.run(&mut explorer, options)?;
        result.reports.push(report);
        result.needs_more |= needs_more;
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
    fn run(&self, explorer: &mut Explorer<'_>, options: &Options) -> Result<(Report, bool), Error> {
        let config = search::Config {
            seed: options.seed,
            limits: options.limits.clone(),
            favourites: favourites(self.source.program, self.unrolled.function),
        };
        let goals: Vec<search::Goal> = self.goals.iter().map(|goal| self.encoded.goal(goal)).collect();
        let rest = without_existing(&goals, self.existing, self.encoded.problem.n_atoms());
        let mut suite = search::cover(explorer, &rest, &config);
        let needs_more = self.wants_more(&suite);
        let best_grade = options
            .max_tests
            .filter(|n| *n < suite.tests.len())
            .and_then(|n| search::best_grade(explorer, &rest, &config, &mut suite, n));
        join(&mut suite, self.existing, &goals);
        let reasons = self.reasons(explorer, &suite, options);
        let undefined =
            reachable(self.source.program, self.unrolled, self.encoded, explorer, &options.limits);
        let found = Found { suite, best_grade, reasons, undefined, n_questions: explorer.n_questions() };
        Ok((build(self, &found)?, needs_more))
    }

    /// A goal is out of reach, or the size unproved, only because of the bound, and a larger one is affordable.
    fn wants_more(&self, suite: &Suite) -> bool {
        let is_cut = self.encoded.problem.over.is_some();
        let is_short =
            suite.goals.contains(&GoalState::BeyondBound) || !matches!(suite.proof, Proof::Clique(_));
        is_cut && is_short && self.encoded.problem.cnf.n_clauses() < MAX_CLAUSES_TO_RAISE
    }

    fn reasons(&self, explorer: &mut Explorer<'_>, suite: &Suite, options: &Options) -> Vec<Option<String>> {
        if suite.goals.iter().all(|state| matches!(state, GoalState::Covered(_))) {
            return vec![None; self.goals.len()];
        }
        let mut reasons = Reasons {
            source: self.source,
            unrolled: self.unrolled,
            encoded: self.encoded,
            reading: self.reading,
            bound: self.bound,
            explorer,
            engine: search::Propagator::new(&self.encoded.problem.cnf, &[]),
            limits: options.limits.clone(),
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
