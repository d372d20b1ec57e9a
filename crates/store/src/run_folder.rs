//! The folder of one run (`bug.smt2.nub/`): what `--resume` needs, and a place for temporary files.
//!
//! ```text
//! lock       locked while a nub works here; holds its process number
//! journal    see `journal.rs`            memo       see `memo.rs`
//! history/   see `history.rs`            tmp/       one temporary root per run
//! ```

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::commit::{create_folder, sweep_leftovers};
use crate::error::{Result, StoreError, Unsuitable};
use crate::lock::{self, Attempt};
use crate::real_fs::RealFs;
use crate::remove_all::{empty_folder, remove_all};
use crate::temp_root::TempRoot;

const LOCK: &str = "lock";
const JOURNAL: &str = "journal";
const MEMO: &str = "memo";
const HISTORY: &str = "history";
const TEMP: &str = "tmp";
/// Files that a job records: its request and its events.
const RECORDS: [&str; 2] = ["job.json", "events.jsonl"];

/// How often opening is tried again when another nub removes the folder at that moment.
const MAX_OPEN_ATTEMPTS: usize = 20;

/// What happens to the run folder at a clean end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterRun {
    /// It stays, for later inspection or `--resume`.
    Keep,
    /// It is removed, except for files that nub did not write.
    Remove,
}

/// A run folder that is ours until this value is dropped. Dropping removes the temporary files
/// and keeps the rest, as after a kill.
#[derive(Debug)]
pub struct RunFolder {
    folder: PathBuf,
    temp_root: TempRoot,
    /// Held, not used. Declared last, so released last.
    _lock: File,
}

impl RunFolder {
    /// Opens or creates the folder (its parent must exist), locks it, and removes the temporary
    /// files of earlier runs.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if another nub has it, [`StoreError::Unsuitable`] if it contains only files of
    /// other programs, otherwise [`StoreError::Io`].
    pub fn open(path: &Path) -> Result<RunFolder> {
        let lock = lock_folder(path)?;
        let folder = path.canonicalize().map_err(StoreError::own("find", path))?;
        // The process that left something here is dead, otherwise we would not have the lock.
        sweep_leftovers(&folder.join(MEMO));
        let temp = folder.join(TEMP);
        create_folder(&RealFs, &temp)?;
        empty_folder(&temp).map_err(StoreError::own("empty folder", &temp))?;
        let temp_root = TempRoot::open(&temp)?;
        Ok(RunFolder { folder, temp_root, _lock: lock })
    }

    /// The folder; absolute.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Where this run's temporary files go; for [`Scratch`](crate::Scratch).
    pub fn temp_root(&self) -> &Path {
        self.temp_root.path()
    }

    /// Whether a folder holds the journal of an earlier run.
    pub fn has_journal(folder: &Path) -> bool {
        folder.join(JOURNAL).exists()
    }

    /// The journal's path; for [`Journal::open`](crate::Journal::open).
    pub fn journal_path(&self) -> PathBuf {
        self.folder.join(JOURNAL)
    }

    /// The memo's path; for [`Memo::open`](crate::Memo::open).
    pub fn memo_path(&self) -> PathBuf {
        self.folder.join(MEMO)
    }

    /// The history's folder; for [`History::open`](crate::History::open).
    pub fn history_path(&self) -> PathBuf {
        self.folder.join(HISTORY)
    }

    /// Ends the run: removes the temporary files and, if asked, all other files of nub.
    pub fn finish(self, after: AfterRun) -> Result<()> {
        let RunFolder { folder, temp_root, _lock } = self;
        drop(temp_root);
        // Only files with known names, and the lock last: until then no other process can enter.
        let [request, events] = RECORDS;
        let names: &[&str] = match after {
            AfterRun::Keep => &[TEMP],
            AfterRun::Remove => &[TEMP, HISTORY, JOURNAL, MEMO, request, events, LOCK],
        };
        for path in names.iter().map(|name| folder.join(name)) {
            remove_all(&path).map_err(StoreError::own("remove", &path))?;
        }
        if after == AfterRun::Remove {
            // Fails if the user keeps files there or another nub has already entered: both are fine.
            let _ = fs::remove_dir(&folder);
        }
        Ok(())
    }
}

fn lock_folder(path: &Path) -> Result<File> {
    for _ in 0..MAX_OPEN_ATTEMPTS {
        create_folder(&RealFs, path)?;
        refuse_foreign(path)?;
        match lock::acquire(&path.join(LOCK)) {
            Ok(Attempt::Locked(file)) => return Ok(file),
            Ok(Attempt::Busy(pid)) => return Err(StoreError::Busy { path: path.to_owned(), pid }),
            // Another nub finished and removed the folder between our two steps.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(StoreError::own("lock", path)(error)),
        }
    }
    Err(StoreError::own("lock", path)(io::Error::other("the folder keeps disappearing")))
}

/// A folder without our lock file must be empty: the user may have mistyped its name. A single listing
/// decides, because another nub may start or end between two listings; nub creates the lock first and removes
/// it last.
fn refuse_foreign(path: &Path) -> Result<()> {
    let refuse = || StoreError::Unsuitable { path: path.to_owned(), reason: Unsuitable::Foreign };
    let names: Vec<_> = match path.read_dir() {
        Ok(entries) => entries.flatten().map(|entry| entry.file_name()).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Err(refuse()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::own("list folder", path)(error)),
    };
    if names.is_empty() || names.iter().any(|name| name == LOCK) { Ok(()) } else { Err(refuse()) }
}
