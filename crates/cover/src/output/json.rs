//! JSON: the report as it is.

use crate::report::CoverReport;

/// One report per line of the list, readable.
pub fn json(reports: &[CoverReport]) -> String {
    let text = match reports {
        [report] => serde_json::to_string_pretty(report),
        reports => serde_json::to_string_pretty(reports),
    };
    text.map_or_else(|error| format!("{{\"error\": \"{error}\"}}\n"), |text| text + "\n")
}
