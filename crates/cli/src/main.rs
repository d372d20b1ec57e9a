//! The `nub` program.
//!
//! `cli` has the options and picks the command; `commands/` has one file for each; `exit` is the table of exit codes.
//! All crates below are functions of input, options and seed; arguments, environment, clock, streams and signals are
//! handled here.

// Arguments, environment and signals are handled here. `println!` stays forbidden: it panics if standard output is closed, see `reporter::print`.
#![allow(clippy::exit, clippy::disallowed_methods)]

mod cli;
mod commands;
mod exit;
mod front;
mod guess;
mod live;
mod render;
mod reporter;
mod sat_solver;
mod signals;
mod terminal;
mod thesis_options;
mod values;

use exit::Exit;
use nub_jobs::{Failure, FailureKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    let exit = catch_unwind(AssertUnwindSafe(|| cli::run(args))).unwrap_or_else(|_| {
        let failure = Failure::new(FailureKind::Internal, "nub stopped; files written so far are complete");
        reporter::tell(&render::failure_text(&failure, terminal::Paint::Plain));
        Exit::INTERNAL
    });
    if let Exit::Signal(signal) = exit {
        signals::die_of(signal);
    }
    ExitCode::from(exit.code())
}
