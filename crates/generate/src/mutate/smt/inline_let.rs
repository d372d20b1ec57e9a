//! Replaces an occurrence of a `let` variable by its value.
//!
//! ```text
//! (let ((x (+ y 1))) (* x x))   ->   (let ((x (+ y 1))) (* (+ y 1) x))
//! ```

use super::freedom::Freedom;
use super::{Draw, Splice};
use nub_smtlib::{NodeId, NodeRole};

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let id = draw.pick(&seed.lets)?;
    let uses = draw.pick(seed.analysis.uses(id))?;
    // The nodes of a binding are the list, the name, and the value.
    let value = NodeId(seed.analysis.decl(id).name.0 + 1);
    let fits = seed.analysis.role(uses) == NodeRole::Term
        && seed.freedom(uses) == Freedom::Term
        && !seed.has_named(value)
        && seed.is_visible(value, uses);
    fits.then(|| vec![Splice::replace(seed.span(uses), seed.slice(value))])
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::mutants;

    #[test]
    fn one_occurrence_and_no_capture() {
        let seed = "(declare-const y Int)(assert (let ((x (+ y 1))) (let ((y x)) (< x y))))";
        let all = mutants(MutationKind::InlineLet, &[seed]);
        let wanted = [
            // The x below the inner y must not be replaced.
            "(declare-const y Int)(assert (let ((x (+ y 1))) (let ((y (+ y 1))) (< x y))))",
            "(declare-const y Int)(assert (let ((x (+ y 1))) (let ((y x)) (< x x))))",
        ];
        assert_eq!(all.iter().map(String::as_str).collect::<Vec<_>>(), wanted);
    }
}
