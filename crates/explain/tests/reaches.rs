//! The passing run reaches the violated property, and changes as little of the inputs as possible.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{story, try_ask};
use nub_explain::{ExplainOptions, Explanation, ExplanationNote, RunValues, Story};

const ASSERT: &str =
    "void __CPROVER_assert(int, const char *); void __CPROVER_assume(int); int nondet_int(void);\n";

fn input(run: &RunValues, name: &str) -> i64 {
    let found = run.inputs.iter().find(|input| input.name == name);
    found.unwrap_or_else(|| panic!("no {name} in {run:?}")).value.parse().unwrap()
}

fn of(text: &str, inputs: &[(&str, i128)]) -> Story {
    story(&format!("{ASSERT}{text}"), inputs)
}

#[test]
fn an_assertion_under_a_condition_is_reached() {
    // The closest run of all makes `a` false and differs in one value less.
    let found = of(
        "static int g(int b) { int r = b; if (b > 5) r = b + 1; return r; }
         void f(int a, int b) { int r = g(b); if (a) __CPROVER_assert(r <= 5, \"\"); }",
        &[],
    );
    assert_ne!(input(&found.passing, "a"), 0, "{found:?}");
    assert!(input(&found.passing, "b") <= 5, "{found:?}");
    assert!(!found.notes.contains(&ExplanationNote::NoRunReaches), "{found:?}");
}

#[test]
fn a_harness_that_leaves_early_is_not_left() {
    let found = of(
        "static int limit(int x) { int y = x; if (x > 90) y = 99; return y; }
         void check(int x) { if (x < 0 || x > 100) return; int y = limit(x); __CPROVER_assert(y <= 90, \"\"); }
         int main(void) { int in = nondet_int(); check(in); return 0; }",
        &[],
    );
    assert!((0..=90).contains(&input(&found.passing, "in")), "{found:?}");
}

#[test]
fn the_bounds_of_an_array_are_reached() {
    let found = of(
        "struct ring { unsigned char head, data[4]; };
         int put(struct ring *r, unsigned char v) { if (r->head > 4) return -1; r->data[r->head] = v; r->head++; return 0; }
         int main(void) { struct ring r; int head = nondet_int(); __CPROVER_assume(head >= 0 && head < 256);
           r.head = (unsigned char)head; return put(&r, 1); }",
        &[],
    );
    assert!(!found.notes.contains(&ExplanationNote::NoRunReaches), "{found:?}");
    assert!((0..4).contains(&input(&found.passing, "head")), "{found:?}");
}

#[test]
fn what_can_only_fail_is_reached_at_its_decision() {
    let text = "void reach_error(void) { __CPROVER_assert(0, \"\"); }
         static int twice(int x) { int y = 2 * x; if (x > 3) y = 1; return y; }
         int main(void) { int x = nondet_int(); if (x < 0 || x > 9) return 0;
           int y = twice(x); if (!(y >= x && y < 99)) reach_error(); return 0; }";
    let found = of(text, &[]);
    assert!((0..=3).contains(&input(&found.passing, "x")), "{found:?}");
    assert!(!found.notes.contains(&ExplanationNote::NoRunReaches), "{found:?}");
}

#[test]
fn if_none_reaches_it_that_is_said_first() {
    let found =
        of("void f(int a) { int b = a + 1; if (b == 7) { b = 8; __CPROVER_assert(b == 7, \"\"); } }", &[]);
    assert_eq!(found.notes.first(), Some(&ExplanationNote::NoRunReaches), "{found:?}");
    let text = nub_explain::text(&Explanation::Explained(Box::new(found)));
    let first: Vec<&str> = text.lines().take(4).collect();
    assert!(first.iter().any(|line| line.contains("No passing run reaches the violated property")), "{text}");
}

/// `!(s == 2 && e)`: no passing run has `s == 2 && e` where the assertion is reached, since the harness lets no `e > 1` through.
#[test]
fn the_antecedent_is_not_avoided_by_leaving_early() {
    let found = of(
        "static int f(int s, int e) { if (s == 2 && e > 1) return 3; return s; }
         void check(int s, int e) { if (e < 0 || e > 1) return; int r = f(s, e);
           __CPROVER_assert(!(s == 2 && e) || r == 3, \"\"); }
         int main(void) { int a = nondet_int(), b = nondet_int(); check(a, b); return 0; }",
        &[],
    );
    assert!((0..=1).contains(&input(&found.passing, "b")), "{found:?}");
    assert!(found.assumptions.is_empty(), "{found:?}");
    assert!(found.notes.contains(&ExplanationNote::NoRunKeepsAntecedent), "{found:?}");
}

/// In a loop the antecedent must be true where the property is violated, not in every iteration.
#[test]
fn an_antecedent_in_a_loop() {
    let automaton = |answer: &str| {
        let text = format!(
            "static int next(int s, int e, int k) {{ if (s == 0 && e == 1) return 1; if (s == 1 && e == 2) return {answer};
               return s; }}
             int main(void) {{ int s = 0, k = nondet_int(); for (int i = 0; i < 3; i++) {{ int e = nondet_int(); int old = s;
               s = next(s, e, k); __CPROVER_assert(!(old == 1 && e == 2) || s == 2, \"\"); }} return 0; }}"
        );
        of(&text, &[])
    };
    let found = automaton("k > 3 ? 5 : 2");
    assert_eq!((input(&found.passing, "k"), input(&found.passing, "e #2")), (3, 2), "{found:?}");
    let found = automaton("5");
    assert!(found.notes.contains(&ExplanationNote::NoRunKeepsAntecedent), "{found:?}");
}

#[test]
fn a_disjunct_about_inputs_alone_is_an_antecedent() {
    let heater = |property: &str| {
        format!(
            "struct ctl {{ int level, timer; }};
             static void step(struct ctl *c, int ign, int warm) {{
               if (!ign) {{ if (warm) c->level = 0; }} else c->level = 1; c->timer++; }}
             void f(int ign, int warm) {{ struct ctl c = {{ 1, 0 }}; step(&c, ign, warm);
               __CPROVER_assert({property}, \"\"); }}"
        )
    };
    let found = of(&heater("ign || c.level == 0"), &[]);
    assert_eq!(input(&found.passing, "ign"), 0, "{found:?}");
    assert_eq!(found.assumptions.first().map(|found| found.text.as_str()), Some("!ign"), "{found:?}");
    // Neither side is more of an input than the other.
    let found = of(
        "void f(int a, int b) { int c = 0; if (a == b) c = 1; if (c) __CPROVER_assert(a < 5 || b > 9, \"\"); }",
        &[],
    );
    assert!(found.assumptions.is_empty(), "{found:?}");
}

#[test]
fn fewest_inputs_then_nearest_values() {
    // `main` is trusted, so its inputs have no weight: without a further criterion any of them may change.
    let found = of(
        "static int over(int a, int limit) { int r = 0; if (a > limit) r = 1; return r; }
         int main(void) { int other = nondet_int(); int a = nondet_int(); int more = nondet_int();
           __CPROVER_assume(a >= 0 && a < 5000);
           int r = over(a, 600); int unused = other + more > 5; __CPROVER_assert(r == 1, \"\"); return unused; }",
        &[("a", 400), ("other", 641), ("more", -7)],
    );
    let values = ["other", "a", "more"].map(|name| input(&found.passing, name));
    assert_eq!(values, [641, 601, -7], "{found:?}");
    let changed: Vec<_> = found.changed_inputs.iter().map(|found| found.name.as_str()).collect();
    assert_eq!(changed, ["a"], "{found:?}");
}

#[test]
fn more_rounds_if_nothing_passes_within_the_bound() {
    let text = format!(
        "{ASSERT} int main(void) {{ int n = nondet_int(); int i = 0;
           while (i < n) {{ i++; if (i == 10) break; }} __CPROVER_assert(i == 10, \"\"); return 0; }}"
    );
    let found = try_ask(&text, &ExplainOptions::default()).unwrap();
    let Explanation::Explained(found) = found else { panic!("{found:?}") };
    assert!(input(&found.passing, "n") >= 10, "{found:?}");
    assert!(found.notes.contains(&ExplanationNote::MoreRounds), "{found:?}");
    let few = ExplainOptions { max_unwind: 8, ..ExplainOptions::default() };
    let found = try_ask(&text, &few).unwrap();
    assert!(matches!(found, Explanation::NoPassingRun { is_complete: false, .. }), "{found:?}");
    assert!(nub_explain::text(&found).contains("No run passes within 8 iterations of each loop.\n"));
}
