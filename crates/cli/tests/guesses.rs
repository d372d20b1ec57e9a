//! `nub` without arguments, `nub FILE`, and what `nub.toml` sets.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;
use serde_json::Value;

const ONE: &str = "int f(int a) { if (a > 3) return 1; return 0; }\n";
const TWO: &str = "int f(int a) { if (a > 3) return 1; return 0; }\nint g(int a) { return f(a) && a < 9; }\n";

#[test]
fn without_arguments_five_typical_calls() {
    let run = Bench::new().nub(&[]).expect(0);
    let calls: Vec<&str> = run.stdout.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(calls.len(), 5, "{}", run.stdout);
    for (call, command) in calls.iter().zip(["reduce", "fuzz", "explain", "cover", "demo"]) {
        assert!(call.starts_with(&format!("nub {command}")), "{call}");
    }
}

#[test]
fn a_file_says_what_is_meant() {
    let bench = Bench::new();
    let run = bench.nub(&["bug.smt2", "-q", "--", "./solver"]).expect(0);
    assert!(run.stdout.starts_with("bug.reduced.smt2\n"), "{}", run.stdout);
    bench.write("one.c", ONE);
    let run = bench.nub(&["one.c", "--no-native"]).expect(0);
    assert!(run.stdout.contains("2 tests") || run.stdout.contains("goals"), "{}", run.stdout);
    bench.write("two.c", TWO);
    let run = bench.nub(&["two.c"]).expect(2);
    assert!(
        run.stderr.contains("`f`") && run.stderr.contains("`g`"),
        "the functions are listed: {}",
        run.stderr
    );
    bench.write("query.cnf", "p cnf 1 2\n1 0\n-1 0\n");
    assert_eq!(bench.nub(&["query.cnf"]).expect(20).stdout, "s UNSATISFIABLE\n");
    bench.write("notes.txt", "hello\n");
    bench.nub(&["notes.txt"]).expect(2);
    bench.nub(&["none.smt2", "--", "./solver"]).expect(2);
}

#[test]
fn settings_are_found_upwards_and_shown_with_their_place() {
    let bench = Bench::new();
    let run = bench.nub(&["config", "--json"]).expect(0);
    assert_eq!(serde_json::from_str::<Value>(&run.stdout).unwrap()["settings"], Value::Array(Vec::new()));
    bench.write("nub.toml", "[programs]\nmine = './solver'\n\n[limits]\nmax-time = '5m'\n");
    let run = bench.nub(&["config"]).expect(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("limits.max-time = 5m ") && lines[0].ends_with("nub.toml:5"), "{lines:?}");
    assert!(
        lines[1].starts_with("programs.mine = ./solver ") && lines[1].ends_with("nub.toml:2"),
        "{lines:?}"
    );
    bench.nub(&["reduce", "bug.smt2", "-q", "--", "@mine"]).expect(0);
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
    let run = bench.nub(&["reduce", "bug.smt2", "--", "@other"]).expect(2);
    assert!(run.stderr.contains("there is no program `other` in nub.toml"), "{}", run.stderr);
    bench.write("nub.toml", "[limits]\nmaxtime = 3\n");
    let run = bench.nub(&["reduce", "bug.smt2", "--", "./solver"]).expect(2);
    assert!(run.stderr.contains("nub.toml:2:1"), "{}", run.stderr);
}

#[test]
fn a_folder_keeps_the_request_the_events_and_the_report() {
    let bench = Bench::new();
    bench.write("one.c", ONE);
    bench.nub(&["cover", "one.c", "--no-native", "--folder", "job", "-q"]).expect(0);
    let request: Value = serde_json::from_str(&bench.read("job/job.json")).unwrap();
    assert_eq!((&request["kind"], &request["function"]["input"]), (&"cover".into(), &"one.c".into()));
    let events = bench.read("job/events.jsonl");
    assert!(events.lines().all(|line| line.starts_with("{\"version\":1,\"type\":\"")), "{events}");
    assert!(events.contains("\"type\":\"document\""), "{events}");
    assert!(bench.read("job/report.json").contains("\"function\": \"f\""));
}
