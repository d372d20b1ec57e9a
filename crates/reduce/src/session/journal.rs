//! The state of an earlier run, and whether it may be continued.

use super::ReductionPlan;
use nub_oracle::TimeShare;
use nub_store::{AfterRun, JournalRecord, JournalRecordKind, RunFolder, StoreError};
use std::path::Path;

/// Whether to start over or to continue an earlier run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReductionStart {
    /// Start from the original; the state of an earlier run in the folder is dropped.
    Fresh,
    /// Continue where the run in the folder stopped; start from the original if there was none.
    Resume,
}

/// Opens the folder of a run; empties it unless the run is resumed.
pub fn open_folder(path: &Path, start: ReductionStart) -> Result<RunFolder, StoreError> {
    let folder = RunFolder::open(path)?;
    if start == ReductionStart::Resume || !folder.journal_path().exists() {
        return Ok(folder);
    }
    folder.finish(AfterRun::Remove)?;
    RunFolder::open(path)
}

/// Whether an earlier run left its journal in the folder.
pub fn has_journal(path: &Path) -> bool {
    RunFolder::has_journal(path)
}

/// What must be the same for a run to be resumed: named values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Identity {
    /// Names, for the message when a value differs, and values.
    pub parts: Vec<(&'static str, Vec<u8>)>,
}

const START: &str = "start";
const HASH: &str = "hash";
const FORM: &str = "form";
/// How often the time limit was halved at the start: measured, so a resumed run takes it from here.
const HALVINGS: &str = "halvings";

impl Identity {
    /// The identity of a run on this original; the caller adds what else matters.
    pub fn new(original: &[u8]) -> Identity {
        Identity { parts: vec![("input", hash(original).to_vec())] }
    }

    /// Adds a part.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl AsRef<[u8]>) -> Identity {
        self.parts.push((name, value.as_ref().to_vec()));
        self
    }

    pub(super) fn to_record(&self, start: ReductionStart, share: TimeShare) -> JournalRecord {
        let word = match start {
            ReductionStart::Fresh => "fresh",
            ReductionStart::Resume => "resumed",
        };
        let header = JournalRecord::new(JournalRecordKind::Header).with(START, word);
        let header = header.with_number(HALVINGS, share.halvings().into());
        self.parts.iter().fold(header, |record, (name, value)| record.with(name, value))
    }
}

/// The hash that identifies a file.
pub(super) fn hash(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}

pub(super) fn step_record(pass: &str, asks: u64, bytes: &[u8]) -> JournalRecord {
    let record = JournalRecord::new(JournalRecordKind::Step).with("pass", pass);
    record.with_number("asks", asks).with_number("size", bytes.len() as u64).with(HASH, hash(bytes))
}

/// The final form that the result is about to get: not a step, but content that a resumed run must recognise.
pub(super) fn form_record(bytes: &[u8]) -> JournalRecord {
    step_record(FORM, 0, bytes).with(FORM, "")
}

pub(super) fn end_record(bytes: &[u8]) -> JournalRecord {
    JournalRecord::new(JournalRecordKind::End).with_number("size", bytes.len() as u64).with(HASH, hash(bytes))
}

/// Why an earlier run cannot be continued.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResumeError {
    /// This part of its identity has changed.
    Differs(&'static str),
    /// The result file is not what the earlier run left.
    Changed,
    /// It has finished.
    Ended,
}

/// An earlier run, according to its journal.
#[derive(Default)]
pub(super) struct Earlier {
    /// Hashes of its accepted steps.
    pub(super) steps: Vec<[u8; 32]>,
    /// What the result file holds.
    pub(super) content: Option<Vec<u8>>,
    /// The share of the time limit that it started with.
    pub(super) share: Option<TimeShare>,
}

impl Earlier {
    /// Reads the journal and checks that it is from the run that is to be continued.
    pub(super) fn read(records: &[JournalRecord], plan: &ReductionPlan) -> Result<Earlier, ResumeError> {
        let Some(header) = records.iter().find(|record| record.kind == JournalRecordKind::Header) else {
            return Ok(Earlier::default());
        };
        let differs = |part: &&(&'static str, Vec<u8>)| header.get(part.0) != Some(&part.1);
        if let Some((name, _)) = plan.identity.parts.iter().find(differs) {
            return Err(ResumeError::Differs(name));
        }
        if records.iter().any(|record| record.kind == JournalRecordKind::End) {
            return Err(ResumeError::Ended);
        }
        let contents: Vec<[u8; 32]> = records.iter().filter_map(step_hash).collect();
        let is_step = |record: &&JournalRecord| record.get(FORM).is_none();
        let steps: Vec<[u8; 32]> = records.iter().filter(is_step).filter_map(step_hash).collect();
        let content = std::fs::read(plan.out).ok();
        if !steps.is_empty() && content.as_ref().is_some_and(|bytes| !contents.contains(&hash(bytes))) {
            return Err(ResumeError::Changed);
        }
        let halvings = header.number(HALVINGS).and_then(|halvings| u32::try_from(halvings).ok());
        let share = halvings.map(TimeShare::halved);
        Ok(Earlier { content: content.filter(|_| !steps.is_empty()), steps, share })
    }

    /// The best known file.
    pub(super) fn best(&self, plan: &ReductionPlan) -> Vec<u8> {
        self.content.clone().unwrap_or_else(|| plan.original.to_vec())
    }
}

fn step_hash(record: &JournalRecord) -> Option<[u8; 32]> {
    (record.kind == JournalRecordKind::Step).then(|| record.get(HASH)?.try_into().ok()).flatten()
}
