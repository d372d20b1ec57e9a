//! `nub reduce --compare-strategies`: all strategies, several files, limits, and what happens to a file that does not fail.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

/// A chain of operators with a product in its middle.
fn btor(n: usize) -> String {
    let mut text = "1 var 8\n2 var 8\n".to_owned();
    for i in 0..n {
        let operator = if i == n / 2 { "mul" } else { "add" };
        text += &format!("{} {operator} 8 {} -2\n", i + 3, if i == 0 { 1 } else { i + 2 });
    }
    text + &format!("{} redor 1 {}\n{} root 1 {}\n", n + 3, n + 2, n + 4, n + 3)
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("bug.btor", &btor(40));
    bench.program("btor-solver", "#!/bin/sh\ngrep -q ' mul ' \"$1\" && kill -SEGV $$\necho sat\n");
    bench
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

fn strategies(comparison: &serde_json::Value) -> Vec<String> {
    let name = |row: &serde_json::Value| {
        let simplify = if row["simplify"] == true { " simplified" } else { "" };
        format!("{}{simplify}", row["strategy"].as_str().unwrap())
    };
    comparison["rows"].as_array().unwrap().iter().map(name).collect()
}

#[test]
fn every_strategy_can_be_compared() {
    let bench = bench();
    let names = "--compare-strategies=ddsmt,sound,hddstar,auto";
    let run = bench.nub(&["reduce", "bug.smt2", names, "--json", "-q", "--", "./solver"]).expect(0);
    let all = json(&run.stdout);
    assert_eq!(strategies(&all), ["ddsmt", "sound", "hdd*", "hdd* simplified", "auto"]);
    for row in all["rows"].as_array().unwrap() {
        let result = &row["results"][0];
        let (asks, known) = (result["asks"].as_u64().unwrap(), result["known"].as_u64().unwrap());
        assert!(asks >= known && result["ended"] == true, "{row}");
    }
    bench.write("bug.txt", "one\ntwo\nthree\nfour\nfive mul six\n");
    let run =
        bench.nub(&["reduce", "bug.txt", "--compare-strategies", "--json", "-q", "--", "./btor-solver"]);
    assert_eq!(strategies(&json(&run.expect(0).stdout)), ["ddmin", "auto"]);
}

/// The curves of a comparison: for each strategy the size falls, and the last step has the size and at most the asks of the result.
#[test]
fn every_strategy_has_its_curve() {
    let bench = bench();
    let words =
        ["reduce", "bug.btor", "--compare-strategies=lw,ddmin,auto", "--html", "page.html", "--json", "-q"];
    let run = bench.nub(&[&words[..], &["--", "./btor-solver"]].concat()).expect(0);
    let all = json(&run.stdout);
    for row in all["rows"].as_array().unwrap() {
        let result = &row["results"][0];
        let steps = result["steps"].as_array().unwrap();
        let numbers = |name: &str| steps.iter().map(|step| step[name].as_f64().unwrap()).collect::<Vec<_>>();
        assert!(numbers("asks").is_sorted() && numbers("seconds").is_sorted(), "{row}");
        assert!(numbers("bytes").is_sorted_by(|before, after| before >= after), "{row}");
        assert_eq!(steps.last().unwrap()["bytes"], result["bytes"], "{row}");
        let last = steps.last().unwrap();
        assert!(last["asks"].as_u64() <= result["asks"].as_u64(), "{row}");
        assert!(last["seconds"].as_f64() <= result["seconds"].as_f64(), "{row}");
    }
    let page = bench.read("page.html");
    assert!(page.contains("Compared: bug.btor") && page.contains("percent_per_ask"), "the page has the data");
    let run =
        bench.nub(&["reduce", "bug.btor", "--compare-strategies=lw", "--html", "bug.btor", "--", "true"]);
    assert!(run.expect(2).stderr.contains("bug.btor cannot be the page as well"));
}

#[test]
fn a_bad_file_costs_itself_alone() {
    let bench = bench();
    bench.write("fine.btor", &btor(9).replace("mul", "sub"));
    bench.write("other.btor", &btor(20));
    let args =
        ["reduce", "bug.btor", "fine.btor", "absent.btor", "other.btor", "--compare-strategies=lw,auto"];
    let run = bench.nub(&[&args[..], &["--simplify=off", "--", "./btor-solver"]].concat()).expect(3);
    for part in ["fine.btor", "absent.btor"] {
        assert!(run.stderr.contains(part), "{part} is not named: {}", run.stderr);
        assert!(run.stdout.contains(&format!("not compared: {part}")), "{}", run.stdout);
    }
    assert!(run.stdout.contains("other.btor") && run.stdout.contains("overall"), "{}", run.stdout);
    let run = bench.nub(&["reduce", "fine.btor", "--compare-strategies=lw", "--", "./btor-solver"]).expect(3);
    assert!(run.stderr.contains("fine.btor"), "{}", run.stderr);
}

#[test]
fn ten_files_fit_the_screen() {
    let bench = bench();
    let names: Vec<String> = (1..=10).map(|n| format!("ex{n}.btor")).collect();
    names.iter().enumerate().for_each(|(n, name)| bench.write(name, &btor(4 + n)));
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    let args =
        [&["reduce"][..], &files, &["--compare-strategies=lw,bfs,hdd+,auto", "-q", "--", "./btor-solver"]];
    let text = bench.nub(&args.concat()).expect(0).stdout;
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(text.contains("without simplification") && text.contains("with simplification"), "{text}");
    assert!(text.contains("file 10"), "{text}");
}

#[test]
fn the_time_limit_holds_for_each_strategy() {
    let bench = bench();
    bench.program("slow", "#!/bin/sh\nsleep 0.3\ngrep -q ' mul ' \"$1\" && kill -SEGV $$\necho sat\n");
    let args =
        ["reduce", "bug.btor", "--compare-strategies=bfs,changeref", "--simplify=off", "--max-time", "1"];
    let run = bench.nub(&[&args[..], &["--json", "-q", "--", "./slow"]].concat()).expect(0);
    for row in json(&run.stdout)["rows"].as_array().unwrap() {
        assert_eq!(row["results"][0]["ended"], false, "{row}");
    }
}

#[test]
fn several_files_are_for_comparing() {
    let bench = bench();
    let run = bench.nub(&["reduce", "bug.btor", "bug.smt2", "--", "./btor-solver"]).expect(2);
    assert!(run.stderr.contains("--compare-strategies"), "{}", run.stderr);
}

#[test]
fn names_of_the_thesis_are_known() {
    let bench = bench();
    for (name, own) in [
        ("HDDplus", "hdd+"),
        ("hddstar", "hdd*"),
        ("cref", "changeref"),
        ("cbref", "changeref+"),
        ("DDMIN", "ddmin"),
    ] {
        let run =
            bench.nub(&["reduce", "bug.btor", "-j1", "--strategy", name, "--json", "--", "./btor-solver"]);
        assert!(run.expect(0).stdout.contains(&format!("\"strategy\":\"{own}\"")), "{name}");
    }
    let old = bench
        .nub(&["generate", "--seed", "3", "-clauses=2", "-cnf", "-vars", "5", "-all=false"])
        .expect(0)
        .stdout;
    let new = bench.nub(&["generate", "--seed", "3", "--clauses=2", "--cnf", "--vars", "5"]).expect(0).stdout;
    assert_eq!(old, new);
}

#[test]
fn a_chain_shows_its_arrows() {
    let bench = bench();
    let args = ["reduce", "bug.btor", "-j1", "--combine", "ddmin,hdd,changeref", "--", "./btor-solver"];
    let run = bench.nub(&args).expect(0);
    let line = run.stderr.lines().find(|line| line.starts_with("chain")).unwrap_or_default();
    assert!(line.contains("44 -ddmin-> ") && line.contains(" -changeref-> "), "{}", run.stderr);
}

#[test]
fn an_exhaustive_search_says_when_it_was_not() {
    let bench = bench();
    let asserts = "(assert (not (not p)))".repeat(9);
    bench.write("bug.smt2", &format!("(declare-const p Bool){asserts}(check-sat)"));
    bench.program("test.sh", "#!/bin/sh\ngrep -q check-sat \"$1\"\n");
    let sound = ["reduce", "bug.smt2", "-j1", "--strategy", "sound", "--recursive", "--test", "./test.sh"];
    let run = bench.nub(&[&sound[..], &["--max-states", "20"]].concat()).expect(0);
    assert!(run.stderr.contains("--max-states reached"), "{}", run.stderr);
    let row = run.stderr.lines().find(|line| line.starts_with("double-negation")).unwrap_or_default();
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>(),
        ["double-negation", "108", "20", "9"],
        "{}",
        run.stderr
    );
    let run = bench.nub(&[&sound[..], &["--json"]].concat()).expect(0);
    assert!(run.stdout.contains("\"reason\":\"fixpoint\""), "all 512 states were seen: {}", run.stdout);
    bench.nub(&["reduce", "bug.smt2", "--max-states", "5", "--test", "./test.sh"]).expect(2);
}

/// `distinct` is a valid intermediate state but longer than what it replaces: not a result.
#[test]
fn no_file_is_written_if_nothing_is_smaller() {
    let bench = bench();
    bench.write("bug.smt2", "(declare-const p Bool)(assert (not (= p true)))(check-sat)");
    bench.program(
        "test.sh",
        "#!/bin/sh\ngrep -q 'assert.*p' \"$1\" && grep -q check-sat \"$1\" && grep -q ') *$' \"$1\"\n",
    );
    let sound = ["reduce", "bug.smt2", "-j1", "--strategy", "sound", "--test", "./test.sh"];
    let run = bench.nub(&sound).expect(1);
    assert!(run.stderr.contains("no file was written"), "{}", run.stderr);
    assert!(!bench.names().contains(&"bug.reduced.smt2".to_owned()), "{:?}", bench.names());
    bench.write("bug.reduced.smt2", "mine");
    bench.nub(&sound).expect(1);
    assert_eq!(bench.read("bug.reduced.smt2"), "mine");
}

#[test]
fn ddsmt_prints_afresh() {
    let bench = bench();
    bench.write(
        "bug.smt2",
        "; why\n\n(set-logic   QF_BV)\n(assert true)\n\n(assert (not\n   false))\n(check-sat) ; c\n",
    );
    bench.program("test.sh", "#!/bin/sh\ngrep -q 'not' \"$1\" && grep -q check-sat \"$1\"\n");
    let args = ["reduce", "bug.smt2", "-j1", "--strategy", "ddsmt", "--no-header", "--test", "./test.sh"];
    bench.nub(&args).expect(0);
    assert_eq!(bench.read("bug.reduced.smt2"), "(set-logic QF_BV)\n(assert (not false))\n(check-sat)\n");
}
