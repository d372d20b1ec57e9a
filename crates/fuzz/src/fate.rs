//! The fate of a run: did the solver end, die or hang?
//!
//! Solvers hide their crashes. Each row has been observed in practice, and each is missed by some fuzzer:
//!
//! | what the run did | fate |
//! |---|---|
//! | killed by SIGSEGV, or by SIGABRT without a message | `Signal` |
//! | printed `CAUGHT SIGNAL 11` and `unknown`, exit status 11 (Boolector, Bitwuzla) | `Signal(11)` |
//! | exit status 139 (a shell around it) or 245 (a Python script around it) | `Signal(11)` |
//! | SIGALRM, SIGXCPU, or exit status 14: its own clock ran out | `Hang` |
//! | SIGKILL, not by us: the kernel ran out of memory | `Memory` |
//! | SIGINT, SIGTERM, SIGHUP, not by us: somebody stopped it | `Cancelled` |

use std::borrow::Cow;
use std::time::Duration;

use nub_oracle::{CrashSignature, MaskedNames, Rank};
use nub_process::{ProcessEnd, ProcessOutcome};

use crate::answers::{Language, PrintedAnswer, PrintedAnswers, read_answers};
use crate::finding::{About, about};
use crate::stack::read_stack;

/// How a run ended, including hidden signals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fate {
    /// By itself.
    Ended,
    /// It was killed by this signal.
    Signal(i32),
    /// Time ran out, on our clock or its own.
    Hang,
    /// Memory or the number of processes ran out.
    Memory,
    /// It produced too much output.
    Flood,
    /// It was stopped by us or by somebody else: nothing is known.
    Cancelled,
}

/// A crash message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// How likely the line names the cause.
    pub rank: Rank,
    /// The masked line or lines.
    pub text: String,
    /// What it complains about.
    pub about: About,
}

/// All that the judge sees of one run.
#[derive(Clone, Debug)]
pub struct Observation {
    /// How it ended.
    pub fate: Fate,
    /// Its exit status, if it had one.
    pub exit: Option<i32>,
    /// Its crash message of highest rank.
    pub message: Option<Message>,
    /// The stack it printed, normalised, innermost frame first.
    pub stack: Vec<String>,
    /// Its answers.
    pub reading: PrintedAnswers,
    /// Time from start to end.
    pub wall: Duration,
    /// Processor time.
    pub cpu: Duration,
}

/// Reads an outcome. Pure, and linear in the captured output.
#[must_use]
pub fn observe(outcome: &ProcessOutcome, language: Language) -> Observation {
    let (stdout, stderr) = (&outcome.stdout.bytes, &outcome.stderr.bytes);
    let mut reading = read_answers(stdout, language, outcome.end);
    let names = MaskedNames::default();
    let mut signatures = nub_oracle::signatures(&plain(stderr), &names);
    signatures.extend(nub_oracle::signatures(&plain(stdout), &names));
    signatures.retain(|signature| !is_parse_error(signature) && !is_about_status(signature));
    let exit = match outcome.end {
        ProcessEnd::Exit(status) => Some(status),
        _ => None,
    };
    let fate = fate_of(outcome.end, &reading, &signatures);
    let message = loudest_message(&signatures);
    if fate == Fate::Ended && message.is_none() {
        note_silent_error(&mut reading, exit, [stderr, stdout]);
    }
    let mut stack = read_stack(stderr);
    if stack.is_empty() {
        stack = read_stack(stdout);
    }
    let usage = outcome.usage;
    Observation { fate, exit, message, stack, reading, wall: usage.wall, cpu: usage.cpu }
}

/// cvc5 reports an unknown logic as `Parse Error: …: Illegal argument detected`, which inside the solver would be a
/// crash. A parse error never is one.
fn is_parse_error(signature: &CrashSignature) -> bool {
    signature.rank != Rank::Summary && signature.text.contains("Parse Error: ")
}

/// A message that the answer differs from the status of the file. The file may be wrong, and the answer is judged
/// anyway.
fn is_about_status(signature: &CrashSignature) -> bool {
    let text = signature.text.to_ascii_lowercase();
    signature.rank == Rank::Reported && (text.contains("check annotation") || text.contains("expected "))
}

/// The stream with `?` for all non-ASCII bytes. Crash messages are ASCII, and matching Unicode word boundaries takes 200
/// times as long: 3.3 s for 1 MiB of random bytes.
fn plain(stream: &[u8]) -> Cow<'_, [u8]> {
    if stream.is_ascii() {
        return Cow::Borrowed(stream);
    }
    Cow::Owned(stream.iter().map(|byte| if byte.is_ascii() { *byte } else { b'?' }).collect())
}

/// A signature of lower rank next to the highest may say what it is about: cvc5 dies with a fatal failure in
/// `checkModel`, and only the next line has the words "errors satisfying assertions".
fn loudest_message(signatures: &[CrashSignature]) -> Option<Message> {
    let loudest = nub_oracle::loudest(signatures)?;
    let mut subject = about(loudest.rank, &loudest.text);
    if !subject.is_self_check() && loudest.rank != Rank::Summary {
        let others = signatures.iter().map(|other| about(other.rank, &other.text));
        subject = others.into_iter().find(|other| other.is_self_check()).unwrap_or(subject);
    }
    Some(Message { rank: loudest.rank, text: loudest.text.clone(), about: subject })
}

/// Programs that fail without `(error …)`: the first line of the first non-empty stream is the error, or otherwise the
/// status.
fn note_silent_error(reading: &mut PrintedAnswers, exit: Option<i32>, streams: [&[u8]; 2]) {
    let Some(status) = exit.filter(|status| !matches!(status, 0 | 10 | 20)) else { return };
    if !reading.errors.is_empty() || !reading.answers.is_empty() {
        return;
    }
    let lines = streams.iter().flat_map(|stream| stream.split(|byte| *byte == b'\n'));
    match lines.map(<[u8]>::trim_ascii).find(|line| !line.is_empty()) {
        Some(line) => reading.note_error(&String::from_utf8_lossy(line)),
        // Not masked: the status is the only information.
        None => reading.errors.push(format!("exit status {status} without output")),
    }
}

fn fate_of(end: ProcessEnd, reading: &PrintedAnswers, signatures: &[CrashSignature]) -> Fate {
    match end {
        ProcessEnd::Exit(status) => hidden_signal(status, reading, signatures).map_or(Fate::Ended, of_signal),
        ProcessEnd::Signal(signal) => of_signal(signal),
        ProcessEnd::WallLimit | ProcessEnd::CpuLimit => Fate::Hang,
        ProcessEnd::MemoryLimit | ProcessEnd::TaskLimit => Fate::Memory,
        ProcessEnd::OutputLimit => Fate::Flood,
        ProcessEnd::Cancelled => Fate::Cancelled,
    }
}

fn of_signal(signal: i32) -> Fate {
    match signal {
        1 | 2 | 15 => Fate::Cancelled,
        9 => Fate::Memory,
        14 | 24 => Fate::Hang,
        _ => Fate::Signal(signal),
    }
}

/// Signals that end a program by default, as far as solvers meet them.
const DEADLY: [i32; 13] = [1, 2, 4, 5, 6, 7, 8, 9, 11, 14, 15, 24, 31];
/// Signals that a script may pass on as `-n`; not 1 and 2, since 255 and 254 are statuses of ordinary
/// failures.
const NEGATED: [i32; 6] = [4, 6, 7, 8, 9, 11];
/// Signals that programs catch and then exit with their number.
const CAUGHT: [i32; 3] = [6, 11, 14];

/// The signal behind an exit status.
///
/// - `128 + n`: a shell reports its child. `256 - n`: a script exits with `-n`, as Python's `subprocess` gives it.
/// - `n` itself, if the solver says that it caught a signal, or gave no definite answer and reported no error. An
///   `unknown` is not definite: Boolector prints it when it exits.
fn hidden_signal(status: i32, reading: &PrintedAnswers, signatures: &[CrashSignature]) -> Option<i32> {
    if DEADLY.contains(&(status - 128)) {
        return Some(status - 128);
    }
    if NEGATED.contains(&(256 - status)) {
        return Some(256 - status);
    }
    let says_so = signatures.iter().any(|signature| signature.text.contains("CAUGHT SIGNAL"));
    let claims = reading.answers.iter().any(|answer| *answer != PrintedAnswer::Unknown);
    let is_silent = !claims && reading.errors.is_empty();
    (CAUGHT.contains(&status) && (says_so || is_silent)).then_some(status)
}

/// The name of a signal, or its number.
pub(crate) fn signal_name(signal: i32) -> String {
    nub_process::signal_name(signal).map_or_else(|| format!("signal {signal}"), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_process::{CapturedOutput, Usage};

    fn fate(end: ProcessEnd, stdout: &str, stderr: &str) -> Fate {
        let output =
            |text: &str| CapturedOutput { bytes: text.as_bytes().to_vec(), total: text.len() as u64 };
        let outcome =
            ProcessOutcome { end, stdout: output(stdout), stderr: output(stderr), usage: Usage::default() };
        observe(&outcome, Language::SmtLib).fate
    }

    #[test]
    fn table_of_the_module_doc() {
        assert_eq!(fate(ProcessEnd::Signal(11), "", ""), Fate::Signal(11));
        assert_eq!(fate(ProcessEnd::Signal(6), "", ""), Fate::Signal(6));
        assert_eq!(
            fate(ProcessEnd::Exit(11), "unknown\n", "[btormain] CAUGHT SIGNAL 11\n"),
            Fate::Signal(11)
        );
        assert_eq!(fate(ProcessEnd::Exit(11), "unknown\n", ""), Fate::Signal(11));
        assert_eq!(fate(ProcessEnd::Exit(6), "", ""), Fate::Signal(6));
        assert_eq!(fate(ProcessEnd::Exit(139), "sat\n", ""), Fate::Signal(11));
        assert_eq!(fate(ProcessEnd::Exit(245), "", ""), Fate::Signal(11));
        assert_eq!(fate(ProcessEnd::Exit(14), "unknown\n", "ALARM TRIGGERED\n"), Fate::Hang);
        assert_eq!(fate(ProcessEnd::Signal(24), "", ""), Fate::Hang);
        assert_eq!(fate(ProcessEnd::Signal(9), "", ""), Fate::Memory);
        assert_eq!(fate(ProcessEnd::Exit(143), "", ""), Fate::Cancelled);
    }

    #[test]
    fn statuses_that_hide_nothing() {
        assert_eq!(fate(ProcessEnd::Exit(0), "sat\n", ""), Fate::Ended);
        assert_eq!(fate(ProcessEnd::Exit(11), "unsat\n", ""), Fate::Ended, "it claims something");
        assert_eq!(fate(ProcessEnd::Exit(6), "(error \"bad\")\n", ""), Fate::Ended, "it reported an error");
        for status in [1, 10, 20, 101, 110, 254, 255] {
            assert_eq!(fate(ProcessEnd::Exit(status), "", ""), Fate::Ended, "{status}");
        }
    }

    #[test]
    fn a_parse_error_is_no_crash() {
        let text = "(error \"Parse Error: e.smt2:1.13: Illegal argument detected\n\n  (set-logic FOO)\n\")\n";
        let stdout = CapturedOutput { bytes: text.as_bytes().to_vec(), total: 0 };
        let (end, stderr, usage) = (ProcessEnd::Exit(1), CapturedOutput::default(), Usage::default());
        let seen = observe(&ProcessOutcome { end, stdout, stderr, usage }, Language::SmtLib);
        assert_eq!((seen.message, seen.reading.errors.len()), (None, 1));
    }

    #[test]
    fn errors_outside_the_standard_are_errors() {
        let read = |stdout: &str, stderr: &str| {
            let output = |text: &str| CapturedOutput { bytes: text.as_bytes().to_vec(), total: 0 };
            let (end, usage) = (ProcessEnd::Exit(1), Usage::default());
            let outcome = ProcessOutcome { end, stdout: output(stdout), stderr: output(stderr), usage };
            observe(&outcome, Language::Btor).reading.errors
        };
        assert_eq!(read("", "\nboolector: invalid line 3\nmore\n"), ["boolector: invalid <pos>"]);
        assert_eq!(read("ERROR: unknown parameter 'x'\n", ""), ["ERROR: unknown parameter <name>"]);
        assert_eq!(read("", ""), ["exit status 1 without output"]);
    }
}
