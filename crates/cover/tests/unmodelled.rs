//! Code that is not modelled ends the runs that reach it, and no claim depends on what it does.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::with_options;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::{CoverReport, CoverState};
use nub_cover::{CoverOptions, LaterLimits, Memory, output};

fn report(text: &str) -> CoverReport {
    let mut options = CoverOptions {
        readings: vec![CriterionReading::new(Criterion::Decision)],
        memory: Memory::UpTo(16),
        ..CoverOptions::default()
    };
    options.unroll.pointers.may_be_null = true;
    with_options(text, &options).unwrap()
}

#[track_caller]
fn check(text: &str, expected: &[(&str, &str, CoverState)]) {
    let report = report(text);
    let shown = output::table(&report);
    let found: Vec<_> =
        report.goals.iter().map(|goal| (goal.text.as_str(), goal.wanted.as_str(), goal.state)).collect();
    assert_eq!(found, expected, "{shown}");
    assert!(report.tests.iter().all(|test| test.is_replayed), "{shown}");
}

use CoverState::{BeyondBound, Covered, InfeasibleIf};

#[test]
fn other_runs_go_on() {
    for unmodelled in [
        "asm(\"nop\");",
        "double _Complex z; z = 0;",
        "jump(buffer);",
        "refused();",
        "char word[9]; sscanf(\"x\", \"%8s\", word);",
        "if (setjmp(buffer)) a = 3;",
    ] {
        let text = format!(
            "int setjmp(long *); int sscanf(const char *, const char *, ...); long buffer[20]; void refused(void) {{ asm(\"nop\"); }} void jump(long *b) {{ setjmp(b); }}\n\
             int f(int a, int b) {{ if (a > 3) {{ {unmodelled} }} if (b) a = 2; return a; }}"
        );
        let expected = [
            ("a > 3", "true", BeyondBound),
            ("a > 3", "false", Covered),
            ("b", "true", Covered),
            ("b", "false", Covered),
        ];
        check(&text, &expected);
    }
}

/// A call that takes too long to follow: what runs do without it is covered, and nothing is claimed about the others, not even at larger bounds.
#[test]
fn a_call_that_is_too_large_is_not_in_the_way() {
    let text = "static unsigned work(unsigned n) { for (int i = 0; i < 60; i++) n = (n ^ i) + 3; return n; }
        int f(unsigned a, int b) {
            if (b == 9) { if (work(a) == 3) return 1; }
            for (int i = 0; i < b; i++) a /= 2;
            if (a == 5) return 4;
            return 0;
        }";
    let options = CoverOptions {
        readings: vec![CriterionReading::new(Criterion::Decision)],
        max_call_terms: 60,
        ..CoverOptions::default()
    };
    let found = |options: &CoverOptions| {
        let report = with_options(text, options).unwrap();
        let shown = output::table(&report);
        assert!(report.tests.iter().all(|test| test.is_replayed), "{shown}");
        let states = report.goals.iter().map(|goal| (goal.text.clone(), goal.wanted.clone(), goal.state));
        (states.collect::<Vec<_>>(), shown)
    };
    let (whole, shown) = found(&options);
    assert!(whole.iter().all(|(.., state)| *state == Covered), "{shown}");
    options.whole.cancel.cancel();
    // No concrete runs, which would reach the other side of the call.
    let over = options.whole.clone();
    let concrete = LaterLimits::new(move || over.clone());
    let options = CoverOptions { first: options.whole.clone(), concrete, ..options };
    let (cut, shown) = found(&options);
    let beyond: Vec<&str> =
        cut.iter().filter(|(.., state)| *state != Covered).map(|(text, ..)| text.as_str()).collect();
    assert_eq!(beyond, ["b == 9", "work(a) == 3", "work(a) == 3"], "{shown}");
    assert!(cut.iter().all(|(.., state)| matches!(state, Covered | BeyondBound)), "{shown}");
    assert!(shown.contains("without a call that is too large to be followed to its end"), "{shown}");
}

/// All runs reach it, so nothing is known about what follows.
#[test]
fn nothing_behind_is_infeasible() {
    let text = "int f(int a) { if (a) a = 1; asm(\"nop\" : \"+r\"(a)); if (a > 1) return 2; return 3; }";
    check(
        text,
        &[
            ("a", "true", BeyondBound),
            ("a", "false", BeyondBound),
            ("a > 1", "true", BeyondBound),
            ("a > 1", "false", BeyondBound),
        ],
    );
}

/// Another function of the file sets the variable in a way that is not modelled.
#[test]
fn what_it_names_may_change() {
    let text = "static int mode; void set(void) { asm(\"incl %0\" : \"+m\"(mode)); } int f(void) { if (mode) return 1; return 0; }";
    check(text, &[("mode", "true", InfeasibleIf), ("mode", "false", Covered)]);
}

/// A barrier for the compiler has no effect when the program runs.
#[test]
fn barriers_do_nothing() {
    let text = "int f(int a) { asm volatile(\"\" ::: \"memory\"); __asm__ (\"\" : \"+r\"(a)); if (a) return 1; return 0; }";
    check(text, &[("a", "true", Covered), ("a", "false", Covered)]);
}

/// A statement that is jumped into cannot be cut.
#[test]
fn a_statement_with_labels_inside_is_refused() {
    let text = "int g(void) { return 0; } double _Complex z; int f(int a) { if (a) goto in; while (z != 0) { in: return 1; } return 0; }";
    let readings = vec![CriterionReading::new(Criterion::Decision)];
    assert!(with_options(text, &CoverOptions { readings, ..CoverOptions::default() }).is_err());
}

/// Library functions need valid pointers even where they access nothing.
#[test]
fn no_null_pointer_for_the_library() {
    let text = "int memcmp(const void *, const void *, unsigned long); int f(const char *p) {\n\
        if (memcmp(p, \"x\", 0) == 0) { if (!p) return 2; return 1; } return 0; }";
    let report = report(text);
    let shown = output::table(&report);
    let goal = report.goals.iter().find(|goal| goal.text == "!p" && goal.wanted == "true").unwrap();
    assert_eq!(goal.state, CoverState::Undefined, "{shown}");
}

/// An access that may refer to too many scalars ends the runs that make it, and no other.
#[test]
fn large_tables() {
    let text = "int t[100][100]; int f(int a, unsigned i, unsigned j) { if (a) return 1; if (i > 99 || j > 99) return 2; if (t[i][j]) return 3; return 4; }";
    let report = report(text);
    let shown = output::table(&report);
    let state = |text: &str, wanted: &str| {
        report.goals.iter().find(|goal| goal.text == text && goal.wanted == wanted).map(|goal| goal.state)
    };
    assert_eq!(state("a", "true"), Some(Covered), "{shown}");
    assert_eq!(state("i > 99 || j > 99", "true"), Some(Covered), "{shown}");
    assert_eq!(state("t[i][j]", "true"), Some(BeyondBound), "{shown}");
}
