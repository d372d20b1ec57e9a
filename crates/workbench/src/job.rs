//! A job: what was asked, how far it is, and its events.

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

/// Locks what no panic can leave half done.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a job is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Phase {
    /// It works.
    Running,
    /// It waits.
    Paused,
    /// It was told to stop.
    Stopping,
    /// It ended by itself.
    Done,
    /// It was told to stop, and has.
    Stopped,
    /// It could not do what was asked.
    Failed,
    /// The server ended before it did.
    Interrupted,
}

impl Phase {
    /// Whether more may come.
    pub fn is_live(self) -> bool {
        matches!(self, Phase::Running | Phase::Paused | Phase::Stopping)
    }
}

/// One job.
pub struct Job {
    /// Its name, which is that of its folder.
    pub id: String,
    /// What was asked.
    pub form: Form,
    /// Its folder.
    pub folder: PathBuf,
    /// If it was started by the command line. Such a job can be looked at, and nothing else.
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
    /// `None`: on disk, and nobody has looked yet.
    pub lines: Option<Vec<Arc<str>>>,
    outcome: Outcome,
    /// How far it is, as its last event of progress said.
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
    /// How the job looks in a list.
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

    /// What was typed for it, or does the same.
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

    /// What a page of it is called: what came of it, and of which file.
    pub fn title(&self) -> String {
        let headline = lock(&self.progress).outcome.headline.clone();
        let file = self.form.file().rsplit('/').next().unwrap_or_default();
        let parts = [file, headline.as_str()].into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(": ")
    }

    /// Whether more may come.
    pub fn is_live(&self) -> bool {
        lock(&self.progress).phase.is_live()
    }

    /// Lines from a number on.
    pub fn lines_from(&self, from: usize) -> Vec<Arc<str>> {
        let mut progress = lock(&self.progress);
        let lines = progress.lines.get_or_insert_with(|| self.read_lines());
        lines.get(from..).unwrap_or_default().to_vec()
    }

    /// To wait for more.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Takes an event.
    pub fn add(&self, line: &str) {
        let mut progress = lock(&self.progress);
        progress.outcome.take(line);
        progress.lines.get_or_insert_default().push(line.into());
        drop(progress);
        self.touch();
    }

    /// Takes an event of progress. Only the last one is kept: there are many, and they are nothing to look back at.
    pub fn show_progress(&self, line: &str) {
        lock(&self.progress).latest = Some(line.into());
        self.touch();
    }

    /// How far it is.
    pub fn latest_progress(&self) -> Option<Arc<str>> {
        lock(&self.progress).latest.clone()
    }

    /// The job has ended.
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

    /// Something changed.
    pub fn touch(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// All events on disk.
    pub(crate) fn read_lines(&self) -> Vec<Arc<str>> {
        let bytes = match &self.found {
            Some(found) => found.read("events.jsonl"),
            None => std::fs::read(launch::events_file(&self.folder)).unwrap_or_default(),
        };
        // A kill may leave half a line at the end; another file may have anything.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let is_event = |line: &&str| serde_json::from_str::<serde_json::Value>(line).is_ok();
        text.lines().filter(is_event).map(Arc::from).collect()
    }
}

/// Whether somebody asked for the end of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// Somebody did.
    Yes,
    /// It ended by itself.
    No,
}

impl Progress {
    /// Of a job that has just begun.
    pub fn begun() -> Progress {
        Progress { phase: Phase::Running, lines: Some(Vec::new()), outcome: Outcome::default(), latest: None }
    }

    /// Of a job that nobody here runs.
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

/// Where a job is, and whose it is.
pub(crate) struct Place {
    /// Its folder.
    pub folder: PathBuf,
    /// If it was started by the command line.
    pub found: Option<FoundJob>,
}

/// A job that nobody controls yet.
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

/// A job of an earlier server. Of its events only those at the end are looked at: there may be a thousand jobs.
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
