//! The file system without syncs, for files that can be regenerated from their seed.
//!
//! A sync takes milliseconds, generating a file microseconds. Commits are still atomic: a file appears completely or not at
//! all, unless the system crashes.

use nub_store::{EntryInfo, FileSystem, OpenFile, RealFs};
use std::io;
use std::path::{Path, PathBuf};

/// [`RealFs`] whose syncs do nothing.
#[derive(Clone, Copy, Debug)]
pub struct Unsynced;

struct UnsyncedFile(Box<dyn OpenFile>);

impl OpenFile for UnsyncedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn adopt(&mut self, info: &EntryInfo) -> io::Result<()> {
        self.0.adopt(info)
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn sync_data(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl FileSystem for Unsynced {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        RealFs.read(path)
    }

    fn info(&self, path: &Path) -> io::Result<Option<EntryInfo>> {
        RealFs.info(path)
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        RealFs.read_link(path)
    }

    fn create_new(&self, path: &Path, mode: u32) -> io::Result<Box<dyn OpenFile>> {
        Ok(Box::new(UnsyncedFile(RealFs.create_new(path, mode)?)))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        Ok(Box::new(UnsyncedFile(RealFs.append(path)?)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealFs.rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        RealFs.remove_file(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        RealFs.create_folder(path)
    }

    fn sync_folder(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }
}
