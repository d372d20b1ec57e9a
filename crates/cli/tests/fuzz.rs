//! Campaigns through the program, on stub solvers that fail in known ways. The peers miss several of these.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;
use serde_json::Value;
use std::path::Path;

/// The stub does this if the input has a multiplication; else it answers as the built-in solver does.
fn stub(on_trigger: &str) -> String {
    let nub = env!("CARGO_BIN_EXE_nub");
    format!("#!/bin/sh\nif grep -q ' mul \\|bvmul' \"$1\"; then\n{on_trigger}\nfi\nexec {nub} solve \"$1\"\n")
}

/// Runs a campaign on a stub until it has a group, and returns the campaign's state.
fn hunt(bench: &Bench, body: &str, more: &[&str]) -> Value {
    bench.program("stub", &stub(body));
    let mut args =
        vec!["fuzz", "-s", "./stub", "--campaign", "c", "-q", "--max-groups", "1", "--max-inputs", "2000"];
    args.extend(["-j", "1", "--unit", "5"]);
    args.extend(more);
    if !more.contains(&"--timeout") {
        args.extend(["--timeout", "2"]);
    }
    let run = bench.nub(&args);
    assert_eq!(run.code, Some(0), "{run:?}");
    status(bench, "c")
}

fn status(bench: &Bench, campaign: &str) -> Value {
    let run = bench.nub(&["fuzz", "status", campaign, "--json"]);
    serde_json::from_str(&run.stdout).unwrap()
}

/// The one group is of this kind, and its small file still has the trigger and little else.
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

const BTOR: [&str; 2] = ["--generate", "--to btor -n 40 --noarrays"];
/// `1 var 1`, `2 mul 1 1 1`, `3 root 1 2`.
const SMALL_BTOR: u64 = 40;

#[test]
fn a_segmentation_fault_is_found_and_made_small() {
    let bench = Bench::new();
    let state = hunt(&bench, "kill -SEGV $$", &BTOR);
    check_group(&bench, &state, "crash", SMALL_BTOR);
}

#[test]
fn a_silent_abort_is_found() {
    let bench = Bench::new();
    let state = hunt(&bench, "kill -ABRT $$", &BTOR);
    check_group(&bench, &state, "crash", SMALL_BTOR);
}

#[test]
fn a_signal_behind_an_exit_code_is_found() {
    let bench = Bench::new();
    let state = hunt(&bench, "echo '[btormain] CAUGHT SIGNAL 11'; echo unknown; exit 11", &BTOR);
    check_group(&bench, &state, "crash", SMALL_BTOR);
}

#[test]
fn a_hang_is_found() {
    let bench = Bench::new();
    let state = hunt(&bench, "exec sleep 100", &[&BTOR[..], &["--timeout", "0.3"]].concat());
    check_group(&bench, &state, "hang", SMALL_BTOR);
}

#[test]
fn a_wrong_answer_is_found_by_the_built_in_solver() {
    let bench = Bench::new();
    let nub = env!("CARGO_BIN_EXE_nub");
    let flip = format!(
        "{nub} solve \"$1\" >/dev/null; case $? in 10) echo unsat; exit 20;; *) echo sat; exit 10;; esac"
    );
    let state = hunt(&bench, &flip, &BTOR);
    check_group(&bench, &state, "wrong", SMALL_BTOR);
}

#[test]
fn a_wrong_model_is_found() {
    let bench = Bench::new();
    let nub = env!("CARGO_BIN_EXE_nub");
    // All ones of the model become zeros; widths stay.
    let zeros = format!("{nub} solve \"$1\" | sed ':a;s/\\(#b0*\\)1/\\10/;ta'; exit 0");
    let spec = "--to smt2 --theories bv -n 20 --models --maxwidth 4";
    let state = hunt(&bench, &zeros, &["--generate", spec]);
    let group = &state["groups"][0];
    assert_eq!((group["kind"].as_str(), group["solver"].as_str()), (Some("model"), Some("stub")), "{state}");
    assert!(group["text"].as_str().unwrap().contains("bvmul"), "{state}");
}

/// A SAT solver that is right, and whose evidence is wrong.
fn hunt_evidence(table: &str, body: &str) -> (Bench, Value) {
    let bench = Bench::new();
    bench.write("table", &format!("program stub\nlanguages dimacs\n{table}"));
    let nub = env!("CARGO_BIN_EXE_nub");
    bench.program("stub", &format!("#!/bin/sh\n{nub} solve \"$1\"\ncode=$?\n{body}\nexit $code\n"));
    let args = "fuzz -s ./stub --options stub=table --campaign c -q --unit 5 -j 1 --max-groups 1 --max-inputs 200 --generate";
    let args: Vec<&str> = args.split(' ').chain(["--to cnf --vars 10 --clauses 5"]).collect();
    let run = bench.nub(&args);
    assert_eq!(run.code, Some(0), "{run:?}");
    let state = status(&bench, "c");
    (bench, state)
}

#[test]
fn a_wrong_proof_is_found() {
    // The unit clause follows from nothing.
    let table = "proof dimacs {} {proof}\n";
    let (_bench, state) =
        hunt_evidence(table, "[ $code = 20 ] && [ -n \"$2\" ] && printf '10 0\\n0\\n' > \"$2\"");
    let group = &state["groups"][0];
    assert_eq!(group["kind"], "proof", "{state}");
    assert!(group["command"].as_str().unwrap().contains("proof"), "{state}");
    let small = group["text"].as_str().unwrap();
    assert!(small.lines().count() <= 10, "{small}");
}

#[test]
fn a_wrong_model_of_clauses_is_found() {
    let (_bench, state) = hunt_evidence("", "[ $code = 10 ] && echo 'v 1 2 3 4 5 6 7 8 9 10 0'");
    let group = &state["groups"][0];
    assert_eq!(group["kind"], "model", "{state}");
    // One clause of negative literals is left.
    assert!(group["bytes_after"].as_u64().unwrap() <= 30, "{state}");
}

#[test]
fn garbage_is_found() {
    let bench = Bench::new();
    let state = hunt(&bench, "echo 'hello world'; exit 0", &BTOR);
    check_group(&bench, &state, "garbage", SMALL_BTOR);
}

#[test]
fn output_without_end_is_found() {
    let bench = Bench::new();
    let state = hunt(&bench, "exec yes nothing of interest", &BTOR);
    check_group(&bench, &state, "flood", SMALL_BTOR);
}

#[test]
fn messages_make_groups() {
    let bench = Bench::new();
    let body = "echo \"stub: bits.c:$(grep -c . \"$1\" | cut -c1): check: Assertion \\`w > 0' failed.\" >&2; kill -ABRT $$";
    bench.program("stub", &stub(&body.replace("$(grep -c . \"$1\" | cut -c1)", "12")));
    let run = bench.nub(&[
        "fuzz",
        "-s",
        "./stub",
        "--campaign",
        "c",
        "-q",
        "--max-inputs",
        "60",
        "--unit",
        "5",
        "--generate",
        BTOR[1],
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let state = status(&bench, "c");
    check_group(&bench, &state, "assertion", SMALL_BTOR);
    assert!(state["groups"][0]["members"].as_u64().unwrap() > 3, "{state}");
}

#[test]
fn options_are_made_few() {
    let bench = Bench::new();
    bench.write("table", "program stub\nlanguages btor\noption bad --bad\noption other --other\n");
    let nub = env!("CARGO_BIN_EXE_nub");
    bench.program(
        "stub",
        &format!(
            "#!/bin/sh\nfor last; do :; done\ncase \"$*\" in *--bad*) grep -q mul \"$last\" && kill -SEGV $$;; esac\n\
             exec {nub} solve \"$last\"\n"
        ),
    );
    let run = bench.nub(&[
        "fuzz",
        "-s",
        "stub=./stub",
        "--options",
        "stub=table",
        "--campaign",
        "c",
        "-q",
        "--max-groups",
        "1",
        "--max-inputs",
        "2000",
        "--unit",
        "5",
        "--generate",
        BTOR[1],
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let state = status(&bench, "c");
    let command = state["groups"][0]["command"].as_str().unwrap();
    assert!(command.contains("--bad") && !command.contains("--other"), "{command}");
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
    let bench = Bench::new();
    bench.program("stub", &stub("kill -SEGV $$"));
    let args = |folder: &'static str| {
        [
            "fuzz",
            "-s",
            "./stub",
            "--campaign",
            folder,
            "-q",
            "-j",
            "1",
            "--max-inputs",
            "60",
            "--unit",
            "5",
            BTOR[0],
            BTOR[1],
        ]
    };
    assert_eq!(bench.nub(&args("whole")).code, Some(0));
    for milliseconds in [150, 300, 450, 600] {
        let mut child = bench.command(&args("killed")).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(bench.nub(&args("killed")).code, Some(0));
    assert_eq!(essence(&status(&bench, "killed")), essence(&status(&bench, "whole")));
    let other = bench.nub(&["fuzz", "-s", "./stub", "--campaign", "killed", "--seed", "9", BTOR[0], BTOR[1]]);
    assert_eq!(other.code, Some(3), "another seed is another campaign: {other:?}");
}

#[test]
fn units_are_replayed_byte_for_byte() {
    let bench = Bench::new();
    bench.program("stub", &stub("kill -SEGV $$"));
    let run = bench.nub(&[
        "fuzz",
        "-s",
        "./stub",
        "--campaign",
        "c",
        "-q",
        "--max-inputs",
        "10",
        "--unit",
        "5",
        BTOR[0],
        BTOR[1],
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let run = bench.nub(&["fuzz", "replay", "c", "1", "--out", "d"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(common::names(&bench.path("d")), ["10.btor", "6.btor", "7.btor", "8.btor", "9.btor"]);
    let again = bench.nub(&["generate", "-n", "40", "--noarrays", "-s", "7"]);
    assert_eq!(again.stdout, bench.read("d/7.btor"));
    let run = bench.nub(&["fuzz", "replay", "c", "0"]);
    assert!(run.stdout.contains("5 inputs, the same as before"), "{run:?}");
}

#[test]
fn campaigns_are_merged_and_exported() {
    let bench = Bench::new();
    bench.program("stub", &stub("kill -SEGV $$"));
    let go = |folder: &str, inputs: &str| {
        let run = bench.nub(&[
            "fuzz",
            "-s",
            "./stub",
            "--campaign",
            folder,
            "-q",
            "--max-inputs",
            inputs,
            "--unit",
            "5",
            BTOR[0],
            BTOR[1],
        ]);
        assert_eq!(run.code, Some(0), "{run:?}");
    };
    go("one", "5");
    go("two", "20");
    let merged = bench.nub(&["fuzz", "merge", "one", "two"]);
    assert_eq!(merged.code, Some(0), "{merged:?}");
    assert_eq!(essence(&status(&bench, "one")), essence(&status(&bench, "two")));
    let exported = bench.nub(&["fuzz", "export", "one", "out"]);
    assert_eq!(exported.code, Some(0), "{exported:?}");
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
    let bench = Bench::new();
    bench.program("stub", &stub("kill -SEGV $$"));
    let args = [
        "fuzz",
        "-s",
        "./stub",
        "--campaign",
        "c",
        "-q",
        "--max-inputs",
        "40",
        "--unit",
        "5",
        BTOR[0],
        BTOR[1],
    ];
    let first = bench.nub(&args);
    let id = status(&bench, "c")["groups"][0]["id"].as_str().unwrap().to_owned();
    assert!(first.stdout.contains("found "), "{first:?}");
    for (word, expected) in [("known", ""), ("fixed", "REGRESSION ")] {
        std::fs::remove_file(bench.path("c/journal")).unwrap();
        bench.write("c/known.txt", &format!("# by hand\n{word} {id}\n"));
        let run = bench.nub(&args);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stdout.contains(expected) && !run.stdout.contains("found "), "{run:?}");
        assert_eq!(run.stdout.contains("REGRESSION"), word == "fixed");
    }
    bench.write("c/known.txt", "nonsense\n");
    let bad = bench.nub(&args);
    assert_eq!(bad.code, Some(2), "{bad:?}");
    assert!(bad.stderr.contains("known.txt:1"), "{bad:?}");
}

/// Two crashes without a word differ by their small files only: that one is known does not hide the other.
#[test]
fn a_known_crash_does_not_hide_another() {
    let bench = Bench::new();
    let nub = env!("CARGO_BIN_EXE_nub");
    let crash = "kill -SEGV $$";
    bench.program(
        "stub",
        &format!("#!/bin/sh\ngrep -q ' mul \\| urem ' \"$1\" && {crash}\nexec {nub} solve \"$1\"\n"),
    );
    let mut args = vec!["fuzz", "-s", "./stub", "--campaign", "c", "-q", "--max-inputs", "60", "--unit", "5"];
    args.extend(BTOR);
    let first = bench.nub(&args);
    assert_eq!(first.stdout.matches("found ").count(), 2, "{first:?}");
    let groups = status(&bench, "c")["groups"].as_array().unwrap().clone();
    assert_eq!(groups.len(), 2, "{groups:?}");
    let [known, other] = [0, 1].map(|number| groups[number]["name"].as_str().unwrap());
    std::fs::remove_file(bench.path("c/journal")).unwrap();
    bench.write("c/known.txt", &format!("{known}\n"));
    let run = bench.nub(&args);
    assert!(!run.stdout.contains(&format!("found {known}")), "{run:?}");
    assert!(run.stdout.contains(&format!("found {other}")), "{run:?}");
}

#[test]
fn files_are_mutated() {
    let bench = Bench::new();
    bench.program("stub", &stub("kill -SEGV $$"));
    std::fs::create_dir(bench.path("seeds")).unwrap();
    bench.write("seeds/a.smt2", "(set-logic QF_BV)(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))\n(assert (= (bvadd x y) (bvudiv y #x3)))\n(check-sat)\n");
    bench.write("seeds/bad.smt2", "(assert");
    let run = bench.nub(&[
        "fuzz",
        "-s",
        "./stub",
        "--mutate",
        "seeds",
        "--campaign",
        "c",
        "-q",
        "--max-groups",
        "1",
        "--max-inputs",
        "3000",
        "--unit",
        "10",
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let state = status(&bench, "c");
    let group = &state["groups"][0];
    assert_eq!((group["kind"].as_str(), group["solver"].as_str()), (Some("crash"), Some("stub")), "{state}");
    assert!(
        group["bytes_after"].as_u64().unwrap() < 120 && group["text"].as_str().unwrap().contains("bvmul"),
        "{state}"
    );
}

#[test]
fn wrong_use_is_explained() {
    let bench = Bench::new();
    let cases: [(&[&str], &str); 6] = [
        (&["fuzz"], "--solver"),
        (&["fuzz", "-s", "no-such-solver"], "no such program"),
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

/// Real solvers, where they are: scripts of all theories are accepted, or the campaign would stop as our fault.
#[test]
fn real_solvers_take_what_is_generated() {
    if std::env::var_os("NUB_E2E").is_none() {
        return;
    }
    let bench = Bench::new();
    let args =
        ["fuzz", "-s", "z3", "-s", "cvc5", "--campaign", "c", "-q", "--max-inputs", "60", "--timeout", "2"];
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
