//! Random numbers that are the same on every machine.
//!
//! SplitMix64 (Steele, Lea, Flood 2014): one addition and a mixing function per number, period 2^64, and no warm-up, so
//! neighbouring seeds give unrelated streams. It uses integers only: no result depends on a floating-point unit. The output of
//! `nub generate --seed N` is derived from these numbers, so changing them changes every generated file.
//!
//! ```
//! let mut rng = nub_random::Rng::new(1);
//! assert!(rng.below(6) < 6);
//! assert!(["red", "green"].contains(&rng.pick(&["red", "green"])));
//! ```

/// The golden ratio in 64 bits, the increment of SplitMix64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// An integer type whose values can be the upper bound of a random number.
pub trait RandomBound: Copy {
    /// The bound as 64 bits; a negative bound becomes 0.
    fn to_bits(self) -> u64;
    /// Converts a number below the bound back.
    fn from_bits(bits: u64) -> Self;
}

macro_rules! random_bound {
    ($($integer:ty),*) => {
        $(impl RandomBound for $integer {
            fn to_bits(self) -> u64 {
                u64::try_from(self).unwrap_or(0)
            }

            fn from_bits(bits: u64) -> $integer {
                bits as $integer
            }
        })*
    };
}

random_bound!(u32, u64, usize, i32, i64);

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The stream of a seed. The seed is mixed first: without mixing, seeds that differ by a multiple of SplitMix64's
    /// increment would give the same stream, shifted.
    pub fn new(seed: u64) -> Rng {
        Rng { state: mix(seed ^ STEP) }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A number below `n`, or 0 if `n` is 0. Uses multiplication (Lemire 2019) without its rejection step: the bias is
    /// below `n` / 2^64.
    pub fn below<N: RandomBound>(&mut self, n: N) -> N {
        N::from_bits(((u128::from(self.bits()) * u128::from(n.to_bits())) >> 64) as u64)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        debug_assert!(low <= high && high < u32::MAX);
        low + self.below(high - low + 1)
    }

    /// True with a probability of `percent` in 100.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100_u32) < percent
    }

    /// One of the choices. Panics if there are none.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Shuffles by Fisher-Yates.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for n in (2..=items.len()).rev() {
            items.swap(n - 1, self.below(n));
        }
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_splitmix64() {
        // The first outputs of the published generator from state 0.
        let mut rng = Rng { state: 0 };
        assert_eq!([rng.bits(), rng.bits()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn bounds_are_reached_and_kept() {
        let mut rng = Rng::new(1);
        let mut seen = [0u32; 3];
        for _ in 0..300 {
            seen[rng.between(5, 7) as usize - 5] += 1;
        }
        assert!(seen.iter().all(|&count| count > 60), "{seen:?}");
        assert_eq!(rng.below(1), 0);
        assert!(!rng.percent(0) && rng.percent(100));
    }

    #[test]
    fn a_shuffle_is_a_permutation_and_each_is_reached() {
        let mut seen = [0u32; 6];
        for seed in 0..600 {
            let mut items = [0, 1, 2];
            Rng::new(seed).shuffle(&mut items);
            let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
            seen[orders.iter().position(|order| *order == items).unwrap()] += 1;
        }
        assert!(seen.iter().all(|&count| count > 60), "{seen:?}");
    }
}
