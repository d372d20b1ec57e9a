//! Which lines have changed since a revision, by git.

use crate::failure::Failure;
use crate::handle::Job;
use nub_process::{ChildInput, Command, ProcessEnd, ProcessLimits};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time limit of git.
const MAX_SECONDS: u64 = 60;
/// Maximum size of a diff.
const MAX_BYTES: usize = 256 << 20;

/// A range of lines of the current version of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineRange {
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

impl LineRange {
    fn overlaps(self, other: LineRange) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

/// Lines that have changed, by file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangedLines {
    files: BTreeMap<PathBuf, Vec<LineRange>>,
}

impl ChangedLines {
    /// Asks git, in the repository that contains a folder. Untracked files count as changed completely.
    pub fn since(job: &Job, revision: &str, folder: &Path) -> Result<ChangedLines, Failure> {
        if revision.starts_with('-') {
            return Err(Failure::usage(format!("`{revision}` is not a revision")));
        }
        let top = git(job, folder, &["rev-parse", "--show-toplevel"])?;
        let top = PathBuf::from(String::from_utf8_lossy(&top).trim_end());
        let options = ["diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-renames", revision, "--"];
        let difference = git(job, &top, &options)?;
        let mut changed = ChangedLines::read(&String::from_utf8_lossy(&difference), &top);
        let new = git(job, &top, &["ls-files", "--others", "--exclude-standard", "-z"])?;
        for name in String::from_utf8_lossy(&new).split('\0').filter(|name| !name.is_empty()) {
            let whole = LineRange { first: 1, last: u32::MAX };
            changed.files.entry(top.join(name)).or_default().push(whole);
        }
        Ok(changed)
    }

    /// Parses a diff without context. Where lines were only removed, the neighbouring lines count as changed.
    fn read(difference: &str, top: &Path) -> ChangedLines {
        let mut changed = ChangedLines::default();
        let mut file = None;
        for line in difference.lines() {
            if let Some(name) = line.strip_prefix("+++ ") {
                file = name.strip_prefix("b/").map(|name| top.join(name.trim_end_matches('\t')));
            } else if let (Some(range), Some(file)) = (hunk(line), &file) {
                changed.files.entry(file.clone()).or_default().push(range);
            }
        }
        changed
    }

    /// Whether one of these lines has changed.
    pub fn has(&self, file: &Path, lines: LineRange) -> bool {
        self.files.get(file).is_some_and(|ranges| ranges.iter().any(|range| range.overlaps(lines)))
    }
}

/// The new lines of `@@ -1,2 +3,4 @@`.
fn hunk(line: &str) -> Option<LineRange> {
    let numbers = line.strip_prefix("@@ -")?.split_once(" +")?.1.split_once(" @@")?.0;
    let (start, length) = numbers.split_once(',').unwrap_or((numbers, "1"));
    let (first, length): (u32, u32) = (start.parse().ok()?, length.parse().ok()?);
    Some(match length {
        0 => LineRange { first, last: first.saturating_add(1) },
        _ => LineRange { first, last: first.saturating_add(length - 1) },
    })
}

fn git(job: &Job, folder: &Path, args: &[&str]) -> Result<Vec<u8>, Failure> {
    let command = Command {
        program: "git".into(),
        args: args.iter().map(OsString::from).collect(),
        folder: Some(folder.to_owned()),
        env: Vec::new(),
        input: ChildInput::Null,
    };
    let limits = ProcessLimits {
        wall: Some(Duration::from_secs(MAX_SECONDS)),
        keep_output: MAX_BYTES,
        ..ProcessLimits::default()
    };
    let outcome = job
        .context
        .runner()?
        .run(&command, &limits, &job.control.child())
        .map_err(|error| Failure::usage(format!("git cannot be run: {error}")))?;
    if outcome.end == ProcessEnd::Exit(0) {
        return Ok(outcome.stdout.bytes);
    }
    let said = String::from_utf8_lossy(&outcome.stderr.bytes);
    let line = said.lines().next().unwrap_or("no message").to_owned();
    Err(Failure::usage(format!("git {}: {line}", args[0])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_are_read_from_a_difference() {
        let text = "diff --git a/src/a.c b/src/a.c\n--- a/src/a.c\n+++ b/src/a.c\n@@ -3 +3,2 @@ int f(void)\n-x\n+y\n+z\n\
                    @@ -9,2 +10,0 @@\n-p\n-q\n--- a/gone.c\n+++ /dev/null\n@@ -1,3 +0,0 @@\n";
        let changed = ChangedLines::read(text, Path::new("/top"));
        let has = |first, last| changed.has(Path::new("/top/src/a.c"), LineRange { first, last });
        assert!(has(1, 3) && has(4, 9) && has(11, 20) && has(8, 10));
        assert!(!has(1, 2) && !has(5, 9) && !has(12, 90));
        assert!(!changed.has(Path::new("/top/gone.c"), LineRange { first: 1, last: 9 }));
        assert_eq!(changed.files.len(), 1, "{changed:?}");
    }
}
