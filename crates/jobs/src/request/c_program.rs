//! How a C file is read.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;

/// How a C file is read, and compiled to run tests of it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProgramOptions {
    /// Widths of the integer types and order of their bytes: lp64, ilp32, int16, lp64be, ilp32be, or a file with lines such as
    /// `int_bitlength: 16`. Without it lp64.
    pub data_model: Option<String>,
    /// The C compiler, for preprocessing and to run tests. Without it `cc`.
    pub cc: Option<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Folders with headers.
    pub include: Vec<PathBuf>,
    /// Other options of the compiler that decide what the program is, such as `-include config.h` or `-std=c99`.
    pub compiler_options: Vec<String>,
    /// Signed overflow wraps around, as with the option of this name of gcc and clang.
    pub wrapv: bool,
    /// Kinds of checks that are asked for, by the names of properties. Those of floating-point arithmetic (`nan`, `inf`, `precision`) are made
    /// where they are asked for only.
    pub checks: Vec<String>,
}

impl ProgramOptions {
    /// The C compiler.
    pub(crate) fn compiler(&self) -> OsString {
        self.cc.clone().map_or_else(|| "cc".into(), PathBuf::into_os_string)
    }

    /// The name or the file of the data model.
    pub(crate) fn model(&self) -> &str {
        self.data_model.as_deref().unwrap_or("lp64")
    }

    /// Macros and folders, as words for the compiler.
    pub(crate) fn compiler_words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = self.define.iter().map(|name| format!("-D{name}").into()).collect();
        for folder in &self.include {
            words.extend(["-I".into(), folder.into()]);
        }
        words.extend(self.compiler_options.iter().map(OsString::from));
        words
    }

    /// What the language is, as words for the compiler.
    pub(crate) fn language_words(&self) -> Vec<OsString> {
        self.wrapv.then(|| "-fwrapv".into()).into_iter().collect()
    }

    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        self.include.iter_mut().for_each(change);
    }
}
