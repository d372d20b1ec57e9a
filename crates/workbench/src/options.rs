//! The options of `nub workbench`.

use std::ffi::OsString;
use std::path::PathBuf;

/// A program that the page may run by its name.
#[derive(Clone, Debug)]
pub struct RegisteredProgram {
    /// The name that the page sends.
    pub name: String,
    /// The program and its arguments. `{}` is the file; without it the file is appended.
    pub command: Vec<OsString>,
}

/// Folders, programs and the port.
#[derive(Clone, Debug)]
pub struct WorkbenchOptions {
    /// Folders whose files may be opened. The first one is shown at the start.
    pub folders: Vec<PathBuf>,
    /// Files to offer first, below one of the folders.
    pub files: Vec<PathBuf>,
    /// Where jobs, pasted files and examples are kept.
    pub state: PathBuf,
    /// Registered programs, in the order in which they are offered.
    pub programs: Vec<RegisteredProgram>,
    /// The port of the loopback interface; 0 picks a free one.
    pub port: u16,
    /// The program `nub` itself, for its own solver as a registered program.
    pub nub: PathBuf,
}

/// The name of the solver with a wrong rule, `nub solve --planted-defect`, which is always registered.
pub const DEFECTIVE: &str = "example-defective";
