//! Distances, closest runs, slices and causes of random programs, compared with all runs and all choices. What counts is implemented a second time,
//! in `common/model.rs`, from the documentation: no simplification of terms may change it.
//!
//! A few programs of each kind by default; with `NUB_FULL=1` as many as the claims in the documentation name.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::generate::Random;
use common::model::Model;
use common::{is_full, program, try_ask};
use nub_explain::{
    Antecedents, CausalAnswer, ExplainOptions, Explanation, Predicate, ProgramSource, RunValues, Story,
    Trust, cause,
};

/// Programs per kind.
fn wanted(few: usize, all: usize) -> usize {
    if is_full() { all } else { few }
}

fn options() -> ExplainOptions {
    ExplainOptions {
        antecedents: Antecedents::Free,
        trust: Trust::Nothing,
        max_slices: 1_000,
        ..ExplainOptions::default()
    }
}

fn inputs(run: &RunValues) -> Vec<i64> {
    run.inputs.iter().map(|input| input.value.parse().unwrap()).collect()
}

fn distance(a: &[i64], b: &[i64]) -> usize {
    assert_eq!(a.len(), b.len(), "all runs have the same values");
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}

/// How many inputs change, and by how much.
fn change(a: &[i64], b: &[i64]) -> (usize, i64) {
    (distance(a, b), a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum())
}

/// The results for one program.
#[derive(Default)]
struct Counts {
    explained: usize,
    no_violation: usize,
    no_passing: usize,
}

/// The explanation, after it was compared with all runs.
fn checked(model: &Model, counts: &mut Counts) -> Option<Story> {
    let text = model.text();
    let runs: Vec<_> = model.runs().into_iter().map(|inputs| (model.run(&inputs), inputs)).collect();
    let n_failing = runs.iter().filter(|((_, holds), _)| !holds).count();
    let story = match try_ask(&text, &options()).unwrap() {
        Explanation::NoViolation { .. } => {
            assert_eq!(n_failing, 0, "{text}");
            counts.no_violation += 1;
            return None;
        }
        Explanation::NoPassingRun { .. } => {
            assert_eq!(n_failing, runs.len(), "{text}");
            counts.no_passing += 1;
            return None;
        }
        Explanation::Explained(story) => *story,
    };
    let failing = inputs(&story.failing);
    let (before, holds) = model.run(&failing);
    assert!(!holds, "{text}");
    let passing = runs.iter().filter(|((_, holds), _)| *holds);
    let far = |((values, _), run): &((Vec<i64>, bool), Vec<i64>)| {
        let (n_inputs, amount) = change(&failing, run);
        (distance(&before, values), n_inputs, amount)
    };
    let least = passing.map(far).min().unwrap();
    assert_eq!((story.distance.lower, story.distance.upper), (least.0, least.0), "{text}\n{story:?}");
    let shown = inputs(&story.passing);
    assert_eq!(far(&(model.run(&shown), shown)), least, "{text}\n{story:?}");
    counts.explained += 1;
    Some(story)
}

fn least_distances(constants: bool, seed: u64, (few, all): (usize, usize)) {
    let mut random = Random::new(seed);
    let mut counts = Counts::default();
    while counts.explained < wanted(few, all) {
        let model = random.model(constants);
        checked(&model, &mut counts);
    }
}

#[test]
fn distances_are_the_least() {
    least_distances(false, 11, (60, 385));
}

#[test]
fn distances_do_not_depend_on_what_is_simplified() {
    least_distances(true, 12, (60, 412));
}

#[test]
fn no_violation_and_no_passing_run() {
    let (n_right, n_wrong) = (wanted(8, 113), wanted(8, 120));
    let mut random = Random::new(13);
    let mut counts = Counts::default();
    while counts.no_violation < n_right || counts.no_passing < n_wrong {
        let model = random.model(true);
        checked(&model, &mut counts);
    }
}

/// All smallest sets of differences that make the assertion hold: each value is as in one run or, if it follows from its definition, as in the other.
fn smallest_slices(model: &Model, story: &Story) -> (usize, usize) {
    let (failing, passing) = (inputs(&story.failing), inputs(&story.passing));
    let (before, after) = (model.run(&failing).0, model.run(&passing).0);
    let differing: Vec<usize> = (0..before.len()).filter(|at| before[*at] != after[*at]).collect();
    let mut sizes = vec![0_usize; differing.len() + 1];
    for choice in 0_u32..1 << differing.len() {
        let is_chosen = |at: usize| {
            let place = differing.iter().position(|found| *found == at);
            place.is_some_and(|place| choice >> place & 1 == 1)
        };
        let mut follows = true;
        let holds = model.holds(&passing, &mut |at, value| {
            if is_chosen(at) {
                follows &= value == after[at];
                after[at]
            } else {
                before[at]
            }
        });
        sizes[choice.count_ones() as usize] += usize::from(holds && follows);
    }
    let least = sizes.iter().position(|n| *n > 0).unwrap();
    (least, sizes[least])
}

#[test]
fn slices_are_the_smallest_and_all_of_them() {
    let mut random = Random::new(14);
    let (mut n, mut counts) = (0, Counts::default());
    while n < wanted(30, 151) {
        let model = random.model(n % 2 == 0);
        let Some(story) = checked(&model, &mut counts).filter(|story| story.deltas.len() <= 14) else {
            continue;
        };
        let (size, n_slices) = smallest_slices(&model, &story);
        let text = model.text();
        // If no difference is needed, there is no slice.
        if size > 0 {
            assert!(story.slices.iter().all(|slice| slice.len() == size), "{size} {text}\n{story:?}");
            assert_eq!(story.slices.len(), n_slices, "{text}\n{story:?}");
        } else {
            assert!(story.slices.is_empty(), "{text}\n{story:?}");
        }
        n += 1;
    }
}

#[test]
fn causes() {
    let mut random = Random::new(16);
    let (mut n, mut n_dependent) = (0, 0);
    while n < wanted(30, 165) {
        let model = random.model(n % 2 == 0);
        let condition = random.model_condition(model.ranges.len(), false);
        let text = model.text();
        let program = program(&text);
        let source = ProgramSource { program: &program, text: text.as_bytes(), file: "" };
        let predicate = Predicate { text: condition.text(), file: None, line: model.last_line() };
        let function = program.function_by_name("f").unwrap();
        let found = cause(source, function, &predicate, &options()).unwrap();
        let runs: Vec<_> = model.runs().into_iter().map(|run| (model.run(&run), run)).collect();
        let ends = |wants_pass: bool| {
            let runs = runs.iter().filter(move |((_, holds), _)| *holds == wants_pass);
            runs.filter(|(_, run)| !model.at_end(run, &condition))
        };
        let together = runs.iter().any(|((_, holds), run)| !holds && model.at_end(run, &condition));
        let expected = match &found.failing {
            None => {
                assert!(!together, "{text}\n{condition:?}");
                CausalAnswer::NeverTogether
            }
            Some(failing) => {
                let (before, holds) = model.run(&inputs(failing));
                assert!(!holds && model.at_end(&inputs(failing), &condition), "{text}\n{condition:?}");
                let far = |((values, _), _): &((Vec<i64>, bool), Vec<i64>)| distance(&before, values);
                match (ends(true).map(far).min(), ends(false).map(far).min()) {
                    (Some(both), alone) if alone.is_none_or(|alone| both < alone) => CausalAnswer::Dependent,
                    _ => CausalAnswer::Independent,
                }
            }
        };
        assert_eq!(found.answer, expected, "{text}\n{condition:?}\n{found:?}");
        n_dependent += usize::from(expected == CausalAnswer::Dependent);
        n += usize::from(expected != CausalAnswer::NeverTogether);
    }
    assert!(n_dependent > 0 && n_dependent < n);
}
