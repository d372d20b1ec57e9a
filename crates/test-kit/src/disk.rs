//! The modelled disk: names, files, and the changes that operations make to them.
//!
//! As on a real disk, a file's content and its name are synced separately. Names are stored as full paths; a
//! name is reachable only if all folders above it are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Number of a file, independent of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileId(pub(crate) usize);

/// What a name refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    File(FileId),
    Folder,
    Link(PathBuf),
}

/// A regular file as found on a disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiskFile {
    /// Its content.
    pub bytes: Vec<u8>,
    /// Its permission bits.
    pub mode: u32,
}

/// The visible state of a disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiskState {
    /// Regular files by path.
    pub files: BTreeMap<PathBuf, DiskFile>,
    /// Folders.
    pub folders: BTreeSet<PathBuf>,
    /// Symbolic links and their targets.
    pub links: BTreeMap<PathBuf, PathBuf>,
}

impl DiskState {
    /// The content of a file, `None` if there is no such file.
    pub fn bytes(&self, path: impl AsRef<Path>) -> Option<&[u8]> {
        self.files.get(path.as_ref()).map(|file| file.bytes.as_slice())
    }
}

/// One change: the smallest unit that the disk can perform or lose.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// Content from an offset on; a gap before it reads as zeros.
    Write(FileId, usize, Vec<u8>),
    /// New permissions.
    Mode(FileId, u32),
    /// Names set or removed together, in one folder.
    Names(PathBuf, Vec<(PathBuf, Option<Node>)>),
    /// Content and permissions so far are durable.
    SyncFile(FileId),
    /// Content so far is durable.
    SyncData(FileId),
    /// Names in the folder are durable.
    SyncFolder(PathBuf),
}

/// Names and contents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    pub(crate) names: BTreeMap<PathBuf, Node>,
    pub(crate) files: BTreeMap<FileId, DiskFile>,
}

impl Disk {
    pub(crate) fn apply(&mut self, change: &Change) {
        match change {
            Change::Write(id, offset, bytes) => {
                let content = &mut self.files.entry(*id).or_default().bytes;
                let end = offset + bytes.len();
                content.resize(content.len().max(end), 0);
                content[*offset..end].copy_from_slice(bytes);
            }
            Change::Mode(id, mode) => self.files.entry(*id).or_default().mode = *mode,
            Change::Names(_, names) => names.iter().for_each(|(path, node)| self.set_name(path, node)),
            Change::SyncFile(_) | Change::SyncData(_) | Change::SyncFolder(_) => {}
        }
    }

    fn set_name(&mut self, path: &Path, node: &Option<Node>) {
        match node {
            Some(node) => self.names.insert(path.to_owned(), node.clone()),
            None => self.names.remove(path),
        };
    }

    /// What is reachable from the root.
    pub(crate) fn state(&self) -> DiskState {
        let mut state = DiskState::default();
        // In path order a folder comes before what is in it.
        for (path, node) in &self.names {
            if path.parent().is_some_and(|parent| !state.folders.contains(parent)) {
                continue;
            }
            match node {
                Node::Folder => drop(state.folders.insert(path.clone())),
                Node::Link(text) => drop(state.links.insert(path.clone(), text.clone())),
                Node::File(id) => {
                    let file = self.files.get(id).cloned().unwrap_or_default();
                    state.files.insert(path.clone(), file);
                }
            }
        }
        state
    }

    /// A disk with exactly this state.
    pub(crate) fn from_state(state: &DiskState) -> Disk {
        let mut disk = Disk::default();
        for folder in &state.folders {
            disk.names.insert(folder.clone(), Node::Folder);
        }
        for (path, text) in &state.links {
            disk.names.insert(path.clone(), Node::Link(text.clone()));
        }
        for (number, (path, file)) in state.files.iter().enumerate() {
            disk.names.insert(path.clone(), Node::File(FileId(number)));
            disk.files.insert(FileId(number), file.clone());
        }
        disk
    }
}
