//! Random orders from a seed.

/// A small generator (xorshift with multiplication). The same seed gives the same numbers everywhere. It is not `nub_random`: another stream would
/// find other tests, of the same number, for every seed that users have recorded.
#[derive(Clone, Debug)]
pub struct SearchRng(u64);

impl SearchRng {
    /// From a seed; any number is valid.
    pub fn new(seed: u64) -> SearchRng {
        SearchRng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `n`, or 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        if n == 0 { 0 } else { number as usize % n }
    }

    /// A random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
