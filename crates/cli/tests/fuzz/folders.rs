//! The folder of a campaign: kills, resumption, replay, merging, export, the list of known groups.

use super::common::{self, Bench};
use super::{GRAPHS, arguments, campaign, status, stub};
use serde_json::Value;
use std::path::Path;

/// A folder with a stub that crashes.
fn crashing() -> Bench {
    let bench = Bench::new();
    bench.program("stub", &stub("kill -SEGV $$"));
    bench
}

/// Units, inputs and members of groups: what depends neither on kills nor on the order of units.
fn essence(state: &Value) -> (u64, u64, Vec<u64>) {
    let groups = state["groups"].as_array().unwrap();
    let mut members: Vec<u64> = groups.iter().map(|group| group["members"].as_u64().unwrap()).collect();
    members.sort_unstable();
    (state["units"].as_u64().unwrap(), state["inputs"].as_u64().unwrap(), members)
}

#[test]
fn a_killed_campaign_goes_on_and_ends_the_same() {
    let bench = crashing();
    let args = |words: &'static str| arguments(words, &["--generate", GRAPHS]);
    let whole = args("--out whole -j 1 --max-inputs 60");
    let killed = args("--out killed -j 1 --max-inputs 60");
    bench.nub(&whole).expect(0);
    for milliseconds in [150, 300, 450, 600] {
        let mut child = bench.command(&killed).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    bench.nub(&killed).expect(0);
    assert_eq!(essence(&status(&bench, "killed")), essence(&status(&bench, "whole")));
    let other = bench.nub(&args("--out killed --seed 9"));
    assert_eq!(other.code, Some(3), "another seed is another campaign: {other:?}");
}

#[test]
fn units_are_replayed_byte_for_byte() {
    let bench = crashing();
    campaign(&bench, "--max-inputs 10");
    bench.nub(&["fuzz", "replay", "c", "1", "--out", "d"]).expect(0);
    assert_eq!(common::names(&bench.path("d")), ["5.btor", "6.btor", "7.btor", "8.btor", "9.btor"]);
    let again = bench.nub(&["generate", "-n", "40", "--noarrays", "--seed", "7"]);
    assert_eq!(again.stdout, bench.read("d/7.btor"));
    let run = bench.nub(&["fuzz", "replay", "c", "0"]);
    assert!(run.stdout.contains("5 inputs, the same as before"), "{run:?}");
}

#[test]
fn campaigns_are_merged_and_exported() {
    let bench = crashing();
    campaign(&bench, "--out one --max-inputs 5");
    campaign(&bench, "--out two --max-inputs 20");
    bench.nub(&["fuzz", "merge", "one", "two"]).expect(0);
    assert_eq!(essence(&status(&bench, "one")), essence(&status(&bench, "two")));
    bench.nub(&["fuzz", "export", "one", "out"]).expect(0);
    assert_eq!(run_sh(&bench.path("out")), Some(1), "the stub still crashes");
    bench.program("stub", &stub(":"));
    assert_eq!(run_sh(&bench.path("out")), Some(0), "the stub is repaired");
}

fn run_sh(folder: &Path) -> Option<i32> {
    let run = std::process::Command::new("sh").arg("run.sh").current_dir(folder).output().unwrap();
    run.status.code()
}

#[test]
fn known_groups_are_quiet_and_fixed_ones_are_loud() {
    let bench = crashing();
    let words = "--max-inputs 40";
    let first = campaign(&bench, words);
    let id = status(&bench, "c")["groups"][0]["id"].as_str().unwrap().to_owned();
    assert!(first.stdout.contains("found "), "{first:?}");
    for (word, expected) in [("known", ""), ("fixed", "REGRESSION ")] {
        std::fs::remove_file(bench.path("c/journal")).unwrap();
        bench.write("c/known.txt", &format!("# by hand\n{word} {id}\n"));
        let run = campaign(&bench, words);
        assert!(run.stdout.contains(expected) && !run.stdout.contains("found "), "{run:?}");
        assert_eq!(run.stdout.contains("REGRESSION"), word == "fixed");
    }
    bench.write("c/known.txt", "nonsense\n");
    let bad = bench.nub(&arguments(words, &["--generate", GRAPHS])).expect(2);
    assert!(bad.stderr.contains("known.txt:1"), "{bad:?}");
}

/// Two silent crashes differ only in their reduced files: a known one does not hide the other.
#[test]
fn a_known_crash_does_not_hide_another() {
    let bench = Bench::new();
    let nub = env!("CARGO_BIN_EXE_nub");
    let crash = "kill -SEGV $$";
    bench.program(
        "stub",
        &format!("#!/bin/sh\ngrep -q ' mul \\| urem ' \"$1\" && {crash}\nexec {nub} solve \"$1\"\n"),
    );
    let first = campaign(&bench, "--max-inputs 60");
    assert_eq!(first.stdout.matches("found ").count(), 2, "{first:?}");
    let groups = status(&bench, "c")["groups"].as_array().unwrap().clone();
    assert_eq!(groups.len(), 2, "{groups:?}");
    let [known, other] = [0, 1].map(|number| groups[number]["name"].as_str().unwrap());
    std::fs::remove_file(bench.path("c/journal")).unwrap();
    bench.write("c/known.txt", &format!("{known}\n"));
    let run = campaign(&bench, "--max-inputs 60");
    assert!(!run.stdout.contains(&format!("found {known}")), "{run:?}");
    assert!(run.stdout.contains(&format!("found {other}")), "{run:?}");
}
