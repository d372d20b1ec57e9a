//! Jobs as the page sees them: starting, stopping, and the stream of events.

use crate::answer::RequestRefusal;
use crate::api::Shared;
use crate::forms::Form;
use crate::job::{Job, Summary};
use crate::launch::{self, Begin};
use crate::work::Action;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Maximum number of lines in one message, so that a long job is not one long message.
const BATCH: usize = 2_000;
/// Time for which changes are collected: a page is redrawn only a few times per second.
const GATHER: Duration = Duration::from_millis(60);

/// All jobs, the newest first.
pub async fn list(State(shared): State<Arc<Shared>>) -> Response {
    Json(shared.work.list()).into_response()
}

/// Starts a job.
pub async fn start(
    State(shared): State<Arc<Shared>>,
    Json(form): Json<Form>,
) -> Result<Response, RequestRefusal> {
    // Refused before anything is written.
    launch::request(&form, &shared, std::path::Path::new(""), Begin::New)?;
    let make = |folder: &std::path::Path| launch::request(&form, &shared, folder, Begin::New);
    let job = shared.work.start(form.clone(), launch::context(&shared)?, make)?;
    Ok(Json(job.summary()).into_response())
}

#[derive(Serialize)]
struct JobJson<'job> {
    #[serde(flatten)]
    summary: Summary,
    form: &'job Form,
    command: String,
    /// The result of a reduction, if there is one.
    result: Option<String>,
}

/// One job: its form and its state.
pub async fn show(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Response, RequestRefusal> {
    let job = shared.work.get(&id)?;
    let (command, result) = (job.command_line(&shared), job.result(&shared));
    Ok(Json(JobJson { summary: job.summary(), form: &job.form, command, result }).into_response())
}

/// The first line to send.
#[derive(Deserialize)]
pub struct From {
    #[serde(default)]
    from: usize,
}

/// All events of a job so far, as a list.
pub async fn lines(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Query(from): Query<From>,
) -> Result<Response, RequestRefusal> {
    let lines = shared.work.get(&id)?.lines_from(from.from);
    Ok(([(header::CONTENT_TYPE, "application/json")], format!("[{}]", lines.join(","))).into_response())
}

/// The file after an accepted step of a reduction, from 0.
pub async fn step(
    State(shared): State<Arc<Shared>>,
    Path((id, step)): Path<(String, u64)>,
) -> Result<Response, RequestRefusal> {
    let job = shared.work.get(&id)?;
    let bytes = launch::step(&job, step).ok_or_else(|| RequestRefusal::missing("there is no such step"))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], bytes).into_response())
}

/// Stops, pauses or resumes a job.
pub async fn act(
    State(shared): State<Arc<Shared>>,
    Path((id, action)): Path<(String, String)>,
) -> Result<Response, RequestRefusal> {
    let action = match action.as_str() {
        "stop" => Action::Stop,
        "pause" => Action::Pause,
        "resume" => Action::Resume,
        "continue" => {
            let make = |job: &Job| launch::request(&job.form, &shared, &job.folder, Begin::Resumed);
            let job = shared.work.go_on(&id, launch::context(&shared)?, make)?;
            return Ok(Json(job.summary()).into_response());
        }
        _ => return Err(RequestRefusal::missing("a job can be stopped, paused and resumed")),
    };
    shared.work.act(&id, action)?;
    Ok(Json(shared.work.get(&id)?.summary()).into_response())
}

/// Which job to follow, if any.
#[derive(Deserialize)]
pub struct Followed {
    job: Option<String>,
    #[serde(default)]
    from: usize,
}

/// A listener: the list of jobs, and the lines of one job.
struct Listener {
    list: watch::Receiver<u64>,
    job: Option<(Arc<Job>, watch::Receiver<u64>, usize)>,
    ready: Vec<Event>,
    is_first: bool,
}

/// Changes as they happen. One stream per page, since browsers open few connections to one host.
pub async fn events(
    State(shared): State<Arc<Shared>>,
    Query(followed): Query<Followed>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, RequestRefusal> {
    let job = match &followed.job {
        Some(id) => {
            let job = shared.work.get(id)?;
            let watch = job.watch();
            Some((job, watch, followed.from))
        }
        None => None,
    };
    let list = shared.work.watch();
    let listener = Listener { list, job, ready: Vec::new(), is_first: true };
    let events = stream::unfold(listener, |mut listener| async move {
        let event = listener.next().await;
        Some((Ok(event), listener))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

impl Listener {
    async fn next(&mut self) -> Event {
        loop {
            if let Some(event) = self.ready.pop() {
                return event;
            }
            if std::mem::take(&mut self.is_first) {
                self.gather_list();
                self.gather_lines();
                continue;
            }
            let is_list = match &mut self.job {
                None => {
                    // The sender lives as long as the server.
                    let _ = self.list.changed().await;
                    true
                }
                Some((_, job, _)) => tokio::select! {
                    _ = self.list.changed() => true,
                    _ = job.changed() => false,
                },
            };
            tokio::time::sleep(GATHER).await;
            if is_list {
                self.gather_list();
            }
            self.gather_lines();
        }
    }

    fn gather_list(&mut self) {
        self.list.mark_unchanged();
        self.ready.push(Event::default().event("jobs").data("changed"));
    }

    fn gather_lines(&mut self) {
        let Some((job, watch, from)) = &mut self.job else { return };
        watch.mark_unchanged();
        let lines = job.lines_from(*from);
        let summary = serde_json::to_string(&job.summary()).unwrap_or_default();
        // `ready` is a stack: the summary comes after the lines.
        let mut made = Vec::new();
        for batch in lines.chunks(BATCH) {
            let data = format!(r#"{{"from":{from},"lines":[{}]}}"#, batch.join(","));
            *from += batch.len();
            made.push(Event::default().event("lines").data(data));
        }
        made.extend(job.latest_progress().map(|line| Event::default().event("progress").data(line.as_ref())));
        made.push(Event::default().event("job").data(summary));
        self.ready.extend(made.into_iter().rev());
    }
}
