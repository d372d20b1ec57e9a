//! Passes accepted steps from the search to the disk, in order.

use super::journal::hash;
use super::remember::Remembering;
use super::writer::Writer;
use crate::engine::ROLLBACK;
use crate::{AcceptedStep, ReductionObserver, ReductionStats, StepError, is_smaller};
use std::sync::Arc;

/// Records accepted steps.
pub(super) struct Recorder<'a, 'o> {
    pub(super) writer: Writer,
    oracle: &'a Remembering<'o>,
    watch: &'a mut dyn ReductionObserver,
    /// The step that is being written, and what `watch` will be told.
    in_flight: Option<(String, ReductionStats)>,
    /// Why a step could not be written or reported, until the engine can be told.
    failure: Option<StepError>,
    /// A result must be smaller than this.
    original: &'a [u8],
    /// Hashes of the steps that an earlier run accepted and this one must accept again.
    pub(super) replay: Vec<[u8; 32]>,
    n_replayed: usize,
}

impl<'a, 'o> Recorder<'a, 'o> {
    pub(super) fn new(
        writer: Writer,
        oracle: &'a Remembering<'o>,
        watch: &'a mut dyn ReductionObserver,
        original: &'a [u8],
        replay: Vec<[u8; 32]>,
    ) -> Recorder<'a, 'o> {
        let (in_flight, failure, n_replayed) = (None, None, 0);
        Recorder { writer, oracle, watch, in_flight, failure, original, replay, n_replayed }
    }

    /// Whether this run has accepted a different step from the earlier one.
    pub(super) fn has_diverged(&self) -> bool {
        self.n_replayed == usize::MAX
    }

    /// Whether steps of the earlier run are still to be accepted again.
    pub(super) fn is_replaying(&self) -> bool {
        self.n_replayed < self.replay.len()
    }

    /// Waits for the step in flight and reports it.
    pub(super) fn report_written(&mut self) -> Result<(), StepError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let written = self.writer.wait()?;
        self.report(written)
    }

    /// Reports a step that is now durable.
    fn report(&mut self, written: Option<Arc<Vec<u8>>>) -> Result<(), StepError> {
        let Some(bytes) = written else { return Ok(()) };
        match self.in_flight.take() {
            Some((pass, stats)) => self.watch.accepted(&AcceptedStep { pass: &pass, stats: &stats }, &bytes),
            None => Ok(()),
        }
    }
}

impl ReductionObserver for Recorder<'_, '_> {
    fn accepted(&mut self, step: &AcceptedStep, bytes: &Arc<Vec<u8>>) -> Result<(), StepError> {
        self.oracle.accepted(bytes);
        // A strategy with its own order may pass through longer texts. They are not results; if nothing smaller follows, there is
        // no result.
        if !is_smaller(bytes, self.original) && step.pass != ROLLBACK {
            return Ok(());
        }
        if self.is_replaying() {
            if hash(bytes) != self.replay[self.n_replayed] {
                self.n_replayed = usize::MAX;
                return Err(StepError::Diverged);
            }
            self.n_replayed += 1;
            if self.is_replaying() {
                return Ok(());
            }
            // The last one is in the journal, but maybe not in the file.
            self.writer.write_again(bytes.clone())?;
        } else {
            self.report_written()?;
            self.writer.write(step.pass, step.stats.asks, bytes.clone())?;
        }
        self.in_flight = Some((step.pass.to_owned(), step.stats.clone()));
        Ok(())
    }

    fn asked(&mut self, pass: &str, stats: &ReductionStats) {
        // An error is reported with the next step, or at the end.
        let reported = self.writer.poll().and_then(|written| self.report(written));
        self.failure = self.failure.take().or(reported.err());
        if !self.is_replaying() {
            self.watch.asked(pass, stats);
        }
    }
}
