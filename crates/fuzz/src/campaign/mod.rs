//! The folder of a campaign. It survives a kill at any moment: a unit counts when its record is in the journal, and its
//! findings are written before that. Unfinished units are repeated, with the same inputs.
//!
//! ```text
//! lock, journal, tmp/            see `nub_store`
//! known.txt                      groups that are known or fixed; written by people
//! groups/SLUG/input.EXT          what provoked it       reduced.EXT   what is left of that
//! groups/SLUG/report.md          for the bug report
//! index.html                     all of it, to look at
//! ```

pub mod book;
pub mod export;
pub mod merge;
mod records;
pub mod report_md;

use crate::examine::{Examined, ReproducedFinding, UnitPlan};
use crate::reduction::{NotReduced, Reduced};
use crate::tally::Tally;
use crate::{FuzzInput, GroupKey, InputOrigin, KnownList, KnownState, coverage};
use book::{Book, Entry, Placed, Small};
use nub_store::{
    Journal, JournalRecord, JournalRecordKind, RealFs, RunFolder, StoreError, commit, create_folder, discard,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

const GROUPS: &str = "groups";
const KNOWN: &str = "known.txt";
const INPUT: &str = "input";
const REDUCED: &str = "reduced";
const REPORT: &str = "report.md";

/// Why a campaign cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// Disk, or another nub.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder contains another campaign.
    #[error("the campaign in {folder} was started with a different {part}")]
    Differs {
        /// The folder.
        folder: String,
        /// Which setting differs.
        part: String,
    },
    /// There is no journal, or it cannot be read.
    #[error("there is no campaign in {0}")]
    Missing(String),
    /// The list of known groups has an error.
    #[error("{0}")]
    Known(String),
}

/// The state of a campaign according to its journal, read without a lock: for `status`, `replay`, `export`
/// and `merge`.
#[derive(Default)]
pub struct JournaledCampaign {
    /// The arguments it was started with.
    pub args: Vec<String>,
    /// What must stay the same.
    pub identity: Vec<(String, String)>,
    /// Units that are done, with the hash of their inputs.
    pub units: BTreeMap<u64, Option<[u8; 32]>>,
    /// The sum of all units.
    pub tally: Tally,
    /// Total time of all runs of the campaign.
    pub elapsed: Duration,
    /// The groups.
    pub book: Book,
}

impl JournaledCampaign {
    /// Reads the journal of a folder that may be in use.
    pub fn read(folder: &Path) -> Result<JournaledCampaign, CampaignError> {
        let missing = || CampaignError::Missing(folder.display().to_string());
        if !RunFolder::has_journal(folder) {
            return Err(missing());
        }
        let (_, records) = Journal::open(&RealFs, &folder.join("journal"))?;
        let state = JournaledCampaign::from_records(&records);
        if state.identity.is_empty() { Err(missing()) } else { Ok(state) }
    }

    fn from_records(records: &[JournalRecord]) -> JournaledCampaign {
        let mut state = JournaledCampaign::default();
        let mut session = Duration::ZERO;
        for record in records {
            match record.kind {
                JournalRecordKind::Header => {
                    state.elapsed += std::mem::take(&mut session);
                    if let Some((args, identity)) = records::read_header(record) {
                        (state.args, state.identity) = (args, identity);
                    }
                }
                JournalRecordKind::Unit => {
                    if let Some((unit, tally, elapsed)) = records::read_unit(record) {
                        session = session.max(elapsed);
                        state.add_unit(unit, tally);
                    }
                }
                JournalRecordKind::Finding => {
                    if let Some((entry, _, seed)) = records::read_finding(record) {
                        state.book.restore(entry, seed);
                    }
                }
                JournalRecordKind::Reduced => {
                    if let Some((group, small)) = records::read_reduced(record) {
                        state.book.restore_small(&group, small);
                    }
                }
                JournalRecordKind::Merged | JournalRecordKind::Step | JournalRecordKind::End => {}
            }
        }
        state.elapsed += session;
        state
    }

    fn add_unit(&mut self, unit: u64, tally: Tally) {
        if self.units.insert(unit, tally.hash).is_none() {
            self.tally.add(&tally);
        }
    }
}

/// A campaign whose folder is locked until this is dropped.
pub struct Campaign {
    folder: RunFolder,
    journal: Journal,
    state: JournaledCampaign,
    /// Time of earlier runs.
    elapsed_before: Duration,
    known: KnownList,
}

/// How the campaign classifies a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// A new group: reduce and report it.
    New(usize),
    /// A new group that is on the list of known bugs: reduce it without reporting it.
    Known(usize),
    /// A finding with an unspecific key: only its reduced file will tell whether it is a group of its own.
    Member(usize),
    /// It was listed as fixed and has occurred again.
    Regression(usize),
    /// Another member of a group.
    Again(usize),
    /// Already counted.
    Counted,
}

impl Campaign {
    /// Opens or creates a campaign. If there is one in the folder, it must have the same identity, and is
    /// continued.
    pub fn open(
        path: &Path,
        args: &[String],
        identity: Vec<(String, String)>,
    ) -> Result<Campaign, CampaignError> {
        let folder = RunFolder::open(path)?;
        let (mut journal, records) = Journal::open(&RealFs, &folder.journal_path())?;
        let mut state = JournaledCampaign::from_records(&records);
        if let Some(part) = first_difference(&state.identity, &identity) {
            return Err(CampaignError::Differs { folder: path.display().to_string(), part });
        }
        journal.append(&records::header(args, &identity))?;
        (state.args, state.identity) = (args.to_vec(), identity);
        let known = read_known(&folder.path().join(KNOWN))?;
        create_folder(&RealFs, &folder.path().join(GROUPS))?;
        let elapsed_before = state.elapsed;
        let campaign = Campaign { folder, journal, state, elapsed_before, known };
        // A kill may have happened after the record was written and before the move was complete.
        campaign.state.book.entries().iter().for_each(|entry| campaign.discard_old_folder(entry));
        Ok(campaign)
    }

    /// What has been done so far.
    pub fn state(&self) -> &JournaledCampaign {
        &self.state
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where temporary files go.
    pub fn temp_root(&self) -> &Path {
        self.folder.temp_root()
    }

    /// Records a finding durably, its input first.
    pub fn record_finding(&mut self, unit: u64, found: &ReproducedFinding) -> Result<News, CampaignError> {
        let placed = self.state.book.place(unit, found);
        let number = match placed {
            Placed::Counted => return Ok(News::Counted),
            Placed::New(number) | Placed::Again(number) => number,
        };
        let entry = &self.state.book.entries()[number];
        if placed == Placed::New(number) {
            let file = self.input_path(entry);
            create_folder(&RealFs, file.parent().unwrap_or(self.path()))?;
            commit(&RealFs, &file, &found.input.text)?;
        }
        self.journal.append(&records::finding(entry, unit, found.input.seed))?;
        let known = self.known_state(entry);
        Ok(match (placed, known) {
            (Placed::New(_), _) if entry.finding.is_coarse() => News::Member(number),
            (Placed::New(_), Some(KnownState::Fixed)) => News::Regression(number),
            (Placed::New(_), Some(KnownState::Known)) => News::Known(number),
            (Placed::New(_), None) => News::New(number),
            _ => News::Again(number),
        })
    }

    /// Records the end of a unit; its findings have been recorded.
    pub fn record_unit(
        &mut self,
        unit: u64,
        examined: Examined,
        elapsed: Duration,
    ) -> Result<(), CampaignError> {
        let tally = examined.tally;
        let new_points: Vec<_> = tally.points.difference(&self.state.tally.points).cloned().collect();
        self.journal.append(&records::unit(unit, &tally, &new_points, elapsed))?;
        self.state.elapsed = self.elapsed_before + elapsed;
        self.state.add_unit(unit, tally);
        Ok(())
    }

    /// Records the result of a reduction: the file, its report, then the record.
    pub fn record_reduced(
        &mut self,
        plan: &UnitPlan,
        number: usize,
        result: Result<Reduced, NotReduced>,
    ) -> Result<&Entry, CampaignError> {
        let entry = &self.state.book.entries()[number];
        let input = std::fs::read(self.input_path(entry)).unwrap_or_default();
        let mut small = Small {
            n_bytes_before: input.len() as u64,
            n_bytes_after: input.len() as u64,
            options: entry.options.clone(),
            ..Small::default()
        };
        let mut text = input;
        match result {
            Ok(reduced) => {
                small.n_bytes_after = reduced.text.len() as u64;
                small.n_asks = reduced.n_asks;
                small.options = reduced.options;
                small.operators = coverage::operators(&reduced.text, entry.language);
                if !reduced.is_whole {
                    small.note = "the limits were reached before the search had ended".to_owned();
                }
                small.finding = Some(reduced.finding);
                text = reduced.text;
            }
            Err(reason) => {
                small.note = not_reduced(reason).to_owned();
                small.is_withdrawn = reason == NotReduced::Gone;
            }
        }
        self.state.book.set_small(number, small);
        let entry = &self.state.book.entries()[number];
        self.move_input(entry)?;
        commit(&RealFs, &self.reduced_path(entry), &text)?;
        let report = report_md::report(plan, entry, &text);
        commit(&RealFs, &self.group_folder(&entry.key).join(REPORT), report.as_bytes())?;
        if let Some(small) = &entry.small {
            self.journal.append(&records::reduced(entry.found_as.id(), small))?;
        }
        self.discard_old_folder(entry);
        Ok(&self.state.book.entries()[number])
    }

    /// Copies the input to the new folder of its group. It also stays in the old folder until the journal records
    /// the new one.
    fn move_input(&self, entry: &Entry) -> Result<(), CampaignError> {
        if entry.key != entry.found_as {
            let old = self.group_folder(&entry.found_as).join(file_name(entry, INPUT));
            create_folder(&RealFs, &self.group_folder(&entry.key))?;
            if let Ok(input) = std::fs::read(old) {
                commit(&RealFs, &self.input_path(entry), &input)?;
            }
        }
        Ok(())
    }

    /// Removes the folder that a group had under its provisional name.
    fn discard_old_folder(&self, entry: &Entry) {
        if entry.key != entry.found_as {
            let files = [file_name(entry, INPUT), file_name(entry, REDUCED), REPORT.to_owned()];
            discard(&self.group_folder(&entry.found_as), &files);
        }
    }

    fn group_folder(&self, key: &GroupKey) -> PathBuf {
        self.path().join(GROUPS).join(key.slug())
    }

    /// A group's first member, to be reduced.
    pub fn member(&self, number: usize) -> Option<ReproducedFinding> {
        let entry = &self.state.book.entries()[number];
        let text = std::fs::read(self.input_path(entry)).ok()?;
        let input = FuzzInput {
            seed: entry.seed,
            text,
            language: entry.language,
            status: None,
            origin: InputOrigin::Derived,
        };
        let (finding, options) = (entry.finding.clone(), entry.options.clone());
        Some(ReproducedFinding { finding, input, options, said: entry.said.clone() })
    }

    /// Where the input of a group is.
    pub fn input_path(&self, entry: &Entry) -> PathBuf {
        group_file(self.path(), entry, INPUT)
    }

    /// The path of a group's reduced file.
    pub fn reduced_path(&self, entry: &Entry) -> PathBuf {
        group_file(self.path(), entry, REDUCED)
    }

    /// What the list of known bugs says about a group.
    pub fn known_state(&self, entry: &Entry) -> Option<KnownState> {
        self.known.state(&entry.key, &entry.finding.title())
    }

    /// What the list of known bugs says about groups.
    pub fn known(&self) -> &KnownList {
        &self.known
    }
}

/// A file of a group below a campaign's folder.
pub fn group_file(folder: &Path, entry: &Entry, name: &str) -> PathBuf {
    folder.join(GROUPS).join(entry.key.slug()).join(file_name(entry, name))
}

fn file_name(entry: &Entry, name: &str) -> String {
    format!("{name}.{}", entry.language.extension())
}

fn not_reduced(reason: NotReduced) -> &'static str {
    match reason {
        NotReduced::Gone => "it could not be reproduced for its reduction: withdrawn",
        NotReduced::TruthUnknown => "only the generator knew the right answer, and not for smaller inputs",
        NotReduced::Cancelled => "the campaign was stopped",
    }
}

fn first_difference(old: &[(String, String)], new: &[(String, String)]) -> Option<String> {
    let differs = |(name, value): &&(String, String)| old.iter().any(|(key, it)| key == name && it != value);
    new.iter().find(differs).map(|(name, _)| name.clone())
}

/// The list of known groups; empty if there is no file.
pub fn read_known(path: &Path) -> Result<KnownList, CampaignError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(CampaignError::Known(format!("cannot read {}: {error}", path.display()))),
    };
    KnownList::parse(&text).map_err(|errors| {
        let first = errors.first().map_or(String::new(), |it| format!(":{}: {}", it.line, it.fault));
        CampaignError::Known(format!("{}{first}", path.display()))
    })
}
