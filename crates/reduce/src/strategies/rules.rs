//! The user's own rules (`nub_edits::smtlib::rules`), in their order, to a fixpoint.
//!
//! A step is accepted only if the script becomes smaller, so this terminates whatever the rules are.

use super::rounds::to_fixpoint;
use crate::smt::SmtLib;
use crate::{Engine, ReductionStop};
use nub_edits::Pass;
use nub_edits::smtlib::SmtView;

/// Reduces with these passes and no others.
pub fn rules(
    engine: &mut Engine<'_, SmtLib>,
    passes: &[Box<dyn Pass<SmtView>>],
) -> Result<(), ReductionStop> {
    to_fixpoint(engine, |engine| {
        let mut changed = false;
        for pass in passes {
            changed |= engine.pass(pass.as_ref())?;
        }
        Ok(changed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AllowedCandidates, Quiet, ReduceConfig};
    use nub_edits::smtlib::rules::{RulePass, read};
    use nub_oracle::FnOracle;
    use nub_process::Cancel;

    #[test]
    fn rules_that_undo_each_other_end() {
        let text = b"(rule to ((x Bool) (y Bool)) (and x y) (and y x))\n(rule no ((x Bool)) (not (not x)) x)";
        let all = read(text).unwrap().into_iter().map(|rule| Box::new(RulePass::new(rule, None)));
        let all: Vec<Box<dyn Pass<SmtView>>> = all.map(|pass| pass as Box<dyn Pass<SmtView>>).collect();
        let text = "(declare-const p Bool)(declare-const q Bool)(assert (and q (not (not p))))";
        let oracle = FnOracle::new(|_: &[u8]| true);
        let format = SmtLib::new(text.as_bytes(), AllowedCandidates::WellFormed);
        let work = |engine: &mut Engine<'_, SmtLib>| rules(engine, &all);
        let (result, bytes, _) = Engine::run(
            &format,
            &oracle,
            text.into(),
            ReduceConfig::default(),
            &Cancel::new(),
            &mut Quiet,
            work,
        );
        assert_eq!(result, Ok(()));
        let expected = "(declare-const p Bool)(declare-const q Bool)(assert (and p q))";
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    }
}
