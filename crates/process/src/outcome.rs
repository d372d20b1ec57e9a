//! The result of a run.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ProcessEnd {
    /// The program returned this status.
    Exit(i32),
    /// The program was killed by this signal, and not by us.
    Signal(i32),
    /// We stopped it: time from start to end.
    WallLimit,
    /// We stopped it: processor time.
    CpuLimit,
    /// We stopped it: memory of the tree.
    MemoryLimit,
    /// We stopped it: number of processes.
    TaskLimit,
    /// We stopped it: length of an output stream.
    OutputLimit,
    /// We stopped it: the run was cancelled.
    Cancelled,
}

/// One captured stream.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct CapturedOutput {
    /// The first `keep_output` bytes.
    pub bytes: Vec<u8>,
    /// Bytes produced in all.
    pub total: u64,
}

/// What a run used.
#[derive(Clone, Copy, Default, Debug)]
pub struct Usage {
    /// Time from start to end.
    pub wall: Duration,
    /// Processor time of the direct child and what it waited for.
    pub cpu: Duration,
    /// Time that the direct child was runnable but not scheduled. Not measured in runs of a few milliseconds.
    pub delay: Duration,
    /// Largest resident size seen, in bytes (of one process or of the sampled tree). For a run
    /// too short for a sample it is at least our own size: the kernel counts what a child
    /// shares with us before its `exec`.
    pub peak_memory: u64,
    /// Number of processes that outlived the direct child and were killed.
    pub strays: u32,
}

/// Everything known about a finished run.
#[derive(Clone, Debug)]
pub struct ProcessOutcome {
    /// How it ended.
    pub end: ProcessEnd,
    /// Its standard output.
    pub stdout: CapturedOutput,
    /// Its standard error.
    pub stderr: CapturedOutput,
    /// What it used.
    pub usage: Usage,
}
