//! Fakes and checks for the tests of all crates. Never part of the program.
//!
//! [`FaultFs`] is a file system in memory that fails on request and enumerates what a power loss may leave behind.
//! [`check_file_system`] is the suite that it and the real file system both pass, so that results on the fake are meaningful.
//! [`assert_golden`] compares with a file, [`end_to_end_tool`] finds a program that a test needs, [`FloatPrograms`] generates C
//! functions with floats, [`Proxy`] is a network connection that can be stalled and cut, [`for_all_seeds`] runs random cases on all cores.

#![allow(clippy::print_stdout)] // The output of tests.

mod check_file_system;
mod disk;
mod fault_fs;
mod float_programs;
mod golden;
mod parallel;
mod power_loss;
mod proxy;
mod tools;

pub use check_file_system::check_file_system;
pub use disk::{DiskFile, DiskState};
pub use fault_fs::{FaultFs, Lasting};
pub use float_programs::{FloatPrograms, HEAD as FLOAT_HEAD};
pub use golden::{GoldenError, assert_golden, compare_golden, is_updating};
pub use parallel::for_all_seeds;
pub use proxy::Proxy;
pub use tools::{end_to_end_tool, find_tool, is_end_to_end, missing_tool};
