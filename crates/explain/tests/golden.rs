//! A whole report as it is printed. `UPDATE_EXPECT=1` writes the expectation; a missing one fails.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // A test may stop, reads its own switch and writes its expectation.

mod common;

use nub_explain::output::{Compiled, Detail, ExplainReport, report_text};
use nub_explain::{ExplainOptions, Explanation, ProgramSource, explain};
use nub_repair::{Macros, RepairSettings, rank};
use std::path::Path;

/// The report of a program of the folder `programs`, without the compiled program.
fn report(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let program = common::program(&text);
    let main = program.function_by_name("main").unwrap();
    let source = ProgramSource { program: &program, text: text.as_bytes(), file: name };
    let found = explain(source, main, &ExplainOptions::default()).unwrap();
    let Explanation::Explained(story) = &found else { panic!("{found:?}") };
    let settings = RepairSettings { first: Some(story.failing.values.clone()), ..RepairSettings::default() };
    let ranking = rank(source, main, &Macros::new(&[]), &settings).unwrap();
    let compiled = Compiled::NotRun("this is a test".to_owned());
    report_text(&ExplainReport { ranking, ..ExplainReport::new(found, compiled) }, Detail::default())
}

#[test]
fn reports() {
    for name in ["two_routes.c", "extremes.c", "lock.c", "list.c", "cursor.c"] {
        let found = report(name);
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name).with_extension("txt");
        nub_test_kit::assert_golden(&path, found);
    }
}
