//! Jobs of the command line: folders below those of the workbench that have `job.json` and `events.jsonl`.
//!
//! They are read-only. The request in such a folder contains a command, and anyone who can write a file there could make us run
//! it. So such a request is never run. Files are read through [`Roots`], which follows no link out of its folders.

use crate::forms::Form;
use crate::roots::Roots;
use nub_jobs::{JobRecord, JobRequest, job_form};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many folders are searched, nearest first, and how deep.
const N_FOLDERS: usize = 2_000;
const DEPTH: usize = 3;

/// What is known of a job of the command line besides its form.
#[derive(Clone, Debug)]
pub(crate) struct FoundJob {
    /// The folder, as the page names it.
    pub name: String,
    /// What was typed.
    pub command_line: String,
    /// The result of a reduction, as the page names it.
    pub result: Option<String>,
    roots: Arc<Roots>,
}

impl FoundJob {
    /// Reads a file of the folder; empty if it is outside the folders, too large or gone.
    pub fn read(&self, file: &str) -> Vec<u8> {
        self.roots.read(&format!("{}/{file}", self.name)).unwrap_or_default()
    }
}

/// The id of a job in a folder: the same as long as the folder exists.
pub fn id_of(folder: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    folder.hash(&mut hasher);
    format!("found-{:016x}", hasher.finish())
}

/// Folders of jobs below the roots. Excludes those in `own`, which are the workbench's.
pub fn folders(roots: &Roots, own: &Path) -> Vec<PathBuf> {
    let own = own.canonicalize().ok();
    let mut todo: VecDeque<(PathBuf, usize)> =
        roots.list().iter().map(|root| (root.path.clone(), 0)).collect();
    let mut found = Vec::new();
    for _ in 0..N_FOLDERS {
        let Some((folder, depth)) = todo.pop_front() else { break };
        if own.is_some() && folder.canonicalize().ok() == own {
            continue;
        }
        if folder.join("job.json").is_file() {
            found.push(folder.clone());
        }
        if depth == DEPTH {
            continue;
        }
        let entries = folder.read_dir().into_iter().flatten().flatten();
        let is_open = |entry: &std::fs::DirEntry| {
            !entry.file_name().to_string_lossy().starts_with('.')
                && entry.file_type().is_ok_and(|kind| kind.is_dir())
        };
        todo.extend(entries.filter(is_open).map(|entry| (entry.path(), depth + 1)));
    }
    found
}

/// The job in a folder, if it has a view.
pub fn load(folder: &Path, roots: &Arc<Roots>) -> Option<(Form, FoundJob)> {
    let name = roots.name_of(folder)?;
    let record = JobRecord::read(&roots.read(&format!("{name}/job.json")).ok()?).ok()?;
    let named = |path: &Path| roots.name_of(&record.folder.join(path).canonicalize().ok()?);
    let shown = job_form(&record.request);
    let mut fields = shown.fields;
    if let Some(file) = named(Path::new(&shown.file)).filter(|_| !shown.file.is_empty()) {
        fields["file"] = file.into();
    }
    let form = serde_json::from_value(fields).ok()?;
    let found =
        FoundJob { name, command_line: record.command_line.clone(), result: None, roots: Arc::clone(roots) };
    let result = match &record.request {
        JobRequest::Reduce(_) => output(&found.read("events.jsonl")).and_then(|path| named(Path::new(&path))),
        _ => None,
    };
    Some((form, FoundJob { result, ..found }))
}

/// Where a reduction wrote its result.
fn output(events: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(events);
    let end = text.lines().rev().find(|line| line.contains(r#""type":"end""#))?;
    let event: serde_json::Value = serde_json::from_str(end).ok()?;
    event["output"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of job that has a view has a form that the page knows.
    #[test]
    fn requests_of_the_command_line_are_forms() {
        let requests = [
            JobRequest::Reduce(Box::default()),
            JobRequest::Compare(Box::default()),
            JobRequest::Cover(Box::default()),
            JobRequest::Explain(Box::default()),
            JobRequest::Fuzz(Box::default()),
        ];
        for request in requests {
            let form: Form = serde_json::from_value(job_form(&request).fields).unwrap();
            assert_eq!(form.kind(), request.kind());
        }
    }
}
