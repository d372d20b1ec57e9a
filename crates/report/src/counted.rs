//! Numbers with their nouns.

use std::fmt::Display;

/// `1 test`, `2 tests`, `0 tests`: the number with its noun, whose plural ends in `s`.
///
/// ```
/// assert_eq!(nub_report::counted(1_u64, "iteration"), "1 iteration");
/// assert_eq!(nub_report::counted(8_u32, "iteration"), "8 iterations");
/// ```
pub fn counted<N: Display + PartialEq + From<u8>>(n: N, noun: &str) -> String {
    let ending = if n == N::from(1) { "" } else { "s" };
    format!("{n} {noun}{ending}")
}
