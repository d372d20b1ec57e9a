//! Small programs with a known verdict: does the front end read C as compilers do? The first line of each file has the expected verdict.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // A test may stop at what it does not expect, and reads its files.

use nub_c_ir::{CheckKind, DataModel, lower};
use nub_cover::verdict::{CoverVerdict, Question, verdict};
use nub_sat::SatLimits;
use nub_unroll::{AllocationModel, Uninitialised, UnrollConfig};
use std::path::Path;

fn question() -> Question {
    use CheckKind::{Bounds, DivisionByZero, Free, Null, Overflow, Pointer, ShiftAmount, ShiftBase};
    let rules = vec![Overflow, ShiftAmount, ShiftBase, DivisionByZero, Bounds, Null, Pointer, Free];
    let unroll = UnrollConfig { unwind: 2, uninitialised: Uninitialised::Input, ..UnrollConfig::default() };
    Question { rules, switched_off: Vec::new(), unroll, max_unwind: 16 }
}

fn answer(text: &str, question: &Question) -> String {
    let (unit, found) = nub_c_syntax::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?}");
    let (program, found) = lower(&unit, &DataModel::lp64());
    assert!(found.is_empty(), "{found:?}");
    let main = program.function_by_name("main").unwrap();
    match verdict(&program, main, question, &SatLimits::none()) {
        CoverVerdict::Holds => "holds".to_owned(),
        CoverVerdict::Fails(what, line) => format!("fails: {what} in line {line}"),
        CoverVerdict::BeyondBound => "beyond the bound".to_owned(),
        CoverVerdict::Refused(found) => format!("refused: {}", found[0].message),
        other => format!("{other:?}"),
    }
}

#[test]
fn programs_with_a_known_verdict() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let expected = text.lines().next().unwrap().trim_start_matches("// ").to_owned();
        let found = answer(&text, &question());
        if found != expected {
            wrong.push(format!("{}: {found}, and not {expected}", file.file_name().unwrap().display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files.len() >= 27, "files are missing");
}

/// No object is larger than half of the address space: that `malloc` succeeds for any size is an assumption, and it is used only on request.
#[test]
fn allocations_of_any_size_succeed_if_that_is_assumed() {
    let text = "typedef unsigned long size_t; void *malloc(size_t); size_t nondet_size(void); void __CPROVER_assert(int, const char *);
int main(void) { size_t n = nondet_size(); char *p = malloc(n); __CPROVER_assert(p != 0, \"memory\"); return 0; }";
    assert_eq!(answer(text, &question()), "fails: memory in line 2");
    let mut assumed = question();
    assumed.unroll.allocations = AllocationModel::Succeed;
    assert_eq!(answer(text, &assumed), "holds");
    let wrong = text.replace("p != 0", "p == 0");
    assert_eq!(answer(&wrong, &assumed), "fails: memory in line 2");
}

/// A rule that is switched off and violated leaves no verdict, unless a run that respects it violates something else.
#[test]
fn what_breaks_a_rule_that_is_switched_off_has_no_verdict() {
    let mut question = question();
    question.rules.retain(|rule| *rule != CheckKind::Bounds);
    question.switched_off.push(CheckKind::Bounds);
    let program = |condition: &str| {
        format!(
            "int nondet_int(void); void __CPROVER_assert(int, const char *);
int main(void) {{ int a[3] = {{ 0 }}; int i = nondet_int(); if ({condition}) return 0;
a[i] = 1; __CPROVER_assert(a[0] == 0, \"first\"); return 0; }}"
        )
    };
    assert_eq!(answer(&program("i < 1 || i > 2"), &question), "holds");
    assert_eq!(answer(&program("i < 0 || i > 2"), &question), "fails: first in line 3");
    let refused = "refused: a rule that is not checked may be violated in line 3: an index out of bounds";
    assert_eq!(answer(&program("i < 1 || i > 3"), &question), refused);
}
