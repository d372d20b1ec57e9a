//! The first runs of a session: two on the original, one on an empty file, in parallel if that is allowed.
//!
//! The time limit is derived from the runs on the original, so it is not yet known when the run on the empty file starts. If
//! that run does not end in time, it is stopped and repeated under the limit. This is rare: an empty file seldom takes
//! longer.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use nub_process::Cancel;

use crate::judge::Sample;
use crate::lab::{Bounds, Lab, Run};
use crate::real::{Commands, is_out_of_time};
use crate::session::{limits_from, sample, start_limit};
use crate::{Doubt, OracleRefusal};

/// How often a wait checks for cancellation.
const LOOK_UP: Duration = Duration::from_millis(50);

/// What the first runs gave.
pub(crate) struct FirstRuns {
    /// On the original: one if it does not end, otherwise two.
    pub samples: Vec<Sample>,
    /// The first command on an empty file, if that was run already.
    pub empty: Option<Run>,
}

/// What the first runs need: commands, original and where they run.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub lab: &'a Lab,
    pub commands: &'a Commands,
    pub original: &'a [u8],
    pub cancel: &'a Cancel,
}

impl Setting<'_> {
    /// One sample of the original.
    pub(crate) fn sample(self) -> Result<Sample, OracleRefusal> {
        let Setting { lab, commands, original, cancel } = self;
        sample(lab, commands, lab.trial(original, cancel)).map_err(OracleRefusal::Doubt)
    }

    /// Makes the first runs.
    pub(crate) fn first_runs(self) -> Result<FirstRuns, OracleRefusal> {
        match self.lab.config().at_once {
            0 | 1 => {
                let mut samples = vec![self.sample()?];
                if !self.is_enough(&samples[0]) {
                    samples.push(self.sample()?);
                }
                Ok(FirstRuns { samples, empty: None })
            }
            2 => Ok(FirstRuns { samples: self.two_samples()?, empty: None }),
            _ => self.all_at_once(),
        }
    }

    /// Repeating a command that does not end would only take the same time again.
    fn is_enough(self, sample: &Sample) -> bool {
        is_out_of_time(sample.first.outcome.end) && !self.lab.config().hang
    }

    fn two_samples(self) -> Result<Vec<Sample>, OracleRefusal> {
        std::thread::scope(|scope| {
            let second = scope.spawn(move || self.sample());
            let first = self.sample();
            let second = second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let first = first?;
            if self.is_enough(&first) { Ok(vec![first]) } else { Ok(vec![first, second?]) }
        })
    }

    fn all_at_once(self) -> Result<FirstRuns, OracleRefusal> {
        let (done_end, done) = channel();
        let (began, stop) = (Instant::now(), self.cancel.sibling());
        std::thread::scope(|scope| {
            let stopped = stop.clone();
            scope.spawn(move || {
                // There is no receiver if the runs on the original were stopped.
                let _ = done_end.send(self.run_empty(&stopped));
            });
            let samples = self.two_samples();
            let empty = samples.as_ref().ok().and_then(|samples| {
                let limit = limits_from(self.lab.config(), samples).first.first();
                self.await_empty(&done, limit.saturating_sub(began.elapsed()))
            });
            stop.cancel_now();
            Ok(FirstRuns { samples: samples?, empty })
        })
    }

    fn run_empty(self, cancel: &Cancel) -> Result<Run, Doubt> {
        let config = self.lab.config();
        let bounds = Bounds { wall: start_limit(config, config.time), cpu: None };
        self.lab.run(&self.commands.first, bounds, &mut self.lab.trial(b"", cancel))
    }

    /// The run on the empty file, if it ends within this time.
    fn await_empty(self, done: &Receiver<Result<Run, Doubt>>, patience: Duration) -> Option<Run> {
        let until = Instant::now() + patience;
        loop {
            match done.recv_timeout(LOOK_UP.min(until.saturating_duration_since(Instant::now()))) {
                Ok(run) => return run.ok(),
                Err(RecvTimeoutError::Timeout) if Instant::now() < until && !self.cancel.is_cancelled() => {}
                Err(_) => return None,
            }
        }
    }
}
