//! A finished job as one file that needs no server: what `--html` writes.

use crate::answer::RequestRefusal;
use crate::api::Shared;
use crate::command_line::Names;
use crate::forms::Form;
use crate::job::Job;
use crate::launch;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use nub_jobs::{CoveredProgram, EndedJob, JobForm, ProgramOptions, ReducedFiles, ReducedResult};
use std::sync::Arc;

/// The page of a job, for saving. Sent as plain text, so that a browser does not open it from this server.
pub async fn page(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Response, RequestRefusal> {
    let job = shared.work.get(&id)?;
    if job.is_live() {
        return Err(RequestRefusal::bad("the job is still running; its page can be saved when it has ended"));
    }
    let made = tokio::task::spawn_blocking(move || html(&job, &shared)).await;
    let text = made.map_err(|error| RequestRefusal::bad(error.to_string()))??;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

fn html(job: &Job, shared: &Shared) -> Result<String, RequestRefusal> {
    let ended = ended(job, shared);
    match &job.form {
        Form::Reduce(form) => reduction(job, &ended, shared, &form.file),
        Form::Fuzz(_) => Ok(ended.campaign_page()),
        Form::Cover(form) => program(&ended, shared, &form.function),
        Form::Explain(form) => program(&ended, shared, &form.function),
        Form::Compare(form) => Ok(ended.comparison_page(&shared.roots.read(&form.file)?)),
        Form::Generate(_) => Err(RequestRefusal::bad("jobs of this kind have no page")),
    }
}

/// What the page of the workbench shows of a job.
fn ended(job: &Job, shared: &Shared) -> EndedJob {
    let line = |name: &str| launch::line_of(shared, name).unwrap_or_else(|_| name.to_owned());
    let programs = job.form.programs().into_iter().map(|name| (name.to_owned(), line(name))).collect();
    let events = job.lines_from(0);
    EndedJob {
        title: job.title(),
        form: JobForm {
            file: job.form.file().to_owned(),
            fields: serde_json::to_value(&job.form).unwrap_or_default(),
            programs,
        },
        command_line: job.command_line(shared),
        events: events.iter().filter_map(|line| serde_json::from_str(line).ok()).collect(),
    }
}

fn reduction(job: &Job, ended: &EndedJob, shared: &Shared, file: &str) -> Result<String, RequestRefusal> {
    let result = job.result(shared);
    let result = result.and_then(|name| Some(ReducedResult { text: shared.roots.read(&name).ok()?, name }));
    Ok(ended.reduction_page(&ReducedFiles {
        original: &shared.roots.read(file)?,
        result,
        history: &launch::history(job),
        read_step: &|name| launch::read_step(job, name),
    }))
}

fn program(ended: &EndedJob, shared: &Shared, function: &str) -> Result<String, RequestRefusal> {
    let input = shared.path(&ended.form.file)?;
    let function = Some(function).filter(|function| !function.is_empty());
    let program =
        CoveredProgram { input: std::path::Path::new(&input), options: &ProgramOptions::default(), function };
    Ok(ended.c_page(program, &launch::context(shared)?))
}
