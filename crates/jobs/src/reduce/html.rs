//! The page of a reduction, made from its run folder.

use super::Reduction;
use super::paths::is_same_file;
use crate::failure::{Failure, FailureKind};
use crate::folder::EVENTS;
use crate::handle::Job;
use crate::pages::{EndedJob, ReducedFiles, ReducedResult};
use crate::request::{CompareJob, JobRequest, ReduceJob};
use crate::sanitize::sanitize;
use nub_report::{Comparison, Document, JobEvent};
use nub_store::{RealFs, RunFolder, check_writable, commit};
use std::path::Path;

/// Checks before any work that the page can be written.
pub fn check(request: &ReduceJob, out: &Path) -> Result<(), Failure> {
    let Some(path) = &request.output.html else { return Ok(()) };
    is_free(path, &request.input)?;
    if path == out {
        return Err(is_taken(path));
    }
    can_write(path)
}

fn is_free(page: &Path, input: &Path) -> Result<(), Failure> {
    if is_same_file(page, input) { Err(is_taken(page)) } else { Ok(()) }
}

fn is_taken(page: &Path) -> Failure {
    Failure::usage(format!("{} cannot be the page as well", page.display()))
        .with_hint("name another file with --html")
}

fn can_write(page: &Path) -> Result<(), Failure> {
    check_writable(&RealFs, page)
        .map_err(|error| Failure { kind: FailureKind::Environment, ..Failure::from(error) })
}

/// The same for the page of a comparison.
pub fn check_comparison(request: &CompareJob) -> Result<(), Failure> {
    let Some(path) = &request.reduction.output.html else { return Ok(()) };
    request.more.iter().chain([&request.reduction.input]).try_for_each(|input| is_free(path, input))?;
    can_write(path)
}

/// Writes the page of a comparison, if it was asked for.
pub fn write_comparison(job: &Job, request: &CompareJob, comparison: &Comparison) -> Result<(), Failure> {
    let input = &request.reduction.input;
    let Some(path) = &request.reduction.output.html else { return Ok(()) };
    let content = serde_json::to_value(comparison).unwrap_or_default();
    let events = [JobEvent::Document(Document { of: "compare".to_owned(), content })];
    let title = format!("Compared: {}", sanitize(input.as_os_str().as_encoded_bytes()));
    let asked = JobRequest::Compare(Box::new(request.clone()));
    let original = std::fs::read(input).unwrap_or_default();
    let page = EndedJob::new(&title, &asked, &job.context, &events).comparison_page(&original);
    // No event is sent: a comparison prints one JSON object, not a stream.
    commit(&RealFs, path, page.as_bytes())?;
    Ok(())
}

impl Reduction<'_> {
    /// Writes the page that was asked for. `last` is an event that is not in the folder yet.
    pub(super) fn write_page(&self, folder: &RunFolder, last: Option<&JobEvent>) -> Result<(), Failure> {
        let Some(path) = &self.request.output.html else { return Ok(()) };
        commit(&RealFs, path, self.page(folder, last).as_bytes())?;
        self.job.events.file(path);
        Ok(())
    }

    fn page(&self, folder: &RunFolder, last: Option<&JobEvent>) -> String {
        let kept = std::fs::read(folder.path().join(EVENTS)).unwrap_or_default();
        let kept = String::from_utf8_lossy(&kept);
        let lines = kept.lines().filter_map(|line| JobEvent::from_line(line).ok());
        let events: Vec<JobEvent> = lines.chain(last.cloned()).collect();
        let asked = JobRequest::Reduce(Box::new(self.request.clone()));
        let name = |path: &Path| sanitize(path.as_os_str().as_encoded_bytes());
        let title = format!("Reduced: {}", name(&self.request.input));
        let history = folder.history_path();
        // If nothing was reduced, an existing file of this name is not ours.
        let is_reduced = !matches!(last, Some(JobEvent::End(end)) if !end.reduced);
        let text = std::fs::read(&self.paths.out).ok().filter(|_| is_reduced);
        EndedJob::new(&title, &asked, &self.job.context, &events).reduction_page(&ReducedFiles {
            original: self.original,
            result: text.map(|text| ReducedResult { name: name(&self.paths.out), text }),
            history: &history,
            read_step: &|step| std::fs::read(history.join(step)).ok(),
        })
    }
}
