//! Writes the requested files, whose kind is determined by their names.

use crate::c_program::include_name;
use crate::failure::Failure;
use crate::handle::Job;
use crate::pages::{CoveredProgram, EndedJob};
use crate::request::{CoverJob, JobRequest, TestHarness};
use nub_cover::output;
use nub_cover::report::CoverReport;
use nub_report::cover::cover_json;
use nub_report::{Document, JobEvent};
use nub_store::{RealFs, commit};
use std::path::Path;

/// Writes all files.
pub fn write_all(request: &CoverJob, reports: &[CoverReport], job: &Job) -> Result<(), Failure> {
    let events = &job.events;
    for path in &request.out {
        let text = text_for(request, path, reports, job)?;
        commit(&RealFs, path, text.as_bytes())?;
        events.file(path);
    }
    if let (Some(path), Some(report)) = (&request.html, reports.first()) {
        commit(&RealFs, path, page(request, report, job).as_bytes())?;
        events.file(path);
    }
    if let Some(folder) = &request.folder {
        let path = folder.join("report.json");
        commit(&RealFs, &path, cover_json(reports).as_bytes())?;
        events.file(&path);
    }
    Ok(())
}

/// Refuses names without a known kind, before the search.
pub fn check_names(request: &CoverJob) -> Result<(), Failure> {
    for path in &request.out {
        if kind(path).is_none() {
            let message = format!("the name of {} does not say what to write", path.display());
            let hint = "a name that ends in .c, .json, .csv, .md, .html or .txt, or is CMakeLists.txt";
            return Err(Failure::usage(message).with_hint(hint));
        }
    }
    let has_other = request.html.is_some() || request.out.iter().any(|path| kind(path) != Some("json"));
    if has_other && request.function.criterion.len() > 1 {
        return Err(Failure::usage("--out and --html are for one criterion, except for JSON"));
    }
    Ok(())
}

fn kind(path: &Path) -> Option<&str> {
    if path.file_name()? == "CMakeLists.txt" {
        return Some("cmake");
    }
    let extension = path.extension()?.to_str()?;
    ["c", "json", "csv", "md", "html", "txt"].contains(&extension).then_some(extension)
}

fn text_for(request: &CoverJob, path: &Path, reports: &[CoverReport], job: &Job) -> Result<String, Failure> {
    let input = &request.function.input;
    let Some(report) = reports.first() else { return Ok(String::new()) };
    Ok(match kind(path) {
        Some("json") => cover_json(reports),
        Some("csv") => output::csv(report),
        Some("md") => output::markdown(report),
        Some("c") => c_text(request.harness, report, &include_name(input, path)),
        Some("cmake") => {
            let c_file = request.out.iter().find(|path| kind(path) == Some("c"));
            let c_file =
                c_file.ok_or_else(|| Failure::usage("CMakeLists.txt needs a C file: --out tests.c"))?;
            output::ctest(report, &include_name(c_file, path))
        }
        Some("html") => page(request, report, job),
        _ => output::table(report),
    })
}

/// The page, as the workbench shows the job.
fn page(request: &CoverJob, report: &CoverReport, job: &Job) -> String {
    let title = format!("{}: {}", report.function, report.criterion);
    let content = serde_json::to_value(report).unwrap_or_default();
    let events = [JobEvent::Document(Document { of: "cover".to_owned(), content })];
    let asked = JobRequest::Cover(Box::new(request.clone()));
    let program = CoveredProgram {
        input: &request.function.input,
        options: &request.program,
        function: Some(&report.function),
    };
    EndedJob::new(&title, &asked, &job.context, &events).c_page(program, &job.context)
}

/// The C file.
pub fn c_text(harness: TestHarness, report: &CoverReport, source: &str) -> String {
    match harness {
        TestHarness::Plain => output::c_file(report, source),
        TestHarness::Unity => output::unity(report, source),
    }
}
