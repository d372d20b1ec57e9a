//! Replaces a term by one of the same sort from a second file, with the declarations it needs.
//!
//! ```text
//! (declare-const x Int)(assert (< x 0))
//! (declare-fun f (Int) Int)(assert (= (f 3) 7))
//!   ->   (declare-fun f (Int) Int)(declare-const x Int)(assert (< (f 3) 0))
//! ```

use super::freedom::Freedom;
use super::import::{Renaming, can_share, needed};
use super::{Draw, Splice};

/// Limit on the terms of the second file that are tried.
const TRIES: u32 = 8;

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let other = draw.other.filter(|other| can_share(seed, other))?;
    let place = draw.pick(&seed.places)?;
    if seed.freedom(place) != Freedom::Term {
        return None;
    }
    let text = seed.sort_text(seed.sort(place))?;
    seed.sorts_by_text.get(&text)?;
    let donors = other.donors.get(other.sorts_by_text.get(&text)?)?;
    for _ in 0..TRIES {
        let donor = draw.pick(donors)?;
        let Some(commands) = needed(other, donor) else { continue };
        let renaming = Renaming::new(draw, other, &commands);
        let mut declarations = Vec::new();
        for &command in &commands {
            declarations.extend_from_slice(&renaming.text(other, command)?);
            declarations.push(b'\n');
        }
        let term = renaming.text(other, donor)?;
        if term != seed.slice(place) {
            return Some(vec![
                Splice::insert(seed.declarations_at(), declarations),
                Splice::replace(seed.span(place), term),
            ]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::mutants;

    #[test]
    fn a_term_brings_its_declarations() {
        let first = "(declare-const x Int)(assert (< x 0))";
        let second = "(declare-sort U 0)(declare-const u U)(declare-fun x (U) Int)(declare-const z Int)(assert (= (x u) z))";
        let wanted = "(declare-sort U 0)\n(declare-const u U)\n(declare-fun nub_1 (U) Int)\n(declare-const x Int)(assert (< (nub_1 u) 0))";
        let all = mutants(MutationKind::Transplant, &[first, second]);
        assert!(all.contains(wanted), "{all:#?}");
    }
}
