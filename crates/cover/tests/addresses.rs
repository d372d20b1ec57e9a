//! Where objects lie in memory differs from run to run: no test and no claim may depend on it.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::with_options;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::{CoverReport, CoverState};
use nub_cover::{CoverOptions, Memory, output};

fn report(text: &str) -> CoverReport {
    let mut options = CoverOptions {
        readings: vec![CriterionReading::new(Criterion::Decision)],
        memory: Memory::UpTo(16),
        ..CoverOptions::default()
    };
    options.unroll.pointers.may_be_null = true;
    options.unroll.pointers.aliases = nub_unroll::Aliases::SameType;
    with_options(text, &options).unwrap()
}

/// The first decision is reached one way, and the other way only by who knows an address.
#[track_caller]
fn check_rests_on_addresses(text: &str) {
    let report = report(text);
    let shown = output::table(&report);
    let goal = &report.goals[0];
    assert_eq!((goal.wanted.as_str(), goal.state), ("true", CoverState::InfeasibleIf), "{shown}");
    let premise = "no address of an object matters as a number";
    assert!(goal.premises.iter().any(|found| found.text == premise), "{shown}");
    assert_eq!(report.goals[1].state, CoverState::Covered, "{shown}");
    assert!(report.tests.iter().all(|test| test.is_replayed), "{shown}");
}

#[test]
fn a_number_is_no_address_that_a_test_can_know() {
    // The address of a global, as a pointer and as a number; null and a distance; a function.
    check_rests_on_addresses("int g; int f(unsigned long n) { if ((int *)n == &g) return 1; return 0; }");
    check_rests_on_addresses(
        "int g; int f(unsigned long n) { if ((unsigned long)&g == n) return 1; return 0; }",
    );
    check_rests_on_addresses("int f(int n) { int x; if (&x == (int *)0 + n) return 1; return 0; }");
    check_rests_on_addresses(
        "int h(void) { return 1; } int f(unsigned long n) { if ((unsigned long)h == n) return 1; return 0; }",
    );
    // A hash of an address.
    check_rests_on_addresses(
        "int g; int f(unsigned y) { if (((unsigned long)&g >> 4) % 7 == y + 1u) return 1; return 0; }",
    );
    // The same without a cast.
    check_rests_on_addresses(
        "union u { int *p; unsigned long n; }; int g; int f(unsigned long m) { union u x; x.p = &g; if (x.n == m) return 1; return 0; }",
    );
}

/// `free(NULL)` is allowed also if the null pointer is a number of the program.
#[test]
fn a_number_that_is_freed_may_be_null() {
    let text = "void free(void *); int f(unsigned long n, int a) {\n\
        if (a == 7) { free((void *)n); if (n > 3) return 2; return 1; } return 0; }";
    let report = report(text);
    let shown = output::table(&report);
    let state = |line: u32, text: &str, wanted: &str| {
        let is_it = |goal: &&nub_cover::report::GoalReport| {
            goal.line == line && goal.text == text && goal.wanted == wanted
        };
        report.goals.iter().find(is_it).map(|goal| goal.state)
    };
    assert_eq!(state(2, "a == 7", "true"), Some(CoverState::Covered), "{shown}");
    assert_eq!(state(2, "n > 3", "false"), Some(CoverState::Covered), "{shown}");
    let freed = state(2, "n > 3", "true");
    assert!(!matches!(freed, Some(CoverState::Covered | CoverState::Infeasible)), "{shown}");
}

/// A bit of an address, and the order of two objects: no test knows how it turns out.
#[test]
fn what_varies_is_neither_covered_nor_excluded() {
    for text in [
        "int g; int f(void) { if (((unsigned long)&g & 4) != 0) return 1; return 0; }",
        "int a, b; int f(int x) { if ((unsigned long)&a > (unsigned long)&b) return 1; return x; }",
    ] {
        let report = report(text);
        let states: Vec<CoverState> = report.goals.iter().map(|goal| goal.state).collect();
        assert_eq!(states, [CoverState::InfeasibleIf; 2], "{}", output::table(&report));
    }
}

/// What the type of an object says of its address holds everywhere: no premise is needed where nothing rests on one.
#[test]
fn what_holds_at_all_addresses_is_used() {
    for text in [
        "int f(int *p) { if (((unsigned long)p & 3) == 0) return 1; return 0; }",
        "int f(int *p) { if ((unsigned long)p != 0) return 1; return 0; }",
        "int f(int *p) { if (p == (int *)16) return 1; return 0; }",
    ] {
        let report = report(text);
        assert_eq!(report.goals[0].state, CoverState::Covered, "{}", output::table(&report));
    }
}

/// A pointer that became a number and comes back is the pointer; memory behind it can be read.
#[test]
fn the_way_back_loses_nothing() {
    let text = "int f(int *p) { unsigned long u = (unsigned long)p; int *q = (int *)u; if (q == p && p && *q > 3) return 1; return 0; }";
    let report = report(text);
    assert_eq!(report.summary.covered, report.summary.goals, "{}", output::table(&report));
}

/// Bytes of pointers are parts of addresses: no test depends on them, and copying them byte by byte copies the pointers.
#[test]
fn bytes_of_pointers() {
    check_rests_on_addresses(
        "int f(int n) { int x; int *p = &x; unsigned char *b = (unsigned char *)&p; if (b[0] == n + 1) return 1; return 0; }",
    );
    let text = "struct s { int *p; int n; }; int g;
        int f(int n) { struct s a = { &g, n }, b; unsigned char *x = (unsigned char *)&a, *y = (unsigned char *)&b;
          for (int i = 0; i < (int)sizeof a; i++) y[i] = x[i];
          if (b.p == &g && b.n > 3) return 1; return 0; }";
    let report = report(text);
    assert_eq!(
        report.goals.iter().filter(|goal| goal.state == CoverState::Covered).count(),
        4,
        "{}",
        output::table(&report)
    );
}

/// An address that is returned or left behind is not compared.
#[test]
fn addresses_are_not_expected() {
    let report =
        report("long g; long f(int *p, int x) { g = (long)p; if (x > 3) return (long)p; return 1; }");
    assert_eq!(report.summary.covered, 2, "{}", output::table(&report));
    let results: Vec<Option<&str>> =
        report.tests.iter().map(|test| test.observed_result.as_deref()).collect();
    assert!(results.contains(&None) && results.contains(&Some("1")), "{}", output::table(&report));
    for test in report
        .tests
        .iter()
        .filter(|test| test.inputs.iter().any(|input| input.name == "p != 0" && input.value == "1"))
    {
        assert!(test.effects.iter().all(|effect| effect.name != "g"), "{}", output::table(&report));
    }
}
