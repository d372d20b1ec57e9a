//! Whether a failure depends on a predicate, in two lines or as JSON.

use super::VERSION;
use super::place::{inputs, long};
use crate::cause::Causal;
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use std::fmt::Write;

/// For people.
pub fn cause_text(found: &Causal) -> String {
    let mut out = format!("{}\n", found.sentence());
    // Writing to a string does not fail.
    if let Some(property) = &found.property {
        let _ = writeln!(out, "Violated: {} ({})", property.text, long(&property.place));
    }
    let runs = [
        ("Failing run:           ", found.failing.as_ref()),
        ("Passing run without it:", found.without_both.as_ref().map(|near| &near.run)),
        ("Failing run without it:", found.without_cause.as_ref().map(|near| &near.run)),
    ];
    for (name, run) in runs {
        if let Some(run) = run {
            let _ = writeln!(out, "{name} {}", inputs(run));
        }
    }
    out
}

/// What `nub explain --cause --json` prints.
#[derive(JsonSchema, Serialize)]
struct CauseDocument<'c> {
    version: u32,
    tool: &'static str,
    #[serde(flatten)]
    found: &'c Causal,
}

/// For programs.
pub fn cause_json(found: &Causal) -> String {
    let tool = concat!("nub ", env!("CARGO_PKG_VERSION"));
    let text = serde_json::to_string_pretty(&CauseDocument { version: VERSION, tool, found });
    text.map_or_else(|error| format!("{{\"error\": \"{error}\"}}\n"), |text| text + "\n")
}

/// The schema of what [`cause_json`] returns.
pub fn cause_schema() -> Schema {
    schema_for!(CauseDocument<'_>)
}
