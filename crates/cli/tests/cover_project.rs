//! `nub cover --project`: all functions of a small project, through the built binary.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests write files and may panic

mod common;

use common::{Bench, tool};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

const A: &str = "\
#include \"limits.h\"
int other(int);
static int clamp(int x) { if (x > LIMIT) return LIMIT; return x < 0 ? 0 : x; }
int twice(int x) { return 2 * x; }
int sum(int a, int b) { if (a > 3 && b > 3) return clamp(a); return other(b) ? 1 : 2; }
";
const B: &str = "\
int other(int x) { if (x == 12345) return 1; return 0; }
int odd(int x) { if (x & 1) return x; struct { char c[x]; } s; return (int)sizeof s; }
";

/// A project of two files, as CMake would describe it.
fn project() -> Bench {
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path("src/include")).unwrap();
    std::fs::create_dir_all(bench.path("build")).unwrap();
    bench.write("src/include/limits.h", "#define LIMIT (MAXIMUM)\n");
    bench.write("src/a.c", A);
    bench.write("src/b.c", B);
    let folder = bench.path("src").to_string_lossy().into_owned();
    let entries = json!([
        { "directory": folder, "file": "a.c", "command": "cc -O2 -Wall -Iinclude -DMAXIMUM=100 -o a.o -c a.c" },
        { "directory": folder, "file": "b.c", "arguments": ["cc", "-c", "b.c"] },
        { "directory": folder, "file": "gone.c", "arguments": ["cc", "-c", "gone.c"] },
    ]);
    bench.write("build/compile_commands.json", &entries.to_string());
    bench
}

/// Lines of `--json`.
fn events(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The document at the end.
fn report(text: &str) -> Value {
    let mut documents = events(text).into_iter().filter(|event| event["type"] == "document");
    documents.next().unwrap()["content"].take()
}

fn states(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let functions = report["functions"].as_array().unwrap();
    functions.iter().map(|found| (text(&found["function"]), text(&found["state"]))).collect()
}

#[test]
fn every_function_with_decisions_has_a_line() {
    let bench = project();
    let run = bench.nub(&["cover", "--project", "build", "--no-native", "-j", "2", "--json"]).expect(0);
    let report = report(&run.stdout);
    let expected = [("clamp", "answered"), ("sum", "answered"), ("other", "answered"), ("odd", "refused")];
    assert_eq!(states(&report), expected.map(|(name, state)| (name.to_owned(), state.to_owned())));
    assert_eq!(report["without_decisions"], 1, "{report}");
    assert_eq!(report["unread"][0]["file"], "gone.c");
    let functions = events(&run.stdout).into_iter().filter(|event| event["type"] == "function").count();
    assert_eq!(functions, 4);
    // `x > 100`: the macro is that of the command.
    let clamp = &report["functions"][0]["counts"];
    assert_eq!((&clamp["covered"], &clamp["goals"], &clamp["minimal"]), (&json!(10), &json!(10), &json!(1)));
    assert!(report["functions"][3]["why"].as_str().unwrap().contains("incomplete or too large"), "{report}");
    assert_eq!(report["functions"][3]["place"], "b.c:2");
    let total = &report["total"];
    assert!(total["goals"].as_u64().unwrap() > total["covered"].as_u64().unwrap(), "{total}");
}

#[test]
fn people_get_tables_and_a_grade() {
    let bench = project();
    let arguments = ["cover", "--project", "build", "--no-native", "--fail-under", "99"];
    let run = bench.nub(&arguments).expect(1);
    assert!(run.stdout.contains("3 of 4 functions with decisions answered"), "{}", run.stdout);
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 140), "{}", run.stdout);
    assert!(run.stderr.contains("is less than 99 %"), "{}", run.stderr);
    let one = bench.nub(&["cover", "--project", "build", "-f", "other", "--fail-under", "100"]).expect(0);
    assert!(one.stdout.contains("1 of 1 function with decisions answered"), "{}", one.stdout);
    // The content of `gone.c` is unknown.
    let run = bench.nub(&["cover", "--project", "build", "--no-native", "--fail-under", "1"]).expect(1);
    assert!(run.stderr.contains("gone.c cannot be read"), "{}", run.stderr);
    bench
        .nub(&["cover", "--project", "build", "--no-native", "--only", "a.c", "--fail-under", "1"])
        .expect(0);
    bench.nub(&["cover", "--project", "src"]).expect(2);
    bench.nub(&["cover", "--project", "build", "-f", "nobody"]).expect(2);
    bench.nub(&["cover", "--project", "build", "src/a.c"]).expect(2);
}

/// A second run reuses the results of the first; only a changed file is covered again.
#[test]
fn answers_are_remembered_until_the_text_changes() {
    let bench = project();
    let again = || {
        let arguments = ["cover", "--project", "build", "--no-native", "--json", "-o", "out"];
        report(&bench.nub(&arguments).expect(0).stdout)
    };
    let first = again();
    assert_eq!(first["remembered"], 0);
    let second = again();
    assert_eq!((&second["remembered"], &second["functions"]), (&json!(4), &first["functions"]));
    bench.write("src/b.c", &B.replace("12345", "54321"));
    let third = again();
    // `sum` calls a function of the changed file.
    assert_eq!((&third["remembered"], states(&third)), (&json!(1), states(&first)));
}

/// After a kill at any moment, the next run has the same report and covers only what was missing.
#[test]
fn a_run_that_was_killed_continues() {
    let bench = project();
    let arguments = ["cover", "--project", "build", "--no-native", "--json", "-j", "1", "-o", "out"];
    for pause in [5, 150, 400] {
        let mut child = bench.command(&arguments).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let run = report(&bench.nub(&arguments).expect(0).stdout);
    assert_eq!((run["answered"].clone(), run["functions"].as_array().unwrap().len()), (json!(3), 4));
    let records = common::names(&bench.path("out/records"));
    assert_eq!(records.iter().filter(|name| name.ends_with(".json")).count(), 4, "{records:?}");
}

fn git(bench: &Bench, args: &[&str]) {
    let who = ["-c", "user.name=n", "-c", "user.email=n@example.org"];
    let mut command = std::process::Command::new("git");
    let output = command.args(who).args(args).current_dir(bench.path("")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn only_what_has_changed_is_covered() {
    let bench = project();
    git(&bench, &["init", "-q"]);
    git(&bench, &["add", "src"]);
    git(&bench, &["commit", "-q", "-m", "first"]);
    let since = |revision: &str, code| {
        let arguments = ["cover", "--project", "build", "--no-native", "--json", "--changed-since", revision];
        bench.nub(&arguments).expect(code)
    };
    assert!(states(&report(&since("HEAD", 0).stdout)).is_empty());
    bench.write("src/a.c", &A.replace("b > 3", "b > 4"));
    let changed = report(&since("HEAD", 0).stdout);
    assert_eq!(states(&changed), [("sum".to_owned(), "answered".to_owned())]);
    assert_eq!(changed["unchanged"], 3);
    assert!(since("nowhere", 2).stderr.contains("nowhere"));
}

#[test]
fn a_sample_is_spread_over_the_files() {
    let bench = project();
    let sample = |n: &str| {
        let arguments = ["cover", "--project", "build", "--no-native", "--json", "--sample", n];
        report(&bench.nub(&arguments).expect(0).stdout)
    };
    let all = states(&sample("99"));
    let two = sample("2");
    assert_eq!((all.len(), states(&two)), (4, vec![all[1].clone(), all[3].clone()]));
    assert_eq!((two["not_sampled"].clone(), states(&sample("3")).len()), (json!(2), 3));
}

/// One record of an LCOV file.
#[derive(PartialEq, Debug, Default)]
struct LcovRecord {
    /// How often each line was executed.
    lines: BTreeMap<u32, u64>,
    /// How often each outcome of the conditions of a line was taken.
    branches: BTreeMap<u32, Vec<u64>>,
}

fn read_lcov(text: &str, file: &str) -> LcovRecord {
    let record = text.split("end_of_record").find(|record| record.contains(&format!("/{file}\n"))).unwrap();
    let mut found = LcovRecord::default();
    for line in record.lines() {
        if let Some((number, times)) = line.strip_prefix("DA:").and_then(|rest| rest.split_once(',')) {
            found.lines.insert(number.parse().unwrap(), times.parse().unwrap());
        } else if let Some(rest) = line.strip_prefix("BRDA:") {
            let parts: Vec<&str> = rest.split(',').collect();
            let taken = parts[3].parse().unwrap_or(0);
            found.branches.entry(parts[0].parse().unwrap()).or_default().push(taken);
        }
    }
    found
}

/// The tests as the project's Makefile compiles them, measured by clang, against what the interpreter counted, and the terms for a list, which
/// it cannot be given: every line and every outcome of every condition, with the same counts.
#[test]
fn lcov_is_what_clang_measures() {
    let bench = project();
    let text = "int step(int n, int k) {\n  int sum = 0;\n  while (n > 0 && sum < 50) {\n    if (n % 3 == 1 || k == 7)\n      sum += n;\n    \
                else\n      sum--;\n    n--;\n  }\n  return sum;\n}\n\
                int pick(unsigned x) {\n  int y = x > 9u ? 1 : 2;\n  if (x < 4u)\n    return step(5, 1);\n  return y;\n}\n\
                int idle(int x) {\n  return x;\n}\n\
                struct node {\n  int v;\n  struct node *next;\n};\n\
                int deep(struct node *n) {\n  int sum = 0;\n  for (; n && sum < 9; n = n->next)\n    sum += step(1, n->v);\n  return sum;\n}\n";
    bench.write("src/c.c", text);
    let folder = bench.path("src").to_string_lossy().into_owned();
    let entries = json!([{ "directory": folder, "file": "c.c", "arguments": ["cc", "-c", "c.c"] }]);
    bench.write("build/compile_commands.json", &entries.to_string());
    bench.nub(&["cover", "--project", "build", "--no-native", "-o", "out"]).expect(0);
    assert!(bench.read("out/coverage.xml").contains("<class name=\"c.c\""));
    assert!(bench.read("out/index.html").contains("step"));
    let flags = "CFLAGS=-w -O0 -fprofile-instr-generate -fcoverage-mapping";
    let tool = |program: &str, args: &[&str]| tool(&bench.path("out"), program, args);
    if tool("clang-19", &["--version"]).is_none() || tool("llvm-cov-19", &["--version"]).is_none() {
        return;
    }
    tool("make", &["-s", "check", "CC=clang-19", flags]).unwrap();
    let names = common::names(&bench.path("out"));
    let raw: Vec<&str> = names.iter().map(String::as_str).filter(|name| name.ends_with(".profraw")).collect();
    tool("llvm-profdata-19", &[&["merge", "-o", "seen.profdata"], &raw[..]].concat()).unwrap();
    let programs = ["bin/c__step", "-object=bin/c__pick", "-object=bin/c__deep"];
    let export = [&["export", "-format=lcov", "-instr-profile=seen.profdata"], &programs[..]].concat();
    let seen = tool("llvm-cov-19", &export).unwrap();
    let theirs = read_lcov(&seen, "c.c");
    let ours = read_lcov(&bench.read("out/coverage.info"), "c.c");
    assert_eq!(ours.branches, theirs.branches);
    for (line, times) in &ours.lines {
        assert_eq!(theirs.lines.get(line), Some(times), "line {line}: clang has {theirs:?}");
    }
    let executed = |record: &LcovRecord| record.lines.values().filter(|times| **times > 0).count();
    assert!(executed(&ours) >= 14 && executed(&ours) <= executed(&theirs), "{ours:?} {theirs:?}");
}

/// The first process that this one has started to cover functions.
fn worker_of(parent: u32) -> Option<u32> {
    let pids = std::fs::read_dir("/proc").ok()?.flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.into_iter().find(|pid| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let words = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        // `pid (name) state parent ...`
        let owner = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)?.parse::<u32>().ok());
        owner == Some(parent) && words.contains("\0cover\0unit\0")
    })
}

/// If a process dies, only its current function is lost. The first function needs the factors of a product of two large primes, so that its
/// process is still running.
#[test]
fn a_function_that_crashes_does_not_end_the_run() {
    let bench = project();
    let hard = "int hard(unsigned a, unsigned b) {\n  if (a > 1 && b > 1 && (unsigned long)a * b == 18446743979220271189UL) return 1;\n  return 0;\n}\n\
                int easy(int a) { if (a > 1) return 1; return 0; }\n";
    bench.write("src/b.c", hard);
    let arguments = ["cover", "--project", "build", "--only", "b.c", "--no-native", "--json", "-j", "1"];
    let mut command = bench.command(&[&arguments[..], &["--function-time", "600"]].concat());
    let child =
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let worker = loop {
        match worker_of(child.id()) {
            Some(pid) => break pid,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let killed = std::process::Command::new("kill").args(["-9", &worker.to_string()]).status().unwrap();
    assert!(killed.success());
    let run = common::Run::of(child.wait_with_output().unwrap()).expect(0);
    let report = report(&run.stdout);
    let expected = [("hard", "crashed"), ("easy", "answered")];
    assert_eq!(states(&report), expected.map(|(name, state)| (name.to_owned(), state.to_owned())));
    assert!(report["functions"][0]["why"].as_str().unwrap().contains("SIGKILL"), "{report}");
}

/// A project of these files, each with additional options of its command.
fn files(all: &[(&str, &str, &str)]) -> Bench {
    let bench = Bench::new();
    let folder = bench.path("").to_string_lossy().into_owned();
    let entry = |(name, option, text): &(&str, &str, &str)| {
        bench.write(name, text);
        json!({ "directory": folder, "file": name, "command": format!("cc {option} -c {name}") })
    };
    let entries: Vec<Value> = all.iter().map(entry).collect();
    bench.write("compile_commands.json", &Value::from(entries).to_string());
    bench
}

/// For each function: the number of goals, covered, infeasible, and infeasible under an assumption.
fn counts(bench: &Bench) -> BTreeMap<String, [u64; 4]> {
    let arguments = ["cover", "--project", ".", "-c", "decision", "--no-native", "--json"];
    let report = report(&bench.nub(&arguments).expect(0).stdout);
    let functions = report["functions"].as_array().unwrap().iter().map(|found| {
        let counts = ["goals", "covered", "infeasible", "infeasible_if"];
        let name = format!("{}:{}", found["file"].as_str().unwrap(), found["function"].as_str().unwrap());
        (name, counts.map(|key| found["counts"][key].as_u64().unwrap()))
    });
    functions.collect()
}

/// Compiler options determine the sign of `char` and the widths of types.
#[test]
fn options_of_the_compiler_decide_what_is_infeasible() {
    let text = "int neg(char c) { if (c < 0) return 1; return 0; }\n\
                int wide(long x) { if (x > 2147483647LL) return 1; return 0; }\n\
                int wrap(int x) { if (x > 0 && x + 1 < 0) return 1; return 0; }\n";
    let bench = files(&[("a.c", "-funsigned-char", text), ("b.c", "-m32", text), ("c.c", "-fwrapv", text)]);
    let found = counts(&bench);
    let (both, one) = ([2, 2, 0, 0], [2, 1, 1, 0]);
    let expected = [
        ("a.c:neg", one),
        ("a.c:wide", both),
        ("a.c:wrap", one),
        ("b.c:neg", both),
        ("b.c:wide", one),
        ("b.c:wrap", one),
        ("c.c:neg", both),
        ("c.c:wide", both),
        ("c.c:wrap", both),
    ];
    assert_eq!(found, expected.map(|(name, counts)| (name.to_owned(), counts)).into());
}

/// Goals that only runs with undefined behaviour reach, under an assumption, are not counted as proved.
#[test]
fn claims_under_an_assumption_are_not_counted_as_proved() {
    let text = "int *p; int f(int a) { if (a > 3) { *p = 1; if (a > 5) return 2; return 1; } return 0; }\n";
    let found = counts(&files(&[("a.c", "", text)]));
    assert_eq!(found["a.c:f"], [4, 1, 0, 3]);
}

/// If no goal is decided there is no minimum; otherwise the minimum is for the decided goals.
#[test]
fn the_minimum_is_that_of_decided_goals() {
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path("build")).unwrap();
    bench.write(
        "c.c",
        "int all(int a) { if (a > 3) return 1; return 0; }\n\
         int some(int a) { if (a > 3) { __asm__(\"nop\"); if (a > 4) return 1; } return 0; }\n\
         int none(int a) { __asm__(\"nop\"); if (a > 3) return 1; return 0; }\n",
    );
    let folder = bench.path("").to_string_lossy().into_owned();
    let entries = json!([{ "directory": folder, "file": "c.c", "arguments": ["cc", "-c", "c.c"] }]);
    bench.write("build/compile_commands.json", &entries.to_string());
    let run = bench.nub(&["cover", "--project", "build", "--no-native", "-o", "out"]).expect(0);
    let last = |name: &str| {
        let line = run.stdout.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        words[words.len() - 2].to_owned()
    };
    assert_eq!([last("all "), last("some "), last("none ")], ["yes", "decided", "-"], "{}", run.stdout);
    assert!(
        run.stdout.contains("1 function with the minimum number of tests (proved), 1 more for the goals"),
        "{}",
        run.stdout
    );
    let answered = "3 of 3 functions with decisions answered, 1 of them with all goals open: ";
    assert!(run.stdout.contains(answered), "{}", run.stdout);
    let page = bench.read("out/index.html");
    assert!(page.contains(answered), "{page}");
    assert!(page.contains("<td>decided</td>") && page.contains("<td>-</td>"), "{page}");
    let report: Value = serde_json::from_str(&bench.read("out/report.json")).unwrap();
    assert_eq!((&report["total"]["minimal"], &report["total"]["minimal_of_decided"]), (&json!(1), &json!(1)));
}

/// The words after `--` are a project of the files that they compile.
#[test]
fn a_compile_command_says_how_its_files_are_read() {
    let bench = project();
    let command = ["--", "cc", "-O2", "-Isrc/include", "-DMAXIMUM=7", "-o", "a.o", "-c", "src/a.c"];
    let with = |options: &[&'static str], command: &[&'static str]| {
        let words: Vec<&str> =
            ["cover", "--no-native"].iter().chain(options).chain(command).copied().collect();
        bench.nub(&words)
    };
    let run = with(&["-j", "1"], &command).expect(0);
    assert!(run.stdout.contains("2 of 2 functions with decisions answered"), "{}", run.stdout);
    let one = with(&["-f", "clamp", "--json"], &command).expect(0);
    assert_eq!(states(&report(&one.stdout)), [("clamp".to_owned(), "answered".to_owned())]);
    let none = with(&[], &["--", "cc", "-o", "a.c"]).expect(2);
    assert!(none.stderr.contains("names no C file"), "{}", none.stderr);
    with(&["src/b.c"], &command).expect(2);
    with(&["--project", "build"], &command).expect(2);
    with(&[], &["--", "cc", "-c", "src/gone.c"]).expect(2);
}

/// A compiler for another machine is asked for its data model, because results may differ there.
#[test]
fn the_machine_of_the_compiler_is_that_of_the_claims() {
    let bench = Bench::new();
    bench.write(
        "wide.c",
        "int wide(unsigned long x, char c) { if (x > 0xffffffff) return 1; return c < 0 ? 2 : 3; }\n",
    );
    // Some compiler of a big-endian machine with `long` of 32 bits, where `char` has no sign.
    let macros = "CHAR_BIT__ 8;SIZEOF_SHORT__ 2;SIZEOF_INT__ 4;SIZEOF_LONG__ 4;SIZEOF_LONG_LONG__ 8;SIZEOF_POINTER__ 4;CHAR_UNSIGNED__ 1;\
                  BIGGEST_ALIGNMENT__ 8;LDBL_MANT_DIG__ 53;BYTE_ORDER__ __ORDER_BIG_ENDIAN__";
    let printed: String = macros.split(';').map(|line| format!("#define __{line}\n")).collect();
    bench.write(
        "odd-gcc",
        &format!("#!/bin/sh\ncase \"$*\" in *-dM*) cat <<'END'\n{printed}END\n;; *) exec cc \"$@\";; esac\n"),
    );
    std::process::Command::new("chmod").args(["+x", "odd-gcc"]).current_dir(bench.path("")).status().unwrap();
    let goals = |words: &[&str]| {
        let run = bench.nub(words).expect(0);
        let counts = &report(&run.stdout)["functions"][0]["counts"];
        (counts["covered"].as_u64().unwrap(), counts["infeasible"].as_u64().unwrap())
    };
    assert_eq!(goals(&["cover", "--json", "--", "cc", "-c", "wide.c"]), (10, 0));
    assert_eq!(goals(&["cover", "--json", "--", "cc", "-m32", "-c", "wide.c"]), (7, 3));
    assert_eq!(goals(&["cover", "--json", "--", "./odd-gcc", "-c", "wide.c"]), (4, 6));
    let run = bench.nub(&["cover", "wide.c", "--cc", "./odd-gcc"]).expect(0);
    assert!(
        run.stdout.contains("not compiled: the data model of this machine is lp64, not that of the program"),
        "{}",
        run.stdout
    );
    // An explicit option wins.
    let asked = ["cover", "--json", "--data-model", "lp64", "--", "./odd-gcc", "-c", "wide.c"];
    assert_eq!(goals(&asked), (10, 0));
    bench.write("mute-gcc", "#!/bin/sh\ncase \"$*\" in *-dM*) exit 1;; *) exec cc \"$@\";; esac\n");
    std::process::Command::new("chmod")
        .args(["+x", "mute-gcc"])
        .current_dir(bench.path(""))
        .status()
        .unwrap();
    let run = bench.nub(&["cover", "--", "./mute-gcc", "-c", "wide.c"]).expect(0);
    assert!(run.stderr.contains("does not report its target machine"), "{}", run.stderr);
}
