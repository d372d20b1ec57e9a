//! One line about a job, from its events.

use serde_json::Value;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// How many bytes at the end of the events are read to find out how a job ended. A report may be one long
/// line.
const TAIL_BYTES: u64 = 4 << 20;

/// How many lines at the end are examined: the last relevant event may be followed by notes.
const LAST_LINES: usize = 20;

/// What is known of a job so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The result in one line, for a list.
    pub headline: String,
    /// Whether the final event has been seen.
    pub has_ended: bool,
    /// Whether it was refused or ended with an error.
    pub has_failed: bool,
    /// Whether a user stopped it.
    pub was_stopped: bool,
    first_bytes: u64,
    last_bytes: Option<u64>,
}

impl Outcome {
    /// Updates the outcome with an event.
    pub fn take(&mut self, line: &str) {
        let Ok(event) = serde_json::from_str::<Value>(line) else { return };
        match event["type"].as_str().unwrap_or_default() {
            // A job that was interrupted or had ended continues.
            "start" => {
                self.has_ended = false;
                self.first_bytes = event["bytes"].as_u64().unwrap_or_default();
            }
            "found" => self.has_ended = false,
            "accepted" => {
                self.has_ended = false;
                let (before, now) = (self.first_bytes, event["bytes"].as_u64().unwrap_or_default());
                let before = if before == 0 { String::new() } else { format!("{before} → ") };
                self.headline = format!("{before}{now} bytes");
                self.last_bytes = Some(now);
            }
            "end" => self.end_of_reduction(&event),
            "refused" | "error" => {
                self.has_ended = true;
                self.has_failed = true;
                self.headline = text(&event["message"]);
            }
            "campaign" => {
                self.has_ended = true;
                self.headline = campaign(&event);
            }
            "document" => {
                self.has_ended = true;
                self.headline = report(&event["content"]);
            }
            _ => {}
        }
    }

    fn end_of_reduction(&mut self, event: &Value) {
        self.has_ended = true;
        self.was_stopped = event["reason"] == "interrupted";
        let bytes = |side: &str| event[side]["bytes"].as_u64().unwrap_or_default();
        // The size does not include the comment at the top, which is added at the end.
        let has_comment = event["header"].as_bool().unwrap_or_default();
        let after = self.last_bytes.filter(|_| has_comment).unwrap_or_else(|| bytes("after"));
        self.headline = match event["reduced"].as_bool() {
            Some(false) => "nothing smaller found".to_owned(),
            _ => format!("{} → {after} bytes", bytes("before")),
        };
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn campaign(event: &Value) -> String {
    let n_groups = event["groups"].as_array().map_or(0, Vec::len) as u64;
    format!("{} in {} inputs", count(n_groups, "bug", "bugs"), event["inputs"].as_u64().unwrap_or_default())
}

fn report(report: &Value) -> String {
    if let Some(tests) = report["tests"].as_array() {
        let summary = &report["summary"];
        let number = |name: &str| summary[name].as_u64().unwrap_or_default();
        let tests = count(tests.len() as u64, "test covers", "tests cover");
        return format!("{tests} {} of {} goals", number("covered"), number("goals"));
    }
    if let Some(line) = report["ranking"]["lines"].get(0) {
        return format!("likely fault: line {}", line["line"]);
    }
    if let Some(rows) = report["rows"].as_array() {
        return format!("{} compared", count(rows.len() as u64, "strategy", "strategies"));
    }
    text(&report["answer"])
}

/// The outcome according to the last events in a file.
pub fn of_file(path: &Path) -> Outcome {
    let outcome = Outcome::default();
    let Ok(mut file) = std::fs::File::open(path) else { return outcome };
    let length = file.metadata().map_or(0, |meta| meta.len());
    let mut bytes = Vec::new();
    let from = length.saturating_sub(TAIL_BYTES);
    let read = file.seek(SeekFrom::Start(from)).and_then(|_| file.take(TAIL_BYTES).read_to_end(&mut bytes));
    if read.is_ok() { of_bytes(&bytes) } else { outcome }
}

/// The outcome according to the last events in `bytes`.
pub fn of_bytes(bytes: &[u8]) -> Outcome {
    let mut outcome = Outcome::default();
    let text = String::from_utf8_lossy(bytes);
    let last: Vec<&str> = text.lines().rev().take(LAST_LINES).collect();
    last.into_iter().rev().for_each(|line| outcome.take(line));
    outcome
}

#[cfg(test)]
mod tests {
    use super::Outcome;

    fn headline(lines: &[&str]) -> Outcome {
        let mut outcome = Outcome::default();
        lines.iter().for_each(|line| outcome.take(line));
        outcome
    }

    #[test]
    fn headlines_say_how_the_job_ended() {
        let running = headline(&[r#"{"type":"start","bytes":958}"#, r#"{"type":"accepted","bytes":83}"#]);
        assert_eq!((running.headline.as_str(), running.has_ended), ("958 → 83 bytes", false));
        let end =
            r#"{"type":"end","reduced":true,"header":true,"before":{"bytes":958},"after":{"bytes":106}}"#;
        let ended = headline(&[r#"{"type":"accepted","bytes":41}"#, end]);
        assert_eq!(ended.headline, "958 → 41 bytes", "as the view says, without the comment at the top");
        let refused = headline(&[r#"{"type":"refused","message":"the command does not fail"}"#]);
        assert!(refused.has_failed && refused.headline == "the command does not fail");
        let cover = r#"{"type":"document","content":{"tests":[1],"summary":{"goals":3,"covered":2}}}"#;
        assert_eq!(headline(&[cover]).headline, "1 test covers 2 of 3 goals");
    }
}
