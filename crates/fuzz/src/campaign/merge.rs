//! Merges another campaign: its units, its groups, their files.

use super::book::{Entry, Small};
use super::{
    Campaign, CampaignError, INPUT, JournaledCampaign, REDUCED, REPORT, first_difference, group_file, records,
};
use nub_store::{JournalRecord, JournalRecordKind, RealFs, commit, create_folder};
use std::path::Path;

/// What a merge added.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct MergeSummary {
    /// Units that were new.
    pub n_units: u64,
    /// Groups that were new.
    pub n_groups: u64,
    /// New members of existing groups.
    pub n_members: u64,
}

impl Campaign {
    /// Merges the findings of another campaign. Both must have been started with the same solvers, inputs and first seed,
    /// so that a unit means the same in both; units that both have count once. The findings of a unit are merged with the
    /// unit.
    pub fn merge(&mut self, other_folder: &Path) -> Result<MergeSummary, CampaignError> {
        let other = JournaledCampaign::read(other_folder)?;
        if let Some(part) = first_difference(&self.state.identity, &other.identity) {
            return Err(CampaignError::Differs { folder: other_folder.display().to_string(), part });
        }
        let mut merged = MergeSummary::default();
        let (_, records) = nub_store::Journal::open(&RealFs, &other_folder.join("journal"))?;
        for record in &records {
            match record.kind {
                JournalRecordKind::Finding => self.take_finding(record, &other, other_folder, &mut merged)?,
                JournalRecordKind::Reduced => self.take_reduced(record, &other, other_folder)?,
                JournalRecordKind::Unit => self.take_unit(record, &mut merged)?,
                _ => {}
            }
        }
        let identity = other_folder.display().to_string();
        self.journal.append(&JournalRecord::new(JournalRecordKind::Merged).with("identity", identity))?;
        Ok(merged)
    }

    fn take_unit(&mut self, record: &JournalRecord, merged: &mut MergeSummary) -> Result<(), CampaignError> {
        let Some((unit, tally, _)) = records::read_unit(record) else { return Ok(()) };
        if self.state.units.contains_key(&unit) {
            return Ok(());
        }
        self.journal.append(record)?;
        self.state.add_unit(unit, tally);
        merged.n_units += 1;
        Ok(())
    }

    fn take_finding(
        &mut self,
        record: &JournalRecord,
        other: &JournaledCampaign,
        other_folder: &Path,
        merged: &mut MergeSummary,
    ) -> Result<(), CampaignError> {
        let Some((entry, unit, seed)) = records::read_finding(record) else { return Ok(()) };
        if self.state.units.contains_key(&unit) {
            return Ok(());
        }
        let is_new = self.state.book.find(entry.key.id()).is_none();
        if is_new {
            let its = other.book.find(entry.found_as.id()).map(|its| &other.book.entries()[its]);
            self.copy(&group_file(other_folder, its.unwrap_or(&entry), INPUT), &self.input_path(&entry))?;
        }
        self.journal.append(record)?;
        self.state.book.restore(entry, seed);
        if is_new {
            merged.n_groups += 1
        } else {
            merged.n_members += 1
        }
        Ok(())
    }

    fn take_reduced(
        &mut self,
        record: &JournalRecord,
        other: &JournaledCampaign,
        other_folder: &Path,
    ) -> Result<(), CampaignError> {
        let Some((group, small)) = records::read_reduced(record) else { return Ok(()) };
        // A group that is named by its reduced file keeps both names.
        let is_wanted = |entry: &Entry| {
            entry.small.as_ref().is_none_or(|own: &Small| {
                !entry.finding.is_coarse() && own.n_bytes_after > small.n_bytes_after
            })
        };
        let Some(own) = self.state.book.find(&group) else { return Ok(()) };
        let Some(its) = other.book.find(&group) else { return Ok(()) };
        if !is_wanted(&self.state.book.entries()[own]) {
            return Ok(());
        }
        let from = group_file(other_folder, &other.book.entries()[its], REDUCED);
        // Determine the twins again: in this campaign another group may have been reduced first.
        self.state.book.set_small(own, Small { twin: String::new(), ..small });
        let entry = &self.state.book.entries()[own];
        self.move_input(entry)?;
        self.copy(&from, &self.reduced_path(entry))?;
        self.copy(&from.with_file_name(REPORT), &self.reduced_path(entry).with_file_name(REPORT))?;
        if let Some(small) = &entry.small {
            self.journal.append(&records::reduced(&group, small))?;
        }
        self.discard_old_folder(entry);
        Ok(())
    }

    fn copy(&self, from: &Path, to: &Path) -> Result<(), CampaignError> {
        if let Ok(text) = std::fs::read(from) {
            create_folder(&RealFs, to.parent().unwrap_or(self.path()))?;
            commit(&RealFs, to, &text)?;
        }
        Ok(())
    }
}
