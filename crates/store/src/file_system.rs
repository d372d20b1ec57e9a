//! The boundary to the disk: the few operations whose order decides what survives a crash.
//!
//! [`RealFs`](crate::RealFs) performs them; `nub_test_kit::FaultFs` simulates them in memory, makes them
//! fail, and enumerates what a power loss may leave. Everything that must survive (outputs, journal) goes
//! through this trait. Temporary files do not: they are never worth a sync.

use std::io;
use std::path::{Path, PathBuf};

/// What a directory entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// Device, pipe, socket.
    Special,
}

/// Kind, permissions and owner of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryInfo {
    /// What it is; a link is not followed.
    pub kind: EntryKind,
    /// Permission bits, at most `0o7777`.
    pub mode: u32,
    /// Owner and group.
    pub owner: (u32, u32),
}

/// A file open for writing. Dropping it closes it, without a sync.
pub trait OpenFile: Send {
    /// Writes a prefix of `bytes` and returns its length, as `write(2)` does. Use
    /// [`write_all`] for the loop.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Copies the permissions and, where allowed, the owner of the file to be replaced.
    fn adopt(&mut self, info: &EntryInfo) -> io::Result<()>;

    /// Makes content and permissions durable (`fsync`). The *name* needs
    /// [`FileSystem::sync_folder`].
    fn sync(&mut self) -> io::Result<()>;

    /// Makes content and length durable (`fdatasync`).
    fn sync_data(&mut self) -> io::Result<()>;
}

/// The operations on names. All methods take `&self` and may be called from any thread.
pub trait FileSystem: Send + Sync {
    /// The whole content of a file; links are followed.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// What exists at `path` (not following a final link), or `None`.
    fn info(&self, path: &Path) -> io::Result<Option<EntryInfo>>;

    /// The target of a symbolic link.
    fn read_link(&self, path: &Path) -> io::Result<PathBuf>;

    /// Creates a file that must not exist. `mode` is subject to the umask.
    fn create_new(&self, path: &Path, mode: u32) -> io::Result<Box<dyn OpenFile>>;

    /// Opens a file so that every write goes to its end; creates it if absent.
    fn append(&self, path: &Path) -> io::Result<Box<dyn OpenFile>>;

    /// Renames within one folder, replacing the target atomically.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file or link.
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// Creates one folder; its parent must exist.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a folder durable.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
}

/// Writes all of `bytes`, continuing after short and interrupted writes.
pub fn write_all(file: &mut dyn OpenFile, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n_written) => bytes = &bytes[n_written..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The folder that holds `path`; `.` for a bare name.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => path,
    }
}
