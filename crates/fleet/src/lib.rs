//! Runs on other machines, by way of a NATS server with JetStream.
//!
//! A coordinator ([`RemoteRun`]) puts leases into a work queue: a base file in the object store and items that are splices on it, or
//! tasks of another kind. Workers ([`work`]) take leases of runs that they have the programs for, run these, and report into a
//! stream. What both say is in `protocol`.
//!
//! Nothing here decides what a search finds: a run is a [`nub_process::CommandRunner`], and what asks it does not know where its
//! commands run. So the result is that of one machine, as long as the programs are the same; that they are is checked by their
//! hashes, and that workers tell the truth by spot checks (`coordinator/spot_check.rs`).
//!
//! Faults. A lease is acknowledged when the server has the report on it; a worker that dies before is replaced by another. A report
//! counts once, by the number of its item (`coordinator/ledger.rs`). A coordinator that dies leaves leases that nobody answers for,
//! and workers drop them; started again, it asks what its memo does not know. After a server was away, everything that is open is
//! sent again. If it comes back with an empty disk, whoever misses a stream makes it, consumers are made again for every connection, and the base
//! files are put into the store again (`link.rs`).
//!
//! Trust. A lease names a program, it never holds a command line. The worker's own `nub.toml` says what the name stands for. Files
//! are checked against their hashes, names of files are plain, and the limits of the worker's machine hold.
//!
//! All asynchronous code of this crate runs on one thread of its own; none leaves the crate.

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
pub use error::FleetError;
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
