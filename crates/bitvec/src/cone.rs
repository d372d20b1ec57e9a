//! The one walk over terms: the terms below given ones, operands first.

use crate::{Pool, TermId};

/// The terms that `roots` consist of, including the roots, each once, operands before the terms that use them. No
/// recursion. O(terms + largest root / 64): an operand has a smaller number than its user, so ascending order is enough.
pub fn cone(pool: &Pool, roots: &[TermId]) -> Vec<TermId> {
    cone_beyond(pool, roots, |_| false)
}

/// Like [`cone`], but stops at terms for which `is_known` holds: it omits them and whatever only they use.
pub fn cone_beyond(pool: &Pool, roots: &[TermId], is_known: impl Fn(TermId) -> bool) -> Vec<TermId> {
    let n_words = roots.iter().max().map_or(0, |last| last.index() / 64 + 1);
    let mut seen = vec![0_u64; n_words];
    let mut todo: Vec<TermId> = roots.to_vec();
    let mut found = Vec::new();
    while let Some(id) = todo.pop() {
        let (word, bit) = (id.index() / 64, 1_u64 << (id.index() % 64));
        if seen[word] & bit == 0 && !is_known(id) {
            seen[word] |= bit;
            found.push(id);
            todo.extend(pool.args(id));
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Op, Rewriting, Sort};

    #[test]
    fn operands_come_first_and_once() {
        let mut pool = Pool::with_rewriting(Rewriting::Off);
        let x = pool.var(Sort::Bits(4));
        let other = pool.var(Sort::Bits(4));
        let sum = pool.mk(Op::Add, &[x, x]);
        let product = pool.mk(Op::Mul, &[sum, x]);
        assert_eq!(cone(&pool, &[product, sum]), [x, sum, product]);
        assert_eq!(cone(&pool, &[other]), [other]);
        assert_eq!(cone(&pool, &[]), []);
        assert_eq!(cone_beyond(&pool, &[product], |id| id == sum), [x, product]);
    }

    #[test]
    fn depth_and_sharing_cost_nothing() {
        let mut pool = Pool::with_rewriting(Rewriting::Off);
        let mut term = pool.var(Sort::Bits(4));
        for _ in 0..200_000 {
            term = pool.mk(Op::Add, &[term, term]);
        }
        assert_eq!(cone(&pool, &[term]).len(), 200_001);
    }
}
