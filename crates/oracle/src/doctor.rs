//! Diagnoses an oracle: runs it in clean folders and in the user's folder, and reports what differs.

use std::sync::Arc;
use std::time::Duration;

use nub_process::{Cancel, CapturedOutput, CommandRunner, ProcessEnd};

use crate::baseline::{shorten, summary};
use crate::judge::{Judge, Sample};
use crate::lab::{Lab, Place, Run, Trial};
use crate::mask::mask_names;
use crate::real::{Commands, is_out_of_time};
use crate::session::{choose_model, count, prepare, sample, slowest};
use crate::{Convention, Doubt, OracleConfig, OracleRefusal, Seconds, Session};

/// Number of runs in clean folders.
const N_RUNS: usize = 3;
/// A run that takes at least this long counts as slow: a reduction runs the command hundreds of times.
const SLOW: Duration = Duration::from_secs(1);

/// One finding of [`diagnose`]. `Display` is a sentence for the user.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum DoctorFinding {
    /// No problem was found.
    #[error("fine: fails every time, {} per run ({summary})", Seconds(*wall))]
    Fine {
        /// Slowest run.
        wall: Duration,
        /// What a run shows.
        summary: String,
    },
    /// It cannot be run at all.
    #[error("cannot be run: {0}")]
    CannotRun(OracleRefusal),
    /// The original does not fail.
    #[error("does not fail on the original: {summary}")]
    DoesNotFail {
        /// What a run shows.
        summary: String,
    },
    /// Runs do not end.
    #[error("does not end within {}", Seconds(*limit))]
    DoesNotEnd {
        /// The time limit of the run.
        limit: Duration,
    },
    /// It works only in the user's folder, or behaves differently there.
    #[error("depends on the folder: in yours {in_yours}; in a clean one {in_clean}")]
    DependsOnFolder {
        /// What a run in the user's folder shows.
        in_yours: String,
        /// What a run in a clean folder shows.
        in_clean: String,
    },
    /// Runs disagree.
    #[error("flaky: fails in {fails} of {n} runs")]
    Flaky {
        /// Runs that failed.
        fails: u32,
        /// Number of runs.
        n: u32,
    },
    /// Output differs between runs even when masked.
    #[error("{stream} is not the same every time: `{one}` and `{other}`")]
    UnstableOutput {
        /// `stdout` or `stderr`.
        stream: &'static str,
        /// A line of one run, masked.
        one: String,
        /// The corresponding line of another run.
        other: String,
    },
    /// A reduction would take long.
    #[error("slow: {} per run; a reduction runs the command hundreds of times", Seconds(*wall))]
    Slow {
        /// Slowest run.
        wall: Duration,
    },
    /// An empty file fails as well.
    #[error("an empty file fails too: the oracle cannot tell the failure from its absence")]
    EmptyFails,
    /// Processes outlive the command. nub kills them; other tools would not.
    #[error("leaves {n} processes behind (nub kills them)")]
    Strays {
        /// How many, in the worst run.
        n: u32,
    },
    /// Files appear beside the candidate.
    #[error("writes beside the candidate: {}", names.join(", "))]
    WritesBeside {
        /// Their names.
        names: Vec<String>,
    },
}

/// Runs the original three times in clean folders, once in the user's, and an empty file once.
#[must_use]
pub fn diagnose(
    config: OracleConfig,
    runner: Arc<dyn CommandRunner>,
    original: &[u8],
    cancel: &Cancel,
) -> Vec<DoctorFinding> {
    let commands = match prepare(&config) {
        Ok(commands) => commands,
        Err(refusal) => return vec![DoctorFinding::CannotRun(refusal)],
    };
    if config.slow.is_some() {
        return vec![examine_slow(config, runner, original, cancel)];
    }
    let lab = Lab::new(config, runner);
    examine(&lab, &commands, original, cancel)
        .unwrap_or_else(|doubt| vec![DoctorFinding::CannotRun(OracleRefusal::Doubt(doubt))])
}

/// Slowness does not depend on the folder, so starting a session is enough to diagnose it.
fn examine_slow(
    config: OracleConfig,
    runner: Arc<dyn CommandRunner>,
    original: &[u8],
    cancel: &Cancel,
) -> DoctorFinding {
    match Session::start(config, runner, original, cancel) {
        Ok((_, baseline)) => DoctorFinding::Fine { wall: baseline.wall, summary: baseline.summary },
        Err(OracleRefusal::NotSlow { reason }) => DoctorFinding::DoesNotFail { summary: reason },
        Err(OracleRefusal::Flaky { fails, n }) => DoctorFinding::Flaky { fails, n },
        Err(OracleRefusal::EmptyFails { .. }) => DoctorFinding::EmptyFails,
        Err(refusal) => DoctorFinding::CannotRun(refusal),
    }
}

fn examine(
    lab: &Lab,
    commands: &Commands,
    original: &[u8],
    cancel: &Cancel,
) -> Result<Vec<DoctorFinding>, Doubt> {
    let at = |place, bytes: &[u8]| sample(lab, commands, Trial { place, ..lab.trial(bytes, cancel) });
    let mut clean = Vec::with_capacity(N_RUNS);
    for _ in 0..N_RUNS {
        let sample = at(Place::FreshFolder, original)?;
        if is_out_of_time(sample.first.outcome.end) && !lab.config().hang {
            return Ok(vec![DoctorFinding::DoesNotEnd { limit: sample.first.outcome.usage.wall }]);
        }
        clean.push(sample);
    }
    let yours = at(Place::UserFolder, original)?;
    let (judge, model_idx) = choose_model(lab.config(), &clean);
    let mut findings = side_effects(&clean);
    findings.extend(failure(lab.config(), &judge, &clean, &yours));
    let wall = slowest(&clean, |sample| sample.first.outcome.usage.wall);
    if wall >= SLOW && lab.config().slow.is_none() && !lab.config().hang {
        findings.push(DoctorFinding::Slow { wall });
    }
    // A reduction still works if the oracle is slow or leaves files behind.
    let is_bad = findings.iter().any(|finding| {
        !matches!(
            finding,
            DoctorFinding::Slow { .. } | DoctorFinding::WritesBeside { .. } | DoctorFinding::Strays { .. }
        )
    });
    if !is_bad && judge.matches(&at(lab.place(), b"")?) {
        findings.push(DoctorFinding::EmptyFails);
    } else if !is_bad {
        findings.insert(0, DoctorFinding::Fine { wall, summary: summary(&clean[model_idx].first.outcome) });
    }
    Ok(findings)
}

/// Checks that the oracle fails, that it does so every time, and that it does so in every folder.
fn failure(config: &OracleConfig, judge: &Judge, clean: &[Sample], yours: &Sample) -> Option<DoctorFinding> {
    let fails = clean.iter().filter(|sample| judge.matches(sample)).count();
    let in_clean = summary(&clean[0].first.outcome);
    let in_yours = summary(&yours.first.outcome);
    let is_script = matches!(config.convention, Convention::Script { .. });
    if fails == clean.len() {
        // A script need not work outside its fresh folder; a golden command runs in the user's folder.
        let differs = !is_script && !judge.matches(yours);
        return differs.then_some(DoctorFinding::DependsOnFolder { in_yours, in_clean });
    }
    if fails == 0 && is_script && yours.first.outcome.end == ProcessEnd::Exit(0) {
        return Some(DoctorFinding::DependsOnFolder { in_yours, in_clean });
    }
    if fails == 0 {
        return Some(DoctorFinding::DoesNotFail { summary: in_clean });
    }
    let unstable = if is_script { None } else { unstable_output(clean) };
    Some(unstable.unwrap_or(DoctorFinding::Flaky { fails: count(fails), n: count(clean.len()) }))
}

/// The first line that differs between two runs that ended in the same way.
fn unstable_output(samples: &[Sample]) -> Option<DoctorFinding> {
    let first = &samples[0].first;
    let others = samples[1..].iter().map(|sample| &sample.first);
    let mut alike = others.filter(|run| run.outcome.end == first.outcome.end);
    alike.find_map(|other| {
        differing_line("stdout", first, other).or_else(|| differing_line("stderr", first, other))
    })
}

fn differing_line(stream: &'static str, one: &Run, other: &Run) -> Option<DoctorFinding> {
    let of = |run: &Run| match stream {
        "stdout" => masked(&run.outcome.stdout, run),
        _ => masked(&run.outcome.stderr, run),
    };
    let (one, other) = first_difference(&of(one), &of(other))?;
    Some(DoctorFinding::UnstableOutput { stream, one, other })
}

fn masked(output: &CapturedOutput, run: &Run) -> String {
    mask_names(&String::from_utf8_lossy(&output.bytes), &run.names)
}

fn first_difference(one: &str, other: &str) -> Option<(String, String)> {
    let (mut one, mut other) = (one.lines(), other.lines());
    loop {
        match (one.next(), other.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => return Some((shorten(a.unwrap_or("")), shorten(b.unwrap_or("")))),
        }
    }
}

fn side_effects(samples: &[Sample]) -> Vec<DoctorFinding> {
    let mut findings = Vec::new();
    let n = samples.iter().map(|sample| sample.first.outcome.usage.strays).max().unwrap_or(0);
    if n > 0 {
        findings.push(DoctorFinding::Strays { n });
    }
    let mut names: Vec<String> = samples.iter().flat_map(|sample| sample.first.litter.clone()).collect();
    names.sort();
    names.dedup();
    if !names.is_empty() {
        findings.push(DoctorFinding::WritesBeside { names });
    }
    findings
}
