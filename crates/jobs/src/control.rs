//! Stops, pauses and observes a job.

use nub_process::Cancel;
use nub_report::Progress;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a job is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// It runs.
    Running,
    /// It waits for [`JobControl::resume`].
    Paused,
    /// It was told to stop and is finishing.
    Stopping,
    /// It has a result, or a failure.
    Ended,
}

/// The current state of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JobState {
    /// What it is doing.
    pub phase: Phase,
    /// Its progress, if it has reported any.
    pub progress: Option<Progress>,
}

/// Stops, pauses and observes a job from any thread.
#[derive(Clone, Default)]
pub struct JobControl {
    shared: Arc<Shared>,
}

type Cleaner = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Shared {
    /// Ends the search; the result is still finished and checked. A time limit raises it.
    search: Cancel,
    /// Other requests that are raised when the job is told to stop; each may have its own time limit.
    children: Mutex<Vec<Cancel>>,
    is_cancelled: AtomicBool,
    /// How many files are being read.
    n_reads: AtomicUsize,
    is_ended: AtomicBool,
    progress: Mutex<Option<Progress>>,
    cleaners: Mutex<Vec<Cleaner>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The content is consistent at any moment.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JobControl {
    /// Finishes soon, with the best result so far.
    pub fn cancel(&self) {
        self.shared.is_cancelled.store(true, Ordering::SeqCst);
        self.search().cancel();
        lock(&self.shared.children).iter().for_each(Cancel::cancel);
    }

    /// Kills all running programs without a grace period, and removes temporary files. There may be no
    /// result.
    pub fn stop_now(&self) {
        self.shared.is_cancelled.store(true, Ordering::SeqCst);
        self.search().cancel_now();
        lock(&self.shared.children).iter().for_each(Cancel::cancel_now);
        let cleaners = std::mem::take(&mut *lock(&self.shared.cleaners));
        cleaners.into_iter().for_each(|clean| clean());
    }

    /// Pauses the work at its next step. Running programs continue to their end.
    pub fn pause(&self) {
        self.search().pause();
    }

    /// Continues after a pause.
    pub fn resume(&self) {
        self.search().resume();
    }

    /// What the job is doing.
    pub fn state(&self) -> JobState {
        let phase = if self.shared.is_ended.load(Ordering::SeqCst) {
            Phase::Ended
        } else if self.is_cancelled() {
            Phase::Stopping
        } else if self.search().is_paused() {
            Phase::Paused
        } else {
            Phase::Running
        };
        JobState { phase, progress: lock(&self.shared.progress).clone() }
    }

    /// Whether the job was told to stop; a time limit does not count.
    pub fn is_cancelled(&self) -> bool {
        self.shared.is_cancelled.load(Ordering::SeqCst)
    }

    /// Whether the job is reading a file that the user named. From a pipe, that may take forever, and no request ends it.
    pub fn is_reading(&self) -> bool {
        self.shared.n_reads.load(Ordering::SeqCst) > 0
    }

    /// Reads a file that the user named.
    pub(crate) fn while_reading<T>(&self, read: impl FnOnce() -> T) -> T {
        self.shared.n_reads.fetch_add(1, Ordering::SeqCst);
        let result = read();
        self.shared.n_reads.fetch_sub(1, Ordering::SeqCst);
        result
    }

    /// The request that ends the search; a time limit raises it too.
    pub(crate) fn search(&self) -> &Cancel {
        &self.shared.search
    }

    /// A separate request that is raised and paused with the job, but not by the time limit of the search.
    pub(crate) fn child(&self) -> Cancel {
        let child = self.shared.search.sibling();
        lock(&self.shared.children).push(child.clone());
        // The job may have been told to stop before it was in the list.
        if self.is_cancelled() {
            child.cancel();
        }
        child
    }

    /// To be done by [`stop_now`](JobControl::stop_now), which may be the last thing that this process does.
    pub(crate) fn clean_with(&self, clean: impl FnOnce() + Send + 'static) {
        lock(&self.shared.cleaners).push(Box::new(clean));
    }

    pub(crate) fn show(&self, progress: Progress) {
        *lock(&self.shared.progress) = Some(progress);
    }

    pub(crate) fn end(&self) {
        self.shared.is_ended.store(true, Ordering::SeqCst);
    }
}
