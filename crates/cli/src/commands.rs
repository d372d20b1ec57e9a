//! One command, one file.

pub mod completions;
pub mod ddsmt;
pub mod demo;
pub mod doctor;
pub mod man;
pub mod reduce;
