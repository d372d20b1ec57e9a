//! Runs that we stop: limits, grace, cancelling.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // tests

mod common;

use std::thread;
use std::time::{Duration, Instant};

use common::{SOON, alive, program, run, sh, unique_sleep, wall};
use nub_process::{Cancel, ProcessEnd, ProcessLimits, Runner};

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn wall_limit() {
    let outcome = run(&sh("echo begun; sleep 60"), &wall(200));
    assert_eq!((outcome.end, &outcome.stdout.bytes[..]), (ProcessEnd::WallLimit, &b"begun\n"[..]));
    assert!(outcome.usage.wall >= Duration::from_millis(200));
    assert!(outcome.usage.wall < SOON, "{:?}", outcome.usage);
}

#[test]
fn a_child_that_stops_itself_is_ended() {
    let outcome = run(&sh("kill -STOP $$"), &wall(200));
    assert_eq!(outcome.end, ProcessEnd::WallLimit);
    // With a grace period it continues, and SIGTERM reaches it.
    let outcome = run(
        &sh("trap 'echo bye; exit' TERM; kill -STOP $$"),
        &ProcessLimits { grace: 30 * SECOND, ..wall(200) },
    );
    assert_eq!((outcome.end, &outcome.stdout.bytes[..]), (ProcessEnd::WallLimit, &b"bye\n"[..]));
}

#[test]
fn grace_lets_a_child_clean_up() {
    let script = "trap 'echo cleaned; exit 0' TERM; while :; do sleep 0.01; done";
    let outcome = run(&sh(script), &ProcessLimits { grace: 30 * SECOND, ..wall(200) });
    assert_eq!((outcome.end, &outcome.stdout.bytes[..]), (ProcessEnd::WallLimit, &b"cleaned\n"[..]));
    assert!(outcome.usage.wall < 30 * SECOND, "before the grace is over");
}

#[test]
fn grace_ends() {
    let limits = ProcessLimits { grace: Duration::from_millis(300), ..wall(200) };
    let outcome = run(&sh("trap '' TERM; while :; do sleep 0.01; done"), &limits);
    assert_eq!(outcome.end, ProcessEnd::WallLimit);
    assert!(outcome.usage.wall >= Duration::from_millis(500));
}

#[test]
fn grace_reaches_those_who_left_the_group() {
    let script = "setsid sh -c 'trap \"echo daemon >&2; exit\" TERM; while :; do sleep 0.01; done' & \
                  trap 'sleep 0.3; exit' TERM; while :; do sleep 0.01; done";
    let outcome = run(&sh(script), &ProcessLimits { grace: 30 * SECOND, ..wall(300) });
    assert_eq!(outcome.end, ProcessEnd::WallLimit);
    // Shells also report the death of their `sleep`.
    let text = String::from_utf8(outcome.stderr.bytes).unwrap();
    assert!(text.contains("daemon"), "{text}");
}

#[test]
fn cpu_limit_of_the_tree() {
    let limits = ProcessLimits { cpu: Some(Duration::from_millis(400)), ..wall(30_000) };
    let spin = "while :; do :; done";
    let outcome = run(&sh(spin), &limits);
    assert_eq!(outcome.end, ProcessEnd::CpuLimit);
    assert!(outcome.usage.cpu >= Duration::from_millis(400), "{:?}", outcome.usage);
    // Two at once, one of them a daemon.
    let outcome = run(&sh(&format!("(setsid sh -c '{spin}' &); {spin}")), &limits);
    assert_eq!(outcome.end, ProcessEnd::CpuLimit);
}

#[test]
fn memory_limit_stops_a_quick_hog() {
    // `tail` keeps the one endless line it reads.
    let limits = ProcessLimits { memory: Some(512 << 20), grace: 3 * SECOND, ..wall(60_000) };
    let outcome = run(&sh("head -c 8589934592 /dev/zero | tail"), &limits);
    assert_eq!(outcome.end, ProcessEnd::MemoryLimit);
    assert!(outcome.usage.peak_memory > 512 << 20, "{:?}", outcome.usage);
    assert!(outcome.usage.peak_memory < 4096 << 20, "long before its 8 GiB: {:?}", outcome.usage);
}

#[test]
fn memory_limit_counts_the_tree_and_its_daemons() {
    let limits = ProcessLimits { memory: Some(300 << 20), ..wall(60_000) };
    // One part fits; two together do not.
    assert_eq!(run(&sh("head -c 209715200 /dev/zero | tail >/dev/null"), &limits).end, ProcessEnd::Exit(0));
    let slow = "(head -c 209715200 /dev/zero; sleep 60) | tail";
    let outcome = run(&sh(&format!("(setsid sh -c '{slow}' &); {slow}")), &limits);
    assert_eq!(outcome.end, ProcessEnd::MemoryLimit);
}

#[test]
fn task_limit_stops_a_fork_bomb() {
    let limits = ProcessLimits { tasks: Some(50), ..wall(60_000) };
    let outcome = run(&sh("i=0; while [ $i -lt 2000 ]; do sleep 60 & i=$((i+1)); done; wait"), &limits);
    assert_eq!(outcome.end, ProcessEnd::TaskLimit);
    // Bounded, in case we fail: 2^10 processes.
    let bomb = "b() { [ $1 = 0 ] || { b $(($1 - 1)) & b $(($1 - 1)); }; sleep 60; }; b 10";
    let outcome = run(&sh(bomb), &limits);
    assert_eq!(outcome.end, ProcessEnd::TaskLimit);
}

#[test]
fn output_limit() {
    let limits = ProcessLimits { max_output: Some(1 << 20), keep_output: 100, ..wall(60_000) };
    let outcome = run(&program("yes", &[]), &limits);
    assert_eq!((outcome.end, outcome.stdout.bytes.len()), (ProcessEnd::OutputLimit, 100));
    assert!(outcome.stdout.total < 8 << 20);
    // The same if the child has ended before we check.
    let limits = ProcessLimits { max_output: Some(10), ..limits };
    assert_eq!(run(&sh("echo longer than ten"), &limits).end, ProcessEnd::OutputLimit);
    assert_eq!(run(&sh("printf 1234567890"), &limits).end, ProcessEnd::Exit(0));
}

#[test]
fn cancel_is_prompt() {
    let cancel = Cancel::new();
    let name = unique_sleep();
    let (outcome, delay) = cancel_after(ProcessLimits::default(), &cancel, &name, Cancel::cancel);
    assert_eq!(outcome, ProcessEnd::Cancelled);
    assert!(delay < SOON, "{delay:?}");
    assert!(alive(&name).is_empty());
    // Later runs do not start.
    let later = Runner::new().unwrap().run(&sh("echo x"), &ProcessLimits::default(), &cancel).unwrap();
    assert_eq!((later.end, later.stdout.total), (ProcessEnd::Cancelled, 0));
}

#[test]
fn the_second_cancel_skips_the_grace() {
    let cancel = Cancel::new();
    let limits = ProcessLimits { grace: 60 * SECOND, ..ProcessLimits::default() };
    let (outcome, delay) = cancel_after(limits, &cancel, &unique_sleep(), |cancel| {
        cancel.cancel();
        thread::sleep(Duration::from_millis(100));
        cancel.cancel_now();
    });
    assert_eq!(outcome, ProcessEnd::Cancelled);
    assert!(delay < SOON, "half of the grace: {delay:?}");
    assert!(cancel.is_cancelled());
}

/// Cancels four runs that ignore SIGTERM and returns how long the slowest took to end.
fn cancel_after(
    limits: ProcessLimits,
    cancel: &Cancel,
    name: &str,
    action: fn(&Cancel),
) -> (ProcessEnd, Duration) {
    let runner = Runner::new().unwrap();
    let command = sh(&format!("trap '' TERM; setsid sleep {name} & sleep {name}; sleep {name}"));
    thread::scope(|scope| {
        let run = || (runner.run(&command, &limits, cancel).unwrap().end, Instant::now());
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        thread::sleep(Duration::from_millis(300));
        let start = Instant::now();
        action(cancel);
        let ends: Vec<_> = runs.into_iter().map(|run| run.join().unwrap()).collect();
        let last = ends.into_iter().max_by_key(|end| end.1).unwrap();
        (last.0, last.1 - start)
    })
}

#[test]
fn paused_work_waits_until_it_is_resumed_or_stopped() {
    let cancel = Cancel::new();
    let sibling = cancel.sibling();
    cancel.pause();
    assert!(sibling.is_paused());
    let look = |cancel: &Cancel| {
        let (cancel, (sender, receiver)) = (cancel.clone(), std::sync::mpsc::channel());
        std::thread::spawn(move || sender.send(cancel.is_cancelled()));
        receiver
    };
    let (first, second) = (look(&cancel), look(&sibling));
    assert!(first.recv_timeout(Duration::from_millis(50)).is_err(), "it waits");
    sibling.cancel();
    assert_eq!(second.recv(), Ok(true), "a wish to stop is heard in a pause");
    assert!(first.recv_timeout(Duration::from_millis(50)).is_err(), "the other one was not stopped");
    cancel.resume();
    assert_eq!(first.recv(), Ok(false));
}
