//! Exchanges two terms of one sort.
//!
//! ```text
//! (assert (< (+ x 1) (* 2 y)))   ->   (assert (< (* 2 y) (+ x 1)))
//! ```

use super::freedom::Freedom;
use super::{Draw, Splice};

/// Limit on the second terms that are tried.
const TRIES: u32 = 8;

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let tree = seed.script.tree();
    let first = draw.pick(&seed.places)?;
    if seed.freedom(first) != Freedom::Term {
        return None;
    }
    let donors = seed.donors.get(&seed.sort(first))?;
    for _ in 0..TRIES {
        let second = draw.pick(donors)?;
        let is_apart = !tree.is_within(first, second) && !tree.is_within(second, first);
        if is_apart
            && seed.slice(first) != seed.slice(second)
            && seed.freedom(second) == Freedom::Term
            && seed.is_visible(first, second)
            && seed.is_visible(second, first)
        {
            return Some(vec![
                Splice::replace(seed.span(first), seed.slice(second)),
                Splice::replace(seed.span(second), seed.slice(first)),
            ]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn both_or_none() {
        let seed = "(declare-const x Int)(assert (< x (- 7)))";
        let all = expect(MutationKind::ExchangeTerms, seed, &["(declare-const x Int)(assert (< (- 7) x))"]);
        assert_eq!(all.len(), 2, "also 7 and x: {all:#?}");
    }
}
