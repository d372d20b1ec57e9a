//! The oracle that runs the user's command.

use std::path::Path;
use std::time::Duration;

use nub_process::{Cancel, ProcessEnd};

use crate::invocation::Prepared;
use crate::judge::{Judge, Sample};
use crate::key::KeyBase;
use crate::lab::{Bounds, Lab, Run, Trial};
use crate::reproduction::{Reproduction, ReproductionCommand};
use crate::slow::SlowJudge;
use crate::wall_limit::WallLimit;
use crate::{Confirmation, Doubt, Oracle, OracleAnswer, TimeShare, Verdict, WatchLevel};

/// Runs the user's command on candidates. Made by [`crate::Session::start`]; shared by threads.
pub struct RealOracle {
    pub(crate) lab: Lab,
    pub(crate) commands: Commands,
    pub(crate) rule: Rule,
    pub(crate) limits: WallLimits,
    pub(crate) key_base: KeyBase,
    /// The smallest share of the time that is informative; full where the verdict does not depend on time.
    pub(crate) least_share: TimeShare,
}

/// The commands of an oracle, with their programs located.
pub(crate) struct Commands {
    pub first: Prepared,
    pub second: Option<Prepared>,
}

/// What decides the verdict.
pub(crate) enum Rule {
    Outcome(Judge),
    Slow(SlowJudge),
}

/// One limit for each command.
pub(crate) struct WallLimits {
    pub first: WallLimit,
    pub second: WallLimit,
}

/// Which limits an ask is run under.
#[derive(Clone, Copy)]
pub(crate) enum Patience {
    /// The adapted limits.
    Current,
    /// A share of the time, where taking long is the failure.
    Share(TimeShare),
    /// The limits of the start.
    Full,
}

impl RealOracle {
    /// Tells the oracle that a candidate that took `wall` was accepted: the automatic time limit follows.
    pub fn accepted(&self, wall: Duration) {
        self.limits.first.accepted(wall);
    }

    /// How closely flakiness is looked for; a run on the original took `run`.
    #[must_use]
    pub fn watch(&self, run: Duration) -> WatchLevel {
        WatchLevel::new(self.lab.config().flaky, run)
    }

    /// The time limit of the next run.
    #[must_use]
    pub fn time_limit(&self) -> Duration {
        self.limits.first.current()
    }

    /// Asks `n` times on the same bytes, under the limits of the start. Stops early when cancelled.
    pub fn confirm(&self, bytes: &[u8], n: u32, cancel: &Cancel) -> Confirmation {
        Confirmation::collect(n, || self.answer(bytes, cancel, Patience::Full).verdict)
    }

    /// A key for remembering verdicts on disk: it changes with the bytes, the commands, the content of their
    /// program files and of files they name, limits, environment and our version. It cannot know what programs
    /// load by themselves: a solver called inside a script, a library.
    #[must_use]
    pub fn key(&self, bytes: &[u8]) -> [u8; 32] {
        self.key_base.key(bytes)
    }

    /// How to repeat the failure with the file at `path`.
    #[must_use]
    pub fn reproduction(&self, path: &Path) -> Reproduction {
        let (shows, beside) = match &self.rule {
            Rule::Slow(slow) => (slow.shows(), slow.other().map(|other| (other, String::new()))),
            Rule::Outcome(judge) => {
                (judge.shows(), self.commands.second.as_ref().map(|second| (second, judge.second_shows())))
            }
        };
        let feed = self.lab.config().feed();
        let line = |prepared: &Prepared| prepared.invocation().shell_line(path, feed);
        let command = |prepared: &Prepared, shows| ReproductionCommand { line: line(prepared), shows };
        Reproduction {
            command: command(&self.commands.first, shows),
            beside: beside.map(|(prepared, shows)| command(prepared, shows)),
        }
    }

    pub(crate) fn answer(&self, candidate: &[u8], cancel: &Cancel, patience: Patience) -> OracleAnswer {
        let mut trial = self.lab.trial(candidate, cancel);
        let result = match &self.rule {
            Rule::Slow(slow) => {
                let share = match patience {
                    Patience::Share(share) => share,
                    Patience::Current | Patience::Full => TimeShare::FULL,
                };
                slow.ask(&self.lab, &self.commands.first, share, &mut trial)
            }
            Rule::Outcome(judge) => self.judge_outcome(judge, patience, &mut trial),
        };
        let verdict = result.unwrap_or_else(Verdict::Unsure);
        OracleAnswer::of_one_run(verdict, trial.wall, trial.cpu)
    }

    /// The answer on an empty file, given a run of the first command under a longer limit; `None` if that run took too long to
    /// decide.
    pub(crate) fn answer_of(&self, first: Run, cancel: &Cancel) -> Option<OracleAnswer> {
        let Rule::Outcome(judge) = &self.rule else { return None };
        let usage = &first.outcome.usage;
        let mut trial = Trial { wall: usage.wall, cpu: usage.cpu, ..self.lab.trial(b"", cancel) };
        if trial.wall > self.limits.first.current() && !is_out_of_time(first.outcome.end) {
            return None;
        }
        let result = self.judge_second(judge, first, Patience::Current, &mut trial);
        let verdict = result.unwrap_or_else(Verdict::Unsure);
        Some(OracleAnswer::of_one_run(verdict, trial.wall, trial.cpu))
    }

    fn judge_outcome(&self, judge: &Judge, patience: Patience, trial: &mut Trial) -> Result<Verdict, Doubt> {
        // Only the first command must hang; the other one must show its golden outcome within its own limit.
        let first_bounds = match patience {
            Patience::Share(share) => Bounds { wall: share.of(self.limits.first.first()), cpu: None },
            Patience::Current | Patience::Full => bounds(&self.limits.first, patience),
        };
        let first = self.lab.run(&self.commands.first, first_bounds, trial)?;
        self.judge_second(judge, first, patience, trial)
    }

    /// Judges a run of the first command, running the second if that matters.
    fn judge_second(
        &self,
        judge: &Judge,
        first: Run,
        patience: Patience,
        trial: &mut Trial,
    ) -> Result<Verdict, Doubt> {
        if !judge.allows_first(&first) {
            return Ok(Verdict::Passes);
        }
        let second = match &self.commands.second {
            None => None,
            Some(prepared) => {
                let limit = bounds(&self.limits.second, patience);
                Some(self.lab.run(prepared, limit, trial)?)
            }
        };
        let fails = judge.matches(&Sample { first, second });
        Ok(if fails { Verdict::Fails } else { Verdict::Passes })
    }
}

impl Oracle for RealOracle {
    fn ask(&self, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        self.answer(candidate, cancel, Patience::Current)
    }

    fn ask_within(&self, share: TimeShare, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        if share.is_full() {
            self.ask(candidate, cancel)
        } else {
            self.answer(candidate, cancel, Patience::Share(share))
        }
    }

    fn least_share(&self) -> TimeShare {
        self.least_share
    }

    fn identity(&self, candidate: &[u8]) -> [u8; 32] {
        self.key(candidate)
    }

    fn took(&self, wall: Duration) {
        self.accepted(wall);
    }
}

fn bounds(limit: &WallLimit, patience: Patience) -> Bounds {
    match patience {
        Patience::Full => Bounds { wall: limit.first(), cpu: None },
        Patience::Current | Patience::Share(_) => Bounds { wall: limit.current(), cpu: None },
    }
}

/// Whether a run was stopped by a time limit.
pub(crate) fn is_out_of_time(end: ProcessEnd) -> bool {
    end == ProcessEnd::WallLimit
}
