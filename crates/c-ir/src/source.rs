//! A program with the text that it was read from.

use crate::ir::Program;

/// The program and its text, to quote from.
#[derive(Clone, Copy)]
pub struct ProgramSource<'p> {
    /// The program.
    pub program: &'p Program,
    /// The preprocessed text that its spans mean.
    pub text: &'p [u8],
    /// What a file without a name is called: text without line markers does not say where it comes from.
    pub file: &'p str,
}
