//! Reports a campaign as events.

use super::status;
use crate::events::EventSink;
use nub_fuzz::campaign::News;
use nub_fuzz::campaign::book::Entry;
use nub_fuzz::{Audience, KnownList, Tally};
use nub_report::fuzz::GroupReport;
use nub_report::{FuzzProgress, JobEvent, Progress};
use std::path::PathBuf;

/// Sends events about a campaign.
pub struct EventAudience {
    events: EventSink,
    folder: PathBuf,
    known: KnownList,
}

impl EventAudience {
    /// For a campaign in this folder.
    pub fn new(events: EventSink, folder: PathBuf, known: KnownList) -> EventAudience {
        EventAudience { events, folder, known }
    }

    fn group(&self, entry: &Entry) -> GroupReport {
        status::group(&self.folder, entry, &self.known, &|entry| entry.finding.solver.clone())
    }
}

impl Audience for EventAudience {
    fn counted(&mut self, tally: &Tally, n_groups: usize, n_reducing: usize) {
        self.events.progress(|| {
            let counts = || tally.solvers.values();
            Progress::Fuzz(FuzzProgress {
                inputs: tally.n_inputs,
                sat: counts().map(|counts| counts.n_sat).sum(),
                unsat: counts().map(|counts| counts.n_unsat).sum(),
                slow: counts().map(|counts| counts.n_timeouts).sum(),
                groups: n_groups as u64,
                reducing: n_reducing as u64,
            })
        });
    }

    fn found(&mut self, entry: &Entry, news: &News) {
        if matches!(news, News::New(_) | News::Regression(_)) {
            self.events.send(JobEvent::Found(self.group(entry)));
        }
    }

    fn reduced(&mut self, entry: &Entry) {
        if entry.small.is_some() {
            self.events.send(JobEvent::Reduced(self.group(entry)));
        }
    }

    fn withdrawn(&mut self, entry: &Entry) {
        // Unspecific findings have not been reported yet.
        if !entry.finding.is_coarse() {
            self.events.send(JobEvent::Withdrawn(self.group(entry)));
        }
    }
}
