//! One command, one file.

pub mod completions;
pub mod man;
pub mod reduce;
