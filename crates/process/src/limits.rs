//! How much a run may use.

use std::time::Duration;

/// Bounds on one run, over the whole tree of processes it starts. `None` is unlimited.
#[derive(Clone, Copy, Debug)]
pub struct ProcessLimits {
    /// Time from start to end. Time that a run is runnable but not scheduled, on an overloaded machine, is added, up
    /// to eight times the limit.
    pub wall: Option<Duration>,
    /// Processor time of the tree.
    pub cpu: Option<Duration>,
    /// Resident bytes of the tree together.
    pub memory: Option<u64>,
    /// Processes and threads alive at once.
    pub tasks: Option<u32>,
    /// How many bytes of each output stream are kept; the rest is read and dropped.
    pub keep_output: usize,
    /// How many bytes each stream may produce before the run is stopped.
    pub max_output: Option<u64>,
    /// Time between SIGTERM and SIGKILL when a run is stopped. Zero kills immediately, as do the memory and
    /// task limits, because the tree could grow further in the meantime.
    pub grace: Duration,
}

impl Default for ProcessLimits {
    fn default() -> ProcessLimits {
        ProcessLimits {
            wall: None,
            cpu: None,
            memory: None,
            tasks: Some(256),
            keep_output: 1 << 20,
            max_output: Some(1 << 30),
            grace: Duration::ZERO,
        }
    }
}
