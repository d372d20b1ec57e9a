//! The table for hash-consing: from content to number, without storing the content.

/// A hash table of numbers. The owner has the content in an array; the table holds positions in it, each with 32 bits of the hash of its
/// content: 8 bytes per slot, at most two thirds full. Linear probing.
///
/// The bits of the hash avoid cache misses: a pool of terms is larger than any cache, so inspecting a wrong candidate, or
/// all of them when the table grows, would wait for memory each time.
#[derive(Clone, Debug, Default)]
pub struct UniqueTable {
    /// The bits of the hash in the upper half, the number in the lower.
    slots: Vec<u64>,
    n_used: usize,
}

const EMPTY: u64 = u64::MAX;
const MIN_SLOTS: usize = 64;

impl UniqueTable {
    /// The number whose content is the one wanted; if there is none, `new` is inserted and returned. `hash` is the hash of the content,
    /// and `is_same` compares the content of a number with it.
    pub fn find_or_insert(&mut self, hash: u64, new: u32, is_same: impl Fn(u32) -> bool) -> u32 {
        assert!(new != u32::MAX, "too many numbers for the table");
        if self.n_used * 3 >= self.slots.len() * 2 {
            self.grow();
        }
        // Fibonacci hashing: whichever bits of the hash are good, all of them affect the top bits of the product.
        let mixed = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let mask = self.slots.len() - 1;
        let mut at = mixed as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == EMPTY {
                self.slots[at] = mixed << 32 | u64::from(new);
                self.n_used += 1;
                return new;
            }
            if slot >> 32 == mixed && is_same(slot as u32) {
                return slot as u32;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let n_slots = (self.slots.len() * 2).max(MIN_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; n_slots]);
        let mask = n_slots - 1;
        for slot in old.into_iter().filter(|slot| *slot != EMPTY) {
            let mut at = (slot >> 32) as usize & mask;
            while self.slots[at] != EMPTY {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_found_again_after_growing() {
        // A deliberately bad hash, so that every chain is long.
        let hash = |content: u64| content % 7;
        let mut table = UniqueTable::default();
        let mut contents: Vec<u64> = Vec::new();
        for round in 0..2 {
            for content in (0..1000).map(|i| i * 3) {
                let new = contents.len() as u32;
                let same = |id: u32| contents[id as usize] == content;
                let id = table.find_or_insert(hash(content), new, same);
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
