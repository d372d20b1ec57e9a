//! Why a session does not start, and what to try.

use std::time::Duration;

use crate::{Doubt, ProgramError, Seconds};

/// A reason not to start. `Display` says what is wrong, [`OracleRefusal::hint`] says what to do.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum OracleRefusal {
    /// A program cannot be run.
    #[error("{0}")]
    Program(#[from] ProgramError),
    /// The script says that the original is not interesting.
    #[error("the test does not accept the original file: it ended with {end}{}", listed(lines))]
    ScriptRejects {
        /// How it ended.
        end: String,
        /// The first lines it printed.
        lines: Vec<String>,
    },
    /// The golden run does not show what the user wants kept.
    #[error("the run on the original does not match `{pattern}`: {summary}")]
    PatternMissing {
        /// The pattern.
        pattern: String,
        /// The run.
        summary: String,
    },
    /// The golden run did not end.
    #[error("the run on the original did not end within {}", Seconds(*limit))]
    TimesOut {
        /// The limit.
        limit: Duration,
    },
    /// A hang was asked for, but the golden run ended.
    #[error("the run on the original ended within the limit of {}: {summary}", Seconds(*limit))]
    DoesNotHang {
        /// The limit.
        limit: Duration,
        /// The run.
        summary: String,
    },
    /// Slowness was asked for, but the golden run is fast.
    #[error("the original is not slow: {reason}")]
    NotSlow {
        /// The threshold it missed.
        reason: String,
    },
    /// An empty file fails too.
    #[error(
        "an empty file fails in the same way: the oracle cannot tell the failure from its absence ({summary})"
    )]
    EmptyFails {
        /// The golden run.
        summary: String,
    },
    /// Runs on the original disagree.
    #[error("the original fails in only {fails} of {n} runs")]
    Flaky {
        /// Runs that failed.
        fails: u32,
        /// Number of runs.
        n: u32,
    },
    /// Cancelled, or the environment is broken.
    #[error("{}", doubt_text(.0))]
    Doubt(Doubt),
}

impl OracleRefusal {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            OracleRefusal::Program(ProgramError::Empty) => {
                "put the command after `--`, or give a script with `--test`"
            }
            OracleRefusal::Program(ProgramError::NotFound(name)) if name.contains('/') => {
                "check the path: it is relative to the current folder"
            }
            OracleRefusal::Program(ProgramError::NotFound(_)) => {
                "a name without a slash is looked up on PATH; write ./name for a file in this folder"
            }
            OracleRefusal::Program(ProgramError::NotExecutable(_)) => {
                "make it executable with chmod +x; a command after `--` can name the interpreter instead: `-- sh FILE`"
            }
            OracleRefusal::ScriptRejects { .. } => {
                "exit status 0 means that the failure is present; the test runs in a fresh folder, so use \
                 absolute paths inside it; `nub doctor` tells more"
            }
            OracleRefusal::PatternMissing { .. } => {
                "run the command by hand and look at which stream the text goes to"
            }
            OracleRefusal::TimesOut { .. } => "use `--hang` if that is the failure, or a longer `--timeout`",
            OracleRefusal::DoesNotHang { .. } => "lower `--timeout`, or drop `--hang`",
            OracleRefusal::NotSlow { .. } => "lower the threshold",
            OracleRefusal::EmptyFails { .. } => {
                "describe the failure with `--match-out` or `--match-err`, unless the command fails on every input"
            }
            OracleRefusal::Flaky { .. } => {
                "`--flaky` reduces with votes; or make the command steady (a seed, one thread)"
            }
            OracleRefusal::Doubt(_) => "nothing was changed; try again",
        }
    }
}

fn doubt_text(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Cancelled => "cancelled".to_owned(),
        Doubt::Environment(text) => text.clone(),
        Doubt::Disagreement => "runs disagree".to_owned(),
        Doubt::NearThreshold => "the machine is too busy to measure time".to_owned(),
    }
}

fn listed(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  {line}")).collect()
}
