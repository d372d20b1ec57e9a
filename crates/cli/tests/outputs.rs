//! What each command prints in each of its formats, as files: `UPDATE_EXPECT=1` rewrites them. Reports of `cover` and `explain` have
//! their own (`crates/cover/tests/golden`, `crates/explain/tests/golden`), events of `reduce` theirs (`json.rs`).

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;
use nub_test_kit::compare_golden;
use std::path::Path;

const SCRIPT: &str = "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (= (bvmul x x) #x31))\n\
    (assert (bvult x #x10))\n(check-sat)\n(get-value (x))\n(assert (bvult x #x07))\n(check-sat)\n";
const BTOR: &str = "1 var 4 x\n2 constd 4 3\n3 add 4 1 2\n4 zero 4\n5 eq 1 3 4\n6 root 1 5\n";
const BTOR2: &str = "1 sort bitvec 2\n2 sort bitvec 1\n3 zero 1\n4 state 1 n\n5 init 1 4 3\n6 one 1\n7 add 1 4 6\n8 next 1 4 7\n\
    9 ones 1\n10 eq 2 4 9\n11 bad 10\n";
const CNF: &str = "p cnf 2 2\n1 0\n-1 2 0\n";
const PROGRAM: &str = "#include <assert.h>\nint f(int x) {\n    int y = x + 1;\n    if (x > 3) y = 2;\n    \
    assert(y != 2);\n    return y;\n}\n";
const SETTINGS: &str = "[limits]\nmax-time = \"10m\"\n\n[programs]\nz3 = \"z3 -st\"\n";

/// The name of the file, the exit code, and the arguments.
const CALLS: &[(&str, i32, &str)] = &[
    ("typical-calls.txt", 0, ""),
    ("solve-smt2.txt", 20, "solve q.smt2"),
    ("solve-smt2.jsonl", 20, "solve q.smt2 --json"),
    ("solve-btor-model.txt", 10, "solve q.btor --model"),
    ("solve-btor2-witness.txt", 10, "solve q.btor2 --bound 5 --model"),
    ("solve-dimacs-model.txt", 10, "solve q.cnf --model"),
    ("convert-btor2.txt", 0, "convert q.btor --to btor2"),
    ("convert-btor.txt", 0, "convert q.btor2 --unroll 3 --to btor"),
    ("convert-smt2.txt", 0, "convert q.btor2 --unroll 3 --to smt2"),
    ("generate-btor.txt", 0, "generate -n 12 --seed 3"),
    ("generate-btor2.txt", 0, "generate -n 12 --seed 3 --to btor2 --states 1"),
    ("generate-smt2.txt", 0, "generate -n 12 --seed 3 --to smt2"),
    ("generate-dimacs.txt", 0, "generate --to dimacs --vars 5 --clauses 3 --seed 3"),
    ("properties.txt", 0, "explain f.c -f f --list"),
    ("properties.json", 0, "explain f.c -f f --list --json"),
    ("cause.json", 0, "explain f.c -f f --cause x>3@4 --json"),
    ("config.txt", 0, "config"),
    ("config.json", 0, "config --json"),
    ("schema.txt", 0, "schema"),
];

#[test]
fn outputs_are_those_of_the_files() {
    let bench = Bench::new();
    let files = [
        ("q.smt2", SCRIPT),
        ("q.btor", BTOR),
        ("q.btor2", BTOR2),
        ("q.cnf", CNF),
        ("f.c", PROGRAM),
        ("nub.toml", SETTINGS),
    ];
    files.iter().for_each(|(name, text)| bench.write(name, text));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outputs");
    let here = bench.path("").canonicalize().unwrap().display().to_string();
    let mut wrong = Vec::new();
    for (name, code, args) in CALLS {
        let args: Vec<&str> = args.split_whitespace().collect();
        let run = bench.nub(&args).expect(*code);
        // Where the test runs and which version it is change.
        let found = run.stdout.replace(here.trim_end_matches('/'), "HERE");
        let found = found.replace(concat!("nub ", env!("CARGO_PKG_VERSION")), "nub VERSION");
        wrong.extend(compare_golden(&folder.join(name), found).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
