//! Masks numbers and names that depend on a clock or the machine.

use crate::common::Bench;
use serde_json::Value;

/// Fields of JSON whose value is a time, a number of jobs, or the machine's.
const UNSTEADY: [&str; 11] = [
    "seconds",
    "oracle_seconds",
    "own_cpu_seconds",
    "cpu_seconds",
    "jobs",
    "rate",
    "nonce",
    "started",
    "pid",
    "milliseconds",
    "at",
];

/// The text with the folder of the test, the program, and times masked.
pub fn masked(bench: &Bench, text: &str) -> String {
    let folder = bench.path("").to_string_lossy().trim_end_matches('/').to_owned();
    let text = text.replace(&folder, "FOLDER").replace(env!("CARGO_BIN_EXE_nub"), "NUB");
    let lines = text.split('\n').map(|line| json(line).unwrap_or_else(|| times(line)));
    lines.collect::<Vec<_>>().join("\n")
}

/// A line of JSON with its unsteady fields masked, or a line of a document that names such a field.
fn json(line: &str) -> Option<String> {
    let trimmed = line.trim_start();
    if trimmed.starts_with('{') && trimmed.ends_with('}') {
        let mut value: Value = serde_json::from_str(trimmed).ok()?;
        mask(&mut value);
        return Some(value.to_string());
    }
    let (key, rest) = trimmed.strip_prefix('"')?.split_once("\": ")?;
    let number = rest.trim_end_matches(',');
    let is_unsteady = UNSTEADY.contains(&key) && number.parse::<f64>().is_ok();
    is_unsteady.then(|| line.replace(&format!(": {number}"), ": 0"))
}

fn mask(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                if UNSTEADY.contains(&key.as_str()) && value.is_number() {
                    *value = Value::from(0);
                } else {
                    mask(value);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(mask),
        _ => {}
    }
}

/// All numbers with a decimal point as `…`, for tables with a column of seconds.
pub fn decimals(text: &str) -> String {
    let mut found = String::new();
    for word in text.split_inclusive(char::is_whitespace) {
        let number = word.trim_end();
        if number.contains('.') && number.parse::<f64>().is_ok() {
            // A longer number takes one of the blanks that align it.
            found.truncate(found.trim_end_matches(' ').len());
            found.push_str(" …");
            found.push_str(&word[number.len()..]);
        } else {
            found.push_str(word);
        }
    }
    found
}

/// Decimals before ` s`, `/s` and `ms` become `…`, and so does the space that aligned them.
fn times(line: &str) -> String {
    let mut found = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let end =
            rest[at..].find(|c: char| !c.is_ascii_digit() && c != '.').map_or(rest.len(), |len| at + len);
        let (number, after) = (&rest[at..end], &rest[end..]);
        let unit = [" s", "/s", " ms"].iter().find(|unit| after.starts_with(**unit));
        let is_time =
            unit.is_some_and(|unit| !after[unit.len()..].starts_with(|c: char| c.is_alphanumeric()));
        found.push_str(if is_time { rest[..at].trim_end() } else { &rest[..at] });
        found.push_str(if is_time { " …" } else { number });
        rest = after;
    }
    found + rest
}
