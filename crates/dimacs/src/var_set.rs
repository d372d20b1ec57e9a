//! Sets of variables. Their memory is proportional to the size of the file, however large its numbers are.

use crate::Var;
use rustc_hash::FxHashSet;

/// Variables up to this many times the number of bytes in the file are kept as bits in a table.
const BITS_PER_BYTE: usize = 64;

/// A set of variables: a table of bits for small numbers, a hash table for the others.
pub(crate) struct VarSet {
    bits: Vec<u64>,
    limit: usize,
    large: FxHashSet<Var>,
}

impl VarSet {
    /// An empty set for a file of this many bytes.
    pub(crate) fn new(n_bytes: usize) -> VarSet {
        VarSet { bits: Vec::new(), limit: n_bytes.saturating_mul(BITS_PER_BYTE), large: FxHashSet::default() }
    }

    /// Adds a variable; false if it was already in the set.
    pub(crate) fn insert(&mut self, var: Var) -> bool {
        let number = var.number() as usize;
        if number >= self.limit {
            return self.large.insert(var);
        }
        let (word, bit) = (number / 64, 1 << (number % 64));
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
        }
        let is_new = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        is_new
    }

    /// Whether the set contains a variable.
    pub(crate) fn contains(&self, var: Var) -> bool {
        let number = var.number() as usize;
        match self.bits.get(number / 64) {
            Some(word) => word & (1 << (number % 64)) != 0,
            None => !self.large.is_empty() && self.large.contains(&var),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_numbers() {
        let mut set = VarSet::new(1);
        for number in [1, 63, 64, 65, Var::MAX] {
            let var = Var::new(number).unwrap();
            assert!(!set.contains(var));
            assert!(set.insert(var) && !set.insert(var) && set.contains(var), "{number}");
        }
        assert!(!set.contains(Var::new(2).unwrap()));
        assert!(set.bits.len() <= 2, "large numbers cost no table");
    }
}
