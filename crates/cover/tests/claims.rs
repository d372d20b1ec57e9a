//! What reports claim about the number of tests: for which goals, and under which limits.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_c_ir::{DataModel, lower};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::CoverReport;
use nub_cover::{CoverOptions, cover, output};

const TEXT: &str = "int f(int a, int b, int c) { if (a == 1) return 1; if (b == 2 || c > 7) return 2; \
                    if (a == 5 && b == 5 && c == 5) return 3; return 0; }";

fn report(max_tests: Option<usize>) -> CoverReport {
    let (unit, _) = nub_c_syntax::parse(TEXT.as_bytes());
    let (program, _) = lower(&unit, &DataModel::lp64());
    let function = program.function_by_name("f").unwrap();
    let readings = vec![CriterionReading::new(Criterion::Mcdc)];
    let options = CoverOptions { readings, max_tests, ..CoverOptions::default() };
    cover(SourceQuotes { program: &program, text: TEXT.as_bytes() }, function, &options).unwrap().remove(0)
}

#[test]
fn a_minimum_is_one_of_the_goals_that_are_decided() {
    let mut report = report(None);
    assert!(report.is_minimal);
    let all = |report: &CoverReport| [output::table(report), output::markdown(report)];
    assert!(all(&report).iter().all(|text| !text.contains("for the goals that are decided")));
    for (open, beyond_bound) in [(1, 0), (0, 1)] {
        (report.summary.open, report.summary.beyond_bound) = (open, beyond_bound);
        for text in all(&report) {
            assert!(text.contains("for the goals that are decided"), "{text}");
        }
    }
}

#[test]
fn a_bound_for_few_tests_is_never_above_what_is_known() {
    let full = report(None);
    let (mut before, n_goals) = (0, full.summary.covered);
    for n in 0..full.tests.len() {
        let few = report(Some(n));
        let most = few.best_grade.expect("fewer tests than are necessary");
        assert!(few.summary.covered <= most, "{n} tests reach more than they can");
        assert!(most < n_goals, "{n} of {} tests cannot reach all", full.tests.len());
        assert!(most >= before, "a test more cannot reach less");
        before = most;
    }
    assert_eq!(report(Some(full.tests.len())).best_grade, None, "all are reached");
}
