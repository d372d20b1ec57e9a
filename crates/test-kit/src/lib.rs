//! Fakes and checks for the tests of all crates. Never part of the program.
//!
//! [`FaultFs`] is a file system in memory that fails on request and enumerates what a power loss may
//! leave behind. [`check_file_system`] is the suite that it and the real file system both pass, so
//! that what is shown on the fake means something.

mod check_file_system;
mod disk;
mod fault_fs;
mod power_loss;

pub use check_file_system::check_file_system;
pub use disk::{DiskFile, DiskState};
pub use fault_fs::{FaultFs, Lasting};
