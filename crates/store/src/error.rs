//! What can go wrong when files are written, in words a user can act on: what failed, where, why,
//! what is still safe, and what to try.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Shorthand for results of this crate.
pub type Result<T> = std::result::Result<T, StoreError>;

/// What a failed operation left on disk. Part of every message, because it is the first thing a
/// user asks after "no space left on device".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The file has the content it had before.
    Previous,
    /// The file did not exist before and does not exist now.
    NoFile,
    /// The new content is visible, but a power loss may still bring back the old one.
    NewUnsynced,
    /// All journal records that were acknowledged earlier are intact.
    EarlierRecords,
    /// Only nub's own files were affected.
    UserFiles,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kept::Previous => "the previous content is intact",
            Kept::NoFile => "no file was left behind",
            Kept::NewUnsynced => "the new content is in place but may not survive a power loss",
            Kept::EarlierRecords => "all earlier journal records are intact",
            Kept::UserFiles => "your files are untouched",
        })
    }
}

/// Why a path cannot serve as an output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsuitable {
    /// It is a folder.
    Folder,
    /// It is a device, pipe or socket; replacing it by a file would destroy it.
    Special,
    /// It leads to whatever a process has open, such as `/dev/stdout`; a new file would not be what is open.
    OpenFile,
    /// It has no file name (`..`, `/`, the empty path).
    NoName,
    /// Too many symbolic links, most likely a cycle.
    LinkCycle,
    /// It has no write permission, so somebody wants to keep it.
    ReadOnly,
    /// It exists, is not empty and was not made by nub (for run folders).
    Foreign,
}

impl fmt::Display for Unsuitable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unsuitable::Folder => "it is a folder",
            Unsuitable::Special => "it is not a regular file",
            Unsuitable::OpenFile => "it is an open file of a process",
            Unsuitable::NoName => "it does not name a file",
            Unsuitable::LinkCycle => "its symbolic links do not end",
            Unsuitable::ReadOnly => "it is read-only",
            Unsuitable::Foreign => "it contains files that nub did not write",
        })
    }
}

/// The class of an error; `cli` maps it to an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// nub declines: folder in use, output unsuitable.
    Refused,
    /// Disk, permissions, file system.
    Environment,
}

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The operating system refused an operation.
    #[error("cannot {action} {}: {source}; {kept}", path.display())]
    Io {
        /// What was tried, as a phrase that fits between "cannot" and the path.
        action: &'static str,
        /// The file or folder concerned, as the user knows it.
        path: PathBuf,
        /// What is still safe.
        kept: Kept,
        /// The system's reason.
        source: io::Error,
    },
    /// Another nub works in this run folder.
    #[error("{} is in use by another nub{}", path.display(), in_parentheses(*pid))]
    Busy {
        /// The run folder.
        path: PathBuf,
        /// The process that holds it, if it could be read.
        pid: Option<u32>,
    },
    /// The path cannot be used for its purpose.
    #[error("cannot use {}: {reason}; {}", path.display(), Kept::UserFiles)]
    Unsuitable {
        /// The path as given.
        path: PathBuf,
        /// Why not.
        reason: Unsuitable,
    },
    /// A journal record is above the limit.
    #[error("a record of {n_bytes} bytes exceeds the limit of {limit} bytes of {}; {kept}",
        path.display(), kept = Kept::EarlierRecords)]
    TooLarge {
        /// The journal.
        path: PathBuf,
        /// Size of the refused record.
        n_bytes: usize,
        /// The limit it exceeds.
        limit: usize,
    },
}

fn in_parentheses(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
}

impl StoreError {
    pub(crate) fn io(action: &'static str, path: &Path, kept: Kept, source: io::Error) -> Self {
        StoreError::Io { action, path: path.to_owned(), kept, source }
    }

    /// For `map_err` on operations that affect only nub's own files.
    pub(crate) fn own<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| Self::io(action, path, Kept::UserFiles, source)
    }

    /// The class of this error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            StoreError::Busy { .. } | StoreError::Unsuitable { .. } => ErrorKind::Refused,
            StoreError::Io { .. } | StoreError::TooLarge { .. } => ErrorKind::Environment,
        }
    }

    /// What the user may try, if anything.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            StoreError::Io { source, .. } => io_hint(source),
            StoreError::Busy { .. } => Some("wait for it, stop it, or choose another run folder"),
            StoreError::TooLarge { .. } => None,
            StoreError::Unsuitable { reason, .. } => Some(match reason {
                Unsuitable::Folder | Unsuitable::NoName => "name a file",
                Unsuitable::Special | Unsuitable::OpenFile => {
                    "name a regular file, or one that does not exist yet"
                }
                Unsuitable::LinkCycle => "check the symbolic links",
                Unsuitable::ReadOnly => "make it writable (chmod u+w) or choose another output",
                Unsuitable::Foreign => "choose another run folder, or an empty one",
            }),
        }
    }
}

fn io_hint(error: &io::Error) -> Option<&'static str> {
    use io::ErrorKind as K;
    match error.kind() {
        K::StorageFull | K::QuotaExceeded => {
            Some("free some space and run the command again; `nub reduce` continues with --resume")
        }
        K::PermissionDenied => Some("check the permissions of the file and of its folder"),
        K::ReadOnlyFilesystem => Some("choose a place on a writable file system"),
        K::NotFound => Some("check that the folder exists"),
        _ => None,
    }
}
