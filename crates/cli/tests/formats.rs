//! `nub reduce` on BTOR, BTOR2, DIMACS and other text, and the comparison of strategies.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

/// A chain of operators with a product in its middle; the solver dies on a product.
fn btor(n: usize) -> String {
    let mut text = "; a chain\n1 var 8 a\n2 var 8 b\n".to_owned();
    for i in 0..n {
        let operator = if i == n / 2 { "mul" } else { "add" };
        text += &format!("{} {operator} 8 {} -2\n", i + 3, if i == 0 { 1 } else { i + 2 });
    }
    text + &format!("{} redor 1 {}\n{} root 1 {}\n", n + 3, n + 2, n + 4, n + 3)
}

const DIES_ON_PRODUCTS: &str = "#!/bin/sh\ngrep -q ' mul ' \"$1\" && kill -SEGV $$\necho sat\n";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("bug.btor", &btor(40));
    bench.program("btor-solver", DIES_ON_PRODUCTS);
    bench
}

/// The text of a file without the header.
fn body(bench: &Bench, name: &str) -> String {
    let text = bench.read(name);
    text.lines().filter(|line| !line.starts_with(';')).map(|line| format!("{line}\n")).collect()
}

#[test]
fn btor_is_known_by_its_content() {
    let bench = bench();
    let run = bench.nub(&["reduce", "bug.btor", "-j1", "--", "./btor-solver"]).expect(0);
    assert!(run.stderr.contains("nodes"), "{}", run.stderr);
    assert!(bench.read("bug.reduced.btor").starts_with("; nub: ./btor-solver bug.reduced.btor -> SIGSEGV\n"));
    assert_eq!(body(&bench, "bug.reduced.btor"), "1 var 1\n2 mul 1 1 1\n");
}

#[test]
fn btor2_keeps_sorts_and_ids_in_order() {
    let bench = bench();
    let text = "1 sort bitvec 8\n2 sort bitvec 1\n10 state 1 s\n11 input 1\n12 mul 1 10 11\n13 next 1 10 12\n\
        14 one 1\n15 eq 2 12 14\n16 bad 15\n17 output 12\n";
    bench.write("bug.btor2", text);
    bench.nub(&["reduce", "bug.btor2", "-j1", "--no-header", "--", "./btor-solver"]).expect(0);
    assert_eq!(bench.read("bug.reduced.btor2"), "1 sort bitvec 1\n2 one 1\n3 mul 1 2 2\n");
}

#[test]
fn every_algorithm_of_the_thesis_has_a_name() {
    let bench = bench();
    for name in ["ddmin", "hdd", "hdd+", "hdd*", "bfs", "lw", "changeref", "changeref+", "deltabtor"] {
        let args = ["reduce", "bug.btor", "-j1", "--strategy", name, "--simplify", "--", "./btor-solver"];
        bench.nub(&args).expect(0);
        assert!(bench.read("bug.reduced.btor").contains(" mul "), "{name}");
    }
    let chained = ["reduce", "bug.btor", "-j1", "--combine", "ddmin,hdd,changeref+", "--", "./btor-solver"];
    bench.nub(&chained).expect(0);
    assert!(body(&bench, "bug.reduced.btor").lines().count() <= 6, "{}", bench.read("bug.reduced.btor"));
    // The same algorithms on the terms of SMT-LIB.
    bench.nub(&["reduce", "bug.smt2", "-j1", "--strategy", "hdd*", "--", "./solver"]).expect(0);
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
}

#[test]
fn strategies_that_do_not_fit_are_refused() {
    let bench = bench();
    bench.write("bug.cnf", "p cnf 2 2\n1 2 0\n-1 0\n");
    let refused = [
        &["reduce", "bug.btor", "--strategy", "ddsmt", "--", "./btor-solver"][..],
        &["reduce", "bug.cnf", "--strategy", "hdd", "--", "./solver"],
        &["reduce", "bug.btor", "--simplify", "--", "./btor-solver"],
        &["reduce", "bug.btor", "--combine", "sound,auto", "--", "./btor-solver"],
        &["reduce", "bug.btor", "--strategy", "hdd", "--recursive", "--", "./btor-solver"],
    ];
    for args in refused {
        let run = bench.nub(args).expect(2);
        assert!(run.stderr.contains("error:"), "{}", run.stderr);
    }
    assert!(!bench.names().iter().any(|name| name.contains("reduced")));
}

#[test]
fn the_comparison_has_three_forms_and_writes_nothing() {
    let bench = bench();
    bench.write("other.btor", &btor(20));
    let compare = |more: &[&str]| {
        let args = [
            &[
                "reduce",
                "bug.btor",
                "--and",
                "other.btor",
                "--compare-strategies=lw,hdd*,auto",
                "--simplify",
                "-q",
            ],
            more,
        ];
        bench.nub(&[&args.concat()[..], &["--", "./btor-solver"]].concat()).expect(0).stdout
    };
    let text = compare(&[]);
    for part in ["asks", "nodes left", "removed per ask", "overall", "hdd*", "auto", "other.btor"] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    let csv = compare(&["--csv"]);
    assert_eq!(csv.lines().count(), 1 + 3 * 2, "{csv}");
    let json: serde_json::Value = serde_json::from_str(&compare(&["--json"])).unwrap();
    assert_eq!(json["rows"].as_array().unwrap().len(), 3);
    assert_eq!(json["files"][0]["size"], 44);
    let auto = &json["rows"][2]["results"][0];
    assert!(auto["size"].as_u64() <= json["rows"][1]["results"][0]["size"].as_u64(), "{json}");
    assert!(!bench.names().iter().any(|name| name.contains("reduced")), "nothing is written");
}

#[test]
fn dimacs_keeps_its_header_true() {
    let bench = bench();
    let text = "c a comment\nc another one\np cnf 9 7\n1 -2 0\n7 8 9 0\n3 0\n-3 4 0\n5 6 0\n-8 -9 0\n2 5 0\n";
    bench.write("bug.cnf", text);
    // Fails on a correct header and a unit clause.
    let solver = "#!/bin/sh\nset -- $(grep '^p' \"$1\") $(grep -vc '^[pc]' \"$1\") $(grep -cE '^-?[0-9]+ 0$' \"$1\")\n\
        [ \"$4\" = \"$5\" ] && [ \"$6\" -gt 0 ] && exit 7\nexit 0\n";
    bench.program("sat-solver", solver);
    bench.nub(&["reduce", "bug.cnf", "-j1", "--", "./sat-solver"]).expect(0);
    assert_eq!(
        bench.read("bug.reduced.cnf"),
        "c nub: ./sat-solver bug.reduced.cnf -> exit 7\np cnf 1 1\n1 0\n"
    );
}

#[test]
fn other_text_has_no_header() {
    let bench = bench();
    bench.write("bug.c", "int f(int a) {\n  return g(a, \"x\");\n}\nint main(void) { return f(1); }\n");
    bench.program("cc", "#!/bin/sh\ngrep -q 'g(' \"$1\" && exit 4\nexit 0\n");
    bench.nub(&["reduce", "bug.c", "-j1", "--", "./cc"]).expect(0);
    assert_eq!(bench.read("bug.reduced.c"), "g(\n");
    bench.nub(&["reduce", "bug.c", "-j1", "--strategy", "ddmin", "-o", "lines.c", "--", "./cc"]).expect(0);
    assert_eq!(bench.read("lines.c"), "  return g(a, \"x\");\n");
}

#[test]
fn lines_can_be_protected() {
    let bench = bench();
    bench
        .nub(&["reduce", "bug.btor", "-j1", "--keep", "redor", "--no-header", "--", "./btor-solver"])
        .expect(0);
    assert!(bench.read("bug.reduced.btor").contains("43 redor 1 42\n"), "{}", bench.read("bug.reduced.btor"));
}
