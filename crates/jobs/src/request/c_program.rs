//! How a C file is read.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;

/// How a C file is read, and compiled to run tests of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct ProgramOptions {
    /// Widths of the integer types: lp64, ilp32, int16, or a file with lines such as `int_bitlength: 16`.
    pub data_model: String,
    /// The C compiler, for preprocessing and to run tests.
    pub cc: PathBuf,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Folders with headers.
    pub include: Vec<PathBuf>,
}

impl Default for ProgramOptions {
    fn default() -> ProgramOptions {
        ProgramOptions { data_model: "lp64".into(), cc: "cc".into(), define: Vec::new(), include: Vec::new() }
    }
}

impl ProgramOptions {
    /// Macros and folders, as words for the compiler.
    pub(crate) fn compiler_words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = self.define.iter().map(|name| format!("-D{name}").into()).collect();
        for folder in &self.include {
            words.extend(["-I".into(), folder.into()]);
        }
        words
    }

    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        self.include.iter_mut().for_each(change);
    }
}
