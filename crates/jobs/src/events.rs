//! Sends the events of a job to its receiver and to the job's folder.

use crate::control::JobControl;
use crate::folder::EventLog;
use nub_report::{JobEvent, NoteEvent, NoteLevel, Progress, TextOutput, WrittenFile};
use std::path::Path;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Minimum time between two progress events.
const PERIOD: Duration = Duration::from_millis(100);

/// Sends events. If there is no receiver, the work continues.
#[derive(Clone)]
pub struct EventSink {
    sender: SyncSender<JobEvent>,
    control: JobControl,
    shared: Arc<Mutex<Shared>>,
}

/// An additional observer of all events.
type EventRelay = Box<dyn Fn(&JobEvent) + Send>;

#[derive(Default)]
struct Shared {
    log: Option<EventLog>,
    relay: Option<EventRelay>,
    last_progress: Option<Instant>,
}

impl EventSink {
    pub(crate) fn new(sender: SyncSender<JobEvent>, control: JobControl) -> EventSink {
        EventSink { sender, control, shared: Arc::default() }
    }

    /// From now on, also stores events in a folder.
    pub(crate) fn keep_in(&self, log: EventLog) {
        self.shared().log = Some(log);
    }

    /// From now on, also passes events to another observer.
    pub(crate) fn relay(&self, relay: impl Fn(&JobEvent) + Send + 'static) {
        self.shared().relay = Some(Box::new(relay));
    }

    fn shared(&self) -> std::sync::MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an event.
    pub(crate) fn send(&self, event: JobEvent) {
        if let Some(log) = &mut self.shared().log {
            log.add(&event);
        }
        if let Some(relay) = &self.shared().relay {
            relay(&event);
        }
        let _ = self.sender.send(event);
    }

    /// Reports progress; most calls send nothing, because of the minimum time.
    pub(crate) fn progress(&self, progress: impl FnOnce() -> Progress) {
        let is_due = {
            let mut shared = self.shared();
            let is_due = shared.last_progress.is_none_or(|last| last.elapsed() >= PERIOD);
            if is_due {
                shared.last_progress = Some(Instant::now());
            }
            is_due
        };
        if is_due {
            self.show(progress());
        }
    }

    /// Reports progress. Not stored in the folder.
    pub(crate) fn show(&self, progress: Progress) {
        self.control.show(progress.clone());
        let _ = self.sender.send(JobEvent::Progress(progress));
    }

    fn say(&self, level: NoteLevel, message: impl Into<String>) {
        self.send(JobEvent::Note(NoteEvent { level, message: message.into() }));
    }

    /// Sends a detail, shown with `-v` only.
    pub(crate) fn detail(&self, message: impl Into<String>) {
        self.say(NoteLevel::Detail, message);
    }

    /// Sends a note for the user.
    pub(crate) fn note(&self, message: impl Into<String>) {
        self.say(NoteLevel::Note, message);
    }

    /// Sends a warning.
    pub(crate) fn warn(&self, message: impl Into<String>) {
        self.say(NoteLevel::Warning, message);
    }

    /// A part of the result.
    pub(crate) fn output(&self, text: &[u8]) {
        self.send(JobEvent::Output(TextOutput { text: text.to_owned() }));
    }

    /// A file was written.
    pub(crate) fn file(&self, path: &Path) {
        self.send(JobEvent::File(WrittenFile { path: path.to_string_lossy().into_owned() }));
    }
}
