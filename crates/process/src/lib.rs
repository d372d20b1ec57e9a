//! The one place in nub that starts programs.
//!
//! A [`Runner`] runs a [`Command`] under [`ProcessLimits`] and returns a [`ProcessOutcome`]. When `run`
//! returns, nothing the command started is alive: its process group is killed, and descendants that left the
//! group (daemons) are found through the child-subreaper and swept. Threads may call `run` on one runner at
//! once; that is how nub asks several oracles in parallel. A [`Cancel`] ends runs from another thread.
//! [`CommandRunner`] is the interface for callers that need not know where their commands run.
//!
//! Programs are always started with posix_spawn, never with `pre_exec`, so the cost of a spawn does not grow
//! with our heap. Each run is watched by the calling thread alone, with one `poll` over the child's pidfd,
//! its pipes and the cancel event.
//!
//! ```
//! use nub_process::{Cancel, Command, ChildInput, ProcessEnd, ProcessLimits, Runner};
//!
//! let runner = Runner::new()?;
//! let echo = Command {
//!     program: "echo".into(),
//!     args: vec!["unsat".into()],
//!     folder: None,
//!     env: Vec::new(),
//!     input: ChildInput::Null,
//! };
//! let outcome = runner.run(&echo, &ProcessLimits::default(), &Cancel::new())?;
//! assert_eq!(outcome.end, ProcessEnd::Exit(0));
//! assert_eq!(outcome.stdout.bytes, b"unsat\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The files, in the order in which a run uses them: `runner` (one run from start to end), `spawn`
//! (starting), `watch` (the poll loop) with `pipes` and `sample`, `family` (whose child is whose; the sweep),
//! `tree` and `procfs` (what /proc says), `sys` (the calls rustix lacks).

#![allow(clippy::disallowed_methods)] // this crate is the place the lint points to

mod cancel;
mod command;
mod family;
mod limits;
mod outcome;
mod pipes;
mod procfs;
mod runner;
mod sample;
mod signal_name;
mod spawn;
mod sys;
mod tree;
mod watch;

pub use cancel::Cancel;
pub use command::{ChildInput, Command};
pub use limits::ProcessLimits;
pub use outcome::{CapturedOutput, ProcessEnd, ProcessOutcome, Usage};
pub use runner::{CommandRunner, RunError, Runner};
pub use signal_name::signal_name;
