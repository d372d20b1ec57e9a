//! How a C file is parsed.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;

/// How a C file is parsed, and compiled to run its tests.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProgramOptions {
    /// Widths of the integer types and order of their bytes: lp64, ilp32, int16, lp64be, ilp32be, or a file with lines such as
    /// `int_bitlength: 16`. By default lp64.
    pub data_model: Option<String>,
    /// The C compiler, for preprocessing and for compiling tests. By default `cc`.
    pub cc: Option<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Folders with headers.
    pub include: Vec<PathBuf>,
    /// Other compiler options that affect the meaning of the program, such as `-include config.h` or `-std=c99`.
    pub compiler_options: Vec<String>,
    /// Signed overflow wraps around, as with `-fwrapv` of gcc and clang.
    pub wrapv: bool,
    /// Requested kinds of checks, by the names of properties. Those of floating-point arithmetic (`nan`, `inf`, `precision`) are made only
    /// on request.
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

    /// The language options, as words for the compiler.
    pub(crate) fn language_words(&self) -> Vec<OsString> {
        self.wrapv.then(|| "-fwrapv".into()).into_iter().collect()
    }

    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        self.include.iter_mut().for_each(change);
    }
}
