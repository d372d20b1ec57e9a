//! Promises about the whole process, so that only one test may run at a time.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // tests

mod common;

use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use common::{alive, children, program, run, sh, unique_sleep, wall};
use nub_process::{ProcessEnd, ProcessLimits};

static ALONE: Mutex<()> = Mutex::new(());

/// Runs a test while no other runs.
fn alone(test: impl FnOnce()) {
    let _guard = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    test();
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

fn resident_bytes() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[test]
fn a_thousand_runs_leave_no_descriptor_and_no_zombie() {
    alone(|| {
        let command = program("true", &[]);
        run(&command, &ProcessLimits::default());
        let before = descriptors();
        for _ in 0..1000 {
            assert_eq!(run(&command, &ProcessLimits::default()).end, ProcessEnd::Exit(0));
        }
        assert_eq!(descriptors(), before);
        assert_eq!(children(), []);
    });
}

#[test]
fn runs_with_daemons_leave_no_zombie() {
    alone(|| {
        for _ in 0..20 {
            run(
                &sh("(setsid sh -c 'sleep 60 & sleep 60' &); (true &); sleep 0.01"),
                &ProcessLimits::default(),
            );
        }
        assert_eq!(children(), []);
    });
}

#[test]
fn a_flood_does_not_fill_our_memory() {
    alone(|| {
        // The promise is to count all of it: ten gigabytes.
        let is_full = std::env::var_os("NUB_FULL").is_some_and(|value| value == "1");
        let n_bytes: u64 = if is_full { 10 << 30 } else { 2 << 30 };
        let command = program("head", &["-c", &n_bytes.to_string(), "/dev/zero"]);
        let before = resident_bytes();
        let outcome = run(&command, &ProcessLimits { max_output: None, ..wall(120_000) });
        assert_eq!((outcome.end, outcome.stdout.total), (ProcessEnd::Exit(0), n_bytes));
        let growth = resident_bytes().saturating_sub(before);
        assert!(growth < 8 << 20, "{growth}");
    });
}

#[test]
fn a_daemon_without_a_mark_is_swept() {
    alone(|| {
        let name = unique_sleep();
        let script = format!("(env -i setsid sleep {name} >/dev/null 2>&1 &); sleep 0.1");
        assert_eq!(run(&sh(&script), &wall(20_000)).usage.strays, 1);
        assert!(alive(&name).is_empty());
    });
}

#[test]
fn the_last_run_sweeps_daemons_without_a_mark() {
    alone(|| {
        let name = unique_sleep();
        let script = format!("(env -i setsid sleep {name} >/dev/null 2>&1 &); sleep 0.$(($$ % 10))");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(run(&sh(&script), &wall(20_000)).end, ProcessEnd::Exit(0)));
            }
        });
        assert!(alive(&name).is_empty());
        assert_eq!(children(), []);
    });
}

#[test]
fn children_that_are_not_of_runs_are_left_alone() {
    alone(|| {
        let mut other = std::process::Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().unwrap();
        let outcome = run(&sh("sleep 60 & (setsid sleep 60 &); sleep 0.05"), &ProcessLimits::default());
        assert_eq!((outcome.end, outcome.usage.strays), (ProcessEnd::Exit(0), 2));
        std::thread::sleep(Duration::from_millis(20));
        assert!(other.try_wait().unwrap().is_none(), "swept a child of ours");
        other.kill().unwrap();
        other.wait().unwrap();
    });
}
