//! What is shown while a reduction runs: one live line on a terminal, plain lines in a pipe. All on standard error.

use crate::sanitize::sanitize;
use crate::terminal::stderr_width;
use nub_reduce::{Stats, Step, Watch};
use std::io::Write;
use std::time::{Duration, Instant};

/// Time between two updates of the live line.
const LIVE_PERIOD: Duration = Duration::from_millis(100);
/// Time between two plain lines.
const PLAIN_PERIOD: Duration = Duration::from_secs(1);
/// Window for the rate of asks.
const RATE_PERIOD: Duration = Duration::from_secs(3);

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Talk {
    /// Nothing.
    Quiet,
    /// A live line, or a plain line now and then.
    Normal,
    /// Every accepted step.
    Verbose,
}

/// Told of every accepted step, with the seconds since the start.
pub type OnStep = Box<dyn FnMut(&Step, f64)>;

/// Shows progress. Told by the session.
pub struct Progress {
    talk: Talk,
    start_bytes: u64,
    start: Instant,
    last_shown: Option<Instant>,
    rate: Rate,
    width: Option<usize>,
    has_live_line: bool,
    on_step: OnStep,
}

impl Progress {
    /// Progress from a file of `start_bytes`.
    pub fn new(talk: Talk, start_bytes: u64, start: Instant, on_step: OnStep) -> Progress {
        let rate = Rate::new(start);
        let width = if talk == Talk::Quiet { None } else { stderr_width() };
        Progress { talk, start_bytes, start, last_shown: None, rate, width, has_live_line: false, on_step }
    }

    /// Removes the live line.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.has_live_line) {
            write("\r\x1b[K");
        }
    }

    fn is_due(&mut self, period: Duration) -> bool {
        let now = Instant::now();
        let is_due = self.last_shown.is_none_or(|last| now - last >= period);
        if is_due {
            self.last_shown = Some(now);
        }
        is_due
    }

    fn line(&mut self, pass: &str, stats: &Stats) -> String {
        let percent = 100.0 * stats.bytes as f64 / self.start_bytes.max(1) as f64;
        let flaky = if stats.disagreements > 0 { "  FLAKY" } else { "" };
        let rate = self.rate.update(stats.asks);
        let pass = sanitize(pass.as_bytes());
        format!(
            "{:>9} B  {percent:>5.1} %  {:>6} asks  {rate:>5.0}/s  {pass}{flaky}",
            stats.bytes, stats.asks
        )
    }

    fn show_live(&mut self, width: usize, pass: &str, stats: &Stats) {
        let seconds = self.start.elapsed().as_secs();
        let line = format!("{:>2}:{:02}  {}", seconds / 60, seconds % 60, self.line(pass, stats));
        let shown: String = line.chars().take(width.saturating_sub(1)).collect();
        write(&format!("\r{shown}\x1b[K"));
        self.has_live_line = true;
    }
}

impl Watch for Progress {
    fn accepted(&mut self, step: &Step, _bytes: &[u8]) -> Result<(), String> {
        (self.on_step)(step, self.start.elapsed().as_secs_f64());
        let shows = match (self.talk, self.width) {
            (Talk::Quiet, _) => false,
            (Talk::Verbose, _) => true,
            (Talk::Normal, Some(_)) => false,
            (Talk::Normal, None) => self.is_due(PLAIN_PERIOD),
        };
        if shows {
            self.clear();
            let line = self.line(step.pass, step.stats);
            write(&format!("{line}\n"));
        }
        Ok(())
    }

    fn asked(&mut self, pass: &str, stats: &Stats) {
        if let Some(width) = self.width
            && self.is_due(LIVE_PERIOD)
        {
            self.show_live(width, pass, stats);
        }
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

/// Nobody may be listening, and that must not stop the work.
fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
