//! The table at the end of a reduction.

use crate::{EndEvent, PassYield, StopReason};
use std::fmt::Write;

/// Passes shown by name; the others are summed up.
const MAX_PASSES: usize = 12;

impl EndEvent {
    /// The table as text, newline included.
    pub fn to_text(&self) -> String {
        table(self)
    }
}

fn table(end: &EndEvent) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    };
    line(format!("{:<12} {:>10} {:>10} {:>8}", "", "before", "after", "left"));
    let mut sizes = vec![("bytes", end.before.bytes, end.after.bytes)];
    for (name, &before) in &end.before.parts {
        sizes.push((name, before, end.after.parts.get(name).copied().unwrap_or_default()));
    }
    for (name, before, after) in sizes {
        let left = match before {
            0 => "-".to_owned(),
            _ => format!("{:.1} %", 100.0 * after as f64 / before as f64),
        };
        line(format!("{name:<12} {before:>10} {after:>10} {left:>8}"));
    }
    let ahead = match end.speculative {
        0 => String::new(),
        n => format!("; {n} speculative runs were not needed"),
    };
    line(format!(
        "{:<12} {} ({} accepted); {} more answers were already known{ahead}",
        "test runs", end.asks, end.accepted, end.cached
    ));
    line(format!(
        "{:<12} {:.1} s; in the oracle {:.1} s, summed over jobs; outside it {:.2} s of processor time",
        "time", end.seconds, end.oracle_seconds, end.own_cpu_seconds
    ));
    line(format!("{:<12} {}", "end", reason_text(end.reason)));
    if let Some(chain) = chain(end) {
        line(format!("{:<12} {chain}", "chain"));
    }
    let asked: Vec<_> = end.passes.iter().collect();
    if !asked.is_empty() {
        line(String::new());
        line(format!("{:<24} {:>10} {:>8} {:>8}", "pass", "bytes", "runs", "accepted"));
    }
    for pass in asked.iter().take(MAX_PASSES) {
        line(format!("{:<24} {:>10} {:>8} {:>8}", pass.name, pass.bytes, pass.asks, pass.accepted));
    }
    let rest = asked.get(MAX_PASSES..).unwrap_or_default();
    if !rest.is_empty() {
        let sum = |of: fn(&PassYield) -> u64| rest.iter().map(|pass| of(pass)).sum::<u64>();
        let name = format!("{} more", rest.len());
        line(format!(
            "{name:<24} {:>10} {:>8} {:>8}",
            sum(|pass| pass.bytes),
            sum(|pass| pass.asks),
            sum(|pass| pass.accepted)
        ));
    }
    text
}

/// The size after each algorithm of a chain, as in §4.4 of the thesis: `732 -ddmin-> 72 -hdd-> 30`.
fn chain(end: &EndEvent) -> Option<String> {
    let (_, before) = end.before.parts.iter().next_back()?;
    let stages = end.stages.iter().map(|stage| format!(" -{}-> {}", stage.name, stage.size));
    (!end.stages.is_empty()).then(|| stages.fold(before.to_string(), |chain, stage| chain + &stage))
}

fn reason_text(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Fixpoint => "nothing smaller found",
        StopReason::MaxAsks => "--max-asks reached",
        StopReason::MaxStates => "--max-states reached: not all states were visited",
        StopReason::MaxTime => "--max-time reached",
        StopReason::Interrupted => "interrupted; continue with --resume",
        StopReason::Store => "a file could not be written",
        StopReason::Environment => "the command could no longer be run",
    }
}
