//! The folder of a job: its request, its events, its results. It can be opened again.
//!
//! ```text
//! job.json       the request, with the command line that made it and the folder that its relative paths start at
//! events.jsonl   one event per line, as `--json` prints them
//! ```
//!
//! The results are next to them. A reduction uses its run folder (`OUT.nub`), a campaign its own; other jobs have one on
//! request.

use crate::failure::Failure;
use crate::request::JobRequest;
use crate::unsynced::Unsynced;
use nub_report::JobEvent;
use nub_store::{FileSystem, OpenFile, commit, create_folder, write_all};
use serde::Serialize;
use serde_json::Value;
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
    /// The request.
    pub request: JobRequest,
    /// The events so far.
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
        let wrong = |error: serde_json::Error| {
            Failure::usage(format!("{}: {error}", file.display()))
                .with_hint("it may have been written by another version of nub")
        };
        let record = JobRecord::read(&text).map_err(wrong)?;
        let events = std::fs::read(path.join(EVENTS)).unwrap_or_default();
        // The last line may be incomplete; event types of a later version are skipped, as the format
        // requires.
        let lines = String::from_utf8_lossy(&events);
        let events = lines.lines().filter_map(|line| JobEvent::from_line(line).ok()).collect();
        Ok(JobFolder { path: path.to_owned(), request: record.request, events })
    }
}

/// The stored form of a request.
#[derive(Serialize)]
pub(crate) struct Asked<'job> {
    #[serde(flatten)]
    pub request: &'job JobRequest,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub command_line: &'job str,
    pub working_folder: &'job Path,
}

/// A stored request, read back.
#[derive(Clone, PartialEq, Debug)]
pub struct JobRecord {
    /// The request.
    pub request: JobRequest,
    /// The command line; empty if there was none.
    pub command_line: String,
    /// The folder that relative paths of the request start at.
    pub folder: PathBuf,
}

impl JobRecord {
    /// Reads `job.json`.
    ///
    /// # Errors
    /// If it is not a stored request of this version.
    pub fn read(text: &[u8]) -> Result<JobRecord, serde_json::Error> {
        let record: Value = serde_json::from_slice(text)?;
        let text = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        let (command_line, folder) = (text("command_line"), PathBuf::from(text("working_folder")));
        Ok(JobRecord { request: serde_json::from_value(record)?, command_line, folder })
    }
}

/// Appends events to the file of a folder.
pub(crate) struct EventLog {
    file: Option<Box<dyn OpenFile>>,
}

impl EventLog {
    /// Writes the request into an existing folder and opens the list of events: a new one, or that of the continued run.
    pub(crate) fn start(folder: &Path, asked: &Asked<'_>, earlier: Earlier) -> EventLog {
        // A path that is not UTF-8 cannot be written. The job continues without its record, also on a full disk.
        if let Ok(text) = serde_json::to_vec_pretty(asked) {
            let _ = commit(&Unsynced, &folder.join(REQUEST), &text);
        }
        let events = folder.join(EVENTS);
        if earlier == Earlier::Dropped {
            let _ = Unsynced.remove_file(&events);
        }
        EventLog { file: Unsynced.append(&events).ok() }
    }

    /// Creates the folder and starts a log in it.
    pub(crate) fn create(folder: &Path, asked: &Asked<'_>) -> Result<EventLog, Failure> {
        create_folder(&Unsynced, folder)?;
        Ok(EventLog::start(folder, asked, Earlier::Dropped))
    }

    pub(crate) fn add(&mut self, event: &JobEvent) {
        if let Some(file) = &mut self.file {
            let line = event.to_line() + "\n";
            // A new line must not be appended to an incomplete one.
            if write_all(file.as_mut(), line.as_bytes()).is_err() {
                self.file = None;
            }
        }
    }
}

/// What happens to the events of an earlier run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Earlier {
    /// They are kept, and new ones are appended.
    Kept,
    /// They are removed.
    Dropped,
}
