//! The programs of this machine that others may run, by name, each with the hash that says which build it is.

use crate::error::FleetError;
use crate::protocol::{Build, BuildId};
use nub_oracle::{FileFeed, RegisteredCommand};
use nub_process::{Cancel, ChildInput, Command, ProcessLimits, Runner};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What `--version` may take.
const VERSION_LIMIT: Duration = Duration::from_secs(10);
/// Characters of a version that are shown.
const MAX_VERSION: usize = 200;

/// A program as `nub.toml` registers it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FleetProgram {
    /// The name by which others refer to it.
    pub name: String,
    /// The program and its arguments; `{}` is the file.
    pub words: Vec<OsString>,
}

/// Where programs are found and run.
pub(crate) struct Site<'a> {
    pub folder: &'a Path,
    pub search_path: &'a OsStr,
    pub runner: &'a Runner,
}

/// A program that was found.
#[derive(Clone)]
pub(crate) struct Entry {
    pub command: RegisteredCommand,
    pub build: Build,
    /// The files that make up the build, and their metadata when they were hashed.
    files: Vec<(PathBuf, Option<Look>)>,
}

/// Metadata by which a file is taken to be unchanged; cheap to compare.
type Look = (i64, i64, u64, u64);

impl Entry {
    pub(crate) fn find(program: &FleetProgram, site: &Site) -> Result<Entry, FleetError> {
        let wrong = |reason: String| FleetError::Program { program: program.name.clone(), reason };
        let command = RegisteredCommand::find(&program.words, site.search_path, site.folder)
            .map_err(|error| wrong(error.to_string()))?;
        let mut files = vec![command.program().to_owned()];
        let mut hasher = blake3::Hasher::new();
        let program_hash = hash_file(command.program()).map_err(|error| wrong(error.to_string()))?;
        let version = version_of(command.program(), site);
        part(&mut hasher, program.name.as_bytes());
        part(&mut hasher, program_hash.as_bytes());
        part(&mut hasher, version.as_bytes());
        for word in program.words.iter().skip(1) {
            // A word that names a file is hashed by content, wherever the file is; any other word is hashed
            // as text.
            let path = site.folder.join(word);
            if path.is_file() {
                part(&mut hasher, hash_file(&path).map_err(|error| wrong(error.to_string()))?.as_bytes());
                files.push(path);
            } else {
                part(&mut hasher, word.as_encoded_bytes());
            }
        }
        let shown: Vec<_> = program.words.iter().map(|word| word.to_string_lossy()).collect();
        let build = Build {
            name: program.name.clone(),
            id: BuildId(hasher.finalize().to_hex().to_string()),
            program_hash,
            version,
            command: shown.join(" "),
        };
        let files = files.into_iter().map(|path| (path.clone(), look_at(&path))).collect();
        Ok(Entry { command, build, files })
    }

    /// Whether the program is still the one that was hashed.
    pub(crate) fn is_current(&self) -> bool {
        self.files.iter().all(|(path, look)| look.is_some() && look_at(path) == *look)
    }

    /// The arguments for a file.
    pub(crate) fn args(&self, file: &Path, feed: FileFeed) -> Vec<OsString> {
        self.command.args(file, feed)
    }
}

fn look_at(path: &Path) -> Option<Look> {
    let look = |data: Metadata| (data.mtime(), data.mtime_nsec(), data.size(), data.ino());
    path.metadata().ok().map(look)
}

fn hash_file(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Length first, so that different lists of parts never hash the same input.
fn part(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

/// The first line that a program prints with `--version`. Often this is the only place where the libraries
/// that it loads show.
fn version_of(program: &Path, site: &Site) -> String {
    let command = Command {
        program: program.into(),
        args: vec!["--version".into()],
        folder: Some(site.folder.to_owned()),
        env: Vec::new(),
        input: ChildInput::Null,
    };
    let limits =
        ProcessLimits { wall: Some(VERSION_LIMIT), keep_output: 1 << 12, ..ProcessLimits::default() };
    let outcome = match site.runner.run(&command, &limits, &Cancel::new()) {
        Ok(outcome) if outcome.end == nub_process::ProcessEnd::Exit(0) => outcome,
        _ => return String::new(),
    };
    let text = String::from_utf8_lossy(&outcome.stdout.bytes).into_owned();
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.trim().chars().filter(|char| !char.is_control()).take(MAX_VERSION).collect()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // tests write files
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn script(folder: &Path, name: &str, body: &str) {
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn entry(folder: &Path, words: &[&str]) -> Result<Entry, FleetError> {
        let runner = Runner::new().unwrap();
        let site = Site { folder, search_path: OsStr::new("/usr/bin:/bin"), runner: &runner };
        let words = words.iter().map(Into::into).collect();
        Entry::find(&FleetProgram { name: "p".to_owned(), words }, &site)
    }

    #[test]
    fn a_build_is_content_and_arguments_and_not_a_place() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for folder in [one.path(), two.path()] {
            script(folder, "solver", "echo version 7");
            script(folder, "check.sh", "exit 1");
        }
        let id = |folder: &Path, words: &[&str]| entry(folder, words).unwrap().build.id;
        assert_eq!(entry(one.path(), &["./solver"]).unwrap().build.version, "version 7");
        assert_eq!(id(one.path(), &["./solver", "-x"]), id(two.path(), &["./solver", "-x"]));
        assert_eq!(id(one.path(), &["sh", "check.sh"]), id(two.path(), &["sh", "check.sh"]));
        assert_ne!(id(one.path(), &["./solver", "-x"]), id(one.path(), &["./solver", "-y"]));
        script(two.path(), "check.sh", "exit 2");
        assert_ne!(id(one.path(), &["sh", "check.sh"]), id(two.path(), &["sh", "check.sh"]));
    }

    #[test]
    fn a_program_that_changes_is_noticed_and_one_that_is_missing_is_named() {
        let folder = tempfile::tempdir().unwrap();
        script(folder.path(), "solver", "echo 1");
        let before = entry(folder.path(), &["./solver"]).unwrap();
        assert!(before.is_current());
        script(folder.path(), "solver", "echo 12");
        assert!(!before.is_current());
        let error = entry(folder.path(), &["./none"]).map(drop).unwrap_err();
        assert!(error.to_string().contains("`p` cannot be registered"), "{error}");
    }
}
