//! What the page needs to know about a C file before a job: its functions and their control flow. Also generates
//! formulas.

use crate::answer::RequestRefusal;
use crate::api::Shared;
use crate::files::{free_name, plain_name};
use crate::forms::{Form, GenerateForm};
use crate::launch::{self, Begin};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use nub_jobs::{FunctionOutline, JobEvent, ProgramOptions};
use nub_store::{RealFs, commit, create_folder};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which file, and which function of it.
#[derive(Deserialize)]
pub(crate) struct Named {
    path: String,
    #[serde(default)]
    function: String,
}

#[derive(Serialize)]
struct FunctionJson {
    name: String,
    line: u32,
}

/// The functions of a file.
pub async fn functions(
    State(shared): State<Arc<Shared>>,
    Query(named): Query<Named>,
) -> Result<Response, RequestRefusal> {
    let found = outline(&shared, &named.path).await?;
    let json = |function: FunctionOutline| FunctionJson { name: function.name, line: function.line };
    Ok(Json(found.into_iter().map(json).collect::<Vec<_>>()).into_response())
}

/// The control flow of a function: its blocks.
pub async fn flow(
    State(shared): State<Arc<Shared>>,
    Query(named): Query<Named>,
) -> Result<Response, RequestRefusal> {
    let found = outline(&shared, &named.path).await?;
    let function = found.into_iter().find(|function| function.name == named.function);
    let function = function
        .ok_or_else(|| RequestRefusal::missing(format!("there is no function `{}`", named.function)))?;
    Ok(Json(function).into_response())
}

async fn outline(shared: &Shared, name: &str) -> Result<Vec<FunctionOutline>, RequestRefusal> {
    let path = shared.roots.path(name)?;
    // Reading it checks that it is a file that may be shown.
    shared.roots.read(name)?;
    let context = launch::context(shared)?;
    let read = move || nub_jobs::outline(&path, &ProgramOptions::default(), &context);
    let found =
        tokio::task::spawn_blocking(read).await.map_err(|error| RequestRefusal::bad(error.to_string()))?;
    found.map_err(|failure| RequestRefusal::bad(failure.message).with_hint(failure.hint))
}

#[derive(Serialize)]
struct Made {
    path: String,
}

/// A new formula, as a file that can be opened.
pub async fn generate(
    State(shared): State<Arc<Shared>>,
    Json(form): Json<Form>,
) -> Result<Response, RequestRefusal> {
    let Form::Generate(wanted) = &form else {
        return Err(RequestRefusal::bad("only formulas are generated"));
    };
    let request = launch::request(&form, &shared, std::path::Path::new(""), Begin::New)?;
    let context = launch::context(&shared)?;
    let work = move || {
        let handle = nub_jobs::start(request, context);
        let outputs = handle.events().iter().filter_map(|event| match event {
            JobEvent::Output(output) => Some(output.text),
            _ => None,
        });
        let text = outputs.collect::<Vec<_>>().concat();
        handle.join().result.map(|_| text)
    };
    let failed = |error: tokio::task::JoinError| {
        RequestRefusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    };
    let text = tokio::task::spawn_blocking(work).await.map_err(failed)?;
    let text = text.map_err(|failure| RequestRefusal::bad(failure.message).with_hint(failure.hint))?;
    let folder = shared.state_folder().join("generated");
    create_folder(&RealFs, &folder)?;
    let path = folder.join(free_name(&file_name(wanted), |name| folder.join(name).exists()));
    commit(&RealFs, &path, &text)?;
    let path = shared.roots.name_of(&path).ok_or_else(|| RequestRefusal::missing("the file was lost"))?;
    Ok(Json(Made { path }).into_response())
}

fn file_name(form: &GenerateForm) -> String {
    let extension = if form.to.is_empty() { "smt2" } else { form.to.as_str() };
    plain_name(&format!("seed-{}.{extension}", form.seed.unwrap_or_default()))
}
