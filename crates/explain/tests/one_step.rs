//! Run and slice in one step: the slice is as small as that of any run, but the run may be far away.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::try_ask;
use nub_explain::{ExplainOptions, Explanation, Slicing, Story};

fn ask(text: &str, slicing: Slicing, inputs: &[(&str, i128)]) -> Story {
    let inputs = inputs.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    match try_ask(text, &ExplainOptions { slicing, inputs, ..ExplainOptions::default() }).unwrap() {
        Explanation::Explained(story) => *story,
        other => panic!("{other:?}"),
    }
}

/// The paper finds no difference for this program.
#[test]
fn two_routes() {
    let text = include_str!("programs/two_routes.c");
    let story = ask(text, Slicing::OneStep, &[("first", 1), ("second", 1)]);
    assert_eq!(story.slices[0].len(), 3);
    assert!(story.passing.is_replayed);
}

/// `a` changes many values, few of which matter; `b` changes few values, all of which matter.
#[test]
fn a_small_slice_of_a_far_run() {
    let text = "void __CPROVER_assert(int, const char *);
void f(int a, int b) {
  int on = a, w = a, x = a, y = a, z = a;
  int p = b + 1, q = p + 1;
  int ring = 0;
  if (on == 7)
    if (q == 7)
      ring = 1;
  __CPROVER_assert(ring == 0, \"\");
}";
    let inputs = [("a", 7), ("b", 5)];
    let two = ask(text, Slicing::TwoPhase, &inputs);
    let one = ask(text, Slicing::OneStep, &inputs);
    assert_eq!(two.passing.inputs[0].value, "7", "the closest run keeps `a`");
    assert_ne!(one.passing.inputs[0].value, "7", "the smallest slice does not");
    assert!(one.slices[0].len() < two.slices[0].len());
    assert!(one.distance.upper > two.distance.upper);
    assert_eq!(one.distance.lower, two.distance.upper, "the bound is that of the closest run");
}
