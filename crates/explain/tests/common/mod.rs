//! What the tests share: reading C and calling `explain`.

#![allow(clippy::unwrap_used, dead_code)] // Tests may stop; each test file uses a part of this.

pub mod generate;
pub mod model;

use nub_c_ir::{DataModel, Program};
use nub_explain::{ExplainOptions, ExplainRefusal, Explanation, ProgramSource, Story, explain};

/// A program from its text, which must have no findings.
#[track_caller]
pub fn program(text: &str) -> Program {
    let (unit, found) = nub_c_syntax::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?} in\n{text}");
    let (program, found) = nub_c_ir::lower(&unit, &DataModel::lp64());
    assert!(found.is_empty(), "{found:?} in\n{text}");
    program
}

/// Explains `main`, or `f` if there is none.
#[track_caller]
pub fn try_ask(text: &str, options: &ExplainOptions) -> Result<Explanation, ExplainRefusal> {
    let program = program(text);
    let function = program.function_by_name("main").or_else(|| program.function_by_name("f")).unwrap();
    explain(ProgramSource { program: &program, text: text.as_bytes(), file: "" }, function, options)
}

#[track_caller]
pub fn ask(text: &str) -> Explanation {
    try_ask(text, &ExplainOptions::default()).unwrap()
}

#[track_caller]
pub fn story(text: &str, inputs: &[(&str, i128)]) -> Story {
    let inputs = inputs.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    match try_ask(text, &ExplainOptions { inputs, ..ExplainOptions::default() }).unwrap() {
        Explanation::Explained(story) => *story,
        other => panic!("{other:?}"),
    }
}

/// The differences of a story in short: `x#2 1->0`.
pub fn short(story: &Story) -> Vec<String> {
    let one = |delta: &nub_explain::Delta| {
        format!("{}#{} {}->{}", delta.what, delta.version, delta.before, delta.after)
    };
    story.deltas.iter().map(one).collect()
}

/// Whether to test more than fits into the daily run.
#[allow(clippy::disallowed_methods)] // A test reads its own switch.
pub fn is_full() -> bool {
    std::env::var_os("NUB_FULL").is_some_and(|value| value == "1")
}
