//! Jobs of the workbench: those that run, and those that are on disk.
//!
//! A job is a folder below `jobs` of the state folder, with the form that started it (`form.json`) beside what the job
//! itself keeps. Events are lines of JSON, the same that `--json` prints; whoever looks at a job gets those that are there,
//! then those that come. So a job survives a reload, a second tab, and the end of the server.

use crate::answer::RequestRefusal;
use crate::forms::Form;
use crate::headline::{self, Outcome};
use crate::launch;
use crate::limits;
use axum::http::StatusCode;
use nub_jobs::{JobContext, JobControl, JobRequest};
use nub_store::{RealFs, StoreError, commit, create_folder};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, UNIX_EPOCH};
use tokio::sync::watch;

/// The form that started a job, in its folder.
const FORM: &str = "form.json";

/// How often the end of jobs is looked for when the server ends.
const FAREWELL_POLL: Duration = Duration::from_millis(20);

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
    /// Seconds since 1970.
    started: u64,
    progress: Mutex<Progress>,
    /// Number of lines, and a count that rises with every change of phase.
    changed: watch::Sender<u64>,
    control: Mutex<Option<JobControl>>,
}

struct Progress {
    phase: Phase,
    /// `None`: on disk, and nobody has looked yet.
    lines: Option<Vec<Arc<str>>>,
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
    started: u64,
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
        }
    }

    /// Lines from a number on.
    pub fn lines_from(&self, from: usize) -> Vec<Arc<str>> {
        let mut progress = lock(&self.progress);
        let lines = progress.lines.get_or_insert_with(|| read_lines(&self.folder));
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

    fn touch(&self) {
        self.changed.send_modify(|count| *count += 1);
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

fn read_lines(folder: &Path) -> Vec<Arc<str>> {
    let bytes = std::fs::read(launch::events_file(folder)).unwrap_or_default();
    // A kill may leave half a line at the end.
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    String::from_utf8_lossy(&bytes[..whole]).lines().map(Arc::from).collect()
}

/// All jobs.
pub struct Work {
    folder: PathBuf,
    jobs: Mutex<BTreeMap<String, Arc<Job>>>,
    /// Rises when any job begins, ends or is paused.
    changed: watch::Sender<u64>,
}

impl Progress {
    fn begun() -> Progress {
        Progress { phase: Phase::Running, lines: Some(Vec::new()), outcome: Outcome::default(), latest: None }
    }
}

fn check_room(jobs: &BTreeMap<String, Arc<Job>>) -> Result<(), RequestRefusal> {
    let n_live = jobs.values().filter(|job| lock(&job.progress).phase.is_live()).count();
    if n_live < limits::N_RUNNING {
        return Ok(());
    }
    let message = format!("{n_live} jobs are running, and that is the limit; stop one or wait");
    Err(RequestRefusal::new(StatusCode::TOO_MANY_REQUESTS, message))
}

/// What may be done with a running job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// End it, and keep what it has.
    Stop,
    /// Hold it.
    Pause,
    /// Let it go on.
    Resume,
}

impl Work {
    /// Finds the jobs of earlier servers.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn open(state: &Path) -> Result<Work, StoreError> {
        let folder = state.join("jobs");
        create_folder(&RealFs, &folder)?;
        let entries = folder.read_dir().into_iter().flatten().flatten();
        let jobs = entries
            .filter_map(|entry| load(&entry.path()))
            .map(|job| (job.id.clone(), Arc::new(job)))
            .collect();
        Ok(Work { folder, jobs: Mutex::new(jobs), changed: watch::Sender::new(0) })
    }

    /// All jobs, the newest first.
    pub fn list(&self) -> Vec<Summary> {
        lock(&self.jobs).values().rev().filter(|job| !job.form.is_probe()).map(|job| job.summary()).collect()
    }

    /// To wait for changes of the list.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// One job.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn get(&self, id: &str) -> Result<Arc<Job>, RequestRefusal> {
        lock(&self.jobs)
            .get(id)
            .cloned()
            .ok_or_else(|| RequestRefusal::missing(format!("there is no job `{id}`")))
    }

    /// Makes the folder of a new job and starts it. `make` makes the request for that folder.
    ///
    /// # Errors
    /// If too many run, or the folder cannot be written.
    pub fn start(
        self: &Arc<Work>,
        form: Form,
        context: JobContext,
        make: impl FnOnce(&Path) -> Result<JobRequest, RequestRefusal>,
    ) -> Result<Arc<Job>, RequestRefusal> {
        let mut jobs = lock(&self.jobs);
        check_room(&jobs)?;
        let last =
            jobs.keys().next_back().and_then(|id| id.split('-').next()?.parse::<u64>().ok()).unwrap_or(0);
        let id = format!("{:06}-{}", last + 1, form.kind());
        let folder = self.folder.join(&id);
        create_folder(&RealFs, &folder)?;
        let text =
            serde_json::to_vec_pretty(&form).map_err(|error| RequestRefusal::bad(error.to_string()))?;
        commit(&RealFs, &folder.join(FORM), &text)?;
        let request = make(&folder)?;
        let job = Arc::new(new_job(id.clone(), form, folder, Progress::begun()));
        jobs.insert(id, Arc::clone(&job));
        drop(jobs);
        *lock(&job.control) = Some(launch::start(request, context, Arc::clone(&job), Arc::clone(self)));
        self.touch();
        Ok(job)
    }

    /// Lets a job go on that was interrupted, in its own folder and under its own name.
    ///
    /// # Errors
    /// If it is running, has nothing left to do, or too many run.
    pub fn go_on(
        self: &Arc<Work>,
        id: &str,
        context: JobContext,
        make: impl FnOnce(&Job) -> Result<JobRequest, RequestRefusal>,
    ) -> Result<Arc<Job>, RequestRefusal> {
        let job = self.get(id)?;
        let request = make(&job)?;
        let jobs = lock(&self.jobs);
        check_room(&jobs)?;
        let mut progress = lock(&job.progress);
        if !matches!(progress.phase, Phase::Interrupted | Phase::Stopped) || !launch::can_resume(&job.form) {
            return Err(RequestRefusal::new(
                StatusCode::CONFLICT,
                "only a reduction or campaign that was interrupted can go on",
            ));
        }
        progress.lines.get_or_insert_with(|| read_lines(&job.folder));
        progress.phase = Phase::Running;
        drop((progress, jobs));
        *lock(&job.control) = Some(launch::start(request, context, Arc::clone(&job), Arc::clone(self)));
        job.touch();
        self.touch();
        Ok(job)
    }

    /// Tells a job to stop, wait or go on.
    ///
    /// # Errors
    /// If it is not running.
    pub fn act(&self, id: &str, action: Action) -> Result<(), RequestRefusal> {
        let job = self.get(id)?;
        let control = lock(&job.control);
        let Some(control) = control.as_ref() else {
            return Err(RequestRefusal::new(StatusCode::CONFLICT, "the job has already ended"));
        };
        let phase = match action {
            Action::Stop => {
                control.resume();
                control.cancel();
                Phase::Stopping
            }
            Action::Pause => {
                control.pause();
                Phase::Paused
            }
            Action::Resume => {
                control.resume();
                Phase::Running
            }
        };
        let mut progress = lock(&job.progress);
        if progress.phase.is_live() && progress.phase != Phase::Stopping {
            progress.phase = phase;
        }
        drop(progress);
        job.touch();
        self.touch();
        Ok(())
    }

    /// A job began, ended, or was paused.
    pub fn touch(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Stops everything, for the end of the server, and waits until all jobs have written what they have.
    pub fn stop_all(&self, patience: Duration) {
        let jobs: Vec<Arc<Job>> = lock(&self.jobs).values().cloned().collect();
        for job in &jobs {
            if let Some(control) = lock(&job.control).as_ref() {
                control.resume();
                control.cancel();
            }
        }
        let start = Instant::now();
        while jobs.iter().any(|job| lock(&job.progress).phase.is_live()) && start.elapsed() < patience {
            std::thread::sleep(FAREWELL_POLL);
        }
    }
}

fn new_job(id: String, form: Form, folder: PathBuf, progress: Progress) -> Job {
    let started = std::fs::metadata(folder.join(FORM)).and_then(|meta| meta.modified()).ok();
    let started =
        started.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |time| time.as_secs());
    let changed = watch::Sender::new(0);
    Job { id, form, folder, started, progress: Mutex::new(progress), changed, control: Mutex::new(None) }
}

/// A job of an earlier server. Of its events only those at the end are looked at: there may be a thousand jobs.
fn load(folder: &Path) -> Option<Job> {
    let id = folder.file_name()?.to_str()?.to_owned();
    let form: Form = serde_json::from_slice(&std::fs::read(folder.join(FORM)).ok()?).ok()?;
    let outcome = headline::of_file(&launch::events_file(folder));
    let phase = match (outcome.has_ended, outcome.has_failed, outcome.was_stopped) {
        (false, ..) => Phase::Interrupted,
        (_, true, _) => Phase::Failed,
        (_, _, true) => Phase::Stopped,
        _ => Phase::Done,
    };
    Some(new_job(id, form, folder.to_owned(), Progress { phase, lines: None, outcome, latest: None }))
}
