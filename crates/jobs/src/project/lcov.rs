//! Coverage in the format of LCOV, which `genhtml` and most services read.
//!
//! A branch is an outcome of a condition: the block is the number of the condition in its line, branch 0 is true and branch 1 is false. A `!` is part
//! of the condition, as llvm-cov has it.

use super::coverage::FileCoverage;
use std::fmt::Write;
use std::path::Path;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// The record of one file.
pub fn lcov(file: &Path, coverage: &FileCoverage) -> String {
    let mut text = format!("TN:\nSF:{}\n", file.display());
    let lines = coverage.lines();
    let (mut n_found, mut n_taken) = (0, 0);
    for (line, conditions) in coverage.branches() {
        for (block, counts) in conditions.iter().enumerate() {
            for (branch, times) in [counts.on_true, counts.on_false].into_iter().enumerate() {
                // A condition that was never evaluated has a dash instead of a number.
                let taken = if counts.n_taken() == 0 { "-".to_owned() } else { times.to_string() };
                writeln!(text, "BRDA:{line},{block},{branch},{taken}").expect(NEVER_FAILS);
            }
            n_found += 2;
            n_taken += counts.n_taken();
        }
    }
    writeln!(text, "BRF:{n_found}\nBRH:{n_taken}").expect(NEVER_FAILS);
    for (line, times) in &lines {
        writeln!(text, "DA:{line},{times}").expect(NEVER_FAILS);
    }
    let n_hit = lines.values().filter(|times| **times > 0).count();
    writeln!(text, "LF:{}\nLH:{n_hit}\nend_of_record", lines.len()).expect(NEVER_FAILS);
    text
}
