//! Where a run for another machine happens: a file of its own, and a folder for temporary files.

use crate::protocol::RunPlace;
use nub_store::{Scratch, StoreError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The name of the file that every store folder must contain.
const PLACEHOLDER: &str = ".nub";

/// Why a file for a run cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DeskError {
    #[error("the file name must not contain a path")]
    PathInName,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Folders of one slot.
pub(crate) struct Desk {
    files: Scratch,
    temp: Scratch,
    /// The folder of `nub.toml`.
    home: PathBuf,
}

impl Desk {
    /// Writes the file and calls `start` with its path, the folder to run in and one for temporary files.
    pub(crate) fn with_file<T>(
        &mut self,
        place: RunPlace,
        name: &str,
        content: &[u8],
        start: impl FnOnce(&Path, &Path, &Path) -> T,
    ) -> Result<T, DeskError> {
        if !is_plain(name) {
            return Err(DeskError::PathInName);
        }
        Ok(match place {
            RunPlace::Registered => {
                let file = self.files.write(name, content)?;
                self.temp.write(PLACEHOLDER, b"")?;
                start(&file, &self.home, self.temp.path())
            }
            RunPlace::Fresh => {
                let fresh = self.files.fresh_folder(name, content)?;
                let temp = self.temp.fresh_folder(PLACEHOLDER, b"")?;
                start(fresh.file(), fresh.path(), temp.path())
            }
        })
    }
}

/// Whether a received name stays inside its folder.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\0'])
}

/// Desks that are not in use.
pub(crate) struct Desks {
    temp: PathBuf,
    home: PathBuf,
    idle: Mutex<(Vec<Desk>, usize)>,
}

impl Desks {
    pub(crate) fn new(temp: PathBuf, home: PathBuf) -> Desks {
        Desks { temp, home, idle: Mutex::default() }
    }

    /// Lends a desk for as long as `work` takes.
    pub(crate) fn lend<T>(&self, work: impl FnOnce(&mut Desk) -> T) -> Result<T, StoreError> {
        let lock = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let (desk, number) = {
            let mut idle = lock();
            let desk = idle.0.pop();
            idle.1 += usize::from(desk.is_none());
            (desk, idle.1)
        };
        let mut desk = match desk {
            Some(desk) => desk,
            None => self.make(number)?,
        };
        let result = work(&mut desk);
        lock().0.push(desk);
        Ok(result)
    }

    fn make(&self, number: usize) -> Result<Desk, StoreError> {
        let files = Scratch::new(&self.temp, number)?;
        let temp = Scratch::new(&self.temp.join("tmp"), number)?;
        Ok(Desk { files, temp, home: self.home.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        assert!(is_plain("a.smt2") && is_plain("..a"));
        assert!(["", ".", "..", "a/b", "/etc/passwd", "../x", "a\0"].iter().all(|name| !is_plain(name)));
    }
}
