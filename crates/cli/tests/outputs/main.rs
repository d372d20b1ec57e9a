//! Golden files of every output format: texts, JSON, CSV, Markdown, SARIF, LCOV, Cobertura and what the HTML pages show.
//! `UPDATE_EXPECT=1` writes them. The forms of `nub cover` for one function are in its crate, the events of a reduction
//! beside this folder.
//!
//! What depends on a clock or the machine is masked; everything else must be the same in every run, so there
//! is one job at a time.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

#[path = "../common/mod.rs"]
mod common;
mod mask;

use common::Bench;
use std::path::{Path, PathBuf};

/// Copies an example that users have, on which all forms of output are tested.
fn example(bench: &Bench, path: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path);
    let name = source.file_name().unwrap();
    std::fs::copy(&source, bench.path(name.to_str().unwrap())).unwrap();
}

#[track_caller]
fn expect(bench: &Bench, name: &str, text: &str) {
    let masked = mask::masked(bench, text);
    nub_test_kit::assert_golden(&PathBuf::from("tests/outputs").join(name), masked);
}

/// What the page shows: its data, without the program that draws it.
#[track_caller]
fn expect_page(bench: &Bench, name: &str, page: &str) {
    let from = page.find("id=\"report\">").expect("the data of the page") + "id=\"report\">".len();
    let data = &page[from..from + page[from..].find("</script>").unwrap()];
    let value: serde_json::Value = serde_json::from_str(data).unwrap();
    expect(bench, name, &(serde_json::to_string_pretty(&value).unwrap() + "\n"));
}

#[test]
fn a_reduction() {
    let bench = Bench::new();
    example(&bench, "crash/bug.smt2");
    example(&bench, "crash/solver.sh");
    let words = "reduce bug.smt2 -j 1 -o small.smt2 --html page.html -- ./solver.sh";
    let run = bench.nub(&words.split(' ').collect::<Vec<_>>()).expect(0);
    // Progress lines appear at most once a second, so their number differs.
    let summary = run.stderr.split_inclusive('\n').filter(|line| !line.contains("/s  "));
    expect(&bench, "reduce.txt", &(summary.collect::<String>() + &run.stdout));
    expect(&bench, "reduce.smt2", &bench.read("small.smt2"));
    expect_page(&bench, "reduce-page.json", &bench.read("page.html"));
}

#[test]
fn strategies_compared() {
    let bench = Bench::new();
    example(&bench, "crash/bug.smt2");
    example(&bench, "crash/solver.sh");
    for (option, name) in [("-q", "compare.txt"), ("--csv", "compare.csv"), ("--json", "compare.json")] {
        let words = format!("reduce bug.smt2 --compare-strategies=hdd,ddmin,auto {option} -q -- ./solver.sh");
        let mut words: Vec<&str> = words.split(' ').collect();
        words.dedup();
        expect(&bench, name, &bench.nub(&words).expect(0).stdout);
    }
}

#[test]
fn a_campaign() {
    let bench = Bench::new();
    let crash = "echo 'stub: mul.c:7: product: Assertion failed' >&2; kill -ABRT $$";
    let solve = env!("CARGO_BIN_EXE_nub");
    bench.program(
        "stub",
        &format!("#!/bin/sh\n[ \"$1\" = --version ] && echo stub 1.0 && exit\nif grep -q ' mul ' \"$1\"; then {crash}; fi\nexec {solve} solve \"$1\"\n"),
    );
    let made = "--to btor -n 40 --noarrays";
    let words = "fuzz -s ./stub --unit 5 --campaign c --max-inputs 20 -j 1 -q --timeout 60 --generate";
    let mut args: Vec<&str> = words.split(' ').collect();
    args.push(made);
    let decimals = mask::decimals;
    expect(&bench, "fuzz.txt", &decimals(&bench.nub(&args).expect(0).stdout));
    let status = bench.nub(&["fuzz", "status", "c"]).expect(0).stdout;
    expect(&bench, "fuzz-status.txt", &decimals(&status));
    expect(&bench, "fuzz-status.json", &bench.nub(&["fuzz", "status", "c", "--json"]).expect(0).stdout);
    expect_page(&bench, "fuzz-page.json", &bench.read("c/index.html"));
    let group = common::names(&bench.path("c/groups")).remove(0);
    expect(&bench, "fuzz-report.md", &bench.read(&format!("c/groups/{group}/report.md")));
    expect(&bench, "fuzz-events.jsonl", &bench.read("c/events.jsonl"));
}

#[test]
fn an_explanation() {
    let bench = Bench::new();
    example(&bench, "explain/parking.c");
    let words = "explain parking.c -f check --sarif parking.sarif --html page.html";
    expect(&bench, "explain.txt", &bench.nub(&words.split(' ').collect::<Vec<_>>()).expect(0).stdout);
    expect(&bench, "explain.sarif", &bench.read("parking.sarif"));
    expect_page(&bench, "explain-page.json", &bench.read("page.html"));
    for (words, name) in [
        ("explain parking.c -f check --json", "explain.json"),
        ("explain parking.c -f check --list", "properties.txt"),
        ("explain parking.c -f check --list --json", "properties.json"),
    ] {
        let run = bench.nub(&words.split(' ').collect::<Vec<_>>());
        expect(&bench, name, &run.stdout);
    }
    let cause = ["explain", "parking.c", "-f", "check", "--cause", "total > 1500 @ 12"];
    expect(&bench, "cause.txt", &bench.nub(&cause).stdout);
    let cause = [&cause[..], &["--json"]].concat();
    expect(&bench, "cause.json", &bench.nub(&cause).stdout);
}

#[test]
fn a_coverage() {
    let bench = Bench::new();
    example(&bench, "cover/shipping.c");
    let words = "cover shipping.c -o page.html -o why.md -o tests.csv";
    expect(&bench, "cover.txt", &bench.nub(&words.split(' ').collect::<Vec<_>>()).expect(0).stdout);
    expect_page(&bench, "cover-page.json", &bench.read("page.html"));
    expect(&bench, "cover.md", &bench.read("why.md"));
    expect(&bench, "cover.csv", &bench.read("tests.csv"));
    expect(&bench, "cover.json", &bench.nub(&["cover", "shipping.c", "--json"]).expect(0).stdout);
}

#[test]
fn a_project() {
    let bench = Bench::new();
    bench.write("clamp.c", "int clamp(int x) { if (x > 100) return 100; return x < 0 ? 0 : x; }\n");
    bench.write(
        "odd.c",
        "int odd(int x) { if (x & 1) return 1; struct { char c[x]; } s; return (int)sizeof s; }\n",
    );
    let unit = |file: &str| {
        let directory = bench.path("").to_string_lossy().into_owned();
        serde_json::json!({ "directory": directory, "file": file, "arguments": ["cc", "-c", file] })
    };
    let units = serde_json::json!([unit("clamp.c"), unit("odd.c")]);
    bench.write("compile_commands.json", &units.to_string());
    let words = "cover --project . -j 1 -o out";
    let table = bench.nub(&words.split(' ').collect::<Vec<_>>()).expect(0).stdout;
    expect(&bench, "project.txt", &mask::decimals(&table));
    for name in common::names(&bench.path("out")) {
        let kept = matches!(name.as_str(), "coverage.info" | "coverage.xml" | "Makefile" | "CMakeLists.txt");
        if kept {
            expect(&bench, &format!("project-{name}"), &bench.read(&format!("out/{name}")));
        }
    }
    std::fs::remove_dir_all(bench.path("out")).unwrap();
    let words = "cover --project . -j 1 --json";
    expect(&bench, "project.jsonl", &bench.nub(&words.split(' ').collect::<Vec<_>>()).expect(0).stdout);
}

#[test]
fn answers_of_the_solver() {
    let bench = Bench::new();
    bench.write(
        "product.smt2",
        "(set-logic QF_BV)\n(declare-const a (_ BitVec 8))\n(assert (= (bvmul a a) #x31))\n(check-sat)\n(get-model)\n",
    );
    expect(&bench, "solve.txt", &bench.nub(&["solve", "product.smt2"]).expect(10).stdout);
    expect(&bench, "solve.jsonl", &bench.nub(&["solve", "product.smt2", "--json"]).expect(10).stdout);
}

#[test]
fn settings() {
    let bench = Bench::new();
    bench.write("nub.toml", "[limits]\ntimeout = 20\n\n[solvers]\nmine = \"./solver -v\"\n");
    expect(&bench, "config.txt", &bench.nub(&["config"]).expect(0).stdout);
    expect(&bench, "config.json", &bench.nub(&["config", "--json"]).expect(0).stdout);
}
