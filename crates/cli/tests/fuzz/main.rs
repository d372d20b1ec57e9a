//! Campaigns through the program: `stubs` fail in known ways, several of which other fuzzers miss; `no_bug` is about what is
//! not a bug of a solver; `folders` is about the files of a campaign and its continuation.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

#[path = "../common/mod.rs"]
mod common;
mod folders;
mod no_bug;
mod stubs;

use common::{Bench, Run};
use serde_json::Value;

/// Small graphs without arrays.
const GRAPHS: &str = "--to btor -n 40 --noarrays";
/// `1 var 1`, `2 mul 1 1 1`, `3 root 1 2`.
const SMALL_BTOR: u64 = 40;

/// The stub does this if the input has a multiplication; otherwise it answers like the built-in solver.
fn stub(on_trigger: &str) -> String {
    stub_or(on_trigger, &format!("exec {} solve \"$1\"", env!("CARGO_BIN_EXE_nub")))
}

/// The stub does one thing if the input has a multiplication, and another thing otherwise.
fn stub_or(on_trigger: &str, otherwise: &str) -> String {
    format!("#!/bin/sh\nif grep -q ' mul \\|bvmul' \"$1\"; then\n{on_trigger}\nfi\n{otherwise}\n")
}

/// `nub fuzz` on `./stub`, quietly, five inputs to a unit, with these words and then these arguments; the campaign is `c`
/// unless the words name another.
fn arguments<'a>(words: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["fuzz", "-s", "./stub", "-q", "--unit", "5"];
    if !words.contains("--out") {
        args.extend(["--out", "c"]);
    }
    args.extend(words.split_whitespace());
    args.extend(more);
    args
}

/// Such a campaign on graphs, which must end well.
fn campaign(bench: &Bench, words: &str) -> Run {
    bench.nub(&arguments(words, &["--generate", GRAPHS])).expect(0)
}

fn status(bench: &Bench, campaign: &str) -> Value {
    let run = bench.nub(&["fuzz", "status", campaign, "--json"]);
    serde_json::from_str(&run.stdout).unwrap()
}

/// Checks that the only group is of this kind, and that its reduced file contains the trigger and little
/// else.
fn check_group(bench: &Bench, state: &Value, kind: &str, max_bytes: u64) {
    let groups = state["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 1, "{state}");
    let group = &groups[0];
    assert_eq!(group["kind"], kind, "{state}");
    assert_eq!(group["solver"], "stub");
    let after = group["bytes_after"].as_u64().unwrap();
    assert!(after <= max_bytes, "{after} bytes: {state}");
    let folder = bench.path("c").join("groups").join(group["name"].as_str().unwrap());
    let names = common::names(&folder);
    assert!(names.iter().any(|name| name == "report.md"), "{names:?}");
    let small = names.iter().find(|name| name.starts_with("reduced.")).unwrap();
    let small = std::fs::read_to_string(folder.join(small)).unwrap();
    assert!(small.contains("mul"), "{small}");
    assert!(bench.path("c/index.html").exists());
}

#[test]
fn wrong_use_is_explained() {
    let bench = Bench::new();
    let cases: [(&[&str], &str); 6] = [
        (&["fuzz"], "--solver"),
        (&["fuzz", "-s", "no-such-solver"], "cannot find the program `no-such-solver`"),
        (&["fuzz", "-s", "./solver", "--generate", "fortran"], "there is no format fortran"),
        (&["fuzz", "-s", "./solver", "--generate", "smt2:astrology"], "astrology"),
        (&["fuzz", "-s", "./solver", "--mutate", "nowhere"], "nowhere"),
        (&["fuzz", "status", "nowhere"], "there is no campaign in nowhere"),
    ];
    for (args, expected) in cases {
        let run = bench.nub(args);
        assert_eq!(run.code, Some(2), "{args:?}: {run:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {run:?}");
    }
}

/// Real solvers, if installed: scripts of all theories are accepted, otherwise the campaign would stop with a
/// bug in nub.
#[test]
fn real_solvers_take_what_is_generated() {
    if !["z3", "cvc5"].iter().all(|name| nub_test_kit::end_to_end_tool(name).is_some()) {
        return;
    }
    let bench = Bench::new();
    let args = ["fuzz", "-s", "z3", "-s", "cvc5", "--out", "c", "-q", "--max-inputs", "60", "--timeout", "2"];
    let run = bench.nub(&[&args[..], &["--reduce-time", "5", "--generate", "smt2"]].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    let state = status(&bench, "c");
    assert_eq!(state["inputs"], 60, "{state}");
    let answers = |name: &str| {
        let solvers = state["solvers"].as_array().unwrap();
        let solver = solvers.iter().find(|solver| solver["name"] == name).unwrap();
        solver["sat"].as_u64().unwrap() + solver["unsat"].as_u64().unwrap()
    };
    assert!(answers("z3") > 20 && answers("cvc5") > 20, "{state}");
}
