//! From C text to reports, for all tests.

#![allow(dead_code)] // Not every test needs all of it.

use nub_c_ir::{Body, DataModel, FunctionId, Program, lower};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::{CoverReport, GoalReport};
use nub_cover::{CoverOptions, Error, cover};
use nub_unroll::Aliases;

/// The program, and its first function with a body.
pub fn program(text: &str) -> (Program, FunctionId) {
    let (unit, found) = nub_c_syntax::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?}\n{text}");
    let (program, _) = lower(&unit, &DataModel::lp64());
    let has_body =
        |function: &nub_c_ir::Function| matches!(function.body, Body::Defined) && !function.is_model;
    let first = program.functions.iter().position(has_body).expect("a function with a body");
    (program, FunctionId(first as u32))
}

/// A report for each reading, about `f` if it exists, otherwise about the first function.
pub fn try_cover(text: &str, options: &CoverOptions) -> Result<Vec<CoverReport>, Error> {
    let (program, first) = program(text);
    let function = program.function_by_name("f").unwrap_or(first);
    cover(SourceQuotes { program: &program, text: text.as_bytes() }, function, options)
}

/// The report for the only reading.
pub fn with_options(text: &str, options: &CoverOptions) -> Result<CoverReport, Error> {
    try_cover(text, options).map(|mut reports| reports.remove(0))
}

/// Checks which goals of the function `f` are not covered.
#[track_caller]
pub fn check_missing(text: &str, expected: &[&str]) {
    assert_eq!(missing(text), expected, "{text}");
}

/// Goals of the function `f` that are not covered: what they require, their state, and what that depends on.
pub fn missing(text: &str) -> Vec<String> {
    let mut options = CoverOptions {
        readings: vec![CriterionReading::new(Criterion::Decision)],
        ..CoverOptions::default()
    };
    options.unroll.pointers.may_be_null = true;
    options.unroll.pointers.aliases = Aliases::SameType;
    let (mut program, first) = program(text);
    let f = program.function_by_name("f").unwrap_or(first);
    program.supply_missing(f);
    let source = SourceQuotes { program: &program, text: text.as_bytes() };
    let report = cover(source, f, &options).unwrap().remove(0);
    let open = report.goals.iter().filter(|goal| goal.state.word() != "covered");
    open.map(|goal: &GoalReport| {
        let premises: Vec<&str> = goal.premises.iter().map(|premise| premise.text.as_str()).collect();
        format!("{} {}: {} {}", goal.text, goal.wanted, goal.state, premises.join(", ")).trim_end().to_owned()
    })
    .collect()
}
