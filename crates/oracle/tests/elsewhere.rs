//! An oracle does not know where its commands run: here nowhere, a function says what would have come of them.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::Place;
use nub_oracle::{Convention, Oracle, ProgramPlace, Session, Verdict};
use nub_process::{
    Cancel, CapturedOutput, Command, CommandRunner, ProcessEnd, ProcessLimits, ProcessOutcome, RunError,
    Usage,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pretends to be a solver that crashes on files with `bug` in them.
#[derive(Default)]
struct Elsewhere {
    n_runs: AtomicUsize,
}

impl CommandRunner for Elsewhere {
    fn run(&self, command: &Command, _: &ProcessLimits, _: &Cancel) -> Result<ProcessOutcome, RunError> {
        self.n_runs.fetch_add(1, Ordering::Relaxed);
        let text = std::fs::read(command.args.last().unwrap()).unwrap();
        let is_crash = text.windows(3).any(|window| window == b"bug");
        Ok(ProcessOutcome {
            end: if is_crash { ProcessEnd::Signal(6) } else { ProcessEnd::Exit(0) },
            stdout: CapturedOutput { bytes: b"sat\n".to_vec(), total: 4 },
            stderr: CapturedOutput::default(),
            usage: Usage::default(),
        })
    }
}

#[test]
fn commands_may_run_anywhere() {
    let place = Place::new();
    // The program exists, and must not be started: it would say something else.
    let config = place.golden("exit 9");
    let runner = Arc::new(Elsewhere::default());
    let (oracle, baseline) = Session::start(config, runner.clone(), b"a bug here", &Cancel::new()).unwrap();
    assert_eq!(baseline.summary, "SIGABRT, stdout: sat");
    assert_eq!(oracle.ask(b"bug", &Cancel::new()).verdict, Verdict::Fails);
    assert_eq!(oracle.ask(b"bag", &Cancel::new()).verdict, Verdict::Passes);
    assert!(runner.n_runs.load(Ordering::Relaxed) >= 3);
}

#[test]
fn a_program_that_is_elsewhere_is_a_name() {
    let place = Place::new();
    let mut config = place.config(Convention::Golden { command: ["@solver"].into() });
    let refusal = Session::start(config.clone(), Arc::new(Elsewhere::default()), b"bug", &Cancel::new());
    assert!(refusal.is_err(), "there is no such program here");
    config.programs = ProgramPlace::Elsewhere;
    let (oracle, _) =
        Session::start(config, Arc::new(Elsewhere::default()), b"a bug", &Cancel::new()).unwrap();
    assert_eq!(oracle.ask(b"bug", &Cancel::new()).verdict, Verdict::Fails);
}
