//! Small functions and their lowered form. `UPDATE_EXPECT=1` writes the expectations; a missing one fails.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use nub_c_ir::{DataModel, FunctionId, dump, lower, validate};
use nub_text::Severity;
use std::fmt::Write;
use std::path::Path;

fn describe(text: &[u8]) -> String {
    let (unit, syntax) = nub_c_syntax::parse(text);
    let (program, diagnostics) = lower(&unit, &DataModel::lp64());
    validate(&program).unwrap();
    let mut out = String::new();
    for found in syntax.iter().chain(&diagnostics) {
        let place = unit.source_map.place(found.span.start);
        let severity = if found.severity == Severity::Error { "error" } else { "warning" };
        writeln!(out, "{severity} {}:{}: {}", place.line, place.column, found.message).unwrap();
    }
    for (at, function) in program.functions.iter().enumerate() {
        let id = FunctionId(at as u32);
        if !function.is_model && !function.blocks.is_empty() {
            writeln!(out, "{}{}", dump::function(&program, id), dump::decisions(&program, id)).unwrap();
        }
    }
    out
}

#[test]
fn functions_become_what_is_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut inputs: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    inputs.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    inputs.sort();
    assert!(inputs.len() >= 10);
    for input in inputs {
        let found = describe(&std::fs::read(&input).unwrap());
        nub_test_kit::assert_golden(&input.with_extension("ir"), found);
    }
}
