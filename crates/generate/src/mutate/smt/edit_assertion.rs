//! An assertion is repeated, negated or dropped.
//!
//! ```text
//! (assert p)   ->   (assert p)(assert p)
//! (assert p)   ->   (assert (not p))
//! (assert p)   ->
//! ```

use super::{Draw, Splice};

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let (command, _) = seed.commands[draw.pick(&seed.assertions)?];
    let formula = seed.formula(command)?;
    if seed.has_named(command) {
        return None;
    }
    match draw.rng.below(3) {
        0 => {
            let again = [b"\n", seed.slice(command)].concat();
            Some(vec![Splice::insert(seed.span(command).end, again)])
        }
        1 => Some(vec![Splice::replace(seed.span(formula), [b"(not ", seed.slice(formula), b")"].concat())]),
        _ => (seed.assertions.len() > 1).then(|| vec![Splice::remove(seed.span(command))]),
    }
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn again_negated_or_gone() {
        let seed = "(declare-const p Bool)(assert p)(assert (! p :named n))";
        let named = "(assert (! p :named n))";
        let all = expect(
            MutationKind::EditAssertion,
            seed,
            &[
                &format!("(declare-const p Bool)(assert p)\n(assert p){named}"),
                &format!("(declare-const p Bool)(assert (not p)){named}"),
                &format!("(declare-const p Bool){named}"),
            ],
        );
        assert_eq!(all.len(), 3, "what has a name stays: {all:#?}");
    }
}
