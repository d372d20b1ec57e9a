//! Reports as pages: the view of the workbench that shows a job, in one file that needs no server.
//!
//! A view asks for a file, its functions, a job and its events. A report has these answers inside ([`nub_page::ReportPage`]), so
//! it looks and works as the job does in `nub workbench`, except for what would start another one.

mod form;

pub use form::{JobForm, job_form};

use crate::c_program::outline;
use crate::context::JobContext;
use crate::handle::Job;
use crate::request::{ExplainJob, FunctionOptions, FuzzJob, JobRequest, ProgramOptions};
use crate::sanitize::sanitize;
use nub_page::{PageView, ReportPage};
use nub_report::fuzz::CampaignState;
use nub_report::{Document, JobEvent};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;

/// The job of a report.
const JOB: &str = "report";

/// What a report says of a C program.
pub(crate) struct CReport<'job> {
    pub job: &'job Job,
    pub request: JobRequest,
    pub program: &'job ProgramOptions,
    /// The file, and the function that was asked for.
    pub input: &'job Path,
    pub function: Option<&'job str>,
    /// The result, as `--json` has it.
    pub content: Value,
}

/// The page of a report about C.
pub(crate) fn c_page(view: PageView, title: &str, report: CReport<'_>) -> String {
    let CReport { job, request, program, input, function, content } = report;
    let name = sanitize(input.as_os_str().as_encoded_bytes());
    let of = request.kind().to_owned();
    let events = [JobEvent::Document(Document { of, content })];
    let mut page = base(view, title, &job.context, &request, &events)
        .param("file", &name)
        .answer(&["/api/file", &name], &text_of(input));
    // A file that cannot be read again has no functions to choose from, and the rest of the report is as good without.
    let functions = outline(input, program, &job.context).unwrap_or_default();
    let names: Vec<Value> =
        functions.iter().map(|found| json!({ "name": found.name, "line": found.line })).collect();
    page = page.answer(&["/api/functions", &name], &names);
    for found in functions.iter().filter(|found| function.is_none_or(|wanted| wanted == found.name)) {
        page = page.answer(&["/api/flow", &name, &found.name], found);
    }
    match function {
        Some(function) => page.param("function", function).html(),
        None => page.html(),
    }
}

/// The page of a campaign.
pub(crate) fn campaign_page(campaign: &CampaignState, request: &FuzzJob, context: &JobContext) -> String {
    let title = format!("{} bugs in {} inputs", campaign.groups.len(), campaign.inputs);
    let request = JobRequest::Fuzz(Box::new(request.clone()));
    base(PageView::Fuzz, &title, context, &request, &[JobEvent::Campaign(campaign.clone())]).html()
}

/// What every view asks.
fn base(
    view: PageView,
    title: &str,
    context: &JobContext,
    request: &JobRequest,
    events: &[JobEvent],
) -> ReportPage {
    let form = job_form(request);
    let lines: Vec<Value> =
        events.iter().filter_map(|event| serde_json::from_str(&event.to_line()).ok()).collect();
    let programs: Vec<Value> =
        form.programs.iter().map(|(name, command)| json!({ "name": name, "command": command })).collect();
    let session = json!({
        "version": env!("CARGO_PKG_VERSION"), "roots": [], "files": [], "examples": [], "programs": programs,
    });
    let summary =
        ReportedJob { id: JOB, kind: request.kind(), file: &form.file, phase: "done", form: &form.fields };
    ReportPage::new(view, title)
        .param("job", JOB)
        .answer(&["/api/session"], &session)
        .answer(&["/api/command"], &json!({ "line": context.command_line }))
        .answer(&[&format!("/api/jobs/{JOB}")], &summary)
        .answer(&[&format!("/api/jobs/{JOB}/lines")], &lines)
}

#[derive(Serialize)]
struct ReportedJob<'form> {
    id: &'static str,
    kind: &'static str,
    file: &'form str,
    phase: &'static str,
    form: &'form Value,
}

/// The text of a file for people. One that is gone is empty.
fn text_of(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
}

impl<'job> CReport<'job> {
    /// Coverage of a function.
    pub(crate) fn cover(
        job: &'job Job,
        request: &'job crate::request::CoverJob,
        report: &'job nub_cover::report::CoverReport,
    ) -> CReport<'job> {
        let FunctionOptions { input, .. } = &request.function;
        let content = serde_json::to_value(report).unwrap_or_default();
        let (program, function) = (&request.program, Some(report.function.as_str()));
        CReport {
            job,
            request: JobRequest::Cover(Box::new(request.clone())),
            program,
            input,
            function,
            content,
        }
    }

    /// An explanation.
    pub(crate) fn explain(
        job: &'job Job,
        request: &'job ExplainJob,
        report: &nub_explain::output::ExplainReport,
    ) -> CReport<'job> {
        let content = serde_json::to_value(report).unwrap_or_default();
        let (input, function) = (&request.input, request.function.as_deref());
        let asked = JobRequest::Explain(Box::new(request.clone()));
        CReport { job, request: asked, program: &request.program, input, function, content }
    }
}
