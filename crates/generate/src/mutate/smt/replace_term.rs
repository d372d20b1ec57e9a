//! Replaces a term by another term of the same sort.
//!
//! ```text
//! (assert (= (+ x 1) (f y)))   ->   (assert (= (f y) (f y)))
//! ```
//!
//! The new term is a copy of one elsewhere in the file. Every name in it must refer to the same declaration at the new place,
//! so that no variable is captured and none is out of scope.

use super::freedom::Freedom;
use super::{Draw, Splice};

/// Limit on the terms that are tried to find one that is visible at the place.
const TRIES: u32 = 8;

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let place = draw.pick(&seed.places)?;
    if seed.freedom(place) != Freedom::Term {
        return None;
    }
    let donors = seed.donors.get(&seed.sort(place))?;
    for _ in 0..TRIES {
        let donor = draw.pick(donors)?;
        if seed.slice(donor) != seed.slice(place) && seed.is_visible(donor, place) {
            return Some(vec![Splice::replace(seed.span(place), seed.slice(donor))]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn no_variable_leaves_its_scope_or_is_captured() {
        let seed = "(declare-const x Int)(assert (exists ((y Int)) (< y 1)))(assert (exists ((x Int)) (< 5 6)))(assert (= x 3))";
        let wanted = seed.replace("(= x 3)", "(= 1 3)");
        let all = expect(MutationKind::ReplaceTerm, seed, &[&wanted, &seed.replace("(< y 1)", "(< y x)")]);
        for text in all {
            let (script, _) = nub_smtlib::Script::parse(text.as_bytes());
            assert!(script.analyse().unknown().is_empty(), "{text}");
            for below in text.split("((x Int)) ").skip(1) {
                let body = below.split(')').next().unwrap_or_default();
                assert!(!body.contains(" x"), "the free x was copied to where x is bound: {text}");
            }
        }
    }
}
