//! Which rule is violated: kinds, names, and which run shows it.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{program, try_ask};
use nub_explain::{
    Counterexample, ExplainOptions, ExplainRefusal, Explanation, ExplanationNote, ProgramSource,
    PropertyFilter, PropertyKind, Story, extra_check, properties,
};

const HEAD: &str = "int nondet_int(void); void __CPROVER_assert(int, const char *);\n";

#[track_caller]
fn story_with(text: &str, options: &ExplainOptions) -> Story {
    match try_ask(text, options).unwrap() {
        Explanation::Explained(story) => *story,
        other => panic!("{other:?}"),
    }
}

fn kind(kind: PropertyKind) -> ExplainOptions {
    let properties = PropertyFilter { kinds: vec![kind], ..PropertyFilter::default() };
    ExplainOptions { properties, ..ExplainOptions::default() }
}

#[test]
fn every_kind_can_be_chosen() {
    for (wanted, text) in [
        (PropertyKind::Assertion, "int f(int a) { __CPROVER_assert(a != 3, \"\"); return 0; }"),
        (
            PropertyKind::Bounds,
            "int f(int a) { int t[4] = {1, 2, 3, 4}; int r = 0; if (a >= 0) r = t[a]; return r; }",
        ),
        (PropertyKind::Division, "int f(int a, int b) { int r = 1; if (a > 2) r = 10 / b; return r; }"),
        (PropertyKind::Overflow, "int f(int a) { int r = 0; if (a > 2) r = a + 1; return r; }"),
        (PropertyKind::Shift, "int f(unsigned a, int b) { int r = 0; if (a > 2) r = 1u << b; return r; }"),
        (PropertyKind::Null, "int f(int a) { int x = 1; int *p = &x; if (a) p = 0; return *p; }"),
        (PropertyKind::Uninitialised, "int f(int a) { int x; if (a) x = 1; return x + 1; }"),
        (PropertyKind::Unwinding, "int f(int a) { int i = 0; while (i < a) i++; return i; }"),
    ] {
        let story = story_with(&format!("{HEAD}{text}"), &kind(wanted));
        assert_eq!(story.property.kind, wanted, "{text}");
        assert_eq!(story.property.id, format!("f.{}.1", wanted.name()));
        assert!(story.distance.is_proved() && story.distance.upper > 0, "{text}");
        assert!(story.passing.is_replayed, "{text}");
        assert_eq!(story.failing.is_replayed, wanted != PropertyKind::Unwinding, "{text}");
        assert_eq!(PropertyKind::by_name(wanted.name()), Some(wanted));
    }
    assert_eq!(PropertyKind::by_name("nothing"), None);
}

/// An unterminated string is the caller's fault; one byte too few is the function's.
#[test]
fn a_text_has_an_end_if_that_can_fail_too() {
    let text = "typedef unsigned long size_t; size_t strlen(const char *); char *strcpy(char *, const char *);\n\
        void *malloc(size_t); void free(void *);\n\
        void f(const char *s) { char *p = malloc(strlen(s)); if (p) { strcpy(p, s); free(p); } }";
    let (property, failing) = match try_ask(text, &ExplainOptions::default()).unwrap() {
        Explanation::Explained(story) => (story.property, story.failing),
        Explanation::NoPassingRun { property, failing, .. } => (property, *failing),
        other => panic!("{other:?}"),
    };
    assert!(property.text.contains("strcpy"), "{}", property.text);
    assert!(failing.inputs.iter().any(|input| input.value == "0"), "{:?}", failing.inputs);
    let text = "typedef unsigned long size_t; size_t strlen(const char *); size_t f(const char *s) { return strlen(s); }";
    let Explanation::Explained(story) = try_ask(text, &ExplainOptions::default()).unwrap() else { panic!() };
    assert!(story.property.text.contains("strlen"), "without an end it still fails: {}", story.property.text);
}

#[test]
fn assertions_come_first_and_then_the_rest() {
    let text =
        format!("{HEAD}int f(int a, int b) {{ int c = 8 / b; __CPROVER_assert(a != 3, \"\"); return c; }}");
    let story = story_with(&text, &ExplainOptions::default());
    assert_eq!(story.property.kind, PropertyKind::Assertion);
    let text =
        format!("{HEAD}int f(int a, int b) {{ int c = 8 / b; __CPROVER_assert(b != 0, \"\"); return c; }}");
    let story = story_with(&text, &ExplainOptions::default());
    assert_eq!(story.property.id, "f.division.1");
}

const TWO: &str = "int nondet_int(void); void __CPROVER_assert(int, const char *);
void check(int a) { __CPROVER_assert(a != 1, \"one\"); }
int main(void) {
  int a = nondet_int(), b = nondet_int();
  __CPROVER_assert(a != 2, \"two\"); __CPROVER_assert(a != 3, \"three\");
  check(b);
  int c = 10 / b;
  return c;
}";

#[test]
fn names() {
    let program = program(TWO);
    let main = program.function_by_name("main").unwrap();
    let source = ProgramSource { program: &program, text: TWO.as_bytes(), file: "" };
    let list = properties(source, main, &ExplainOptions::default()).unwrap();
    let ids: Vec<&str> = list.iter().map(|found| found.id.as_str()).collect();
    assert_eq!(ids, ["check.assertion.1", "main.assertion.1", "main.assertion.2", "main.division.1"]);
    for found in &list {
        let properties = PropertyFilter { id: Some(found.id.clone()), ..PropertyFilter::default() };
        let story = story_with(TWO, &ExplainOptions { properties, ..ExplainOptions::default() });
        assert_eq!(story.property, *found);
    }
    let properties = PropertyFilter { id: Some("main.assertion.3".to_owned()), ..PropertyFilter::default() };
    let refusal = try_ask(TWO, &ExplainOptions { properties, ..ExplainOptions::default() });
    assert!(matches!(refusal, Err(ExplainRefusal::UnknownProperty(_))));
}

#[test]
fn what_is_asserted_is_said_where_the_wrapper_is_called() {
    let text = "int nondet_int(void); void __CPROVER_assert(int, const char *);
void fail(void) { __CPROVER_assert(0, \"0\"); }
void check(int cond) { if (!(cond)) { fail(); } return; }
int half(int a) { return a / 2; }
int main(void) {
  int a = nondet_int(), b = half(a);
  check(b != 4);
  return 0;
}";
    let story = story_with(text, &ExplainOptions::default());
    let place = &story.property.place;
    assert_eq!(
        (story.property.text.as_str(), place.line, place.function.as_str()),
        ("check(b != 4)", Some(7), "main")
    );
    let functions: Vec<&str> = story.deltas.iter().map(|delta| delta.place.function.as_str()).collect();
    assert!(!functions.contains(&"check") && !functions.contains(&"fail"), "{functions:?}");
    assert!(story.trusted.contains(&"check".to_owned()), "{:?}", story.trusted);
}

#[test]
fn shortest() {
    let text = format!(
        "{HEAD}int f(int a) {{ int s = 0; if (a < 0) {{ s += 1; s += 2; s += 3; s += 4; }} else s = 10; if (a == 5) s = 0;
        __CPROVER_assert(s != 10, \"\"); return s; }}"
    );
    let options = ExplainOptions { counterexample: Counterexample::Shortest, ..ExplainOptions::default() };
    let story = story_with(&text, &options);
    assert!(story.failing.inputs[0].value.parse::<i64>().unwrap() >= 0);
    let text = text.replace("s = 10", "{ s = 1; s = 2; s = 3; s = 4; s = 5; s = 10; }");
    assert!(story_with(&text, &options).failing.inputs[0].value.parse::<i64>().unwrap() < 0);
}

#[test]
fn structures_arrays_and_reads_in_loops() {
    let text = format!(
        "{HEAD}struct point {{ int x, y; }};
        int main(void) {{
          struct point p = {{1, 2}}, q;
          int t[3] = {{0, 0, 0}};
          for (int i = 0; i < 3; i++) {{ t[i] = nondet_int(); if (t[i] == 7) p.y = t[i]; }}
          q = p;
          __CPROVER_assert(q.y != 7, \"\");
        }}"
    );
    let story = story_with(&text, &ExplainOptions::default());
    let names: Vec<&str> = story.deltas.iter().map(|delta| delta.what.as_str()).collect();
    assert!(names.iter().any(|name| name.starts_with("t[")), "{names:?}");
    assert!(names.contains(&"q.y") && names.contains(&"p.y"), "{names:?}");
    assert!(story.failing.is_replayed && story.passing.is_replayed);
    assert_eq!(story.passing.inputs.len(), 3);
}

#[test]
fn poor_explanations_come_with_others() {
    let text = format!(
        "{HEAD}int main(void) {{ int a = nondet_int(), b = nondet_int(); int c = b;\n __CPROVER_assert(a != 3 || b != 3, \"\"); return c; }}"
    );
    let story = story_with(&text, &ExplainOptions::default());
    assert!(story.notes.contains(&ExplanationNote::Poor), "{:?}", story.notes);
    assert!(!story.others.is_empty());
    assert!(story.others.iter().all(|other| other.distance >= story.distance.upper));
}

/// Properties of floating-point arithmetic exist if the program was read with them.
#[test]
fn arithmetic_of_floats_on_request() {
    for (wanted, text) in [
        (PropertyKind::Nan, "double f(double a, double b) { double r = 1; if (b > 0) r = a - b; return r; }"),
        (PropertyKind::Inf, "double f(double a, int b) { double r = 1; if (b > 2) r = a * a; return r; }"),
        (PropertyKind::Precision, "float f(int a, int b) { float r = 1; if (b > 2) r = a; return r; }"),
    ] {
        let extra_checks = extra_check(wanted).into_iter().collect();
        let model = nub_c_ir::DataModel { extra_checks, ..nub_c_ir::DataModel::lp64() };
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (program, _) = nub_c_ir::lower(&unit, &model);
        let function = program.function_by_name("f").unwrap();
        let source = nub_c_ir::ProgramSource { program: &program, text: text.as_bytes(), file: "" };
        let Ok(Explanation::Explained(story)) = nub_explain::explain(source, function, &kind(wanted)) else {
            panic!("{text}")
        };
        assert_eq!(story.property.id, format!("f.{}.1", wanted.name()));
        assert!(story.failing.is_replayed && story.passing.is_replayed, "{text}");
        assert!(story.distance.is_proved() && story.distance.upper > 0, "{text}");
    }
    assert_eq!(extra_check(PropertyKind::Overflow), None);
}
