//! Checks of floating-point arithmetic as goals: each place is reached by inputs, or proved infeasible, and tests may fail these checks.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_c_ir::{CheckKind, CheckSet, DataModel};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::CoverReport;
use nub_cover::{CoverOptions, UndefinedBehaviour, cover, output};

fn options() -> CoverOptions {
    let reading = CriterionReading::new(Criterion::Decision);
    CoverOptions { readings: vec![reading], ..CoverOptions::default() }
}

fn report(text: &str) -> CoverReport {
    let kinds: CheckSet = CheckKind::EXTRA.into_iter().collect();
    let model = DataModel { extra_checks: kinds, ..DataModel::lp64() };
    let (unit, found) = nub_c_syntax::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?}");
    let (program, _) = nub_c_ir::lower(&unit, &model);
    let function = program.function_by_name("f").unwrap();
    let listed = CoverOptions { undefined: UndefinedBehaviour::Listed(kinds), ..options() };
    let source = SourceQuotes { program: &program, text: text.as_bytes() };
    cover(source, function, &listed).unwrap().remove(0)
}

fn places(report: &CoverReport) -> Vec<(&str, &str)> {
    report.undefined_behaviour.iter().map(|found| (found.id.as_str(), found.state.word())).collect()
}

#[test]
fn each_place_is_reached_or_infeasible() {
    let report = report("float f(float x, int n) { if (x > 1.0f && x < 2.0f) return x * x; return x * n; }");
    let expected = [
        ("f/u1/nan", "infeasible"),
        ("f/u2/inf", "infeasible"),
        ("f/u3/precision", "reached"),
        ("f/u4/nan", "reached"),
        ("f/u5/inf", "reached"),
    ];
    assert_eq!(places(&report), expected);
    let reached = report.undefined_behaviour.iter().filter(|found| found.state.word() == "reached");
    assert!(reached.clone().all(|found| found.is_replayed && found.is_defined));
    assert!(output::table(&report).contains("Checks: 3 of 5 places can be reached, 2 infeasible (proved)"));
}

/// What is checked is defined: a goal that needs a NaN is covered.
#[test]
fn tests_may_make_what_is_checked() {
    let report = report("int f(double x) { double y = x - x; return y != y ? 1 : 0; }");
    assert!(report.goals.iter().all(|goal| goal.state.word() == "covered"), "{:?}", report.goals);
    assert_eq!(places(&report), [("f/u1/nan", "reached"), ("f/u2/inf", "infeasible")]);
}

/// Inputs that make a check fail are readable, as in tests.
#[test]
fn witnesses_have_few_digits() {
    let found = report("float f(float a, float b) { return a / b; }");
    let inputs = |report: &CoverReport, id: &str| -> Vec<String> {
        let place = report.undefined_behaviour.iter().find(|found| found.id == id).unwrap();
        assert!(place.is_replayed);
        place.inputs.iter().map(|input| input.value.clone()).collect()
    };
    assert_eq!(inputs(&found, "f/u1/nan"), ["0.0", "0.0"]);
    assert_eq!(inputs(&found, "f/u2/inf"), ["1.0", "0.0"]);
    let found = report("double f(double x) { return x > 3.25 ? x * x : 0.0; }");
    let large = inputs(&found, "f/u2/inf").remove(0);
    assert!(large.len() <= 7, "{large}");
    let assumed =
        "void nub_assume(int); double f(double x) { nub_assume(x > 1e200 && x < 3e200); return x * x; }";
    let value: f64 = inputs(&report(assumed), "f/u2/inf")[0].parse().unwrap();
    assert_eq!(value, 2e200, "what is assumed stays true");
}
