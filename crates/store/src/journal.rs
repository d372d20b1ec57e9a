//! The append-only log of a run, from which `--resume` continues.
//!
//! Each record is one checksummed line (see `record.rs`), synced before `append` returns. Power loss can
//! therefore damage only the last, unacknowledged record; on open, lines whose checksum is wrong are skipped.
//! They are never deleted, because a user may still want to read them.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Kept, Result, StoreError};
use crate::file_system::{FileSystem, OpenFile, folder_of, write_all};
use crate::record::JournalRecord;

/// Largest record, as written. Command lines are the largest thing we store.
pub const MAX_RECORD_BYTES: usize = 16 << 20;

/// An open journal.
pub struct Journal {
    file: Box<dyn OpenFile>,
    path: PathBuf,
    line_state: LineState,
    n_damaged: usize,
}

/// Whether the file ends in the middle of a line, after a crash or a failed write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineState {
    AtStart,
    Torn,
}

impl Journal {
    /// Opens or creates the journal and returns its intact records, oldest first.
    pub fn open(fs: &dyn FileSystem, path: &Path) -> Result<(Journal, Vec<JournalRecord>)> {
        let bytes = match fs.read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            result => result.map_err(StoreError::own("read the journal", path))?,
        };
        let file = fs.append(path).map_err(StoreError::own("open the journal", path))?;
        // The name must be durable before the first record is acknowledged.
        fs.sync_folder(folder_of(path)).map_err(StoreError::own("sync the folder of", path))?;

        let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
        // A last line without newline but with a correct checksum is complete: only its newline was lost.
        let records: Vec<JournalRecord> =
            lines.iter().filter_map(|line| JournalRecord::from_line(line)).collect();
        let ends_in_line = bytes.last().is_some_and(|&byte| byte != b'\n');
        let journal = Journal {
            file,
            path: path.to_owned(),
            line_state: if ends_in_line { LineState::Torn } else { LineState::AtStart },
            n_damaged: lines.len() - records.len(),
        };
        Ok((journal, records))
    }

    /// Appends a record durably: once this has returned, a power loss cannot take it back. After an error the
    /// record may or may not have been written; the journal stays usable.
    pub fn append(&mut self, record: &JournalRecord) -> Result<()> {
        let mut line = record.to_line();
        if line.len() > MAX_RECORD_BYTES {
            let path = self.path.clone();
            return Err(StoreError::TooLarge { path, n_bytes: line.len(), limit: MAX_RECORD_BYTES });
        }
        if self.line_state == LineState::Torn {
            line.insert(0, b'\n');
        }
        self.line_state = LineState::Torn;
        write_all(self.file.as_mut(), &line)
            .and_then(|()| self.file.sync_data())
            .map_err(|source| StoreError::io("append to", &self.path, Kept::EarlierRecords, source))?;
        self.line_state = LineState::AtStart;
        Ok(())
    }

    /// How many lines were skipped at open. One is normal after a crash; more means that something else wrote
    /// into the file.
    pub fn n_damaged(&self) -> usize {
        self.n_damaged
    }
}
