//! What is shown while a job runs: one live line on a terminal, plain lines in a pipe. All on standard error.

use crate::terminal::live_width;
use nub_jobs::sanitize;
use nub_report::{Accepted, FuzzProgress, Progress, SearchProgress, StartEvent};
use std::io::Write;
use std::time::{Duration, Instant};

/// Time between two updates of the live line.
const LIVE_PERIOD: Duration = Duration::from_millis(100);
/// Time between two plain lines about accepted steps.
const STEP_PERIOD: Duration = Duration::from_secs(1);
/// Time between two plain lines about a campaign.
const CAMPAIGN_PERIOD: Duration = Duration::from_secs(10);
/// Window for the rate of asks.
const RATE_PERIOD: Duration = Duration::from_secs(3);
/// A search that ends sooner shows nothing.
const QUIET: Duration = Duration::from_secs(2);
/// Time between two updates of its line.
const SEARCH_PERIOD: Duration = Duration::from_millis(500);

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Talk {
    /// Nothing.
    Quiet,
    /// A live line, or occasional plain lines.
    Normal,
    /// Every accepted step.
    Verbose,
}

/// Shows progress.
pub struct LiveLine {
    talk: Talk,
    width: Option<usize>,
    start: Instant,
    last_shown: Option<Instant>,
    is_shown: bool,
    start_bytes: u64,
    is_flaky: bool,
    rate: Rate,
    first_inputs: Option<u64>,
    search: Option<(SearchProgress, Instant)>,
}

impl LiveLine {
    /// A line for a job that starts now.
    pub fn new(talk: Talk) -> LiveLine {
        let start = Instant::now();
        LiveLine {
            talk,
            width: if talk == Talk::Quiet { None } else { live_width() },
            start,
            last_shown: None,
            is_shown: false,
            start_bytes: 0,
            is_flaky: false,
            rate: Rate::new(start),
            first_inputs: None,
            search: None,
        }
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            write("\r\x1b[K");
        }
    }

    /// A reduction begins.
    pub fn begin(&mut self, start: &StartEvent) {
        self.start_bytes = start.bytes;
    }

    /// Shows an accepted step: all of them, or an occasional one if there is no live line.
    pub fn accepted(&mut self, step: &Accepted) {
        let shows = match (self.talk, self.width) {
            (Talk::Quiet, _) | (Talk::Normal, Some(_)) => false,
            (Talk::Verbose, _) => true,
            (Talk::Normal, None) => self.is_due(STEP_PERIOD),
        };
        if shows {
            self.clear();
            let line = self.step_line(step.bytes, step.asks, &step.pass);
            write(&format!("{line}\n"));
        }
    }

    /// Shows the progress of the job.
    pub fn progress(&mut self, progress: Progress) {
        if self.talk == Talk::Quiet {
            return;
        }
        match progress {
            Progress::Reduce(now) => {
                self.is_flaky = now.flaky;
                if self.width.is_some() && self.is_due(LIVE_PERIOD) {
                    let line = self.step_line(now.bytes, now.asks, &now.pass);
                    self.show(&format!("{}  {line}", self.clock()));
                }
            }
            Progress::Fuzz(now) => {
                let period = if self.width.is_some() { LIVE_PERIOD } else { CAMPAIGN_PERIOD };
                if self.is_due(period) {
                    let line = self.campaign_line(&now);
                    if self.width.is_some() { self.show(&line) } else { write(&format!("{line}\n")) }
                }
            }
            Progress::Search(now) => {
                let since = match &self.search {
                    Some((before, since)) if before.hint == now.hint => *since,
                    _ => Instant::now(),
                };
                self.search = Some((now, since));
            }
        }
    }

    /// Updates the line as time passes.
    pub fn tick(&mut self) {
        let Some((search, since)) = &self.search else { return };
        if self.width.is_none() || since.elapsed() < QUIET {
            return;
        }
        let line = format!("{}, {} s; {}", search.doing, since.elapsed().as_secs(), search.hint);
        if self.is_due(SEARCH_PERIOD) {
            self.show(&line);
        }
    }

    fn is_due(&mut self, period: Duration) -> bool {
        let is_due = self.last_shown.is_none_or(|last| last.elapsed() >= period);
        if is_due {
            self.last_shown = Some(Instant::now());
        }
        is_due
    }

    fn show(&mut self, line: &str) {
        let Some(width) = self.width else { return };
        let shown: String = line.chars().take(width.saturating_sub(1)).collect();
        write(&format!("\r{shown}\x1b[K"));
        self.is_shown = true;
    }

    fn clock(&self) -> String {
        let seconds = self.start.elapsed().as_secs();
        format!("{:>2}:{:02}", seconds / 60, seconds % 60)
    }

    fn step_line(&mut self, bytes: u64, asks: u64, pass: &str) -> String {
        let percent = 100.0 * bytes as f64 / self.start_bytes.max(1) as f64;
        let flaky = if self.is_flaky { "  FLAKY" } else { "" };
        let rate = self.rate.update(asks);
        let pass = sanitize(pass.as_bytes());
        let runs = if asks == 1 { "run " } else { "runs" };
        format!("{bytes:>9} B  {percent:>5.1} %  {asks:>6} {runs}  {rate:>5.0}/s  {pass}{flaky}")
    }

    fn campaign_line(&mut self, now: &FuzzProgress) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let before = *self.first_inputs.get_or_insert(now.inputs);
        let rate = (now.inputs - before) as f64 / seconds.max(0.1);
        format!(
            "{}  {} inputs  {rate:.0}/s  sat {} unsat {} slow {}  {} groups, {} being reduced",
            self.clock(),
            now.inputs,
            now.sat,
            now.unsat,
            now.slow,
            now.groups,
            now.reducing
        )
    }
}

/// Asks per second over the last seconds.
struct Rate {
    since: Instant,
    asks: u64,
    per_second: f64,
    is_first: bool,
}

impl Rate {
    fn new(start: Instant) -> Rate {
        Rate { since: start, asks: 0, per_second: 0.0, is_first: true }
    }

    fn update(&mut self, asks: u64) -> f64 {
        let elapsed = self.since.elapsed();
        let is_full = elapsed >= RATE_PERIOD;
        if self.is_first || is_full {
            self.per_second = asks.saturating_sub(self.asks) as f64 / elapsed.as_secs_f64().max(1e-3);
        }
        if is_full {
            *self = Rate { since: Instant::now(), asks, per_second: self.per_second, is_first: false };
        }
        self.per_second
    }
}

/// Errors are ignored: a closed standard error must not stop the work.
fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
