//! Mutants: states, kills and the fewest additional tests, compared with the compiler on all inputs.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_c_ir::{DataModel, Program, lower};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::mutants::{Mutation, ReadText, mutated};
use nub_cover::report::{CoverReport, MutantState, MutationReport};
use nub_cover::{CoverOptions, cover};
use nub_cover::{ExistingTest, GivenNumber};

fn program_of(text: &[u8]) -> Program {
    let (unit, found) = nub_c_syntax::parse(text);
    assert!(found.is_empty(), "{found:?}");
    lower(&unit, &DataModel::lp64()).0
}

fn report_with(text: &str, wanted: Option<usize>) -> CoverReport {
    let program = program_of(text.as_bytes());
    let read = ReadText::new(|text, _| Some(program_of(text)));
    let mutation = Some(Mutation { read, wanted });
    let options = CoverOptions {
        readings: vec![CriterionReading::new(Criterion::Mcdc)],
        mutation,
        ..CoverOptions::default()
    };
    let function = program.function_by_name("f").unwrap();
    cover(SourceQuotes { program: &program, text: text.as_bytes() }, function, &options).unwrap().remove(0)
}

fn report(text: &str) -> (CoverReport, MutationReport) {
    let report = report_with(text, Some(40));
    let mutation = report.mutation.clone().expect("mutants were asked for");
    (report, mutation)
}

fn state_of(mutation: &MutationReport, was: &str, now: &str) -> (MutantState, Option<String>) {
    let is_it = |mutant: &&nub_cover::report::MutantReport| mutant.was == was && mutant.now == now;
    let found = mutation.mutants.iter().find(is_it).unwrap_or_else(|| panic!("{was} {now}: {mutation:#?}"));
    (found.state, found.reason.clone())
}

#[test]
fn a_mutant_is_killed_or_equivalent() {
    let (report, mutation) =
        report("int f(int a, int b) { if (a > 3 && b == 7) return a * 2; return b & 0; }");
    assert_eq!(mutation.killed, mutation.differ, "{mutation:#?}");
    assert_eq!((mutation.undecided, mutation.more_tests), (0, 0), "{mutation:#?}");
    assert_eq!(state_of(&mutation, "a > 3", "a >= 3").0, MutantState::Killed);
    let (text, equivalent) = super_equivalent();
    assert_eq!(equivalent, MutantState::Equivalent, "{text}");
    assert_eq!(report.tests.len(), 3, "mutants cost no test");
}

fn super_equivalent() -> (&'static str, MutantState) {
    let text = "int f(unsigned a) { unsigned b = a & 3; if (b <= 7) return 1; return 0; }";
    let (_, mutation) = report(text);
    (text, state_of(&mutation, "7", "8").0)
}

#[test]
fn memory_globals_and_ends_are_compared() {
    let (_, mutation) = report("int g; void f(int *p, int a) { g = 1; if (p && a > 5) *p = a + 1; }");
    for (was, now) in [("g = 1;", ""), ("*p = a + 1;", ""), ("a + 1", "a - 1")] {
        assert_eq!(state_of(&mutation, was, now).0, MutantState::Killed, "{was}");
    }
    let (_, mutation) = report("void abort(void); int f(int a) { if (a > 5) abort(); return 0; }");
    assert_eq!(state_of(&mutation, "abort();", "").0, MutantState::Killed);
}

#[test]
fn statics_are_shared_with_the_mutant() {
    let (_, mutation) =
        report("int f(int a) { static int n = 3; n = n + a; if (n > 9) return n; return 0; }");
    assert_eq!(state_of(&mutation, "n = n + a;", "").0, MutantState::Killed, "{mutation:#?}");
    assert_eq!(state_of(&mutation, "3", "4").0, MutantState::Killed, "{mutation:#?}");
}

#[test]
fn undefined_behaviour_is_no_kill() {
    // Where b is 0 the mutant divides by zero; elsewhere both return.
    let (_, mutation) = report("int f(int a, int b) { if (b == 0) return 0; return a % 1 / b; }");
    let undefined: Vec<_> =
        mutation.mutants.iter().filter(|mutant| mutant.state == MutantState::Undefined).collect();
    assert!(!undefined.is_empty(), "{mutation:#?}");
    assert!(undefined.iter().all(|mutant| mutant.tests.is_empty()));
}

#[test]
fn values_notice_faults_without_being_asked() {
    let report = report_with("int f(int a, int b) { if (a > 10) return a - b; return 0; }", None);
    assert!(report.mutation.is_none());
    assert_eq!(report.tests.len(), 2);
    let inputs: Vec<Vec<&str>> = report
        .tests
        .iter()
        .map(|test| test.inputs.iter().map(|input| input.value.as_str()).collect())
        .collect();
    let values: Vec<&str> = inputs.iter().map(|inputs| inputs[0]).collect();
    assert!(values.contains(&"10") || values.contains(&"11"), "the boundary: {inputs:?}");
    assert!(inputs.iter().any(|inputs| inputs[1] != "0"), "a - b is not a + b: {inputs:?}");
}

/// Tests of the user kill mutants like any other.
#[test]
fn existing_tests_are_counted() {
    let text = "int f(int a, int b) { if (a > 3 && b == 7) return a * 2; return b & 0; }";
    let program = program_of(text.as_bytes());
    let read = ReadText::new(|text, _| Some(program_of(text)));
    let args =
        |args: [i128; 2]| ExistingTest { args: args.map(GivenNumber::Integer).to_vec(), named: Vec::new() };
    let options = CoverOptions {
        readings: vec![CriterionReading::new(Criterion::Mcdc)],
        mutation: Some(Mutation { read, wanted: Some(40) }),
        existing: vec![args([4, 7]), args([3, 7]), args([9, 8])],
        ..CoverOptions::default()
    };
    let function = program.function_by_name("f").unwrap();
    let source = SourceQuotes { program: &program, text: text.as_bytes() };
    let report = cover(source, function, &options).unwrap().remove(0);
    let mutation = report.mutation.unwrap();
    assert!(mutation.killed > 0, "{mutation:#?}");
    let found = mutation.mutants.iter().find(|mutant| mutant.was == "a * 2").unwrap();
    assert_eq!(found.tests, [1], "{mutation:#?}");
}

#[test]
fn places_are_those_of_the_source() {
    let found = mutated(b"# 7 \"x.c\"\nint f(int a) {\n  return a + 1;\n}\n", "f", 9).unwrap();
    assert_eq!((found.mutants[0].line, found.mutants[0].was.as_str()), (8, "a + 1"));
}

/// The interpreter is given lists, so it confirms what a test tells apart.
#[test]
fn mutants_of_a_function_on_a_list_are_decided() {
    let (_, mutation) = report(
        "struct node { int value; struct node *next; };
        int f(struct node *n) { if (!n || !n->next) return 0; return n->value < n->next->value ? 1 : 2; }",
    );
    assert_eq!(mutation.undecided, 0, "{mutation:#?}");
    assert!(mutation.killed >= 5 && mutation.killed == mutation.differ, "{mutation:#?}");
}
