//! A fresh folder for each ask of a script oracle, as scripts for C-Reduce expect: it contains only the
//! candidate, under the original name.
//!
//! The folder has the same path every time, so that paths in an oracle's output do not vary. Only if the old
//! one cannot be removed is another name used; the old one is removed with the temporary root.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::io;
use std::marker::PhantomData;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::remove_all::remove_all;

/// How many names are tried when old folders cannot be removed.
const MAX_NAMES: usize = 100;
const PRIVATE_FOLDER_MODE: u32 = 0o700;

/// A folder with one candidate; removed on drop, whatever the oracle did to it.
#[derive(Debug)]
pub struct FreshFolder<'scratch> {
    folder: PathBuf,
    file: PathBuf,
    /// Borrowed mutably because two at a time would have the same path.
    scratch: PhantomData<&'scratch mut ()>,
}

impl FreshFolder<'_> {
    pub(crate) fn create(parent: &Path, name: &OsStr, bytes: &[u8]) -> io::Result<Self> {
        let folder = free_folder(parent)?;
        DirBuilder::new().mode(PRIVATE_FOLDER_MODE).create(&folder)?;
        let fresh = FreshFolder { file: folder.join(name), folder, scratch: PhantomData };
        fs::write(&fresh.file, bytes)?;
        Ok(fresh)
    }

    /// The folder to run the oracle in.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The candidate in it.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

impl Drop for FreshFolder<'_> {
    fn drop(&mut self) {
        // If this fails, the next folder gets another name; creating it fails only if all names are taken.
        let _ = remove_all(&self.folder);
    }
}

fn free_folder(parent: &Path) -> io::Result<PathBuf> {
    let mut last_error = io::ErrorKind::AlreadyExists.into();
    for attempt in 0..MAX_NAMES {
        let folder = parent.join(format!("ask{attempt}"));
        match remove_all(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) => last_error = error,
        }
    }
    Err(last_error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scratch;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    fn content(folder: &Path) -> Vec<String> {
        let entries = folder.read_dir().unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_meddling_oracle_meets_the_same_folder_again() {
        let root = tempfile::tempdir().unwrap();
        let mut scratch = Scratch::new(root.path(), 0).unwrap();
        let meddlers: [fn(&Path); 5] = [
            |_| {},
            |folder| fs::remove_dir_all(folder).unwrap(),
            |folder| fs::rename(folder, folder.with_extension("away")).unwrap(),
            |folder| {
                fs::create_dir_all(folder.join("litter/deep")).unwrap();
                fs::set_permissions(folder.join("litter"), Permissions::from_mode(0o000)).unwrap();
                fs::set_permissions(folder, Permissions::from_mode(0o500)).unwrap();
            },
            |folder| {
                fs::remove_dir_all(folder).unwrap();
                std::os::unix::fs::symlink("/", folder).unwrap();
            },
        ];
        let expected = root.path().join("w0/ask0");
        for meddle in meddlers {
            let fresh = scratch.fresh_folder("bug.smt2", b"candidate").unwrap();
            assert_eq!(fresh.path(), expected);
            assert_eq!(content(fresh.path()), ["bug.smt2"]);
            assert_eq!(fs::read(fresh.file()).unwrap(), b"candidate");
            meddle(fresh.path());
            drop(fresh);
            assert!(expected.symlink_metadata().is_err(), "wiped");
        }
    }
}
