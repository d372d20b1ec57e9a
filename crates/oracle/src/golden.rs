//! Does a run fail as the golden run did? Pure comparison of outcomes.
//!
//! The end (exit status, signal, or the limit hit) must be equal. Then, unless the user gave patterns or
//! ignores streams, the strongest evidence in the golden run decides:
//!
//! 1. a crash message ([`crate::signature`]): it must be among the candidate's;
//! 2. killed by a signal, or exit status 128 + signal, without a message: the candidate must not print one
//!    either. Streams are not compared, because a crash loses buffered output at an arbitrary point;
//! 3. stopped by a limit: nothing more;
//! 4. otherwise the [`crate::class`] of both streams.
//!
//! With a cross-check and no options, if the golden answers contradict each other (one solver says `unsat`, the
//! other `sat`, for the same `check-sat`), the candidate must show the same contradiction, with the same solver
//! saying `unsat`, at some `check-sat`, and no new kind of error. So the other `check-sat` commands can be
//! removed.

use nub_process::{ProcessEnd, ProcessOutcome};

use crate::Expect;
use crate::class::{Class, Satisfiable, answers};
use crate::lab::Run;
use crate::mask::MaskedNames;
use crate::signature::{CrashSignature, Rank, loudest, signatures};

/// Signals that a shell reports as 128 + n when one of them kills its child: ILL, TRAP, ABRT, BUS, FPE, SEGV.
const CRASH_SIGNALS: [i32; 6] = [4, 5, 6, 7, 8, 11];

/// The outcome every candidate is compared with.
#[derive(Clone, Debug)]
pub struct Golden {
    expect: Expect,
    end: ProcessEnd,
    essence: Essence,
}

/// What identifies the failure, besides its end.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Essence {
    /// The user's patterns; possibly none.
    Patterns,
    Signature(CrashSignature),
    SilentCrash,
    Stopped,
    Classes {
        out: Class,
        err: Class,
    },
    /// The streams byte for byte; an ignored stream is empty.
    Bytes {
        out: Vec<u8>,
        err: Vec<u8>,
    },
}

impl Golden {
    /// Makes an outcome the one that candidates are compared with.
    #[must_use]
    pub fn new(expect: &Expect, outcome: &ProcessOutcome, names: &MaskedNames) -> Golden {
        let essence = essence(expect, outcome, names);
        Golden { expect: expect.clone(), end: outcome.end, essence }
    }

    /// Whether a pattern the user gave is missing in the golden run itself.
    #[must_use]
    pub fn missing_pattern(expect: &Expect, outcome: &ProcessOutcome) -> Option<String> {
        let missing = |pattern: &Option<crate::Pattern>, stream: &[u8]| {
            pattern.as_ref().filter(|pattern| !pattern.is_in(stream)).map(crate::Pattern::source)
        };
        missing(&expect.match_out, &outcome.stdout.bytes)
            .or_else(|| missing(&expect.match_err, &outcome.stderr.bytes))
    }

    /// Whether this outcome is the same failure.
    #[must_use]
    pub fn matches(&self, outcome: &ProcessOutcome, names: &MaskedNames) -> bool {
        outcome.end == self.end && self.matches_patterns(outcome) && self.matches_essence(outcome, names)
    }

    /// How the golden run ended.
    #[must_use]
    pub fn end(&self) -> ProcessEnd {
        self.end
    }

    /// What identifies the failure, as a short text; empty if only the end does.
    #[must_use]
    pub fn essence_text(&self) -> String {
        match &self.essence {
            Essence::Signature(signature) => signature.text.clone(),
            Essence::Classes { out, err } => [out.kinds(), err.kinds()].concat().join(", "),
            Essence::Patterns => {
                let patterns = [&self.expect.match_out, &self.expect.match_err];
                let sources = patterns.into_iter().flatten().map(crate::Pattern::source);
                sources.collect::<Vec<_>>().join(", ")
            }
            Essence::SilentCrash | Essence::Stopped | Essence::Bytes { .. } => String::new(),
        }
    }

    fn matches_patterns(&self, outcome: &ProcessOutcome) -> bool {
        Golden::missing_pattern(&self.expect, outcome).is_none()
    }

    fn matches_essence(&self, outcome: &ProcessOutcome, names: &MaskedNames) -> bool {
        match &self.essence {
            Essence::Patterns | Essence::Stopped => true,
            Essence::Signature(signature) => all_signatures(&self.expect, outcome, names).contains(signature),
            Essence::SilentCrash => {
                let found = all_signatures(&self.expect, outcome, names);
                found.iter().all(|signature| signature.rank == Rank::Reported)
            }
            Essence::Classes { .. } | Essence::Bytes { .. } => {
                essence(&self.expect, outcome, names) == self.essence
            }
        }
    }
}

fn essence(expect: &Expect, outcome: &ProcessOutcome, names: &MaskedNames) -> Essence {
    if expect.match_out.is_some() || expect.match_err.is_some() || (expect.ignore_out && expect.ignore_err) {
        return Essence::Patterns;
    }
    if !matches!(outcome.end, ProcessEnd::Exit(_) | ProcessEnd::Signal(_)) {
        return Essence::Stopped;
    }
    if expect.exact {
        let bytes = |ignore: bool, stream: &[u8]| if ignore { Vec::new() } else { stream.to_vec() };
        let (out, err) = (&outcome.stdout.bytes, &outcome.stderr.bytes);
        return Essence::Bytes { out: bytes(expect.ignore_out, out), err: bytes(expect.ignore_err, err) };
    }
    let found = all_signatures(expect, outcome, names);
    if let Some(signature) = loudest(&found).filter(|s| s.rank > Rank::Reported || !is_crash(outcome.end)) {
        return Essence::Signature(signature.clone());
    }
    if is_crash(outcome.end) {
        return Essence::SilentCrash;
    }
    let class =
        |ignore: bool, stream: &[u8]| if ignore { Class::default() } else { Class::of(stream, names) };
    Essence::Classes {
        out: class(expect.ignore_out, &outcome.stdout.bytes),
        err: class(expect.ignore_err, &outcome.stderr.bytes),
    }
}

fn all_signatures(expect: &Expect, outcome: &ProcessOutcome, names: &MaskedNames) -> Vec<CrashSignature> {
    let mut found = Vec::new();
    if !expect.ignore_err {
        found.extend(signatures(&outcome.stderr.bytes, names));
    }
    if !expect.ignore_out {
        found.extend(signatures(&outcome.stdout.bytes, names));
    }
    found
}

/// Whether a run that ended like this crashed.
#[must_use]
pub fn is_crash(end: ProcessEnd) -> bool {
    match end {
        ProcessEnd::Signal(_) => true,
        ProcessEnd::Exit(status) => CRASH_SIGNALS.contains(&(status - 128)),
        _ => false,
    }
}

/// Two solvers that contradict each other: what candidates are compared with when the failure is a wrong
/// answer.
#[derive(Clone, Debug)]
pub struct Contradiction {
    ends: (ProcessEnd, ProcessEnd),
    answers: (Satisfiable, Satisfiable),
    errors: (Class, Class),
}

impl Contradiction {
    /// The first contradiction between two golden outcomes.
    #[must_use]
    pub(crate) fn find(first: &Run, second: &Run) -> Option<Contradiction> {
        let pair = contradictions(&first.outcome, &second.outcome).next()?;
        let class = |run: &Run| Class::of(&run.outcome.stdout.bytes, &run.names);
        let ends = (first.outcome.end, second.outcome.end);
        Some(Contradiction { ends, answers: pair, errors: (class(first), class(second)) })
    }

    /// The two answers: `unsat` and `sat`.
    #[must_use]
    pub fn texts(&self) -> (&'static str, &'static str) {
        match self.answers.0 {
            Satisfiable::Sat => ("sat", "unsat"),
            Satisfiable::Unsat => ("unsat", "sat"),
        }
    }

    /// Whether the first solver's outcome still allows the contradiction. If not, the second need not run.
    #[must_use]
    pub fn allows_first(&self, outcome: &ProcessOutcome, names: &MaskedNames) -> bool {
        outcome.end == self.ends.0
            && answers(&outcome.stdout.bytes).contains(&Some(self.answers.0))
            && no_new_errors(&self.errors.0, outcome, names)
    }

    /// Whether the two outcomes contradict each other in the same way, with no new kind of error.
    #[must_use]
    pub(crate) fn matches(&self, first: &Run, second: &Run) -> bool {
        self.allows_first(&first.outcome, &first.names)
            && second.outcome.end == self.ends.1
            && no_new_errors(&self.errors.1, &second.outcome, &second.names)
            && contradictions(&first.outcome, &second.outcome).any(|pair| pair == self.answers)
    }
}

fn contradictions(
    first: &ProcessOutcome,
    second: &ProcessOutcome,
) -> impl Iterator<Item = (Satisfiable, Satisfiable)> {
    let pairs = answers(&first.stdout.bytes).into_iter().zip(answers(&second.stdout.bytes));
    pairs.filter_map(|(a, b)| a.zip(b)).filter(|(a, b)| a != b)
}

fn no_new_errors(golden: &Class, outcome: &ProcessOutcome, names: &MaskedNames) -> bool {
    let class = Class::of(&outcome.stdout.bytes, names);
    class.errors().all(|error| golden.errors().any(|known| known == error))
}

#[cfg(test)]
mod tests;
