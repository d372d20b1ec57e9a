//! When a run counts as slow.
//!
//! Processor time is measured rather than wall time, so that load on the machine does not matter; a command that mostly waits is measured
//! by wall time minus the time it was runnable but not scheduled. A run is stopped 10 % above the threshold, when it is certainly slow. One
//! that ends within 10 % of the threshold is run twice more, and the median decides.

use std::time::Duration;

use nub_process::ProcessEnd;

use crate::invocation::Prepared;
use crate::lab::{Bounds, Lab, Run, Trial};
use crate::{Doubt, OracleAnswer, Seconds, TimeShare, Verdict};

/// Half-width of the zone around the threshold in which one run is not enough to decide.
const DOUBT_ZONE: f64 = 0.1;
/// Number of runs that decide in that zone.
const N_DOUBTFUL_RUNS: usize = 3;
/// Lower bound on the measured time of the fast command: ratios of start-up noise mean nothing.
const LEAST_TIME: Duration = Duration::from_millis(10);
/// On a loaded machine a run gets this many times its processor limit in wall time before it is stopped.
const WALL_PER_CPU: f64 = 4.0;
const WALL_SLACK: Duration = Duration::from_secs(5);
/// A command counts as computing if processor time is at least this share of wall time.
const COMPUTES: f64 = 0.5;

/// Which time is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Measure {
    Cpu,
    Wall,
}

/// What one measurement tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Call {
    Slow,
    Fast,
    Doubtful,
}

/// How slow a candidate must be.
#[derive(Clone, Debug)]
pub(crate) enum Threshold {
    AtLeast(Duration),
    /// `factor` times the other command, which may take `limit`.
    Ratio {
        factor: f64,
        other: Prepared,
        limit: Duration,
    },
}

/// Judges candidates by time.
#[derive(Clone, Debug)]
pub(crate) struct SlowJudge {
    pub measure: Measure,
    pub threshold: Threshold,
}

/// A measured run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timed {
    pub time: Duration,
    /// Stopped by us, above the threshold.
    pub is_stopped: bool,
}

impl SlowJudge {
    /// Judges one candidate by a share of the threshold. If the share is not full, one run decides, because the verdict is
    /// only provisional.
    pub fn ask(
        &self,
        lab: &Lab,
        prepared: &Prepared,
        share: TimeShare,
        trial: &mut Trial,
    ) -> Result<Verdict, Doubt> {
        let Some(threshold) = self.threshold_for(lab, trial)? else {
            return Ok(Verdict::Passes);
        };
        let threshold = share.of(threshold);
        let bounds = self.bounds(threshold);
        let mut times = Vec::with_capacity(N_DOUBTFUL_RUNS);
        loop {
            let run = lab.run(prepared, bounds, trial)?;
            let timed = self.read(&run)?;
            match call(timed, threshold) {
                Call::Slow | Call::Doubtful if !share.is_full() => return Ok(Verdict::Fails),
                Call::Slow if times.is_empty() => return Ok(Verdict::Fails),
                Call::Fast if times.is_empty() => return Ok(Verdict::Passes),
                _ => times.push(timed.time),
            }
            if times.len() == N_DOUBTFUL_RUNS {
                times.sort();
                let is_slow = times[N_DOUBTFUL_RUNS / 2] >= threshold;
                return Ok(if is_slow { Verdict::Fails } else { Verdict::Passes });
            }
        }
    }

    /// The threshold for this candidate; `None` if the other command is too slow for any.
    pub fn threshold_for(&self, lab: &Lab, trial: &mut Trial) -> Result<Option<Duration>, Doubt> {
        match &self.threshold {
            Threshold::AtLeast(threshold) => Ok(Some(*threshold)),
            Threshold::Ratio { factor, other, limit } => {
                let bounds = Bounds { wall: *limit, cpu: None };
                let run = lab.run(other, bounds, trial)?;
                let is_done = matches!(run.outcome.end, ProcessEnd::Exit(_) | ProcessEnd::Signal(_));
                Ok(is_done.then(|| self.time_of(&run).max(LEAST_TIME).mul_f64(*factor)))
            }
        }
    }

    /// Bounds that stop a run soon after it is certainly slow.
    pub fn bounds(&self, threshold: Duration) -> Bounds {
        let certain = threshold.mul_f64(1.0 + DOUBT_ZONE);
        match self.measure {
            Measure::Wall => Bounds { wall: certain, cpu: None },
            Measure::Cpu => Bounds { wall: certain.mul_f64(WALL_PER_CPU) + WALL_SLACK, cpu: Some(certain) },
        }
    }

    /// The threshold in words.
    pub fn describe(&self) -> String {
        match &self.threshold {
            Threshold::AtLeast(time) => format!("at least {}", Seconds(*time)),
            Threshold::Ratio { factor, other, .. } => {
                format!("at least {factor} times as long as {}", other.program.display())
            }
        }
    }

    /// The same for one line of a comment, which also names the other command.
    pub fn shows(&self) -> String {
        match &self.threshold {
            Threshold::AtLeast(_) => self.describe(),
            Threshold::Ratio { factor, .. } => format!("{factor} times as long"),
        }
    }

    /// The command that is faster.
    pub fn other(&self) -> Option<&Prepared> {
        match &self.threshold {
            Threshold::AtLeast(_) => None,
            Threshold::Ratio { other, .. } => Some(other),
        }
    }

    /// The time of an answer that is compared with the threshold.
    pub fn measured(&self, answer: &OracleAnswer) -> Duration {
        match self.measure {
            Measure::Cpu => answer.cpu,
            Measure::Wall => answer.wall,
        }
    }

    fn time_of(&self, run: &Run) -> Duration {
        match self.measure {
            Measure::Cpu => run.outcome.usage.cpu,
            Measure::Wall => awake(run),
        }
    }

    fn read(&self, run: &Run) -> Result<Timed, Doubt> {
        let is_stopped = match (run.outcome.end, self.measure) {
            (ProcessEnd::CpuLimit, Measure::Cpu) | (ProcessEnd::WallLimit, Measure::Wall) => true,
            // It was not scheduled for so long that the measurement is useless.
            (ProcessEnd::WallLimit, Measure::Cpu) => return Err(Doubt::NearThreshold),
            _ => false,
        };
        Ok(Timed { time: self.time_of(run), is_stopped })
    }
}

/// Which time describes this run better: does it compute or wait? A run that reached its processor limit computes.
pub(crate) fn measure_of(run: &Run) -> Measure {
    let computes = run.outcome.usage.cpu.as_secs_f64() >= COMPUTES * awake(run).as_secs_f64();
    if computes || run.outcome.end == ProcessEnd::CpuLimit { Measure::Cpu } else { Measure::Wall }
}

/// Wall time minus the time the run was runnable but not scheduled.
fn awake(run: &Run) -> Duration {
    run.outcome.usage.wall.saturating_sub(run.outcome.usage.delay)
}

fn call(timed: Timed, threshold: Duration) -> Call {
    if timed.is_stopped || timed.time >= threshold.mul_f64(1.0 + DOUBT_ZONE) {
        Call::Slow
    } else if timed.time < threshold.mul_f64(1.0 - DOUBT_ZONE) {
        Call::Fast
    } else {
        Call::Doubtful
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls() {
        let threshold = Duration::from_secs(10);
        let timed = |ms, is_stopped| Timed { time: Duration::from_millis(ms), is_stopped };
        assert_eq!(call(timed(11_000, true), threshold), Call::Slow);
        assert_eq!(call(timed(11_500, false), threshold), Call::Slow);
        assert_eq!(call(timed(9_500, false), threshold), Call::Doubtful);
        assert_eq!(call(timed(10_500, false), threshold), Call::Doubtful);
        assert_eq!(call(timed(8_900, false), threshold), Call::Fast);
    }

    #[test]
    fn bounds_follow_the_measure() {
        let judge = |measure| SlowJudge { measure, threshold: Threshold::AtLeast(Duration::from_secs(1)) };
        let bounds = judge(Measure::Wall).bounds(Duration::from_secs(10));
        assert_eq!((bounds.wall, bounds.cpu), (Duration::from_secs(11), None));
        let bounds = judge(Measure::Cpu).bounds(Duration::from_secs(10));
        assert_eq!((bounds.wall, bounds.cpu), (Duration::from_secs(49), Some(Duration::from_secs(11))));
    }
}
