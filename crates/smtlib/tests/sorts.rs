//! One script per theory in `tests/sorts/`, each with the expected result of the analysis: the sort of every term, errors
//! and unknown symbols. `UPDATE_EXPECT=1` rewrites the expected files; a missing one is a failure.
#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_smtlib::{Analysis, NodeId, NodeRole, Script, SortId};
use nub_test_kit::{GoldenError, compare_golden};
use nub_text::LineIndex;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Longer terms are not listed.
const MAX_SHOWN: usize = 100;

fn describe(text: &[u8]) -> String {
    let (script, diagnostics) = Script::parse(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let analysis = script.analyse();
    let mut out = String::new();
    let mut seen = BTreeSet::new();
    for node in script.tree().nodes() {
        let line = describe_node(&script, &analysis, node);
        if let Some(line) = line.filter(|line| seen.insert(line.clone())) {
            writeln!(out, "{line}").unwrap();
        }
    }
    let lines = LineIndex::new(text);
    for error in analysis.errors() {
        let place = lines.place(error.span.start as usize);
        let hint = error.hint.as_deref().unwrap_or("no hint");
        writeln!(out, "error at {}:{}: {}; {hint}", place.line, place.column, error.message).unwrap();
    }
    for &node in analysis.unknown() {
        let place = lines.place(script.tree().span(node).start as usize);
        writeln!(out, "unknown at {}:{}: {}", place.line, place.column, show(&script, node)).unwrap();
    }
    out
}

fn show(script: &Script, node: NodeId) -> String {
    String::from_utf8_lossy(script.slice(node)).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn describe_node(script: &Script, analysis: &Analysis, node: NodeId) -> Option<String> {
    let sort_text = |sort: SortId| {
        let bytes = analysis.sort_text(script, sort, 1000).unwrap_or_else(|| b"?".to_vec());
        String::from_utf8(bytes).unwrap()
    };
    let shown = Some(show(script, node)).filter(|shown| shown.len() <= MAX_SHOWN)?;
    match analysis.role(node) {
        NodeRole::Term => Some(format!("{shown} : {}", sort_text(analysis.sort_of(node)?))),
        NodeRole::Name => {
            let decl = analysis.decl_of(node)?;
            let n_uses = analysis.uses(decl).len();
            Some(format!("{shown} declared as {:?}, used {n_uses} times", analysis.decl(decl).kind))
        }
        _ => None,
    }
}

fn check(input: &Path) -> Result<(), GoldenError> {
    compare_golden(&input.with_extension("expected"), describe(&std::fs::read(input).unwrap()))
}

#[test]
fn sorts_of_every_theory() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sorts");
    let mut inputs: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    inputs.retain(|path| path.extension().is_some_and(|extension| extension == "smt2"));
    inputs.sort();
    assert!(inputs.len() > 10, "the folder of inputs is there");
    let failures: Vec<String> =
        inputs.iter().filter_map(|input| check(input).err()).map(|error| error.to_string()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
