//! Writes the requested files: SARIF, HTML and C tests.

use crate::c_program::include_name;
use crate::failure::Failure;
use crate::handle::Job;
use crate::pages::{CoveredProgram, EndedJob};
use crate::request::{ExplainJob, JobRequest};
use nub_explain::Explanation;
use nub_explain::output::{ExplainReport, sarif};
use nub_harness::{Ending, TestSuite, c_file};
use nub_report::explain::explain_json;
use nub_report::{Document, JobEvent};
use nub_store::{RealFs, commit, create_folder};
use std::path::Path;

/// Writes all files.
pub fn write_all(
    request: &ExplainJob,
    report: &ExplainReport,
    suite: &TestSuite,
    job: &Job,
) -> Result<(), Failure> {
    let write = |path: &Path, text: String| -> Result<(), Failure> {
        commit(&RealFs, path, text.as_bytes())?;
        job.events.file(path);
        Ok(())
    };
    if let Some(path) = &request.output.sarif {
        write(path, sarif(report))?;
    }
    if let Some(path) = &request.output.html {
        write(path, page(request, report, job))?;
    }
    if let Some(folder) = &request.folder {
        write(&folder.join("report.json"), explain_json(report))?;
    }
    if let Some(folder) = &request.output.tests {
        tests(&request.input, folder, suite)?;
    }
    Ok(())
}

/// One file per run, which exits with 0 if the run ends as expected.
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

/// The page: what the workbench shows of the job.
fn page(request: &ExplainJob, report: &ExplainReport, job: &Job) -> String {
    let content = serde_json::to_value(report).unwrap_or_default();
    let events = [JobEvent::Document(Document { of: "explain".to_owned(), content })];
    let asked = JobRequest::Explain(Box::new(request.clone()));
    let program = CoveredProgram {
        input: &request.input,
        options: &request.program,
        function: request.function.as_deref(),
    };
    EndedJob::new(&title(report), &asked, &job.context, &events).c_page(program, &job.context)
}

/// What failed.
fn title(report: &ExplainReport) -> String {
    match &report.explanation {
        Explanation::Explained(story) => story.property.text.clone(),
        Explanation::NoPassingRun { property, .. } => property.text.clone(),
        _ => "Nothing fails".to_owned(),
    }
}
