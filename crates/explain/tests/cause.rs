//! Causal dependence of a failure on a predicate.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::program;
use nub_explain::{Causal, CausalAnswer, ExplainOptions, ExplainRefusal, Predicate, ProgramSource, cause};

const TEXT: &str = "int nondet_int(void); void __CPROVER_assert(int, const char *);
int main(void) {
  int fuel = nondet_int(), colour = nondet_int();
  int speed = 0;
  if (fuel > 3)
    speed = 9;
  __CPROVER_assert(speed < 5, \"\");
}";

fn ask(text: &str, predicate: &str, line: u32) -> Result<Causal, ExplainRefusal> {
    let program = program(text);
    let main = program.function_by_name("main").unwrap();
    let source = ProgramSource { program: &program, text: text.as_bytes(), file: "" };
    let predicate = Predicate { text: predicate.to_owned(), file: None, line };
    cause(source, main, &predicate, &ExplainOptions::default())
}

#[test]
fn a_cause() {
    let found = ask(TEXT, "fuel > 3", 5).unwrap();
    assert_eq!(found.answer, CausalAnswer::Dependent, "{}", found.sentence());
    // Without the predicate no run fails.
    assert!(found.without_cause.is_none());
    assert_eq!(found.without_both.unwrap().distance.upper, 3);
    assert_eq!(found.property.unwrap().id, "main.assertion.1");
}

#[test]
fn no_cause() {
    // With another colour it still fails, one value away. Without the colour and the failure, the closest run is further away.
    let found = ask(TEXT, "colour == 0", 5).unwrap();
    assert_eq!(found.answer, CausalAnswer::Independent, "{}", found.sentence());
    let (both, alone) = (found.without_both.unwrap(), found.without_cause.unwrap());
    assert_eq!((both.distance.upper, alone.distance.upper), (4, 1));
    assert!(both.run.is_replayed && alone.run.is_replayed);
}

#[test]
fn a_cause_that_is_not_the_only_one() {
    // Either value is enough, and both are above 3 in the failing run: neither alone is a cause.
    let text = "int nondet_int(void); void __CPROVER_assert(int, const char *);
int main(void) {
  int a = nondet_int(), b = nondet_int();
  int speed = 0;
  if (a > 3 || b > 3)
    speed = 9;
  __CPROVER_assert(speed < 5, \"\");
}";
    let program = program(text);
    let main = program.function_by_name("main").unwrap();
    let source = ProgramSource { program: &program, text: text.as_bytes(), file: "" };
    let predicate = Predicate { text: "a > 3".to_owned(), file: None, line: 5 };
    let ask = |b: i128| {
        let inputs = vec![("a".to_owned(), 9), ("b".to_owned(), b)];
        cause(source, main, &predicate, &ExplainOptions { inputs, ..ExplainOptions::default() }).unwrap()
    };
    assert_eq!(ask(9).answer, CausalAnswer::Independent);
    assert_eq!(ask(0).answer, CausalAnswer::Dependent);
}

#[test]
fn never_together() {
    let found = ask(TEXT, "fuel < 3", 5).unwrap();
    assert_eq!(found.answer, CausalAnswer::NeverTogether);
    assert!(found.sentence().contains("No run fails while `fuel < 3` is true"));
}

#[test]
fn wrong_questions() {
    for (predicate, line) in [("fuel", 1), ("fuel", 99), ("petrol", 5), ("fuel >", 5), ("", 5)] {
        assert!(
            matches!(ask(TEXT, predicate, line), Err(ExplainRefusal::Predicate { .. })),
            "{predicate} {line}"
        );
    }
}
