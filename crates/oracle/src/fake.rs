//! A pure predicate as an oracle: the fake for tests of the crates above.

use std::sync::atomic::{AtomicU64, Ordering};

use nub_process::Cancel;

use crate::{Oracle, OracleAnswer, Verdict};

/// An oracle that is a function of the bytes: `true` means that the failure is still present. Counts its
/// asks.
///
/// ```
/// use nub_oracle::{FnOracle, Oracle};
/// use nub_process::Cancel;
/// let oracle = FnOracle::new(|bytes: &[u8]| bytes.contains(&b'x'));
/// assert!(oracle.ask(b"axb", &Cancel::new()).verdict.fails());
/// assert_eq!(oracle.n_asks(), 1);
/// ```
pub struct FnOracle<F> {
    predicate: F,
    n_asks: AtomicU64,
}

impl<F: Fn(&[u8]) -> bool + Sync> FnOracle<F> {
    /// Wraps a predicate.
    pub fn new(predicate: F) -> FnOracle<F> {
        FnOracle { predicate, n_asks: AtomicU64::new(0) }
    }

    /// Asks so far.
    pub fn n_asks(&self) -> u64 {
        self.n_asks.load(Ordering::Relaxed)
    }
}

impl<F: Fn(&[u8]) -> bool + Sync> Oracle for FnOracle<F> {
    fn ask(&self, candidate: &[u8], _cancel: &Cancel) -> OracleAnswer {
        self.n_asks.fetch_add(1, Ordering::Relaxed);
        OracleAnswer::free(if (self.predicate)(candidate) { Verdict::Fails } else { Verdict::Passes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_answers() {
        let oracle = FnOracle::new(|bytes: &[u8]| bytes.len() > 2);
        assert_eq!(oracle.ask(b"abc", &Cancel::new()).verdict, Verdict::Fails);
        assert_eq!(oracle.ask(b"ab", &Cancel::new()).verdict, Verdict::Passes);
        assert_eq!(oracle.n_asks(), 2);
    }
}
