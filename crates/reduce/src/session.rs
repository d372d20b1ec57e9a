//! A reduction with its files: what is on disk at any moment, and how a later run continues.
//!
//! - Every accepted step goes to the journal, then to the result file, both durable ([`writer`]). One step may be in
//!   flight while the engine continues; a second waits for it. So a kill loses at most one accepted step, and none that
//!   was reported: a step is reported when it is durable.
//! - Every verdict on up to 1 MiB goes to the memo ([`remember`]); larger candidates are asked again, except accepted
//!   ones. A run is a function of the verdicts, with any number of workers, so `--resume` replays it from the original,
//!   with answers from the memo, up to where it stopped, and then continues: the final bytes are the same as without the
//!   stop, and no accepted step is asked again. Verdicts of speculative asks are in the memo too.
//! - If the failure is that the command takes long, most asks use a share of the time limit, and accepted steps are provisional until they
//!   are confirmed with the full limit ([`provisional`]). Only confirmed steps go to disk. Confirmations have their own time limit
//!   ([`Cancels::checks`]); steps that it leaves unconfirmed are reported and dropped.
//! - At the end the file gets its header and its last newline if it still fails with them; it is read back from disk
//!   and asked again ([`finish`]).

mod finish;
mod journal;
mod provisional;
mod recorder;
mod remember;
mod writer;

pub use journal::{Identity, ReductionStart, ResumeError, has_journal, open_folder};
pub use remember::SessionOracle;

use crate::search::{Search, SearchResult};
use crate::{ReduceConfig, ReductionObserver, ReductionStats, ReductionStop, is_smaller};
use finish::EndedSearch;
use journal::{Earlier, hash};
use nub_oracle::Confirmation;
use nub_process::Cancel;
use nub_smtlib::PrintLayout;
use nub_store::{History, Journal, Memo, RealFs, RunFolder, StoreError};
use provisional::{Staged, StagedResult};
use recorder::Recorder;
use remember::Remembering;
use std::path::Path;
use std::sync::Mutex;
use writer::Writer;

/// Everything about a reduction except its oracle.
pub struct ReductionPlan<'a> {
    /// The file to reduce.
    pub original: &'a [u8],
    /// How it is read, and which passes run on it.
    pub search: &'a dyn Search,
    /// Where the result goes.
    pub out: &'a Path,
    /// Where journal and memo are; open and locked.
    pub folder: &'a RunFolder,
    /// Workers and limits.
    pub engine: ReduceConfig,
    /// A comment line, newline included, for the top of the result.
    pub header: Option<Vec<u8>>,
    /// How an SMT-LIB script is printed at the end, if it still fails then; unchanged if `None`.
    pub layout: Option<PrintLayout>,
    /// Keep every accepted step, in files with this extension.
    pub history: Option<String>,
    /// What must be the same for a run to be resumed.
    pub identity: Identity,
    /// Whether to start over or to continue an earlier run.
    pub start: ReductionStart,
}

/// The requests that stop a reduction.
pub struct Cancels<'a> {
    /// Ends the search; the result is still finished and checked.
    pub search: &'a Cancel,
    /// Ends confirmations and checks. Only what was confirmed before is kept.
    pub checks: &'a Cancel,
    /// Ends everything soon. If it is raised, the others must be raised too.
    pub all: &'a Cancel,
}

/// Provisional steps that could not be confirmed in time. They are not part of the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnconfirmedSteps {
    /// How many.
    pub n_steps: usize,
    /// The size in bytes that they had reached.
    pub bytes: u64,
}

/// The result of a reduction.
pub struct Finished {
    /// Why the search ended early, if it did.
    pub stop: Option<ReductionStop>,
    /// The content of the result file; the original if nothing was accepted, in which case there is no file.
    pub text: Vec<u8>,
    /// Whether anything was accepted, including in the resumed run.
    pub reduced: bool,
    /// Whether the header is in the file.
    pub has_header: bool,
    /// Runs on the file as read back from disk.
    pub confirmation: Confirmation,
    /// Whether runs on the same bytes disagreed.
    pub flaky: bool,
    /// Asks answered from the memo of the resumed run.
    pub remembered: u64,
    /// Steps that are not in the result because there was no time left to confirm them.
    pub unconfirmed: Option<UnconfirmedSteps>,
    /// What the search cost.
    pub stats: ReductionStats,
}

/// Why there is no result.
#[derive(Debug)]
pub enum SessionError {
    /// The files of the run cannot be written.
    Store(StoreError),
    /// The earlier run cannot be continued.
    Resume(ResumeError),
}

impl From<StoreError> for SessionError {
    fn from(error: StoreError) -> SessionError {
        SessionError::Store(error)
    }
}

impl From<ResumeError> for SessionError {
    fn from(error: ResumeError) -> SessionError {
        SessionError::Resume(error)
    }
}

/// Runs a reduction to its end. `watch` is told of a step when it is on disk.
pub fn run(
    plan: &ReductionPlan,
    oracle: &dyn SessionOracle,
    cancels: &Cancels,
    watch: &mut dyn ReductionObserver,
) -> Result<Finished, SessionError> {
    let (mut journal, records) = Journal::open(&RealFs, &plan.folder.journal_path())?;
    let earlier = Earlier::read(&records, plan)?;
    let share = earlier.share.unwrap_or_else(|| oracle.least_share());
    journal.append(&plan.identity.to_record(plan.start, share))?;
    let history = match &plan.history {
        Some(extension) => Some(History::open(&plan.folder.history_path(), extension)?),
        None => None,
    };
    let memo = Memo::open(&RealFs, &plan.folder.memo_path())?;
    let known = earlier.steps.iter().copied().collect();
    let oracle = Remembering::new(oracle, Mutex::new(memo), known);
    let writer = Writer::start(plan.out.to_owned(), journal, history);
    let mut recorder = Recorder::new(writer, &oracle, watch, plan.original, earlier.steps.clone());
    let staged = Staged { plan, oracle: &oracle, cancels, share };
    let mut result = staged.search(&mut recorder, plan.original.to_vec());
    if recorder.has_diverged() || result.searched.stop.is_none() && recorder.is_replaying() {
        // The oracle answered differently this time. The best file is on disk: search from there.
        recorder.replay.clear();
        result = staged.search(&mut recorder, earlier.best(plan));
    }
    let StagedResult { searched: SearchResult { stop, mut best, mut stats }, unconfirmed } = result;
    if recorder.is_replaying() {
        // Stopped before reaching the point where the earlier run was: its file is better.
        best = earlier.best(plan);
        stats.bytes = best.len() as u64;
    }
    let reported = recorder.report_written();
    let (journal, has_written) = recorder.writer.finish();
    let stop = stop.or(reported.err().map(|error| ReductionStop::Store(error.to_string())));
    let stop = stop.or(journal.as_ref().err().map(|error| ReductionStop::Store(error.to_string())));
    if stats.disagreements == 0 {
        stats.disagreements = u64::from(oracle.is_flaky());
    }
    // Steps may have been undone: then the result is the original.
    let mut is_reduced = is_smaller(&best, plan.original);
    if matches!(stop, Some(ReductionStop::Store(_))) {
        // The last steps could not be written: the result is the file on disk, if it is ours.
        let kept = if has_written { std::fs::read(plan.out).ok() } else { earlier.content.clone() };
        is_reduced = kept.is_some();
        best = kept.unwrap_or_else(|| plan.original.to_vec());
    }
    let ended = EndedSearch { searched: SearchResult { stop, best, stats }, is_reduced };
    let finished = finish::finish(plan, &oracle, cancels, ended, journal.ok())?;
    Ok(Finished { unconfirmed, ..finished })
}
