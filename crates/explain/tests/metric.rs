//! Weights, numbers of closest runs, and that the distance is a metric.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{program, story, try_ask};
use nub_explain::{
    ExplainOptions, ExplainRefusal, Explanation, ExplanationNote, MetricWeights, ProgramSource, Story,
    distance,
};
use nub_sat::SatLimits;
use std::sync::Arc;
use std::time::Duration;

const EXTREMES: &str = include_str!("programs/extremes.c");
const TWO_ROUTES: &str = include_str!("programs/two_routes.c");

#[track_caller]
fn story_with(text: &str, options: &ExplainOptions) -> Story {
    match try_ask(text, options).unwrap() {
        Explanation::Explained(story) => *story,
        other => panic!("{other:?}"),
    }
}

fn run(values: &[(&str, i128)]) -> Vec<(String, i128)> {
    values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
}

/// The distance of two runs of a program with `main`.
fn between(text: &str, options: &ExplainOptions, a: &[(String, i128)], b: &[(String, i128)]) -> usize {
    let program = program(text);
    let main = program.function_by_name("main").unwrap();
    let source = ProgramSource { program: &program, text: text.as_bytes(), file: "" };
    distance(source, main, options, [a, b]).unwrap()
}

#[test]
fn identity_symmetry_and_triangle() {
    let options = ExplainOptions::default();
    let mut runs = Vec::new();
    for number in 0..8_i128 {
        runs.push(run(&[("a", number & 1), ("b", number >> 1 & 1), ("c", number >> 2 & 1)]));
    }
    for a in &runs {
        for b in &runs {
            let ab = between(EXTREMES, &options, a, b);
            assert_eq!(ab == 0, a == b);
            assert_eq!(ab, between(EXTREMES, &options, b, a));
            for c in runs.iter().step_by(3) {
                let detour = between(EXTREMES, &options, a, c) + between(EXTREMES, &options, c, b);
                assert!(ab <= detour);
            }
        }
    }
}

#[test]
fn the_distances_of_the_paper() {
    let options = ExplainOptions::default();
    let failing = run(&[("first", 1), ("second", 1)]);
    assert_eq!(between(TWO_ROUTES, &options, &failing, &run(&[("first", 1), ("second", 0)])), 5);
    assert_eq!(between(TWO_ROUTES, &options, &failing, &run(&[("first", 0), ("second", 1)])), 11);
}

#[test]
fn all_closest_runs() {
    let inputs = run(&[("a", 1), ("b", 0), ("c", 1)]);
    let options = ExplainOptions { inputs, max_runs: 10, ..ExplainOptions::default() };
    let story = story_with(EXTREMES, &options);
    assert_eq!((story.n_runs, story.has_all_runs, story.others.len()), (2, true, 1));
    assert_eq!(story.others[0].distance, 5);
    // With another `b` there are two slices of 3, with another `c` one of 4.
    let mut slices: Vec<(usize, usize)> = vec![(story.slices.len(), story.slices[0].len())];
    slices.push((story.others[0].slices.len(), story.others[0].slices[0].len()));
    slices.sort_unstable();
    assert_eq!(slices, [(1, 4), (2, 3)]);
    // Wherever a value differs, the trace of the other run has that run's own value.
    let other = &story.others[0];
    assert_eq!(other.trace.len(), story.trace.len());
    for delta in &other.deltas {
        let is_told = story.trace.iter().zip(&other.trace).any(|(known, own)| {
            (&known.what, &known.place, &known.failing) == (&delta.what, &delta.place, &delta.before)
                && own.value == delta.after
        });
        assert!(is_told, "{delta:?}");
    }
    let story = story_with(EXTREMES, &ExplainOptions { max_runs: 1, ..options });
    assert_eq!((story.n_runs, story.has_all_runs), (1, false));
}

#[test]
fn limits_are_said() {
    let inputs = run(&[("first", 1), ("second", 1)]);
    let story =
        story_with(TWO_ROUTES, &ExplainOptions { inputs, max_slices: 1, ..ExplainOptions::default() });
    assert_eq!((story.slices.len(), story.has_all_slices), (1, false));
    assert!(story.notes.contains(&ExplanationNote::MoreSlices));
    let inputs = run(&[("first", 1), ("second", 1)]);
    let none = story_with(TWO_ROUTES, &ExplainOptions { inputs, max_slices: 0, ..ExplainOptions::default() });
    assert!(none.slices.is_empty() && !none.notes.contains(&ExplanationNote::MoreSlices));
    let text = "void __CPROVER_assert(int, const char *);
        void f(_Bool a, _Bool b, _Bool c) { int s = a + b + c; __CPROVER_assert(s != 3, \"\"); }";
    for (max_runs, n_runs, is_said) in [(2, 2, true), (3, 3, false), (9, 3, false)] {
        let story = story_with(text, &ExplainOptions { max_runs, ..ExplainOptions::default() });
        assert_eq!(
            (story.n_runs, story.notes.contains(&ExplanationNote::MoreRuns)),
            (n_runs, is_said),
            "{max_runs}"
        );
    }
}

#[test]
fn weights() {
    let inputs = run(&[("first", 1), ("second", 1)]);
    let with = |weights: MetricWeights| {
        story_with(
            TWO_ROUTES,
            &ExplainOptions { weights, inputs: inputs.clone(), ..ExplainOptions::default() },
        )
    };
    let usual = MetricWeights::default();
    assert_eq!(with(MetricWeights { guards: 5, ..usual.clone() }).distance.upper, 9);
    assert_eq!(with(MetricWeights { phis: 0, ..usual.clone() }).distance.upper, 2);
    // Line 6 has the inputs, 13 the second guard.
    assert_eq!(with(MetricWeights { lines: vec![(6, 3), (13, 4)], ..usual.clone() }).distance.upper, 10);
    let heavy = with(MetricWeights { lines: vec![(13, 100)], ..usual });
    assert_eq!(heavy.distance.upper, 11, "the other run is closer now");
    assert_eq!(heavy.passing.inputs[0].value, "0");
    let idle = with(MetricWeights { lines: vec![(77, 3)], ..MetricWeights::default() });
    assert!(
        idle.notes.contains(&ExplanationNote::IdleWeight)
            && !heavy.notes.contains(&ExplanationNote::IdleWeight)
    );
    assert!(story(TWO_ROUTES, &[("first", 1), ("second", 1)]).deltas.iter().all(|delta| delta.weight == 1));
}

/// However early it is stopped, the bounds enclose the distance.
#[test]
fn an_interval_if_it_is_stopped() {
    let inputs = run(&[("a", 1), ("b", 0), ("c", 1)]);
    let mut n_answers = 0;
    for conflicts in [1, 2, 4, 8, 16, 64, 1_000] {
        let limits = SatLimits { conflicts: Some(conflicts), ..SatLimits::none() };
        match try_ask(
            EXTREMES,
            &ExplainOptions { limits, inputs: inputs.clone(), ..ExplainOptions::default() },
        ) {
            Ok(Explanation::Explained(story)) => {
                assert!(story.distance.lower <= 5 && 5 <= story.distance.upper, "{:?}", story.distance);
                n_answers += 1;
            }
            other => assert!(matches!(other, Err(ExplainRefusal::Stopped(_))), "{other:?}"),
        }
    }
    assert!(n_answers > 0);
}

/// Another thread requests a stop as soon as some passing run is known, as Ctrl-C does.
#[test]
fn stopped_with_the_best_so_far() {
    let text = "void __CPROVER_assert(int, const char *);
        void f(unsigned a, unsigned b) {
            unsigned i, h = a;
            for (i = 0; i < 4; i++) { h = h * h + b; h = h ^ h >> 15; }
            __CPROVER_assert(h % 16 != 3, \"\"); }";
    let options = ExplainOptions::default();
    let (bounds, cancel) = (Arc::clone(&options.bounds), options.limits.cancel.clone());
    let watching = std::thread::spawn(move || {
        while bounds.get().1.is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        cancel.cancel();
        bounds.get()
    });
    let found = try_ask(text, &options);
    let (lower, upper) = watching.join().unwrap();
    let Ok(Explanation::Explained(story)) = found else { panic!("{found:?}") };
    assert!(story.distance.lower <= story.distance.upper && story.distance.upper <= upper.unwrap());
    assert!(lower <= story.distance.lower, "{lower} {:?}", story.distance);
    assert_eq!(story.slices.len(), 1, "what is needed is told all the same");
}
