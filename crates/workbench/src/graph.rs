//! Files as graphs, for the page.

use crate::answer::RequestRefusal;
use crate::api::Shared;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use nub_jobs::file_graph;
use serde::Deserialize;
use std::sync::Arc;

/// Which file.
#[derive(Deserialize)]
pub(crate) struct Named {
    path: String,
}

/// The graph of a file.
pub async fn graph(
    State(shared): State<Arc<Shared>>,
    Query(named): Query<Named>,
) -> Result<Response, RequestRefusal> {
    let bytes = shared.roots.read(&named.path)?;
    let made = tokio::task::spawn_blocking(move || file_graph(&bytes)).await;
    let graph = made.map_err(|error| RequestRefusal::bad(error.to_string()))?;
    let graph =
        graph.ok_or_else(|| RequestRefusal::bad("only BTOR, BTOR2 and SMT-LIB files have a graph"))?;
    Ok(Json(graph).into_response())
}
