//! The path criterion: every path once, what no run takes with the reason, and limits that are reported.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{program, with_options};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::{CoverReport, GoalReport};
use nub_cover::{CoverOptions, Error, ExistingTest, GivenNumber, Unwind, output, split};

fn options(unwind: Unwind) -> CoverOptions {
    CoverOptions { readings: vec![CriterionReading::new(Criterion::Path)], unwind, ..CoverOptions::default() }
}

/// Ids without the name, with the first letter of the state.
fn found(report: &CoverReport) -> Vec<String> {
    let short = |goal: &GoalReport| format!("{} {}", goal.id.trim_start_matches("f/path/"), goal.state);
    report.goals.iter().map(short).collect()
}

#[track_caller]
fn check(text: &str, unwind: Unwind, expected: &[&str]) -> CoverReport {
    let report = with_options(text, &options(unwind)).unwrap();
    assert_eq!(found(&report), expected, "{}", output::table(&report));
    let n_covered = expected.iter().filter(|goal| goal.ends_with(" covered")).count();
    assert_eq!(report.tests.len(), n_covered, "each path has a test of its own");
    assert!(report.is_minimal && report.tests.iter().all(|test| test.is_replayed));
    assert_eq!(report.proof.word(), "clique");
    report
}

#[test]
fn decisions_one_after_the_other_multiply() {
    let text = "int f(int a, int b) { int r = 0; if (a > 3) r = 1; if (b || a == 9) r += 2; return r; }";
    check(text, Unwind::UpTo(4), &["1T-2T covered", "1T-2F covered", "1F-2T covered", "1F-2F covered"]);
}

/// A path ends at a return. A prefix ends at the turn that is impossible, and the reason names the turn before.
#[test]
fn impossible_turns_are_proved() {
    let text = "int f(int a, int b) {\n  if (a > 3) b = 0;\n  if (b < 0) return 1;\n  if (a > 1) return 2;\n  return 3;\n}";
    let expected = [
        "1T-2T- infeasible",
        "1T-2F-3T covered",
        "1T-2F-3F- infeasible",
        "1F-2T covered",
        "1F-2F-3T covered",
        "1F-2F-3F covered",
    ];
    let report = check(text, Unwind::UpTo(4), &expected);
    let reason = |index: usize| report.goals[index].reason.clone().unwrap();
    assert_eq!(reason(0), "the last outcome is impossible if line 2: `a > 3` is true");
    assert_eq!(reason(2), "the last outcome is impossible if line 2: `a > 3` is true");
    let table = output::table(&report);
    assert!(table.contains("line 2: `a > 3` is true, line 3: `b < 0` is false"), "{table}");
}

#[test]
fn loops_have_a_path_per_number_of_rounds() {
    let text = "int f(unsigned n) { int r = 0; while (n) { n--; r++; } return r; }";
    let expected = ["1T-1T-1T- beyond-bound", "1T-1T-1F covered", "1T-1F covered", "1F covered"];
    check(text, Unwind::UpTo(16), &expected);
    let deeper = with_options(text, &options(Unwind::Exactly(5))).unwrap();
    assert_eq!((deeper.tests.len(), deeper.summary.beyond_bound), (6, 1));
}

/// A loop with a constant number of iterations has no choice: the bound is raised until a run ends, and its turns are not shown.
#[test]
fn forced_turns_do_not_count() {
    let text =
        "int f(int a) { int r = 0; for (int i = 0; i < 5; i++) r += a & 7; if (r > 20) return 1; return 0; }";
    check(text, Unwind::UpTo(16), &["2T covered", "2F covered"]);
    check("int f(int a) { return a; }", Unwind::UpTo(4), &["straight covered"]);
}

#[test]
fn switches_and_values_and_stops_are_turns() {
    let text = "void abort(void); int g(int a) { if (a == 7) abort(); return a; }
        int f(int a, int b) {
          switch (a) { case 1: return g(b); case 2: b++; break; default: return 0; }
          int x = b > 5 && a; return x ? 1 : 2;
        }";
    // The decision of `g` is not one of `f`; the conditional operator repeats the value.
    let expected = [
        "1c1 covered",
        "1c2-2T-3T covered",
        "1c2-2T-3F- infeasible",
        "1c2-2F-3T- infeasible",
        "1c2-2F-3F covered",
        "1d covered",
    ];
    check(text, Unwind::UpTo(4), &expected);
}

/// Recursive calls are other runs.
#[test]
fn recursion_is_another_run() {
    let text = "int f(unsigned n) { if (n == 0) return 0; return f(n - 1) + 1; }";
    let report = with_options(text, &options(Unwind::Exactly(3))).unwrap();
    assert_eq!(found(&report), ["1T covered", "1F covered"]);
}

#[test]
fn decisions_inside_of_decisions() {
    let text = "int f(int a, int b, int c) { if (a && (b ? c > 1 : c < 1)) return 1; return 0; }";
    let report = with_options(text, &options(Unwind::UpTo(4))).unwrap();
    assert!(report.is_minimal && report.summary.covered == report.summary.goals, "{:?}", found(&report));
    assert_eq!(report.tests.len(), 5, "{:?}", found(&report));
}

/// Whether a call returns is part of the path.
#[test]
fn calls_that_do_not_come_back() {
    let text = "void abort(void); void g(int a) { if (a == 7) abort(); }
        int f(int a) { g(a); if (a > 9) return 1; return 0; }";
    check(text, Unwind::UpTo(4), &["straight covered", "1T covered", "1F covered"]);
}

#[test]
fn too_many_paths_are_refused() {
    let body: String = (0..12).map(|bit| format!("if (a >> {bit} & 1) r++;")).collect();
    let text = format!("int f(unsigned a) {{ int r = 0; {body} return r; }}");
    let error = with_options(&text, &options(Unwind::UpTo(4)));
    assert!(matches!(error, Err(Error::TooManyWays(found)) if found.message.contains("more than 512 paths")));
}

#[test]
fn existing_tests_and_clauses() {
    let text = "int f(int a, int b) { if (a > 3) b = 0; if (b < 0) return 1; return 2; }";
    let mine = ExistingTest { args: [0, -5].map(GivenNumber::Integer).to_vec(), ..ExistingTest::default() };
    let report =
        with_options(text, &CoverOptions { existing: vec![mine], ..options(Unwind::UpTo(4)) }).unwrap();
    assert_eq!((report.n_existing, report.tests.len(), report.summary.covered), (1, 3, 3));
    let (program, function) = program(text);
    let source = SourceQuotes { program: &program, text: text.as_bytes() };
    let clauses = split::encode(source, function, &options(Unwind::UpTo(4)), 3).unwrap().unwrap();
    assert!(clauses.starts_with("c 3 tests of f: 3 of 4 goals can be reached\n"), "{clauses}");
}
