//! An oracle does not know where its commands run: here nothing runs, a function returns the outcomes.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::Place;
use nub_oracle::{Convention, Oracle, ProgramPlace, Session, Verdict};
use nub_process::{
    Cancel, CapturedOutput, Command, CommandRunner, ProcessEnd, ProcessLimits, ProcessOutcome, RunError,
    Usage,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

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
    // The program exists but must not be started: its output would differ.
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

/// A runner whose first runs wait for each other while more may still start.
struct Meeting {
    n_awaited: usize,
    /// Runs in progress, and the maximum so far.
    state: Mutex<(usize, usize)>,
    news: Condvar,
    inner: Elsewhere,
}

impl Meeting {
    fn new(n_awaited: usize) -> Meeting {
        Meeting { n_awaited, state: Mutex::default(), news: Condvar::new(), inner: Elsewhere::default() }
    }
}

impl CommandRunner for Meeting {
    fn run(
        &self,
        command: &Command,
        limits: &ProcessLimits,
        cancel: &Cancel,
    ) -> Result<ProcessOutcome, RunError> {
        let mut state = self.state.lock().unwrap();
        state.0 += 1;
        state.1 = state.1.max(state.0);
        self.news.notify_all();
        // A wait gives up after a while, so that the test fails instead of hanging.
        let too_few = |state: &mut (usize, usize)| state.1 < self.n_awaited;
        let (mut state, _) = self.news.wait_timeout_while(state, Duration::from_secs(20), too_few).unwrap();
        state.0 -= 1;
        drop(state);
        self.inner.run(command, limits, cancel)
    }
}

#[test]
fn the_first_runs_are_made_at_once_if_they_may_be() {
    for (at_once, n_awaited) in [(1, 1), (2, 2), (3, 3), (16, 3)] {
        let place = Place::new();
        let mut config = place.golden("exit 9");
        config.at_once = at_once;
        let runner = Arc::new(Meeting::new(n_awaited));
        let (_, baseline) = Session::start(config, runner.clone(), b"a bug", &Cancel::new()).unwrap();
        assert_eq!(baseline.summary, "SIGABRT, stdout: sat");
        assert_eq!(runner.state.lock().unwrap().1, n_awaited, "{at_once}");
        assert_eq!(
            runner.inner.n_runs.load(Ordering::Relaxed),
            3,
            "two on the original, one on an empty file"
        );
    }
}
