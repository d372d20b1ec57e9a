//! Sets of small numbers.

/// A set of numbers below a fixed limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Set {
    words: Vec<u64>,
    length: usize,
}

impl Set {
    pub(super) fn new(length: usize) -> Set {
        Set { words: vec![0; length.div_ceil(64)], length }
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub(super) fn insert(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }

    pub(super) fn remove(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    pub(super) fn insert_all(&mut self) {
        (0..self.length).for_each(|number| self.insert(number));
    }

    /// Adds the other's; true if that changed something.
    pub(super) fn join(&mut self, other: &Set) -> bool {
        let mut has_changed = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            has_changed |= more & !*word != 0;
            *word |= more;
        }
        has_changed
    }
}
