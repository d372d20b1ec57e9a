//! One command, one file.

pub mod c_program;
pub mod completions;
pub mod config;
pub mod convert;
pub mod cover;
pub mod ddsmt;
pub mod demo;
pub mod doctor;
pub mod explain;
pub mod fleet;
pub mod fuzz;
pub mod generate;
pub mod hub;
pub mod man;
pub mod reduce;
pub mod rules;
pub mod schema;
pub mod solve;
pub mod status;
pub mod workbench;
pub mod worker;
