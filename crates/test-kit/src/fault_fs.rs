//! A file system in memory that can become full, fail, and lose power.
//!
//! Every change is logged. A test runs the code once, then asks for the states after a power loss at
//! each point of the log ([`FaultFs::states_after_loss`]), restarts from each
//! ([`FaultFs::from_state`]) and checks its promise. Or it runs the code once for every operation
//! that might fail ([`FaultFs::failing`]).

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nub_store::{EntryInfo, EntryKind, FileSystem, OpenFile};

use crate::disk::{Change, Disk, DiskFile, DiskState, FileId, Node};
use crate::power_loss;

const UMASK: u32 = 0o022;
const LINK_MODE: u32 = 0o777;
const FOLDER_MODE: u32 = 0o755;
/// As many links as Linux follows.
const MAX_LINKS: usize = 40;

/// How long a fault stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasting {
    /// One operation fails, the next ones succeed.
    Once,
    /// All operations from there on fail, except removals.
    Forever,
}

#[derive(Clone, Copy, Debug)]
struct Fault {
    at_operation: usize,
    errno: i32,
    lasting: Lasting,
}

struct Inner {
    initial: Disk,
    live: Disk,
    changes: Vec<Change>,
    n_files: usize,
    n_operations: usize,
    fault: Option<Fault>,
    max_write: usize,
}

/// The fake. Clones share one disk. Paths are compared as written: use absolute ones without `..`.
#[derive(Clone)]
pub struct FaultFs {
    inner: Arc<Mutex<Inner>>,
}

impl Default for FaultFs {
    fn default() -> Self {
        Self::new()
    }
}

impl FaultFs {
    /// An empty disk with a root folder.
    pub fn new() -> FaultFs {
        let folders = BTreeSet::from([PathBuf::from("/")]);
        Self::from_state(&DiskState { folders, ..DiskState::default() })
    }

    /// A disk with this state, all of it durable: the restart after a power loss.
    pub fn from_state(state: &DiskState) -> FaultFs {
        let disk = Disk::from_state(state);
        let inner = Inner {
            n_files: disk.files.len(),
            initial: disk.clone(),
            live: disk,
            changes: Vec::new(),
            n_operations: 0,
            fault: None,
            max_write: usize::MAX,
        };
        FaultFs { inner: Arc::new(Mutex::new(inner)) }
    }

    /// Adds a durable file.
    #[must_use]
    pub fn with_file(self, path: impl AsRef<Path>, bytes: &[u8], mode: u32) -> FaultFs {
        let mut state = self.state();
        state.files.insert(path.as_ref().to_owned(), DiskFile { bytes: bytes.to_owned(), mode });
        Self::from_state(&state)
    }

    /// Adds a durable symbolic link.
    #[must_use]
    pub fn with_link(self, path: impl AsRef<Path>, text: impl AsRef<Path>) -> FaultFs {
        let mut state = self.state();
        state.links.insert(path.as_ref().to_owned(), text.as_ref().to_owned());
        Self::from_state(&state)
    }

    /// Limits every write to `max_write` bytes. Each piece can be lost on its own, so this also sets the
    /// granularity of a power loss.
    #[must_use]
    pub fn short_writes(self, max_write: usize) -> FaultFs {
        assert!(max_write > 0, "a write of nothing never ends");
        self.lock().max_write = max_write;
        self
    }

    /// Makes operation number `at_operation` (from 0, counting those that change or sync the disk) fail with
    /// `errno`. A failing write first writes half of its bytes, as on a disk that becomes full, and fails on
    /// the rest.
    #[must_use]
    pub fn failing(self, at_operation: usize, errno: i32, lasting: Lasting) -> FaultFs {
        self.lock().fault = Some(Fault { at_operation, errno, lasting });
        self
    }

    /// Number of operations so far, failed ones included.
    pub fn n_operations(&self) -> usize {
        self.lock().n_operations
    }

    /// Number of logged changes so far; a point in time for [`FaultFs::states_after_loss`].
    pub fn n_changes(&self) -> usize {
        self.lock().changes.len()
    }

    /// What running programs see now.
    pub fn state(&self) -> DiskState {
        self.lock().live.state()
    }

    /// All states that may be found if power is lost after the first `n_changes` changes.
    pub fn states_after_loss(&self, n_changes: usize) -> BTreeSet<DiskState> {
        let inner = self.lock();
        power_loss::states_after_loss(&inner.initial, &inner.changes[..n_changes])
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self, id: FileId) -> Box<dyn OpenFile> {
        Box::new(FaultFile { fs: self.clone(), id, half_written: false })
    }
}

impl Inner {
    fn log(&mut self, change: Change) {
        self.live.apply(&change);
        self.changes.push(change);
    }

    /// Counts an operation and makes it fail if it is the chosen one.
    fn operation(&mut self) -> io::Result<()> {
        let current = self.n_operations;
        self.n_operations += 1;
        match self.fault {
            Some(fault) if fault.hits(current) => Err(io::Error::from_raw_os_error(fault.errno)),
            _ => Ok(()),
        }
    }

    fn node(&self, path: &Path) -> Option<&Node> {
        self.live.names.get(path)
    }

    fn require_folder(&self, path: &Path) -> io::Result<()> {
        match self.node(path) {
            Some(Node::Folder) => Ok(()),
            Some(_) => Err(io::ErrorKind::NotADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// The file at `path`, links followed.
    fn file_at(&self, path: &Path) -> io::Result<FileId> {
        let mut current = path.to_owned();
        for _ in 0..MAX_LINKS {
            match self.node(&current) {
                Some(Node::File(id)) => return Ok(*id),
                Some(Node::Folder) => return Err(io::ErrorKind::IsADirectory.into()),
                Some(Node::Link(text)) => current = parent_of(&current).join(text),
                None => return Err(io::ErrorKind::NotFound.into()),
            }
        }
        Err(io::Error::other("too many links"))
    }

    fn set_names(&mut self, path: &Path, names: Vec<(PathBuf, Option<Node>)>) {
        self.log(Change::Names(parent_of(path).to_owned(), names));
    }

    fn create(&mut self, path: &Path, mode: u32) -> io::Result<FileId> {
        self.require_folder(parent_of(path))?;
        if self.node(path).is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let id = FileId(self.n_files);
        self.n_files += 1;
        // The mode is set when the file is created: no power loss separates them.
        let file = DiskFile { bytes: Vec::new(), mode: mode & !UMASK };
        self.initial.files.insert(id, file.clone());
        self.live.files.insert(id, file);
        self.set_names(path, vec![(path.to_owned(), Some(Node::File(id)))]);
        Ok(id)
    }
}

impl Fault {
    fn hits(&self, operation: usize) -> bool {
        match self.lasting {
            Lasting::Once => operation == self.at_operation,
            Lasting::Forever => operation >= self.at_operation,
        }
    }
}

fn parent_of(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

impl FileSystem for FaultFs {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let inner = self.lock();
        let id = inner.file_at(path)?;
        Ok(inner.live.files[&id].bytes.clone())
    }

    fn info(&self, path: &Path) -> io::Result<Option<EntryInfo>> {
        let inner = self.lock();
        let info = |kind, mode| EntryInfo { kind, mode, owner: (0, 0) };
        Ok(inner.node(path).map(|node| match node {
            Node::File(id) => info(EntryKind::File, inner.live.files[id].mode),
            Node::Folder => info(EntryKind::Folder, FOLDER_MODE),
            Node::Link(_) => info(EntryKind::Link, LINK_MODE),
        }))
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        match self.lock().node(path) {
            Some(Node::Link(text)) => Ok(text.clone()),
            Some(_) => Err(io::ErrorKind::InvalidInput.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn create_new(&self, path: &Path, mode: u32) -> io::Result<Box<dyn OpenFile>> {
        let mut inner = self.lock();
        inner.operation()?;
        let id = inner.create(path, mode)?;
        Ok(self.open(id))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        let mut inner = self.lock();
        inner.operation()?;
        let id = match inner.file_at(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => inner.create(path, 0o666)?,
            result => result?,
        };
        Ok(self.open(id))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        assert_eq!(from.parent(), to.parent(), "the model has renames within one folder only");
        let mut inner = self.lock();
        inner.operation()?;
        let node = inner.node(from).cloned().ok_or(io::ErrorKind::NotFound)?;
        if inner.node(to) == Some(&Node::Folder) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        inner.set_names(to, vec![(from.to_owned(), None), (to.to_owned(), Some(node))]);
        Ok(())
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        // Never fails: files can be removed from a full disk.
        let mut inner = self.lock();
        match inner.node(path) {
            None => return Err(io::ErrorKind::NotFound.into()),
            Some(Node::Folder) => return Err(io::ErrorKind::IsADirectory.into()),
            Some(_) => inner.set_names(path, vec![(path.to_owned(), None)]),
        }
        Ok(())
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        let mut inner = self.lock();
        inner.operation()?;
        inner.require_folder(parent_of(path))?;
        if inner.node(path).is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        inner.set_names(path, vec![(path.to_owned(), Some(Node::Folder))]);
        Ok(())
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        let mut inner = self.lock();
        inner.operation()?;
        inner.require_folder(path)?;
        inner.log(Change::SyncFolder(path.to_owned()));
        Ok(())
    }
}

struct FaultFile {
    fs: FaultFs,
    id: FileId,
    /// The failing write has written its half.
    half_written: bool,
}

impl OpenFile for FaultFile {
    /// All writes append, which is correct for new files and for appending.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut inner = self.fs.lock();
        let result = inner.operation();
        let mut n_taken = bytes.len().min(inner.max_write);
        if let Err(error) = result {
            n_taken /= 2;
            if self.half_written || n_taken == 0 {
                return Err(error);
            }
            self.half_written = true;
            // The next write must be the one that fails.
            inner.n_operations -= 1;
        }
        let offset = inner.live.files[&self.id].bytes.len();
        inner.log(Change::Write(self.id, offset, bytes[..n_taken].to_owned()));
        Ok(n_taken)
    }

    fn adopt(&mut self, info: &EntryInfo) -> io::Result<()> {
        let mut inner = self.fs.lock();
        inner.operation()?;
        inner.log(Change::Mode(self.id, info.mode));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut inner = self.fs.lock();
        inner.operation()?;
        inner.log(Change::SyncFile(self.id));
        Ok(())
    }

    fn sync_data(&mut self) -> io::Result<()> {
        let mut inner = self.fs.lock();
        inner.operation()?;
        inner.log(Change::SyncData(self.id));
        Ok(())
    }
}
