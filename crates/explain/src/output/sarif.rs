//! SARIF 2.1.0, the format of code review tools and editors: the violation with the changes beside it, and both runs as flows.

use super::place::{inputs, long};
use super::runs::{Row, rows};
use super::{ExplainReport, ranking};
use crate::session::Explanation;
use crate::story::{Delta, DeltaKind, PropertyText, Story, StoryPlace};
use nub_repair::{EditText, RankedLine};
use nub_report::counted;
use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The rule of violated properties.
const VIOLATION: &str = "nub/violation";

/// The rule of lines that may be faulty.
const SUSPECT: &str = "nub/suspect";

/// The report as a SARIF log with one run.
pub fn sarif(report: &ExplainReport) -> String {
    let mut results = Vec::new();
    match &report.explanation {
        Explanation::Explained(story) => results.push(explained(story)),
        Explanation::NoPassingRun { property, failing, .. } => {
            let text = format!("{} fails with {}; no run passes.", property.text, inputs(failing));
            results.push(violation(property, &text));
        }
        Explanation::NoViolation { .. } => {}
    }
    results.extend((1..).zip(report.ranking.iter().flat_map(ranking::shown)).map(suspect));
    let rules = json!([
        { "id": VIOLATION, "shortDescription": { "text": "A property of the program is violated." } },
        { "id": SUSPECT, "shortDescription": { "text": "Changing this line alone fixes failing runs." } },
    ]);
    let driver = json!({ "name": "nub", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "results": results }],
    });
    format!("{log:#}\n")
}

/// A line of the ranking. The best has the rank 100 of SARIF, where more is more important.
fn suspect((rank, line): (usize, &RankedLine)) -> Value {
    let change = match ranking::what(line) {
        change if change.is_empty() => change,
        change => format!("{change}: "),
    };
    let text = format!("Likely fault location {rank}: `{}`: {change}{}.", line.text, ranking::facts(line));
    let place =
        StoryPlace { file: line.file.clone(), line: Some(line.line), function: line.function.clone() };
    let mut found = location(&place);
    if line.end_line > line.line && found["physicalLocation"]["region"].is_object() {
        found["physicalLocation"]["region"]["endLine"] = json!(line.end_line);
    }
    let mut result = json!({
        "ruleId": SUSPECT,
        "ruleIndex": 1,
        "level": "warning",
        "rank": 100.0 / rank as f64,
        "message": message(&text),
        "locations": [found],
    });
    let edits =
        line.edit.iter().chain(&line.alternatives).filter(|edit| edit.is_proved && edit.partner.is_none());
    let fixes: Vec<Value> = edits.filter_map(fix).collect();
    if !fixes.is_empty() {
        result["fixes"] = Value::Array(fixes);
    }
    result
}

/// An edit that a tool can apply; `None` if some of the replaced text comes from a macro. SARIF counts columns in UTF-16 code units, which are bytes
/// in a line of ASCII.
fn fix(edit: &EditText) -> Option<Value> {
    let place = edit.place.as_ref()?;
    let region = json!({
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    });
    Some(json!({
        "description": message(&format!("replace {} by {}", edit.old, edit.new)),
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(&place.file) },
            "replacements": [{ "deletedRegion": region, "insertedContent": { "text": edit.new } }],
        }],
    }))
}

fn violation(property: &PropertyText, text: &str) -> Value {
    json!({
        "ruleId": VIOLATION,
        "ruleIndex": 0,
        "level": "error",
        "message": message(text),
        "locations": [location(&property.place)],
    })
}

fn explained(story: &Story) -> Value {
    let text = format!(
        "{} fails with {}. The closest passing run has {}, and differs in {}.",
        story.property.text,
        inputs(&story.failing),
        inputs(&story.passing),
        counted(story.distance.upper, "value")
    );
    let mut result = violation(&story.property, &text);
    let rows = rows(story);
    let related: Vec<Value> = rows.iter().enumerate().map(|(index, row)| related(index, row)).collect();
    result["relatedLocations"] = Value::Array(related);
    let fails = |delta: &Delta| delta.is_executed_before.then(|| delta.before.clone());
    let passes = |delta: &Delta| delta.is_executed_after.then(|| delta.after.clone());
    result["codeFlows"] = json!([
        { "message": { "text": "The failing run" }, "threadFlows": [flow(story, fails)] },
        { "message": { "text": "The passing run" }, "threadFlows": [flow(story, passes)] },
    ]);
    result["properties"] = json!({ "distance": story.distance, "isProved": story.distance.is_proved() });
    result
}

fn related(index: usize, row: &Row<'_>) -> Value {
    let mut found = location(&row.delta.place);
    found["id"] = json!(index);
    let needed = if row.is_needed { " (suffices)" } else { "" };
    let text = format!(
        "{}: {} in the failing run, {} in the passing run{needed}",
        row.name(),
        row.fails,
        row.passes
    );
    found["message"] = message(&text);
    found
}

/// The values that differ and are computed by one of the runs, in an order of execution. A flow is never empty: it ends with the property.
fn flow(story: &Story, value_of: impl Fn(&Delta) -> Option<String>) -> Value {
    let step = |delta: &Delta| {
        let value = value_of(delta)?;
        let text = match delta.kind {
            DeltaKind::Guard => format!("{} is {}", delta.what, value != "0"),
            _ => format!("{} = {value}", delta.what),
        };
        let mut found = location(&delta.place);
        found["message"] = message(&text);
        Some(json!({ "location": found }))
    };
    let mut steps: Vec<Value> = story.deltas.iter().filter_map(step).collect();
    let mut last = location(&story.property.place);
    last["message"] = message(&story.property.text);
    steps.push(json!({ "location": last }));
    json!({ "locations": steps })
}

/// A message. Braces are doubled: single ones denote arguments (section 3.11.5 of the standard).
fn message(text: &str) -> Value {
    json!({ "text": text.replace('{', "{{").replace('}', "}}") })
}

/// A place without a line is the function only.
fn location(place: &StoryPlace) -> Value {
    let mut found = json!({
        "logicalLocations": [{ "name": place.function, "kind": "function" }],
        "message": message(&long(place)),
    });
    if !place.file.is_empty() {
        let mut physical = json!({ "artifactLocation": { "uri": uri(&place.file) } });
        if let Some(line) = place.line.filter(|line| *line > 0) {
            physical["region"] = json!({ "startLine": line });
        }
        found["physicalLocation"] = physical;
    }
    found
}

/// A path as a URI reference: relative paths stay relative, bytes other than letters, digits and `-._~/` are escaped.
fn uri(path: &str) -> String {
    let mut out = String::new();
    if path.starts_with('/') {
        out.push_str("file://");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_no_placeholders() {
        assert_eq!(message("p = (struct s){0}"), json!({ "text": "p = (struct s){{0}}" }));
    }

    #[test]
    fn uris_are_escaped() {
        assert_eq!(uri("a b/c.c"), "a%20b/c.c");
        assert_eq!(uri("/tmp/x#1.c"), "file:///tmp/x%231.c");
        assert_eq!(uri("<built-in>"), "%3Cbuilt-in%3E");
    }
}
