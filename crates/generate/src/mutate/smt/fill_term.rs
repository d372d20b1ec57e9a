//! A constant or variable becomes a small generated term of its sort: the file serves as the skeleton.
//!
//! ```text
//! (assert (= x (f y)))   ->   (assert (= (ite (< y 0) 1 x) (f y)))
//! ```

use super::freedom::Freedom;
use super::grow::Grow;
use super::{Draw, Splice};

/// The maximum depth of the new term.
const DEPTH: u32 = 2;
/// Limit on the places that are tried to find a leaf.
const TRIES: u32 = 8;

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    for _ in 0..TRIES {
        let place = draw.pick(&seed.places)?;
        let is_leaf = !seed.script.tree().is_list(place) || seed.literals.binary_search(&place).is_ok();
        if is_leaf && seed.freedom(place) == Freedom::Term {
            let term = Grow::at(draw, place).application(seed.sort(place), DEPTH)?;
            return (term != seed.slice(place)).then(|| vec![Splice::replace(seed.span(place), term)]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::mutants;

    #[test]
    fn leaves_become_terms() {
        let seed = "(declare-const p Bool)(declare-const q Bool)(assert (or p q))";
        let all = mutants(MutationKind::FillTerm, &[seed]);
        assert!(all.len() > 100 && all.iter().all(|text| text.contains("(or ")), "{}", all.len());
        assert!(all.iter().any(|text| text.contains("(ite ")));
    }
}
