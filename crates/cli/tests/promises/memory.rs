//! Remembered verdicts are true, and the same seed gives the same result.

use crate::common::{Bench, Run};
use crate::{count, signal, start, wait_for};
use std::fs;

/// Fails with the needle, and hangs on some other files, so that there is time to interrupt it.
const SLOW: &str = "#!/bin/sh\necho x >> \"$LOG\"\ngrep -q bvudiv \"$1\" && grep -q check-sat \"$1\" && exit 7\nsleep 0.02\nexit 0\n";

fn interrupted() -> Bench {
    let bench = Bench::new();
    bench.program(
        "solver",
        &format!("{SLOW}# one\n").replace("$LOG", &bench.path("log").display().to_string()),
    );
    let child = start(&bench, &["reduce", "bug.smt2", "-j1", "--", "./solver"]);
    wait_for("a first result", || bench.path("bug.reduced.smt2").exists());
    std::thread::sleep(std::time::Duration::from_millis(200));
    signal(child.id(), "INT");
    let run = Run::of(child.wait_with_output().unwrap());
    assert_eq!(run.signal, Some(2), "{run:#?}");
    bench
}

fn resume(bench: &Bench) -> Run {
    bench.nub(&["reduce", "bug.smt2", "-j1", "--resume", "--", "./solver"])
}

#[test]
fn a_changed_program_is_asked_anew() {
    let bench = interrupted();
    let text = bench.read("solver");
    bench.program("solver", &text.replace("# one", "# two"));
    // Verdicts of another program are not valid: the run is not continued.
    let run = resume(&bench).expect(3);
    assert!(run.stderr.contains("program is not the same"), "{}", run.stderr);
    bench.program("solver", &text);
    let run = resume(&bench).expect(0);
    assert!(run.stderr.contains("answered from the earlier run"), "{}", run.stderr);
}

#[test]
fn a_changed_input_is_asked_anew() {
    let bench = interrupted();
    bench.write("bug.smt2", &bench.read("bug.smt2").replace("(exit)", "(exit) "));
    let run = resume(&bench).expect(3);
    assert!(run.stderr.contains("the input is not the same"), "{}", run.stderr);
}

#[test]
fn corrupt_entries_are_ignored() {
    let bench = interrupted();
    let memo = bench.path("bug.reduced.smt2.nub/memo");
    let mut bytes = fs::read(&memo).unwrap();
    assert!(bytes.len() > 100);
    let n_bytes = bytes.len();
    // One byte in each of many places, and a torn end.
    for idx in (20..n_bytes).step_by(37) {
        bytes[idx] ^= 0x41;
    }
    bytes.truncate(n_bytes - 5);
    fs::write(&memo, bytes).unwrap();
    let expected = {
        let clean = Bench::new();
        clean.program("solver", &SLOW.replace("$LOG", &clean.path("log").display().to_string()));
        clean.nub(&["reduce", "bug.smt2", "-j1", "--", "./solver"]).expect(0);
        clean.read("bug.reduced.smt2")
    };
    resume(&bench).expect(0);
    assert_eq!(bench.read("bug.reduced.smt2"), expected);
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let n_runs = count(4, 20);
    for seed in ["0", "7"] {
        let mut results: Vec<String> = (0..n_runs)
            .map(|_| {
                let bench = Bench::new();
                bench.nub(&["reduce", "bug.smt2", "-j1", "--seed", seed, "--", "./solver"]).expect(0);
                bench.read("bug.reduced.smt2")
            })
            .collect();
        results.dedup();
        assert_eq!(results.len(), 1, "seed {seed}: {results:#?}");
    }
}
