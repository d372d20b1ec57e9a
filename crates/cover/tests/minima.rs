//! The sizes that are known to be minimal, with proof, on functions of [Weiler13] and two with loops and coupled conditions.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use nub_cover::CoverOptions;
use nub_cover::goals::{Criterion, CriterionReading, EvaluationMode, Mcdc};
use nub_cover::report::CoverReport;

/// The reference sizes for MC/DC are those of its pairs alone.
const CRITERIA: [Criterion; 4] =
    [Criterion::Decision, Criterion::Condition, Criterion::ConditionDecision, Criterion::McdcPairs];

fn reports(text: &str, mcdc: Mcdc, evaluation: EvaluationMode) -> Vec<CoverReport> {
    let readings = CRITERIA
        .map(|criterion| CriterionReading { criterion, evaluation, mcdc, ..CriterionReading::new(criterion) })
        .into();
    common::try_cover(text, &CoverOptions { readings, ..CoverOptions::default() }).unwrap()
}

/// Sizes, and that everything is covered and proved.
#[track_caller]
fn check(text: &str, evaluation: EvaluationMode, expected: [usize; 4]) {
    for mcdc in [Mcdc::UniqueCause, Mcdc::Masking] {
        let reports = reports(text, mcdc, evaluation);
        for report in &reports {
            assert!(report.is_minimal, "{report:?}");
            assert_eq!(report.proof.word(), "clique", "{}", report.criterion);
            assert_eq!(report.summary.covered, report.summary.goals, "{}", report.criterion);
        }
        assert_eq!(reports.iter().map(|report| report.tests.len()).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn fits_in_one_week() {
    check(include_str!("functions/fits_in_one_week.c"), EvaluationMode::ShortCircuit, [2, 2, 2, 2]);
}

#[test]
fn g() {
    check(include_str!("functions/g.c"), EvaluationMode::ShortCircuit, [3, 4, 4, 4]);
    check(include_str!("functions/g.c"), EvaluationMode::All, [3, 3, 3, 4]);
}

#[test]
fn ariane_sri_analogy() {
    check(include_str!("functions/ariane_sri_analogy.c"), EvaluationMode::ShortCircuit, [2, 3, 3, 3]);
    check(include_str!("functions/ariane_sri_analogy.c"), EvaluationMode::All, [2, 2, 3, 3]);
}

#[test]
fn check_date_validity() {
    check(include_str!("functions/check_date_validity.c"), EvaluationMode::ShortCircuit, [6, 19, 19, 19]);
    check(include_str!("functions/check_date_validity.c"), EvaluationMode::All, [6, 15, 15, 20]);
}

#[test]
fn triangle() {
    check(include_str!("functions/triangle.c"), EvaluationMode::ShortCircuit, [5, 11, 11, 11]);
}

#[test]
fn gcd_with_its_loop() {
    check(include_str!("functions/gcd.c"), EvaluationMode::ShortCircuit, [2, 2, 2, 2]);
}

/// Same input, same seed: same bytes.
#[test]
fn results_are_a_function_of_the_seed() {
    let text = include_str!("functions/triangle.c");
    let twice = [(); 2].map(|()| reports(text, Mcdc::UniqueCause, EvaluationMode::ShortCircuit));
    assert_eq!(twice[0], twice[1]);
}
