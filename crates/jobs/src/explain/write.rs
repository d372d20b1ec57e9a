//! Files that are asked for: SARIF, HTML and C tests.

use crate::c_program::include_name;
use crate::events::EventSink;
use crate::failure::Failure;
use crate::request::ExplainJob;
use nub_explain::Explanation;
use nub_explain::output::{ExplainReport, SourceFile, html, json, sarif};
use nub_harness::{Ending, TestSuite, c_file};
use nub_store::{RealFs, commit, create_folder};
use std::collections::BTreeSet;
use std::path::Path;

/// Writes all files.
pub fn write_all(
    request: &ExplainJob,
    report: &ExplainReport,
    suite: &TestSuite,
    events: &EventSink,
) -> Result<(), Failure> {
    let write = |path: &Path, text: String| -> Result<(), Failure> {
        commit(&RealFs, path, text.as_bytes())?;
        events.file(path);
        Ok(())
    };
    if let Some(path) = &request.output.sarif {
        write(path, sarif(report))?;
    }
    if let Some(path) = &request.output.html {
        write(path, html(report, &files(report)))?;
    }
    if let Some(folder) = &request.folder {
        write(&folder.join("report.json"), json(report))?;
    }
    if let Some(folder) = &request.output.tests {
        tests(&request.input, folder, suite)?;
    }
    Ok(())
}

/// One file per run, that exits with 0 if the run ends as it does here.
fn tests(input: &Path, folder: &Path, suite: &TestSuite) -> Result<(), Failure> {
    create_folder(&RealFs, folder)?;
    for case in &suite.cases {
        let name = if case.ending == Ending::Returns { "passes.c" } else { "fails.c" };
        let path = folder.join(name);
        let alone = TestSuite { cases: vec![case.clone()], ..suite.clone() };
        commit(&RealFs, &path, c_file(&alone, &include_name(input, &path)).as_bytes())?;
    }
    Ok(())
}

/// The files that the report names, in the order of their names. Those that cannot be read, such as `<built-in>`, are left out.
fn files(report: &ExplainReport) -> Vec<SourceFile> {
    let Explanation::Explained(story) = &report.explanation else { return Vec::new() };
    let places = story.deltas.iter().map(|delta| &delta.place).chain([&story.property.place]);
    let ranked = report.ranking.iter().flat_map(|ranking| &ranking.lines).map(|line| line.file.as_str());
    let names: BTreeSet<&str> = places.map(|place| place.file.as_str()).chain(ranked).collect();
    let read = |name: &str| {
        let bytes = std::fs::read(name).ok()?;
        let lines = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
        Some(SourceFile { name: name.to_owned(), lines })
    };
    names.into_iter().filter_map(read).collect()
}
