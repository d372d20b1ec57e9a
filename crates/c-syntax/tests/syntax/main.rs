//! The parser by its results: the text on the left is printed, with all parentheses, on the right.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod declarators;
mod depth;
mod expressions;
mod initializers;
mod places;
mod refusals;
mod statements;
mod typedef_names;
mod types;

use nub_c_syntax::{parse, print::print};
use nub_text::{Diagnostic, Severity};

/// Parses and prints `text`, which must be accepted without a finding.
#[track_caller]
fn printed(text: &str) -> String {
    let (unit, diagnostics) = parse(text.as_bytes());
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
    let printed = print(&unit);
    nub_c_syntax::check::check_parse(text.as_bytes());
    printed.trim_end().to_owned()
}

/// The expression `text`, as an initialiser.
#[track_caller]
fn expr(text: &str) -> String {
    let printed = printed(&format!("int x = {text};"));
    printed.strip_prefix("int x = ").and_then(|rest| rest.strip_suffix(';')).unwrap().to_owned()
}

/// The statements `text`, as the body of a function.
#[track_caller]
fn body(text: &str) -> String {
    let printed = printed(&format!("void f(void) {{ {text} }}"));
    printed.strip_prefix("void f(void) { ").and_then(|rest| rest.strip_suffix(" }")).unwrap().to_owned()
}

/// The first error of `text`, with the text it points at.
#[track_caller]
fn error(text: &str) -> (String, String) {
    let (unit, diagnostics) = parse(text.as_bytes());
    let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
    let error = diagnostics.iter().find(is_error).unwrap_or_else(|| panic!("accepted: {text}"));
    (error.message.clone(), String::from_utf8_lossy(unit.text(error.span)).into_owned())
}
