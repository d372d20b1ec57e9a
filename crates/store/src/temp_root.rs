//! One private folder for all temporary files of a run.
//!
//! `nub-<pid>-<n>/` beside `nub-<pid>-<n>.lock`. The lock is held while the owner lives; the next run removes
//! the folders whose lock is free. The lock file is outside the folder, because oracles use the folder as
//! their own and may empty it. It is created before the folder and removed after it, so every folder has one.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::error::{Result, StoreError};
use crate::lock;
use crate::remove_all::remove_all;

const PREFIX: &str = "nub-";
const LOCK_EXTENSION: &str = "lock";
/// How many names are tried.
const MAX_NAMES: usize = 1_000;
const PRIVATE_FOLDER_MODE: u32 = 0o700;
const PRIVATE_FILE_MODE: u32 = 0o600;

/// A private temporary folder, removed on drop.
#[derive(Debug)]
pub struct TempRoot {
    folder: PathBuf,
    lock_path: PathBuf,
    /// Only held, never used.
    _lock: File,
}

impl TempRoot {
    /// Makes a temporary root below `base` (the system's temporary folder, as `cli` found it),
    /// after removing those of dead owners.
    pub fn open(base: &Path) -> Result<TempRoot> {
        let base = base.canonicalize().map_err(StoreError::own("find the temporary folder", base))?;
        collect_dead(&base);
        Self::create(&base).map_err(StoreError::own("create a temporary folder in", &base))
    }

    fn create(base: &Path) -> io::Result<TempRoot> {
        for attempt in 0..MAX_NAMES {
            let folder = base.join(format!("{PREFIX}{}-{attempt}", std::process::id()));
            let lock_path = folder.with_extension(LOCK_EXTENSION);
            let lock = match lock::create_locked(&lock_path, PRIVATE_FILE_MODE) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                result => result?,
            };
            match DirBuilder::new().mode(PRIVATE_FOLDER_MODE).create(&folder) {
                Ok(()) => return Ok(TempRoot { folder, lock_path, _lock: lock }),
                Err(error) => {
                    let _ = fs::remove_file(&lock_path);
                    if error.kind() != io::ErrorKind::AlreadyExists {
                        return Err(error);
                    }
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// The folder; absolute, without links.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for TempRoot {
    fn drop(&mut self) {
        // What cannot be removed now keeps its lock file and is tried again at the next start.
        if remove_all(&self.folder).is_ok() {
            let _ = fs::remove_file(&self.lock_path);
        }
    }
}

/// Best effort: leftovers of other runs must not stop this one.
fn collect_dead(base: &Path) {
    let Ok(entries) = base.read_dir() else { return };
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| is_lock_name(path)) {
        let Some(_lock) = lock::acquire_abandoned(&path) else { continue };
        if remove_all(&path.with_extension("")).is_ok() {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Exactly `nub-<digits>-<digits>.lock`, so that files of other programs in a shared folder do not match.
fn is_lock_name(path: &Path) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    path.extension().is_some_and(|extension| extension == LOCK_EXTENSION)
        && path
            .file_stem()
            .and_then(|stem| stem.to_str()?.strip_prefix(PREFIX)?.split_once('-'))
            .is_some_and(|(pid, counter)| digits(pid) && digits(counter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = folder.read_dir().unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn dead_owners_are_collected_and_living_ones_stay() {
        let base = tempfile::tempdir().unwrap();
        let dead = base.path().join("nub-1-0");
        fs::create_dir_all(dead.join("w0/deep")).unwrap();
        fs::write(dead.with_extension("lock"), "").unwrap();
        fs::write(base.path().join("nub-notes.lock"), "not ours").unwrap();

        let first = TempRoot::open(base.path()).unwrap();
        fs::write(first.path().join("file"), "x").unwrap();
        assert!(!dead.exists());
        let second = TempRoot::open(base.path()).unwrap();
        assert_ne!(first.path(), second.path());
        assert!(first.path().join("file").exists());

        drop(second);
        drop(first);
        assert_eq!(names(base.path()), ["nub-notes.lock"]);
    }

    #[test]
    fn a_folder_of_somebody_else_is_left_alone() {
        let base = tempfile::tempdir().unwrap();
        let taken = base.path().join(format!("nub-{}-0", std::process::id()));
        fs::create_dir(&taken).unwrap();
        let root = TempRoot::open(base.path()).unwrap();
        assert_ne!(root.path().file_name(), taken.file_name());
        drop(root);
        assert!(taken.exists());
    }

    #[test]
    fn an_oracle_that_removes_the_root_does_no_harm() {
        let base = tempfile::tempdir().unwrap();
        let root = TempRoot::open(base.path()).unwrap();
        fs::remove_dir_all(root.path()).unwrap();
        drop(root);
        assert!(names(base.path()).is_empty());
    }
}
