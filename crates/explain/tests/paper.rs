//! The numbers of the paper for programs of the same shape as its examples.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{ask, short, story};
use nub_explain::{DeltaKind, Explanation, Interval, text};

const EXTREMES: &str = include_str!("programs/extremes.c");
const TWO_ROUTES: &str = include_str!("programs/two_routes.c");
const LOCK: &str = include_str!("programs/lock.c");

fn slices(story: &nub_explain::Story) -> Vec<Vec<String>> {
    let names = short(story);
    story.slices.iter().map(|slice| slice.iter().map(|index| names[*index].clone()).collect()).collect()
}

#[test]
fn extremes() {
    let story = story(EXTREMES, &[("a", 1), ("b", 0), ("c", 1)]);
    assert_eq!(story.distance, Interval { lower: 5, upper: 5 });
    assert!(story.failing.is_replayed && story.passing.is_replayed);
    assert!(story.has_all_slices);
    assert!(story.slices.iter().all(|slice| slice.len() == 3), "{:?}", slices(&story));
    // Two runs are closest. The one with another `b` has two slices, the one with another `c` has one.
    let is_b = story.deltas[0].what == "b";
    assert_eq!(story.slices.len(), if is_b { 2 } else { 1 }, "{:?}", slices(&story));
}

#[test]
fn extremes_without_help() {
    let Explanation::Explained(story) = ask(EXTREMES) else { panic!() };
    let inputs: Vec<&str> = story.failing.inputs.iter().map(|input| input.value.as_str()).collect();
    assert_eq!(inputs, ["1", "0", "1"], "small inputs");
    assert_eq!(story.distance, Interval { lower: 5, upper: 5 });
    assert!(
        story.deltas.iter().any(|delta| delta.place.line == Some(14)),
        "the fault is among the differences"
    );
    let report = text(&Explanation::Explained(story));
    assert!(report.contains("@14") || report.contains("@13"), "the fault is shown:\n{report}");
}

#[test]
fn two_routes() {
    let story = story(TWO_ROUTES, &[("first", 1), ("second", 1)]);
    assert_eq!(story.distance, Interval { lower: 5, upper: 5 });
    assert_eq!(story.passing.inputs[0].value, "1");
    let names = short(&story);
    assert_eq!(names.len(), 5);
    assert!(names[1].starts_with("second > 0#1 1->0"), "{names:?}");
    assert!(story.has_all_slices);
    assert_eq!(story.slices, [[0, 1, 2], [0, 1, 3]], "{names:?}");
}

#[test]
fn lock() {
    let Explanation::Explained(story) = ask(LOCK) else { panic!() };
    let slices = slices(&story);
    assert!(story.distance.is_proved());
    assert!(short(&story).iter().any(|name| name.starts_with("error")), "{:?}", short(&story));
    for slice in &slices {
        assert!(slice.iter().any(|name| name.starts_with("is_wrong#")), "{slice:?}");
        assert!(!slice.iter().any(|name| name.starts_with("error#")), "{slice:?}");
    }
    assert!(!slices.is_empty());
    let guard = story.deltas.iter().position(|delta| delta.kind == DeltaKind::Guard).unwrap();
    assert!(story.slices.iter().all(|slice| slice.contains(&guard)), "{slices:?}");
}
