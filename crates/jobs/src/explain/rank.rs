//! The ranking by repair, with its own time limit.

use super::{FailureCase, file_name};
use crate::handle::Job;
use crate::timer::Timer;
use nub_c_ir::FunctionId;
use nub_explain::repair::{Macros, Ranking, Refusal, RepairSettings, rank};
use nub_explain::{ExplainOptions, Explanation, ProgramSource, PropertyKind, PropertyText};
use nub_unroll::{Patience, UnrollConfig};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// How long a ranking may take to end after it was told to stop. It stops immediately, but a busy machine may be slow.
const GRACE: Duration = Duration::from_secs(10);

/// The same if there is a limit on the total time, which must be met.
const SHORT_GRACE: Duration = Duration::from_millis(500);

/// The share of the time that point repair may take.
const POINTS: f64 = 0.6;

/// The lines of a ranking that are scored against a reference.
pub const SCORED: usize = 5;

/// Why lines are not ranked.
#[derive(Debug, thiserror::Error)]
pub enum NoRanking {
    /// The user stopped the job.
    #[error("stopped by a signal")]
    Stopped,
    /// The failure is that a loop runs too often.
    #[error("a loop bound cannot be repaired")]
    LoopBound,
    /// No time was left.
    #[error("the time limit was reached")]
    NoTime,
    /// The ranking itself took longer than this.
    #[error("it was not finished within {} s; --repair-time N allows more", .0.as_secs_f32())]
    TooLong(Duration),
    /// The program cannot be ranked.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// The ranking, or why there is none.
pub fn ranking(
    job: &Job,
    case: &FailureCase,
    found: &Explanation,
    options: &ExplainOptions,
) -> Result<Option<Ranking>, NoRanking> {
    let FailureCase { request, loaded, function, deadline } = *case;
    let [limits, points] = [job.control.child(), job.control.child()].map(|cancel| job.limits(cancel));
    let (property, failing): (&PropertyText, _) = match found {
        Explanation::NoViolation { .. } => return Ok(None),
        Explanation::NoPassingRun { property, failing, .. } => (property, failing.as_ref()),
        Explanation::Explained(story) => (&story.property, &story.failing),
    };
    if request.passing.no_repair {
        return Ok(None);
    }
    if limits.cancel.is_cancelled() {
        return Err(NoRanking::Stopped);
    }
    if property.kind == PropertyKind::Unwinding {
        return Err(NoRanking::LoopBound);
    }
    let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let time = left.map_or(request.passing.repair_time, |left| left.min(request.passing.repair_time));
    if time.is_zero() {
        return Err(NoRanking::NoTime);
    }
    // Point repair is more than half of the work, but edits tell more, so they get a share of the time.
    let _points = Timer::start(time.mul_f64(POINTS), &points.cancel);
    let cancel = limits.cancel.clone();
    let settings = RepairSettings {
        // The time limit of the search may have been reached; the ranking has its own.
        unroll: UnrollConfig {
            patience: Patience::until(move || cancel.is_cancelled()),
            ..options.unroll.clone()
        },
        property: Some(property.line),
        trusted: request.passing.trust.clone(),
        // The run that is explained comes first, if it is one of this unrolling.
        first: Some(failing.values.clone()),
        limits,
        point_limits: points,
        ..RepairSettings::default()
    };
    let cancel = settings.limits.cancel.clone();
    let (sender, receiver) = channel();
    let (loaded, file) = (Arc::clone(loaded), file_name(request));
    // The thread is not joined: it ends with the program.
    std::thread::spawn(move || {
        let source = loaded.source(&file);
        let _ = sender.send(rank_lines(source, function, &settings));
    });
    job.searching("ranking lines", "Ctrl-C shows what is known, --no-repair skips it");
    receiver.recv_timeout(time).unwrap_or_else(|_| {
        cancel.cancel();
        // What is known so far is still useful.
        let grace = if deadline.is_some() { SHORT_GRACE } else { GRACE.max(time / 4) };
        receiver.recv_timeout(grace).unwrap_or(Err(NoRanking::TooLong(time)))
    })
}

fn rank_lines(
    source: ProgramSource<'_>,
    function: FunctionId,
    settings: &RepairSettings,
) -> Result<Option<Ranking>, NoRanking> {
    // Text without line markers does not say where it comes from. A file that cannot be read has no macros.
    let names = source.program.files.iter().map(|name| if name.is_empty() { source.file } else { name });
    let files: Vec<(&str, Vec<u8>)> =
        names.filter_map(|name| Some((name, std::fs::read(name).ok()?))).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_slice())).collect();
    Ok(rank(source, function, &Macros::new(&files), settings)?)
}
