//! Which solvers are installed, what `nub.toml` sets, and whether a registered program can be used for a
//! reduction.

use crate::answer::RequestRefusal;
use crate::api::Shared;
use crate::forms::Form;
use crate::launch::{self, Begin};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use nub_jobs::{DoctorJob, DoctorResult, JobEvent, JobRequest, JobResult, SETTING_KEYS};
use serde::Serialize;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// Which settings the configuration files contain, which file each is from, and which settings exist.
pub async fn settings(State(shared): State<Arc<Shared>>) -> Result<Response, RequestRefusal> {
    let settings = launch::context(&shared)?.settings;
    let set: Vec<_> = settings
        .iter()
        .map(|(key, setting)| json!({ "key": key, "value": setting.value, "file": setting.file, "line": setting.line }))
        .collect();
    let keys: Vec<_> =
        SETTING_KEYS.iter().map(|key| json!({ "name": key.name, "about": key.about })).collect();
    Ok(Json(json!({ "settings": set, "keys": keys })).into_response())
}

#[derive(Serialize)]
struct Diagnosis {
    text: String,
    is_fine: bool,
}

/// Which solvers are installed.
pub async fn installed(State(shared): State<Arc<Shared>>) -> Result<Response, RequestRefusal> {
    diagnose(&shared, DoctorJob::default()).await
}

/// Whether the program of a reduction fails on its file, in the same way each time.
pub async fn examine(
    State(shared): State<Arc<Shared>>,
    Json(form): Json<Form>,
) -> Result<Response, RequestRefusal> {
    let JobRequest::Reduce(job) = launch::request(&form, &shared, Path::new(""), Begin::New)? else {
        return Err(RequestRefusal::bad("only the program of a reduction can be examined"));
    };
    diagnose(&shared, DoctorJob { input: Some(job.input), command: job.command, oracle: job.oracle }).await
}

async fn diagnose(shared: &Shared, job: DoctorJob) -> Result<Response, RequestRefusal> {
    let context = launch::context(shared)?;
    let work = move || {
        let handle = nub_jobs::start(JobRequest::Doctor(Box::new(job)), context);
        let outputs = handle.events().iter().filter_map(|event| match event {
            JobEvent::Output(output) => Some(output.text),
            _ => None,
        });
        let text = String::from_utf8_lossy(&outputs.collect::<Vec<_>>().concat()).into_owned();
        handle.join().result.map(|result| (text, result))
    };
    let failed = |error: tokio::task::JoinError| {
        RequestRefusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    };
    let done = tokio::task::spawn_blocking(work).await.map_err(failed)?;
    let (text, result) =
        done.map_err(|failure| RequestRefusal::bad(failure.message).with_hint(failure.hint))?;
    let is_fine = matches!(result, JobResult::Doctor(DoctorResult::Fine));
    Ok(Json(Diagnosis { text, is_fine }).into_response())
}
