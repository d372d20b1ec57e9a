//! Programs that never fail, always fail, need more iterations, and invalid questions.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{ask, short, story, try_ask};
use nub_explain::{ExplainOptions, ExplainRefusal, Explanation, PropertyFilter, PropertyKind, text};
use nub_sat::SatLimits;

const HEAD: &str =
    "int nondet_int(void); void __CPROVER_assert(int, const char *); void __CPROVER_assume(int);\n";

fn with_head(text: &str) -> String {
    format!("{HEAD}{text}")
}

#[test]
fn never_fails() {
    let found = ask(&with_head("void f(int a) { int b = a & 7; __CPROVER_assert(b < 8, \"\"); }"));
    assert_eq!(
        found,
        Explanation::NoViolation {
            unwind: 8,
            is_complete: true,
            n_properties: 1,
            ends_before: None,
            premises: Vec::new()
        }
    );
    assert!(text(&found).starts_with("No violation: "));
}

#[test]
fn never_fails_up_to_the_bound() {
    let program = "void f(int n) { int i = 0; while (i < n) i++; __CPROVER_assert(i < 100, \"\"); }";
    assert_eq!(
        ask(&with_head(program)),
        Explanation::NoViolation {
            unwind: 8,
            is_complete: false,
            n_properties: 1,
            ends_before: None,
            premises: Vec::new()
        }
    );
}

#[test]
fn one_of_a_kind_is_singular() {
    let found = ask("int f(int i) { int t[4] = {1, 2, 3, 4}; return t[i]; }");
    assert!(text(&found).contains("Distance: 1 of 1 value (minimal; proof checked)\n"), "{}", text(&found));
    let mut options = ExplainOptions { max_unwind: 1, ..ExplainOptions::default() };
    options.unroll.unwind = 1;
    let loops = with_head("void f(int n) { int i = 0; while (i < n) i++; __CPROVER_assert(i < 100, \"\"); }");
    let found = try_ask(&loops, &options).unwrap();
    assert!(
        text(&found).contains("(within 1 iteration of each loop; longer runs were not"),
        "{}",
        text(&found)
    );
}

/// A user who selects only assertions is told about runs that do not reach them.
#[test]
fn never_fails_because_runs_end_before() {
    let asked = |program: &str, kinds: &[PropertyKind]| {
        let properties = PropertyFilter { kinds: kinds.to_vec(), ..PropertyFilter::default() };
        try_ask(&with_head(program), &ExplainOptions { properties, ..ExplainOptions::default() }).unwrap()
    };
    let only = [PropertyKind::Assertion];
    let found = asked("void f(void) { int x; __CPROVER_assert(x != 5, \"\"); }", &only);
    let Explanation::NoViolation { ends_before: Some(before), .. } = &found else { panic!("{found:?}") };
    assert_eq!(before.kind, PropertyKind::Uninitialised);
    assert!(
        text(&found).contains("the value read is initialised and valid for its type: x"),
        "{}",
        text(&found)
    );
    let found = asked("void f(int a) { __CPROVER_assert(a / 1 == a, \"\"); }", &only);
    assert!(matches!(found, Explanation::NoViolation { ends_before: None, .. }), "{found:?}");
    let found = asked("void f(int a) { __CPROVER_assert(a != 3, \"\"); }", &[PropertyKind::Division]);
    let Explanation::NoViolation { ends_before: Some(before), .. } = &found else { panic!("{found:?}") };
    assert_eq!(before.kind, PropertyKind::Assertion);
}

#[test]
fn always_fails() {
    let found = ask(&with_head("void f(int a) { int b = a | 1; __CPROVER_assert(b == 0, \"b\"); }"));
    let Explanation::NoPassingRun { property, failing, .. } = &found else { panic!("{found:?}") };
    assert_eq!((property.text.as_str(), property.place.line), ("b", Some(2)));
    assert_eq!(failing.inputs[0].value, "0");
    assert!(text(&found).contains("No run passes.\n"), "no loop limits this: {}", text(&found));
}

#[test]
fn assumptions_hold_in_both_runs() {
    let program = "void f(int a) { __CPROVER_assume(a > 10); int b = a; if (a > 20) b = 0;
        __CPROVER_assert(b > 0, \"\"); }";
    let story = story(&with_head(program), &[("a", 30)]);
    let a: i64 = story.passing.inputs[0].value.parse().unwrap();
    assert!((11..=20).contains(&a), "{a}");
}

#[test]
fn an_input_has_the_name_of_what_takes_it_first() {
    let program = "void f(void) { long l = nondet_int(); unsigned u = l; __CPROVER_assert(u != 7, \"\"); }";
    assert_eq!(story(&with_head(program), &[]).failing.inputs[0].name, "l");
}

#[test]
fn loops_and_arrays() {
    let program = "void f(int n) { int a[4] = {0, 0, 0, 0}; __CPROVER_assume(n >= 0 && n < 4);
        for (int i = 0; i < n; i++) a[i] = i + 1;
        __CPROVER_assert(a[2] == 0, \"\"); }";
    let story = story(&with_head(program), &[]);
    assert_eq!((story.failing.inputs[0].value.as_str(), story.passing.inputs[0].value.as_str()), ("3", "2"));
    assert!(short(&story).iter().any(|name| name.starts_with("a[2]")), "{:?}", short(&story));
    assert!(story.distance.is_proved());
}

#[test]
fn an_assertion_can_be_chosen() {
    let program =
        "void f(int a) {\n __CPROVER_assert(a != 1, \"one\");\n __CPROVER_assert(a != 2, \"two\"); }";
    let options = ExplainOptions {
        properties: PropertyFilter { line: Some(4), ..PropertyFilter::default() },
        ..ExplainOptions::default()
    };
    let Ok(Explanation::Explained(story)) = try_ask(&with_head(program), &options) else { panic!() };
    assert_eq!((story.property.text.as_str(), story.failing.inputs[0].value.as_str()), ("two", "2"));
}

#[test]
fn undefined_behaviour_is_no_way_out() {
    // With a == 0 the division is undefined: the closest run must not use it.
    let program = "void f(int a, int b) { __CPROVER_assume(a >= 0 && a < 3); int c = 6 / a; if (b) c = c + 1;
        __CPROVER_assert(c == 6, \"\"); }";
    let story = story(&with_head(program), &[("a", 2), ("b", 0)]);
    assert_eq!(story.passing.inputs[0].value, "1");
}

/// Each may fail, and was once reported as safe.
#[test]
fn none_of_these_is_safe() {
    for text in [
        "union u { char c; int i; }; union u nondet_u(void); void f(void) { union u x = nondet_u(); __CPROVER_assert(x.i < 256, \"\"); }",
        "int g(int a) { if (a) return 1; } void f(int a) { int r = g(a); __CPROVER_assert(r == 1, \"\"); }",
        "int g(int a) { if (a < 2) return 1; } void f(int n) { for (int i = 0; i < 3; i++) { int r = g(n + i); __CPROVER_assert(r == 1, \"\"); } }",
        "int g(int a) { if (a) return 1; } void f(int a) { int (*p)(int) = a > 5 ? g : 0; if (p) p = g; else p = g; int r = p(a); }",
        "void f(int n) { int a[2] = {0}, b[2] = {0}, *p = a, *q = b; *q = 1; if (n > 3) p += 8; *p = 5; }",
        "void f(int n) { int x = 0, *p = &x; if (n) p = 0; *p; }",
    ] {
        let found = ask(&with_head(text));
        assert!(!matches!(found, Explanation::NoViolation { .. }), "{text}");
    }
}

#[test]
fn a_value_that_nobody_uses_may_be_missing() {
    let text = "int g(int a) { if (a) return 1; } void f(int a) { g(a); (void)g(a); int i; for (i = 0; i < 2; g(i), i++) ; }";
    assert!(matches!(ask(&with_head(text)), Explanation::NoViolation { is_complete: true, .. }));
}

/// Whether the address of `b` is a multiple of 32 is not known, and not a defect.
#[test]
fn where_objects_lie_is_not_known() {
    let text =
        "void f(int a) { int b[3], c; int *p = a ? b : &c; *p = 1; unsigned long n = (unsigned long)p % 96;
        __CPROVER_assert(n != 0 && n != 16 && n != 32 && n != 48, \"\"); }";
    let found = try_ask(&with_head(text), &ExplainOptions::default());
    assert!(!matches!(found, Err(ExplainRefusal::Internal(_))), "{found:?}");
}

/// A global pointer that is an input points to an object of its own; the interpreter would follow its initial value.
#[test]
fn a_global_pointer_that_is_an_input_is_not_replayed_with_its_initial_value() {
    let text =
        "int g = 1; int *table[1] = {&g}; void f(void) { *table[0] = 0; __CPROVER_assert(g == 0, \"\"); }";
    let mut options = ExplainOptions::default();
    options.unroll.globals = nub_unroll::Globals::Inputs;
    let found = try_ask(&with_head(text), &options);
    assert!(matches!(found, Ok(Explanation::Explained(_))), "{found:?}");
}

#[test]
fn pointers_in_a_structure_are_not_replayed_as_null() {
    let text = "void free(void *); typedef struct { void *lo, *hi; } T; void f(T d) { if (d.lo == d.hi) return; free(d.lo); }";
    let found = try_ask(&with_head(text), &ExplainOptions::default());
    assert!(found.is_ok(), "{found:?}");
}

#[test]
fn wrong_questions() {
    let program = with_head("void f(int a) { __CPROVER_assert(a != 1, \"\"); }");
    let with = |name: &str, value| ExplainOptions {
        inputs: vec![(name.to_owned(), value)],
        ..ExplainOptions::default()
    };
    assert!(
        matches!(try_ask(&program, &with("z", 1)), Err(ExplainRefusal::UnknownInput { name, known }) if name == "z" && known == ["a"])
    );
    assert!(matches!(try_ask(&program, &with("a", 2)), Err(ExplainRefusal::InputsPass)));
    for number in [i128::from(i32::MAX) + 1, i128::from(i32::MIN) - 1, i128::MAX, i128::MIN] {
        assert!(
            matches!(try_ask(&program, &with("a", number)), Err(ExplainRefusal::InputRange { .. })),
            "{number}"
        );
    }
    let twice = ExplainOptions {
        inputs: vec![("a".to_owned(), 1), ("a".to_owned(), 1)],
        ..ExplainOptions::default()
    };
    assert!(matches!(try_ask(&program, &twice), Err(ExplainRefusal::InputTwice(name)) if name == "a"));
    let line = PropertyFilter { line: Some(77), ..PropertyFilter::default() };
    let nowhere = ExplainOptions { properties: line, ..ExplainOptions::default() };
    assert!(
        matches!(try_ask(&program, &nowhere), Err(ExplainRefusal::UnknownProperty(name)) if name == "at line 77")
    );
    assert!(matches!(try_ask(&program, &with("a", 1)), Ok(Explanation::Explained(_))));
}

#[test]
fn cancelled() {
    let limits = SatLimits::none();
    limits.cancel.cancel();
    let program =
        with_head("void f(int a, int b) { __CPROVER_assert(a * b != 391 || a < 2 || b < 2, \"\"); }");
    let options = ExplainOptions { limits, ..ExplainOptions::default() };
    assert!(matches!(try_ask(&program, &options), Err(ExplainRefusal::Stopped(_))));
}

#[test]
fn a_story_is_json() {
    let program = with_head("void f(int a) { int b = a; if (a > 3) b = 0; __CPROVER_assert(b == a, \"\"); }");
    let json = serde_json::to_value(story(&program, &[("a", 9)])).unwrap();
    assert_eq!(json["failing"]["inputs"][0]["value"], "9");
    assert_eq!(json["distance"]["lower"], json["distance"]["upper"]);
}

/// The last value of `b` is the same in both runs, and its first one, which has the same term as `a`, is not read by the assertion.
#[test]
fn a_slice_knows_copies_apart() {
    let program = with_head("void f(int a) { int b = a; if (a > 3) b = 0; __CPROVER_assert(b == a, \"\"); }");
    let story = story(&program, &[("a", 9)]);
    assert_eq!(story.distance.upper, 3);
    assert_eq!(short(&story), ["a#0 9->0", "b#0 9->0", "a > 3#0 1->0"]);
    assert_eq!(story.slices, [[0]]);
}

/// C does not define the sign of a NaN that arithmetic produces: that none is negative holds on some machines only.
#[test]
fn what_rests_on_the_bits_of_a_nan_says_so() {
    let text = "void f(double x, double y) { double z = x - y; __CPROVER_assert(z == z || !__builtin_signbit(z), \"\"); }";
    let found = ask(text);
    let Explanation::NoViolation { premises, .. } = &found else { panic!("{found:?}") };
    assert_eq!(premises.len(), 1);
    assert!(nub_explain::output::text(&found).contains("Note: this holds if no bit of a NaN"), "{found:?}");
    let text = "void f(double x) { __CPROVER_assert(x == x || !__builtin_signbit(x) || x != x, \"\"); }";
    assert!(matches!(ask(text), Explanation::NoViolation { premises, .. } if premises.is_empty()));
    let zeros = "double fmin(double, double); void f(double x) { double z = fmin(x, 0.0);\n\
                 __CPROVER_assert(x != 0 || __builtin_signbit(z) == 0, \"\"); }";
    assert!(matches!(ask(zeros), Explanation::NoViolation { premises, .. } if premises.len() == 1));
}

/// Programs read floats exactly; integers need no second form.
#[test]
fn floats_have_a_hexadecimal_form() {
    let found = story("void f(float x) { __CPROVER_assert(x != 0.1f, \"\"); }", &[]);
    let input = &found.failing.inputs[0];
    assert_eq!((input.value.as_str(), input.hex.as_deref()), ("0.1", Some("0x1.99999ap-4")));
    let changed = &found.changed_inputs[0];
    assert_eq!(changed.before_hex, input.hex);
    assert_eq!(changed.after_hex, found.passing.inputs[0].hex);
    let found = story("void f(int x) { __CPROVER_assert(x != 3, \"\"); }", &[]);
    assert_eq!((&found.failing.inputs[0].hex, &found.changed_inputs[0].after_hex), (&None, &None));
}

/// A quotient of floats that a solver would need long for: common values are tried first.
#[test]
fn failing_runs_with_floats_have_simple_inputs() {
    let text = "void f(double x, double y) { nub_assume(x > 0.5 && x < 900.0 && y > 0.5 && y < 900.0); double z = x / y;\n\
                __CPROVER_assert(z * y == x || z > 4.0 || y < 2.5, \"\"); }";
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    for input in &story(text, &[]).failing.inputs {
        assert!(digits(&input.value) <= 6, "{input:?}");
    }
    // The first run needs no solver, and so hardly any conflicts.
    let limits = SatLimits { conflicts: Some(20), ..SatLimits::none() };
    let found = try_ask(text, &ExplainOptions { limits, ..ExplainOptions::default() });
    assert!(matches!(found, Ok(Explanation::Explained(_))), "{found:?}");
}
