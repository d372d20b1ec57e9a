//! Addresses of objects differ from run to run: no test and no claim may depend on them.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::with_options;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::{CoverReport, CoverState};
use nub_cover::{CoverOptions, Memory, output};

fn options() -> CoverOptions {
    let mut options = CoverOptions {
        readings: vec![CriterionReading::new(Criterion::Decision)],
        memory: Memory::UpTo(16),
        ..CoverOptions::default()
    };
    options.unroll.pointers.may_be_null = true;
    options.unroll.pointers.aliases = nub_unroll::Aliases::SameType;
    options
}

fn report(text: &str) -> CoverReport {
    with_options(text, &options()).unwrap()
}

/// The first decision has one reachable outcome; the other one needs a known address.
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
    check_rests_on_addresses(
        "union u { int *p; double d; }; int g; int f(double m) { union u x; x.p = &g; if (x.d == m) return 1; return 0; }",
    );
}

/// `free(NULL)` is allowed, also if the null pointer is a number of the program.
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

/// A bit of an address, and the order of two objects: no test can predict them.
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

/// What the type of an object implies about its address holds everywhere, so it needs no premise.
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

/// A pointer that was converted to a number and back is the same pointer; memory behind it can be read.
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

/// An address that is returned or left in memory is not compared.
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

/// A returned pointer is shown as what it points to, not as an address of the model.
#[test]
fn returned_pointers_are_named() {
    let report = report(
        "struct n { int v; struct n *next; } g; struct n *f(struct n *p, int x) { if (x > 3) return &g; if (x > 2) return p->next; return 0; }",
    );
    let mut results: Vec<&str> =
        report.tests.iter().filter_map(|test| test.observed_result.as_deref()).collect();
    results.sort_unstable();
    assert_eq!(results, ["&g", "NULL", "p->next"], "{}", output::table(&report));
}

/// A pointer at a distance that depends on the run may lie in another object of the model, though in none of the compiled program.
#[test]
fn pointers_outside_of_their_objects_are_not_expected() {
    let text = "struct s { char *base, *map; };
        int f(struct s *p, unsigned long n, int k) { p->map = p->base + n; if (k) p->map = p->base + (-1ul & -4096ul);
            if (n > 1) return 1; return 0; }";
    let report = report(text);
    let shown = output::table(&report);
    assert_eq!(report.summary.covered, report.goals.len(), "{shown}");
    let value = |test: &nub_cover::report::TestReport, name: &str| -> i128 {
        test.inputs.iter().find(|input| input.name == name).map_or(0, |input| input.value.parse().unwrap())
    };
    let far = report.tests.iter().filter(|test| value(test, "k") != 0 || value(test, "n") > 1 << 16);
    for test in far {
        assert!(test.effects.iter().all(|effect| effect.name != "p->map"), "{shown}");
    }
    let near = report.tests.iter().filter(|test| value(test, "k") == 0 && value(test, "n") == 0);
    for test in near.filter(|test| value(test, "p->base != 0") == 1) {
        assert!(test.effects.iter().any(|effect| effect.name == "p->map"), "{shown}");
    }
}

/// The number of leading zero bits differs between the addresses of the model and those of machines.
#[test]
fn leading_zeros_of_addresses_are_not_expected() {
    let text = "int g; int f(int *p, int x) { unsigned long n = (unsigned long)p >> 32; int k = 0;
        if (x != 3 || !p) return -1; if (!(n & 0xffff0000ul)) { k = 16; n <<= 16; } g = 32 - k; return 1; }";
    let report = report(text);
    let shown = output::table(&report);
    let goal = report.goals.iter().find(|goal| goal.text.contains("0xffff0000ul")).unwrap();
    assert_ne!(goal.state, CoverState::Covered, "{shown}");
    assert_ne!(goal.state, CoverState::Infeasible, "{shown}");
}

/// The same where the bytes of a pointer are read as a number.
#[test]
fn pointers_read_as_numbers_are_not_expected() {
    for ty in ["unsigned long", "double"] {
        let text = format!(
            "union u {{ int *p; {ty} n; }}; {ty} g;
             {ty} f(union u *v, int tag) {{ if (v && v->p && tag == 3) {{ g = v->n; return v->n; }} return 1; }}"
        );
        let report = report(&text);
        let shown = output::table(&report);
        assert_eq!(report.summary.covered, report.summary.goals, "{shown}");
        let seen = report.tests.iter().filter(|test| test.observed_result.is_none());
        let effects: Vec<usize> = seen.map(|test| test.effects.len()).collect();
        assert_eq!(effects, [0], "{shown}");
    }
}

/// Memory at an address that the program computes from numbers is not modelled. Runs that use it are cut there: what comes before is covered, what
/// comes after is neither covered nor excluded, and other runs are not affected. In each program a caller can reach both outcomes after the use.
#[test]
fn memory_at_a_number_cuts_the_run_that_uses_it() {
    let uses = [
        "int f(unsigned long n, int a) { if (a == 7) { int *p = (int *)n; int x = *p; if (x > 3) return 2; return 1; } if (a > 9) return 3; return 0; }",
        "struct s { long k; int v; }; int f(unsigned long n, int a) { if (a == 7) { struct s *p = (struct s *)n; p->v = (int)p->k; if (p->v == a) return 2; return 1; } if (a > 9) return 3; return 0; }",
        "int f(unsigned long n, int a) { if (a == 7) { int (*p)(int) = (int (*)(int))n; int x = p(a); if (x > 3) return 2; return 1; } if (a > 9) return 3; return 0; }",
        "union u { unsigned long n; int *p; }; int f(unsigned long n, int a) { union u x; x.n = n; if (a == 7) { if (x.p[a] > 3) return 2; return 1; } if (a > 9) return 3; return 0; }",
        // The memory behind a pointer is part of something larger than its type.
        "struct h { int t; int n; }; struct o { struct h h; struct o *next; int k; };\n\
         int f(struct h *p, int a) { if (a == 7 && p) { struct o *q = (struct o *)p; if (q->next->k > 3) return 2; return 1; } if (a > 9) return 3; return 0; }",
        // Marker bits in a pointer.
        "int f(unsigned long n, int a) { if (a == 7) { int *p = (int *)(n & ~3ul); if (*p == (int)(n & 3)) return 2; return 1; } if (a > 9) return 3; return 0; }",
        // Two addresses in one number.
        "int f(unsigned long n, int *q, int a) { if (a == 7 && q) { int *p = (int *)(n ^ (unsigned long)q); if (*p > 3) return 2; return 1; } if (a > 9) return 3; return 0; }",
        // Written there, read elsewhere.
        "int g; int f(unsigned long n, int a) { if (a == 7) { g = 0; *(int *)n = 1; if (g) return 2; return 1; } if (a > 9) return 3; return 0; }",
        // A whole structure, and memory that is copied byte by byte.
        "struct s { int v[4]; }; int f(unsigned long n, int a) { if (a == 7) { struct s x = *(struct s *)n; if (x.v[2] > 3) return 2; return 1; } if (a > 9) return 3; return 0; }",
        "void *memcpy(void *, const void *, unsigned long); int f(unsigned long n, int a) { if (a == 7) { int x; memcpy(&x, (void *)n, sizeof x); if (x > 3) return 2; return 1; } if (a > 9) return 3; return 0; }",
        // In a function that is called, and in a loop.
        "static int at(unsigned long n) { return *(int *)n; } int f(unsigned long n, int a) { if (a == 7) { int x = at(n); if (x > 3) return 2; return 1; } if (a > 9) return 3; return 0; }",
    ];
    for text in uses {
        let report = report(text);
        let shown = output::table(&report);
        let state = |text: &str, wanted: &str| {
            let is_it = |goal: &&nub_cover::report::GoalReport| goal.text == text && goal.wanted == wanted;
            report.goals.iter().find(is_it).map(|goal| goal.state)
        };
        for wanted in ["true", "false"] {
            assert_eq!(state("a > 9", wanted), Some(CoverState::Covered), "{text}\n{shown}");
        }
        let (first, behind): (Vec<_>, Vec<_>) = report
            .goals
            .iter()
            .filter(|goal| goal.text != "a > 9")
            .partition(|goal| goal.text.starts_with("a == 7"));
        // The true outcome of the decision before the use is covered only if such a run can be finished.
        use CoverState::{BeyondBound, Covered, InfeasibleIf};
        let is_right = |state: CoverState| matches!(state, Covered | BeyondBound | InfeasibleIf);
        assert!(first.iter().all(|goal| goal.wanted != "false" || goal.state == Covered), "{text}\n{shown}");
        assert!(first.iter().all(|goal| is_right(goal.state)), "{text}\n{shown}");
        assert_eq!(behind.len(), 2, "{text}\n{shown}");
        assert!(behind.iter().all(|goal| is_right(goal.state)), "{text}\n{shown}");
        assert!(report.tests.iter().all(|test| test.is_replayed), "{text}\n{shown}");
    }
}

/// A pointer that is one of several things: only the runs in which it is a number are cut.
#[test]
fn other_cases_of_a_pointer_are_followed() {
    let text = "int g[4]; int f(unsigned long n, int a) { int *p = a > 5 ? (int *)n : g; g[1] = a; if (p[1] == 5) return 1; return 0; }";
    let report = report(text);
    let shown = output::table(&report);
    let state = |text: &str, wanted: &str| {
        report.goals.iter().find(|goal| goal.text == text && goal.wanted == wanted).map(|goal| goal.state)
    };
    for (text, wanted) in [("a > 5", "false"), ("p[1] == 5", "true"), ("p[1] == 5", "false")] {
        assert_eq!(state(text, wanted), Some(CoverState::Covered), "{shown}");
    }
    assert!(
        !matches!(state("a > 5", "true"), Some(CoverState::Infeasible | CoverState::Undefined)),
        "{shown}"
    );
}

/// After such a use, what does not depend on memory is still proved. The write may have changed anything that others can refer to.
#[test]
fn proofs_behind_memory_at_a_number() {
    let state = |text: &str| {
        let report = report(text);
        let goal = report.goals.iter().find(|goal| goal.text == "a > 9" && goal.wanted == "true").cloned();
        (goal.unwrap().state, output::table(&report))
    };
    // No pointer can have the address of a local whose address is never taken.
    let (found, shown) = state(
        "int f(unsigned long n, int a) { if (a > 7) return 3; *(int *)n = 1; if (a > 9) return 2; return 0; }",
    );
    assert!(!matches!(found, CoverState::Covered | CoverState::Undefined), "{shown}");
    // A caller may have the address of the global.
    let (found, shown) =
        state("int a; int f(unsigned long n) { a = 1; *(int *)n = 10; if (a > 9) return 2; return 0; }");
    assert!(matches!(found, CoverState::BeyondBound | CoverState::InfeasibleIf), "{shown}");
}

/// A stub gets a number as a pointer: in no test does it read or write there, and the run continues.
#[test]
fn a_stub_may_get_a_number() {
    for parameter in ["const int *", "int *"] {
        check_stub_of_number(parameter);
    }
}

fn check_stub_of_number(parameter: &str) {
    let text = "void put(PARAMETER); int f(unsigned long n, int a) { if (a > 3) { put((int *)n); if (a > 9) return 2; return 1; } return 0; }";
    let text = &text.replace("PARAMETER", parameter);
    let (mut program, f) = common::program(text);
    program.supply_missing(f);
    let source = nub_cover::describe::SourceQuotes { program: &program, text: text.as_bytes() };
    let report = nub_cover::cover(source, f, &options()).unwrap().remove(0);
    assert_eq!(report.summary.covered, report.summary.goals, "{}", output::table(&report));
}

/// A number may be the address of an object, so ordering them is not an error of the program.
#[test]
fn a_number_may_lie_in_an_object() {
    let text = "int g[8]; int f(unsigned long n) { int *p = (int *)n; if (p < g + 4) return 1; return 0; }";
    let report = report(text);
    let is_right = |state: CoverState| !matches!(state, CoverState::Infeasible | CoverState::Undefined);
    assert!(report.goals.iter().all(|goal| is_right(goal.state)), "{}", output::table(&report));
}
