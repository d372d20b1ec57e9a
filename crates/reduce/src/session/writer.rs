//! Writes accepted steps to disk, in a separate thread.
//!
//! At most one step is in flight: the next one is handed over after [`Writer::wait`]. So the file is at most one accepted step
//! behind the engine, which continues meanwhile; and since a step is reported only when it is durable, the file is never
//! behind what was reported. The journal is written before the file: after a kill the journal knows the content of the file,
//! whichever of the two steps that is.
//!
//! Measured (see docs/notes): a durable step takes 1-15 ms, an ask of a fast oracle 1 ms; with the thread the engine
//! waits only when two steps are accepted in a row.

use super::journal::step_record;
use crate::StepError;
use nub_store::{History, Journal, JournalRecord, RealFs, StoreError, commit};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

struct Job {
    bytes: Arc<Vec<u8>>,
    record: Option<JournalRecord>,
}

/// The engine's handle to the writing thread.
pub(super) struct Writer {
    jobs: Option<SyncSender<Job>>,
    /// The content of the file, when a step is durable.
    done: Receiver<Result<Arc<Vec<u8>>, StoreError>>,
    thread: JoinHandle<Journal>,
    in_flight: bool,
    /// Steps that are durable.
    n_written: u64,
}

impl Writer {
    pub(super) fn start(out: PathBuf, mut journal: Journal, mut history: Option<History>) -> Writer {
        let (jobs, job_end) = sync_channel::<Job>(1);
        let (done_end, done) = sync_channel(1);
        let thread = std::thread::spawn(move || {
            for job in job_end {
                let result = write_step(&out, &mut journal, history.as_mut(), &job);
                if done_end.send(result.map(|()| job.bytes)).is_err() {
                    break;
                }
            }
            journal
        });
        Writer { jobs: Some(jobs), done, thread, in_flight: false, n_written: 0 }
    }

    /// Hands a step over. The one before must be durable.
    pub(super) fn write(&mut self, pass: &str, asks: u64, bytes: Arc<Vec<u8>>) -> Result<(), StepError> {
        let record = step_record(pass, asks, &bytes);
        self.hand_over(Job { bytes, record: Some(record) })
    }

    /// The same for a step that is in the journal already.
    pub(super) fn write_again(&mut self, bytes: Arc<Vec<u8>>) -> Result<(), StepError> {
        self.hand_over(Job { bytes, record: None })
    }

    fn hand_over(&mut self, job: Job) -> Result<(), StepError> {
        debug_assert!(!self.in_flight, "one step at a time");
        let jobs = self.jobs.as_ref().expect("open until `finish`, which consumes");
        jobs.send(job).map_err(|_| StepError::WriterDied)?;
        self.in_flight = true;
        Ok(())
    }

    /// Waits until the step in flight is durable, and returns it. `None` if there is none.
    pub(super) fn wait(&mut self) -> Result<Option<Arc<Vec<u8>>>, StepError> {
        if !std::mem::take(&mut self.in_flight) {
            return Ok(None);
        }
        let written = self.done.recv().map_err(|_| StepError::WriterDied)?;
        self.written(written).map(Some)
    }

    /// The same without waiting. `None` if there is none, or it is not durable yet.
    pub(super) fn poll(&mut self) -> Result<Option<Arc<Vec<u8>>>, StepError> {
        match self.done.try_recv() {
            Ok(written) => {
                self.in_flight = false;
                self.written(written).map(Some)
            }
            Err(_) => Ok(None),
        }
    }

    fn written(&mut self, written: Result<Arc<Vec<u8>>, StoreError>) -> Result<Arc<Vec<u8>>, StepError> {
        self.n_written += u64::from(written.is_ok());
        written.map_err(|error| StepError::Store(describe(&error)))
    }

    /// Waits for the last step. Returns the journal, and whether the file contains any step.
    pub(super) fn finish(mut self) -> (Result<Journal, StepError>, bool) {
        let result = self.wait();
        drop(self.jobs.take());
        let has_written = self.n_written > 0;
        match self.thread.join() {
            Ok(journal) => (result.map(|_| journal), has_written),
            Err(_) => (Err(StepError::WriterDied), has_written),
        }
    }
}

fn describe(error: &StoreError) -> String {
    match error.hint() {
        Some(hint) => format!("{error}\nhint: {hint}"),
        None => error.to_string(),
    }
}

fn write_step(
    out: &std::path::Path,
    journal: &mut Journal,
    history: Option<&mut History>,
    job: &Job,
) -> Result<(), StoreError> {
    if let Some(record) = &job.record {
        journal.append(record)?;
    }
    commit(&RealFs, out, &job.bytes)?;
    if let Some(history) = history {
        history.save(&job.bytes)?;
    }
    Ok(())
}
