//! The closest run of random small programs, compared with all runs.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::generate::{N_INPUTS, RANGE, Random, assignment, counts};
use common::{is_full, program, try_ask};
use nub_bitvec::Evaluator;
use nub_c_ir::interp::RunOutcome;
use nub_explain::{Antecedents, ExplainOptions, Explanation, Story};
use nub_unroll::{UnrollConfig, interpreter_inputs, unroll_ssa};

fn all_inputs() -> Vec<[u64; N_INPUTS]> {
    let number = |n: u64| [n % RANGE, n / RANGE % RANGE, n / RANGE / RANGE];
    (0..RANGE.pow(N_INPUTS as u32)).map(number).collect()
}

/// Checks one program. True if there was something to explain.
fn check(text: &str) -> bool {
    let program = program(text);
    let function = program.function_by_name("f").unwrap();
    let (unrolled, _) = unroll_ssa(&program, function, &UnrollConfig::default()).unwrap();
    assert_eq!(unrolled.inputs.len(), N_INPUTS);
    let outcome = |inputs: &[u64]| {
        let inputs = interpreter_inputs(&program, &unrolled, &assignment(&unrolled, inputs)).unwrap();
        nub_c_ir::run(&program, function, &inputs, &nub_c_ir::InterpreterLimits::default()).outcome
    };
    let runs = all_inputs();
    let fails = |run: &&[u64; N_INPUTS]| matches!(outcome(*run), RunOutcome::AssertionFailed(..));
    let passing: Vec<_> = runs.iter().filter(|run| outcome(*run) == RunOutcome::Returned).collect();
    let n_failing = runs.iter().filter(fails).count();
    let story: Story =
        match try_ask(text, &ExplainOptions { antecedents: Antecedents::Free, ..ExplainOptions::default() })
            .unwrap()
        {
            Explanation::NoViolation { .. } => {
                assert_eq!(n_failing, 0, "{text}");
                return false;
            }
            Explanation::NoPassingRun { .. } => {
                assert!(n_failing > 0 && passing.is_empty(), "{text}");
                return false;
            }
            Explanation::Explained(story) => *story,
        };
    let values = |run: &nub_explain::RunValues| -> Vec<u64> {
        run.inputs.iter().map(|input| input.value.parse().unwrap()).collect()
    };
    let failing = values(&story.failing);
    assert!(matches!(outcome(&failing), RunOutcome::AssertionFailed(..)), "{text}");
    let terms: Vec<_> = (unrolled.assignments.iter())
        .filter(|found| counts(&program, &unrolled, found))
        .map(|found| found.term)
        .collect();
    let evaluator = Evaluator::new(&unrolled.pool, &terms);
    let before = evaluator.run(&assignment(&unrolled, &failing));
    let distance = |run: &[u64]| {
        let after = evaluator.run(&assignment(&unrolled, run));
        before.iter().zip(&after).filter(|(a, b)| a != b).count()
    };
    let least = passing.iter().map(|run| distance(*run)).min().unwrap();
    assert_eq!((story.distance.lower, story.distance.upper), (least, least), "{text}");
    assert_eq!(distance(&values(&story.passing)), least, "{text}");
    check_slices(&story, text);
    true
}

fn check_slices(story: &Story, text: &str) {
    assert!(!story.slices.is_empty(), "{text}");
    let size = story.slices[0].len();
    assert!(size > 0 && size <= story.deltas.len(), "{text}");
    for (index, slice) in story.slices.iter().enumerate() {
        assert_eq!(slice.len(), size, "{text}");
        assert!(slice.windows(2).all(|pair| pair[0] < pair[1]), "{text}");
        assert!(!story.slices[..index].contains(slice), "{text}");
    }
}

/// 50 programs with something to explain; 500 for the full test.
#[test]
fn closest_runs_are_closest() {
    let wanted = if is_full() { 500 } else { 50 };
    let mut random = Random::new(1);
    let mut n_explained = 0;
    let mut n_programs = 0;
    while n_explained < wanted {
        n_explained += usize::from(check(&random.program()));
        n_programs += 1;
        assert!(n_programs < 4 * wanted, "{n_explained} of {n_programs}");
    }
}
