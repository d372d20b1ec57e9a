//! What `nub status --json` prints.

use crate::VERSION;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The current workers and runs of a server.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct FleetReport {
    /// Version of this format.
    pub version: u32,
    /// Workers that answered.
    pub workers: Vec<FleetWorker>,
    /// Runs whose coordinators answered.
    pub runs: Vec<FleetRun>,
    /// Leases that wait or are with workers.
    pub leases: u64,
}

/// A worker.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct FleetWorker {
    /// Its name, unique on the server.
    pub name: String,
    /// The name of its machine.
    pub host: String,
    /// The version of its nub.
    pub nub: String,
    /// How many programs it runs at once.
    pub slots: usize,
    /// The programs that it may run.
    pub programs: Vec<WorkerProgram>,
}

/// A registered program of a worker.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct WorkerProgram {
    /// Its registered name.
    pub name: String,
    /// The hash of its name, its content, its version and its arguments.
    pub id: String,
    /// The first line that it prints with `--version`; empty if it prints none.
    pub version: String,
    /// The registered command.
    pub command: String,
}

/// A run.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct FleetRun {
    /// Its name, unique on the server.
    pub name: String,
    /// The machine of its coordinator.
    pub host: String,
    /// What it works on.
    pub about: String,
    /// Items that were asked for.
    pub asked: u64,
    /// Items that were answered.
    pub answered: u64,
    /// Items that were dropped before they were answered.
    pub dropped: u64,
    /// Leases sent.
    pub leases: u64,
    /// Leases sent again.
    pub leases_again: u64,
    /// Answers to items that had already been answered; they were ignored.
    pub repeated: u64,
    /// Spot checks made.
    pub spot_checks: u64,
    /// Workers whose answers were wrong.
    pub quarantined: Vec<String>,
    /// Answers by worker.
    pub by_worker: BTreeMap<String, u64>,
}

impl FleetReport {
    /// A report with these workers and runs.
    pub fn new(workers: Vec<FleetWorker>, runs: Vec<FleetRun>, leases: u64) -> FleetReport {
        FleetReport { version: VERSION, workers, runs, leases }
    }

    /// One line of JSON.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("plain structs with string keys always serialize")
    }
}

/// The schema of [`FleetReport`].
pub fn fleet_schema() -> Schema {
    crate::schema_of::<FleetReport>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> FleetReport {
        let program = WorkerProgram {
            name: "z3".into(),
            id: "ab12".into(),
            version: "Z3 4.8.12".into(),
            command: "z3 -st".into(),
        };
        let worker = FleetWorker {
            name: "w1".into(),
            host: "left".into(),
            nub: "0.1.0".into(),
            slots: 2,
            programs: vec![program],
        };
        let run = FleetRun {
            name: "r1".into(),
            host: "desk".into(),
            about: "bug.smt2".into(),
            asked: 9,
            answered: 7,
            dropped: 1,
            leases: 4,
            leases_again: 1,
            repeated: 0,
            spot_checks: 2,
            quarantined: vec!["w2".into()],
            by_worker: BTreeMap::from([("w1".to_owned(), 7)]),
        };
        FleetReport::new(vec![worker], vec![run], 3)
    }

    #[test]
    fn a_line_is_read_back() {
        let line = report().to_line();
        assert!(
            !line.contains('\n') && line.starts_with(r#"{"version":1,"workers":[{"name":"w1","host":"left""#)
        );
        let read: FleetReport = serde_json::from_str(&line).expect("what was written is read");
        assert_eq!(read, report());
    }

    #[test]
    fn the_manual_names_its_fields() {
        let manual = include_str!("../../../docs/json.md");
        let json = serde_json::to_value(report()).expect("plain structs always serialize");
        for name in json.as_object().expect("a struct is an object").keys() {
            assert!(manual.contains(&format!("`{name}`")), "docs/json.md says nothing about `{name}`");
        }
    }
}
