//! From C text to reports, for all tests.

#![allow(dead_code)] // Not every test needs all of it.

use nub_c_ir::{Body, DataModel, FunctionId, Program, lower};
use nub_cover::describe::SourceQuotes;
use nub_cover::report::CoverReport;
use nub_cover::{CoverOptions, Error, cover};

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
