//! Replaces an operator by another one for the same sorts.
//!
//! ```text
//! (assert (bvult (bvadd x y) #x0f))   ->   (assert (bvult (bvsmod x y) #x0f))
//! (concat x y)                        ->   ((_ rotate_left 3) ...)   never: the sorts must fit
//! ((_ extract 3 0) x)                 ->   ((_ extract 6 3) x)
//! (f x)                               ->   (g x)   if f and g are declared at the same sorts
//! ```
//!
//! The candidates are all operators of the table and all functions of the script that fit the sorts of the arguments and of the
//! result. They are found by one scan of the table, which has about 450 entries.

use super::fits::fits;
use super::freedom::Freedom;
use super::heads::head;
use super::seed::SmtSeed;
use super::{Draw, Splice};
use nub_smtlib::ops::OperatorSignature;
use nub_smtlib::{DeclId, Head, NodeId, SmtOp, SortId};

enum Candidate {
    Op(&'static SmtOp),
    Function(DeclId),
}

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let node = draw.pick(&seed.applications)?;
    let operator = seed.script.tree().first_child(node)?;
    let old = seed.analysis.head(node)?;
    // `(as nil L)` and the old testers `is-nil` are more than a name.
    let is_plain = seed.script.tree().size(operator) <= 1 + 1 + usize::from(old.first_index.is_some()) * 3;
    let is_ascribed = seed.slice(operator).starts_with(b"(as");
    if !is_plain
        || is_ascribed
        || old.op.is_some() == old.decl.is_some()
        || seed.freedom(node) != Freedom::Term
    {
        return None;
    }
    let args: Vec<SortId> = seed.args(node).map(|arg| seed.sort(arg)).collect();
    let new = match choose(draw, node, old, &args)? {
        Candidate::Op(op) => head(op, &args, seed.sort(node), seed.analysis.sorts(), draw.rng)?,
        Candidate::Function(id) => seed.slice(seed.analysis.decl(id).name).to_vec(),
    };
    (new != seed.slice(operator)).then(|| vec![Splice::replace(seed.span(operator), new)])
}

/// Chooses a candidate, each with the same probability.
fn choose(draw: &mut Draw, node: NodeId, old: Head, args: &[SortId]) -> Option<Candidate> {
    let seed = draw.seed;
    let mut chosen = None;
    let mut n_seen = 0;
    for &op in &draw.ops {
        if may_replace(seed, op, old, args, seed.sort(node)) {
            n_seen += 1;
            if draw.rng.below(n_seen) == 0 {
                chosen = Some(Candidate::Op(op));
            }
        }
    }
    for &id in &seed.functions {
        let decl = seed.analysis.decl(id);
        let fits = *decl.params == *args && decl.result == seed.sort(node) && old.decl != Some(id);
        if fits && seed.names.means(&seed.analysis, id, node) {
            n_seen += 1;
            if draw.rng.below(n_seen) == 0 {
                chosen = Some(Candidate::Function(id));
            }
        }
    }
    chosen
}

fn may_replace(seed: &SmtSeed, op: &'static SmtOp, old: Head, args: &[SortId], result: SortId) -> bool {
    let is_same = old.op.is_some_and(|old| old.name == op.name);
    if is_same && op.indices.1 == 0 {
        return false;
    }
    // The signature is the same, so it fits even where numbers of both sorts are mixed, as some solvers allow.
    let is_like_old = op.indices.1 == 0
        && args.len() == 2
        && old.op.is_some_and(|old| {
            old.signature == op.signature
                && old.origin == op.origin
                && !matches!(op.signature, OperatorSignature::Rule(_))
        });
    is_like_old || fits(op, args, result, seed.analysis.sorts())
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn every_operator_at_the_same_sorts() {
        let seed = "(declare-const x Int)(assert (< x 7))";
        let all = expect(
            MutationKind::SwapOperator,
            seed,
            &["(declare-const x Int)(assert (= x 7))", "(declare-const x Int)(assert (>= x 7))"],
        );
        // `<=`, `>`, `>=`, `=`, `distinct`.
        assert_eq!(all.len(), 5, "{all:#?}");
    }

    #[test]
    fn functions_of_one_rank_and_indices() {
        let declare = "(declare-fun f (Bool) (_ BitVec 2))(declare-fun g (Bool) (_ BitVec 2))(declare-fun h (Bool) Bool)";
        let seed = format!("{declare}(assert (= #b1 ((_ extract 0 0) (f true))))");
        let all = expect(
            MutationKind::SwapOperator,
            &seed,
            &[
                &format!("{declare}(assert (= #b1 ((_ extract 0 0) (g true))))"),
                &format!("{declare}(assert (= #b1 ((_ extract 1 1) (f true))))"),
            ],
        );
        assert!(all.iter().all(|text| !text.contains("(h ")), "{all:#?}");
    }
}
