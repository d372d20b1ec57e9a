//! `--check-proof` and `--proof`.

use super::common::{self, Bench};
use std::process::Command;

/// Three pigeons and two holes.
const PIGEONS: &str =
    "p cnf 6 9\n1 2 0\n3 4 0\n5 6 0\n-1 -3 0\n-1 -5 0\n-3 -5 0\n-2 -4 0\n-2 -6 0\n-4 -6 0\n";

/// Whether `drat-trim` accepts the proof; `None` if it is not installed.
fn drat_trim(bench: &Bench, clauses: &str, proof: &str) -> Option<bool> {
    let output = Command::new("drat-trim").arg(bench.path(clauses)).arg(bench.path(proof)).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).contains("s VERIFIED"))
}

#[test]
fn a_proof_of_the_file_itself() {
    let bench = Bench::new();
    // Variables that the file numbers with gaps.
    let gaps = PIGEONS.replace("cnf 6", "cnf 60").replace('6', "60").replace("cnf 600", "cnf 60");
    for (name, text) in [("a.cnf", PIGEONS), ("b.cnf", &gaps)] {
        bench.write(name, text);
        assert_eq!(bench.nub(&["solve", name, "--proof", "p"]).expect(20).stdout, "s UNSATISFIABLE\n");
        let proof = bench.read("p");
        assert!(proof.ends_with("0\n"), "{proof}");
        assert!(!bench.path("p.cnf").exists(), "the clauses are the file");
        assert_ne!(drat_trim(&bench, name, "p"), Some(false), "{name}\n{proof}");
    }
}

#[test]
fn clauses_beside_the_proof() {
    let bench = Bench::new();
    let arrays = "(declare-const a (Array (_ BitVec 4) (_ BitVec 4)))(declare-const |i\n| (_ BitVec 4))(declare-const j (_ BitVec 4))
        (assert (= |i\n| j))(assert (distinct (select (store a |i\n| #x3) j) #x3))(assert (bvult (bvmul j j) #x9))(check-sat)";
    bench.write("a.smt2", arrays);
    bench.write("a.btor", "1 var 4 x\n2 mul 4 1 1\n3 constd 4 5\n4 eq 1 2 3\n5 root 1 4\n");
    bench.write(
        "a.btor2",
        "1 sort bitvec 3\n2 zero 1\n3 state 1 c\n4 init 1 3 2\n5 one 1\n6 add 1 3 5\n7 next 1 3 6\n8 ones 1\n9 sort bitvec 1\n\
         10 input 1 i\n11 and 1 3 10\n12 eq 9 11 8\n13 bad 12\n",
    );
    let cases: [(&str, &[&str], Option<&str>); 3] =
        [("a.smt2", &[], None), ("a.btor", &[], Some("c x 0 ")), ("a.btor2", &["--bound", "5"], None)];
    for (name, options, comment) in cases {
        let run = bench.nub(&[&["solve", name, "--proof", "p.drat"], options].concat()).expect(20);
        assert_eq!(run.stdout, "unsat\n");
        let clauses = bench.read("p.drat.cnf");
        comment.into_iter().for_each(|comment| assert!(clauses.starts_with(comment), "{clauses}"));
        assert!(
            clauses.lines().all(|line| line.starts_with(['c', 'p', '-']) || line.ends_with('0')),
            "{clauses}"
        );
        bench.nub(&["solve", "p.drat.cnf", "--check-proof"]).expect(20);
        assert_ne!(drat_trim(&bench, "p.drat.cnf", "p.drat"), Some(false), "{name}");
    }
}

#[test]
fn without_unsat_there_is_no_proof() {
    let bench = Bench::new();
    bench.write("a.smt2", "(assert false)(check-sat)(reset)(check-sat)");
    let run = bench.nub(&["solve", "a.smt2", "--proof", "p"]).expect(10);
    assert_eq!(run.stdout, "unsat\nsat\n");
    assert!(run.stderr.contains("no proof is written"), "{}", run.stderr);
    assert!(!bench.path("p").exists());
}

#[test]
fn the_input_is_never_replaced() {
    let bench = Bench::new();
    let script = "(assert false)(check-sat)";
    // The proof, its clauses, and another name of the input.
    std::fs::create_dir(bench.path("d")).unwrap();
    for (input, proof) in [("a.smt2", "a.smt2"), ("q.cnf", "q"), ("a.smt2", "d/../a.smt2")] {
        bench.write(input, script);
        let run = bench.nub(&["solve", input, "--from", "smt2", "--proof", proof]).expect(2);
        assert!(
            run.stderr.contains("is the input itself") && run.stderr.contains("--proof"),
            "{}",
            run.stderr
        );
        assert_eq!((run.stdout.as_str(), bench.read(input).as_str()), ("", script));
    }
    bench.write("a.cnf", PIGEONS);
    let run = bench.nub(&["solve", "a.cnf", "--proof", "a.cnf"]).expect(2);
    assert!(run.stderr.contains("a.cnf is the input itself"), "{}", run.stderr);
    // A proof of DIMACS has no file of clauses.
    bench.nub(&["solve", "a.cnf", "--proof", "a"]).expect(20);
    assert_eq!(bench.read("a.cnf"), PIGEONS);
}

/// Incremental questions, cores and assumptions, each proved.
#[test]
fn answers_are_the_same_with_proofs() {
    let bench = Bench::new();
    let script = "(set-option :produce-unsat-cores true)(declare-const x (_ BitVec 6))(push)(assert (! (bvult x #b000011) :named low))
        (assert (! (bvugt (bvmul x x) #b001000) :named square))(assert (! (= x x) :named same))(check-sat)(get-unsat-core)(pop)
        (check-sat-assuming ((= x #b000001) (= x #b000010)))(get-unsat-assumptions)(check-sat)";
    bench.write("a.smt2", script);
    let plain = bench.nub(&["solve", "a.smt2"]).expect(10).stdout;
    assert_eq!(bench.nub(&["solve", "a.smt2", "--check-proof"]).expect(10).stdout, plain);
    assert_eq!(plain.matches("unsat").count(), 2, "{plain}");
    let mut n_unsat = 0;
    for (format, options) in
        [("btor", ["--status", "unsat"]), ("smt2", ["--status", "unsat"]), ("cnf", ["--vars", "40"])]
    {
        let fixed = ["generate", "--to", format, "--count", "20", "--out", format];
        bench.nub(&[&fixed[..], &options].concat()).expect(0);
        for name in common::names(&bench.path(format)) {
            let name = format!("{format}/{name}");
            let plain = bench.nub(&["solve", &name]);
            let proved = bench.nub(&["solve", &name, "--check-proof"]);
            assert_eq!(
                (proved.code, &proved.stdout),
                (plain.code, &plain.stdout),
                "{name}: {}",
                proved.stderr
            );
            n_unsat += usize::from(plain.code == Some(20));
        }
    }
    assert!(n_unsat >= 40, "{n_unsat} of 60 are unsat");
}
