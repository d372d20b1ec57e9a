//! The requests that the page can make, by address.

use crate::answer::RequestRefusal;
use crate::command_line::{self, Names};
use crate::forms::Form;
use crate::guard::Guard;
use crate::options::{RegisteredProgram, WorkbenchOptions};
use crate::roots::Roots;
use crate::server::WorkbenchError;
use crate::work::Work;
use crate::{console, doctor, examples, files, graph, job_api, job_page, source};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use nub_store::{RealFs, create_folder};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// What all requests share.
pub struct Shared {
    pub(crate) guard: Guard,
    pub(crate) roots: Roots,
    pub(crate) work: Arc<Work>,
    pub(crate) options: WorkbenchOptions,
    files: Vec<String>,
}

impl Shared {
    /// Opens the folders.
    ///
    /// # Errors
    /// If one of them cannot be opened.
    pub fn open(options: WorkbenchOptions, guard: Guard) -> Result<Shared, WorkbenchError> {
        create_folder(&RealFs, &options.state)?;
        let mut roots = Roots::default();
        for folder in options.folders.iter().chain([&options.state]) {
            let failed = |source| WorkbenchError::Folder { folder: folder.display().to_string(), source };
            roots.add(folder).map_err(failed)?;
        }
        let files = options.files.iter().filter_map(|file| roots.name_of(file)).collect();
        let work = Arc::new(Work::open(&options.state, roots.clone())?);
        Ok(Shared { guard, roots, work, options, files })
    }

    /// A registered program.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn program(&self, name: &str) -> Result<&RegisteredProgram, RequestRefusal> {
        let found = self.options.programs.iter().find(|program| program.name == name);
        found.ok_or_else(|| {
            let hint = "register it at the start: nub workbench --program NAME='COMMAND'";
            RequestRefusal::missing(format!("there is no program `{name}`")).with_hint(Some(hint.to_owned()))
        })
    }

    /// Where pasted files, examples and jobs are.
    pub fn state_folder(&self) -> &Path {
        &self.options.state
    }
}

impl Names for Shared {
    fn path(&self, file: &str) -> Result<String, RequestRefusal> {
        Ok(self.roots.path(file)?.to_string_lossy().into_owned())
    }

    fn program(&self, name: &str) -> Result<Vec<String>, RequestRefusal> {
        let words = &Shared::program(self, name)?.command;
        Ok(words.iter().map(|word| word.to_string_lossy().into_owned()).collect())
    }
}

/// All addresses below `/api`.
pub fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/session", get(session))
        .route("/link", post(link))
        .route("/folder", get(files::list))
        .route("/file", get(files::read).post(files::save))
        .route("/paste", post(files::paste))
        .route("/graph", get(graph::graph))
        .route("/functions", get(source::functions))
        .route("/flow", get(source::flow))
        .route("/generate", post(source::generate))
        .route("/example", post(examples::open))
        .route("/settings", get(doctor::settings))
        .route("/installed", post(doctor::installed))
        .route("/doctor", post(doctor::examine))
        .route("/console", post(console::run))
        .route("/command", post(command))
        .route("/jobs", get(job_api::list).post(job_api::start))
        .route("/jobs/{id}", get(job_api::show))
        .route("/jobs/{id}/lines", get(job_api::lines))
        .route("/jobs/{id}/page", get(job_page::page))
        .route("/jobs/{id}/steps/{step}", get(job_api::step))
        .route("/jobs/{id}/{action}", post(job_api::act))
        .route("/events", get(job_api::events))
}

#[derive(Serialize)]
struct ProgramJson<'shared> {
    name: &'shared str,
    command: String,
}

#[derive(Serialize)]
struct SessionJson<'shared> {
    token: &'shared str,
    version: &'static str,
    roots: Vec<&'shared str>,
    files: &'shared [String],
    programs: Vec<ProgramJson<'shared>>,
    examples: Vec<examples::ExampleJson>,
}

/// What the page needs to know first. Only our page gets the token: another site cannot read this answer.
async fn session(State(shared): State<Arc<Shared>>) -> Response {
    let line = |program: &RegisteredProgram| {
        program
            .command
            .iter()
            .map(|word| nub_jobs::quote_word(&word.to_string_lossy()))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let programs = shared.options.programs.iter();
    Json(SessionJson {
        token: shared.guard.token(),
        version: env!("CARGO_PKG_VERSION"),
        roots: shared.roots.list().iter().map(|root| root.name.as_str()).collect(),
        files: &shared.files,
        programs: programs
            .map(|program| ProgramJson { name: &program.name, command: line(program) })
            .collect(),
        examples: examples::list(),
    })
    .into_response()
}

#[derive(Serialize)]
struct LineJson {
    line: String,
}

/// An address for another browser.
async fn link(State(shared): State<Arc<Shared>>) -> Result<Response, RequestRefusal> {
    let failed =
        |error: std::io::Error| RequestRefusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string());
    Ok(Json(LineJson { line: shared.guard.new_link().map_err(failed)? }).into_response())
}

/// The command line that does what a form does.
async fn command(
    State(shared): State<Arc<Shared>>,
    Json(form): Json<Form>,
) -> Result<Response, RequestRefusal> {
    Ok(Json(LineJson { line: command_line::command_line(&form, shared.as_ref())?.line() }).into_response())
}
