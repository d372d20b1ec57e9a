//! Binds a term by a `let` around an enclosing term.
//!
//! ```text
//! (= (f (+ x 1)) y)   ->   (let ((nub_1 (+ x 1))) (= (f nub_1) y))
//! ```

use super::freedom::Freedom;
use super::{Draw, Splice};
use nub_smtlib::NodeRole;

/// How many levels of brackets to go up at most.
const MAX_STEPS: u32 = 5;

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let tree = seed.script.tree();
    let term = draw.pick(&seed.places)?;
    if seed.freedom(term) != Freedom::Term {
        return None;
    }
    let mut around = None;
    let mut above = term;
    for _ in 0..draw.rng.between(1, MAX_STEPS) {
        let Some(parent) = tree.parent(above) else { break };
        above = parent;
        let is_term = seed.analysis.role(above) == NodeRole::Term && !seed.is_annotation(above);
        if is_term && seed.is_visible(term, above) {
            around = Some(above);
        }
    }
    let around = seed.span(around?);
    let name = draw.fresh();
    Some(vec![
        Splice::insert(around.start, [b"(let ((", name.as_bytes(), b" ", seed.slice(term), b")) "].concat()),
        Splice::replace(seed.span(term), name),
        Splice::insert(around.end, ")"),
    ])
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn only_where_its_variables_are_bound() {
        let seed = "(assert (exists ((y Int)) (< (+ y 1) 2)))";
        let wanted = "(assert (exists ((y Int)) (let ((nub_1 (+ y 1))) (< nub_1 2))))";
        let all = expect(MutationKind::IntroduceLet, seed, &[wanted]);
        assert!(!all.contains("(assert (let ((nub_1 y)) (exists ((y Int)) (< (+ nub_1 1) 2))))"));
        assert!(all.contains("(assert (let ((nub_1 2)) (exists ((y Int)) (< (+ y 1) nub_1))))"), "{all:#?}");
    }
}
