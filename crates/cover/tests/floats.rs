//! Floating point in `cover`: goals that only a proof tells apart, arithmetic that costs nothing, the library as the judge.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use nub_cover::CoverOptions;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::CoverReport;

fn report(text: &str) -> CoverReport {
    let readings = vec![CriterionReading::new(Criterion::Decision)];
    common::with_options(text, &CoverOptions { readings, ..CoverOptions::default() }).unwrap()
}

fn values(report: &CoverReport, name: &str) -> Vec<String> {
    let inputs = report.tests.iter().flat_map(|test| &test.inputs);
    inputs.filter(|input| input.name == name).map(|input| input.value.clone()).collect()
}

#[test]
fn boundaries_and_nans_are_found_and_impossible_ones_proved() {
    let found = report(
        "int f(double x) { if (x != x) return 1; if (x * x < 0) return 2; if (x == 16777217.0) return 3; return 0; }",
    );
    assert_eq!((found.summary.covered, found.summary.infeasible, found.tests.len()), (5, 1, 3));
    assert!(found.is_minimal);
    let values = values(&found, "x");
    assert!(values.contains(&"nan".to_owned()) && values.contains(&"16777217.0".to_owned()), "{values:?}");
}

/// A quotient of products that no decision depends on: no clause is made of it. With circuits there would be hundreds of thousands.
#[test]
fn arithmetic_that_no_decision_needs_costs_no_clause() {
    let text = "double f(double t) { double x = -4.607e9 / (t * t * t) + 2.9678e6 / (t * t) + 99.11 / t;\n\
                double y = x * x * x / (x + 1) / (x - 2); if (t > 4000) return x / y; return y; }";
    let found = report(text);
    assert_eq!((found.summary.covered, found.tests.len()), (2, 2));
    assert!(found.n_questions < 60, "{}", found.n_questions);
}

/// What `sin` returns is what the library says, also where a decision depends on it.
#[test]
fn the_library_decides_about_inexact_functions() {
    let found = report("double sin(double); int f(double x) { return sin(x) > 0.5 ? 1 : 0; }");
    assert_eq!((found.summary.covered, found.summary.open), (2, 0));
    for value in values(&found, "x") {
        let x: f64 = value.parse().unwrap();
        let test = found.tests.iter().find(|test| test.inputs[0].value == value).unwrap();
        assert_eq!(test.observed_literal.as_deref() == Some("1"), x.sin() > 0.5, "{value}");
    }
    let bounded = report("double cos(double); int f(double x) { return cos(x) > 1.5 ? 1 : 0; }");
    assert_eq!(bounded.summary.infeasible, 1, "no cosine is above one");
}
