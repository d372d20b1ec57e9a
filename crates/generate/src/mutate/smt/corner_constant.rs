//! A literal becomes a corner value of its sort.
//!
//! ```text
//! (bvudiv x #x03)   ->   (bvudiv x #b00000000)
//! (str.at s 3)      ->   (str.at s (- 1))
//! ```

use super::corner::corner;
use super::freedom::Freedom;
use super::{Draw, Splice};

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let literal = draw.pick(&seed.literals)?;
    if seed.freedom(literal) == Freedom::Fixed {
        return None;
    }
    let value = corner(seed.analysis.sorts(), seed.sort(literal), draw.rng)?;
    (value != seed.slice(literal)).then(|| vec![Splice::replace(seed.span(literal), value)])
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::{expect, mutants};

    #[test]
    fn values_at_the_corners() {
        let seed = "(declare-const x (_ BitVec 4))(assert (= x #x5))";
        let with = |value: &str| seed.replace("#x5", value);
        let wanted = ["#b0000", "#b0001", "#b1111", "#b1000", "#b0111"].map(with);
        expect(MutationKind::CornerConstant, seed, &wanted.each_ref().map(String::as_str));
    }

    #[test]
    fn where_a_literal_must_stay_as_it_is() {
        let seed = "(declare-const s String)(assert (str.in_re s (re.range \"a\" \"c\")))";
        assert!(mutants(MutationKind::CornerConstant, &[seed]).is_empty());
    }
}
