//! The real disk behind [`FileSystem`].

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use crate::file_system::{EntryInfo, EntryKind, FileSystem, OpenFile};
use crate::lock;

const PERMISSION_BITS: u32 = 0o7777;

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealFs;

struct RealFile(File);

impl OpenFile for RealFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn adopt(&mut self, info: &EntryInfo) -> io::Result<()> {
        // Only root may change the owner; for other users the new file is theirs, as with any editor. Owner
        // before mode, because changing the owner clears the set-id bits.
        let (user, group) = info.owner;
        let _ = fchown(&self.0, Some(user), Some(group));
        self.0.set_permissions(Permissions::from_mode(info.mode))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_all()
    }

    fn sync_data(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }
}

impl FileSystem for RealFs {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn info(&self, path: &Path) -> io::Result<Option<EntryInfo>> {
        match path.symlink_metadata() {
            Ok(metadata) => Ok(Some(info_from(&metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        fs::read_link(path)
    }

    fn create_new(&self, path: &Path, mode: u32) -> io::Result<Box<dyn OpenFile>> {
        // Locked while it is open, so that `sweep_leftovers` can tell a temporary file in use from
        // one whose writer was killed.
        Ok(Box::new(RealFile(lock::create_locked(path, mode)?)))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        Ok(Box::new(RealFile(OpenOptions::new().append(true).create(true).open(path)?)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        DirBuilder::new().create(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        match File::open(path)?.sync_all() {
            // Some network and user-space file systems cannot sync a folder and say EINVAL; there
            // is nothing more that we could do there.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            result => result,
        }
    }
}

fn info_from(metadata: &fs::Metadata) -> EntryInfo {
    let file_type = metadata.file_type();
    let special = file_type.is_fifo()
        || file_type.is_socket()
        || file_type.is_char_device()
        || file_type.is_block_device();
    let kind = if file_type.is_symlink() {
        EntryKind::Link
    } else if file_type.is_dir() {
        EntryKind::Folder
    } else if special {
        EntryKind::Special
    } else {
        EntryKind::File
    };
    EntryInfo { kind, mode: metadata.mode() & PERMISSION_BITS, owner: (metadata.uid(), metadata.gid()) }
}
