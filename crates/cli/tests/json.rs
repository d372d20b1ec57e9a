//! The stream of events: its shape, by snapshot. `UPDATE_EXPECT=1` rewrites it.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;
use serde_json::Value;
use std::path::Path;

/// Values that depend on the search, the clock or the machine.
const UNSTEADY: [&str; 10] = [
    "seconds",
    "oracle_seconds",
    "own_cpu_seconds",
    "asks",
    "cached",
    "accepted",
    "bytes",
    "commands",
    "terms",
    "jobs",
];

fn mask(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match key.as_str() {
                    "passes" | "pass" => *value = Value::from("..."),
                    key if UNSTEADY.contains(&key) && value.is_number() => *value = Value::from(0),
                    _ => mask(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(mask),
        _ => {}
    }
}

/// The events, masked, with consecutive equal ones merged.
fn shape(stdout: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in stdout.lines() {
        let mut event: Value = serde_json::from_str(line).unwrap();
        mask(&mut event);
        lines.push(serde_json::to_string_pretty(&event).unwrap());
    }
    lines.dedup();
    lines.join("\n") + "\n"
}

#[track_caller]
fn check(args: &[&str], code: i32, name: &str) {
    let bench = Bench::new();
    bench.write("open.smt2", "(assert\n");
    let run = bench.nub(args).expect(code);
    nub_test_kit::assert_golden(Path::new(&format!("tests/json/{name}.json")), shape(&run.stdout));
}

#[test]
fn a_reduction() {
    check(&["reduce", "bug.smt2", "--json", "-j1", "--", "./solver"], 0, "reduction");
}

#[test]
fn a_refusal() {
    check(&["reduce", "bug.smt2", "--json", "--test", "false"], 3, "refusal");
}

#[test]
fn an_error_with_a_place() {
    check(&["reduce", "open.smt2", "--json", "--", "./solver"], 2, "error");
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let bench = Bench::new();
    let mut command = bench.command(&["reduce", "bug.smt2", "--json", "-j1", "--", "./solver"]);
    let mut child =
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let run = common::Run::of(child.wait_with_output().unwrap());
    assert_eq!(run.signal, Some(13), "{run:#?}");
    assert!(!run.stderr.contains("panicked"));
}
