//! From what came of a reduction to events, the summary table and the exit code.

use super::Subject;
use super::args::ReduceArgs;
use crate::exit::Exit;
use crate::progress::Talk;
use crate::reporter::Reporter;
use crate::summary;
use nub_oracle::{Baseline, RealOracle, Reproduction};
use nub_reduce::search::Search;
use nub_reduce::session::Finished;
use nub_reduce::{Step, Stop};
use nub_report::{Accepted, Confirmed, End, Event, PassYield, Size, StageSize, Start, StopReason};
use std::path::Path;

/// The event at the start.
pub fn start(
    args: &ReduceArgs,
    subject: &Subject,
    oracle: &RealOracle,
    baseline: &Baseline,
    jobs: usize,
) -> Event {
    Event::Start(Start {
        tool: format!("nub {}", env!("CARGO_PKG_VERSION")),
        input: show(&args.input),
        output: show(&subject.paths.out),
        command: oracle.reproduction(&args.input).command.line,
        failure: baseline.summary.clone(),
        bytes: subject.original.len() as u64,
        strategy: args.search.strategy_words(),
        jobs: jobs as u64,
        flaky: baseline.stability.is_flaky(),
    })
}

/// The event of one step.
pub fn accepted(step: &Step, seconds: f64) -> Event {
    Event::Accepted(Accepted {
        bytes: step.stats.bytes,
        asks: step.stats.asks,
        accepted: step.stats.accepted,
        pass: step.pass.to_owned(),
        seconds: rounded(seconds),
    })
}

/// Why the search ended.
pub fn reason(finished: &Finished, signal: Option<i32>) -> StopReason {
    match &finished.stop {
        None => StopReason::Fixpoint,
        Some(Stop::MaxAsks) => StopReason::MaxAsks,
        Some(Stop::MaxStates) => StopReason::MaxStates,
        Some(Stop::Cancelled) if signal.is_some() => StopReason::Interrupted,
        Some(Stop::Cancelled) => StopReason::MaxTime,
        Some(Stop::Store(_)) => StopReason::Store,
        Some(Stop::Environment(_)) => StopReason::Environment,
    }
}

/// The event at the end, which also feeds the table.
pub fn end(
    subject: &Subject,
    finished: &Finished,
    reason: StopReason,
    reproduction: &Reproduction,
    seconds: f64,
) -> End {
    let stats = &finished.stats;
    let mut passes: Vec<PassYield> = stats
        .passes
        .iter()
        .filter(|(_, pass)| pass.asks > 0 || pass.accepted > 0)
        .map(|(name, pass)| PassYield {
            name: (*name).to_owned(),
            asks: pass.asks,
            accepted: pass.accepted,
            bytes: pass.bytes,
        })
        .collect();
    passes.sort_by(|a, b| (b.bytes, b.accepted, &a.name).cmp(&(a.bytes, a.accepted, &b.name)));
    End {
        reason,
        reduced: finished.reduced,
        output: show(&subject.paths.out),
        reproduce: reproduction.command.line.clone(),
        before: size(subject.search, subject.original),
        after: size(subject.search, &finished.text),
        header: finished.has_header,
        confirmed: Confirmed {
            fails: finished.confirmation.fails.into(),
            runs: finished.confirmation.n.into(),
        },
        flaky: finished.flaky,
        asks: stats.asks,
        speculative: stats.speculative,
        cached: stats.cached,
        accepted: stats.accepted,
        seconds: rounded(seconds),
        oracle_seconds: rounded(stats.oracle_wall.as_secs_f64()),
        own_cpu_seconds: rounded(own_cpu_seconds()),
        stages: stats
            .stages
            .iter()
            .map(|stage| StageSize { name: stage.name.to_owned(), size: stage.size })
            .collect(),
        passes,
    }
}

/// The table, the warnings, and the two last lines: where the result is and how to reproduce.
pub fn talk(reporter: &Reporter, end: &End, finished: &Finished) {
    reporter.talk_line(&summary::table(end));
    if finished.remembered > 0 {
        reporter.note(&format!("{} asks were answered from the earlier run", finished.remembered));
    }
    let stats = &finished.stats;
    if reporter.talk() == Talk::Verbose || stats.panics + stats.rollbacks > 0 {
        reporter.note(&format!(
            "{} candidates were ill formed and not asked, {} steps were taken back, {} edits were lost to errors of nub",
            stats.invalid, stats.rollbacks, stats.panics
        ));
    }
    if end.flaky {
        reporter.warn("the command is flaky: runs on the same file disagreed");
    }
    if !end.reduced {
        reporter.talk_line("not reduced: nothing smaller was found, and no file was written");
        return;
    }
    let Confirmed { fails, runs } = end.confirmed;
    if runs > 0 && fails == runs {
        reporter.talk_line(&format!("checked: the file on disk failed in {fails} of {runs} more runs"));
    } else if runs > 0 {
        reporter.warn(&format!("the file on disk failed in {fails} of {runs} more runs only"));
    } else if end.reason != StopReason::Interrupted {
        reporter.warn("the file on disk was not checked again");
    }
    reporter.text(&end.output);
    reporter.text(&end.reproduce);
}

/// The same two lines for a run that had ended before.
pub fn last_lines(reporter: &Reporter, out: &Path, reproduction: &Reproduction) {
    reporter.text(&show(out));
    reporter.text(&reproduction.command.line);
}

/// The exit code; says what is kept when the world was in the way.
pub fn exit(end: &End, finished: &Finished, signal: Option<i32>, reporter: &Reporter) -> Exit {
    let kept = match end.reduced {
        true => format!("{} holds a file that still fails", end.output),
        false => "your files are untouched".to_owned(),
    };
    match (&finished.stop, signal) {
        (_, Some(signal)) => Exit::Signal(signal),
        (Some(Stop::Store(text) | Stop::Environment(text)), None) => {
            let failure = crate::exit::Failure::new(Exit::Environment, text.clone()).with_hint(kept);
            reporter.failure(&failure)
        }
        _ if end.reduced => Exit::Done,
        _ => Exit::NotReduced,
    }
}

fn size(search: &dyn Search, text: &[u8]) -> Size {
    let parts = search.measure(text).into_iter().map(|(name, n)| (name.to_owned(), n)).collect();
    Size { bytes: text.len() as u64, parts }
}

/// What nub itself has used of the processor: everything outside the oracle.
fn own_cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

fn show(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
