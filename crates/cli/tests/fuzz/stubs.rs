//! Solvers that crash, hang, answer wrongly, print too much or give wrong evidence: each is found, grouped
//! and reduced.

use super::common::Bench;
use super::{GRAPHS, SMALL_BTOR, arguments, campaign, check_group, status, stub, stub_or};
use serde_json::Value;

/// Runs a campaign on a stub until it has a group, and returns the campaign's state.
fn hunt(bench: &Bench, stub: &str, words: &str, spec: &str) -> Value {
    bench.program("stub", stub);
    let words = format!("--max-groups 1 --max-inputs 2000 -j 1 {words}");
    bench.nub(&arguments(&words, &["--generate", spec])).expect(0);
    status(bench, "c")
}

/// The same on graphs; the group is of this kind.
fn hunt_graphs(stub: &str, words: &str, kind: &str) {
    let bench = Bench::new();
    let state = hunt(&bench, stub, words, GRAPHS);
    check_group(&bench, &state, kind, SMALL_BTOR);
}

#[test]
fn a_segmentation_fault_is_found_and_made_small() {
    hunt_graphs(&stub("kill -SEGV $$"), "--timeout 2", "crash");
}

#[test]
fn a_silent_abort_is_found() {
    hunt_graphs(&stub("kill -ABRT $$"), "--timeout 2", "crash");
}

#[test]
fn a_signal_behind_an_exit_code_is_found() {
    hunt_graphs(&stub("echo '[btormain] CAUGHT SIGNAL 11'; echo unknown; exit 11"), "--timeout 2", "crash");
}

#[test]
fn a_hang_is_found() {
    // Without a real solver behind it: on a busy machine that could take the time of a hang.
    let stub = stub_or("exec sleep 100", "echo unknown");
    hunt_graphs(&stub, "--timeout 0.5 --no-built-in", "hang");
}

#[test]
fn a_wrong_answer_is_found_by_the_built_in_solver() {
    let nub = env!("CARGO_BIN_EXE_nub");
    let flip = format!(
        "{nub} solve \"$1\" >/dev/null; case $? in 10) echo unsat; exit 20;; *) echo sat; exit 10;; esac"
    );
    hunt_graphs(&stub(&flip), "--timeout 2", "wrong");
}

/// Of two solvers that disagree about floats, the one that a model or a checked proof of the built-in solver refutes is wrong.
#[test]
fn who_is_wrong_about_floats_is_decided() {
    let bench = Bench::new();
    let nub = env!("CARGO_BIN_EXE_nub");
    bench.program("right", &format!("#!/bin/sh\nexec {nub} solve \"$1\"\n"));
    let flip = format!(
        "{nub} solve \"$1\" >/dev/null; case $? in 10) echo unsat; exit 20;; 20) echo sat; exit 10;; esac"
    );
    let trigger = format!("if grep -q roundToIntegral \"$1\"; then {flip}; fi");
    bench.program("stub", &format!("#!/bin/sh\n{trigger}\nexec {nub} solve \"$1\"\n"));
    let spec = "--to smt2 --theories fp -n 15 --vars 3 --maxwidth 2";
    let words = "--max-groups 1 --max-inputs 2000 -j 1 --timeout 20 -s right=./right";
    bench.nub(&arguments(words, &["--generate", spec])).expect(0);
    let state = status(&bench, "c");
    let group = &state["groups"][0];
    assert_eq!((group["kind"].as_str(), group["solver"].as_str()), (Some("wrong"), Some("stub")), "{state}");
}

#[test]
fn a_wrong_model_is_found() {
    let bench = Bench::new();
    let nub = env!("CARGO_BIN_EXE_nub");
    // All ones of the model become zeros; widths are unchanged.
    let zeros = format!("{nub} solve \"$1\" | sed ':a;s/\\(#b0*\\)1/\\10/;ta'; exit 0");
    let spec = "--to smt2 --theories bv -n 20 --models --maxwidth 4";
    let state = hunt(&bench, &stub(&zeros), "--timeout 2", spec);
    let group = &state["groups"][0];
    assert_eq!((group["kind"].as_str(), group["solver"].as_str()), (Some("model"), Some("stub")), "{state}");
    assert!(group["text"].as_str().unwrap().contains("bvmul"), "{state}");
}

/// A SAT solver whose answers are right and whose evidence is wrong.
fn hunt_evidence(table: &str, body: &str) -> (Bench, Value) {
    let bench = Bench::new();
    bench.write("table", &format!("program stub\nlanguages dimacs\n{table}"));
    let nub = env!("CARGO_BIN_EXE_nub");
    bench.program("stub", &format!("#!/bin/sh\n{nub} solve \"$1\"\ncode=$?\n{body}\nexit $code\n"));
    let words = "--options stub=table -j 1 --max-groups 1 --max-inputs 200";
    bench.nub(&arguments(words, &["--generate", "--to dimacs --vars 10 --clauses 5"])).expect(0);
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
    let command = group["command"].as_str().unwrap();
    assert!(command.contains("proof") && !command.contains('{'), "a line to paste: {command}");
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
    hunt_graphs(&stub("echo 'hello world'; exit 0"), "--timeout 2", "garbage");
}

/// Only the answers of the other solver show that some are missing, on the input and on each candidate.
#[test]
fn missing_answers_are_found() {
    let bench = Bench::new();
    let nub = env!("CARGO_BIN_EXE_nub");
    bench.program("stub", &format!("#!/bin/sh\n{nub} solve \"$1\" | sed -n 1p\n"));
    let spec = "--to smt2 --theories bv -n 8 --vars 2 --maxwidth 2 --incremental";
    let words = "--max-groups 1 --max-inputs 200 -j 1 --timeout 60";
    bench.nub(&arguments(words, &["--generate", spec])).expect(0);
    let state = status(&bench, "c");
    let group = &state["groups"][0];
    assert_eq!(group["kind"], "garbage", "{state}");
    let small = group["text"].as_str().unwrap();
    assert_eq!(small.trim(), "(set-logic QF_BV)\n(check-sat)\n(check-sat)");
}

#[test]
fn output_without_end_is_found() {
    hunt_graphs(&stub("exec yes nothing of interest"), "--timeout 2", "flood");
}

#[test]
fn messages_make_groups() {
    let bench = Bench::new();
    let body = "echo \"stub: bits.c:12: check: Assertion \\`w > 0' failed.\" >&2; kill -ABRT $$";
    bench.program("stub", &stub(body));
    campaign(&bench, "--max-inputs 60");
    let state = status(&bench, "c");
    check_group(&bench, &state, "assertion", SMALL_BTOR);
    assert!(state["groups"][0]["members"].as_u64().unwrap() > 3, "{state}");
}

#[test]
fn options_are_reduced() {
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
    campaign(&bench, "--options stub=table --max-groups 1 --max-inputs 2000");
    let state = status(&bench, "c");
    let command = state["groups"][0]["command"].as_str().unwrap();
    assert!(command.contains("--bad") && !command.contains("--other"), "{command}");
}

#[test]
fn files_are_mutated() {
    let bench = Bench::new();
    bench.program("stub", &stub("kill -SEGV $$"));
    std::fs::create_dir(bench.path("seeds")).unwrap();
    bench.write("seeds/a.smt2", "(set-logic QF_BV)(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))\n(assert (= (bvadd x y) (bvudiv y #x3)))\n(check-sat)\n");
    bench.write("seeds/bad.smt2", "(assert");
    bench.nub(&arguments("--mutate seeds --max-groups 1 --max-inputs 3000", &[])).expect(0);
    let state = status(&bench, "c");
    let group = &state["groups"][0];
    assert_eq!((group["kind"].as_str(), group["solver"].as_str()), (Some("crash"), Some("stub")), "{state}");
    assert!(
        group["bytes_after"].as_u64().unwrap() < 120 && group["text"].as_str().unwrap().contains("bvmul"),
        "{state}"
    );
}
