//! Starts a session when the failure is that the command is slow.

use std::time::Duration;

use nub_process::Cancel;

use crate::invocation::Prepared;
use crate::key::KeyBase;
use crate::lab::{Bounds, Lab, Trial};
use crate::real::{Commands, Rule, WallLimits};
use crate::session::{START_LIMIT, prepare_other};
use crate::slow::{Measure, SlowJudge, Threshold, measure_of};
use crate::wall_limit::WallLimit;
use crate::{
    Baseline, Confirmation, FlakyPolicy, OracleRefusal, RealOracle, Seconds, Slow, Stability, TimeLimit,
    TimeShare, Verdict,
};

/// Runs on the original.
const N_START_RUNS: u32 = 2;

/// Checks that the original is slow, and creates the oracle.
pub(crate) fn start(
    lab: Lab,
    commands: Commands,
    slow: &Slow,
    original: &[u8],
    cancel: &Cancel,
) -> Result<(RealOracle, Baseline), OracleRefusal> {
    let mut trial = lab.trial(original, cancel);
    let other = prepare_other(lab.config(), slow)?;
    let threshold = threshold_of(&lab, slow, other.clone(), &mut trial)?;
    let measure = probe(&lab, &commands.first, &threshold, &mut trial)?;
    let judge = SlowJudge { measure, threshold };
    let mut all = commands.all();
    all.extend(other.as_ref());
    let key_base = KeyBase::new(lab.config(), &all);
    let limits = WallLimits { first: WallLimit::fixed(START_LIMIT), second: WallLimit::fixed(START_LIMIT) };
    let (rule, least_share) = (Rule::Slow(judge), TimeShare::FULL);
    let oracle = RealOracle { lab, commands, rule, limits, key_base, least_share };
    let baseline = confirm_slow(&oracle, original, cancel)?;
    Ok((oracle, baseline))
}

/// The threshold; for a ratio, with the limit of the fast command.
fn threshold_of(
    lab: &Lab,
    slow: &Slow,
    other: Option<Prepared>,
    trial: &mut Trial,
) -> Result<Threshold, OracleRefusal> {
    let (factor, other) = match (slow, other) {
        (Slow::AtLeast(threshold), _) => return Ok(Threshold::AtLeast(*threshold)),
        (Slow::TimesAsLongAs { factor, .. }, other) => {
            (*factor, other.expect("prepare_other prepares it for a ratio"))
        }
    };
    let bounds = Bounds { wall: start_limit(lab), cpu: None };
    let run = lab.run(&other, bounds, trial).map_err(OracleRefusal::Doubt)?;
    if crate::real::is_out_of_time(run.outcome.end) {
        return Err(OracleRefusal::TimesOut { limit: bounds.wall });
    }
    let limit = WallLimit::from_golden(run.outcome.usage.wall).first();
    Ok(Threshold::Ratio { factor, other, limit })
}

/// One run to learn whether the command computes or waits.
fn probe(
    lab: &Lab,
    command: &Prepared,
    threshold: &Threshold,
    trial: &mut Trial,
) -> Result<Measure, OracleRefusal> {
    let judge = SlowJudge { measure: Measure::Cpu, threshold: threshold.clone() };
    let time = judge.threshold_for(lab, trial).map_err(OracleRefusal::Doubt)?;
    let bounds = judge.bounds(time.unwrap_or(START_LIMIT));
    let run = lab.run(command, bounds, trial).map_err(OracleRefusal::Doubt)?;
    Ok(measure_of(&run))
}

fn confirm_slow(oracle: &RealOracle, original: &[u8], cancel: &Cancel) -> Result<Baseline, OracleRefusal> {
    let mut answers = Vec::new();
    let confirmation = Confirmation::collect(N_START_RUNS, || {
        let answer = crate::Oracle::ask(oracle, original, cancel);
        answers.push(answer.clone());
        answer.verdict
    });
    if let Some(Verdict::Unsure(doubt)) = answers.last().map(|answer| answer.verdict.clone()) {
        return Err(OracleRefusal::Doubt(doubt));
    }
    let longest =
        |time: fn(&crate::OracleAnswer) -> Duration| answers.iter().map(time).max().unwrap_or_default();
    let (wall, cpu) = (longest(|answer| answer.wall), longest(|answer| answer.cpu));
    let stability = Stability::new(confirmation.fails, confirmation.n);
    if confirmation.fails == 0 {
        let reason = format!(
            "it took {} ({} of processor time), wanted {}",
            Seconds(wall),
            Seconds(cpu),
            describe(oracle)
        );
        return Err(OracleRefusal::NotSlow { reason });
    }
    if stability.is_flaky() && oracle.lab.config().flaky == FlakyPolicy::Refuse {
        return Err(OracleRefusal::Flaky { fails: confirmation.fails, n: confirmation.n });
    }
    let time_limit = oracle.time_limit();
    Ok(Baseline { summary: describe(oracle), wall, cpu, time_limit, stability })
}

fn describe(oracle: &RealOracle) -> String {
    match &oracle.rule {
        Rule::Slow(judge) => judge.describe(),
        Rule::Outcome(_) => unreachable!("this file makes slow rules only"),
    }
}

fn start_limit(lab: &Lab) -> Duration {
    match lab.config().time {
        TimeLimit::Fixed(limit) => limit,
        TimeLimit::Auto => START_LIMIT,
    }
}
