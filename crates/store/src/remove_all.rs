//! Removes a folder that an oracle has used. It may contain read-only subfolders, links, nesting deeper than
//! the limits on paths or open files allow, and a process may still be writing into it.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// How often removal is tried again when new entries appear or permissions prevent it.
const MAX_ATTEMPTS: usize = 8;
/// Maximum number of folders that one attempt flattens.
const MAX_FOLDERS: usize = 1_000_000;
const OWNER_ALL: u32 = 0o700;

/// Removes whatever is at `path`; succeeds if nothing is. Links are removed, never followed.
pub(crate) fn remove_all(path: &Path) -> io::Result<()> {
    let mut last = Ok(());
    for _ in 0..MAX_ATTEMPTS {
        last = remove_once(path);
        match &last {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(_) => dismantle(path),
        }
    }
    last
}

/// Removes what is inside a folder, and keeps the folder.
pub(crate) fn empty_folder(path: &Path) -> io::Result<()> {
    for entry in path.read_dir()? {
        remove_all(&entry?.path())?;
    }
    Ok(())
}

fn remove_once(path: &Path) -> io::Result<()> {
    if path.symlink_metadata()?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

/// Flattens a tree: files in a subfolder are removed, and folders in it are moved to the top. So no path gets
/// long, whatever the depth; `remove_dir_all` alone keeps one open file per level and fails at 1,024. Errors
/// show up at the next attempt to remove.
fn dismantle(top: &Path) {
    if !open_up(top) {
        return;
    }
    let mut n_moved = 0;
    let mut todo = subfolders_after_removing_files(top);
    for _ in 0..MAX_FOLDERS {
        let Some(folder) = todo.pop() else { return };
        for inner in subfolders_after_removing_files(&folder) {
            // Names that the oracle's own folders already have are skipped.
            while top.join(format!("nub-{n_moved}")).symlink_metadata().is_ok() {
                n_moved += 1;
            }
            let moved = top.join(format!("nub-{n_moved}"));
            if fs::rename(&inner, &moved).is_ok() {
                todo.push(moved);
            }
        }
        let _ = fs::remove_dir(&folder);
    }
}

/// The subfolders, made fully accessible, which moving them requires too.
fn subfolders_after_removing_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let (folders, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| open_up(path));
    for file in files {
        let _ = fs::remove_file(file);
    }
    folders
}

/// Gives us all permissions on a folder; `false` if it is not a folder.
fn open_up(path: &Path) -> bool {
    let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    if is_folder {
        let _ = fs::set_permissions(path, Permissions::from_mode(OWNER_ALL));
    }
    is_folder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_only_folders_go() {
        let root = tempfile::tempdir().unwrap();
        let top = root.path().join("top");
        let inner = top.join("a/b");
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("file"), "x").unwrap();
        for folder in [&inner, &top.join("a"), &top] {
            fs::set_permissions(folder, Permissions::from_mode(0o000)).unwrap();
        }
        remove_all(&top).unwrap();
        assert!(!top.exists());
    }

    #[test]
    fn links_are_not_followed() {
        let root = tempfile::tempdir().unwrap();
        let precious = root.path().join("precious");
        fs::create_dir(&precious).unwrap();
        fs::write(precious.join("file"), "x").unwrap();
        let top = root.path().join("top");
        fs::create_dir(&top).unwrap();
        std::os::unix::fs::symlink(&precious, top.join("link")).unwrap();
        let link = root.path().join("link");
        std::os::unix::fs::symlink(&precious, &link).unwrap();
        remove_all(&top).unwrap();
        remove_all(&link).unwrap();
        assert!(!top.exists() && !link.exists());
        assert!(precious.join("file").exists());
    }

    /// Calls the function directly: for root, or with a high limit on open files, `remove_all` would not need
    /// it.
    #[test]
    fn nesting_beyond_the_longest_path_is_taken_apart() {
        use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
        let root = tempfile::tempdir().unwrap();
        let long_name = "x".repeat(250);
        let mut folder = openat(CWD, root.path(), OFlags::DIRECTORY, Mode::empty()).unwrap();
        for _ in 0..40 {
            mkdirat(&folder, "nub-0", Mode::empty()).unwrap();
            mkdirat(&folder, &long_name, Mode::RWXU).unwrap();
            folder = openat(&folder, &long_name, OFlags::DIRECTORY, Mode::empty()).unwrap();
        }
        dismantle(root.path());
        assert_eq!(root.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn nothing_there_is_fine() {
        let root = tempfile::tempdir().unwrap();
        remove_all(&root.path().join("absent")).unwrap();
    }
}
