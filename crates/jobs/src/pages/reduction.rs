//! The page of a reduction: its curves, its steps, and the result as text and graph.

use super::steps::{StepTexts, TextPatch};
use super::{EndedJob, JOB, lossy};
use crate::graph::file_graph;
use nub_page::ReportPage;
use std::path::Path;

/// Limit on the bytes of the texts of all steps, besides the original and the result.
const MAX_STEP_BYTES: usize = 16 << 20;
/// Nodes of a graph that a report contains.
const MAX_GRAPH_NODES: usize = 20_000;

/// The files of a reduction.
pub struct ReducedFiles<'job> {
    /// The file that was reduced.
    pub original: &'job [u8],
    /// The result, if there is one.
    pub result: Option<ReducedResult>,
    /// The folder that has a file for each accepted step. It may not exist.
    pub history: &'job Path,
    /// Reads a file of that folder by its name; `None` if it cannot be read.
    pub read_step: &'job dyn Fn(&str) -> Option<Vec<u8>>,
}

/// The result of a reduction.
#[derive(Clone, Debug)]
pub struct ReducedResult {
    /// Its name on the page.
    pub name: String,
    /// Its content.
    pub text: Vec<u8>,
}

impl EndedJob {
    /// The page of a reduction.
    pub fn reduction_page(&self, files: &ReducedFiles<'_>) -> String {
        let original = &self.form.file;
        // A result that replaced its input has another name here.
        let result = files.result.as_ref().map(|result| {
            if result.name == *original {
                ReducedResult { name: format!("{original} (reduced)"), text: result.text.clone() }
            } else {
                result.clone()
            }
        });
        let mut page = self
            .base_with(result.as_ref().map(|result| result.name.as_str()))
            .param("file", original)
            .answer(&["/api/jobs"], &[(); 0])
            .answer(&[&format!("/api/jobs/{JOB}/steps")], &self.steps(files));
        page = with_file(page, original, files.original);
        if let Some(result) = &result {
            page = with_file(page, &result.name, &result.text);
        }
        page.html()
    }

    /// The page of a comparison, with its first file.
    pub fn comparison_page(&self, original: &[u8]) -> String {
        let page = self.base().param("file", &self.form.file).answer(&["/api/jobs"], &[(); 0]);
        with_file(page, &self.form.file, original).html()
    }

    /// A text for each accepted step. Steps and files are matched by their lengths: after a kill there may be one file
    /// more.
    fn steps(&self, files: &ReducedFiles<'_>) -> Vec<Option<TextPatch>> {
        let saved = history_files(files.history);
        let mut next = 0;
        let mut steps = StepTexts::new(lossy(files.original), MAX_STEP_BYTES);
        for event in self.events.iter().filter(|event| event["type"] == "accepted") {
            let is_it = |file: &StepFile| event["bytes"] == file.n_bytes;
            let found = saved[next..].iter().position(is_it).map(|after| next + after);
            next = found.map_or(next, |at| at + 1);
            let bytes = found.and_then(|at| (files.read_step)(&saved[at].name));
            steps.push(bytes.map(|bytes| lossy(&bytes)));
        }
        steps.finish()
    }
}

/// A step on disk: `000123-4711.smt2`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct StepFile {
    number: u64,
    n_bytes: u64,
    name: String,
}

impl StepFile {
    fn named(name: &str) -> Option<StepFile> {
        let (number, rest) = name.split_once('-')?;
        let n_bytes = rest.split('.').next()?.parse().ok()?;
        Some(StepFile { number: number.parse().ok()?, n_bytes, name: name.to_owned() })
    }
}

/// The steps in a folder, the first one first.
fn history_files(folder: &Path) -> Vec<StepFile> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut files: Vec<StepFile> =
        entries.filter_map(|entry| StepFile::named(entry.file_name().to_str()?)).collect();
    files.sort();
    files
}

/// A file as text and, if possible, as a graph that a page can show.
fn with_file(page: ReportPage, name: &str, text: &[u8]) -> ReportPage {
    let page = page.answer(&["/api/file", name], &lossy(text));
    match file_graph(text).filter(|graph| graph.nodes.len() <= MAX_GRAPH_NODES) {
        Some(graph) => page.answer(&["/api/graph", name], &graph),
        None => page,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_from_their_names() {
        let step = StepFile::named("000012-345.smt2").unwrap();
        assert_eq!((step.number, step.n_bytes), (12, 345));
        assert_eq!(StepFile::named("000000-1").unwrap().n_bytes, 1);
        for name in [".unfinished", "12", "a-1.c", "1-b.c", "-"] {
            assert_eq!(StepFile::named(name), None, "{name}");
        }
    }
}
