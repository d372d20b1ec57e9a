//! `--boundaries`: comparisons with equal operands, and with the left one just above and just below the right one.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use nub_cover::goals::{BoundaryGoals, Criterion, CriterionReading, EvaluationMode};
use nub_cover::report::{CoverReport, CoverState, GoalKind};
use nub_cover::{CoverOptions, Unwind};

fn reading(criterion: Criterion) -> CriterionReading {
    CriterionReading { boundaries: BoundaryGoals::Added, ..CriterionReading::new(criterion) }
}

fn report_of(text: &str, reading: CriterionReading) -> CoverReport {
    let options = CoverOptions { readings: vec![reading], ..CoverOptions::default() };
    common::with_options(text, &options).unwrap()
}

fn report(text: &str) -> CoverReport {
    report_of(text, reading(Criterion::Decision))
}

/// The ids of the goals of boundaries, each with its state.
fn states(report: &CoverReport) -> Vec<(&str, CoverState)> {
    let own = report.goals.iter().filter(|goal| goal.kind == GoalKind::Boundary);
    own.map(|goal| (goal.id.strip_prefix("f/").unwrap(), goal.state)).collect()
}

fn values(report: &CoverReport, name: &str) -> Vec<String> {
    let inputs = report.tests.iter().flat_map(|test| &test.inputs);
    let mut values: Vec<String> =
        inputs.filter(|input| input.name == name).map(|input| input.value.clone()).collect();
    values.sort();
    values
}

/// The tests of a function of one comparison, and the states of its three goals.
#[track_caller]
fn check(params: &str, condition: &str, expected: [CoverState; 3]) -> CoverReport {
    let found = report(&format!("int f({params}) {{ if ({condition}) return 1; return 0; }}"));
    let ids = ["d1/c1/equal", "d1/c1/above", "d1/c1/below"];
    assert_eq!(states(&found), ids.into_iter().zip(expected).collect::<Vec<_>>(), "{condition}");
    assert!(found.is_minimal && found.tests.iter().all(|test| test.is_replayed), "{condition}");
    found
}

const YES: CoverState = CoverState::Covered;
const NO: CoverState = CoverState::Infeasible;

/// By hand: 10 is equal, 11 just above, 9 just below. No test is two of them, so there are three tests.
#[test]
fn ten_is_compared_with_nine_ten_and_eleven() {
    for operator in ["==", "!=", "<", "<=", ">", ">="] {
        let found = check("int x", &format!("x {operator} 10"), [YES; 3]);
        assert_eq!(values(&found, "x"), ["10", "11", "9"], "{operator}");
        // The left side is that of the source.
        let turned = check("int x", &format!("10 {operator} x"), [YES; 3]);
        let test = |report: &CoverReport, id: &str| {
            let goal = report.goals.iter().find(|goal| goal.id == id).unwrap();
            report.tests[goal.tests[0] - 1].inputs[0].value.clone()
        };
        assert_eq!(
            (test(&found, "f/d1/c1/above"), test(&turned, "f/d1/c1/above")),
            ("11".into(), "9".into())
        );
    }
}

#[test]
fn nothing_wraps_around() {
    check("unsigned x", "x <= 0u", [YES, YES, NO]);
    check("unsigned x", "x == 4294967295u", [YES, NO, YES]);
    check("int x", "x == 2147483647", [YES, NO, YES]);
    check("int x", "x == -2147483647 - 1", [YES, YES, NO]);
    check("unsigned long long x, unsigned long long y", "x < y", [YES; 3]);
    check("__int128 x, __int128 y", "x >= y", [YES; 3]);
    // In the common type, `int`, 255 has a neighbour, but no `unsigned char` has that value.
    check("unsigned char x", "x < 255", [YES, NO, YES]);
    // And here the common type is unsigned: -1 is the largest number.
    check("int x", "x < 4294967295u", [YES, NO, YES]);
}

#[test]
fn floats_are_next_to_each_other_as_nextafter_says() {
    let found = check("double x", "x > 0.5", [YES; 3]);
    assert_eq!(values(&found, "x"), ["0.49999999999999994", "0.5", "0.5000000000000001"]);
    for condition in ["x != 0", "x >= -0.0"] {
        let found = check("double x", condition, [YES; 3]);
        let mut near: Vec<u64> =
            values(&found, "x").iter().map(|value| value.parse::<f64>().unwrap().to_bits() << 1).collect();
        near.sort_unstable();
        assert_eq!(near, [0, 2, 2], "{condition}: {:?}", values(&found, "x"));
    }
    check("float x, float y", "x < y", [YES; 3]);
    check("long double x", "x == 1.0L", [YES; 3]);
    // Infinity and NaN have no neighbours there.
    check("double x", "x < 1.0 / 0.0", [YES, NO, YES]);
    check("double x", "x <= x - x + 0.0 / 0.0", [NO; 3]);
    // In the common type, `double`, none of these values is a `float`.
    check("float x", "x < 0.1", [NO; 3]);
}

#[test]
fn what_is_no_comparison_of_numbers_has_no_boundary() {
    for condition in ["x", "!x", "p == 0", "p != q", "1 > 2"] {
        let text = format!("int f(int x, char *p, char *q) {{ if ({condition}) return 1; return 0; }}");
        assert!(states(&report(&text)).is_empty(), "{condition}");
    }
    let text = "int f(int x) { if (!(x > 3) && x) return 1; return 0; }";
    assert_eq!(states(&report(text)).len(), 3);
}

#[test]
fn a_boundary_that_is_excluded_has_its_reason() {
    let found = report("int f(int x) {\n if (x > 10)\n  if (x == 10)\n   return 1;\n return 0; }");
    let inner: Vec<_> = states(&found).split_off(3);
    assert_eq!(inner, [("d2/c1/equal", NO), ("d2/c1/above", YES), ("d2/c1/below", NO)]);
    let below = found.goals.iter().find(|goal| goal.id == "f/d2/c1/below").unwrap();
    assert_eq!(below.reason.as_deref(), Some("control reaches it only if line 2: `x > 10` is true"));
    // A condition that is skipped is not at its boundary; with --evaluate-all it is.
    let text = "int f(int x) { if (x > 10 && x != 9) return 1; return 0; }";
    let skipped = report(text);
    assert_eq!(
        states(&skipped).split_off(3),
        [("d1/c2/equal", NO), ("d1/c2/above", NO), ("d1/c2/below", NO)]
    );
    let all = CriterionReading { evaluation: EvaluationMode::All, ..reading(Criterion::Decision) };
    assert!(states(&report_of(text, all)).iter().all(|(_, state)| *state == YES));
}

/// Every criterion can have them, and they make no difference to its own goals.
#[test]
fn every_criterion_has_them_beside_its_goals() {
    let text = "int f(int x, int y) { if (x > 10 && y < 3) return 1; while (y > 5) y -= 2; return 0; }";
    for criterion in Criterion::ALL {
        let unwind = Unwind::Exactly(3);
        let options = |reading| CoverOptions { readings: vec![reading], unwind, ..CoverOptions::default() };
        let with = common::with_options(text, &options(reading(criterion))).unwrap();
        let without = common::with_options(text, &options(CriterionReading::new(criterion))).unwrap();
        let own = |report: &CoverReport| {
            let goals = report.goals.iter().filter(|goal| goal.kind != GoalKind::Boundary);
            goals.map(|goal| (goal.id.clone(), goal.state)).collect::<Vec<_>>()
        };
        assert_eq!(own(&with), own(&without), "{criterion}");
        assert!(
            states(&with).len() == 9 && states(&with).iter().all(|(_, state)| *state == YES),
            "{criterion}"
        );
        assert!(with.tests.len() >= without.tests.len() && with.is_minimal, "{criterion}");
    }
}

/// A run that the bound of the loop cuts may reach it: this is not called infeasible.
#[test]
fn behind_a_loop_nothing_is_claimed_that_the_bound_hides() {
    let text =
        "int f(unsigned n) { unsigned i; for (i = 0; i != n; i++) ; if (i > 1000) return 1; return 0; }";
    let options = CoverOptions {
        readings: vec![reading(Criterion::Decision)],
        unwind: Unwind::Exactly(4),
        ..CoverOptions::default()
    };
    let found = common::with_options(text, &options).unwrap();
    let behind = states(&found).split_off(3);
    assert!(behind.iter().all(|(_, state)| *state == CoverState::BeyondBound), "{behind:?}");
}
