//! What both runs keep: antecedents and expected values that are found, and conditions of the user.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{short, try_ask};
use nub_explain::{
    Antecedents, AssumedBy, ExplainOptions, ExplainRefusal, Explanation, ExplanationNote, Predicate, Story,
    Trust,
};

const HEAD: &str = "int nondet_int(void); void __CPROVER_assert(int, const char *);\n";

/// An alarm is raised although `level` is small: `level > 3` should be `level > 5`.
fn alarm(property: &str) -> String {
    format!(
        "{HEAD}int alarm(int on, int level) {{ int ring = 0; if (on) if (level > 3) ring = 1; return ring; }}
        int main(void) {{
          int on = nondet_int(), level = nondet_int();
          int ring = alarm(on, level);
          int calm = on == 1 && level <= 5;
          {property}
        }}"
    )
}

#[track_caller]
fn story_with(text: &str, options: &ExplainOptions) -> Story {
    match try_ask(text, options).unwrap() {
        Explanation::Explained(story) => *story,
        other => panic!("{other:?}"),
    }
}

fn run(inputs: &[(&str, i128)]) -> ExplainOptions {
    let inputs = inputs.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    ExplainOptions { inputs, ..ExplainOptions::default() }
}

/// The antecedent that was assumed.
fn antecedent(story: &Story) -> Option<&str> {
    let found = story.assumptions.iter().find(|found| found.by == AssumedBy::Antecedent);
    found.map(|found| found.text.as_str())
}

#[test]
fn shapes_of_an_implication() {
    for (property, expected) in [
        ("__CPROVER_assert(!(calm && ring), \"\");", "calm"),
        ("__CPROVER_assert(!calm || !ring, \"\");", "calm"),
        ("__CPROVER_assert(!calm || ring == 0, \"\");", "calm"),
        ("__CPROVER_assert(ring == 0 || !calm, \"\");", "calm"),
        ("__CPROVER_assert(ring == 0 || level > 5 || on != 1, \"\");", "!(level > 5) && !(on != 1)"),
        ("int quiet = !ring; __CPROVER_assert(calm <= quiet, \"\");", "calm"),
        ("__CPROVER_assert(calm ? ring == 0 : 1, \"\");", "calm"),
        ("int holds = !calm || !ring; __CPROVER_assert(holds, \"\");", "calm"),
        ("int bad = calm && ring, good = !bad; __CPROVER_assert(good != 0, \"\");", "calm"),
        ("__CPROVER_assert(!(level >= 0 && (calm && ring)), \"\");", "(level >= 0) && (calm)"),
    ] {
        let story = story_with(&alarm(property), &run(&[("on", 1), ("level", 4)]));
        assert_eq!(antecedent(&story), Some(expected), "{property}");
        let level: i64 = story.passing.inputs[1].value.parse().unwrap();
        assert!(level <= 3 && story.passing.inputs[0].value == "1", "{property}: {level}");
        let names = short(&story);
        let in_slice = |name: &str| story.slices[0].iter().any(|index| names[*index].starts_with(name));
        assert!(in_slice("level > 3"), "{property}: {names:?}");
    }
}

#[test]
fn what_is_no_implication_stays() {
    for property in [
        "__CPROVER_assert(ring == 0 || calm + ring < 2, \"\");",
        "__CPROVER_assert(ring == 0, \"\");",
        "__CPROVER_assert(calm + ring < 2, \"\");",
    ] {
        let story = story_with(&alarm(property), &run(&[("on", 1), ("level", 4)]));
        assert_eq!(antecedent(&story), None, "{property}");
    }
}

#[test]
fn any_run_will_do_if_asked() {
    let text = alarm("__CPROVER_assert(!(calm && ring), \"\");");
    let options = ExplainOptions { antecedents: Antecedents::Free, ..run(&[("on", 1), ("level", 4)]) };
    let story = story_with(&text, &options);
    assert!(story.assumptions.is_empty());
    let level: i64 = story.passing.inputs[1].value.parse().unwrap();
    assert!(level > 5, "the closest run leaves the property without meaning: {level}");
}

#[test]
fn no_run_keeps_the_antecedent() {
    let text = format!(
        "{HEAD}void f(int a, int b) {{ int ring = a > 3; int c = a > 3; if (b) c = c; __CPROVER_assert(!(ring && c), \"\"); }}"
    );
    let story = story_with(&text, &run(&[("a", 9), ("b", 0)]));
    assert!(story.notes.contains(&ExplanationNote::NoRunKeepsAntecedent), "{:?}", story.notes);
    assert!(story.assumptions.is_empty());
}

#[test]
fn the_expected_value_is_kept() {
    let text = format!(
        "{HEAD}int classify(int a) {{ if (a > 5) return 1; return 0; }}
        int classify_ref(int a) {{ if (a > 7) return 1; return 0; }}
        int main(void) {{ int a = nondet_int(); __CPROVER_assert(classify(a) == classify_ref(a), \"\"); }}"
    );
    let story = story_with(&text, &run(&[("a", 7)]));
    assert_eq!(story.assumptions[0].by, AssumedBy::Expected);
    assert_eq!(story.assumptions[0].text, "classify_ref(a) == 0");
    let a: i64 = story.passing.inputs[0].value.parse().unwrap();
    assert!(a <= 5, "{a}");
    assert_eq!(story.trusted, ["classify_ref", "main"]);
    assert!(story.deltas.iter().all(|delta| delta.place.function == "classify"), "{:?}", short(&story));
    assert!(short(&story).iter().any(|name| name.starts_with("a > 5")));
}

#[test]
fn no_run_keeps_the_expected_value() {
    let text = format!(
        "{HEAD}int same(int a) {{ int r = a; if (a == 7) r = 8; return r; }}
        int same_ref(int a) {{ return a; }}
        int main(void) {{ int a = nondet_int(); __CPROVER_assert(same(a) == same_ref(a), \"\"); }}"
    );
    let story = story_with(&text, &ExplainOptions::default());
    assert_eq!(story.failing.inputs[0].value, "7");
    assert!(story.notes.contains(&ExplanationNote::NoRunKeepsExpected), "{:?}", story.notes);
    assert!(story.assumptions.is_empty());
}

#[test]
fn a_slice_without_program_lines_is_not_shown() {
    // Never 1: only the expected value can change.
    let text = format!(
        "{HEAD}int sign(int a) {{ int r = 0; if (a == 5) r = 2; return r; }}
        int sign_ref(int a) {{ if (a > 0) return 1; return 0; }}
        int main(void) {{ int a = nondet_int(); __CPROVER_assert(sign(a) == sign_ref(a), \"\"); }}"
    );
    let story = story_with(&text, &run(&[("a", 1)]));
    assert!(story.slices.is_empty(), "{:?}", story.slices);
    assert_eq!(story.notes, [ExplanationNote::NoRunKeepsExpected, ExplanationNote::NothingOfProgram]);
}

#[test]
fn conditions_of_the_user() {
    let text = format!(
        "{HEAD}int main(void) {{\n  int a = nondet_int(), b = nondet_int();\n  int c = 0;\n  if (a > 3)\n    c = b;\n  __CPROVER_assert(c != 4, \"\");\n}}"
    );
    let given = [("a", 9), ("b", 4)];
    let at = |text: &str, line| Predicate { text: text.to_owned(), file: None, line };
    let story = story_with(&text, &ExplainOptions { assume: vec![at("a > 5", 4)], ..run(&given) });
    assert!(story.passing.inputs[0].value.parse::<i64>().unwrap() > 5);
    assert_ne!(story.passing.inputs[1].value, "4");
    assert_eq!(story.assumptions[0].by, AssumedBy::User);
    let story = story_with(&text, &ExplainOptions { assume: vec![at("b == 4", 6)], ..run(&given) });
    assert!(story.passing.inputs[0].value.parse::<i64>().unwrap() <= 3);
    // It also holds in the failing run.
    let options = ExplainOptions { assume: vec![at("a < 0", 4)], ..run(&given) };
    assert!(matches!(try_ask(&text, &options), Err(ExplainRefusal::InputsPass)));
    let options = ExplainOptions { assume: vec![at("unknown", 4)], ..ExplainOptions::default() };
    assert!(matches!(try_ask(&text, &options), Err(ExplainRefusal::Predicate { .. })));
}

#[test]
fn trust_can_be_said() {
    let text = format!(
        "{HEAD}int half(int a) {{ int r = a >> 1; if (a > 5) r = 0; return r; }}
        int check(int a, int r) {{ int twice = r + r; return twice == a || twice + 1 == a; }}
        int main(void) {{ int a = nondet_int(); if (a < 0) a = 0; if (a > 9) a = 9; int r = half(a); __CPROVER_assert(check(a, r), \"\"); }}"
    );
    let with = |trust| story_with(&text, &ExplainOptions { trust, ..run(&[("a", 8)]) });
    let of =
        |story: &Story, function: &str| story.deltas.iter().any(|delta| delta.place.function == function);
    let all = with(Trust::Nothing);
    assert!(all.trusted.is_empty() && of(&all, "main") && of(&all, "check") && of(&all, "half"));
    let some = with(Trust::These(vec!["check".to_owned()]));
    assert!(of(&some, "main") && !of(&some, "check") && of(&some, "half"));
    let automatic = with(Trust::Automatic);
    assert!(!of(&automatic, "main") && of(&automatic, "half"), "{:?}", short(&automatic));
    assert!(automatic.distance.upper < all.distance.upper);
}
