//! Running jobs: a form becomes a request of `nub_jobs`, and its events become lines.

use crate::answer::RequestRefusal;
use crate::api::Shared;
use crate::command_line::Names;
use crate::forms::Form;
use crate::job::{Job, Stopped};
use crate::requests;
use crate::work::Work;
use nub_jobs::{JobContext, JobControl, JobEvent, JobRequest, JobResult};
use nub_store::{RealFs, commit};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The run folder of a reduction, in the folder of its job.
pub const RUN: &str = "run";
/// The folder of a campaign, in the folder of its job.
pub const CAMPAIGN: &str = "campaign";
/// The file name of the result of a reduction, without its extension.
const RESULT: &str = "result";
/// The accepted steps of a reduction, in its run folder.
const HISTORY: &str = "history";
/// Events of a job.
const EVENTS: &str = "events.jsonl";

/// Whether a job is new or continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begin {
    /// It is new.
    New,
    /// It continues where it was interrupted.
    Resumed,
}

/// The request of a form, for a job in `folder`.
///
/// # Errors
/// If the form names a file, program or choice that does not exist.
pub fn request(
    form: &Form,
    shared: &Shared,
    folder: &Path,
    begin: Begin,
) -> Result<JobRequest, RequestRefusal> {
    requests::Maker { names: shared, folder, begin }.request(form)
}

/// Where the jobs of the workbench run.
///
/// # Errors
/// If the current folder no longer exists.
pub fn context(shared: &Shared) -> Result<JobContext, RequestRefusal> {
    let mut context = JobContext::of_process().map_err(|failure| RequestRefusal::bad(failure.message))?;
    context.program.clone_from(&shared.options.nub);
    Ok(context)
}

/// Starts a job. Its events are added to `job` as they arrive.
pub fn start(request: JobRequest, context: JobContext, job: Arc<Job>, work: Arc<Work>) -> JobControl {
    let handle = nub_jobs::start(request, context);
    let control = handle.control();
    // This thread ends with the job, at the latest when the server ends.
    std::thread::spawn(move || {
        for event in handle.events() {
            match &event {
                JobEvent::Progress(_) => job.show_progress(&event.to_line()),
                _ => job.add(&event.to_line()),
            }
        }
        let end = handle.join();
        // Only a comparison returns its result without an event.
        if let Ok(JobResult::Compare(result)) = &end.result {
            job.add(&compared(&result.comparison));
        }
        keep(&job);
        job.end(if end.was_cancelled { Stopped::Yes } else { Stopped::No });
        work.touch();
    });
    control
}

fn compared(comparison: &impl serde::Serialize) -> String {
    serde_json::json!({ "version": 1, "type": "document", "of": "compare", "content": comparison })
        .to_string()
}

/// Writes the events of a job that does not store them itself. If that fails, the job is available until the
/// server ends.
fn keep(job: &Job) {
    let path = events_file(&job.folder);
    if !path.is_file() {
        let text: String = job.lines_from(0).iter().map(|line| format!("{line}\n")).collect();
        let _ = commit(&RealFs, &path, text.as_bytes());
    }
}

/// The file with the events of a job: jobs that have a run folder store them there.
pub fn events_file(folder: &Path) -> PathBuf {
    let places = [folder.join(RUN), folder.join(CAMPAIGN), folder.to_owned()];
    let found = places.iter().map(|place| place.join(EVENTS)).find(|path| path.is_file());
    found.unwrap_or_else(|| folder.join(EVENTS))
}

/// Where the result of a reduction is written.
pub fn result_path(folder: &Path, input: &str) -> PathBuf {
    let name = input.rsplit('/').next().unwrap_or_default();
    match name.rsplit_once('.') {
        Some((_, extension)) => folder.join(format!("{RESULT}.{extension}")),
        None => folder.join(RESULT),
    }
}

/// The result of a reduction, if there is one.
pub fn result(job: &Job) -> Option<PathBuf> {
    let Form::Reduce(form) = &job.form else { return None };
    Some(result_path(&job.folder, &form.file)).filter(|path| path.is_file())
}

/// The folder with the accepted steps of a reduction.
pub fn history(job: &Job) -> PathBuf {
    let run = if job.found.is_some() { job.folder.clone() } else { job.folder.join(RUN) };
    run.join(HISTORY)
}

/// A file of that folder.
pub fn read_step(job: &Job, name: &str) -> Option<Vec<u8>> {
    match &job.found {
        // Only below the folders of the workbench, even if there are links.
        Some(found) => Some(found.read(&format!("{HISTORY}/{name}"))),
        None => std::fs::read(history(job).join(name)).ok(),
    }
}

/// The file after an accepted step, from 0.
pub fn step(job: &Job, step: u64) -> Option<Vec<u8>> {
    let prefix = format!("{step:06}-");
    let steps = history(job).read_dir().ok()?.flatten();
    let mut named = steps.filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix));
    read_step(job, &named.next()?.file_name().to_string_lossy())
}

/// Whether a job of this kind can continue after it was interrupted.
pub fn can_resume(form: &Form) -> bool {
    matches!(form, Form::Reduce(_) | Form::Fuzz(_))
}

/// The words of a program as a shell line, for jobs that take one.
///
/// # Errors
/// If there is no such program.
pub fn line_of(names: &dyn Names, program: &str) -> Result<String, RequestRefusal> {
    Ok(names.program(program)?.iter().map(|word| nub_jobs::quote_word(word)).collect::<Vec<_>>().join(" "))
}
