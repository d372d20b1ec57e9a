//! End to end with z3 and cvc5 from `PATH`: `NUB_E2E=1 cargo test -p nub-cli --release --test solvers -- --nocapture`.
//!
//! Without `NUB_E2E=1` a test prints that and does nothing; with it a missing solver is a failure. Each prints how many cases it
//! ran. The most important one is `every_candidate_is_well_formed`: it logs all candidates of a reduction and asks the parsers of
//! both solvers about each of them. `NUB_FULL=1` runs it with more seeds and asks.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::print_stdout)] // tests start programs and write files

mod common;

use common::Bench;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/solvers");

/// True if the test is to run.
#[track_caller]
fn has(solvers: &[&str]) -> bool {
    solvers.iter().all(|name| nub_test_kit::end_to_end_tool(name).is_some())
}

/// The processor time of a solver on a file, which does not depend on other load.
fn processor_time(solver: &str, file: &Path) -> Duration {
    let command = nub_process::Command {
        program: solver.into(),
        args: vec![file.into()],
        folder: None,
        env: Vec::new(),
        input: nub_process::ChildInput::Null,
    };
    let limits = nub_process::ProcessLimits { cpu: Some(Duration::from_secs(20)), ..Default::default() };
    let runner = nub_process::Runner::new().unwrap();
    runner.run(&command, &limits, &nub_process::Cancel::new()).unwrap().usage.cpu
}

/// Standard output and error of a solver on a file, with a time limit of `seconds`.
fn solve(words: &[&str], file: &Path, seconds: &str) -> String {
    let mut command = Command::new("timeout");
    command.arg("-sKILL").arg(seconds).args(words).arg(file).stdin(Stdio::null());
    let output = command.output().unwrap();
    [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)].concat()
}

/// A bench with this input, reduced with these options; the result without its header.
fn reduce(input: &str, options: &[&str]) -> (Bench, String) {
    let bench = Bench::new();
    bench.write("bug.smt2", input);
    bench.nub(&[&["reduce", "bug.smt2", "--no-header", "-o", "out.smt2"], options].concat()).expect(0);
    let text = bench.read("out.smt2");
    (bench, text)
}

/// Unsatisfiable because of two of its 24 assertions.
fn unsat_script() -> String {
    let mut text = String::from("(set-logic QF_LIA)\n(set-info :source |made for this test|)\n");
    for idx in 0..12 {
        text.push_str(&format!("(declare-fun x{idx} () Int)\n"));
    }
    for idx in 0..12 {
        let next = (idx + 5) % 12;
        text.push_str(&format!("(assert (<= (+ x{idx} (* 2 x{next})) {}))\n", 1000 + idx));
        text.push_str(&format!("(assert (or (> x{idx} (- {idx})) (< x{next} 7)))\n"));
    }
    text.push_str("(assert (> (+ x3 x4) 20))\n(assert (let ((s (+ x4 x3))) (and (< s 20) (> x1 0))))\n(check-sat)\n(get-model)\n");
    text
}

#[test]
fn an_answer_with_a_cross_check() {
    if !has(&["z3", "cvc5"]) {
        return;
    }
    let options =
        ["--match-out", "unsat", "--cross-check", "cvc5 -q", "--cross-match-out", "unsat", "--", "z3"];
    let (bench, text) = reduce(&unsat_script(), &options);
    for solver in ["z3", "cvc5"] {
        let out = solve(&[solver], &bench.path("out.smt2"), "10");
        assert!(out.starts_with("unsat"), "{solver}: {out}\n{text}");
    }
    assert!(text.len() <= 60, "{text}");
    println!("solvers: 1 case: unsat with a cross-check, {} bytes", text.len());
}

#[test]
fn an_error_message() {
    if !has(&["z3"]) {
        return;
    }
    // The second pop has nothing to pop: that is the failure.
    let input = unsat_script().replace("(get-model)", "(push 1)\n(assert (> x1 3))\n(pop 1)\n(pop 1)");
    let (bench, text) = reduce(
        &input,
        &["--any", "--match-out", "/error .*(pop|stack)/", "--", "z3", "smtlib2_compliant=true"],
    );
    assert!(solve(&["z3"], &bench.path("out.smt2"), "10").contains("(error"), "{text}");
    assert!(text.len() <= 12, "{text}");
    println!("solvers: 1 case: an error message, {} bytes", text.len());
}

#[test]
fn a_disagreement() {
    if !has(&["z3", "cvc5"]) {
        return;
    }
    // With a small resource limit one solver gives up where the other answers.
    let mut input = String::from("(set-logic QF_NIA)\n");
    for name in ["a", "b", "c", "d"] {
        input.push_str(&format!("(declare-const {name} Int)\n(assert (< 1 {name} 90))\n"));
    }
    input.push_str(
        "(assert (= (* a a a) (+ (* b b b) (* c c c))))\n(assert (= (+ a d) (* 3 b)))\n(check-sat)\n",
    );
    let options = [
        "--match-out",
        "unknown",
        "--cross-check",
        "z3 rlimit=200",
        "--cross-match-out",
        "/unknown|timeout/",
        "--",
        "cvc5",
        "-q",
        "--rlimit=40",
    ];
    let bench = Bench::new();
    bench.write("bug.smt2", &input);
    let golden = solve(&["cvc5", "-q", "--rlimit=40"], &bench.path("bug.smt2"), "10");
    let other = solve(&["z3", "rlimit=200"], &bench.path("bug.smt2"), "10");
    if !golden.contains("unknown") || !(other.contains("unknown") || other.contains("timeout")) {
        println!("solvers: 0 cases: these versions do not disagree here: {golden:?} {other:?}");
        return;
    }
    let (bench, text) = reduce(&input, &options);
    let out = solve(&["cvc5", "-q", "--rlimit=40"], &bench.path("out.smt2"), "10");
    assert!(out.contains("unknown") && text.len() < input.len(), "{out}\n{text}");
    println!("solvers: 1 case: unknown in both, {} of {} bytes", text.len(), input.len());
}

#[test]
fn a_slow_formula() {
    if !has(&["z3"]) {
        return;
    }
    // A pigeonhole principle, padded.
    let (n_pigeons, n_holes) = (9, 8);
    let mut input =
        String::from("(set-logic QF_UF)\n(declare-const pad Bool)\n(assert (or pad (not pad)))\n");
    for pigeon in 0..n_pigeons {
        let holes = (0..n_holes).map(|hole| format!("p{pigeon}_{hole}"));
        holes.clone().for_each(|name| input.push_str(&format!("(declare-const {name} Bool)\n")));
        input.push_str(&format!("(assert (or {}))\n", holes.collect::<Vec<_>>().join(" ")));
    }
    for hole in 0..n_holes {
        for a in 0..n_pigeons {
            for b in 0..a {
                input.push_str(&format!("(assert (or (not p{a}_{hole}) (not p{b}_{hole})))\n"));
            }
        }
    }
    input.push_str("(check-sat)\n");
    let bench = Bench::new();
    bench.write("bug.smt2", &input);
    let golden = processor_time("z3", &bench.path("bug.smt2"));
    if golden < Duration::from_millis(400) {
        println!("solvers: 0 cases: not slow here: {golden:?}");
        return;
    }
    let threshold = format!("{:.2}", golden.as_secs_f64() / 3.0);
    let (bench, text) = reduce(&input, &["--slower-than", &threshold, "--max-time", "25", "-j1", "--", "z3"]);
    // Times vary; a file that became quick would be far below.
    let left = processor_time("z3", &bench.path("out.smt2"));
    assert!(left > golden / 8, "{left:?} of {golden:?}");
    assert_ne!(text, input);
    println!("solvers: 1 case: slower than {threshold} s, {} of {} bytes", text.len(), input.len());
}

/// Keeps every candidate that it is asked about, and treats one in `KEEP` as a failure, by a checksum.
///
/// So a reduction takes a long random walk through small changes; a big cut would end it.
const WALKING: &str = r#"#!/bin/sh
set -- "$1" $(cksum < "$1")
[ "$3" -gt 0 ] || exit 1
cp "$1" "$LOG/$2-$3.smt2"
[ "$3" -eq "$WHOLE" ] && exit 0
[ "$3" -ge $((WHOLE / 3)) ] && [ $((($2 + SEED * 7919) % 8)) -eq 0 ]
"#;

/// Every candidate that a reduction asked about.
fn candidates(input: &Path, seed: usize, max_asks: usize) -> Vec<PathBuf> {
    let bench = Bench::new();
    bench.write("bug.smt2", &std::fs::read_to_string(input).unwrap());
    bench.program("walk.sh", WALKING);
    let log = tempfile::tempdir().unwrap().keep();
    let seed = seed.to_string();
    let max_asks = max_asks.to_string();
    let args = ["reduce", "bug.smt2", "--no-header", "-j1", "--seed", &seed, "--max-asks", &max_asks];
    let mut command = bench.command(&[&args[..], &["-q", "--test", "./walk.sh"]].concat());
    let whole = std::fs::metadata(input).unwrap().len().to_string();
    let output = command.env("LOG", &log).env("SEED", &seed).env("WHOLE", whole).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    common::names(&log).into_iter().map(|name| log.join(name)).collect()
}

/// Commands that need an answer of the solver, which are removed here.
const ANSWERS: [&str; 6] = ["check-sat", "get-model", "get-value", "get-unsat-core", "echo", "exit"];

/// The file with only declarations and assertions; assumptions become assertions.
fn without_answers(text: &[u8]) -> Vec<u8> {
    let (tree, _) = nub_smtlib::Tree::parse(text);
    let slice = |node| {
        let span = tree.span(node);
        &text[span.start as usize..span.end as usize]
    };
    let mut out = Vec::new();
    for root in tree.roots() {
        let head = tree.first_child(root).map_or(&b""[..], slice);
        if head == b"check-sat-assuming" {
            for literal in tree.child(root, 1).into_iter().flat_map(|list| tree.children(list)) {
                out.extend([b"(push 1)(assert ", slice(literal), b")(pop 1)\n"].concat());
            }
        } else if !ANSWERS.iter().any(|name| name.as_bytes() == head) {
            out.extend([slice(root), b"\n"].concat());
        }
    }
    out
}

/// What the parsers object to.
fn objections(file: &Path, scratch: &Path) -> Vec<String> {
    let text = without_answers(&std::fs::read(file).unwrap());
    std::fs::write(scratch, text).unwrap();
    let mut found = Vec::new();
    for words in [&["z3"][..], &["cvc5", "--parse-only", "-q"]] {
        let out = solve(words, scratch, "2");
        let line = out.lines().find(|line| line.contains("(error"));
        found.extend(line.map(|line| format!("{}: {line}", words[0])));
    }
    found
}

#[test]
fn every_candidate_is_well_formed() {
    if !has(&["z3", "cvc5"]) {
        return;
    }
    let is_full = std::env::var_os("NUB_FULL").is_some_and(|value| value == "1");
    let (n_seeds, max_asks) = if is_full { (20, 2000) } else { (1, 150) };
    let scratch = tempfile::tempdir().unwrap();
    let scratch = scratch.path().join("stripped.smt2");
    let (mut n_cases, mut n_candidates, mut bad) = (0, 0, Vec::new());
    for name in common::names(Path::new(DATA)) {
        let input = Path::new(DATA).join(&name);
        assert_eq!(objections(&input, &scratch), [""; 0], "{name} itself");
        for seed in 0..n_seeds {
            let candidates = candidates(&input, seed, max_asks);
            n_cases += 1;
            n_candidates += candidates.len();
            for file in &candidates {
                let objections = objections(file, &scratch);
                bad.extend(objections.into_iter().map(|text| format!("{name}: {} {text}", file.display())));
            }
            if bad.is_empty() {
                std::fs::remove_dir_all(candidates[0].parent().unwrap()).unwrap();
            }
        }
    }
    println!("solvers: {n_cases} cases: {n_candidates} candidates, {} objections", bad.len());
    assert!(bad.is_empty(), "{}", bad[..bad.len().min(100)].join("\n"));
}
