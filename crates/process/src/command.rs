//! What to run.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// What the child reads on its standard input.
#[derive(Clone, Debug, Default)]
pub enum ChildInput {
    /// Nothing: `/dev/null`.
    #[default]
    Null,
    /// These bytes, then end of file.
    Bytes(Arc<[u8]>),
    /// The content of a file.
    File(PathBuf),
}

/// A program with its arguments. No shell is involved; a program without a slash is looked up on `PATH`.
#[derive(Clone, Debug)]
pub struct Command {
    /// Program to start.
    pub program: OsString,
    /// Its arguments, without the program itself.
    pub args: Vec<OsString>,
    /// Working folder; ours if `None`.
    pub folder: Option<PathBuf>,
    /// Variables set on top of our own environment.
    pub env: Vec<(OsString, OsString)>,
    /// Standard input.
    pub input: ChildInput,
}
