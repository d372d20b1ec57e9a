//! Slices of random small programs, compared with all choices of differences.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::generate::{Random, assignment, counts};
use common::{is_full, program, try_ask};
use nub_bitvec::{Assignment, Datum, Op, TermId, evaluate};
use nub_explain::{ExplainOptions, Explanation, Slicing, Story};
use nub_unroll::{Ssa, UnrollConfig, Unrolled, unroll_ssa};

/// The largest number of differences of a program; all subsets are tried.
const MAX_DELTAS: usize = 7;

/// The two runs as terms of the unroller.
struct Runs {
    unrolled: Unrolled,
    ssa: Ssa,
    is_counted: Vec<bool>,
    before: Vec<Datum>,
    after: Vec<Datum>,
    passing: Assignment,
}

impl Runs {
    fn new(text: &str, story: &Story) -> Runs {
        let program = program(text);
        let function = program.function_by_name("f").unwrap();
        let (unrolled, ssa) = unroll_ssa(&program, function, &UnrollConfig::default()).unwrap();
        let inputs = |run: &nub_explain::RunValues| {
            let values: Vec<u64> = run.inputs.iter().map(|input| input.value.parse().unwrap()).collect();
            assignment(&unrolled, &values)
        };
        let terms: Vec<TermId> = unrolled.assignments.iter().map(|found| found.term).collect();
        let (failing, passing) = (inputs(&story.failing), inputs(&story.passing));
        let before = evaluate(&unrolled.pool, &failing, &terms);
        let after = evaluate(&unrolled.pool, &passing, &terms);
        let is_counted =
            unrolled.assignments.iter().map(|found| counts(&program, &unrolled, found)).collect();
        Runs { unrolled, ssa, is_counted, before, after, passing }
    }

    /// Positions of the differences.
    fn deltas(&self) -> Vec<usize> {
        let differs = |at: &usize| self.is_counted[*at] && self.before[*at] != self.after[*at];
        (0..self.before.len()).filter(differs).collect()
    }

    /// The definition of a slice, literally: values of the set are as in the passing run, and follow from their operands; everything else is as in
    /// the failing run, and everything holds.
    fn is_slice(&self, set: &[usize]) -> bool {
        let mut values = self.passing.clone();
        for (at, definition) in self.ssa.definitions.iter().enumerate() {
            if self.unrolled.pool.op(definition.variable) != Op::Var {
                continue;
            }
            let is_input = definition.variable == definition.term;
            let defined = || evaluate(&self.unrolled.pool, &values, &[definition.term]).remove(0);
            let value = if !self.is_counted[at] {
                defined()
            } else if !set.contains(&at) {
                self.before[at].clone()
            } else if is_input || defined() == self.after[at] {
                self.after[at].clone()
            } else {
                return false;
            };
            values.set(definition.variable, value);
        }
        let guarded = self.ssa.asserts.iter().chain(&self.ssa.checks).chain(&self.ssa.assumes);
        let holds = |term: TermId| evaluate(&self.unrolled.pool, &values, &[term]).remove(0).is_true();
        guarded.clone().all(|found| !holds(found.guard) || holds(found.condition))
            && self.ssa.over.iter().all(|guard| !holds(*guard))
    }
}

/// All smallest slices as sets of positions in the list of differences.
fn smallest(runs: &Runs, deltas: &[usize]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for bits in 0..1_usize << deltas.len() {
        let places: Vec<usize> = (0..deltas.len()).filter(|at| bits >> at & 1 == 1).collect();
        let least = found.first().map_or(usize::MAX, Vec::len);
        let set: Vec<usize> = places.iter().map(|at| deltas[*at]).collect();
        if places.len() <= least && runs.is_slice(&set) {
            if places.len() < least {
                found.clear();
            }
            found.push(places);
        }
    }
    found.sort();
    found
}

fn story(text: &str, slicing: Slicing) -> Option<Story> {
    let options = ExplainOptions { slicing, max_slices: 200, ..ExplainOptions::default() };
    match try_ask(text, &options).unwrap() {
        Explanation::Explained(story) => Some(*story),
        _ => None,
    }
}

#[test]
fn slices_are_all_and_smallest() {
    let wanted = if is_full() { 300 } else { 30 };
    let mut random = Random::new(7);
    let mut n_checked = 0;
    for _ in 0..20 * wanted {
        let text = random.program();
        let Some(found) = story(&text, Slicing::TwoPhase).filter(|found| found.deltas.len() <= MAX_DELTAS)
        else {
            continue;
        };
        let runs = Runs::new(&text, &found);
        let deltas = runs.deltas();
        assert_eq!(deltas.len(), found.deltas.len(), "{text}");
        assert!(found.has_all_slices, "{text}");
        assert_eq!(found.slices, smallest(&runs, &deltas), "{text}");
        let one = story(&text, Slicing::OneStep).unwrap();
        assert!(one.slices[0].len() <= found.slices[0].len(), "{text}");
        n_checked += 1;
        if n_checked == wanted {
            return;
        }
    }
    panic!("only {n_checked} programs");
}
