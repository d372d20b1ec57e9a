//! Bounds of loops: raised while a closer run is possible, and reported when they matter.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::try_ask;
use nub_explain::{ExplainOptions, Explanation, ExplanationNote, Story};

const HEAD: &str =
    "int nondet_int(void); void __CPROVER_assert(int, const char *); void __CPROVER_assume(int);\n";

fn ask(text: &str, unwind: u32, max_unwind: u32, inputs: &[(&str, i128)]) -> Explanation {
    let inputs = inputs.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let mut options = ExplainOptions { max_unwind, inputs, ..ExplainOptions::default() };
    options.unroll.unwind = unwind;
    try_ask(&format!("{HEAD}{text}"), &options).unwrap()
}

#[track_caller]
fn explained(found: Explanation) -> Story {
    match found {
        Explanation::Explained(story) => *story,
        other => panic!("{other:?}"),
    }
}

/// Fails with 2 iterations. Passes with none, which is far away, and with 4, which is closer.
const CLOSER: &str = "void f(int n) {
  int i = 0, far = 0, a = 0, b = 0, c = 0, d = 0, e = 0, g = 0;
  __CPROVER_assume(n >= 0 && n <= 4 && n != 1 && n != 3);
  if (n == 0) { far = 1; a = n + 1; b = n + 2; c = n + 3; d = n + 4; e = n + 5; g = n + 6; }
  while (i < n) i++;
  __CPROVER_assert(i != 2 || far + a + b + c + d + e + g > 0, \"\");
}";

#[test]
fn a_closer_run_has_more_rounds() {
    let story = explained(ask(CLOSER, 2, 2, &[("n", 2)]));
    assert_eq!(story.passing.inputs[0].value, "0");
    assert!(story.notes.contains(&ExplanationNote::BoundReached), "{:?}", story.notes);
    let longer = explained(ask(CLOSER, 2, 8, &[("n", 2)]));
    assert_eq!(longer.passing.inputs[0].value, "4");
    assert!(longer.distance.upper < story.distance.upper);
    assert!(
        longer.notes.contains(&ExplanationNote::MoreRounds)
            && !longer.notes.contains(&ExplanationNote::BoundReached)
    );
    assert_eq!(longer.unwind, 4);
}

/// The same with a loop that is left in the middle: most of its guards are the same in runs of different lengths, so the closest run may have more
/// iterations than the distance of a known one.
const LEFT_IN_THE_MIDDLE: &str = "void f(int n) {
  int i = 0, far = 0;
  __CPROVER_assume(n == 0 || n == 2 || n == 9);
  if (n == 0) { far = 1; }
  while (1) { if (i >= n) break; i++; }
  __CPROVER_assert(i != 2 || far > 0, \"\");
}";

#[test]
fn rounds_that_do_not_differ_are_not_counted() {
    let story = explained(ask(LEFT_IN_THE_MIDDLE, 3, 3, &[("n", 2)]));
    assert_eq!(story.passing.inputs[0].value, "0");
    let longer = explained(ask(LEFT_IN_THE_MIDDLE, 3, 12, &[("n", 2)]));
    let whole = explained(ask(LEFT_IN_THE_MIDDLE, 12, 12, &[("n", 2)]));
    assert_eq!(longer.distance, whole.distance);
    assert_eq!(longer.passing.inputs[0].value, "9");
    assert!(longer.unwind as usize - 3 > story.distance.upper, "{} {:?}", longer.unwind, story.distance);
}

#[test]
fn enough_rounds_are_not_raised() {
    let text = "void f(int n) { int i = 0, s = 0; __CPROVER_assume(n >= 0 && n < 3); while (i < n) { i++; s += 2; } __CPROVER_assert(s < 4, \"\"); }";
    let story = explained(ask(text, 4, 8, &[]));
    assert_eq!(story.unwind, 4);
    assert!(
        !story.notes.contains(&ExplanationNote::BoundReached)
            && !story.notes.contains(&ExplanationNote::MoreRounds)
    );
}

#[test]
fn reads_in_loops_are_carried_over() {
    let text = "void f(int n) { int s = 0; __CPROVER_assume(n > 0 && n < 5);
        for (int i = 0; i < n; i++) { int v = nondet_int(); if (v == 3) s = 1; }
        int last = nondet_int(); __CPROVER_assert(!(s == 1 && last == 5), \"\"); }";
    let story = explained(ask(text, 2, 6, &[]));
    assert!(story.failing.is_replayed && story.passing.is_replayed);
    assert!(story.distance.is_proved());
}

#[test]
fn too_few_rounds_to_fail() {
    let text = "void f(int n) { int i = 0; while (i < n) i++; __CPROVER_assert(i != 6, \"\"); }";
    assert_eq!(
        ask(text, 3, 3, &[]),
        Explanation::NoViolation {
            unwind: 3,
            is_complete: false,
            n_properties: 1,
            ends_before: None,
            premises: Vec::new()
        }
    );
    assert!(matches!(ask(text, 6, 6, &[]), Explanation::Explained(_)));
}
