//! Runs that end by themselves: status, streams, input, environment, errors.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // tests

mod common;

use std::time::{Duration, Instant};

use common::{SOON, program, run, sh, wall};
use nub_process::{Cancel, ChildInput, ProcessEnd, ProcessLimits, RunError, Runner};

#[test]
fn status_and_streams() {
    let outcome = run(&sh("echo out; echo err >&2; exit 7"), &ProcessLimits::default());
    assert_eq!(outcome.end, ProcessEnd::Exit(7));
    assert_eq!(outcome.stdout.bytes, b"out\n");
    assert_eq!(outcome.stderr.bytes, b"err\n");
    assert_eq!((outcome.stdout.total, outcome.usage.strays), (4, 0));
}

#[test]
fn death_by_signal_is_not_a_stop() {
    assert_eq!(run(&sh("kill -SEGV $$"), &ProcessLimits::default()).end, ProcessEnd::Signal(11));
    assert_eq!(run(&sh("kill -KILL $$"), &ProcessLimits::default()).end, ProcessEnd::Signal(9));
}

#[test]
fn input_from_memory_goes_both_ways_at_once() {
    // Far more than both pipes hold: a loop that writes first and reads later would hang.
    let bytes: Vec<u8> = (0..4 << 20).map(|i: u32| i.to_le_bytes()[1]).collect();
    let mut cat = program("cat", &[]);
    cat.input = ChildInput::Bytes(bytes.clone().into());
    let outcome = run(&cat, &ProcessLimits { keep_output: 8 << 20, ..wall(20_000) });
    assert_eq!(outcome.end, ProcessEnd::Exit(0));
    assert!(outcome.stdout.bytes == bytes);
}

#[test]
fn a_child_may_leave_its_input_unread() {
    let mut reader = sh("exec <&-; sleep 0.05; exit 3");
    reader.input = ChildInput::Bytes(vec![0; 4 << 20].into());
    assert_eq!(run(&reader, &wall(20_000)).end, ProcessEnd::Exit(3));
    let mut reader = program("cat", &[]);
    reader.input = ChildInput::Bytes(Vec::new().into());
    assert_eq!(run(&reader, &wall(20_000)).end, ProcessEnd::Exit(0));
}

#[test]
fn input_from_a_file_and_from_nothing() {
    let mut cat = program("cat", &[]);
    assert_eq!(run(&cat, &wall(20_000)).stdout.total, 0);
    cat.input = ChildInput::File("/proc/self/comm".into());
    assert!(run(&cat, &wall(20_000)).stdout.total > 0);
}

#[test]
fn folder_environment_and_group() {
    let mut command = sh("pwd; echo $NUB_TEST; echo $$; cut -d' ' -f5 /proc/$$/stat");
    command.folder = Some("/usr".into());
    command.env = vec![("NUB_TEST".into(), "value".into())];
    let text = String::from_utf8(run(&command, &ProcessLimits::default()).stdout.bytes).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["/usr", "value"]);
    assert_eq!(lines[2], lines[3], "the child leads its process group");
}

#[test]
fn cores_are_off() {
    let outcome = run(&sh("grep core /proc/self/limits"), &ProcessLimits::default());
    let text = String::from_utf8(outcome.stdout.bytes).unwrap();
    assert_eq!(text.split_whitespace().nth(4), Some("1"), "{text}");
}

#[test]
fn output_beyond_what_is_kept_is_counted() {
    let limits = ProcessLimits { keep_output: 10, ..ProcessLimits::default() };
    let outcome = run(&sh("head -c 3000000 /dev/zero; head -c 500000 /dev/zero >&2"), &limits);
    assert_eq!(outcome.end, ProcessEnd::Exit(0));
    assert_eq!((outcome.stdout.bytes.len(), outcome.stdout.total), (10, 3_000_000));
    assert_eq!((outcome.stderr.bytes.len(), outcome.stderr.total), (10, 500_000));
}

#[test]
fn background_holders_of_the_pipes_are_not_waited_for() {
    let start = Instant::now();
    let outcome = run(&sh("sleep 60 & echo done"), &ProcessLimits::default());
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!((outcome.end, outcome.usage.strays), (ProcessEnd::Exit(0), 1));
    assert_eq!(outcome.stdout.bytes, b"done\n");
}

#[test]
fn output_just_before_the_end_is_complete_although_others_write() {
    let outcome = run(&sh("yes >&2 & head -c 60000 /dev/zero"), &wall(20_000));
    assert_eq!((outcome.end, outcome.stdout.total), (ProcessEnd::Exit(0), 60_000));
}

#[test]
fn usage_is_that_of_the_child() {
    let outcome = run(&sh("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"), &ProcessLimits::default());
    assert!(outcome.usage.cpu > Duration::from_millis(20), "{:?}", outcome.usage);
    assert!(outcome.usage.wall >= outcome.usage.cpu / 2, "{:?}", outcome.usage);
    assert!((100_000..1 << 30).contains(&outcome.usage.peak_memory), "{:?}", outcome.usage);
}

#[test]
fn errors_say_what_is_wrong() {
    let fail = |command| {
        Runner::new().unwrap().run(&command, &ProcessLimits::default(), &Cancel::new()).unwrap_err()
    };
    let error = fail(program("nub-no-such-program", &[]));
    assert!(matches!(error, RunError::NotFound { .. }));
    assert!(error.to_string().contains("./nub-no-such-program"), "{error}");
    assert!(matches!(fail(program("/nowhere/x", &[])), RunError::NotFound { .. }));
    assert!(matches!(fail(program("/etc/hostname", &[])), RunError::NotExecutable { .. }));
    assert!(matches!(fail(program("/usr", &[])), RunError::NotExecutable { .. }));

    let mut command = program("true", &[]);
    command.folder = Some("/nowhere".into());
    assert!(fail(command).to_string().contains("folder /nowhere"));
    let mut command = program("true", &[]);
    command.input = ChildInput::File("/nowhere".into());
    assert!(fail(command).to_string().contains("input /nowhere"));
}
