//! Mutants: does a test notice a small fault?
//!
//! `edits` lists the faults, `text` appends variants of the function to the program, `twin_terms` unrolls the function and its variants over the same
//! inputs. Values with which the tests kill more mutants are then found by `evaluate_first`: by trying (`moves`), and by a few questions about single
//! mutants (`one_mutant`). Where the terms would be too many, `tried` runs the mutants in the interpreter instead.
//!
//! If the user asks about mutants, `twins` builds one problem of all of them, in which it is an atom that a test kills a mutant: `sharpen` and `whole`
//! select values, with proof if possible, `decide` finds which mutants no test can kill, and the fewest tests that kill the others. `rerun` lets the
//! interpreter confirm each kill.
//!
//! Cost: the function is unrolled once more with all mutants; the rest is bounded by `effort` and by the constants of `evaluate_first`.

mod aim;
mod by_terms;
mod decide;
mod edits;
mod effort;
mod evaluate_first;
mod moves;
mod mutated_program;
mod one_mutant;
mod rerun;
mod sharpen;
mod text;
mod tried;
mod twin_terms;
mod twins;
mod whole;

pub use text::{MutatedText, ProgramMutant, mutated};

use crate::goals::Criterion;
use crate::measure::Measure;
use crate::options::CoverOptions;
use crate::report::MutationReport;
use crate::search::{
    self, AtomId, AtomStatus, Behaviour, CoveringSuite, Explorer, GoalState, Knowledge, MinimumProof, Need,
    SuiteObjective,
};
use crate::task::Task;
use aim::Aim;
use by_terms::ByTerms;
use effort::SharpeningEffort;
use evaluate_first::EvaluateFirst;
use moves::{IdleMoves, Moves};
use nub_c_ir::Program;
use nub_sat::built_in;
use sharpen::Sharpening;
use std::fmt;
use std::sync::Arc;
use tried::ValueTrial;
use twin_terms::{Ingredients, TwinTerms};
use twins::{TwinLits, Twins};
use whole::{Maximum, WholeSuite};

/// The default number of mutants for selecting values.
const N_SHARPENING: usize = 100;
/// Moves that kill no other mutant, where the user asked about mutants.
const IDLE: IdleMoves = IdleMoves { each: 1_000, per_move: 0 };
/// A mutant that executes this many times as many instructions as the function probably does not end, and any test that executes it kills it.
const VARIANT_RATIO: usize = 3;
/// Mutants may become this many times as large as the size of the function suggests.
const MAX_SURPLUS: usize = 2;
/// With fewer mutants values are not selected: they would say little.
const MIN_SHARPENING: usize = 10;

/// What is done with mutants.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// How a program is made from a text.
    pub read: ReadText,
    /// How many mutants are reported on, with the tests that kill them. `None`: they only help to select values.
    pub wanted: Option<usize>,
}

/// From a text and the names of the functions that are new in it to a program.
type TextReader = dyn Fn(&[u8], &[String]) -> Option<Program> + Send + Sync;

/// Makes a program from a text, given the names of the functions that are new in it, as the program under test was made from its text.
#[derive(Clone)]
pub struct ReadText {
    read: Arc<TextReader>,
}

impl ReadText {
    /// Uses this function.
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

/// The results for the mutants of one function.
pub(crate) struct MutantsFound {
    /// Tests in addition to those for the criterion.
    pub more: Vec<Behaviour>,
    /// For the report.
    pub report: MutationReport,
}

/// Gives the tests of a suite readable values, preferring those that kill more mutants; and reports on the mutants if requested.
pub(crate) fn settle(
    task: &Task<'_>,
    explorer: &mut Explorer<'_>,
    goals: &[SuiteObjective],
    config: &search::CoverSearchConfig,
    options: &CoverOptions,
    suite: &mut CoveringSuite,
) -> Option<MutantsFound> {
    let effort = options.mutation.as_ref().map(SharpeningEffort::of);
    let terms = options.mutation.as_ref().and_then(|mutation| twin_terms(task, mutation, options));
    let wanted = options.mutation.as_ref().and_then(|mutation| mutation.wanted);
    if wanted.is_none() {
        settle_quickly(task, explorer, goals, config, options, suite, terms);
        return None;
    }
    let twins = terms.and_then(|terms| Twins::new(terms, &options.limits));
    let (Some(twins), Some(effort)) = (twins, effort) else {
        if !try_values(task, goals, config, options, explorer.known(), suite) {
            search::polish_suite(explorer, goals, config, suite);
        }
        return None;
    };
    let measure = twins.measure();
    let mut twin_explorer = Explorer::new(&twins.encoded.problem, built_in()).with_evaluation(&measure);
    let session = Session { task, twins: &twins, config, effort };
    let mut most = None;
    match session.sharpened(&mut twin_explorer, suite, &measure) {
        Some(found) => {
            suite.tests = found.tests;
            most = found.most;
            search::show_again(goals, suite);
            if !(twins.is_exact && twins.is_all) {
                try_values(task, goals, config, options, twin_explorer.known(), suite);
            }
        }
        None => search::polish_suite(explorer, goals, config, suite),
    }
    // Existing tests come before the new ones.
    let tests: Vec<Behaviour> = task.existing.iter().chain(&suite.tests).cloned().collect();
    Some(session.decide(&mut twin_explorer, &tests, most))
}

/// The same for mutants that nobody asked about.
fn settle_quickly(
    task: &Task<'_>,
    explorer: &mut Explorer<'_>,
    goals: &[SuiteObjective],
    config: &search::CoverSearchConfig,
    options: &CoverOptions,
    suite: &mut CoveringSuite,
    terms: Option<TwinTerms>,
) {
    let search = terms.filter(|_| may_change(task, suite));
    let search = search.and_then(|terms| EvaluateFirst::new(task, terms, config));
    match search.and_then(|search| search.improved(suite, explorer.known())) {
        Some(tests) => {
            suite.tests = tests;
            search::show_again(goals, suite);
        }
        None if try_values(task, goals, config, options, explorer.known(), suite) => {}
        None => search::polish_suite(explorer, goals, config, suite),
    }
}

/// Gives the tests values with which the interpreter sees more differences, also those that no clause describes, such as a mutant that does not end.
/// False if the tests have to stay as they are.
fn try_values(
    task: &Task<'_>,
    goals: &[SuiteObjective],
    config: &search::CoverSearchConfig,
    options: &CoverOptions,
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

/// The function with its mutants; `None` if they would not be used.
fn twin_terms(task: &Task<'_>, mutation: &Mutation, options: &CoverOptions) -> Option<TwinTerms> {
    let effort = SharpeningEffort::of(mutation);
    let n_terms = task.unrolled.pool.len().max(1);
    let max_terms = effort.max_terms(n_terms);
    let n_affordable = N_SHARPENING.min(max_terms / n_terms);
    if n_affordable < MIN_SHARPENING || options.limits.cancel.is_cancelled() {
        return None;
    }
    let program = task.source.program;
    let name = &program.function(task.unrolled.function).name;
    let text = mutated(task.source.text, name, mutation.wanted.unwrap_or(n_affordable))?;
    let is_path = task.reading.criterion == Criterion::Path;
    let mut unrolling = task.config.clone();
    if mutation.wanted.is_none() {
        unrolling.limits.max_variant_ratio = Some(VARIANT_RATIO);
        unrolling.limits.max_terms = unrolling.limits.max_terms.min(n_terms + MAX_SURPLUS * max_terms);
    }
    let from = Ingredients {
        read: &mutation.read,
        text,
        program,
        unrolled: task.unrolled,
        config: &unrolling,
        goals: if is_path { &[] } else { task.goals },
        evaluation: task.reading.evaluation,
    };
    TwinTerms::new(from)
}

/// Whether the values of these tests may be changed: all of them are new, and every goal that can be reached is.
fn may_change(task: &Task<'_>, suite: &CoveringSuite) -> bool {
    let is_other = task.reading.criterion == Criterion::Path || !task.existing.is_empty();
    !is_other && !suite.tests.is_empty() && !suite.goals.contains(&GoalState::LeftOut)
}

/// Whether no run within the bounds has the atom.
fn is_refuted(explorer: &Explorer<'_>, atom: AtomId) -> bool {
    matches!(explorer.known().status(atom), AtomStatus::Infeasible | AtomStatus::BeyondBound)
}

/// Tests with values that kill more mutants.
struct SharpTests {
    tests: Vec<Behaviour>,
    /// The number of killed mutants, if no set of as many tests that reaches the goals kills more (proved).
    most: Option<usize>,
}

/// One suite and its mutants.
struct Session<'s> {
    task: &'s Task<'s>,
    twins: &'s Twins,
    config: &'s search::CoverSearchConfig,
    effort: SharpeningEffort,
}

impl Session<'_> {
    /// The tests with values that kill more; `None` if the tests have to stay as they are.
    fn sharpened(
        &self,
        explorer: &mut Explorer<'_>,
        suite: &CoveringSuite,
        measure: &Measure<'_>,
    ) -> Option<SharpTests> {
        // Tests that the interpreter cannot run would be checked by a compiler only: they keep their values.
        let is_run = |test: &Behaviour| self.twins.rerun(&test.inputs).is_some();
        if !may_change(self.task, suite) || !suite.tests.iter().all(is_run) {
            return None;
        }
        let tests = suite.tests.iter().map(|test| measure.run(self.twins.widened(&test.inputs)).ok());
        let tests: Vec<Behaviour> = tests.collect::<Option<_>>()?;
        let is_covered = |state: &GoalState| matches!(state, GoalState::Covered(_));
        let reached = self.task.goals.iter().zip(&suite.goals).filter(|(_, state)| is_covered(state));
        let goals: Vec<SuiteObjective> = reached.map(|(goal, _)| self.twins.encoded.goal(goal)).collect();
        let goals: Vec<&SuiteObjective> = goals.iter().collect();
        tests.iter().for_each(|test| explorer.known_mut().saw(test.clone()));
        let (seed, limits) = (self.config.seed, &self.config.limits);
        let possible = self.possible(explorer, &tests);
        let groups: Vec<usize> = possible.iter().map(|(group, _)| *group).collect();
        let kills: Vec<AtomId> = possible.iter().map(|(_, lits)| lits.killed).collect();
        let suspects: Vec<AtomId> = possible.iter().map(|(_, lits)| lits.suspected).collect();
        let most = kills.iter().filter(|kill| !is_refuted(explorer, **kill)).count();
        let n_atoms = explorer.problem().n_atoms();
        let aim = Aim { goals: &goals, kills: &kills, suspects: &suspects, most, n_atoms };
        let trial = ByTerms::new(measure, &groups, u64::MAX);
        let inputs = &explorer.problem().inputs[..self.twins.n_own_inputs];
        let moves =
            Moves { aim, trial: &trial, inputs, favourites: &self.config.favourites, idle: IDLE, limits };
        let SharpeningEffort { tries, evaluated, .. } = self.effort;
        let n_tries = tries.min(evaluated / self.twins.unrolled.pool.len().max(1));
        let clique = self.clique(suite);
        let whole = WholeSuite {
            aim,
            problem: explorer.problem(),
            measure,
            clique: &clique,
            effort: self.effort,
            limits,
        };
        let sharpening = Sharpening { aim, moves, n_tries, whole, effort: self.effort, seed, limits };
        let (tests, maximum) = sharpening.sharpen(explorer, tests);
        let is_most = maximum == Maximum::Proved && self.twins.is_exact && !self.twins.is_bounded();
        let most = is_most.then(|| aim.worth_of(&tests).0);
        let killed: Vec<SuiteObjective> = kills
            .iter()
            .chain(&suspects)
            .filter(|kill| tests.iter().any(|test| test.has(**kill)))
            .map(|kill| SuiteObjective::Atom(*kill))
            .collect();
        let wanted: Vec<&SuiteObjective> = goals.iter().copied().chain(&killed).collect();
        let (favourites, closing) = (&self.config.favourites, &self.config.closing);
        let tests = search::polish(explorer, tests, &wanted, favourites, closing);
        let tests = narrowed(self.task, self.twins.n_own_inputs, &tests)
            .filter(|tests| reaches_as_much(self.task, tests, suite))?;
        Some(SharpTests { tests, most })
    }

    /// The mutants that a test kills or may kill, with the groups of their terms: equivalent ones need not be checked repeatedly.
    fn possible(&self, explorer: &mut Explorer<'_>, tests: &[Behaviour]) -> Vec<(usize, TwinLits)> {
        let limits =
            self.config.limits.with_conflicts(self.effort.conflicts(explorer.problem().cnf.n_clauses()));
        let n_questions = self.effort.n_questions(explorer.problem().cnf.n_clauses());
        let mut found = Vec::new();
        for (group, lits) in (1..).zip(self.twins.lits()) {
            let is_killed = tests.iter().any(|test| test.has(lits.killed));
            let is_affordable = explorer.n_questions() < n_questions;
            if !is_killed && is_affordable && !explorer.is_decided(lits.killed) {
                explorer.ask(&[lits.killed], &limits);
            }
            if !(self.twins.is_exact && is_refuted(explorer, lits.killed)) {
                found.push((group, lits));
            }
        }
        found
    }

    /// The needs that prove the number of tests, in the atoms of the function with its mutants; empty if there is another proof.
    fn clique(&self, suite: &CoveringSuite) -> Vec<Need> {
        let MinimumProof::Clique(certificate) = &suite.proof else { return Vec::new() };
        let atom = |old: AtomId| {
            let (event, _) = self.task.encoded.events.iter().find(|(_, (_, atom))| *atom == old)?;
            self.twins.encoded.events.get(event).map(|(_, atom)| *atom)
        };
        let need = |need: &Need| {
            let atoms = need.atoms.iter().map(|old| atom(*old)).collect::<Option<Vec<AtomId>>>()?;
            Some(Need { atoms, goal: need.goal })
        };
        certificate.needs.iter().map(need).collect::<Option<Vec<Need>>>().unwrap_or_default()
    }
}

/// Tests of the function itself, without the inputs of its mutants.
fn narrowed(task: &Task<'_>, n_own_inputs: usize, tests: &[Behaviour]) -> Option<Vec<Behaviour>> {
    let measure = Measure::new(task.unrolled, task.encoded);
    let own = |test: &Behaviour| test.inputs.iter().take(n_own_inputs).cloned().collect();
    tests.iter().map(|test| measure.run(own(test)).ok()).collect()
}

/// Whether no goal is lost.
fn reaches_as_much(task: &Task<'_>, tests: &[Behaviour], suite: &CoveringSuite) -> bool {
    let all = search::union(task.encoded.problem.n_atoms(), tests);
    let goals = task.goals.iter().zip(&suite.goals);
    goals
        .filter(|(_, state)| matches!(state, GoalState::Covered(_)))
        .all(|(goal, _)| search::is_covered(&task.encoded.goal(goal), &all))
}
