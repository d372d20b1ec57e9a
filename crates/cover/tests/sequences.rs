//! Tests that call a function several times: what static variables remember.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::with_options;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::CoverReport;
use nub_cover::{CoverOptions, Memory, output};

fn report(text: &str, criterion: Criterion, calls: u32) -> CoverReport {
    let mut options = CoverOptions {
        readings: vec![CriterionReading::new(criterion)],
        memory: Memory::UpTo(8),
        ..CoverOptions::default()
    };
    options.unroll.calls = calls;
    with_options(text, &options).unwrap()
}

const COUNTER: &str = "int f(int ev) { static int count; if (ev == 1) count++; if (count > 2 && ev == 0) { count = 0; return 1; } return 0; }";

/// Three calls do not reach what four do, and the claim says that it depends on the initial value of the counter.
#[test]
fn a_counter_needs_four_calls() {
    let three = report(COUNTER, Criterion::Decision, 3);
    assert_eq!((three.summary.covered, three.summary.infeasible_if), (3, 1), "{}", output::table(&three));
    let table = output::table(&three);
    let premise = "if `count` has its initial value before the first of at most 3 calls";
    assert!(
        table.contains(premise),
        "a longer sequence reaches it, so the claim names the number of calls: {table}"
    );
    let four = report(COUNTER, Criterion::Decision, 4);
    assert_eq!(four.summary.covered, 4, "{}", output::table(&four));
    assert!(four.tests.iter().all(|test| test.is_replayed));
    let longest = four.tests.iter().find(|test| !test.earlier.is_empty()).unwrap();
    assert_eq!(longest.earlier_results, ["0", "0", "0"]);
    assert_eq!(longest.observed_result.as_deref(), Some("1"));
    assert!(longest.after.contains(&"result3 == 0".to_owned()), "{:?}", longest.after);
    let calls = longest.inputs.iter().find(|input| input.name == "calls").unwrap();
    assert_eq!((calls.ty.as_str(), calls.value.as_str()), ("unsigned", "4"));
    assert_eq!(longest.earlier[0], "__typeof__(int) result1 = f(1);");
}

/// What no number of calls can reach is infeasible, also where earlier calls were cut in a loop.
#[test]
fn what_no_sequence_reaches_is_infeasible() {
    let text = "int f(unsigned char a) { static unsigned n; n = a; while (n > 3) n--; if (n > 3) return 1; return 0; }";
    let found = report(text, Criterion::Decision, 2);
    let last =
        found.goals.iter().find(|goal| goal.line == 1 && goal.text == "n > 3" && goal.wanted == "true");
    assert!(last.is_some());
    assert!(found.goals.iter().all(|goal| goal.state.word() != "open"), "{}", output::table(&found));
}

/// The reasons speak of evaluations: without a loop there are no iterations.
#[test]
fn calls_are_not_called_iterations() {
    let text = "static int st; int f(int ev) { switch (st) { case 0: if (ev == 1) st = 1; break; case 1: return 7; } return st; }";
    let found = report(text, Criterion::Mcdc, 3);
    let reasons: Vec<&str> = found.goals.iter().filter_map(|goal| goal.reason.as_deref()).collect();
    assert!(!reasons.is_empty() && reasons.iter().all(|reason| !reason.contains("loop")), "{reasons:?}");
    assert!(reasons.iter().any(|reason| reason.contains("evaluation")), "{reasons:?}");
}

/// Objects of one call still exist in the next one.
#[test]
fn memory_stays_between_calls() {
    let text = "int f(int *p) { static int *kept; if (kept && p && *kept == 7 && *p != 7) { kept = 0; return 1; } kept = p; return 0; }";
    let found = report(text, Criterion::Decision, 2);
    assert_eq!(found.summary.covered, 2, "{}", output::table(&found));
}
