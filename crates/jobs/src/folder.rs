//! The folder of a job: what was asked, what happened, what came of it. It can be opened again.
//!
//! ```text
//! job.json       the request
//! events.jsonl   one event per line, as `--json` prints them
//! ```
//!
//! The results lie beside them. A reduction has its run folder (`OUT.nub`), a campaign its own; other jobs have one on request.

use crate::failure::Failure;
use crate::request::JobRequest;
use crate::unsynced::Unsynced;
use nub_report::JobEvent;
use nub_store::{FileSystem, OpenFile, commit, create_folder, write_all};
use std::path::{Path, PathBuf};

/// The request.
pub const REQUEST: &str = "job.json";
/// The events.
pub const EVENTS: &str = "events.jsonl";

/// A job's folder, read back.
#[derive(Clone, PartialEq, Debug)]
pub struct JobFolder {
    /// Where it is.
    pub path: PathBuf,
    /// What was asked.
    pub request: JobRequest,
    /// What happened; empty if nothing has yet.
    pub events: Vec<JobEvent>,
}

impl JobFolder {
    /// Reads a folder. A job may be running in it.
    ///
    /// # Errors
    /// If it is not the folder of a job.
    pub fn open(path: &Path) -> Result<JobFolder, Failure> {
        let file = path.join(REQUEST);
        let text = std::fs::read(&file).map_err(|error| {
            Failure::usage(format!("{} is not the folder of a job: {error}", path.display()))
        })?;
        let request = serde_json::from_slice(&text).map_err(|error| {
            Failure::usage(format!("{}: {error}", file.display()))
                .with_hint("it may have been written by another version of nub")
        })?;
        let events = std::fs::read(path.join(EVENTS)).unwrap_or_default();
        // The last line may be on its way; types of a later version are skipped, as the format says.
        let lines = String::from_utf8_lossy(&events);
        let events = lines.lines().filter_map(|line| JobEvent::from_line(line).ok()).collect();
        Ok(JobFolder { path: path.to_owned(), request, events })
    }
}

/// Appends events to the file of a folder.
pub(crate) struct EventLog {
    file: Option<Box<dyn OpenFile>>,
}

impl EventLog {
    /// Writes the request into an existing folder and opens the list of events: a new one, or that of the run that goes on.
    pub(crate) fn start(folder: &Path, request: &JobRequest, earlier: Earlier) -> EventLog {
        // A path that is not UTF-8 cannot be written. The job is worth more than its record, also on a full disk.
        if let Ok(text) = serde_json::to_vec_pretty(request) {
            let _ = commit(&Unsynced, &folder.join(REQUEST), &text);
        }
        let events = folder.join(EVENTS);
        if earlier == Earlier::Dropped {
            let _ = Unsynced.remove_file(&events);
        }
        EventLog { file: Unsynced.append(&events).ok() }
    }

    /// Creates the folder and starts a log in it.
    pub(crate) fn create(folder: &Path, request: &JobRequest) -> Result<EventLog, Failure> {
        create_folder(&Unsynced, folder)?;
        Ok(EventLog::start(folder, request, Earlier::Dropped))
    }

    pub(crate) fn add(&mut self, event: &JobEvent) {
        if let Some(file) = &mut self.file {
            let line = event.to_line() + "\n";
            // Half a line must not be followed by another one.
            if write_all(file.as_mut(), line.as_bytes()).is_err() {
                self.file = None;
            }
        }
    }
}

/// What becomes of the events of an earlier run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Earlier {
    /// They stay, and new ones follow.
    Kept,
    /// They go.
    Dropped,
}
