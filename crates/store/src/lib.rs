//! The one place in nub that writes files.
//!
//! It makes two promises. *Your file is never corrupted:* [`commit`] replaces a file so that a kill, a full
//! disk or a power loss leaves its old or its new content, never a mixture. *No temporary files are left
//! behind:* they are below one [`RunFolder`] or [`TempRoot`], which is removed at the end of the run, or at
//! the start of the next one if the run was killed.
//!
//! | to | use |
//! |---|---|
//! | write an output | [`check_writable`] before the work, [`commit`] after each step |
//! | continue a run later | [`RunFolder`] with a [`Journal`], a [`History`] |
//! | give candidates to oracles | [`Scratch::write`], [`Scratch::fresh_folder`] |
//! | never ask twice | [`Memo`] |
//!
//! What must survive a crash goes through the trait [`FileSystem`], so that tests can replace it
//! (`nub_test_kit::FaultFs`) and simulate every crash. Temporary files use the system directly.
//!
//! ```
//! use nub_store::{AfterRun, Journal, RealFs, JournalRecord, JournalRecordKind, RunFolder, Scratch, commit};
//! # let home = tempfile::tempdir().unwrap();
//! # let folder = home.path().join("bug.smt2.nub");
//! let run = RunFolder::open(&folder)?;
//! let (mut journal, earlier) = Journal::open(&RealFs, &run.journal_path())?;
//! assert!(earlier.is_empty());
//!
//! let candidate = Scratch::new(run.temp_root(), 0)?.write("bug.smt2", b"(check-sat)")?;
//! // ... the oracle says that `candidate` still fails:
//! # assert!(candidate.exists());
//! # let output = home.path().join("small.smt2");
//! commit(&RealFs, &output, b"(check-sat)")?;
//! journal.append(&JournalRecord::new(JournalRecordKind::Step).with("pass", "drop-command").with_number("size", 11))?;
//!
//! run.finish(AfterRun::Keep)?;
//! # assert!(output.exists() && !candidate.exists());
//! # Ok::<(), nub_store::StoreError>(())
//! ```

// This is the crate that the lint tells all others to use.
#![allow(clippy::disallowed_methods)]

mod commit;
mod error;
mod file_system;
mod fresh_folder;
mod history;
mod journal;
mod lock;
mod memo;
mod real_fs;
mod record;
mod remove_all;
mod run_folder;
mod scratch;
mod temp_root;

pub use commit::{check_writable, commit, create_folder, discard, sweep_leftovers};
pub use error::{ErrorKind, Kept, Result, StoreError, Unsuitable};
pub use file_system::{EntryInfo, EntryKind, FileSystem, OpenFile, write_all};
pub use fresh_folder::FreshFolder;
pub use history::History;
pub use journal::{Journal, MAX_RECORD_BYTES};
pub use memo::{MAX_MEMO_ENTRIES, Memo, MemoKey, Remembered};
pub use real_fs::RealFs;
pub use record::{JournalRecord, JournalRecordKind};
pub use run_folder::{AfterRun, RunFolder};
pub use scratch::Scratch;
pub use temp_root::TempRoot;
