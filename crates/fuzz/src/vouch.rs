//! Decides whether a finding is a bug by the standard, or the solver had a reason.
//!
//! A script may contain an operator of one solver, a command of another, an option that a third does not know, or a query that
//! does not fit the previous answer. A solver that rejects such a script is right. So what is required of the script depends
//! on the finding:
//!
//! | claim | what the script must be |
//! |---|---|
//! | killed by a signal, sanitizer report, limit reached | anything: no input may cause that |
//! | wrong answer, model, core or proof | one that the standard gives a meaning |
//! | an error, no answer, a failed check with a regular end | one that no solver has a reason to reject, with no question out of place |

use crate::answers::PrintedAnswers;
use crate::fate::{Fate, Observation};
use crate::finding::FindingKind;
use crate::verify::n_questions;
use crate::{FuzzInput, Language, PrintedAnswer};
use nub_reduce::{Checked, has_standard_meaning, keeps_to_standard, questions_out_of_place};
use nub_smtlib::{CommandKind, Script};

/// What a script must be for a finding to be a bug.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Need {
    /// Anything.
    Nothing,
    /// The standard says what it means.
    Meaning,
    /// No solver has a reason to reject it.
    Standard,
}

fn need(kind: &FindingKind, fate: Fate) -> Need {
    match kind {
        FindingKind::Sanitizer | FindingKind::Memory | FindingKind::Hang | FindingKind::Flood => {
            Need::Nothing
        }
        FindingKind::Assertion | FindingKind::Crash if fate != Fate::Ended => Need::Nothing,
        FindingKind::WrongAnswer { .. } | FindingKind::Disagreement { .. } => Need::Meaning,
        FindingKind::InvalidModel | FindingKind::BadCore | FindingKind::BadProof => Need::Meaning,
        FindingKind::Assertion | FindingKind::Crash | FindingKind::Garbage | FindingKind::Error => {
            Need::Standard
        }
    }
}

/// Whether this finding is a bug on such an input. Misplaced queries are handled elsewhere.
pub(crate) fn is_vouched_for(input: &FuzzInput, kind: &FindingKind, observation: &Observation) -> bool {
    if input.language != Language::SmtLib {
        return true;
    }
    // An input without a query gets no answer.
    let n_answers = observation.reading.answers.len();
    if *kind == FindingKind::Garbage && n_questions(&input.text) <= n_answers {
        return false;
    }
    match need(kind, observation.fate) {
        Need::Nothing => true,
        Need::Meaning => has_standard_meaning(&input.text),
        Need::Standard => keeps_to_standard(&input.text),
    }
}

/// Whether a finding counts only without options on the command line.
pub(crate) fn needs_no_options(kind: &FindingKind) -> bool {
    may_be_out_of_place(kind) || matches!(kind, FindingKind::Hang | FindingKind::Memory)
}

/// Whether a finding may be the solver's answer to a misplaced query.
pub(crate) fn may_be_out_of_place(kind: &FindingKind) -> bool {
    matches!(kind, FindingKind::Error | FindingKind::Garbage)
}

/// The script without the queries that do not fit the answers of this run; `None` if all fit.
pub(crate) fn with_fitting_questions(input: &FuzzInput, reading: &PrintedAnswers) -> Option<Vec<u8>> {
    if input.language != Language::SmtLib {
        return None;
    }
    let answers: Vec<Checked> = reading.answers.iter().map(|answer| checked(*answer)).collect();
    let ranges = questions_out_of_place(&input.text, &answers);
    (!ranges.is_empty()).then(|| without(&input.text, ranges))
}

fn checked(answer: PrintedAnswer) -> Checked {
    match answer {
        PrintedAnswer::Sat => Checked::Sat,
        PrintedAnswer::Unsat => Checked::Unsat,
        PrintedAnswer::Unknown => Checked::Unknown,
    }
}

/// The script without `(set-info :status …)`. Solvers compare their answers with it, and z3 does so even after `(reset)`;
/// nub judges itself whether an answer is right.
pub(crate) fn without_status(text: Vec<u8>) -> Vec<u8> {
    if memchr::memmem::find(&text, b":status").is_none() {
        return text;
    }
    let (script, _) = Script::parse(&text);
    let tree = script.tree();
    let is_status = |command| tree.child(command, 1).is_some_and(|key| script.slice(key) == b":status");
    let statuses =
        script.commands().filter(|&(command, kind)| kind == CommandKind::SetInfo && is_status(command));
    let ranges = statuses.map(|(command, _)| {
        let span = tree.span(command);
        let end = span.end as usize;
        span.start as usize..end + usize::from(text.get(end) == Some(&b'\n'))
    });
    let ranges: Vec<_> = ranges.collect();
    without(&text, ranges)
}

/// The text without these ranges, which are in order.
fn without(text: &[u8], ranges: Vec<std::ops::Range<usize>>) -> Vec<u8> {
    let mut kept = Vec::with_capacity(text.len());
    let mut from = 0;
    for range in ranges {
        kept.extend_from_slice(&text[from..range.start]);
        from = range.end;
    }
    kept.extend_from_slice(&text[from..]);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InputOrigin, observe};
    use nub_process::{CapturedOutput, ProcessEnd, ProcessOutcome, Usage};

    fn script(text: &str) -> FuzzInput {
        FuzzInput {
            seed: 1,
            text: text.into(),
            language: Language::SmtLib,
            status: None,
            origin: InputOrigin::Derived,
        }
    }

    fn run(end: ProcessEnd) -> Observation {
        let (stdout, stderr, usage) =
            (CapturedOutput::default(), CapturedOutput::default(), Usage::default());
        observe(&ProcessOutcome { end, stdout, stderr, usage }, Language::SmtLib)
    }

    #[test]
    fn what_a_script_must_be() {
        let (standard, dialect) =
            (script("(set-logic QF_UF)(check-sat)"), script("(set-logic QF_UF)(eval true)"));
        let no_logic = script("(set-option :strange 1)(check-sat)");
        let ended = run(ProcessEnd::Exit(0));
        for kind in [FindingKind::Error, FindingKind::Garbage, FindingKind::Assertion] {
            assert!(is_vouched_for(&standard, &kind, &ended), "{kind:?}");
            assert!(!is_vouched_for(&dialect, &kind, &ended) && !is_vouched_for(&no_logic, &kind, &ended));
        }
        assert!(
            !is_vouched_for(&script("(set-logic QF_UF)"), &FindingKind::Garbage, &ended),
            "it asks nothing"
        );
        assert!(!is_vouched_for(&script(""), &FindingKind::Garbage, &ended));
        assert!(is_vouched_for(&no_logic, &FindingKind::InvalidModel, &ended));
        assert!(!is_vouched_for(&dialect, &FindingKind::InvalidModel, &ended));
        assert!(
            is_vouched_for(&dialect, &FindingKind::Assertion, &run(ProcessEnd::Signal(6))),
            "no text may kill"
        );
        assert!(is_vouched_for(&dialect, &FindingKind::Hang, &run(ProcessEnd::WallLimit)));
    }

    #[test]
    fn a_status_goes_with_its_line() {
        let text =
            b"(set-logic QF_UF)\n(set-info :status sat)\n(set-info :source |:status|)\n(check-sat)".to_vec();
        let kept = without_status(text);
        assert_eq!(kept, b"(set-logic QF_UF)\n(set-info :source |:status|)\n(check-sat)");
    }
}
