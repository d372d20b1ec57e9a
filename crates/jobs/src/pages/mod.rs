//! Reports as pages: the view of the workbench that shows a job, in one file that needs no server.
//!
//! A view asks for a file, its functions, a job and its events. A report has these answers inside ([`nub_page::ReportPage`]), so
//! it looks and works like the job in `nub workbench`, except for controls that would start another job.

mod form;
mod reduction;
mod steps;

pub use form::{JobForm, job_form};
pub use reduction::{ReducedFiles, ReducedResult};

use crate::c_program::outline;
use crate::context::JobContext;
use crate::request::{JobRequest, ProgramOptions};
use nub_page::{PageView, ReportPage};
use nub_report::JobEvent;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;

/// The job of a report.
const JOB: &str = "report";

/// A job that has ended, with what every page shows.
#[derive(Clone, Debug)]
pub struct EndedJob {
    /// The title of the page.
    pub title: String,
    /// The request, as the page's forms show it.
    pub form: JobForm,
    /// The command line that started the job, or an equivalent one.
    pub command_line: String,
    /// Its events, as `--json` prints them.
    pub events: Vec<Value>,
}

/// The C program that a job is about.
#[derive(Clone, Copy, Debug)]
pub struct CoveredProgram<'job> {
    /// The file.
    pub input: &'job Path,
    /// How it is read.
    pub options: &'job ProgramOptions,
    /// The function that was asked for.
    pub function: Option<&'job str>,
}

impl EndedJob {
    /// A job of this process that has ended.
    pub(crate) fn new(
        title: &str,
        request: &JobRequest,
        context: &JobContext,
        events: &[JobEvent],
    ) -> EndedJob {
        let value = |event: &JobEvent| serde_json::from_str(&event.to_line()).ok();
        EndedJob {
            title: title.to_owned(),
            form: job_form(request),
            command_line: context.command_line.clone(),
            events: events.iter().filter_map(value).collect(),
        }
    }

    /// The page of coverage or of an explanation.
    pub fn c_page(&self, program: CoveredProgram<'_>, context: &JobContext) -> String {
        let CoveredProgram { input, options, function } = program;
        let name = &self.form.file;
        let mut page =
            self.base().param("file", name).answer(&["/api/file", name], &lossy(&read_or_empty(input)));
        // If the file cannot be read again, the list of functions is empty, and the rest of the report is complete.
        let functions = outline(input, options, context).unwrap_or_default();
        let names: Vec<Value> =
            functions.iter().map(|found| json!({ "name": found.name, "line": found.line })).collect();
        page = page.answer(&["/api/functions", name], &names);
        for found in functions.iter().filter(|found| function.is_none_or(|wanted| wanted == found.name)) {
            page = page.answer(&["/api/flow", name, &found.name], found);
        }
        match function {
            Some(function) => page.param("function", function).html(),
            None => page.html(),
        }
    }

    /// The page of a campaign.
    pub fn campaign_page(&self) -> String {
        self.base().html()
    }

    fn kind(&self) -> &str {
        self.form.fields["kind"].as_str().unwrap_or_default()
    }

    fn view(&self) -> PageView {
        match self.kind() {
            "cover" => PageView::Cover,
            "explain" => PageView::Explain,
            "fuzz" => PageView::Fuzz,
            _ => PageView::Reduce,
        }
    }

    /// The answers that every view needs.
    fn base(&self) -> ReportPage {
        self.base_with(None)
    }

    /// The same, for a job that wrote a file.
    fn base_with(&self, result: Option<&str>) -> ReportPage {
        let form = &self.form;
        let programs: Vec<Value> =
            form.programs.iter().map(|(name, command)| json!({ "name": name, "command": command })).collect();
        let session = json!({
            "version": env!("CARGO_PKG_VERSION"), "roots": [], "files": [], "examples": [], "programs": programs,
        });
        let summary = ReportedJob {
            id: JOB,
            kind: self.kind(),
            file: &form.file,
            phase: "done",
            form: &form.fields,
            result,
        };
        ReportPage::new(self.view(), &self.title)
            .param("job", JOB)
            .answer(&["/api/session"], &session)
            .answer(&["/api/command"], &json!({ "line": self.command_line }))
            .answer(&[&format!("/api/jobs/{JOB}")], &summary)
            .answer(&[&format!("/api/jobs/{JOB}/lines")], &self.events)
    }
}

#[derive(Serialize)]
struct ReportedJob<'form> {
    id: &'static str,
    kind: &'form str,
    file: &'form str,
    phase: &'static str,
    form: &'form Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'form str>,
}

/// The bytes of a file; empty if it is gone.
fn read_or_empty(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_default()
}

/// Bytes as text, with invalid UTF-8 replaced.
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
