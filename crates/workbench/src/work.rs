//! Jobs of the workbench: those that run, and those that are on disk.
//!
//! A job is a folder below `jobs` of the state folder, with the form that started it (`form.json`) next to the job's own
//! files. Events are lines of JSON, the same that `--json` prints; a page gets the existing ones first, then new ones as
//! they arrive. So a job survives a reload, a second tab, and the end of the server.

use crate::answer::RequestRefusal;
use crate::forms::Form;
use crate::found;
use crate::job::{FORM, Job, Phase, Place, Progress, Summary, load, load_found, lock, new_job};
use crate::launch;
use crate::limits;
use crate::roots::Roots;
use axum::http::StatusCode;
use nub_jobs::{JobContext, JobRequest};
use nub_store::{RealFs, StoreError, commit, create_folder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often we check whether all jobs have ended when the server ends.
const FAREWELL_POLL: Duration = Duration::from_millis(20);

/// How long the list of jobs of the command line is cached.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// Jobs of the command line by id, with the length of their events.
#[derive(Default)]
struct FoundJobs {
    jobs: BTreeMap<String, (u64, Arc<Job>)>,
    looked: Option<Instant>,
}

/// All jobs.
pub struct Work {
    folder: PathBuf,
    jobs: Mutex<BTreeMap<String, Arc<Job>>>,
    /// Jobs of the command line when they were last listed.
    found: Mutex<FoundJobs>,
    roots: Arc<Roots>,
    /// Rises when any job begins, ends or is paused.
    changed: watch::Sender<u64>,
}

fn check_room(jobs: &BTreeMap<String, Arc<Job>>) -> Result<(), RequestRefusal> {
    let n_live = jobs.values().filter(|job| lock(&job.progress).phase.is_live()).count();
    if n_live < limits::N_RUNNING {
        return Ok(());
    }
    let message = format!("{n_live} jobs are running, which is the limit; stop one or wait");
    Err(RequestRefusal::new(StatusCode::TOO_MANY_REQUESTS, message))
}

/// What may be done with a running job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// Stop it and keep its results so far.
    Stop,
    /// Pause it.
    Pause,
    /// Resume it.
    Resume,
}

impl Work {
    /// Finds the jobs of earlier servers.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn open(state: &Path, roots: Roots) -> Result<Work, StoreError> {
        let folder = state.join("jobs");
        create_folder(&RealFs, &folder)?;
        let entries = folder.read_dir().into_iter().flatten().flatten();
        let jobs = entries
            .filter_map(|entry| load(&entry.path()))
            .map(|job| (job.id.clone(), Arc::new(job)))
            .collect();
        let found = Mutex::default();
        let work = Work {
            folder,
            jobs: Mutex::new(jobs),
            found,
            roots: Arc::new(roots),
            changed: watch::Sender::new(0),
        };
        work.look();
        Ok(work)
    }

    /// All jobs, the newest first.
    pub fn list(&self) -> Vec<Summary> {
        self.look();
        let own: Vec<Arc<Job>> =
            lock(&self.jobs).values().rev().filter(|job| !job.form.is_probe()).cloned().collect();
        let found: Vec<Arc<Job>> = lock(&self.found).jobs.values().map(|(_, job)| Arc::clone(job)).collect();
        let mut all: Vec<Summary> = own.iter().chain(&found).map(|job| job.summary()).collect();
        // A stable sort: jobs of the page that started in the same second keep their order.
        all.sort_by_key(|summary| std::cmp::Reverse(summary.started));
        all
    }

    /// Lists jobs of the command line, unless that was done recently.
    fn look(&self) {
        let mut found = lock(&self.found);
        if found.looked.is_some_and(|looked| looked.elapsed() < LOOK_AGAIN) {
            return;
        }
        let known = std::mem::take(&mut found.jobs);
        for folder in found::folders(&self.roots, &self.folder) {
            let id = found::id_of(&folder);
            let size = std::fs::metadata(folder.join("events.jsonl")).map_or(0, |meta| meta.len());
            let job = match known.get(&id) {
                Some((same, job)) if *same == size => Some(Arc::clone(job)),
                _ => load_found(id.clone(), folder, &self.roots).map(Arc::new),
            };
            found.jobs.extend(job.map(|job| (id, (size, job))));
        }
        found.looked = Some(Instant::now());
    }

    /// A receiver to wait for changes of the list.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// One job.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn get(&self, id: &str) -> Result<Arc<Job>, RequestRefusal> {
        let own = lock(&self.jobs).get(id).cloned();
        let found = || lock(&self.found).jobs.get(id).map(|(_, job)| Arc::clone(job));
        own.or_else(found).ok_or_else(|| RequestRefusal::missing(format!("there is no job `{id}`")))
    }

    /// Creates the folder of a new job and starts it. `make` returns the request for that folder.
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
        let job = Arc::new(new_job(id.clone(), form, Place { folder, found: None }, Progress::begun()));
        jobs.insert(id, Arc::clone(&job));
        drop(jobs);
        *lock(&job.control) = Some(launch::start(request, context, Arc::clone(&job), Arc::clone(self)));
        self.touch();
        Ok(job)
    }

    /// Continues an interrupted job, in its own folder and under its own name.
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
        if job.found.is_some() {
            return Err(RequestRefusal::new(
                StatusCode::CONFLICT,
                "a job of the command line can only be continued in the terminal",
            ));
        }
        let request = make(&job)?;
        let jobs = lock(&self.jobs);
        check_room(&jobs)?;
        let mut progress = lock(&job.progress);
        if !matches!(progress.phase, Phase::Interrupted | Phase::Stopped) || !launch::can_resume(&job.form) {
            return Err(RequestRefusal::new(
                StatusCode::CONFLICT,
                "only an interrupted reduction or campaign can be continued",
            ));
        }
        progress.lines.get_or_insert_with(|| job.read_lines());
        progress.phase = Phase::Running;
        drop((progress, jobs));
        *lock(&job.control) = Some(launch::start(request, context, Arc::clone(&job), Arc::clone(self)));
        job.touch();
        self.touch();
        Ok(job)
    }

    /// Tells a job to stop, pause or resume.
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

    /// Notifies all receivers that a job started, ended or was paused.
    pub fn touch(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Stops everything, for the end of the server, and waits until all jobs have written their results.
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
