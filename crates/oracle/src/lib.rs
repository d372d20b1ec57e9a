//! Runs candidates and judges them.

mod fake;
mod verdict;

pub use fake::FnOracle;
pub use verdict::{Answer, Doubt, Oracle, Verdict};
