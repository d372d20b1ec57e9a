//! Bad input: the exit code, a message with a hint, and nothing changed on disk.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::{Bench, Run};

/// Runs nub and checks the exit code, a part of the message, and that the folder is unchanged.
#[track_caller]
fn check(bench: &Bench, args: &[&str], code: i32, message: &str) -> Run {
    let before = bench.names();
    let run = bench.nub(args).expect(code);
    assert!(run.stderr.contains(message), "{}", run.stderr);
    assert_eq!(run.stdout, "");
    assert_eq!(bench.names(), before);
    run
}

#[test]
fn wrong_use() {
    let bench = Bench::new();
    check(&bench, &["reduce"], 2, "required");
    check(&bench, &["reduce", "bug.smt2", "./solver"], 2, "hint: the command comes after `--`");
    check(&bench, &["reduce", "bug.smt2"], 2, "hint: put it after `--`");
    check(&bench, &["reduce", "bug.smt2", "--timeout", "0", "--", "./solver"], 2, "above 0");
    check(
        &bench,
        &["reduce", "bug.smt2", "--match-err", "/(/", "--", "./solver"],
        2,
        "not a regular expression",
    );
    check(&bench, &["reduce", "bug.smt2", "--cross-check", "'x", "--", "./solver"], 2, "not closed");
    check(&bench, &["reduce", "bug.smt2", "-o", "./bug.smt2", "--", "./solver"], 2, "is the input itself");
    check(&bench, &["reduce", "bug.smt2", "--test", "x", "--hang"], 2, "cannot be used with");
}

#[test]
fn bad_input() {
    let bench = Bench::new();
    check(&bench, &["reduce", "none.smt2", "--", "./solver"], 2, "cannot read none.smt2");
    check(&bench, &["reduce", ".", "--", "./solver"], 2, "cannot read .");
    bench.write("empty.smt2", "");
    check(&bench, &["reduce", "empty.smt2", "--", "./solver"], 2, "nothing to reduce");
    bench.write("open.smt2", "(check-sat)\n  (assert (= \x1b[31m x y)\n(exit)\n");
    let run = check(&bench, &["reduce", "open.smt2", "--", "./solver"], 2, "--> open.smt2:2:3\n");
    assert!(run.stderr.contains("2 |   (assert (= \\u{1b}[31m x y)\n  |   ^\nhint: "), "{}", run.stderr);
    assert!(run.stderr.contains("add --any"));
    bench.write("close.smt2", "(check-sat))\n");
    check(&bench, &["reduce", "close.smt2", "--", "./solver"], 2, "--> close.smt2:1:12\n");
}

#[test]
fn bad_command() {
    let bench = Bench::new();
    check(&bench, &["reduce", "bug.smt2", "--", "no-such-solver"], 2, "cannot find the program");
    check(&bench, &["reduce", "bug.smt2", "--", "./bug.smt2"], 2, "not an executable file");
    check(&bench, &["reduce", "bug.smt2", "--test", "./none.sh"], 2, "cannot find the program");
    check(&bench, &["reduce", "bug.smt2", "--cross-check", "./none", "--", "./solver"], 2, "cannot find");
    bench.program("stray.sh", "#!/no/such/interpreter\n");
    check(&bench, &["reduce", "bug.smt2", "--", "./stray.sh"], 4, "the interpreter");
    check(&bench, &["reduce", "bug.smt2", "--test", "./stray.sh"], 4, "the interpreter");
}

#[test]
fn refused() {
    let bench = Bench::new();
    bench.program("sleepy", "#!/bin/sh\nexec sleep 9\n");
    check(&bench, &["reduce", "bug.smt2", "--", "true"], 3, "an empty file fails in the same way");
    check(&bench, &["reduce", "bug.smt2", "--test", "false"], 3, "does not accept the original");
    check(
        &bench,
        &["reduce", "bug.smt2", "--match-out", "zebra", "--", "./solver"],
        3,
        "does not match `zebra`",
    );
    check(&bench, &["reduce", "bug.smt2", "--hang", "--timeout", "5", "--", "./solver"], 3, "ended within");
    check(&bench, &["reduce", "bug.smt2", "--timeout", "0.2", "--", "./sleepy"], 3, "did not end within");
    check(&bench, &["reduce", "bug.smt2", "--slower-than", "5", "--", "./solver"], 3, "not slow");
    bench.program("flaky", "#!/bin/sh\n[ -e flag ] && { rm flag; exit 1; }\n: > flag; exit 0\n");
    bench.write("flag", "");
    let args = ["reduce", "bug.smt2", "--", "./flaky"];
    let run = bench.nub(&args).expect(3);
    assert!(run.stderr.contains("fails in only"), "{}", run.stderr);
}

#[test]
fn output_not_writable() {
    let bench = Bench::new();
    check(&bench, &["reduce", "bug.smt2", "-o", "none/out.smt2", "--", "./solver"], 4, "hint: ");
    check(&bench, &["reduce", "bug.smt2", "-o", "/dev/null", "--", "./solver"], 4, "not a regular file");
    check(&bench, &["reduce", "bug.smt2", "-o", "/proc/out.smt2", "--", "./solver"], 4, "/proc/out.smt2");
    check(&bench, &["reduce", "bug.smt2", "--run-folder", "none/x", "--", "./solver"], 4, "is not a folder");
    std::fs::create_dir(bench.path("folder")).unwrap();
    check(&bench, &["reduce", "bug.smt2", "-o", "folder", "--", "./solver"], 4, "it is a folder");
}

#[test]
fn run_folder_of_somebody_else() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("mine")).unwrap();
    bench.write("mine/letter.txt", "dear");
    check(
        &bench,
        &["reduce", "bug.smt2", "--run-folder", "mine", "--", "./solver"],
        3,
        "files that nub did not write",
    );
    assert_eq!(bench.read("mine/letter.txt"), "dear");
}

#[test]
fn run_folder_in_use() {
    let bench = Bench::new();
    bench.program("slow", "#!/bin/sh\ngrep -q bvudiv \"$1\" || exit 0\nsleep 0.3\nexit 3\n");
    let mut first = bench.command(&["reduce", "bug.smt2", "-q", "--", "./slow"]).spawn().unwrap();
    let lock = bench.path("bug.reduced.smt2.nub/lock");
    while std::fs::read(&lock).is_ok_and(|text| text.is_empty()) || !lock.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let run = bench.nub(&["reduce", "bug.smt2", "--", "./slow"]).expect(3);
    assert!(run.stderr.contains("in use by another nub (process"), "{}", run.stderr);
    first.kill().unwrap();
    first.wait().unwrap();
}

/// Commands that print their result, with the code if all is well.
const PRINTING: [(&[&str], i32); 12] = [
    (&[], 0),
    (&["--help"], 0),
    (&["help", "cover"], 0),
    (&["config"], 0),
    (&["config", "--json"], 0),
    (&["schema"], 0),
    (&["schema", "cover"], 0),
    (&["man"], 0),
    (&["completions", "bash"], 0),
    (&["generate", "-n", "50"], 0),
    (&["solve", "small.smt2"], 10),
    (&["ddsmt", "--version"], 0),
];

fn printing_bench() -> Bench {
    let bench = Bench::new();
    bench.write("small.smt2", "(set-logic QF_BV)\n(check-sat)\n");
    bench
}

/// Half a result with exit code 0 would be taken for a whole one.
#[test]
fn output_that_cannot_be_written() {
    let bench = printing_bench();
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    for (args, code) in PRINTING {
        let run = Run::of(bench.command(args).stdout(full()).output().unwrap());
        let expected = if args.first() == Some(&"ddsmt") { 1 } else { 4 };
        assert_eq!(run.code, Some(expected), "{args:?} {run:#?}");
        assert!(run.stderr.contains("cannot write to standard output"), "{args:?} {run:#?}");
        let run = Run::of(bench.command(args).stderr(full()).output().unwrap());
        assert_eq!(run.code, Some(code), "{args:?} {run:#?}");
    }
    // If the message cannot be printed, the exit code is still the same.
    for (args, code) in [
        (&["schema", "none"][..], 2),
        (&["cover", "none.c"], 2),
        (&["ddsmt", "bug.smt2", "out.smt2"], 1),
        (&["reduce", "bug.smt2"], 2),
    ] {
        assert_eq!(
            bench.command(args).stderr(full()).output().unwrap().status.code(),
            Some(code),
            "{args:?}"
        );
    }
}

/// nub ends quietly, like any program in a pipe to `head`.
#[test]
fn nobody_reads_the_output() {
    let bench = printing_bench();
    for (args, _) in PRINTING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let run = Run::of(bench.command(args).stdout(writer).output().unwrap());
        assert_eq!(run.signal, Some(13), "{args:?} {run:#?}");
        assert_eq!(run.stderr, "", "{args:?}");
    }
}
