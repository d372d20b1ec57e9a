//! The console: a registered program on the open file.

use crate::answer::RequestRefusal;
use crate::api::Shared;
use crate::limits;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use nub_process::{Cancel, ChildInput, Command, ProcessEnd, ProcessLimits, ProcessOutcome, Runner};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// A request to run a registered program on a file.
#[derive(Deserialize)]
pub struct Call {
    program: String,
    path: String,
}

#[derive(Serialize)]
struct Shown {
    command: String,
    end: String,
    stdout: String,
    stderr: String,
    is_cut: bool,
    seconds: f64,
}

/// Runs the program, and says what it printed and how it ended.
pub async fn run(
    State(shared): State<Arc<Shared>>,
    Json(call): Json<Call>,
) -> Result<Response, RequestRefusal> {
    let path = shared.roots.path(&call.path)?;
    let words = shared.program(&call.program)?.command.clone();
    let words = with_file(&words, &path);
    let folder = path.parent().map(Path::to_owned);
    let command = Command {
        program: words[0].clone(),
        args: words[1..].to_vec(),
        folder,
        env: Vec::new(),
        input: ChildInput::Null,
    };
    let limits = ProcessLimits {
        wall: Some(limits::CONSOLE_TIME),
        keep_output: limits::CONSOLE_BYTES,
        ..ProcessLimits::default()
    };
    let run = move || {
        Runner::new().map_err(|error| error.to_string()).and_then(|runner| {
            runner.run(&command, &limits, &Cancel::new()).map_err(|error| error.to_string())
        })
    };
    let ended = tokio::task::spawn_blocking(run).await;
    let failed = |message: String| RequestRefusal::new(StatusCode::INTERNAL_SERVER_ERROR, message);
    let outcome = ended.map_err(|error| failed(error.to_string()))?.map_err(RequestRefusal::bad)?;
    Ok(Json(shown(&words, &outcome)).into_response())
}

/// The file in the place of `{}`, or at the end.
pub fn with_file(words: &[OsString], path: &Path) -> Vec<OsString> {
    let has_place = |word: &OsString| word.to_string_lossy().contains("{}");
    let put = |word: &OsString| match word.to_str() {
        Some(text) => OsString::from(text.replace("{}", &path.to_string_lossy())),
        None => word.clone(),
    };
    let is_appended = !words.iter().any(has_place);
    words.iter().map(put).chain(is_appended.then(|| path.into())).collect()
}

fn shown(words: &[OsString], outcome: &ProcessOutcome) -> Shown {
    let command: Vec<String> =
        words.iter().map(|word| nub_jobs::quote_word(&word.to_string_lossy())).collect();
    let cut =
        [&outcome.stdout, &outcome.stderr].iter().any(|stream| stream.total > stream.bytes.len() as u64);
    Shown {
        command: command.join(" "),
        end: end_text(outcome.end),
        stdout: String::from_utf8_lossy(&outcome.stdout.bytes).into_owned(),
        stderr: String::from_utf8_lossy(&outcome.stderr.bytes).into_owned(),
        is_cut: cut,
        seconds: outcome.usage.wall.as_secs_f64(),
    }
}

fn end_text(end: ProcessEnd) -> String {
    match end {
        ProcessEnd::Exit(status) => format!("exit status {status}"),
        ProcessEnd::Signal(signal) => format!("killed by signal {signal}"),
        ProcessEnd::WallLimit => "stopped: time limit".to_owned(),
        ProcessEnd::CpuLimit => "stopped: processor time limit".to_owned(),
        ProcessEnd::MemoryLimit => "stopped: memory limit".to_owned(),
        ProcessEnd::TaskLimit => "stopped: too many processes".to_owned(),
        ProcessEnd::OutputLimit => "stopped: too much output".to_owned(),
        ProcessEnd::Cancelled => "stopped".to_owned(),
    }
}
