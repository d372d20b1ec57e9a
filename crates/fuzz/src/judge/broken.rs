//! Judges runs that died, hung, printed too much, or ended without an answer.

use super::{FuzzCase, RunView, Standing, standing};
use crate::fate::{Fate, signal_name};
use crate::finding::{Finding, FindingKind};
use crate::groups::normalise_message;

/// A run is slow if another is this many times faster.
const MUCH_FASTER: u32 = 10;

/// The finding of a run that did not end normally.
pub(super) fn finding(case: &FuzzCase, run_idx: usize) -> Option<Finding> {
    let run = &case.runs[run_idx];
    let seen = run.observation;
    let kind = match (&seen.message, seen.fate) {
        (Some(message), _) => message.about.kind(),
        (None, Fate::Signal(_)) => FindingKind::Crash,
        (None, Fate::Hang) => FindingKind::Hang,
        (None, Fate::Memory) => FindingKind::Memory,
        (None, Fate::Flood) => FindingKind::Flood,
        (None, Fate::Ended | Fate::Cancelled) => return None,
    };
    // If all runs reach a limit, the input is hard, not a solver broken.
    if matches!(kind, FindingKind::Hang | FindingKind::Memory) && !is_easy_for_others(case, run_idx) {
        return None;
    }
    Some(Finding { solver: run.solver.to_owned(), kind, message: message_of(run), stack: seen.stack.clone() })
}

/// The normalised crash message. A message that only names a signal adds no information, and is replaced by the same
/// text for all solvers.
fn message_of(run: &RunView) -> String {
    let seen = run.observation;
    let message = seen.message.as_ref().map_or(String::new(), |message| normalise_message(&message.text));
    let names_a_signal = message.is_empty() || message.contains("CAUGHT SIGNAL");
    match seen.fate {
        Fate::Signal(signal) if names_a_signal => format!("killed by {}", signal_name(signal)),
        _ => message,
    }
}

/// Whether another run answered within a tenth of the limit, or there is no other run.
fn is_easy_for_others(case: &FuzzCase, run_idx: usize) -> bool {
    let limit = case.limit.unwrap_or(case.runs[run_idx].observation.wall);
    let mut others = case.runs.iter().enumerate().filter(|(other, _)| *other != run_idx).map(|(_, run)| run);
    case.runs.len() == 1
        || others.any(|run| {
            standing(run.observation) == Standing::Answered && run.observation.wall <= limit / MUCH_FASTER
        })
}

/// A regular end without any answer. If no run has an answer, the input has no query.
pub(super) fn silence(case: &FuzzCase, run_idx: usize) -> Option<Finding> {
    let anybody = case.runs.iter().any(|run| !run.observation.reading.answers.is_empty());
    (anybody || case.runs.len() == 1).then(|| garbage(&case.runs[run_idx]))
}

/// A regular end with fewer answers than another solver that finished the script.
pub(super) fn missing_answers(case: &FuzzCase, run_idx: usize) -> Option<Finding> {
    let run = &case.runs[run_idx];
    let n_answers = |run: &RunView| run.observation.reading.answers.len();
    let n_questions = case.runs.iter().filter(|run| run.speaks()).map(n_answers).max().unwrap_or(0);
    (n_answers(run) < n_questions).then(|| garbage(run))
}

fn garbage(run: &RunView) -> Finding {
    Finding {
        solver: run.solver.to_owned(),
        kind: FindingKind::Garbage,
        message: String::new(),
        stack: Vec::new(),
    }
}
