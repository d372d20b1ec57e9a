//! Every accepted step as a file of its own, on request (`history/000123-4711.smt2`).
//!
//! Not synced: no work is lost if a power cut loses some. But each is written under a temporary name and renamed, so
//! that a kill never leaves an incomplete step under a step's name.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Result, StoreError};

/// Highest step number; the names stay sortable up to a million, and work beyond.
const MAX_STEPS: u64 = u32::MAX as u64;
/// Where a step is written before it gets its name. A kill may leave it; the next step replaces it.
const UNFINISHED: &str = ".unfinished";

/// A folder of numbered steps.
#[derive(Debug)]
pub struct History {
    folder: PathBuf,
    extension: String,
    next_idx: u64,
}

impl History {
    /// Opens or creates the folder; numbering continues after the highest number found. `extension`
    /// comes without its dot and may be empty.
    pub fn open(folder: &Path, extension: &str) -> Result<History> {
        fs::create_dir_all(folder).map_err(StoreError::own("create folder", folder))?;
        let entries = folder.read_dir().map_err(StoreError::own("list folder", folder))?;
        let highest = entries.flatten().filter_map(|entry| step_idx(&entry.path())).max();
        Ok(History {
            folder: folder.to_owned(),
            extension: extension.to_owned(),
            next_idx: highest.map_or(0, |idx| idx + 1),
        })
    }

    /// Saves a step and returns its path.
    pub fn save(&mut self, bytes: &[u8]) -> Result<PathBuf> {
        let mut name = format!("{:06}-{}", self.next_idx, bytes.len());
        if !self.extension.is_empty() {
            name = format!("{name}.{}", self.extension);
        }
        let path = self.folder.join(name);
        let unfinished = self.folder.join(UNFINISHED);
        fs::write(&unfinished, bytes)
            .and_then(|()| fs::rename(&unfinished, &path))
            .map_err(StoreError::own("write", &path))?;
        self.next_idx += 1;
        Ok(path)
    }
}

fn step_idx(path: &Path) -> Option<u64> {
    let (digits, _) = path.file_name()?.to_str()?.split_once('-')?;
    digits.parse().ok().filter(|&idx| idx < MAX_STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_on_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("history");
        let mut history = History::open(&folder, "smt2").unwrap();
        history.save(b"abc").unwrap();
        history.save(b"ab").unwrap();
        let path = History::open(&folder, "smt2").unwrap().save(b"").unwrap();
        assert_eq!(path, folder.join("000002-0.smt2"));
        assert_eq!(fs::read(folder.join("000001-2.smt2")).unwrap(), b"ab");
    }

    #[test]
    fn a_torn_step_has_no_number() {
        let folder = tempfile::tempdir().unwrap();
        let mut history = History::open(folder.path(), "smt2").unwrap();
        fs::write(folder.path().join(UNFINISHED), b"tor").unwrap();
        history.save(b"whole").unwrap();
        let names: Vec<_> =
            folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["000000-5.smt2"]);
    }

    #[test]
    fn no_extension_no_dot() {
        let folder = tempfile::tempdir().unwrap();
        let path = History::open(folder.path(), "").unwrap().save(b"x").unwrap();
        assert_eq!(path, folder.path().join("000000-1"));
    }
}
