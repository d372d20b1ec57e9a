//! What can be violated, by name.

use super::VERSION;
use super::place::long;
use crate::story::PropertyText;
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use std::fmt::Write;

/// One line per property: name, rule and place.
pub fn properties(list: &[PropertyText]) -> String {
    let width = list.iter().map(|property| property.id.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for property in list {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{:width$}  {} ({})", property.id, property.text, long(&property.place));
    }
    out
}

/// What `nub explain --list --json` prints.
#[derive(JsonSchema, Serialize)]
struct PropertiesDocument<'p> {
    version: u32,
    tool: &'static str,
    properties: &'p [PropertyText],
}

/// For programs.
pub fn properties_json(list: &[PropertyText]) -> String {
    let tool = concat!("nub ", env!("CARGO_PKG_VERSION"));
    let text = serde_json::to_string_pretty(&PropertiesDocument { version: VERSION, tool, properties: list });
    text.map_or_else(|error| format!("{{\"error\": \"{error}\"}}\n"), |text| text + "\n")
}

/// The schema of what [`properties_json`] returns.
pub fn properties_schema() -> Schema {
    schema_for!(PropertiesDocument<'_>)
}
