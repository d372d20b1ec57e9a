//! Ctrl-C and SIGTERM end cleanly: 4 s with a child that ignores SIGTERM; the second signal within 200 ms.
//!
//! The content of the best file and the exit status are in `../interrupt.rs`; here are times and leftovers.

use crate::common::{Bench, Run, names};
use crate::{processes_with, signal, start, unique_sleep, wait_for};
use std::process::Child;

/// Fails immediately with the needle; otherwise hangs and ignores SIGTERM and SIGINT, with a daemon that does
/// the same.
fn deaf(sleep: &str) -> String {
    format!(
        "#!/bin/sh\n[ -s \"$1\" ] || exit 0\ngrep -q bvudiv \"$1\" && exit 7\ntrap '' TERM INT\n\
         setsid sh -c 'trap \"\" TERM INT; sleep {sleep}; :' &\nsleep {sleep}\n"
    )
}

/// A run with both jobs busy with deaf oracles.
fn busy(bench: &Bench, sleep: &str) -> Child {
    bench.program("solver", &deaf(sleep));
    let child = start(bench, &["reduce", "bug.smt2", "-j2", "--timeout", "60", "--", "./solver"]);
    wait_for("a first result", || bench.path("bug.reduced.smt2").exists());
    wait_for("deaf oracles", || processes_with(sleep).len() >= 3);
    child
}

fn check_gone(bench: &Bench, sleep: &str) {
    // A killed process may need a moment until it is out of /proc.
    wait_for("the end of all oracles", || processes_with(sleep).is_empty());
    assert_eq!(bench.names(), ["bug.reduced.smt2", "bug.reduced.smt2.nub", "bug.smt2", "solver", "test.sh"]);
    assert_eq!(
        names(&bench.path("bug.reduced.smt2.nub")),
        ["events.jsonl", "job.json", "journal", "lock", "memo"]
    );
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
}

#[test]
fn the_first_signal_leaves_nothing_behind() {
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        let (bench, sleep) = (Bench::new(), unique_sleep());
        let child = busy(&bench, &sleep);
        signal(child.id(), name);
        let run = Run::of(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.signal), (None, Some(number)), "{run:#?}");
        check_gone(&bench, &sleep);
    }
}

/// That it skips the grace period is tested in `nub-process`, where the period is long.
#[test]
fn the_second_signal_leaves_nothing_behind() {
    let (bench, sleep) = (Bench::new(), unique_sleep());
    let child = busy(&bench, &sleep);
    signal(child.id(), "TERM");
    signal(child.id(), "TERM");
    let run = Run::of(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.signal), (None, Some(15)), "{run:#?}");
    check_gone(&bench, &sleep);
}
