//! A strategy of a chain, with its own rule about candidates.
//!
//! ddSMT drops declarations that are in use ([`super::ddsmt`]), so its candidates may be ill-formed; those of the strategies before it
//! may not. If it leaves an ill-formed script, later strategies continue on it: no candidate of theirs would be well-formed.

use crate::{AllowedCandidates, Engine, ReductionStop, SubjectFormat};

/// Runs a strategy whose candidates may be these, and ill-formed ones if the subject already is.
pub fn stage<'e, F: SubjectFormat>(
    engine: &mut Engine<'e, F>,
    candidates: AllowedCandidates,
    strategy: impl FnOnce(&mut Engine<'e, F>) -> Result<(), ReductionStop>,
) -> Result<(), ReductionStop> {
    let may_be_ill_formed = engine.state.asks_ill_formed;
    let is_ill_formed = |engine: &mut Engine<'e, F>| !engine.format().is_valid(engine.view());
    engine.state.asks_ill_formed =
        candidates == AllowedCandidates::Any || (may_be_ill_formed && engine.noted(is_ill_formed));
    strategy(engine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::SmtLib;
    use crate::{Quiet, ReduceConfig};
    use AllowedCandidates::{Any, WellFormed};
    use nub_edits::smtlib::SmtView;
    use nub_edits::{Edit, Grouping, Pass};
    use nub_oracle::FnOracle;
    use nub_process::Cancel;

    /// Removes any command, also declarations.
    struct Command;

    impl Pass<SmtView> for Command {
        fn name(&self) -> &'static str {
            "command"
        }

        fn grouping(&self) -> Grouping {
            Grouping::Single
        }

        fn edits(&self, view: &SmtView) -> Vec<Edit> {
            view.commands().iter().map(|&(node, _)| view.cut(node)).collect()
        }
    }

    /// The script after stages that remove commands, or do nothing.
    fn after(stages: &[(AllowedCandidates, bool)]) -> String {
        let text = "(declare-const a Bool)(check-sat)(assert a)";
        let format = SmtLib::new(text.as_bytes(), WellFormed);
        let oracle = FnOracle::new(|bytes: &[u8]| bytes.ends_with(b"(assert a)"));
        let config = ReduceConfig { jobs: 3, ..ReduceConfig::default() };
        let work =
            |engine: &mut Engine<'_, SmtLib>| {
                stages.iter().try_for_each(|&(candidates, removes)| {
                    stage(engine, candidates, |engine| {
                        if removes { engine.pass(&Command).map(|_| ()) } else { Ok(()) }
                    })
                })
            };
        let (result, bytes, _) =
            Engine::search(&format, &oracle, text.into(), config, &Cancel::new(), &mut Quiet, &work);
        assert_eq!(result, Ok(()));
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn each_stage_has_its_own_rule() {
        let declared = "(declare-const a Bool)(assert a)";
        assert_eq!(after(&[(WellFormed, true)]), declared);
        assert_eq!(after(&[(Any, true)]), "(assert a)");
        assert_eq!(after(&[(WellFormed, true), (Any, false)]), declared);
        assert_eq!(after(&[(Any, false), (WellFormed, true)]), declared);
        assert_eq!(after(&[(WellFormed, true), (Any, true)]), "(assert a)");
    }

    #[test]
    fn an_ill_formed_script_is_reduced_further() {
        let text = "(declare-const a Bool)(assert a)(check-sat)(assert a)";
        let format = SmtLib::new(text.as_bytes(), WellFormed);
        let oracle = FnOracle::new(|bytes: &[u8]| bytes.ends_with(b"(assert a)"));
        let (_, bytes, _) = Engine::run(
            &format,
            &oracle,
            text.into(),
            ReduceConfig::default(),
            &Cancel::new(),
            &mut Quiet,
            |engine| {
                stage(engine, Any, |engine| {
                    engine.accept("ddsmt", b"(assert a)(check-sat)(assert a)".to_vec())?;
                    engine.rebase();
                    Ok(())
                })?;
                stage(engine, WellFormed, |engine| engine.pass(&Command).map(|_| ()))
            },
        );
        assert_eq!(String::from_utf8(bytes).unwrap(), "(assert a)");
    }
}
