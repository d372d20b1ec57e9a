//! The files that `nub cover` writes, checked by other tools: the C compiler builds and runs them, gcov measures what
//! they reach.
//!
//! Without a compiler or gcov these tests print that and pass.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::print_stderr)] // tests start programs and write files

mod common;

use common::{Bench, Run};
use std::process::Command;

const UNITY: &str = include_str!("data/cover/unity.h");
/// With two outcomes that no input reaches: the second decision is evaluated only if the first is true.
const COUPLED: &str = "int coupled(int a, int b) {
  int r = 0;
  if (a > 3) {
    if (a > 2 && b)
      r = 1;
  }
  while (r < 5 && b > r)
    r++;
  return r ? r : a == 7 || b == 7;
}
";

/// Runs a program in the folder; `None` if it is not installed.
fn run(bench: &Bench, program: &str, args: &[&str]) -> Option<Run> {
    let output = Command::new(program).args(args).current_dir(bench.path("")).output();
    if output.is_err() {
        nub_test_kit::missing_tool(program);
    }
    output.ok().map(Run::of)
}

/// Compiles a file to `program`; false if there is no compiler.
fn compile(bench: &Bench, file: &str, options: &[&str]) -> bool {
    let words = [&["-w", "-O0", "-o", "program", file][..], options].concat();
    run(bench, "gcc", &words).map(|run| run.expect(0)).is_some()
}

/// The branches of a file by gcov: how many, and how many of them no test takes.
fn branches(bench: &Bench, file: &str) -> Option<(usize, usize)> {
    run(bench, "gcov", &["-b", "-c", "program-tests.gcda"])?.expect(0);
    let text = bench.read(&format!("{file}.gcov"));
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("branch ")).collect();
    // `branch  1 taken 0`, `branch  1 never executed`.
    let is_missed = |line: &&&str| {
        let words: Vec<&str> = line.split_whitespace().skip(2).take(2).collect();
        words == ["taken", "0"] || words == ["never", "executed"]
    };
    Some((lines.len(), lines.iter().filter(is_missed).count()))
}

/// At -O0 gcc makes a branch of each condition. So gcov must see both sides of every branch, except for the conditions that are
/// proved infeasible.
#[track_caller]
fn check_branches(text: &str, n_infeasible: usize) {
    let bench = Bench::new();
    bench.write("f.c", text);
    bench.write("unity.h", UNITY);
    let words = [
        "cover",
        "f.c",
        "-c",
        "condition",
        "--harness",
        "unity",
        "--no-native",
        "-o",
        "tests.c",
        "-o",
        "report.json",
    ];
    bench.nub(&words).expect(0);
    if !compile(&bench, "tests.c", &["--coverage"]) {
        return;
    }
    let ran = run(&bench, "./program", &[]).unwrap().expect(0);
    assert!(ran.stdout.ends_with(" tests, 0 failures\n"), "{}", ran.stdout);
    let Some((n_branches, n_missed)) = branches(&bench, "f.c") else { return };
    let report = bench.read("report.json");
    assert_eq!(report.matches("\"state\": \"infeasible\"").count(), n_infeasible, "{report}");
    assert!(n_branches > 0);
    assert_eq!(n_missed, n_infeasible, "{}", bench.read("f.c.gcov"));
}

#[test]
fn gcov_sees_every_condition() {
    check_branches(include_str!("../../cover/tests/functions/check_date_validity.c"), 0);
    check_branches(include_str!("../../cover/tests/functions/triangle.c"), 0);
    check_branches(include_str!("../../cover/tests/functions/gcd.c"), 0);
    check_branches(COUPLED, 2);
}

/// The check above can fail: gcov notices that a test is missing.
#[test]
fn gcov_notices_what_is_missing() {
    let bench = Bench::new();
    bench.write("f.c", include_str!("../../cover/tests/functions/triangle.c"));
    bench.write("unity.h", UNITY);
    let words =
        ["cover", "f.c", "-c", "condition", "-n", "4", "--harness", "unity", "--no-native", "-o", "tests.c"];
    bench.nub(&words).expect(0);
    if !compile(&bench, "tests.c", &["--coverage"]) {
        return;
    }
    run(&bench, "./program", &[]).unwrap().expect(0);
    let Some((_, n_missed)) = branches(&bench, "f.c") else { return };
    assert!(n_missed > 0);
}

/// What CTest would do: build the target, then run each test by its number.
#[test]
fn tests_for_ctest_can_be_built_and_run() {
    let bench = Bench::new();
    bench.write("f.c", COUPLED);
    bench.nub(&["cover", "f.c", "--no-native", "-o", "tests.c", "-o", "CMakeLists.txt"]).expect(0);
    let text = bench.read("CMakeLists.txt");
    let target = text.lines().find_map(|line| line.strip_prefix("add_executable(")).unwrap();
    let file = target.split('"').nth(1).unwrap();
    if !compile(&bench, file, &["-fsanitize=undefined"]) {
        return;
    }
    let numbers: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("add_test("))
        .map(|line| line.trim_end_matches(')').rsplit(' ').next().unwrap())
        .collect();
    assert!(numbers.len() > 2, "{text}");
    for number in numbers {
        run(&bench, "./program", &[number]).unwrap().expect(0);
    }
    run(&bench, "./program", &["99"]).unwrap().expect(2);
}

/// The Unity file omits the `main` of the program and the tests that end it, and detects a change.
#[test]
fn unity_tests_of_a_whole_program() {
    let bench = Bench::new();
    bench.write("unity.h", UNITY);
    let text = "void abort(void);\nint f(int a) { if (a == 7) abort(); return a > 3 && a < 9; }\nint main(void) { return f(1); }\n";
    bench.write("f.c", text);
    bench.nub(&["cover", "f.c", "-f", "f", "--harness", "unity", "-o", "tests.c"]).expect(0);
    if !compile(&bench, "tests.c", &[]) {
        return;
    }
    let ran = run(&bench, "./program", &[]).unwrap().expect(0);
    assert!(ran.stdout.ends_with("3 tests, 0 failures\n"), "{}", ran.stdout);
    bench.write("f.c", &text.replace("a > 3 &&", "a > 3 ||"));
    assert!(compile(&bench, "tests.c", &[]));
    assert_ne!(run(&bench, "./program", &[]).unwrap().code, Some(0));
}

/// `main` may end without a `return`, which gives 0 only under its own name.
#[test]
fn a_main_that_just_ends() {
    let bench = Bench::new();
    bench.write("m.c", "int nondet_int(void);\nint g(void) { return 9; }\nint main(void) { int a = nondet_int(); g(); if (a > 4) a = 1; }\n");
    let said = bench.nub(&["cover", "m.c", "-f", "main", "--json", "-o", "t.c"]).expect(0);
    if compile(&bench, "t.c", &[]) {
        assert!(said.stdout.contains("\"native\": \"confirmed\""), "{}", said.stdout);
        run(&bench, "./program", &[]).unwrap().expect(0);
    }
}

/// The report says whether the tests were compiled, and `--no-native` compiles nothing.
#[test]
fn the_report_says_whether_the_tests_were_compiled() {
    let bench = Bench::new();
    bench.write("f.c", COUPLED);
    let table = |args: &[&str]| bench.nub(&[&["cover", "f.c"], args].concat()).expect(0).stdout;
    assert!(!table(&["--no-native"]).contains("compiled"));
    let other = table(&["--data-model", "ilp32"]);
    assert!(other.contains("not compiled: the data model of this machine is lp64, not ilp32"), "{other}");
    let none = table(&["--cc", "no-such-compiler"]);
    assert!(none.contains("not compiled: there is no C compiler `no-such-compiler`"), "{none}");
    bench.nub(&["cover", "f.c", "--native", "--cc", "no-such-compiler"]).expect(2);
    bench.write("own.c", "int helper(int a) { return a; }\nint f(int a) { if (helper(a)) return 1; return 0; }\nint main(void) { return f(0); }\n");
    if run(&bench, "cc", &["--version"]).is_some() {
        assert!(table(&[]).contains("compiled with sanitizers and run: results agree"));
        let run = bench.nub(&["cover", "own.c", "-f", "f", "--json"]).expect(0);
        assert!(run.stdout.contains("\"native\": \"confirmed\""), "{}", run.stdout);
    }
}

/// Types that only a typedef names, memory behind `void *`, pointers to pointers, and functions of the file that cannot be linked: the tests
/// compile and agree.
#[test]
fn tests_with_pointers_of_all_kinds_compile() {
    let bench = Bench::new();
    let text = "typedef struct { unsigned char op; unsigned short val; } code;
struct pair { int x, y; };
int elsewhere(int);
int uses_elsewhere(int a) { return elsewhere(a); }
int f(code **table, void *pair, const void *bytes, const char *const *names, unsigned n) {
  code *q = *table;
  struct pair *p = pair;
  if (n < 3 && q[n].val > 9) return 1;
  if (p->x == 4 && p->y < 0) return 2;
  if (((const unsigned char *)bytes)[n] == 200 && names[1][2] == 'z') return 3;
  return 0;
}
";
    bench.write("f.c", text);
    let run = bench.nub(&["cover", "f.c", "-f", "f", "--json"]).expect(0);
    if self::run(&bench, "cc", &["--version"]).is_some() {
        assert!(run.stdout.contains("\"native\": \"confirmed\""), "{}", run.stdout);
    }
}

/// Assertions and assumptions of a verifier get bodies in the test file.
#[test]
fn programs_for_a_verifier_compile() {
    let bench = Bench::new();
    let text = "void __VERIFIER_assume(int);
int f(int a) { __VERIFIER_assume(a > 0); __CPROVER_assert(a != 7, \"not seven\"); if (a > 9) return 1; return 0; }
";
    bench.write("f.c", text);
    let run = bench.nub(&["cover", "f.c", "-f", "f", "--json"]).expect(0);
    if self::run(&bench, "cc", &["--version"]).is_some() {
        assert!(run.stdout.contains("\"native\": \"confirmed\""), "{}", run.stdout);
    }
}

/// The boundaries of `x > 10` are 9, 10 and 11: in every format, and the compiled program takes the reported branches.
#[test]
fn boundaries_are_compiled_and_in_every_format() {
    let bench = Bench::new();
    bench.write("f.c", "int f(int x, float t) {\n  if (x > 10)\n    return 1;\n  if (t <= 0.5f)\n    return 2;\n  return 0;\n}\n");
    let out = ["t.c", "t.json", "t.csv", "t.md", "t.html"];
    let mut words = vec!["cover", "f.c", "-c", "decision", "--boundaries"];
    words.extend(out.iter().flat_map(|name| ["-o", name]));
    let text = bench.nub(&words).expect(0).stdout;
    assert!(text.contains("\nf at f.c:1, decision, with boundaries\n"), "{text}");
    assert!(text.contains("cover 10 of 10 goals") && text.contains("is the minimum (proved)"), "{text}");
    let report: serde_json::Value = serde_json::from_str(&bench.read("t.json")).unwrap();
    let (goals, tests) = (&report["goals"], &report["tests"]);
    let mut found = Vec::new();
    for goal in
        goals.as_array().unwrap().iter().filter(|goal| goal["kind"] == "boundary" && goal["line"] == 2)
    {
        let test = goal["tests"][0].as_u64().unwrap() as usize;
        let input = tests[test - 1]["inputs"][0]["value"].as_str().unwrap().to_owned();
        found.push((goal["wanted"].as_str().unwrap().to_owned(), input));
    }
    let expected = [("equal", "10"), ("just above", "11"), ("just below", "9")];
    assert_eq!(found, expected.map(|(wanted, value)| (wanted.to_owned(), value.to_owned())));
    for value in ["9", "10", "11"] {
        assert!(bench.read("t.csv").lines().any(|line| line.starts_with(&format!("{value},"))), "{value}");
    }
    for name in ["t.md", "t.html"] {
        assert!(bench.read(name).contains("just above"), "{name}");
    }
    if compile(&bench, "t.c", &["-fsanitize=undefined", "-lm"]) {
        assert!(text.contains("compiled with sanitizers and run: results agree"), "{text}");
        run(&bench, "./program", &[]).unwrap().expect(0);
    }
}

/// A compiler that does not end is stopped soon after the time limit, not after a minute.
#[test]
fn the_time_limit_holds_for_the_compiler_too() {
    let bench = Bench::new();
    bench.write("f.c", "int f(int a) { if (a > 5) return 1; return 0; }\n");
    bench.write("slow-cc", "#!/bin/sh\nexec sleep 60\n");
    std::process::Command::new("chmod").args(["+x", "slow-cc"]).current_dir(bench.path("")).status().unwrap();
    let start = std::time::Instant::now();
    let words = ["cover", "f.c", "--cc", "./slow-cc", "--data-model", "lp64", "--max-time", "1"];
    let run = bench.nub(&words).expect(0);
    assert!(run.stdout.contains("2 tests cover 5 of 5 goals"), "{}", run.stdout);
    assert!(start.elapsed().as_secs() < 30, "{}", run.stdout);
}
