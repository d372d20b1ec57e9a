//! Golden and script oracles end to end, with `sh` as the solver.

#![allow(clippy::disallowed_methods)] // tests make their own files

mod common;

use common::{Place, entries, start};
use nub_oracle::{
    Convention, CrossCheck, Expect, Invocation, Oracle, Pattern, Reproduction, TimeLimit, Verdict,
};
use nub_process::Cancel;

fn ask(oracle: &impl Oracle, bytes: &[u8]) -> Verdict {
    oracle.ask(bytes, &Cancel::new()).verdict
}

#[test]
fn golden_crash() {
    let place = Place::new();
    let config = place.golden("echo sat; grep -q bug $1 && kill -SEGV $$; exit 0");
    let (oracle, baseline) = start(config, b"a bug here").unwrap();
    assert_eq!(baseline.summary, "SIGSEGV, stdout: sat");
    assert!(!baseline.stability.is_flaky());
    assert_eq!(ask(&oracle, b"bug"), Verdict::Fails);
    assert_eq!(ask(&oracle, b"bag"), Verdict::Passes);
    let Reproduction { command, beside } = oracle.reproduction("bug.smt2".as_ref());
    assert_eq!((command.line.as_str(), command.shows.as_str()), ("./solver bug.smt2", "SIGSEGV"));
    assert_eq!(beside, None);
    assert!(oracle.confirm(b"bug", 5, &Cancel::new()).is_full());
}

#[test]
fn golden_runs_in_the_users_folder_with_the_original_name() {
    let place = Place::new();
    std::fs::write(place.user().join("data"), "x").unwrap();
    let config =
        place.golden("test -e data || exit 9; case $1 in /*/bug.smt2) ;; *) exit 8;; esac; grep -c bug $1");
    let (oracle, _) = start(config, b"bug").unwrap();
    assert_eq!(ask(&oracle, b"bug\nbag"), Verdict::Fails);
    assert_eq!(ask(&oracle, b"bag"), Verdict::Passes);
    assert_eq!(entries(&place.user()), ["data", "solver"]);
}

#[test]
fn holes_standard_input_and_shell() {
    let place = Place::new();
    place.program("solver", r#"grep -q bug "${1#--file=}" && exit 3; exit 0"#);
    let mut config = place.config(Convention::Golden { command: ["./solver", "--file={}"].into() });
    let (oracle, _) = start(config.clone(), b"bug").unwrap();
    assert_eq!((ask(&oracle, b"bug "), ask(&oracle, b"x")), (Verdict::Fails, Verdict::Passes));

    config.convention = Convention::Golden { command: ["grep", "bug"].into() };
    config.stdin = true;
    let (oracle, _) = start(config.clone(), b"bug").unwrap();
    assert_eq!((ask(&oracle, b"bug"), ask(&oracle, b"x")), (Verdict::Fails, Verdict::Passes));
    assert_eq!(oracle.reproduction("o.smt2".as_ref()).command.line, "grep bug < o.smt2");

    config.convention = Convention::Golden { command: Invocation::Shell("cat {} | grep bug".into()) };
    config.stdin = false;
    let (oracle, _) = start(config, b"bug").unwrap();
    assert_eq!((ask(&oracle, b"bug"), ask(&oracle, b"x")), (Verdict::Fails, Verdict::Passes));
}

#[test]
fn script_runs_in_a_fresh_folder() {
    let place = Place::new();
    let body = r#"test "$(ls -A)" = bug.smt2 || exit 7
        test "$1" = "$PWD/bug.smt2" || exit 6
        test -d "$TMPDIR" || exit 5
        touch litter "$TMPDIR/litter"
        grep -q bug bug.smt2"#;
    let (oracle, baseline) = start(place.script(body), b"bug").unwrap();
    assert_eq!(baseline.summary, "exit 0");
    for _ in 0..3 {
        assert_eq!(ask(&oracle, b"a bug"), Verdict::Fails);
        assert_eq!(ask(&oracle, b"none"), Verdict::Passes);
    }
    assert_eq!(oracle.reproduction("o.smt2".as_ref()).command.line, "./test.sh o.smt2");
}

#[test]
fn patterns_decide_alone() {
    let place = Place::new();
    let mut config = place.golden("echo $RANDOM$$; grep -o bug $1; echo done >&2; exit 1");
    config.expect = Expect { match_out: Some(Pattern::parse("/^bug$/").unwrap()), ..Expect::default() };
    let (oracle, _) = start(config, b"bug").unwrap();
    assert_eq!((ask(&oracle, b"bug bug"), ask(&oracle, b"x")), (Verdict::Fails, Verdict::Passes));
}

#[test]
fn cross_check_of_a_wrong_answer() {
    let place = Place::new();
    place.program("right", "for w in $(cat $1); do echo sat; done");
    let mut config = place.golden("for w in $(cat $1); do test $w = bug && echo unsat || echo sat; done");
    config.cross_check =
        Some(CrossCheck { command: ["./right"].into(), expect: Expect::default(), time: TimeLimit::Auto });
    let (oracle, _) = start(config, b"a b bug c").unwrap();
    assert_eq!(ask(&oracle, b"bug"), Verdict::Fails);
    assert_eq!(ask(&oracle, b"a b"), Verdict::Passes);
}

#[test]
fn a_meddling_oracle_does_no_harm() {
    let place = Place::new();
    let tricks = [
        "rm $1",
        "mv $1 away",
        "echo other > $1",
        "chmod 000 $1",
        "rm -rf \"$PWD\"",
        "mkdir -p a/b; touch a/b/c; chmod 000 a",
        "cd /; rm -rf \"$TMPDIR\"",
        "ln -sf /etc/passwd $1",
    ];
    for trick in tricks {
        let body =
            format!("test -d \"$TMPDIR\" || exit 5; grep -q bug $1; r=$?; {trick} >/dev/null 2>&1; exit $r");
        let (script, _) = start(place.script(&body), b"bug").unwrap();
        let (golden, _) = start(place.golden(&body.replace("rm -rf \"$PWD\"", "true")), b"bug").unwrap();
        for _ in 0..3 {
            for oracle in [&script, &golden] {
                assert_eq!(ask(oracle, b"bug"), Verdict::Fails, "{trick}");
                assert_eq!(ask(oracle, b"x"), Verdict::Passes, "{trick}");
            }
        }
        for name in ["a", "away"] {
            let _ = std::process::Command::new("rm").arg("-rf").arg(place.user().join(name)).status();
        }
    }
}

#[test]
fn many_workers_at_once() {
    let place = Place::new();
    let (oracle, _) = start(place.script("grep -q bug $1"), b"bug").unwrap();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let oracle = &oracle;
            scope.spawn(move || {
                for idx in 0..10 {
                    let has_bug = (worker + idx) % 2 == 0;
                    let bytes: &[u8] = if has_bug { b"bug" } else { b"bag" };
                    assert_eq!(ask(oracle, bytes).fails(), has_bug);
                }
            });
        }
    });
}

#[test]
fn cancelled_is_unsure() {
    let place = Place::new();
    let (oracle, _) = start(place.script("grep -q bug $1"), b"bug").unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(ask_with(&oracle, &cancel), Verdict::Unsure(nub_oracle::Doubt::Cancelled));
}

fn ask_with(oracle: &impl Oracle, cancel: &Cancel) -> Verdict {
    oracle.ask(b"bug", cancel).verdict
}

#[test]
fn keys_change_with_what_matters() {
    let place = Place::new();
    let config = place.golden("exit 3 # grep $1\ntest -s $1 && exit 3");
    let config = {
        place.program("solver", "test -s $1 && exit 3; exit 0");
        config
    };
    let (oracle, _) = start(config.clone(), b"bug").unwrap();
    let key = oracle.key(b"a");
    assert_eq!(key, oracle.key(b"a"));
    assert_ne!(key, oracle.key(b"b"));
    let (same, _) = start(config.clone(), b"other original").unwrap();
    assert_eq!(key, same.key(b"a"));
    let mut limited = config.clone();
    limited.memory = Some(1 << 30);
    assert_ne!(key, start(limited, b"bug").unwrap().0.key(b"a"));
    place.program("solver", "test -s $1 && exit 3; exit 0 # rebuilt");
    assert_ne!(key, oracle.key(b"a"), "a rebuilt program is noticed while running");
}
