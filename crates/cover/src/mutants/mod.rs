//! Mutants: does a test notice a small fault?
//!
//! `edits` lists the faults, `text` puts variants of the function behind the program, `twins` makes one problem of the function and its
//! variants over the same inputs. Then that a test tells a mutant apart is an atom, and the search knows the rest: `sharpen` chooses values
//! with which the tests that are there notice more, and `moves` tries them out; `tried` does so with the interpreter, alone where there would be too many clauses. `decide` asks which mutants no test can tell apart, and for the fewest tests that
//! kill the others. `rerun` lets the interpreter confirm each kill.
//!
//! Cost: the function is unrolled once more with all mutants, and at most tests × mutants questions are asked.

mod aim;
mod decide;
mod edits;
mod moves;
mod rerun;
mod sharpen;
mod text;
mod tried;
mod twins;

pub use text::{MutatedText, ProgramMutant, mutated};

use crate::goals::Criterion;
use crate::options::CoverOptions;
use crate::report::MutationReport;
use crate::search::{self, AtomId, Behaviour, CoveringSuite, Explorer, GoalState, Knowledge, SuiteObjective};
use crate::task::Task;
use aim::Aim;
use moves::{Moves, RunTrial};
use nub_c_ir::Program;
use nub_sat::built_in;
use sharpen::Sharpening;
use std::fmt;
use std::sync::Arc;
use tried::ValueTrial;
use twins::{Ingredients, Twins};

/// Mutants that values are chosen with if nobody says how many.
const N_SHARPENING: usize = 100;
/// With fewer mutants values are not chosen: they would say little.
const MIN_SHARPENING: usize = 10;
/// Clauses of the function times mutants, unless these were asked for. A loop that is unrolled far has many clauses, and choosing values must
/// not cost more than finding the tests: without this `parse_number` of the tests took 68 s instead of one.
const MAX_CLAUSES_TO_SHARPEN: usize = 200_000;

/// Values that are tried without the solver, each of three times.
const MAX_TRIES: usize = 3_000;
/// The same times terms.
const MAX_EVALUATED: usize = 6_000_000;

/// What is done with mutants.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// How a program is made of a text.
    pub read: ReadText,
    /// How many mutants are reported on, with the tests that kill them. None: they only help to choose values.
    pub wanted: Option<usize>,
}

/// From a text and the names of the functions that are new in it to a program.
type TextReader = dyn Fn(&[u8], &[String]) -> Option<Program> + Send + Sync;

/// Makes a program of a text, given the names of the functions that are new in it; as the program under test was made of its text.
#[derive(Clone)]
pub struct ReadText {
    read: Arc<TextReader>,
}

impl ReadText {
    /// With this function.
    pub fn new(read: impl Fn(&[u8], &[String]) -> Option<Program> + Send + Sync + 'static) -> ReadText {
        ReadText { read: Arc::new(read) }
    }

    fn read(&self, text: &[u8], new: &[String]) -> Option<Program> {
        (self.read)(text, new)
    }
}

impl fmt::Debug for ReadText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReadText")
    }
}

/// What came of the mutants of one function.
pub(crate) struct MutantsFound {
    /// Tests beside those for the criterion.
    pub more: Vec<Behaviour>,
    /// For the report.
    pub report: MutationReport,
}

/// Gives the tests of a suite readable values, those that tell more mutants apart first; and reports on the mutants if that was asked for.
pub(crate) fn settle(
    task: &Task<'_>,
    explorer: &mut Explorer<'_>,
    goals: &[SuiteObjective],
    (config, options): (&search::CoverSearchConfig, &CoverOptions),
    suite: &mut CoveringSuite,
) -> Option<MutantsFound> {
    let twins = options.mutation.as_ref().and_then(|mutation| twins(task, explorer, mutation, options));
    let Some((twins, wanted)) = twins else {
        if !try_values(task, goals, (config, options), explorer.known(), suite) {
            search::polish_suite(explorer, goals, config, suite);
        }
        return None;
    };
    let measure = twins.measure();
    let evaluate = |inputs| measure.run(inputs).ok();
    let mut twin_explorer = Explorer::new(&twins.encoded.problem, built_in()).with_evaluation(&evaluate);
    let session = Session { task, twins: &twins, config };
    match session.sharpened(&mut twin_explorer, suite, &evaluate) {
        Some(tests) => {
            suite.tests = tests;
            search::show_again(goals, suite);
            try_values(task, goals, (config, options), twin_explorer.known(), suite);
        }
        None => search::polish_suite(explorer, goals, config, suite),
    }
    // Tests that exist come before the new ones.
    let tests: Vec<Behaviour> = task.existing.iter().chain(&suite.tests).cloned().collect();
    wanted.map(|_| session.decide(&mut twin_explorer, &tests))
}

/// Gives the tests values with which the interpreter sees more differences, also those that no clause knows of: a mutant that does not end. False if
/// the tests have to stay as they are.
fn try_values(
    task: &Task<'_>,
    goals: &[SuiteObjective],
    (config, options): (&search::CoverSearchConfig, &CoverOptions),
    seen: &Knowledge,
    suite: &mut CoveringSuite,
) -> bool {
    let mutation = options.mutation.as_ref().filter(|_| may_change(task, suite));
    let trial = |mutation| ValueTrial { task, mutation, config, goals, seen };
    let tests = mutation.and_then(|mutation| trial(mutation).improved(suite));
    let Some(tests) = tests else { return false };
    suite.tests = tests;
    search::show_again(goals, suite);
    true
}

/// The function with its mutants; none if there is no use for them.
fn twins(
    task: &Task<'_>,
    explorer: &Explorer<'_>,
    mutation: &Mutation,
    options: &CoverOptions,
) -> Option<(Twins, Option<usize>)> {
    let n_clauses = explorer.problem().cnf.n_clauses().max(1);
    let n_affordable = N_SHARPENING.min(MAX_CLAUSES_TO_SHARPEN / n_clauses);
    let is_large = mutation.wanted.is_none() && n_affordable < MIN_SHARPENING;
    if is_large || options.limits.cancel.is_cancelled() {
        return None;
    }
    let program = task.source.program;
    let name = &program.function(task.unrolled.function).name;
    let text = mutated(task.source.text, name, mutation.wanted.unwrap_or(n_affordable))?;
    let is_path = task.reading.criterion == Criterion::Path;
    let from = Ingredients {
        read: &mutation.read,
        text,
        program,
        unrolled: task.unrolled,
        config: task.config,
        goals: if is_path { &[] } else { task.goals },
        evaluation: task.reading.evaluation,
    };
    Some((Twins::new(from, &options.limits)?, mutation.wanted))
}

/// Values of these tests may be chosen: all of them are new, and all goals that can be reached are.
fn may_change(task: &Task<'_>, suite: &CoveringSuite) -> bool {
    let is_other = task.reading.criterion == Criterion::Path || !task.existing.is_empty();
    !is_other && !suite.tests.is_empty() && !suite.goals.contains(&GoalState::LeftOut)
}

/// Runs of the function with its mutants as terms: all is known at once.
struct ByTerms<'t> {
    evaluate: search::Evaluate<'t>,
}

impl RunTrial for ByTerms<'_> {
    fn reach(&self, inputs: Vec<nub_bitvec::Value>) -> Option<Behaviour> {
        (self.evaluate)(inputs)
    }

    fn tell_apart(&self, run: Behaviour) -> Option<Behaviour> {
        Some(run)
    }
}

/// One suite and its mutants.
struct Session<'s> {
    task: &'s Task<'s>,
    twins: &'s Twins,
    config: &'s search::CoverSearchConfig,
}

impl Session<'_> {
    /// The tests with values that notice more; none if the tests have to stay as they are.
    fn sharpened(
        &self,
        explorer: &mut Explorer<'_>,
        suite: &CoveringSuite,
        evaluate: &dyn Fn(Vec<nub_bitvec::Value>) -> Option<Behaviour>,
    ) -> Option<Vec<Behaviour>> {
        // What the interpreter cannot be given, nothing but a compiler would check: such tests keep the values that they have.
        let is_run = |test: &Behaviour| self.twins.rerun(&test.inputs).is_some();
        if !may_change(self.task, suite) || !suite.tests.iter().all(is_run) {
            return None;
        }
        let tests = suite.tests.iter().map(|test| evaluate(self.twins.widened(&test.inputs)));
        let tests: Vec<Behaviour> = tests.collect::<Option<_>>()?;
        let is_covered = |state: &GoalState| matches!(state, GoalState::Covered(_));
        let reached = self.task.goals.iter().zip(&suite.goals).filter(|(_, state)| is_covered(state));
        let goals: Vec<SuiteObjective> = reached.map(|(goal, _)| self.twins.encoded.goal(goal)).collect();
        let goals: Vec<&SuiteObjective> = goals.iter().collect();
        let lits = self.twins.list.iter().filter_map(|twin| twin.lits);
        let kills: Vec<AtomId> = lits.clone().map(|lits| lits.killed).collect();
        let suspects: Vec<AtomId> = lits.map(|lits| lits.suspected).collect();
        tests.iter().for_each(|test| explorer.known_mut().saw(test.clone()));
        let (seed, limits) = (self.config.seed, &self.config.limits);
        let n_atoms = explorer.problem().n_atoms();
        let aim = Aim { goals: &goals, kills: &kills, suspects: &suspects, n_atoms };
        let trial = ByTerms { evaluate };
        let inputs = &explorer.problem().inputs[..self.twins.n_own_inputs];
        let moves = Moves { aim, trial: &trial, inputs, favourites: &self.config.favourites, limits };
        let n_tries = MAX_TRIES.min(MAX_EVALUATED / self.twins.unrolled.pool.len().max(1));
        let sharpening = Sharpening { aim, moves, n_tries, seed, limits };
        let tests = sharpening.sharpen(explorer, tests);
        let killed: Vec<SuiteObjective> = kills
            .iter()
            .chain(&suspects)
            .filter(|kill| tests.iter().any(|test| test.has(**kill)))
            .map(|kill| SuiteObjective::Atom(*kill))
            .collect();
        let wanted: Vec<&SuiteObjective> = goals.iter().copied().chain(&killed).collect();
        let (favourites, closing) = (&self.config.favourites, &self.config.closing);
        let tests = search::polish(explorer, tests, &wanted, favourites, closing);
        self.narrowed(&tests).filter(|tests| self.reaches_as_much(tests, suite))
    }

    /// Tests of the function itself.
    fn narrowed(&self, tests: &[Behaviour]) -> Option<Vec<Behaviour>> {
        let measure = crate::existing::Measure::new(self.task.unrolled, self.task.encoded);
        let own = |test: &Behaviour| test.inputs.iter().take(self.twins.n_own_inputs).cloned().collect();
        tests.iter().map(|test| measure.run(own(test)).ok()).collect()
    }

    /// No goal is lost.
    fn reaches_as_much(&self, tests: &[Behaviour], suite: &CoveringSuite) -> bool {
        let all = search::union(self.task.encoded.problem.n_atoms(), tests);
        let goals = self.task.goals.iter().zip(&suite.goals);
        goals
            .filter(|(_, state)| matches!(state, GoalState::Covered(_)))
            .all(|(goal, _)| search::is_covered(&self.task.encoded.goal(goal), &all))
    }
}
