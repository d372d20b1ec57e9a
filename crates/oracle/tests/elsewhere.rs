//! An oracle does not know where its commands run: here nowhere, a function says what would have come of them.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::Place;
use nub_oracle::{Oracle, Session, Verdict};
use nub_process::{Cancel, Command, CommandRunner, End, Limits, Outcome, Output, RunError, Usage};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pretends to be a solver that crashes on files with `bug` in them.
#[derive(Default)]
struct Elsewhere {
    n_runs: AtomicUsize,
}

impl CommandRunner for Elsewhere {
    fn run(&self, command: &Command, _: &Limits, _: &Cancel) -> Result<Outcome, RunError> {
        self.n_runs.fetch_add(1, Ordering::Relaxed);
        let text = std::fs::read(command.args.last().unwrap()).unwrap();
        let is_crash = text.windows(3).any(|window| window == b"bug");
        Ok(Outcome {
            end: if is_crash { End::Signal(6) } else { End::Exit(0) },
            stdout: Output { bytes: b"sat\n".to_vec(), total: 4 },
            stderr: Output::default(),
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
