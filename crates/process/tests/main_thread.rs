//! What depends on the main thread, or on what a process inherits from its parent.
//!
//! The kernel gives orphans to our main thread, whose direct children are in the same list.
//! Therefore this test has no harness: the harness would keep the main thread for itself.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stdout)] // tests

mod common;

use std::thread;

use common::{alive, children, run, sh, unique_sleep, wall};
use nub_process::{Cancel, ProcessEnd, ProcessLimits, Runner};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args.get(1).map(String::as_str) {
        Some("--inner") => inner(&args[2]),
        // Options of test runners: this is one test without a name, which can only be run or listed.
        Some("--list") => {}
        _ => {
            runs_of_the_main_thread_and_of_others_keep_apart();
            what_the_parent_left_us_is_left_alone();
            println!("main_thread: ok");
        }
    }
}

fn runs_of_the_main_thread_and_of_others_keep_apart() {
    let name = unique_sleep();
    let script =
        format!("d=$( (setsid sleep {name} >/dev/null 2>&1 & echo $!) ); sleep 0.01; kill -0 $d && echo ok");
    let work = || {
        let runner = Runner::new().unwrap();
        for _ in 0..50 {
            let outcome = runner.run(&sh(&script), &ProcessLimits::default(), &Cancel::new()).unwrap();
            assert_eq!((outcome.end, outcome.usage.strays), (ProcessEnd::Exit(0), 1), "{outcome:?}");
            assert_eq!(outcome.stdout.bytes, b"ok\n");
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
        work();
    });
    assert!(alive(&name).is_empty());
    assert_eq!(children(), []);
}

/// A shell that ignores SIGCHLD and has a background job replaces itself by this program.
fn what_the_parent_left_us_is_left_alone() {
    let name = unique_sleep();
    let own = std::env::current_exe().unwrap();
    let script = format!(
        "trap '' CHLD; setsid sleep {name} & (sleep {name} &) ; sleep 0.05; exec {} --inner {name}",
        own.display()
    );
    let outcome = run(&sh(&script), &wall(20_000));
    assert_eq!(outcome.end, ProcessEnd::Exit(0), "{}", String::from_utf8_lossy(&outcome.stderr.bytes));
    assert!(alive(&name).is_empty(), "the outer run sweeps what the inner one must not");
}

fn inner(name: &str) {
    let before = alive(name);
    assert!(!before.is_empty());
    let daemon = unique_sleep();
    let outcome =
        run(&sh(&format!("(setsid sleep {daemon} &); sleep 0.05; exit 4")), &ProcessLimits::default());
    assert_eq!((outcome.end, outcome.usage.strays), (ProcessEnd::Exit(4), 1));
    assert!(alive(&daemon).is_empty());
    assert_eq!(alive(name), before);
}
