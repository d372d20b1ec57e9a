//! JSON: the report as it is. `nub schema explain` prints the schema.

use super::ExplainReport;
use schemars::{Schema, schema_for};

/// One object, indented.
pub fn json(report: &ExplainReport) -> String {
    let text = serde_json::to_string_pretty(report);
    text.map_or_else(|error| format!("{{\"error\": \"{error}\"}}\n"), |text| text + "\n")
}

/// The schema of what [`json`] returns.
pub fn json_schema() -> Schema {
    schema_for!(ExplainReport)
}
