//! What `nub status --json` prints.

use crate::VERSION;
use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The workers and runs of a server at a moment.
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
    /// The name that it is registered by.
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
    /// Answers to items that had been answered before, and were ignored.
    pub repeated: u64,
    /// Spot checks made.
    pub spot_checks: u64,
    /// Workers whose answers were wrong.
    pub quarantined: Vec<String>,
    /// Answers by worker.
    pub by_worker: BTreeMap<String, u64>,
}

impl FleetReport {
    /// A report of what answered.
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
    schema_for!(FleetReport)
}
