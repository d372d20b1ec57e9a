//! Durable atomic replacement of a user's file.
//!
//! Write beside, sync the file, rename over, sync the folder. Without the first sync a power loss
//! after the rename can leave an empty file; without the second it can bring the old one back after
//! we reported success. Truncating the user's file and writing into it, as other reducers do, lost
//! it in 29 of 30 aimed kills. The price is 1-15 ms, paid only on accepted steps.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::error::{Kept, Result, StoreError, Unsuitable};
use crate::file_system::{EntryInfo, EntryKind, FileSystem, OpenFile, folder_of, write_all};
use crate::lock;

/// As many links as Linux follows.
const MAX_LINKS: usize = 40;
/// How many temporary names are tried. More than one is taken only if killed runs left theirs.
const MAX_TEMP_NAMES: usize = 1_000;
/// How many bytes of the target's name the temporary name repeats, so that it fits into 255 bytes.
const MAX_STEM_BYTES: usize = 200;
/// Mode of a file that did not exist, before the umask is applied.
const NEW_FILE_MODE: u32 = 0o666;
/// Mode while the new content of an existing file is written, whose own mode may be stricter than the umask.
const PRIVATE_MODE: u32 = 0o600;
const WRITE_BITS: u32 = 0o222;
/// Where links lead to what is open in some process: they give its path, but not what a commit would replace.
const OPEN_FILES: [&str; 2] = ["/proc", "/dev/fd"];

/// Replaces the content of `path` by `bytes`, so that at any moment, even after a power loss, the file has
/// either its old or its new content. Once this has returned, it has the new content.
///
/// Permissions of an existing file are kept. A symbolic link is followed: its target is replaced. On error no
/// temporary file is left, and the error says what the file contains.
pub fn commit(fs: &dyn FileSystem, path: &Path, bytes: &[u8]) -> Result<()> {
    let target = find_target(fs, path)?;
    let kept = if target.existing.is_some() { Kept::Previous } else { Kept::NoFile };
    let fail = |action| move |source| StoreError::io(action, path, kept, source);

    let mode = if target.existing.is_some() { PRIVATE_MODE } else { NEW_FILE_MODE };
    let (temp, mut file) =
        create_beside(fs, &target.path, mode).map_err(fail("create a temporary file beside"))?;
    let written = fill(file.as_mut(), &target, bytes)
        .map_err(fail("write the new content of"))
        .and_then(|()| fs.rename(&temp, &target.path).map_err(fail("replace")));
    if let Err(error) = written {
        // If even this fails, the file is found by `sweep_leftovers`; the first error matters more.
        let _ = fs.remove_file(&temp);
        return Err(error);
    }
    // Closed only now: its lock protects the temporary name until the rename.
    drop(file);
    fs.sync_folder(folder_of(&target.path))
        .map_err(|source| StoreError::io("sync the folder of", path, Kept::NewUnsynced, source))
}

fn fill(file: &mut dyn OpenFile, target: &Target, bytes: &[u8]) -> io::Result<()> {
    write_all(file, bytes)?;
    if let Some(info) = &target.existing {
        file.adopt(info)?;
    }
    file.sync()
}

/// Checks, before hours of work, that [`commit`] to `path` can succeed: it is a writable regular
/// file or absent, and its folder takes new files. A probe file is created and removed; nothing
/// else changes.
pub fn check_writable(fs: &dyn FileSystem, path: &Path) -> Result<()> {
    let target = find_target(fs, path)?;
    if target.existing.is_some_and(|info| info.mode & WRITE_BITS == 0) {
        return Err(unsuitable(path, Unsuitable::ReadOnly));
    }
    let (probe, file) = create_beside(fs, &target.path, PRIVATE_MODE)
        .map_err(StoreError::own("create a file beside", path))?;
    drop(file);
    fs.remove_file(&probe).map_err(StoreError::own("remove a temporary file beside", path))
}

/// Creates a folder durably, unless it exists. Its parent must exist.
pub fn create_folder(fs: &dyn FileSystem, path: &Path) -> Result<()> {
    match fs.create_folder(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        result => result.map_err(StoreError::own("create folder", path))?,
    }
    fs.sync_folder(folder_of(path)).map_err(StoreError::own("sync the folder of", path))
}

/// Removes files of a folder, and the folder unless something else is in it. Never fails, because leftover files
/// do no harm.
pub fn discard(folder: &Path, files: &[String]) {
    for file in files {
        let _ = std::fs::remove_file(folder.join(file));
    }
    let _ = std::fs::remove_dir(folder);
}

/// Removes temporary files that killed runs left beside `path`, and returns how many. Files of living
/// processes are locked and stay. Real file system only; never fails, because leftover files do no harm.
pub fn sweep_leftovers(path: &Path) -> usize {
    let Ok(target) = find_target(&crate::RealFs, path) else { return 0 };
    let Some(prefix) = target.path.file_name().map(temp_prefix) else { return 0 };
    let Ok(entries) = folder_of(&target.path).read_dir() else { return 0 };
    let leftovers = entries.flatten().filter(|entry| {
        let name = entry.file_name();
        name.as_bytes().strip_prefix(prefix.as_bytes()).is_some_and(is_temp_suffix)
    });
    leftovers.filter(|entry| remove_if_abandoned(&entry.path())).count()
}

fn remove_if_abandoned(path: &Path) -> bool {
    lock::acquire_abandoned(path).is_some_and(|_lock| std::fs::remove_file(path).is_ok())
}

/// Where a commit really goes, links followed.
struct Target {
    path: PathBuf,
    existing: Option<EntryInfo>,
}

fn find_target(fs: &dyn FileSystem, path: &Path) -> Result<Target> {
    let mut current = path.to_owned();
    for _ in 0..MAX_LINKS {
        if current.file_name().is_none() {
            return Err(unsuitable(path, Unsuitable::NoName));
        }
        let info = fs.info(&current).map_err(StoreError::own("look at", path))?;
        match info.map(|info| info.kind) {
            None | Some(EntryKind::File) => return Ok(Target { path: current, existing: info }),
            Some(EntryKind::Folder) => return Err(unsuitable(path, Unsuitable::Folder)),
            Some(EntryKind::Special) => return Err(unsuitable(path, Unsuitable::Special)),
            Some(EntryKind::Link) if OPEN_FILES.iter().any(|folder| current.starts_with(folder)) => {
                return Err(unsuitable(path, Unsuitable::OpenFile));
            }
            Some(EntryKind::Link) => {
                let link = fs.read_link(&current).map_err(StoreError::own("follow", path))?;
                current = folder_of(&current).join(link);
            }
        }
    }
    Err(unsuitable(path, Unsuitable::LinkCycle))
}

fn unsuitable(path: &Path, reason: Unsuitable) -> StoreError {
    StoreError::Unsuitable { path: path.to_owned(), reason }
}

/// Creates a hidden file in the same folder (a rename across file systems is not atomic). The name contains
/// our process number, so that a user can tell which process made it.
fn create_beside(fs: &dyn FileSystem, target: &Path, mode: u32) -> io::Result<(PathBuf, Box<dyn OpenFile>)> {
    let name = target.file_name().unwrap_or(OsStr::new("output"));
    for attempt in 0..MAX_TEMP_NAMES {
        let mut temp_name = temp_prefix(name);
        temp_name.push(format!("{}-{attempt}", std::process::id()));
        let temp = folder_of(target).join(temp_name);
        match fs.create_new(&temp, mode) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result.map(|file| (temp, file)),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many temporary files of killed runs"))
}

/// `.bug.smt2.nub-`, to which process number and counter are added.
fn temp_prefix(name: &OsStr) -> OsString {
    let stem = &name.as_bytes()[..name.len().min(MAX_STEM_BYTES)];
    OsString::from_vec([b".", stem, b".nub-"].concat())
}

fn is_temp_suffix(suffix: &[u8]) -> bool {
    !suffix.is_empty() && suffix.iter().all(|&byte| byte.is_ascii_digit() || byte == b'-')
}
