//! The messages between coordinator and workers.
//!
//! | subject | kind | what |
//! |---|---|---|
//! | `nub.lease.RUN` | work-queue stream | a [`Lease`]: a base file, and items that are splices on it, or a task |
//! | `nub.report.RUN` | stream, a work queue | a [`LeaseReport`] on items of a lease |
//! | `nub.direct.RUN` | request | the same, if the server has no room for it |
//! | `nub.event.RUN` | stream | lines of JSON for whoever watches |
//! | `nub.roll` | request, many replies | workers answer with [`Hello`] |
//! | `nub.runs` | request, many replies | coordinators answer with [`RunStatus`] |
//! | `nub.notice` | message | a coordinator says which run needs which programs ([`Notice`]) |
//! | `nub.hello` | message | a worker has joined: coordinators send their notice again |
//! | `nub.wanted.RUN` | request | a worker asks which items of a lease still matter; nobody answers for a dead run |
//! | `nub.stop.RUN` | message | items that no longer matter |
//! | `nub.check.WORKER` | request | a lease for this worker alone: a spot check |

use nub_process::{ProcessEnd, ProcessLimits};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// Incremented with every change of the messages. Workers and coordinators with different versions do not
/// work together.
pub const PROTOCOL: u32 = 2;

/// The name of a run. Two coordinators never have the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct RunName(pub String);

/// The name of a worker. No two workers have the same name, not even one after the other on one machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct WorkerName(pub String);

/// A number of a lease in its run. A lease that is sent again has a new one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct LeaseNumber(pub u64);

/// A number of an item in its run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ItemNumber(pub u64);

/// Identifies a program exactly: verdicts of different builds are never mixed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct BuildId(pub String);

/// A registered program of a worker.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Build {
    /// Its registered name.
    pub name: String,
    /// The hash of its name, its content, its version and its arguments.
    pub id: BuildId,
    /// The hash of the program's file.
    pub program_hash: String,
    /// The first line that it prints with `--version`; empty if it prints none.
    pub version: String,
    /// The registered command, as text.
    pub command: String,
}

/// A worker introduces itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hello {
    /// See [`PROTOCOL`].
    pub protocol: u32,
    /// Its unique name.
    pub worker: WorkerName,
    /// The name of its machine.
    pub host: String,
    /// The version of its nub.
    pub nub: String,
    /// How many runs it can do in parallel.
    pub slots: usize,
    /// What it may run.
    pub programs: Vec<Build>,
    /// Kinds of tasks that it understands.
    pub tasks: Vec<String>,
}

/// Announces what a coordinator's run needs. Repeated, so that a worker that joins later receives it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Notice {
    /// See [`PROTOCOL`].
    pub protocol: u32,
    /// Which run.
    pub run: RunName,
    /// The machine of the coordinator.
    pub host: String,
    /// A worker needs all of these builds, by the names of the programs.
    pub needs: BTreeMap<String, BuildId>,
    /// A worker needs to understand these tasks.
    pub tasks: Vec<String>,
    /// Workers whose answers were wrong.
    pub quarantined: Vec<WorkerName>,
    /// The run is over.
    pub is_over: bool,
}

/// The progress of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RunStatus {
    /// Which run.
    pub run: String,
    /// The machine of the coordinator.
    pub host: String,
    /// What it works on.
    pub about: String,
    /// Items that were asked for.
    pub asked: u64,
    /// Items that were answered.
    pub answered: u64,
    /// Items that were given up before they were answered.
    pub dropped: u64,
    /// Leases sent.
    pub leases: u64,
    /// Leases that were sent again.
    pub again: u64,
    /// Reports on items that had already been answered; they were ignored.
    pub doubled: u64,
    /// Spot checks made.
    pub checks: u64,
    /// Workers whose answers were wrong.
    pub quarantined: Vec<String>,
    /// Answers by worker.
    pub by_worker: BTreeMap<String, u64>,
}

/// How a program gets the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum InputRoute {
    /// By its path.
    Path,
    /// On standard input.
    Stdin,
}

/// Where a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RunPlace {
    /// In the folder of the worker's `nub.toml`.
    Registered,
    /// In a new folder that contains only the file.
    Fresh,
}

/// [`ProcessLimits`] as a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunBounds {
    wall: Option<Duration>,
    cpu: Option<Duration>,
    memory: Option<u64>,
    tasks: Option<u32>,
    keep_output: u64,
    max_output: Option<u64>,
}

impl From<&ProcessLimits> for RunBounds {
    fn from(limits: &ProcessLimits) -> RunBounds {
        RunBounds {
            wall: limits.wall,
            cpu: limits.cpu,
            memory: limits.memory,
            tasks: limits.tasks,
            keep_output: limits.keep_output as u64,
            max_output: limits.max_output,
        }
    }
}

impl From<RunBounds> for ProcessLimits {
    fn from(bounds: RunBounds) -> ProcessLimits {
        ProcessLimits {
            wall: bounds.wall,
            cpu: bounds.cpu,
            memory: bounds.memory,
            tasks: bounds.tasks,
            keep_output: usize::try_from(bounds.keep_output).unwrap_or(usize::MAX),
            max_output: bounds.max_output,
            grace: Duration::ZERO,
        }
    }
}

/// Items for one worker. The texts of splices and the bodies of tasks follow as blobs, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Lease {
    /// See [`PROTOCOL`].
    pub protocol: u32,
    /// Which run.
    pub run: RunName,
    /// Which lease.
    pub lease: LeaseNumber,
    /// The hash of the file that splices are made on.
    pub base: Option<String>,
    /// What to do, in this order.
    pub items: Vec<LeaseItem>,
}

/// One thing to do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LeaseItem {
    /// The number of the item.
    pub number: ItemNumber,
    /// What to do.
    pub work: ItemWork,
}

/// What is to be done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ItemWork {
    /// A registered program runs on a file.
    Run {
        /// Its name.
        program: String,
        /// Which build.
        build: BuildId,
        /// The name of the file.
        file_name: String,
        /// How it gets the file.
        feed: InputRoute,
        /// Where it runs.
        place: RunPlace,
        /// Under which limits.
        bounds: RunBounds,
        /// The hash of the file.
        content: String,
        /// Spans of the base that are replaced by the next blobs.
        splices: Vec<(u64, u64)>,
    },
    /// Whatever the worker has a [`crate::TaskHandler`] for; its body is the next blob, and its file the base of the lease.
    Task {
        /// Which handler.
        kind: String,
    },
}

/// The results of items of a lease. Streams of runs and results of tasks follow as blobs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LeaseReport {
    /// Which lease.
    pub lease: LeaseNumber,
    /// The worker that did the items.
    pub worker: WorkerName,
    /// The name of its machine.
    pub host: String,
    /// The result of each.
    pub items: Vec<(ItemNumber, Done)>,
}

/// The result of an item.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Done {
    /// The program ran. Its two streams are the next blobs.
    Ran {
        /// Which build it was.
        build: BuildId,
        /// How it ended.
        end: ProcessEnd,
        /// Time from start to end.
        wall: Duration,
        /// Processor time.
        cpu: Duration,
        /// Time that the program was runnable but not scheduled.
        delay: Duration,
        /// Largest resident size.
        peak_memory: u64,
        /// Number of processes that outlived the program and were killed.
        strays: u32,
        /// Total bytes of each stream.
        totals: (u64, u64),
        /// The path of the file on the worker.
        file: String,
        /// The streams.
        streams: [Carried; 2],
    },
    /// The result of a task is the next blob.
    Task(Carried),
    /// The worker could not do it, and no other worker can.
    Failed(String),
    /// The worker could not do it; another one may.
    Declined(String),
    /// The file or a base is not in the object store.
    Missing(String),
    /// The server does not accept the result, which is too large to be sent directly.
    Refused(String),
}

/// How bytes are sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Carried {
    /// They are the next blob.
    Inline,
    /// They are an object with this hash; the next blob is empty.
    Object(String),
}
