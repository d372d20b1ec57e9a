//! Concrete runs: they reach what is too far for the solver, their tests are tests like the others, and no claim contradicts them.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::with_options;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::{CoverReport, CoverState};
use nub_cover::{CoverOptions, LaterLimits, Memory, Unwind, output};
use nub_sat::SatLimits;
use std::path::Path;

/// A state machine that reads a text: each state is reached by what was read before.
const PARSER: &str = r#"
    struct parser { int state; unsigned n_digits; };
    static int is_digit(char c) { return c >= '0' && c <= '9'; }
    int f(struct parser *p, const char *text, unsigned length) {
        p->state = 0; p->n_digits = 0;
        for (unsigned i = 0; i < length; i++) {
            char c = text[i];
            switch (p->state) {
            case 0: if (c == 'G') p->state = 1; else if (c == 'P') p->state = 4; else return -1; break;
            case 1: if (c != 'E') return -2; p->state = 2; break;
            case 2: if (c != 'T') return -3; p->state = 3; break;
            case 3: if (c == ' ') p->state = 7; else return -4; break;
            case 4: if (c != 'U') return -5; p->state = 5; break;
            case 5: if (c != 'T') return -6; p->state = 3; break;
            case 7: if (is_digit(c)) { if (++p->n_digits > 3) return -7; } else if (c == '\n') return 1; else return -8;
            }
        }
        return 0;
    }"#;

fn options() -> CoverOptions {
    let mut options = CoverOptions {
        readings: vec![CriterionReading::new(Criterion::ConditionDecision)],
        memory: Memory::UpTo(64),
        ..CoverOptions::default()
    };
    options.unroll.pointers.elements = 8;
    options.unroll.pointers.may_be_null = true;
    options
}

/// No unrolling is ever finished.
fn without_unrolling() -> CoverOptions {
    let mut options = options();
    options.unroll.limits.max_instructions = 10;
    options
}

fn check(report: &CoverReport) -> String {
    let shown = output::table(report);
    let names = |index: usize| report.tests[index].inputs.iter().map(|input| &input.name);
    for index in 1..report.tests.len() {
        assert!(names(index).eq(names(0)), "all tests have the same inputs\n{shown}");
    }
    let numbers: Vec<usize> = report.tests.iter().map(|test| test.number).collect();
    assert_eq!(numbers, (1..=report.tests.len()).collect::<Vec<_>>());
    shown
}

#[test]
fn a_function_that_cannot_be_unrolled_has_tests() {
    let report = with_options(PARSER, &without_unrolling()).unwrap();
    let shown = check(&report);
    assert_eq!(report.summary.covered + report.summary.open, report.summary.goals, "{shown}");
    assert!(report.summary.covered * 10 >= report.summary.goals * 9, "{shown}");
    assert!(report.tests.iter().all(|test| test.is_replayed), "{shown}");
    assert!(!report.is_minimal && report.stopped.is_some(), "{shown}");
    let again = with_options(PARSER, &without_unrolling()).unwrap();
    assert_eq!(shown, output::table(&again), "the seed decides");
}

/// Texts of the program are tried where it compares with them.
#[test]
fn texts_of_the_program_are_tried() {
    let text = r#"int strcmp(const char *, const char *); struct word { const char *text; int kind; };
        int f(struct word *w) {
            if (strcmp(w->text, "continue") == 0) w->kind = 1;
            else if (strcmp(w->text, "while") == 0) w->kind = 2;
            else w->kind = 3;
            return w->kind == 1 ? 7 : 8;
        }"#;
    let report = with_options(text, &without_unrolling()).unwrap();
    let shown = check(&report);
    assert_eq!(report.summary.covered, report.summary.goals, "{shown}");
}

/// A goal beyond the bound of the loops is reached by a long run, unless the user has chosen the bound.
#[test]
fn a_long_run_is_found() {
    let text = "int f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s += i; if (s > 7000) return 1; return 0; }";
    let report = with_options(text, &options()).unwrap();
    let shown = check(&report);
    assert_eq!(report.summary.covered, report.summary.goals, "{shown}");
    assert!(report.tests.iter().all(|test| test.is_replayed), "{shown}");
    let exactly = CoverOptions { unwind: Unwind::Exactly(8), ..options() };
    let report = with_options(text, &exactly).unwrap();
    assert_eq!((report.summary.beyond_bound, report.tests.len()), (2, 1), "{}", output::table(&report));
}

/// The limit of concrete runs is theirs alone.
#[test]
fn they_end_at_their_limit() {
    let over = SatLimits::none();
    over.cancel.cancel();
    let limited = LaterLimits::new(move || over.clone());
    let report = with_options(PARSER, &CoverOptions { concrete: limited, ..without_unrolling() }).unwrap();
    let shown = check(&report);
    assert_eq!(report.tests.len(), 1, "the plainest run is always made\n{shown}");
}

/// Where concrete runs are tried although the function is small, tests are still the fewest, and nothing that they reach is called infeasible: that
/// is asserted where they are added.
#[test]
fn small_functions_have_the_same_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/functions");
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for criterion in [Criterion::Statement, Criterion::Mcdc] {
            let usual = CoverOptions { readings: vec![CriterionReading::new(criterion)], ..options() };
            let tried = CoverOptions { first: SatLimits::none(), ..usual.clone() };
            tried.first.cancel.cancel();
            let [usual, tried] = [usual, tried].map(|options| with_options(&text, &options).unwrap());
            check(&tried);
            let summary = |report: &CoverReport| {
                let states: Vec<CoverState> = report.goals.iter().map(|goal| goal.state).collect();
                (states, report.tests.len(), report.is_minimal)
            };
            assert_eq!(summary(&usual), summary(&tried), "{text}");
        }
    }
}

/// No run that is drawn at random is valid: each parameter has to be right. Runs that fail later than others are changed until one is valid.
#[test]
fn runs_that_fail_late_lead_to_valid_ones() {
    let names: Vec<String> = (0..14).map(|n| format!("p{n}")).collect();
    let params: Vec<String> = names.iter().map(|name| format!("int {name}")).collect();
    let steps: Vec<String> = names.iter().map(|name| format!("s += t[{name} - 1];\n")).collect();
    let text = format!(
        "int f({}) {{ static const int t[4] = {{1, 2, 3, 4}}; int s = 0;\n{}if (p13 > 2) return s; return 0; }}",
        params.join(", "),
        steps.concat()
    );
    let report = with_options(&text, &without_unrolling()).unwrap();
    let shown = check(&report);
    assert_eq!(report.summary.covered, report.summary.goals, "{shown}");
}
