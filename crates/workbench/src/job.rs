//! A job: its form, its progress and its events.

use crate::api::Shared;
use crate::command_line::command_line;
use crate::forms::Form;
use crate::found::{self, FoundJob};
use crate::headline::{self, Outcome};
use crate::launch;
use crate::roots::Roots;
use nub_jobs::JobControl;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;
use tokio::sync::watch;

/// The form that started a job, in its folder.
pub const FORM: &str = "form.json";

/// Locks a value that no panic can leave inconsistent.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a job is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Phase {
    /// It runs.
    Running,
    /// It is paused.
    Paused,
    /// It was told to stop.
    Stopping,
    /// It ended by itself.
    Done,
    /// It was told to stop and has ended.
    Stopped,
    /// It ended with an error or was refused.
    Failed,
    /// The server ended before the job did.
    Interrupted,
}

impl Phase {
    /// Whether more events may come.
    pub fn is_live(self) -> bool {
        matches!(self, Phase::Running | Phase::Paused | Phase::Stopping)
    }
}

/// One job.
pub struct Job {
    /// Its name, which is that of its folder.
    pub id: String,
    /// The form that started it.
    pub form: Form,
    /// Its folder.
    pub folder: PathBuf,
    /// Set if it was started by the command line. Such a job can only be viewed.
    pub found: Option<FoundJob>,
    /// Seconds since 1970.
    started: u64,
    pub(crate) progress: Mutex<Progress>,
    /// Number of lines, and a count that rises with every change of phase.
    changed: watch::Sender<u64>,
    pub(crate) control: Mutex<Option<JobControl>>,
}

pub(crate) struct Progress {
    /// What it is doing.
    pub phase: Phase,
    /// `None` if they are on disk and have not been read yet.
    pub lines: Option<Vec<Arc<str>>>,
    outcome: Outcome,
    /// The last progress event.
    latest: Option<Arc<str>>,
}

/// A job in a list.
#[derive(Serialize)]
pub(crate) struct Summary {
    id: String,
    kind: &'static str,
    file: String,
    phase: Phase,
    headline: String,
    /// Seconds since 1970.
    pub started: u64,
    /// The folder of a job of the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
}

impl Job {
    /// The job as an entry of a list.
    pub fn summary(&self) -> Summary {
        let progress = lock(&self.progress);
        Summary {
            id: self.id.clone(),
            kind: self.form.kind(),
            file: self.form.file().to_owned(),
            phase: progress.phase,
            headline: progress.outcome.headline.clone(),
            started: self.started,
            folder: self.found.as_ref().map(|found| found.name.clone()),
        }
    }

    /// The command line that was typed for it or that does the same.
    pub fn command_line(&self, shared: &Shared) -> String {
        match &self.found {
            Some(found) => found.command_line.clone(),
            None => command_line(&self.form, shared).map(|words| words.line()).unwrap_or_default(),
        }
    }

    /// The result of a reduction, as the page names it.
    pub fn result(&self, shared: &Shared) -> Option<String> {
        match &self.found {
            Some(found) => found.result.clone(),
            None => launch::result(self).and_then(|path| shared.roots.name_of(&path)),
        }
    }

    /// The title of its page: result and file.
    pub fn title(&self) -> String {
        let headline = lock(&self.progress).outcome.headline.clone();
        let file = self.form.file().rsplit('/').next().unwrap_or_default();
        let parts = [file, headline.as_str()].into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(": ")
    }

    /// Whether more events may come.
    pub fn is_live(&self) -> bool {
        lock(&self.progress).phase.is_live()
    }

    /// Lines from a number on.
    pub fn lines_from(&self, from: usize) -> Vec<Arc<str>> {
        let mut progress = lock(&self.progress);
        let lines = progress.lines.get_or_insert_with(|| self.read_lines());
        lines.get(from..).unwrap_or_default().to_vec()
    }

    /// A receiver to wait for changes.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Adds an event.
    pub fn add(&self, line: &str) {
        let mut progress = lock(&self.progress);
        progress.outcome.take(line);
        progress.lines.get_or_insert_default().push(line.into());
        drop(progress);
        self.touch();
    }

    /// Stores a progress event. Only the last one is kept: there are many, and old ones are of no use.
    pub fn show_progress(&self, line: &str) {
        lock(&self.progress).latest = Some(line.into());
        self.touch();
    }

    /// The last progress event.
    pub fn latest_progress(&self) -> Option<Arc<str>> {
        lock(&self.progress).latest.clone()
    }

    /// Marks the job as ended.
    pub fn end(&self, was_stopped: Stopped) {
        let mut progress = lock(&self.progress);
        progress.phase = match (progress.outcome.has_failed, was_stopped) {
            (_, Stopped::Yes) => Phase::Stopped,
            (true, Stopped::No) => Phase::Failed,
            (false, Stopped::No) => Phase::Done,
        };
        drop(progress);
        *lock(&self.control) = None;
        self.touch();
    }

    /// Notifies all receivers of a change.
    pub fn touch(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// All events on disk.
    pub(crate) fn read_lines(&self) -> Vec<Arc<str>> {
        let bytes = match &self.found {
            Some(found) => found.read("events.jsonl"),
            None => std::fs::read(launch::events_file(&self.folder)).unwrap_or_default(),
        };
        // A kill may leave an incomplete last line; other files may contain anything.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let is_event = |line: &&str| serde_json::from_str::<serde_json::Value>(line).is_ok();
        text.lines().filter(is_event).map(Arc::from).collect()
    }
}

/// Whether a user stopped the job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// A user stopped it.
    Yes,
    /// It ended by itself.
    No,
}

impl Progress {
    /// The progress of a job that has just started.
    pub fn begun() -> Progress {
        Progress { phase: Phase::Running, lines: Some(Vec::new()), outcome: Outcome::default(), latest: None }
    }

    /// The progress of a job that this server does not run.
    fn ended(outcome: Outcome) -> Progress {
        let phase = match (outcome.has_ended, outcome.has_failed, outcome.was_stopped) {
            (false, ..) => Phase::Interrupted,
            (_, true, _) => Phase::Failed,
            (_, _, true) => Phase::Stopped,
            _ => Phase::Done,
        };
        Progress { phase, lines: None, outcome, latest: None }
    }
}

/// Where a job is stored, and whether it is from the command line.
pub(crate) struct Place {
    /// Its folder.
    pub folder: PathBuf,
    /// Set if it was started by the command line.
    pub found: Option<FoundJob>,
}

/// A job without a handle to control it.
pub(crate) fn new_job(id: String, form: Form, place: Place, progress: Progress) -> Job {
    let Place { folder, found } = place;
    let file = if found.is_some() { "job.json" } else { FORM };
    let started = std::fs::metadata(folder.join(file)).and_then(|meta| meta.modified()).ok();
    let started =
        started.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |time| time.as_secs());
    let changed = watch::Sender::new(0);
    Job {
        id,
        form,
        folder,
        found,
        started,
        progress: Mutex::new(progress),
        changed,
        control: Mutex::new(None),
    }
}

/// A job of an earlier server. Only its last events are read: there may be a thousand jobs.
pub(crate) fn load(folder: &Path) -> Option<Job> {
    let id = folder.file_name()?.to_str()?.to_owned();
    let form: Form = serde_json::from_slice(&std::fs::read(folder.join(FORM)).ok()?).ok()?;
    let progress = Progress::ended(headline::of_file(&launch::events_file(folder)));
    Some(new_job(id, form, Place { folder: folder.to_owned(), found: None }, progress))
}

/// A job of the command line, as its folder shows it.
pub(crate) fn load_found(id: String, folder: PathBuf, roots: &Arc<Roots>) -> Option<Job> {
    let (form, found) = found::load(&folder, roots)?;
    let outcome = headline::of_bytes(&found.read("events.jsonl"));
    Some(new_job(id, form, Place { folder, found: Some(found) }, Progress::ended(outcome)))
}
