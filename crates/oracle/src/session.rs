//! Starts a session: runs the original, checks that it fails, and fixes what "fails" means.
//!
//! The original is run twice, and seven times when the runs disagree. If they disagree and flakiness is
//! allowed, the most severe outcome is the failure: a crash before an error, an error before a normal end, and
//! then the more frequent one. A majority vote would be wrong: if three of seven runs crash, the crash is the
//! bug.

use std::sync::Arc;
use std::time::Duration;

use nub_process::{Cancel, CommandRunner, ProcessEnd};

use crate::baseline::{end_text, first_lines, summary};
use crate::first_runs::{FirstRuns, Setting};
use crate::golden::{Golden, is_crash};
use crate::invocation::{Lookup, Prepared};
use crate::judge::{Judge, Sample};
use crate::key::KeyBase;
use crate::lab::{Bounds, Lab, Run, Trial};
use crate::real::{Commands, Rule, WallLimits, is_out_of_time};
use crate::wall_limit::WallLimit;
use crate::{
    Baseline, Convention, Doubt, FlakyPolicy, Invocation, Oracle, OracleConfig, OracleRefusal, RealOracle,
    Slow, Stability, TimeLimit, TimeShare, Verdict,
};

/// How often the original is run if runs disagree.
const N_DOUBT_RUNS: usize = 7;
/// How long the original may take when no limit was given.
pub(crate) const START_LIMIT: Duration = Duration::from_secs(300);
/// What counts as a hang when no limit was given.
const HANG_LIMIT: Duration = Duration::from_secs(5);

/// The start of a reduction.
pub struct Session;

impl Session {
    /// Runs the original and makes the oracle, or says why not.
    ///
    /// # Errors
    /// An [`OracleRefusal`] with a hint: the command cannot be run, the original does not fail or only
    /// sometimes, or an empty file fails in the same way.
    pub fn start(
        config: OracleConfig,
        runner: Arc<dyn CommandRunner>,
        original: &[u8],
        cancel: &Cancel,
    ) -> Result<(RealOracle, Baseline), OracleRefusal> {
        let commands = prepare(&config)?;
        let lab = Lab::new(config, runner);
        let (mut oracle, baseline, empty) = if let Some(slow) = lab.config().slow.clone() {
            let (oracle, baseline) = crate::slow_start::start(lab, commands, &slow, original, cancel)?;
            (oracle, baseline, None)
        } else {
            start_by_outcome(lab, commands, original, cancel)?
        };
        let empty = empty.and_then(|run| oracle.answer_of(run, cancel));
        let empty = empty.unwrap_or_else(|| oracle.ask(b"", cancel));
        refuse_empty(&empty.verdict, &baseline)?;
        if !baseline.stability.is_flaky() {
            oracle.learn_share(original, &empty, cancel);
        }
        Ok((oracle, baseline))
    }
}

/// Locates the programs.
pub(crate) fn prepare(config: &OracleConfig) -> Result<Commands, OracleRefusal> {
    let place =
        Lookup { search_path: &config.search_path, folder: &config.folder, programs: config.programs };
    let first = Prepared::new(&first_command(config), &place, config.feed())?;
    let second = match (&config.cross_check, &config.convention) {
        (Some(check), Convention::Golden { .. }) => {
            Some(Prepared::new(&check.command, &place, config.feed())?)
        }
        _ => None,
    };
    Ok(Commands { first, second })
}

fn first_command(config: &OracleConfig) -> Invocation {
    match &config.convention {
        Convention::Golden { command } => command.clone(),
        Convention::Script { path, args } => {
            Invocation::Words(std::iter::once(path).chain(args).cloned().collect())
        }
    }
}

fn start_by_outcome(
    lab: Lab,
    commands: Commands,
    original: &[u8],
    cancel: &Cancel,
) -> Result<(RealOracle, Baseline, Option<Run>), OracleRefusal> {
    let setting = Setting { lab: &lab, commands: &commands, original, cancel };
    let FirstRuns { samples, empty } = setting.first_runs()?;
    let samples = sample_until_clear(setting, samples)?;
    let (judge, model_idx) = choose_model(lab.config(), &samples);
    let model = &samples[model_idx];
    check_model(lab.config(), model)?;
    let fails = samples.iter().filter(|sample| judge.matches(sample)).count();
    let stability = Stability::new(count(fails), count(samples.len()));
    if let (Stability::Flaky { fails, n }, FlakyPolicy::Refuse) = (stability, lab.config().flaky) {
        return Err(OracleRefusal::Flaky { fails, n });
    }
    let limits = limits_from(lab.config(), &samples);
    let baseline = Baseline {
        summary: summary(&model.first.outcome),
        wall: slowest(&samples, |sample| sample.first.outcome.usage.wall),
        cpu: slowest(&samples, |sample| sample.first.outcome.usage.cpu),
        time_limit: limits.first.first(),
        stability,
    };
    let key_base = KeyBase::new(lab.config(), &commands.all());
    let (rule, least_share) = (Rule::Outcome(judge), TimeShare::FULL);
    Ok((RealOracle { lab, commands, rule, limits, key_base, least_share }, baseline, empty))
}

/// Two samples if both fail in the same way, three if none fails, seven if they disagree.
fn sample_until_clear(setting: Setting, mut samples: Vec<Sample>) -> Result<Vec<Sample>, OracleRefusal> {
    let lab = setting.lab;
    if samples.len() < 2 {
        return Ok(samples);
    }
    let judge = Judge::new(lab.config(), &samples[0]);
    let count_alike = |samples: &[Sample]| samples.iter().filter(|sample| judge.matches(sample)).count();
    if count_alike(&samples) == 0 {
        // The script rejects the original, or a pattern is missing: try once more before refusing.
        samples.push(setting.sample()?);
    }
    let n_alike = count_alike(&samples);
    let may_be_flaky = n_alike > 0 || lab.config().flaky == FlakyPolicy::Allow;
    if n_alike != samples.len() && may_be_flaky {
        while samples.len() < N_DOUBT_RUNS {
            samples.push(setting.sample()?);
        }
    }
    Ok(samples)
}

/// Runs all commands once, under the limits of the start.
pub(crate) fn sample(lab: &Lab, commands: &Commands, mut trial: Trial) -> Result<Sample, Doubt> {
    let config = lab.config();
    let mut run = |prepared: &Prepared, time: TimeLimit| {
        let bounds = Bounds { wall: start_limit(config, time), cpu: None };
        lab.run(prepared, bounds, &mut trial)
    };
    let first = run(&commands.first, config.time)?;
    let second = match (&commands.second, &config.cross_check) {
        (Some(prepared), Some(check)) => Some(run(prepared, check.time)?),
        _ => None,
    };
    Ok(Sample { first, second })
}

pub(crate) fn start_limit(config: &OracleConfig, time: TimeLimit) -> Duration {
    match time {
        TimeLimit::Fixed(limit) => limit,
        TimeLimit::Auto if config.hang => HANG_LIMIT,
        TimeLimit::Auto => START_LIMIT,
    }
}

/// Candidates are compared with the most severe sample, and among equals with the most frequent.
pub(crate) fn choose_model(config: &OracleConfig, samples: &[Sample]) -> (Judge, usize) {
    let rank = |sample: &Sample| {
        let judge = Judge::new(config, sample);
        let n_alike = samples.iter().filter(|other| judge.matches(other)).count();
        (loudness(config, sample), n_alike)
    };
    let ranks: Vec<_> = samples.iter().map(rank).collect();
    // The first of the best: `max_by_key` would give the last.
    let best_rank = ranks.iter().max().expect("there is always a sample");
    let best = ranks.iter().position(|rank| rank == best_rank).unwrap_or(0);
    (Judge::new(config, &samples[best]), best)
}

fn loudness(config: &OracleConfig, sample: &Sample) -> u8 {
    let end = sample.first.outcome.end;
    let lacks_pattern = Golden::missing_pattern(&config.expect, &sample.first.outcome).is_some();
    match (&config.convention, end) {
        (Convention::Script { .. }, _) => u8::from(end == ProcessEnd::Exit(0)),
        _ if lacks_pattern => 0,
        (_, ProcessEnd::WallLimit) if config.hang => 3,
        (_, ProcessEnd::WallLimit) => 0,
        (_, end) if is_crash(end) => 3,
        (_, ProcessEnd::Exit(0)) => 1,
        _ => 2,
    }
}

/// Checks that the chosen sample shows what the user asked for.
fn check_model(config: &OracleConfig, model: &Sample) -> Result<(), OracleRefusal> {
    let outcome = &model.first.outcome;
    let limit = start_limit(config, config.time);
    if matches!(config.convention, Convention::Script { .. }) {
        if is_out_of_time(outcome.end) {
            return Err(OracleRefusal::TimesOut { limit });
        }
        if outcome.end != ProcessEnd::Exit(0) {
            return Err(OracleRefusal::ScriptRejects {
                end: end_text(outcome.end),
                lines: first_lines(outcome),
            });
        }
        return Ok(());
    }
    match (config.hang, is_out_of_time(outcome.end)) {
        (true, false) => return Err(OracleRefusal::DoesNotHang { limit, summary: summary(outcome) }),
        (false, true) => return Err(OracleRefusal::TimesOut { limit }),
        _ => {}
    }
    check_pattern(&config.expect, outcome)?;
    if let (Some(check), Some(run)) = (&config.cross_check, &model.second) {
        if is_out_of_time(run.outcome.end) {
            return Err(OracleRefusal::TimesOut { limit: start_limit(config, check.time) });
        }
        check_pattern(&check.expect, &run.outcome)?;
    }
    Ok(())
}

fn check_pattern(expect: &crate::Expect, outcome: &nub_process::ProcessOutcome) -> Result<(), OracleRefusal> {
    match Golden::missing_pattern(expect, outcome) {
        Some(pattern) => Err(OracleRefusal::PatternMissing { pattern, summary: summary(outcome) }),
        None => Ok(()),
    }
}

fn refuse_empty(verdict: &Verdict, baseline: &Baseline) -> Result<(), OracleRefusal> {
    match verdict {
        Verdict::Fails => Err(OracleRefusal::EmptyFails { summary: baseline.summary.clone() }),
        Verdict::Unsure(doubt) => Err(OracleRefusal::Doubt(doubt.clone())),
        Verdict::Passes => Ok(()),
    }
}

pub(crate) fn limits_from(config: &OracleConfig, samples: &[Sample]) -> WallLimits {
    let limit = |time: TimeLimit, golden: Duration| match time {
        TimeLimit::Fixed(limit) => WallLimit::fixed(limit),
        TimeLimit::Auto if config.hang => WallLimit::fixed(HANG_LIMIT),
        TimeLimit::Auto => WallLimit::from_golden(golden),
    };
    let second_wall =
        |sample: &Sample| sample.second.as_ref().map_or(Duration::ZERO, |run| run.outcome.usage.wall);
    WallLimits {
        first: limit(config.time, slowest(samples, |sample| sample.first.outcome.usage.wall)),
        second: limit(
            config.cross_check.as_ref().map_or(TimeLimit::Auto, |check| check.time),
            slowest(samples, second_wall),
        ),
    }
}

pub(crate) fn slowest(samples: &[Sample], time: impl Fn(&Sample) -> Duration) -> Duration {
    samples.iter().map(time).max().unwrap_or_default()
}

/// Numbers of runs are single digits.
pub(crate) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl Commands {
    pub(crate) fn all(&self) -> Vec<&Prepared> {
        std::iter::once(&self.first).chain(&self.second).collect()
    }
}

/// The slow threshold needs its own command prepared.
pub(crate) fn prepare_other(config: &OracleConfig, slow: &Slow) -> Result<Option<Prepared>, OracleRefusal> {
    let place =
        Lookup { search_path: &config.search_path, folder: &config.folder, programs: config.programs };
    match slow {
        Slow::AtLeast(_) => Ok(None),
        Slow::TimesAsLongAs { other, .. } => Ok(Some(Prepared::new(other, &place, config.feed())?)),
    }
}
