//! What the events of a reduction say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// See [`crate::JobEvent::Start`].
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct StartEvent {
    /// Name and version of the program.
    pub tool: String,
    /// Path of the original.
    pub input: String,
    /// Path of the result.
    pub output: String,
    /// The oracle's command as a shell line, on the original.
    pub command: String,
    /// How the original fails.
    pub failure: String,
    /// Size of the original.
    pub bytes: u64,
    /// Which passes, in which order.
    pub strategy: String,
    /// Number of parallel asks.
    pub jobs: u64,
    /// Whether runs on the original disagreed.
    pub flaky: bool,
}

/// See [`crate::JobEvent::Accepted`].
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Accepted {
    /// Size of the best file.
    pub bytes: u64,
    /// Runs of the oracle so far.
    pub asks: u64,
    /// Accepted steps so far.
    pub accepted: u64,
    /// The pass that found it.
    pub pass: String,
    /// Time since the start.
    pub seconds: f64,
}

/// Why a reduction ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// Nothing smaller was found.
    Fixpoint,
    /// `--max-asks`.
    MaxAsks,
    /// `--max-states`: an exhaustive search did not visit all states.
    MaxStates,
    /// `--max-time`.
    MaxTime,
    /// A signal.
    Interrupted,
    /// A file could not be written.
    Store,
    /// The oracle could no longer be run.
    Environment,
}

/// How large a file is.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Size {
    /// Bytes.
    pub bytes: u64,
    /// Other counts of its format: commands and terms, nodes, clauses, lines.
    #[serde(flatten)]
    pub parts: BTreeMap<String, u64>,
}

/// What one pass cost and achieved.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct PassYield {
    /// Its name.
    pub name: String,
    /// Runs of the oracle.
    pub asks: u64,
    /// Accepted steps.
    pub accepted: u64,
    /// Bytes removed.
    pub bytes: u64,
}

/// The size after one algorithm of a chain.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct StageSize {
    /// The algorithm.
    pub name: String,
    /// Remaining nodes, terms, clauses or lines.
    pub size: u64,
}

/// The check of the finished file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Confirmed {
    /// Runs on the file as read back from disk that failed.
    pub fails: u64,
    /// Number of runs.
    pub runs: u64,
}

/// See [`crate::JobEvent::End`].
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct EndEvent {
    /// Why it ended.
    pub reason: StopReason,
    /// Whether the result is smaller than the original. If not, no file was written.
    pub reduced: bool,
    /// Path of the result.
    pub output: String,
    /// A shell line that reproduces the failure.
    pub reproduce: String,
    /// The original.
    pub before: Size,
    /// The result.
    pub after: Size,
    /// Whether the result begins with a comment that says how to reproduce.
    pub header: bool,
    /// The check of the result; no runs if it was stopped by a signal.
    pub confirmed: Confirmed,
    /// Whether runs on the same bytes disagreed.
    pub flaky: bool,
    /// Runs of the oracle that were needed: the same number with any number of workers.
    pub asks: u64,
    /// Speculative runs that were not needed.
    #[serde(default)]
    pub speculative: u64,
    /// Candidates that were not run because their verdict was known.
    pub cached: u64,
    /// Accepted steps.
    pub accepted: u64,
    /// Time from start to end.
    pub seconds: f64,
    /// Time in the oracle, summed over workers.
    pub oracle_seconds: f64,
    /// Processor time of nub itself, all its threads.
    pub own_cpu_seconds: f64,
    /// The sizes after the algorithms of a chain, in order; empty if there is no chain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageSize>,
    /// Passes, most bytes first.
    pub passes: Vec<PassYield>,
}

/// See [`crate::JobEvent::Refused`].
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Refused {
    /// Why.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
}

/// A place in a file.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct FilePlace {
    /// The file.
    pub path: String,
    /// Line, from 1.
    pub line: u64,
    /// Byte in the line, from 1.
    pub column: u64,
}

/// See [`crate::JobEvent::Error`].
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct ErrorEvent {
    /// The exit code that follows.
    pub exit: u8,
    /// What went wrong.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
    /// Where.
    pub place: Option<FilePlace>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JobEvent;

    /// One event of each type, every optional part filled.
    fn samples() -> Vec<JobEvent> {
        let text = String::new;
        let size = Size { bytes: 1, parts: BTreeMap::from([("terms".to_owned(), 1)]) };
        let pass = PassYield { name: text(), asks: 1, accepted: 1, bytes: 1 };
        let place = FilePlace { path: text(), line: 1, column: 1 };
        vec![
            JobEvent::Start(StartEvent {
                tool: text(),
                input: text(),
                output: text(),
                command: text(),
                failure: text(),
                bytes: 1,
                strategy: text(),
                jobs: 1,
                flaky: false,
            }),
            JobEvent::Accepted(Accepted { bytes: 1, asks: 1, accepted: 1, pass: text(), seconds: 0.0 }),
            JobEvent::End(Box::new(EndEvent {
                reason: StopReason::Fixpoint,
                reduced: true,
                output: text(),
                reproduce: text(),
                before: size.clone(),
                after: size,
                header: true,
                confirmed: Confirmed { fails: 2, runs: 2 },
                flaky: false,
                asks: 1,
                speculative: 0,
                cached: 1,
                accepted: 1,
                seconds: 0.0,
                oracle_seconds: 0.0,
                own_cpu_seconds: 0.0,
                stages: Vec::new(),
                passes: vec![pass],
            })),
            JobEvent::Refused(Refused { message: text(), hint: Some(text()) }),
            JobEvent::Error(ErrorEvent { exit: 2, message: text(), hint: Some(text()), place: Some(place) }),
        ]
    }

    fn names(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(map) => {
                for (key, value) in map {
                    found.push(key.clone());
                    names(value, found);
                }
            }
            serde_json::Value::Array(values) => values.iter().for_each(|value| names(value, found)),
            _ => {}
        }
    }

    #[test]
    fn the_manual_names_every_field_and_type() {
        let manual = include_str!("../../../docs/json.md");
        for event in samples() {
            let value: serde_json::Value = serde_json::from_str(&event.to_line()).expect("our own line");
            let mut found = vec![value["type"].as_str().expect("a string").to_owned()];
            names(&value, &mut found);
            for name in found {
                assert!(manual.contains(&format!("`{name}`")), "docs/json.md says nothing about `{name}`");
            }
        }
        let reasons = ["fixpoint", "max-asks", "max-time", "interrupted", "store", "environment"];
        assert!(reasons.iter().all(|reason| manual.contains(&format!("`{reason}`"))));
    }

    #[test]
    fn reading_inverts_writing() {
        let place = FilePlace { path: "bug.smt2".into(), line: 3, column: 1 };
        let fault = ErrorEvent { exit: 2, message: "bad \"input\"".into(), hint: None, place: Some(place) };
        let event = JobEvent::Error(fault);
        let read: JobEvent = serde_json::from_str(&event.to_line()).expect("our own line");
        assert_eq!(read, event);
    }
}
