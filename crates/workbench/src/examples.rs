//! Examples that start with one click: files that are part of the binary.

use crate::answer::RequestRefusal;
use crate::api::Shared;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use nub_store::{RealFs, commit, create_folder};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An example: what it shows, and its file.
struct Example {
    name: &'static str,
    view: &'static str,
    title: &'static str,
    about: &'static str,
    file: &'static str,
    text: &'static str,
    /// What is filled into the form: names and values.
    fields: &'static [(&'static str, &'static str)],
}

/// The name of the registered program of the first example.
pub const CRASH_PROGRAM: &str = "example-crash";
/// The same as a shell script.
pub const CRASH_SCRIPT: &str = include_str!("../../../examples/crash/solver.sh");

const EXAMPLES: &[Example] = &[
    Example {
        name: "crash",
        view: "reduce",
        title: "A solver crashes",
        about: "Shrink the SMT-LIB file that makes it crash to the few terms that matter.",
        file: "bug.smt2",
        text: include_str!("../../../examples/crash/bug.smt2"),
        fields: &[("program", CRASH_PROGRAM)],
    },
    Example {
        name: "shipping",
        view: "cover",
        title: "Which tests does this function need?",
        about: "Find the fewest tests for MC/DC, and the proof that fewer are impossible.",
        file: "shipping.c",
        text: include_str!("../../../examples/cover/shipping.c"),
        fields: &[("function", "shipping")],
    },
    Example {
        name: "parking",
        view: "explain",
        title: "Why does this assertion fail?",
        about: "A longer stay costs less. Compare the failing run with the closest passing one.",
        file: "parking.c",
        text: include_str!("../../../examples/explain/parking.c"),
        fields: &[("function", "check")],
    },
    Example {
        name: "defect",
        view: "fuzz",
        title: "Find a solver's bug",
        about: "A solver with a wrong rewriting rule: generate formulas until it is caught.",
        file: "",
        text: "",
        fields: &[
            ("solvers", crate::options::DEFECTIVE),
            ("generate", "smt2:bv"),
            ("nodes", "30"),
            ("maxwidth", "4"),
            ("vars", "2"),
            ("max_groups", "1"),
            ("max_inputs", "20000"),
        ],
    },
];

/// An example as the page lists it.
#[derive(Serialize)]
pub struct ExampleJson {
    name: &'static str,
    view: &'static str,
    title: &'static str,
    about: &'static str,
}

/// All of them.
pub fn list() -> Vec<ExampleJson> {
    let json = |example: &Example| ExampleJson {
        name: example.name,
        view: example.view,
        title: example.title,
        about: example.about,
    };
    EXAMPLES.iter().map(json).collect()
}

/// Which one.
#[derive(Deserialize)]
pub struct Wanted {
    name: String,
}

#[derive(Serialize)]
struct Opened {
    view: &'static str,
    file: String,
    fields: serde_json::Map<String, serde_json::Value>,
}

/// Writes the file of an example, and returns how to fill in its form.
pub async fn open(
    State(shared): State<Arc<Shared>>,
    Json(wanted): Json<Wanted>,
) -> Result<Response, RequestRefusal> {
    let example = EXAMPLES.iter().find(|example| example.name == wanted.name);
    let example = example.ok_or_else(|| RequestRefusal::missing("there is no such example"))?;
    let fields = example.fields.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect();
    if example.file.is_empty() {
        return Ok(Json(Opened { view: example.view, file: String::new(), fields }).into_response());
    }
    let folder = shared.state_folder().join("examples");
    create_folder(&RealFs, &folder)?;
    let path = folder.join(example.file);
    commit(&RealFs, &path, example.text.as_bytes())?;
    let file = shared.roots.name_of(&path).ok_or_else(|| RequestRefusal::missing("the example was lost"))?;
    Ok(Json(Opened { view: example.view, file, fields }).into_response())
}
