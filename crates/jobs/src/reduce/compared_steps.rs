//! Records how a compared strategy shrinks its file.

use crate::events::EventSink;
use crate::handle::Job;
use nub_reduce::{AcceptedStep, ReductionObserver, ReductionStats, StepError};
use nub_report::{ComparedStep, Progress, ReduceProgress};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Maximum number of steps per strategy: as many as a chart can show.
const MAX_STEPS: usize = 600;

/// Time that a strategy saved by answers which another one had already asked for.
#[derive(Debug, Default)]
pub struct SavedTime(AtomicU64);

impl SavedTime {
    /// Counts a known answer that took this long.
    pub fn add(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// All of it, since the last call.
    pub fn take(&self) -> Duration {
        Duration::from_micros(self.0.swap(0, Ordering::Relaxed))
    }

    fn so_far(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }
}

/// The observer of the engine.
pub struct StepWatch<'a> {
    events: EventSink,
    strategy: &'a str,
    start_bytes: u64,
    started: Instant,
    saved: &'a SavedTime,
    steps: Vec<ComparedStep>,
}

impl<'a> StepWatch<'a> {
    /// For a strategy that starts now, with this many bytes.
    pub fn new(job: &Job, strategy: &'a str, start_bytes: u64, saved: &'a SavedTime) -> StepWatch<'a> {
        saved.take();
        let events = job.events.clone();
        StepWatch { events, strategy, start_bytes, started: Instant::now(), saved, steps: Vec::new() }
    }

    /// The time that the strategy would have taken alone.
    pub fn seconds(&self) -> f64 {
        crate::rounded((self.started.elapsed() + self.saved.so_far()).as_secs_f64())
    }

    /// The recorded steps.
    pub fn into_steps(self) -> Vec<ComparedStep> {
        self.steps
    }
}

impl ReductionObserver for StepWatch<'_> {
    fn accepted(&mut self, step: &AcceptedStep, bytes: &Arc<Vec<u8>>) -> Result<(), StepError> {
        let ReductionStats { asks, cached, .. } = step.stats;
        self.steps.push(ComparedStep {
            asks: asks + cached,
            seconds: self.seconds(),
            bytes: bytes.len() as u64,
        });
        if self.steps.len() > MAX_STEPS {
            thin(&mut self.steps);
        }
        Ok(())
    }

    fn asked(&mut self, _pass: &str, stats: &ReductionStats) {
        self.events.progress(|| {
            Progress::Reduce(ReduceProgress {
                start_bytes: self.start_bytes,
                bytes: stats.bytes,
                asks: stats.asks + stats.cached,
                pass: self.strategy.to_owned(),
                flaky: stats.disagreements > 0,
            })
        });
    }
}

/// Every second step; the last one stays.
fn thin(steps: &mut Vec<ComparedStep>) {
    let last = steps.len().saturating_sub(1);
    let mut at = 0;
    steps.retain(|_| {
        let is_kept = at % 2 == 0 || at == last;
        at += 1;
        is_kept
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_the_last_step() {
        for n_steps in [1_u64, 2, 5, 6] {
            let step = |asks| ComparedStep { asks, seconds: 0.0, bytes: 0 };
            let mut steps: Vec<ComparedStep> = (0..n_steps).map(step).collect();
            thin(&mut steps);
            assert_eq!(steps.last().map(|step| step.asks), Some(n_steps - 1));
            assert!(steps.len() as u64 <= n_steps / 2 + 1);
        }
    }
}
