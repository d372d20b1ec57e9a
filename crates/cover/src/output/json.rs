//! JSON: the report as it is. `nub schema cover` prints the schema.

use crate::report::CoverReport;
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

/// What `nub cover --json` prints: one report, or a list of them if several functions or criteria were asked for.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
enum CoverDocument<'r> {
    One(&'r CoverReport),
    Several(&'r [CoverReport]),
}

/// The reports, indented.
pub fn json(reports: &[CoverReport]) -> String {
    let document = match reports {
        [report] => CoverDocument::One(report),
        reports => CoverDocument::Several(reports),
    };
    serde_json::to_string_pretty(&document)
        .map_or_else(|error| format!("{{\"error\": \"{error}\"}}\n"), |text| text + "\n")
}

/// The schema of what [`json`] returns.
pub fn json_schema() -> Schema {
    schema_for!(CoverDocument<'_>)
}
