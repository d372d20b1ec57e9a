//! Translates the outcome of a reduction into its events and its result.

use super::Reduction;
use crate::control::JobControl;
use crate::result::{ReduceResult, SearchCounts};
use crate::rounded;
use nub_oracle::{Baseline, RealOracle, Reproduction};
use nub_reduce::ReductionStop;
use nub_reduce::search::Search;
use nub_reduce::session::Finished;
use nub_report::{Confirmed, EndEvent, PassYield, Size, StageSize, StartEvent, StopReason};
use std::path::Path;

/// The event at the start.
pub fn start(reduction: &Reduction, oracle: &RealOracle, baseline: &Baseline, jobs: usize) -> StartEvent {
    let input = &reduction.request.input;
    StartEvent {
        tool: format!("nub {}", env!("CARGO_PKG_VERSION")),
        input: show(input),
        output: show(&reduction.paths.out),
        command: oracle.reproduction(input).command.line,
        failure: baseline.summary.clone(),
        bytes: reduction.original.len() as u64,
        strategy: reduction.request.search.strategy_words(),
        jobs: jobs as u64,
        flaky: baseline.stability.is_flaky(),
    }
}

/// Why the search ended.
fn reason(finished: &Finished, control: &JobControl) -> StopReason {
    match &finished.stop {
        None => StopReason::Fixpoint,
        Some(ReductionStop::MaxAsks) => StopReason::MaxAsks,
        Some(ReductionStop::MaxStates) => StopReason::MaxStates,
        Some(ReductionStop::Cancelled) if control.is_cancelled() => StopReason::Interrupted,
        Some(ReductionStop::Cancelled) => StopReason::MaxTime,
        Some(ReductionStop::Store(_)) => StopReason::Store,
        Some(ReductionStop::Environment(_)) => StopReason::Environment,
    }
}

/// The result of a run that had ended before.
pub fn ended(out: &Path, reproduction: &Reproduction) -> ReduceResult {
    let (output, reproduce) = (show(out), reproduction.command.line.clone());
    ReduceResult {
        output,
        reproduce,
        is_reduced: true,
        end: None,
        search: SearchCounts::default(),
        obstacle: None,
    }
}

/// The event at the end, which also feeds the table.
pub fn end(
    reduction: &Reduction,
    search: &dyn Search,
    finished: &Finished,
    reproduction: &Reproduction,
) -> EndEvent {
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
    EndEvent {
        reason: reason(finished, &reduction.job.control),
        reduced: finished.reduced,
        output: show(&reduction.paths.out),
        reproduce: reproduction.command.line.clone(),
        before: size(search, reduction.original),
        after: size(search, &finished.text),
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
        seconds: rounded(reduction.job.started.elapsed().as_secs_f64()),
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

fn size(search: &dyn Search, text: &[u8]) -> Size {
    let parts = search.measure(text).into_iter().map(|(name, n)| (name.to_owned(), n)).collect();
    Size { bytes: text.len() as u64, parts }
}

/// Processor time of nub itself: everything outside the oracle.
fn own_cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn show(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
