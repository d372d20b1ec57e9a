//! What reports claim about the number of tests: for which goals, and under which limits.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_c_ir::{DataModel, lower};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::CoverReport;
use nub_cover::{CoverOptions, Unwind, cover, output};

const TEXT: &str = "int f(int a, int b, int c) { if (a == 1) return 1; if (b == 2 || c > 7) return 2; \
                    if (a == 5 && b == 5 && c == 5) return 3; return 0; }";

fn report(max_tests: Option<usize>) -> CoverReport {
    report_of(TEXT, &CoverOptions { max_tests, ..CoverOptions::default() })
}

fn report_of(text: &str, options: &CoverOptions) -> CoverReport {
    let (unit, _) = nub_c_syntax::parse(text.as_bytes());
    let (program, _) = lower(&unit, &DataModel::lp64());
    let function = program.function_by_name("f").unwrap();
    let readings = vec![CriterionReading::new(Criterion::Mcdc)];
    let options = CoverOptions { readings, ..options.clone() };
    cover(SourceQuotes { program: &program, text: text.as_bytes() }, function, &options).unwrap().remove(0)
}

#[test]
fn one_of_a_kind_is_singular() {
    let text = "int f(unsigned x) { int n = 0; while (x) { n += x & 1; x >>= 1; } if (n > 20) return 99; return n; }";
    let options = CoverOptions { unwind: Unwind::Exactly(1), ..CoverOptions::default() };
    let report = report_of(text, &options);
    let table = output::table(&report);
    assert!(
        table.starts_with("1 test covers ") && table.contains("up to 1 iteration of each loop"),
        "{table}"
    );
    assert!(output::markdown(&report).contains("| 1 iteration of each loop |"));
    assert!(output::c_file(&report, "f.c").contains("1 test of f, for the criterion"));
}

#[test]
fn omitted_goals_take_a_line_each() {
    let table = output::table(&report(Some(1)));
    let omitted: Vec<&str> = table.lines().filter(|line| line.contains(": omitted")).collect();
    assert!(omitted.len() > 5, "{table}");
    assert!(
        omitted.iter().all(|line| line.ends_with(": omitted: another test would be necessary")),
        "{table}"
    );
    assert_eq!(table.matches("another test would be necessary").count(), omitted.len(), "{table}");
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
