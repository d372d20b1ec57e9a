//! A free constant becomes a bound variable in one assertion.
//!
//! ```text
//! (assert (< x (f y)))   ->   (assert (exists ((x Int)) (< x (f y))))
//! ```
//!
//! The variable has the name of the constant, so that every occurrence is bound without being changed.

use super::super::config::QuantifierUse;
use super::{Draw, Splice};
use nub_smtlib::{DeclKind, NodeId, SortId};

/// Limit on the nodes of an assertion that are tried to find a constant.
const TRIES: u32 = 16;

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let is_wanted = seed.features.has_quantifiers() || draw.config.quantifiers == QuantifierUse::Always;
    let (command, _) = seed.commands[draw.pick(&seed.assertions)?];
    let formula = seed.formula(command).filter(|&formula| is_wanted && !seed.has_named(formula))?;
    for _ in 0..TRIES {
        let node = NodeId(formula.0 + draw.rng.below(seed.script.tree().size(formula) as u32));
        let Some(id) = seed.analysis.decl_of(node) else { continue };
        let decl = seed.analysis.decl(id);
        let is_constant =
            decl.kind == DeclKind::Fun && decl.params.is_empty() && decl.result != SortId::REGLAN;
        if !is_constant || !seed.analysis.sorts().is_ground(decl.result) {
            continue;
        }
        let binder = if draw.rng.percent(50) { "forall" } else { "exists" };
        let sort = seed.sort_text(decl.result)?;
        let name = seed.slice(decl.name);
        let start = [b"(", binder.as_bytes(), b" ((", name, b" ", &sort, b")) "].concat();
        let span = seed.span(formula);
        return Some(vec![Splice::insert(span.start, start), Splice::insert(span.end, ")")]);
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::mutants;

    #[test]
    fn by_shadowing() {
        let seed = "(set-logic QF_LIA)(declare-const x Int)(assert (< x 1))";
        let all = mutants(MutationKind::Quantify, &[seed]);
        let wanted = ["exists", "forall"]
            .map(|word| format!("(set-logic LIA)(declare-const x Int)(assert ({word} ((x Int)) (< x 1)))"));
        assert_eq!(all.into_iter().collect::<Vec<_>>(), wanted);
    }
}
