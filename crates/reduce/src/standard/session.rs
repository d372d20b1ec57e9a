//! Which commands of a script are allowed at their place by the standard (SMT-LIB 2.7, §4.1.1 and §4.2).
//!
//! After `unsat` there is no model, after `sat` no core, and after another assertion neither. A solver that answers such a
//! query with an error is right, whatever the message. Which queries these are depends on the earlier answers.

use nub_edits::smtlib::SmtView;
use nub_smtlib::{CommandKind, NodeId};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// What a solver answered to `check-sat`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    /// `sat`: there is a model.
    Sat,
    /// `unsat`: there may be a core and a proof.
    Unsat,
    /// `unknown`: there may be a model, and there is a reason.
    Unknown,
}

/// The execution mode of a session, as defined by the standard.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// No logic is set.
    Start,
    /// Something may have been asserted since the last `check-sat`.
    Assert,
    /// After a `check-sat` with this answer; `None` if it is unknown.
    After(Option<Checked>, IsAssuming),
}

/// Whether the last `check-sat` had assumptions.
type IsAssuming = bool;

/// Options that may be set at any time (§4.1.7); all others only before the logic.
const ANY_TIME: [&[u8]; 5] = [
    b":diagnostic-output-channel",
    b":print-success",
    b":regular-output-channel",
    b":reproducible-resource-limit",
    b":verbosity",
];

struct Session<'a> {
    view: &'a SmtView,
    answers: std::slice::Iter<'a, Checked>,
    mode: Mode,
    /// Options that are `true`.
    enabled: FxHashSet<&'a [u8]>,
}

/// The spans of queries that the standard does not allow at their place, given the answers of the session so far, each
/// with the line end after it. A missing answer allows no queries. O(n).
#[must_use]
pub fn questions_out_of_place(text: &[u8], answers: &[Checked]) -> Vec<Range<usize>> {
    let view = SmtView::new(text);
    let mut session = Session::new(&view, answers);
    let mut found = Vec::new();
    for &(node, kind) in view.commands() {
        if !session.allows_question(node, kind) {
            let span = view.tree().span(node);
            let end = span.end as usize;
            let line_end = usize::from(text.get(end) == Some(&b'\n'));
            found.push(span.start as usize..end + line_end);
        }
        session.step(node, kind);
    }
    found
}

/// Whether a logic is set exactly once, before anything needs it, and every option at an allowed place. O(n).
#[must_use]
pub fn is_set_up_in_order(view: &SmtView) -> bool {
    let mut session = Session::new(view, &[]);
    view.commands().iter().all(|&(node, kind)| {
        let is_allowed = session.allows_set_up(node, kind);
        session.step(node, kind);
        is_allowed
    })
}

impl<'a> Session<'a> {
    fn new(view: &'a SmtView, answers: &'a [Checked]) -> Session<'a> {
        Session { view, answers: answers.iter(), mode: Mode::Start, enabled: FxHashSet::default() }
    }

    fn word(&self, command: NodeId, at: usize) -> &'a [u8] {
        self.view.tree().child(command, at).map_or(b"", |word| self.view.slice(word))
    }

    fn has(&self, option: &[u8]) -> bool {
        self.enabled.contains(option)
    }

    /// Whether a query is allowed by the mode and the options. Always true for other commands.
    fn allows_question(&self, command: NodeId, kind: CommandKind) -> bool {
        let has_model = matches!(self.mode, Mode::After(Some(Checked::Sat | Checked::Unknown), _));
        let is_unsat = matches!(self.mode, Mode::After(Some(Checked::Unsat), _));
        match kind {
            CommandKind::GetModel | CommandKind::GetValue => has_model && self.has(b":produce-models"),
            CommandKind::GetAssignment => has_model && self.has(b":produce-assignments"),
            CommandKind::GetUnsatCore => is_unsat && self.has(b":produce-unsat-cores"),
            CommandKind::GetProof => is_unsat && self.has(b":produce-proofs"),
            CommandKind::GetUnsatAssumptions => {
                let is_assuming = matches!(self.mode, Mode::After(_, true));
                is_unsat && is_assuming && self.has(b":produce-unsat-assumptions")
            }
            CommandKind::GetAssertions => self.has(b":produce-assertions") || self.has(b":interactive-mode"),
            CommandKind::GetInfo => match self.word(command, 1) {
                b":reason-unknown" => matches!(self.mode, Mode::After(Some(Checked::Unknown), _)),
                b":all-statistics" => matches!(self.mode, Mode::After(Some(_), _)),
                b":name" | b":version" | b":authors" | b":error-behavior" => true,
                b":assertion-stack-levels" => self.mode != Mode::Start,
                _ => false,
            },
            _ => true,
        }
    }

    fn allows_set_up(&self, command: NodeId, kind: CommandKind) -> bool {
        let is_start = self.mode == Mode::Start;
        match kind {
            CommandKind::SetLogic => is_start,
            CommandKind::SetOption => is_start || ANY_TIME.contains(&self.word(command, 1)),
            CommandKind::SetInfo
            | CommandKind::GetInfo
            | CommandKind::GetOption
            | CommandKind::Echo
            | CommandKind::Reset
            | CommandKind::Exit => true,
            _ => !is_start,
        }
    }

    fn step(&mut self, command: NodeId, kind: CommandKind) {
        match kind {
            CommandKind::SetLogic => self.mode = Mode::Assert,
            CommandKind::Reset => {
                self.mode = Mode::Start;
                self.enabled.clear();
            }
            CommandKind::SetOption => {
                let option = self.word(command, 1);
                match self.word(command, 2) {
                    b"true" => _ = self.enabled.insert(option),
                    _ => _ = self.enabled.remove(option),
                }
            }
            CommandKind::CheckSat | CommandKind::CheckSatAssuming => {
                let is_assuming = kind == CommandKind::CheckSatAssuming;
                self.mode = Mode::After(self.answers.next().copied(), is_assuming);
            }
            kind if keeps_mode(kind) => {}
            _ => self.mode = Mode::Assert,
        }
    }
}

/// Whether a command leaves assertions and declarations unchanged.
fn keeps_mode(kind: CommandKind) -> bool {
    matches!(
        kind,
        CommandKind::SetInfo
            | CommandKind::GetInfo
            | CommandKind::GetOption
            | CommandKind::Echo
            | CommandKind::GetModel
            | CommandKind::GetValue
            | CommandKind::GetAssignment
            | CommandKind::GetAssertions
            | CommandKind::GetProof
            | CommandKind::GetUnsatCore
            | CommandKind::GetUnsatAssumptions
            | CommandKind::Exit
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn out_of_place(text: &str, answers: &[Checked]) -> Vec<String> {
        let found = questions_out_of_place(text.as_bytes(), answers);
        found.into_iter().map(|range| text[range].trim().to_owned()).collect()
    }

    #[test]
    fn questions_follow_the_answer() {
        let text = "(set-option :produce-models true)\n(set-option :produce-unsat-cores true)\n(set-logic QF_UF)\n\
            (check-sat)\n(get-model)\n(get-unsat-core)\n(get-value (true))\n(get-info :reason-unknown)\n";
        let model = ["(get-model)", "(get-value (true))"];
        let core = ["(get-unsat-core)"];
        let reason = ["(get-info :reason-unknown)"];
        assert_eq!(out_of_place(text, &[Checked::Sat]), [&core[..], &reason].concat());
        assert_eq!(out_of_place(text, &[Checked::Unsat]), [&model[..], &reason].concat());
        assert_eq!(out_of_place(text, &[Checked::Unknown]), core);
        assert_eq!(out_of_place(text, &[]).len(), 4, "a solver that did not answer owes nothing");
    }

    #[test]
    fn an_assertion_or_a_reset_ends_the_answer() {
        let ask = "(set-option :produce-models true)(set-logic QF_UF)(check-sat)";
        for between in ["(assert true)", "(push 1)", "(declare-const p Bool)", "(reset)"] {
            let text = format!("{ask}{between}(get-model)");
            assert_eq!(out_of_place(&text, &[Checked::Sat]), ["(get-model)"], "{between}");
        }
        let text = format!("{ask}(echo \"x\")(get-model)(get-model)");
        assert!(out_of_place(&text, &[Checked::Sat]).is_empty());
    }

    #[test]
    fn what_was_not_enabled_cannot_be_asked() {
        let text = "(set-logic QF_UF)(check-sat)(get-model)";
        assert_eq!(out_of_place(text, &[Checked::Sat]), ["(get-model)"]);
        let assumptions =
            "(set-option :produce-unsat-assumptions true)(set-logic QF_UF)(check-sat)(get-unsat-assumptions)";
        assert_eq!(out_of_place(assumptions, &[Checked::Unsat]).len(), 1);
        let assuming = assumptions.replace("(check-sat)", "(check-sat-assuming (false))");
        assert!(out_of_place(&assuming, &[Checked::Unsat]).is_empty());
    }

    #[test]
    fn options_and_logic_come_first() {
        let is_in_order = |text: &str| is_set_up_in_order(&SmtView::new(text.as_bytes()));
        assert!(is_in_order(
            "(set-info :source x)(set-option :produce-models true)(set-logic QF_UF)(check-sat)"
        ));
        assert!(is_in_order("(set-logic QF_UF)(set-option :verbosity 1)(reset)(set-logic QF_BV)(check-sat)"));
        assert!(!is_in_order("(check-sat)"));
        assert!(!is_in_order("(set-logic QF_UF)(set-logic QF_UF)"));
        assert!(!is_in_order("(set-logic QF_UF)(set-option :produce-models true)(check-sat)"));
        assert!(!is_in_order("(set-logic QF_UF)(reset)(assert true)"));
    }
}
