//! Translates the steps of the engine into events.

use crate::events::EventSink;
use crate::handle::Job;
use nub_reduce::{AcceptedStep, ReductionObserver, ReductionStats, StepError};
use nub_report::{Accepted, JobEvent, Progress, ReduceProgress};
use std::sync::Arc;
use std::time::Instant;

/// The observer of the session.
pub struct ProgressWatch {
    events: EventSink,
    started: Instant,
    start_bytes: u64,
}

impl ProgressWatch {
    /// For a reduction that starts with this many bytes.
    pub fn new(job: &Job, start_bytes: u64) -> ProgressWatch {
        ProgressWatch { events: job.events.clone(), started: job.started, start_bytes }
    }
}

impl ReductionObserver for ProgressWatch {
    fn accepted(&mut self, step: &AcceptedStep, _bytes: &Arc<Vec<u8>>) -> Result<(), StepError> {
        self.events.send(JobEvent::Accepted(Accepted {
            bytes: step.stats.bytes,
            asks: step.stats.asks,
            accepted: step.stats.accepted,
            pass: step.pass.to_owned(),
            seconds: crate::rounded(self.started.elapsed().as_secs_f64()),
        }));
        Ok(())
    }

    fn asked(&mut self, pass: &str, stats: &ReductionStats) {
        self.events.progress(|| {
            Progress::Reduce(ReduceProgress {
                start_bytes: self.start_bytes,
                bytes: stats.bytes,
                asks: stats.asks,
                pass: pass.to_owned(),
                flaky: stats.disagreements > 0,
            })
        });
    }
}
