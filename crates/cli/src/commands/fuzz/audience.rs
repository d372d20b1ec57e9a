//! What is shown while a campaign runs: one line that lives, and a line for each group of findings.

use super::status;
use crate::progress::Talk;
use crate::reporter::Reporter;
use crate::sanitize::sanitize;
use crate::terminal::stderr_width;
use nub_fuzz::campaign::book::Entry;
use nub_fuzz::campaign::{News, group_file};
use nub_fuzz::{Audience, KnownList, Tally};
use nub_report::fuzz::{FuzzEvent, Group};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Time between two updates of the live line.
const LIVE_PERIOD: Duration = Duration::from_millis(100);
/// Time between two plain lines, where there is no terminal.
const PLAIN_PERIOD: Duration = Duration::from_secs(10);

/// Shows what happens.
pub struct Screen {
    reporter: Reporter,
    folder: PathBuf,
    known: KnownList,
    start: Instant,
    last_shown: Option<Instant>,
    width: Option<usize>,
    has_live_line: bool,
    inputs_at_start: Option<u64>,
}

impl Screen {
    /// A screen for a campaign in this folder.
    pub fn new(reporter: Reporter, folder: PathBuf, known: KnownList, start: Instant) -> Screen {
        let width = if reporter.talk() == Talk::Quiet { None } else { stderr_width() };
        Screen {
            reporter,
            folder,
            known,
            start,
            last_shown: None,
            width,
            has_live_line: false,
            inputs_at_start: None,
        }
    }

    /// Removes the live line.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.has_live_line) {
            write("\r\x1b[K");
        }
    }

    fn group(&self, entry: &Entry) -> Group {
        status::group(&self.folder, entry, &self.known, &|entry| entry.finding.solver.clone())
    }

    fn is_due(&mut self) -> bool {
        let period = if self.width.is_some() { LIVE_PERIOD } else { PLAIN_PERIOD };
        let now = Instant::now();
        let is_due = self.last_shown.is_none_or(|last| now - last >= period);
        if is_due {
            self.last_shown = Some(now);
        }
        is_due
    }

    fn line(&mut self, tally: &Tally, n_groups: usize, n_reducing: usize) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let before = *self.inputs_at_start.get_or_insert(tally.n_inputs);
        let rate = (tally.n_inputs - before) as f64 / seconds.max(0.1);
        let answers = tally.solvers.values().fold((0, 0, 0), |(sat, unsat, slow), counts| {
            (sat + counts.n_sat, unsat + counts.n_unsat, slow + counts.n_timeouts)
        });
        let whole = seconds as u64;
        format!(
            "{:>2}:{:02}  {} inputs  {rate:.0}/s  sat {} unsat {} slow {}  {n_groups} groups, {n_reducing} being reduced",
            whole / 60,
            whole % 60,
            tally.n_inputs,
            answers.0,
            answers.1,
            answers.2,
        )
    }
}

impl Audience for Screen {
    fn counted(&mut self, tally: &Tally, n_groups: usize, n_reducing: usize) {
        if self.reporter.talk() == Talk::Quiet || !self.is_due() {
            return;
        }
        let line = self.line(tally, n_groups, n_reducing);
        match self.width {
            Some(width) => {
                let shown: String = line.chars().take(width.saturating_sub(1)).collect();
                write(&format!("\r{shown}\x1b[K"));
                self.has_live_line = true;
            }
            None => write(&format!("{line}\n")),
        }
    }

    fn found(&mut self, entry: &Entry, news: &News) {
        let word = match news {
            News::New(_) => "found",
            News::Regression(_) => "REGRESSION",
            News::Known(_) | News::Member(_) | News::Again(_) | News::Counted => return,
        };
        self.clear();
        let title = sanitize(entry.finding.title().as_bytes());
        self.reporter.event_line(|| FuzzEvent::Found(self.group(entry)).to_line());
        self.reporter.text(&format!("{word} {}: {title}", entry.key.slug()));
    }

    fn reduced(&mut self, entry: &Entry) {
        let Some(small) = &entry.small else { return };
        self.clear();
        self.reporter.event_line(|| FuzzEvent::Reduced(self.group(entry)).to_line());
        let file = group_file(&self.folder, entry, "reduced");
        let note = if small.note.is_empty() { String::new() } else { format!(" ({})", small.note) };
        self.reporter.text(&format!(
            "reduced {}: {} to {} bytes{note}: {}",
            entry.key.slug(),
            small.n_bytes_before,
            small.n_bytes_after,
            file.display()
        ));
    }

    fn withdrawn(&mut self, entry: &Entry) {
        // Of what says little nobody has heard yet.
        if !entry.finding.is_coarse() {
            self.clear();
            let slug = entry.key.slug();
            self.reporter.text(&format!("withdrawn {slug}: it could not be reproduced for its reduction"));
        }
    }
}

/// Nobody may be listening, and that must not stop the work.
fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
