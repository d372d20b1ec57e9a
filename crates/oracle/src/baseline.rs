//! A summary of the runs on the original, for messages.

use std::time::Duration;

use nub_process::{ProcessEnd, ProcessOutcome, signal_name};

/// Characters of a stream shown in a summary.
const MAX_SHOWN_CHARS: usize = 160;
/// Lines of a stream shown in a refusal.
const MAX_SHOWN_LINES: usize = 5;

/// What is known before the first candidate runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Baseline {
    /// One line: `exit 139 (SIGSEGV), stderr: …`.
    pub summary: String,
    /// Wall time of the slowest run.
    pub wall: Duration,
    /// Processor time of the slowest run.
    pub cpu: Duration,
    /// Time limit the reduction starts with.
    pub time_limit: Duration,
    /// How often the original failed.
    pub stability: Stability,
}

/// How often the same bytes gave the same verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stability {
    /// All runs gave the same verdict.
    Steady {
        /// Number of runs.
        n: u32,
    },
    /// Runs gave different verdicts.
    Flaky {
        /// Runs that failed.
        fails: u32,
        /// Number of runs.
        n: u32,
    },
}

impl Stability {
    pub(crate) fn new(fails: u32, n: u32) -> Stability {
        if fails == n { Stability::Steady { n } } else { Stability::Flaky { fails, n } }
    }

    /// Whether runs disagreed.
    #[must_use]
    pub fn is_flaky(self) -> bool {
        matches!(self, Stability::Flaky { .. })
    }
}

/// `exit 1`, `exit 139 (SIGSEGV)`, `SIGABRT`, `time limit`.
#[must_use]
pub fn end_text(end: ProcessEnd) -> String {
    match end {
        ProcessEnd::Exit(status) => match signal_name(status - 128) {
            Some(name) => format!("exit {status} ({name})"),
            None => format!("exit {status}"),
        },
        ProcessEnd::Signal(signal) => signal_name(signal).map_or(format!("signal {signal}"), str::to_owned),
        ProcessEnd::WallLimit => "time limit".to_owned(),
        ProcessEnd::CpuLimit => "processor time limit".to_owned(),
        ProcessEnd::MemoryLimit => "memory limit".to_owned(),
        ProcessEnd::TaskLimit => "process limit".to_owned(),
        ProcessEnd::OutputLimit => "output limit".to_owned(),
        ProcessEnd::Cancelled => "cancelled".to_owned(),
    }
}

/// How the run ended and the first line of each stream, with control characters made visible.
#[must_use]
pub(crate) fn summary(outcome: &ProcessOutcome) -> String {
    let mut text = end_text(outcome.end);
    for (label, stream) in [("stdout", &outcome.stdout), ("stderr", &outcome.stderr)] {
        let shown = String::from_utf8_lossy(&stream.bytes);
        if let Some(line) = shown.lines().find(|line| !line.trim().is_empty()) {
            text.push_str(&format!(", {label}: {}", shorten(line.trim())));
        }
    }
    text
}

/// The first lines a run printed, standard error first.
pub(crate) fn first_lines(outcome: &ProcessOutcome) -> Vec<String> {
    let streams = [&outcome.stderr, &outcome.stdout];
    let texts = streams.map(|stream| String::from_utf8_lossy(&stream.bytes).into_owned());
    let lines = texts.iter().flat_map(|text| text.lines().filter(|line| !line.trim().is_empty()));
    lines.take(MAX_SHOWN_LINES).map(shorten).collect()
}

pub(crate) fn shorten(line: &str) -> String {
    let mut shown: String = line.chars().take(MAX_SHOWN_CHARS).map(show_control).collect();
    if line.chars().nth(MAX_SHOWN_CHARS).is_some() {
        shown.push('…');
    }
    shown
}

fn show_control(c: char) -> char {
    if c.is_control() { '\u{fffd}' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_process::{CapturedOutput, Usage};

    #[test]
    fn summaries() {
        let stream = |text: &str| CapturedOutput { bytes: text.into(), total: text.len() as u64 };
        let outcome = ProcessOutcome {
            end: ProcessEnd::Exit(139),
            stdout: stream("\nsat\nx\n"),
            stderr: stream("\x1b[31mboom"),
            usage: Usage::default(),
        };
        assert_eq!(summary(&outcome), "exit 139 (SIGSEGV), stdout: sat, stderr: \u{fffd}[31mboom");
        assert_eq!(first_lines(&outcome), ["\u{fffd}[31mboom", "sat", "x"]);
        assert_eq!(end_text(ProcessEnd::Signal(11)), "SIGSEGV");
        assert_eq!(end_text(ProcessEnd::Signal(64)), "signal 64");
    }
}
