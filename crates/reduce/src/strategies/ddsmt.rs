//! ddSMT ([Niemetz13] §2.2), as published in 2013.
//!
//! Rounds of three phases until nothing succeeds: command-level scopes, level by level; commands, in the first round
//! only assertions; terms, for `define-fun`, then `assert`, then `get-value`, in the seventeen steps of
//! [`STEPS`]. Each phase and each step runs to its own fixpoint through [`substitute`].
//!
//! The original accepts a step by exit code alone and does not keep declarations consistent. To reproduce that, run
//! it as a [`super::stage`] that allows anything, or with such a format (`SmtLib::new(_, AllowedCandidates::Any)`); otherwise ill-formed
//! candidates are not asked.
//!
//! It terminates although a step may lengthen the file: every success lowers the number of commands other than
//! declarations of fresh variables, or else the number of terms that are neither constants nor fresh variables, or
//! else the number of nodes.

use super::substitute::{Print, substitute};
use crate::smt::SmtLib;
use crate::{Engine, ReductionStop, SubjectFormat};
use nub_edits::smtlib::ddsmt::{CommandFilter, STEPS, SubstitutionStep, commands, scope_levels, scopes};
use nub_smtlib::CommandKind;

/// "The SMT-LIB v2 format defines three commands with terms as arguments", handled in this order.
const TERM_COMMANDS: [CommandKind; 3] = [CommandKind::DefineFun, CommandKind::Assert, CommandKind::GetValue];

/// Reduces as ddSMT does.
pub fn ddsmt(engine: &mut Engine<'_, SmtLib>) -> Result<(), ReductionStop> {
    let print = layout(engine)?;
    let mut filter = CommandFilter::Asserts;
    loop {
        let mut succeeded = all_scopes(engine, print)?;
        succeeded |= all_commands(engine, filter, print)?;
        for kind in TERM_COMMANDS {
            for &(name, step) in STEPS {
                succeeded |= terms(engine, kind, name, print, step)?;
            }
        }
        // A script without assertions must not end after the first round, which tries only assertions.
        if !succeeded && filter == CommandFilter::All {
            return Ok(());
        }
        filter = CommandFilter::All;
    }
}

/// ddSMT prints the parsed script, so its first candidate already lacks comments and layout. One ask tells whether the
/// failure needs them. A script with protected places keeps its layout.
fn layout(engine: &mut Engine<'_, SmtLib>) -> Result<Print, ReductionStop> {
    const PASS: &str = "ddsmt-print";
    let text = engine.text().to_vec();
    if !engine.format().protected(engine.view()).is_empty() {
        return Ok(Print::AsItIs);
    }
    let printed = Print::Afresh.print(text.clone());
    if printed == text {
        return Ok(Print::Afresh);
    }
    let (bytes, fails) = engine.judge(PASS, printed, Vec::new())?;
    if fails {
        engine.adopt(PASS, bytes)?;
        engine.end_step(PASS, text.len());
        return Ok(Print::Afresh);
    }
    Ok(Print::AsItIs)
}

/// "Starting with the nested scopes of the root scope, level-wise, in BFS manner, until a fixpoint is reached."
fn all_scopes(engine: &mut Engine<'_, SmtLib>, print: Print) -> Result<bool, ReductionStop> {
    let mut succeeded = false;
    loop {
        let mut changed = false;
        let mut level = 1;
        while level <= scope_levels(engine.view()) {
            let items = scopes(engine.view(), level);
            changed |= substitute(engine, "ddsmt-scopes", print, items)?;
            level += 1;
        }
        if !changed {
            return Ok(succeeded);
        }
        succeeded = true;
    }
}

fn all_commands(
    engine: &mut Engine<'_, SmtLib>,
    filter: CommandFilter,
    print: Print,
) -> Result<bool, ReductionStop> {
    let mut succeeded = false;
    loop {
        let items = commands(engine.view(), filter);
        if !substitute(engine, "ddsmt-commands", print, items)? {
            return Ok(succeeded);
        }
        succeeded = true;
    }
}

fn terms(
    engine: &mut Engine<'_, SmtLib>,
    kind: CommandKind,
    pass: &'static str,
    print: Print,
    step: SubstitutionStep,
) -> Result<bool, ReductionStop> {
    let mut succeeded = false;
    loop {
        let items = step.items(engine.view(), kind);
        if items.is_empty() || !substitute(engine, pass, print, items)? {
            return Ok(succeeded);
        }
        succeeded = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AllowedCandidates, Quiet, ReduceConfig};
    use nub_edits::smtlib::SmtView;
    use nub_oracle::FnOracle;
    use nub_process::Cancel;

    fn reduce(text: &str, fails: impl Fn(&str) -> bool + Sync) -> String {
        let oracle = FnOracle::new(|bytes: &[u8]| fails(&String::from_utf8_lossy(bytes)));
        let format = SmtLib::new(text.as_bytes(), AllowedCandidates::Any);
        let (result, bytes, _) = Engine::run(
            &format,
            &oracle,
            text.into(),
            ReduceConfig::default(),
            &Cancel::new(),
            &mut Quiet,
            ddsmt,
        );
        assert_eq!(result, Ok(()));
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn an_impossible_failure_changes_nothing() {
        let text = "(set-logic QF_BV)\n(declare-const x Bool)\n(push 1)\n(assert x)\n(pop 1)\n(check-sat)\n";
        assert_eq!(reduce(text, |other| other == text), text);
    }

    #[test]
    fn fresh_variables_are_declared_and_old_ones_go() {
        let text = "(set-logic QF_LIA)\n(declare-const a Int)\n(declare-const b Int)\n\
            (assert (< (+ a (* 2 b) (* 3 a)) (+ a (* 2 b) (* 3 b))))\n(check-sat)\n";
        let fails = |text: &str| {
            let view = SmtView::new(text.as_bytes());
            view.analysis().unknown().is_empty() && text.contains("(< ") && !text.contains(" 0")
        };
        let after = reduce(text, fails);
        let expected = "(set-logic QF_LIA)\n(declare-fun _substvar_1_ () Int)\n(declare-fun _substvar_7_ () Int)\n\
            (assert (< _substvar_1_ _substvar_7_))\n";
        assert_eq!(after, expected);
    }

    #[test]
    fn what_is_left_is_printed_afresh() {
        let text = "; a comment\n(set-logic   QF_BV)\n\n(declare-const x Bool) ; x\n(assert x)\n(assert (not\n x))\n(check-sat)\n\n";
        let after = reduce(text, |other| other.contains("(not") && other.contains("check-sat"));
        assert_eq!(after, "(set-logic QF_BV)\n(assert (not false))\n(check-sat)\n");
        // A failure that needs the layout keeps it.
        let after = reduce(text, |other| other.contains("; a comment") && other.contains("assert"));
        assert!(after.starts_with("; a comment\n(set-logic   QF_BV)\n"), "{after}");
    }

    #[test]
    fn the_result_is_never_larger() {
        // Both steps that lengthen the file are accepted: replacing a variable by `true`, and a fresh
        // variable.
        let text = "(declare-const x Bool)(assert x)(check-sat)";
        let after = reduce(text, |other| other.contains("declare") && other.contains("assert"));
        assert!(after.len() <= text.len(), "{after}");
    }
}
