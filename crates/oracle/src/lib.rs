//! Runs candidates and judges them.
//!
//! An [`Oracle`] says whether a candidate still shows the failure: [`Verdict::Fails`] (it does, good for a
//! reducer), [`Verdict::Passes`], or [`Verdict::Unsure`]. There are three:
//!
//! - [`RealOracle`] runs the user's command under limits. [`Session::start`] makes it from an [`OracleConfig`]: it
//!   runs the original, fixes what "fails" means, and refuses with a hint ([`OracleRefusal`]) when the
//!   oracle cannot be used.
//! - [`VotingOracle`] wraps another: it notices flakiness early and then lets several runs vote.
//! - [`FnOracle`] is a pure predicate, for tests.
//!
//! Two conventions ([`Convention`]). *Script*: exit status 0 means fails; a fresh folder for each run.
//! *Golden*: the command behaves as it did on the original: same exit status or signal, and the same *kind* of
//! output. Which kind, in short: if the original printed a crash message, that message with its source position
//! (see `signature.rs`); if it died silently, the signal; otherwise the sequence of answers and error kinds,
//! without models and values (see `class.rs`). Patterns and ignore options override this ([`Expect`]). If two
//! solvers contradict each other on the original, they must do so on the candidate (`golden.rs`).
//!
//! [`diagnose`] explains what is wrong with an oracle: flaky, depends on the folder, and so on.
//!
//! ```
//! use std::sync::Arc;
//! use nub_oracle::{OracleConfig, Convention, Oracle, Session, Verdict};
//! use nub_process::{Cancel, Runner};
//!
//! let temp = tempfile::tempdir()?;
//! let convention = Convention::Golden { command: ["grep", "bug"].into() };
//! let config = OracleConfig::new(convention, "/".into(), temp.path().into(), "/usr/bin:/bin".into());
//! let cancel = Cancel::new();
//! let (oracle, baseline) = Session::start(config, Arc::new(Runner::new()?), b"a\na bug\n", &cancel)?;
//! assert_eq!(baseline.summary, "exit 0, stdout: a bug");
//! assert_eq!(oracle.ask(b"a bug\n", &cancel).verdict, Verdict::Fails);
//! assert_eq!(oracle.ask(b"a\n", &cancel).verdict, Verdict::Passes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod baseline;
mod class;
mod config;
mod doctor;
mod fake;
mod first_runs;
mod flakiness;
mod golden;
mod invocation;
mod items;
mod judge;
mod key;
mod lab;
mod learn_share;
mod mask;
mod pattern;
mod probation;
mod real;
mod refusal;
mod registered;
mod reproduction;
mod seconds;
mod session;
mod signature;
mod slow;
mod slow_start;
mod time_share;
mod verdict;
mod voting;
mod wall_limit;

pub use baseline::{Baseline, Stability, end_text};
pub use config::{
    Convention, CrossCheck, Expect, FlakyPolicy, Invocation, OracleConfig, ProgramPlace, Slow, TimeLimit,
};
pub use doctor::{DoctorFinding, diagnose};
pub use fake::FnOracle;
pub use flakiness::{Confirmation, FINAL_CONFIRMATIONS, Flakiness};
pub use invocation::{ProgramError, shell_word};
pub use items::{Items, balanced_end};
pub use mask::{MaskedNames, mask, mask_names};
pub use pattern::{Pattern, PatternError};
pub use probation::{PROBATION_ASKS, WatchLevel};
pub use real::RealOracle;
pub use refusal::OracleRefusal;
pub use registered::{FileFeed, RegisteredCommand};
pub use reproduction::{Reproduction, ReproductionCommand};
pub use seconds::Seconds;
pub use session::Session;
pub use signature::{CrashSignature, Rank, loudest, signatures};
pub use time_share::TimeShare;
pub use verdict::{Doubt, IdleTime, Oracle, OracleAnswer, Verdict};
pub use voting::{Votes, VotingOracle};
