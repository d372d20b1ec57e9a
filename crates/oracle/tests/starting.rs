//! Refusals, limits, hangs, slowness and flakiness at the start.

mod common;

use std::time::{Duration, Instant};

use common::{Place, start};
use nub_oracle::{
    Convention, Expect, FlakyPolicy, Oracle, OracleRefusal, Pattern, ProgramError, Slow, Stability,
};
use nub_oracle::{TimeLimit, TimeShare, Verdict};
use nub_process::Cancel;

fn refusal(config: nub_oracle::OracleConfig) -> OracleRefusal {
    let Err(refusal) = start(config, b"bug") else { panic!("not refused") };
    assert!(!refusal.hint().is_empty() && !refusal.to_string().is_empty());
    refusal
}

#[test]
fn programs_that_cannot_run() {
    let place = Place::new();
    let golden = |word: &str| place.config(Convention::Golden { command: [word].into() });
    let not_found = OracleRefusal::Program(ProgramError::NotFound("no-such-solver".into()));
    assert_eq!(refusal(golden("no-such-solver")), not_found);
    let not_executable = OracleRefusal::Program(ProgramError::NotExecutable("/etc/passwd".into()));
    assert_eq!(refusal(golden("/etc/passwd")), not_executable);
}

#[test]
fn script_that_rejects_shows_why() {
    let place = Place::new();
    let OracleRefusal::ScriptRejects { end, lines } = refusal(place.script("echo no such file >&2; exit 4"))
    else {
        panic!("another refusal")
    };
    assert_eq!((end.as_str(), lines), ("exit 4", vec!["no such file".to_owned()]));
}

#[test]
fn time_out_hang_and_pattern() {
    let place = Place::new();
    let mut config = place.golden("grep -q bug $1 && exec sleep 60; exit 0");
    config.time = TimeLimit::Fixed(Duration::from_millis(300));
    assert!(matches!(refusal(config.clone()), OracleRefusal::TimesOut { .. }));
    config.hang = true;
    let (oracle, baseline) = start(config.clone(), b"bug").unwrap();
    assert_eq!(baseline.summary, "time limit");
    assert_eq!(oracle.ask(b"a bug", &Cancel::new()).verdict, Verdict::Fails);
    assert_eq!(oracle.ask(b"a", &Cancel::new()).verdict, Verdict::Passes);
    assert!(matches!(start(config, b"none"), Err(OracleRefusal::DoesNotHang { .. })));

    let mut config = place.golden("echo sat");
    config.expect = Expect { match_err: Some(Pattern::parse("sat").unwrap()), ..Expect::default() };
    assert!(matches!(refusal(config), OracleRefusal::PatternMissing { .. }));
}

#[test]
fn empty_file_fails_too() {
    let place = Place::new();
    for at_once in [1, 2, 3] {
        for mut config in [place.golden("exit 1"), place.script("exit 0")] {
            config.at_once = at_once;
            assert!(matches!(refusal(config), OracleRefusal::EmptyFails { .. }), "{at_once}");
        }
    }
}

/// The run on the empty file starts before its limit is known, and is stopped when the limit is reached.
#[test]
fn an_empty_file_on_which_the_command_does_not_end() {
    let place = Place::new();
    let mut config = place.golden("test -s $1 && exit 1; exec sleep 600");
    config.at_once = 3;
    let (oracle, _) = start(config, b"bug").unwrap();
    assert_eq!(oracle.ask(b"a bug", &Cancel::new()).verdict, Verdict::Fails);
}

/// Fails on every call except every third.
fn every_third(place: &Place) -> String {
    let counter = place.user().join("counter");
    let counter = counter.display();
    format!("test -s $1 || exit 0; echo x >> {counter}; test $(($(wc -l < {counter}) % 3)) = 2 && exit 0")
}

#[test]
fn flaky_start_is_refused_or_allowed() {
    let place = Place::new();
    let body = every_third(&place);
    let config = place.golden(&format!("{body}; kill -ABRT $$"));
    assert_eq!(refusal(config.clone()), OracleRefusal::Flaky { fails: 5, n: 7 });
    let mut allowed = config;
    allowed.flaky = FlakyPolicy::Allow;
    let (_, baseline) = start(allowed, b"bug").unwrap();
    assert!(matches!(baseline.stability, Stability::Flaky { n: 7, .. }), "{baseline:?}");
    assert!(baseline.summary.starts_with("SIGABRT"), "{baseline:?}");
}

#[test]
fn a_script_that_rejects_twice_gets_a_third_run() {
    let place = Place::new();
    let counter = place.user().join("counter");
    let body = format!("echo x >> {0}; test -s $1 && test $(wc -l < {0}) -ge 3", counter.display());
    assert_eq!(refusal(place.script(&body)), OracleRefusal::Flaky { fails: 5, n: 7 });
}

#[test]
fn time_limit_follows_accepted_runs() {
    let place = Place::new();
    let (oracle, baseline) = start(place.script("grep -q bug $1"), b"bug").unwrap();
    assert!(baseline.time_limit >= Duration::from_millis(1500));
    for _ in 0..3 {
        oracle.accepted(Duration::from_millis(20));
    }
    assert_eq!(oracle.time_limit(), Duration::from_millis(1020));
}

#[test]
fn a_candidate_that_hangs_passes_soon() {
    let place = Place::new();
    let config = place.golden("grep -q sleep $1 && sleep 60; grep -q bug $1 && exit 3; exit 0");
    let (oracle, _) = start(config, b"bug").unwrap();
    let begin = Instant::now();
    assert_eq!(oracle.ask(b"bug sleep", &Cancel::new()).verdict, Verdict::Passes);
    assert!(begin.elapsed() < Duration::from_secs(60), "before the sleep is over");
}

/// A command that hangs does so within every share of the limit. If it must print something first, that may come late, so no
/// shares are used.
#[test]
fn a_hang_is_one_within_a_share_of_the_limit() {
    let place = Place::new();
    let mut config = place.golden("grep -q bug $1 && { echo working; sleep 60; }; exit 0");
    config.hang = true;
    config.time = TimeLimit::Fixed(Duration::from_millis(800));
    let (oracle, _) = start(config.clone(), b"bug").unwrap();
    for halvings in 0..4 {
        let answer = oracle.ask_within(TimeShare::halved(halvings), b"a bug", &Cancel::new());
        assert_eq!(answer.verdict, Verdict::Fails, "{halvings}");
    }
    assert_eq!(oracle.ask(b"", &Cancel::new()).verdict, Verdict::Passes);
    config.expect.match_out = Some(Pattern::parse("working").unwrap());
    let (oracle, _) = start(config, b"bug").unwrap();
    assert_eq!(oracle.least_share(), TimeShare::FULL);
}

/// Burns as many tenths of a processor second as the file has bytes.
const BURN: &str = "n=$(wc -c < $1); i=0; while [ $i -lt $((n * 20000)) ]; do i=$((i + 1)); done; exit 0";

#[test]
fn slow_by_processor_time() {
    let place = Place::new();
    let mut config = place.golden(BURN);
    config.slow = Some(Slow::AtLeast(Duration::from_millis(150)));
    let (oracle, baseline) = start(config.clone(), &[b'x'; 100]).unwrap();
    assert_eq!(baseline.summary, "at least 0.150 s");
    let answer = oracle.ask(&[b'x'; 90], &Cancel::new());
    assert_eq!(answer.verdict, Verdict::Fails);
    let one = oracle.ask(b"x", &Cancel::new());
    assert_eq!(one.verdict, Verdict::Passes);
    assert!(answer.cpu < one.cpu * 80, "stopped before its end: {answer:?}, a byte is {one:?}");
    assert!(matches!(start(config, b"x"), Err(OracleRefusal::NotSlow { .. })));
}

#[test]
fn slow_by_waiting() {
    let place = Place::new();
    let mut config =
        place.golden("grep -q a $1 && grep -q bug $1 && sleep 60; grep -q bug $1 && sleep 1; exit 0");
    config.slow = Some(Slow::AtLeast(Duration::from_millis(500)));
    let (oracle, _) = start(config, b"bug").unwrap();
    let answer = oracle.ask(b"a bug", &Cancel::new());
    assert_eq!(answer.verdict, Verdict::Fails);
    assert!(answer.wall < Duration::from_secs(30), "half of its sleep: {answer:?}");
    assert_eq!(oracle.ask(b"a", &Cancel::new()).verdict, Verdict::Passes);
}

#[test]
fn slow_compared_with_another() {
    let place = Place::new();
    place.program("fast", "grep -q both $1 && exec sleep 60; exit 0");
    let mut config = place.golden(BURN);
    config.slow = Some(Slow::TimesAsLongAs { factor: 10.0, other: ["./fast"].into() });
    let (oracle, _) = start(config, &[b'x'; 100]).unwrap();
    assert_eq!(oracle.ask(&[b'x'; 90], &Cancel::new()).verdict, Verdict::Fails);
    assert_eq!(oracle.ask(b"x", &Cancel::new()).verdict, Verdict::Passes);
    assert_eq!(oracle.ask(b"both", &Cancel::new()).verdict, Verdict::Passes);
}
