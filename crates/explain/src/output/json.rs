//! JSON: the report as it is. `docs/json.md` describes it.

use super::ExplainReport;

/// One object, readable.
pub fn json(report: &ExplainReport) -> String {
    let text = serde_json::to_string_pretty(report);
    text.map_or_else(|error| format!("{{\"error\": \"{error}\"}}\n"), |text| text + "\n")
}
