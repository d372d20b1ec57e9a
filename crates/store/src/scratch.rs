//! Candidate files for asks: thousands per second, so one file per name, overwritten, never synced.
//!
//! Oracles are programs that nub does not control. Between two asks one may delete the file or its folder,
//! make it read-only, or put a link to the user's own file in its place. So a file is reused only if it is
//! still a plain file with one name in a plain folder; otherwise it is removed and created again. The checks
//! are two `stat` calls.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use crate::error::{Result, StoreError};
use crate::fresh_folder::FreshFolder;
use crate::remove_all::remove_all;

const OWNER_ALL: u32 = 0o700;

/// The files of one ask worker, in a folder of its own.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// The scratch folder of worker number `worker_idx` below a temporary root. Two values with the
    /// same root and number share files; give each thread its own number.
    pub fn new(temp_root: &Path, worker_idx: usize) -> Result<Scratch> {
        let scratch = Scratch { folder: temp_root.join(format!("w{worker_idx}")) };
        ensure_folder(&scratch.folder).map_err(StoreError::own("create folder", &scratch.folder))?;
        Ok(scratch)
    }

    /// The worker's folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Writes `bytes` to the file `name`, replacing what an earlier ask left, and returns its path.
    ///
    /// # Panics
    /// If `name` is not a plain file name.
    pub fn write(&self, name: impl AsRef<OsStr>, bytes: &[u8]) -> Result<PathBuf> {
        let path = self.folder.join(plain_name(name.as_ref()));
        self.write_file(&path, bytes).map_err(StoreError::own("write", &path))?;
        Ok(path)
    }

    /// Makes a fresh folder that holds nothing but `bytes` as the file `name`. It is wiped when
    /// the value is dropped. One at a time per scratch, hence `&mut`.
    ///
    /// # Panics
    /// If `name` is not a plain file name.
    pub fn fresh_folder(&mut self, name: impl AsRef<OsStr>, bytes: &[u8]) -> Result<FreshFolder<'_>> {
        let name = plain_name(name.as_ref());
        ensure_folder(&self.folder).map_err(StoreError::own("create folder", &self.folder))?;
        FreshFolder::create(&self.folder, name, bytes).map_err(StoreError::own("fill folder", &self.folder))
    }

    fn write_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        ensure_folder(&self.folder)?;
        match open_for_reuse(path) {
            Ok(Some(file)) if !bytes.is_empty() => overwrite(file, bytes),
            _ => {
                remove_all(path)?;
                OpenOptions::new().write(true).create_new(true).open(path)?.write_all(bytes)
            }
        }
    }
}

/// The file, or `None` if it is not one that we may write into. Opened without following a link and
/// without blocking on a pipe; not truncated, since it may be a second name of a user's file.
fn open_for_reuse(path: &Path) -> io::Result<Option<File>> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = OpenOptions::new().write(true).custom_flags(flags.bits() as i32).open(path)?;
    let metadata = file.metadata()?;
    Ok((metadata.is_file() && metadata.nlink() == 1).then_some(file))
}

/// Overwrites, then truncates to the new length. Never truncates to zero first: ext4 treats that as an unsafe
/// replacement and flushes the file to disk at close (mount option `auto_da_alloc`) [20 kB on a busy ext4:
/// 15-20 us this way, 275-330 us with `std::fs::write`].
fn overwrite(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)
}

/// Makes `path` a real folder with all permissions for us, whatever it was before.
fn ensure_folder(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() && metadata.mode() & OWNER_ALL == OWNER_ALL => Ok(()),
        Ok(metadata) if metadata.is_dir() => fs::set_permissions(path, Permissions::from_mode(OWNER_ALL)),
        _ => {
            remove_all(path)?;
            DirBuilder::new().recursive(true).mode(OWNER_ALL).create(path)
        }
    }
}

/// A name with a slash would point outside the folder. That would be our bug, not the user's.
fn plain_name(name: &OsStr) -> &OsStr {
    let bytes = name.as_bytes();
    let is_plain = !matches!(bytes, b"" | b"." | b"..") && !bytes.iter().any(|byte| b"/\0".contains(byte));
    assert!(is_plain, "not a plain file name: {name:?}");
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn check_write_after(meddle: impl FnOnce(&Path)) {
        let root = tempfile::tempdir().unwrap();
        let precious = root.path().join("precious");
        fs::write(&precious, "precious").unwrap();
        let scratch = Scratch::new(&root.path().join("tmp"), 3).unwrap();
        let path = scratch.write("a.smt2", b"a longer first candidate").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a longer first candidate");
        meddle(&path);
        assert_eq!(scratch.write("a.smt2", b"second").unwrap(), path);
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert!(path.symlink_metadata().unwrap().is_file());
        assert_eq!(fs::read(&precious).unwrap(), b"precious");
    }

    fn precious_of(path: &Path) -> PathBuf {
        path.ancestors().nth(3).unwrap().join("precious")
    }

    #[test]
    fn undisturbed() {
        check_write_after(|_| {});
    }

    #[test]
    fn any_sequence_of_sizes() {
        let root = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(root.path(), 0).unwrap();
        for n_bytes in [5, 0, 0, 9, 3, 100_000, 1] {
            let bytes: Vec<u8> = (0..n_bytes).map(|number: u32| number.to_le_bytes()[0]).collect();
            let path = scratch.write("a", &bytes).unwrap();
            assert_eq!(fs::read(path).unwrap(), bytes);
        }
    }

    #[test]
    fn file_deleted() {
        check_write_after(|path| fs::remove_file(path).unwrap());
    }

    #[test]
    fn temp_root_deleted() {
        check_write_after(|path| fs::remove_dir_all(path.ancestors().nth(2).unwrap()).unwrap());
    }

    #[test]
    fn folder_renamed() {
        check_write_after(|path| {
            let folder = path.parent().unwrap();
            fs::rename(folder, folder.with_extension("moved")).unwrap();
        });
    }

    #[test]
    fn read_only() {
        check_write_after(|path| {
            fs::set_permissions(path, Permissions::from_mode(0o400)).unwrap();
            fs::set_permissions(path.parent().unwrap(), Permissions::from_mode(0o500)).unwrap();
        });
    }

    #[test]
    fn link_to_user_file() {
        check_write_after(|path| {
            fs::remove_file(path).unwrap();
            symlink(precious_of(path), path).unwrap();
        });
    }

    #[test]
    fn second_name_of_user_file() {
        check_write_after(|path| {
            fs::remove_file(path).unwrap();
            fs::hard_link(precious_of(path), path).unwrap();
        });
    }

    #[test]
    fn folder_became_a_link() {
        check_write_after(|path| {
            let folder = path.parent().unwrap();
            fs::remove_dir_all(folder).unwrap();
            symlink(precious_of(path).parent().unwrap(), folder).unwrap();
        });
    }

    #[test]
    fn file_became_a_folder_or_a_pipe() {
        check_write_after(|path| {
            fs::remove_file(path).unwrap();
            fs::create_dir_all(path.join("sub")).unwrap();
        });
        check_write_after(|path| {
            fs::remove_file(path).unwrap();
            rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
                .unwrap();
        });
    }

    #[test]
    #[should_panic(expected = "not a plain file name")]
    fn names_do_not_leave_the_folder() {
        let root = tempfile::tempdir().unwrap();
        let _ = Scratch::new(root.path(), 0).unwrap().write("../a", b"");
    }
}
