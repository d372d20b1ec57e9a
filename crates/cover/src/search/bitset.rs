//! Sets of small numbers, one bit each.

/// A set of numbers below a bound that is fixed when it is made.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set, for numbers below `bound`.
    pub fn new(bound: usize) -> BitSet {
        BitSet { words: vec![0; bound.div_ceil(64)] }
    }

    /// All numbers below `bound`.
    pub fn full(bound: usize) -> BitSet {
        let mut set = BitSet::new(bound);
        (0..bound).for_each(|item| set.insert(item));
        set
    }

    /// Its members are below this number.
    pub fn bound(&self) -> usize {
        64 * self.words.len()
    }

    /// Adds a number.
    pub fn insert(&mut self, item: usize) {
        self.words[item / 64] |= 1 << (item % 64);
    }

    /// Removes a number.
    pub fn remove(&mut self, item: usize) {
        self.words[item / 64] &= !(1 << (item % 64));
    }

    /// Whether it is a member.
    pub fn contains(&self, item: usize) -> bool {
        self.words.get(item / 64).is_some_and(|word| word >> (item % 64) & 1 == 1)
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The smallest member.
    pub fn first(&self) -> Option<usize> {
        let index = self.words.iter().position(|word| *word != 0)?;
        Some(64 * index + self.words[index].trailing_zeros() as usize)
    }

    /// Adds all members of another set of the same bound.
    pub fn union_with(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Keeps what is in both.
    pub fn intersect_with(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Removes all members of another set.
    pub fn subtract(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// Number of members of both.
    pub fn n_common(&self, other: &BitSet) -> usize {
        self.words.iter().zip(&other.words).map(|(word, other)| (word & other).count_ones() as usize).sum()
    }

    /// True if no member is in both.
    pub fn is_disjoint(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).all(|(word, other)| word & other == 0)
    }

    /// True if every member is in the other set.
    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).all(|(word, other)| word & !other == 0)
    }

    /// The members, smallest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(64 * index + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_behave_like_sets() {
        let (mut a, mut b) = (BitSet::new(130), BitSet::new(130));
        [0, 63, 64, 129].into_iter().for_each(|item| a.insert(item));
        [63, 128].into_iter().for_each(|item| b.insert(item));
        assert_eq!(a.iter().collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert_eq!((a.len(), a.first(), a.n_common(&b), a.is_disjoint(&b)), (4, Some(0), 1, false));
        let mut both = a.clone();
        both.intersect_with(&b);
        assert_eq!(both.iter().collect::<Vec<_>>(), [63]);
        assert!(both.is_subset(&a) && !a.is_subset(&b));
        a.subtract(&b);
        a.remove(0);
        a.union_with(&b);
        assert_eq!(a.iter().collect::<Vec<_>>(), [63, 64, 128, 129]);
        assert!(a.contains(128) && !a.contains(1) && !a.contains(1000));
        assert_eq!(BitSet::full(65).len(), 65);
        assert!(BitSet::new(5).is_empty() && BitSet::new(5).first().is_none());
    }
}
