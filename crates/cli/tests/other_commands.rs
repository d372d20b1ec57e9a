//! The commands besides `reduce`: drop-in for ddSMT, doctor, demo, completions, man; and the whole help.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;
use std::path::Path;

#[test]
fn drop_in_for_ddsmt() {
    let bench = Bench::new();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_nub"), bench.path("ddsmt")).unwrap();
    let output = std::process::Command::new(bench.path("ddsmt"))
        .args(["-q", "-j", "2", "--strategy", "ddmin", "--no-bv", "--constants", "--ignore-output"])
        .args(["bug.smt2", "out.smt2", "./solver"])
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    let run = common::Run::of(output).expect(0);
    assert_eq!(run.stdout, "");
    let text = bench.read("out.smt2");
    assert!(text.contains("bvudiv") && !text.starts_with(';') && text.len() < 400, "{text}");
}

#[test]
fn drop_in_as_a_command() {
    let bench = Bench::new();
    bench.program("solver", "#!/bin/sh\n[ \"$1\" = --flag ] && grep -q bvudiv \"$2\" && exit 1\nexit 0\n");
    bench.nub(&["ddsmt", "bug.smt2", "out.smt2", "./solver", "--flag"]).expect(0);
    assert!(bench.read("out.smt2").contains("bvudiv"));
}

#[test]
fn doctor() {
    let bench = Bench::new();
    let run = bench.nub(&["doctor", "bug.smt2", "--", "./solver"]).expect(0);
    assert!(run.stdout.starts_with("command: ./solver bug.smt2\nfine: fails every time"), "{}", run.stdout);
    bench.program("here.sh", "#!/bin/sh\n[ -e solver ] && grep -q bvudiv \"$1\"\n");
    let run = bench.nub(&["doctor", "bug.smt2", "--test", "./here.sh"]).expect(3);
    assert!(run.stdout.contains("depends on the folder") && run.stdout.contains("hint: "), "{}", run.stdout);
    bench.nub(&["doctor", "bug.smt2", "--", "./none"]).expect(2);
    bench.nub(&["doctor", "--", "./solver"]).expect(2);
    bench.nub(&["doctor"]).expect(0);
}

#[test]
fn demo() {
    let bench = Bench::new();
    let run = bench.nub(&["demo"]).expect(0);
    assert!(run.stdout.lines().take(12).any(|line| line.contains("bvurem")), "{run:#?}");
    assert!(run.stdout.contains("Violated: a longer stay does not cost less"), "{run:#?}");
    assert!(run.stdout.contains("is the minimum (proved)"), "{run:#?}");
    assert!(bench.path("nub-demo/index.html").exists());
    let groups = common::names(&bench.path("nub-demo/groups"));
    assert_eq!(groups.len(), 1, "{groups:?}");
    let small = format!("nub-demo/groups/{}/reduced.smt2", groups[0]);
    assert!(bench.read(&small).len() < 150, "{}", bench.read(&small));
    let right = bench.nub(&["solve", &small]);
    let wrong = bench.nub(&["solve", "--planted-defect", &small]);
    assert_ne!(right.code, wrong.code, "the small file shows the defect");
}

#[test]
fn completions_and_man() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(bench.nub(&["completions", shell]).expect(0).stdout.contains("cross-check"));
    }
    assert!(bench.nub(&["man"]).expect(0).stdout.starts_with(".ie"));
    assert!(bench.nub(&["man", "reduce"]).expect(0).stdout.contains("nub\\-reduce"));
    bench.nub(&["man", "none"]).expect(2);
}

/// `script` runs a command on a terminal.
#[test]
fn a_dumb_terminal_gets_no_control_characters() {
    let Some(script) = nub_test_kit::find_tool("script") else { return nub_test_kit::missing_tool("script") };
    let bench = Bench::new();
    let printed = |term: &str| {
        let nub = env!("CARGO_BIN_EXE_nub");
        let mut command = std::process::Command::new(&script);
        command.args(["-q", "-e", "-c", &format!("{nub} reduce bug.smt2 -- ./solver"), "/dev/null"]);
        let output = command.current_dir(bench.path(".")).env("TERM", term).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
    };
    assert!(printed("xterm").contains("\r"), "there is a live line");
    let dumb = printed("dumb");
    assert!(!dumb.contains(['\r', '\x1b']) && dumb.contains(" runs "), "{dumb:?}");
}

#[test]
fn broken_pipes_end_quietly() {
    let bench = Bench::new();
    for args in ["--help", "man", "completions bash", "doctor"] {
        let shell = format!("{} {args} | :", env!("CARGO_BIN_EXE_nub"));
        let output = std::process::Command::new("sh").args(["-c", &shell]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args}");
    }
    drop(bench);
}

/// The whole help, reviewed as a diff. `UPDATE_EXPECT=1` rewrites it.
#[test]
fn the_whole_help() {
    let bench = Bench::new();
    let commands = [
        "",
        "reduce",
        "generate",
        "fuzz",
        "rules",
        "convert",
        "solve",
        "cover",
        "explain",
        "doctor",
        "config",
        "demo",
        "workbench",
        "worker",
        "hub",
        "status",
        "schema",
        "completions",
        "man",
    ];
    let mut help = String::new();
    for command in commands {
        let args: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let mut nub = bench.command(&args);
        let run = common::Run::of(nub.env("COLUMNS", "100").output().unwrap()).expect(0);
        help.push_str(&format!("$ nub {}\n\n{}\n", args.join(" "), run.stdout));
    }
    help.push_str(&format!("$ ddsmt --help\n\n{}", bench.nub(&["ddsmt", "--help"]).expect(0).stdout));
    nub_test_kit::assert_golden(Path::new("tests/help.txt"), help);
}
