//! One command, one file.

pub mod completions;
pub mod convert;
pub mod ddsmt;
pub mod demo;
pub mod doctor;
pub mod generate;
pub mod man;
pub mod reduce;
pub mod solve;
