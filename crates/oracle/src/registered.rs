//! Commands that somebody registered under a name, to be run on files that come from elsewhere.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::invocation::{Lookup, Prepared, ProgramError};
use crate::{Invocation, ProgramPlace};

/// How a program gets its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileFeed {
    /// As an argument.
    Path,
    /// On standard input.
    Stdin,
}

/// A command whose program was found. `{}` in its words is the file; without it the path is appended.
#[derive(Clone, Debug)]
pub struct RegisteredCommand {
    by_path: Prepared,
    by_stdin: Prepared,
}

impl RegisteredCommand {
    /// Finds the program: a name without a slash on `search_path`, any other path relative to `folder`.
    ///
    /// # Errors
    /// If the program does not exist or is not executable.
    pub fn find(
        words: &[OsString],
        search_path: &OsStr,
        folder: &Path,
    ) -> Result<RegisteredCommand, ProgramError> {
        let place = Lookup { search_path, folder, programs: ProgramPlace::Here };
        let invocation = Invocation::Words(words.to_vec());
        Ok(RegisteredCommand {
            by_path: Prepared::new(&invocation, &place, FileFeed::Path)?,
            by_stdin: Prepared::new(&invocation, &place, FileFeed::Stdin)?,
        })
    }

    /// The program's file.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.by_path.program
    }

    /// The arguments for a file.
    #[must_use]
    pub fn args(&self, file: &Path, feed: FileFeed) -> Vec<OsString> {
        match feed {
            FileFeed::Path => self.by_path.args(file),
            FileFeed::Stdin => self.by_stdin.args(file),
        }
    }
}
