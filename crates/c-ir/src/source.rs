//! A program with the text that it was read from.

use crate::ir::Program;

/// The program and its text, to quote from.
#[derive(Clone, Copy)]
pub struct ProgramSource<'p> {
    /// The program.
    pub program: &'p Program,
    /// The preprocessed text that its spans refer to.
    pub text: &'p [u8],
    /// The name for text without line markers, which does not say which file it comes from.
    pub file: &'p str,
}
