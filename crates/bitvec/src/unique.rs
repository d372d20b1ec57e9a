//! The table behind hash-consing: from content to number, without a copy of the content.

/// A hash table of numbers. The owner has the content in an array; the table holds positions in it alone, 4 bytes per
/// slot, at most two thirds full. Linear probing.
#[derive(Clone, Debug, Default)]
pub struct UniqueTable {
    slots: Vec<u32>,
    n_used: usize,
}

const EMPTY: u32 = u32::MAX;
const MIN_SLOTS: usize = 64;

impl UniqueTable {
    /// The number whose content is the one asked for, or else `new`, which is entered. `hash` belongs to the content,
    /// `is_same` compares a number's content with it, `hash_of` gives the hash of a number's content.
    pub fn find_or_insert(
        &mut self,
        hash: u64,
        new: u32,
        is_same: impl Fn(u32) -> bool,
        hash_of: impl Fn(u32) -> u64,
    ) -> u32 {
        assert!(new != EMPTY, "too many numbers for the table");
        if self.n_used * 3 >= self.slots.len() * 2 {
            self.grow(hash_of);
        }
        let at = self.slot(hash, is_same);
        if self.slots[at] == EMPTY {
            self.slots[at] = new;
            self.n_used += 1;
        }
        self.slots[at]
    }

    /// The slot with the content, or the empty one where it belongs. There is an empty slot.
    fn slot(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing: whichever bits of the hash are good, all of them reach the top ones of the product.
        let mixed = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut at = (mixed >> 32) as usize & mask;
        while self.slots[at] != EMPTY && !is_same(self.slots[at]) {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self, hash_of: impl Fn(u32) -> u64) {
        let n_slots = (self.slots.len() * 2).max(MIN_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; n_slots]);
        for id in old.into_iter().filter(|id| *id != EMPTY) {
            let at = self.slot(hash_of(id), |_| false);
            self.slots[at] = id;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_found_again_after_growing() {
        // A poor hash on purpose: every chain is long.
        let hash = |content: u64| content % 7;
        let mut table = UniqueTable::default();
        let mut contents: Vec<u64> = Vec::new();
        for round in 0..2 {
            for content in (0..1000).map(|i| i * 3) {
                let new = contents.len() as u32;
                let same = |id: u32| contents[id as usize] == content;
                let id = table.find_or_insert(hash(content), new, same, |id| hash(contents[id as usize]));
                assert_eq!(id == new, round == 0, "{content}");
                if id == new {
                    contents.push(content);
                }
                assert_eq!(contents[id as usize], content);
            }
        }
        assert_eq!(contents.len(), 1000);
    }
}
