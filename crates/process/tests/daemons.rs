//! Nothing survives a run, and no run harms another.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // tests

mod common;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use common::{SOON, alive, run, sh, unique_sleep, wall};
use nub_process::{Cancel, ProcessEnd, ProcessLimits, Runner};

/// Dead orphans have no mark, and whichever run sees them first reaps and counts them. So tests that count strays run one after the
/// other.
fn counting() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn a_daemon_is_swept() {
    let _alone = counting();
    let name = unique_sleep();
    // Forked twice, in its own session, with none of our pipes.
    let outcome =
        run(&sh(&format!("(setsid sleep {name} </dev/null >/dev/null 2>&1 &); sleep 0.1")), &wall(20_000));
    assert_eq!((outcome.end, outcome.usage.strays), (ProcessEnd::Exit(0), 1));
    assert!(alive(&name).is_empty());
}

#[test]
fn a_daemon_just_being_made_is_swept() {
    let _alone = counting();
    for _ in 0..50 {
        let name = unique_sleep();
        run(&sh(&format!("(setsid sh -c 'setsid sleep {name} & sleep {name}' &) & exit 0")), &wall(20_000));
        assert!(alive(&name).is_empty());
    }
}

#[test]
fn hanging_oracles_leave_nothing() {
    let _alone = counting();
    let name = unique_sleep();
    let command = sh(&format!(
        "trap '' TERM HUP; setsid sleep {name} & (setsid sh -c 'setsid sleep {name} & exec sleep {name}' &); \
         sleep {name}; sleep {name}"
    ));
    for _ in 0..20 {
        let start = Instant::now();
        let outcome = run(&command, &wall(50));
        assert_eq!(outcome.end, ProcessEnd::WallLimit);
        assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
        assert!(alive(&name).is_empty());
    }
}

#[test]
fn a_daemon_that_forks_for_ever_is_swept() {
    let _alone = counting();
    // Each generation lives in a session of its own and ends at once.
    let name = unique_sleep();
    let mut command = sh("(setsid sh -c \"$BOMB\" &); sleep 0.1");
    command.env = vec![("BOMB".into(), format!("(setsid sh -c \"$BOMB\" {name} &)").into())];
    let outcome = run(&command, &wall(20_000));
    assert_eq!(outcome.end, ProcessEnd::Exit(0));
    assert!(outcome.usage.strays > 0);
    thread::sleep(Duration::from_millis(50));
    assert!(alive(&name).is_empty());
}

#[test]
fn concurrent_runs_with_daemons_do_not_harm_each_other() {
    const N_RUNS: u32 = 200;
    let _alone = counting();
    let runner = Runner::new().unwrap();
    let name = unique_sleep();
    // Each run checks that its own daemon, an orphan by then, lives until the end.
    let command = sh(&format!(
        "d=$( (setsid sleep {name} >/dev/null 2>&1 & echo $!) ); b=$(setsid true); sleep 0.00$(($$ % 10)); \
         kill -0 $d && echo ok"
    ));
    // Of two runs that end together, one may reap and count the daemon that the other has killed.
    let n_strays = AtomicU32::new(0);
    thread::scope(|scope| {
        let worker = || {
            for _ in 0..N_RUNS {
                let outcome = runner.run(&command, &ProcessLimits::default(), &Cancel::new()).unwrap();
                assert_eq!(
                    (outcome.end, &outcome.stdout.bytes[..]),
                    (ProcessEnd::Exit(0), &b"ok\n"[..]),
                    "{outcome:?}"
                );
                n_strays.fetch_add(outcome.usage.strays, Ordering::Relaxed);
            }
        };
        scope.spawn(worker);
        scope.spawn(worker);
    });
    assert_eq!(n_strays.into_inner(), 2 * N_RUNS, "each daemon is counted once");
    assert!(alive(&name).is_empty());
}
