//! Runs programs on other machines, through a NATS server with JetStream.
//!
//! A coordinator ([`RemoteRun`]) puts leases into a work queue: a base file in the object store and items that are splices on it, or
//! tasks of another kind. Workers ([`work`]) take leases of runs that they have the programs for, run these, and report into a
//! stream. Their messages are in `protocol`.
//!
//! Nothing here decides what a search finds: a run is a [`nub_process::CommandRunner`], and its caller does not know where
//! commands run. So the result is the same as on one machine if the programs are the same. Hashes check that the programs are
//! the same, and spot checks verify that the workers' answers are correct (`coordinator/spot_check.rs`).
//!
//! Faults. A lease is acknowledged when the server has the report on it; if its worker dies before that, another worker gets it. A report
//! counts once, by the number of its item (`coordinator/ledger.rs`). If a coordinator dies, workers drop its leases because nobody confirms
//! that they are needed; when restarted, it asks only what its memo does not know. After the server was unreachable, everything that is
//! open is sent again. If it comes back with an empty disk, missing streams are created again by whoever needs them, consumers are created
//! for every connection, and the base files are put into the store again (`link.rs`).
//!
//! Trust. A lease names a program; it never contains a command line. The worker's own `nub.toml` says what the name means. Files
//! are checked against their hashes, file names must not contain a path, and the limits of the worker's machine apply.
//!
//! All asynchronous code of this crate runs on one thread of its own; the public interface is synchronous.

mod address;
mod coordinator;
mod error;
mod frame;
mod hub;
mod link;
mod objects;
mod protocol;
mod splices;
mod watch;
mod worker;

pub use address::{Address, NatsLogin, TlsFiles};
pub use coordinator::{Distrust, REGISTERED, RemoteRun, RunNeeds, TaskFile};
pub use error::{FleetError, TaskError};
pub use hub::{Hub, HubOptions};
pub use protocol::{Build, BuildId, Hello, PROTOCOL, RunStatus, WorkerName};
pub use watch::{FleetStatus, follow_events, look};
pub use worker::{FleetProgram, MachineLimits, TaskHandler, WorkerNews, WorkerOptions, work};

/// The name of this machine.
#[must_use]
pub fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "unknown".to_owned(),
        name => name.to_owned(),
    }
}
