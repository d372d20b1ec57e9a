//! `nub ddsmt` compared with ddSMT 2.0.6, option by option.
//!
//! Every test checks an expected result of nub. With `NUB_E2E` set and `ddsmt` on PATH the same command lines are given
//! to ddSMT, and exit status, standard output and result are compared: [`Pair`].

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

#[path = "../common/mod.rs"]
mod common;

mod cases;

use cases::{Case, MUTATORS, Than};
use common::{Bench, Run};
use std::fs;
use std::process::Command;

const SCRIPT: &str = "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (= x #x01))\n(assert (= x #x02))\n(check-sat)\n";
/// Fails on scripts with a check-sat, whatever else they contain.
const CHECK_SAT: &str = "#!/bin/sh\ngrep -q check-sat \"$1\" && exit 1\nexit 0\n";

/// True if ddSMT is run too.
#[track_caller]
fn is_live() -> bool {
    nub_test_kit::end_to_end_tool("ddsmt").is_some()
}

/// nub in one folder and, if installed, ddSMT in another with the same files.
struct Pair {
    ours: Bench,
    theirs: Option<Bench>,
}

impl Pair {
    fn new(input: &str, oracle: &str) -> Pair {
        let bench = || {
            let bench = Bench::new();
            bench.write("in.smt2", input);
            bench.program("oracle", oracle);
            bench
        };
        Pair { ours: bench(), theirs: is_live().then(bench) }
    }

    /// Runs both with the same arguments; the exit status of both is `code`, and standard output the same.
    #[track_caller]
    fn run(&self, args: &[&str], code: i32) -> Run {
        let run = self.ours.nub(&[&["ddsmt"], args].concat()).expect(code);
        if let Some(theirs) = self.their_run(args) {
            assert_eq!(theirs.code, Some(code), "{args:?}: ddSMT says {theirs:#?}");
            // ddSMT also prints `None`, which its printer returns, and its errors; ours go to standard error.
            let stdout = theirs.stdout.strip_suffix("None\n").unwrap_or(&theirs.stdout);
            assert!(stdout == run.stdout || code == 1, "{args:?}: {stdout:?} and {:?}", run.stdout);
        }
        run
    }

    fn their_run(&self, args: &[&str]) -> Option<Run> {
        let theirs = self.theirs.as_ref()?;
        Some(Run::of(Command::new("ddsmt").args(args).current_dir(theirs.path("")).output().unwrap()))
    }

    /// Our result, compared with that of ddSMT.
    #[track_caller]
    fn result(&self, name: &str, than: Than) -> Option<String> {
        let ours = fs::read_to_string(self.ours.path(name)).ok();
        if let Some(bench) = &self.theirs {
            let theirs = fs::read_to_string(bench.path(name)).ok();
            match than {
                Than::Same => assert_eq!(ours, theirs),
                Than::AtMost => {
                    let n_bytes = |text: &Option<String>| text.as_ref().map_or(usize::MAX, String::len);
                    assert!(n_bytes(&ours) <= n_bytes(&theirs), "{ours:?} and {theirs:?}");
                }
            }
        }
        ours
    }
}

fn check(case: &Case) {
    let pair = Pair::new(case.input, CHECK_SAT);
    let options: Vec<&str> = case.options.split_whitespace().collect();
    let args = [&["--disable-all"], &options[..], &["in.smt2", "out.smt2", "./oracle"]].concat();
    let run = pair.run(&args, 0);
    assert_eq!(run.stdout, "");
    assert_eq!(pair.result("out.smt2", case.than).as_deref(), case.output, "{}", case.options);
    assert_eq!(run.stderr.contains("unable to minimize"), case.output.is_none(), "{}", run.stderr);
}

#[test]
fn mutators_one_by_one() {
    MUTATORS.iter().for_each(check);
}

#[test]
fn a_mutator_that_is_off_is_not_tried() {
    let text = "(declare-const x Bool)\n(assert (not (not x)))\n(check-sat)\n";
    let pair = Pair::new(text, "#!/bin/sh\ngrep -q 'assert (' \"$1\" && exit 1\nexit 0\n");
    let rest = ["in.smt2", "out.smt2", "./oracle"];
    pair.run(&[&["--disable-all", "--boolean", "--no-bool-double-negations"], &rest[..]].concat(), 0);
    assert_eq!(pair.result("out.smt2", Than::Same), None);
    pair.run(
        &[&["--disable-all", "--boolean", "--no-boolean", "--bool-double-negations"], &rest[..]].concat(),
        0,
    );
    assert_eq!(pair.result("out.smt2", Than::Same), None);
}

#[test]
fn mutators_that_never_shrink_are_refused_by_name() {
    let pair = Pair::new(SCRIPT, CHECK_SAT);
    for name in [
        "sort-children",
        "arith-split-nary-relations",
        "bv-merge-reduced-bw",
        "bv-to-bool",
        "bool-xor-binary",
        "str-contains-to-concat",
    ] {
        let option = format!("--{name}");
        let run = pair.ours.nub(&["ddsmt", &option, "in.smt2", "out.smt2", "./oracle"]).expect(2);
        assert!(run.stderr.contains(&format!("error: {option} is not supported: ")), "{}", run.stderr);
        assert!(run.stderr.contains("hint: "), "{}", run.stderr);
        // They are on by default, so they can be switched off.
        let option = format!("--no-{name}");
        pair.ours.nub(&["ddsmt", "-q", &option, "in.smt2", "out.smt2", "./oracle"]).expect(0);
    }
}

#[test]
fn ill_formed_candidates_are_asked() {
    let pair = Pair::new(SCRIPT, "#!/bin/sh\ngrep -q assert \"$1\" && exit 1\nexit 0\n");
    for strategy in ["hybrid", "ddmin", "hierarchical"] {
        pair.run(&["--strategy", strategy, "in.smt2", "out.smt2", "./oracle"], 0);
        assert_eq!(pair.result("out.smt2", Than::AtMost).as_deref(), Some("(assert)\n"), "{strategy}");
    }
}

#[test]
fn strategies_differ() {
    let bench = Bench::new();
    let asked = |strategy: &str| {
        bench.program(
            "logging",
            "#!/bin/sh\ncat \"$1\" >> log; echo -- >> log\ngrep -q bvudiv \"$1\" && exit 1\nexit 0\n",
        );
        let _ = fs::remove_file(bench.path("log"));
        bench.nub(&["ddsmt", "-q", "--strategy", strategy, "bug.smt2", "out.smt2", "./logging"]).expect(0);
        bench.read("log")
    };
    let logs = ["hybrid", "ddmin", "hierarchical"].map(asked);
    assert!(logs[0] != logs[1] && logs[1] != logs[2] && logs[0] != logs[2]);
}

#[test]
fn parser_test_parses_and_prints() {
    let text =
        "(set-logic   QF_BV)(declare-const x (_ BitVec 8))\n(assert (and (= x #x01)\n   (not (= x #x02))))";
    let pair = Pair::new(text, CHECK_SAT);
    // No command is needed, and nothing is written.
    let run = pair.run(&["--parser-test", "in.smt2", "out.smt2"], 0);
    let lines =
        "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (and (= x #x01) (not (= x #x02))))\n";
    assert_eq!(run.stdout, lines);
    let run = pair.run(&["--parser-test", "--pretty-print", "in.smt2", "out.smt2"], 0);
    assert!(
        run.stdout.ends_with("(assert\n  (and\n    (= x #x01)\n    (not\n      (= x #x02)\n    )\n  )\n)\n"),
        "{}",
        run.stdout
    );
    assert_eq!(pair.result("out.smt2", Than::Same), None);
    pair.run(&["--parser-test", "none.smt2", "out.smt2"], 1);
    // ddSMT stops at the surplus bracket with a traceback.
    let pair = Pair::new("(check-sat))\n", CHECK_SAT);
    let run = pair.run(&["--parser-test", "in.smt2", "out.smt2"], 1);
    assert!(run.stderr.contains("`)` without a matching `(`"), "{}", run.stderr);
    // It drops an unfinished command in silence; here that is an error.
    let pair = Pair { ours: Pair::new("(check-sat", CHECK_SAT).ours, theirs: None };
    let run = pair.run(&["--parser-test", "in.smt2", "out.smt2"], 1);
    assert!(run.stderr.contains("never closed") && run.stdout.is_empty(), "{run:?}");
}

#[test]
fn layouts_of_the_result() {
    let text =
        "(set-logic ALL)\n(assert (and (not true) (or false (and true false)) (= 1 2)))\n(check-sat)\n";
    let oracle = "#!/bin/sh\ntr -d '\\n' < \"$1\" | grep -q 'or *false' && exit 1\nexit 0\n";
    let options = ["--disable-all", "--bool-double-negations", "--simplify-logic"];
    let rest = ["in.smt2", "out.smt2", "./oracle"];
    let pair = Pair::new(&text.replace("ALL", "QF_UFLIA"), oracle);
    for (layout, than) in
        [(&[][..], Than::Same), (&["--pretty-print"], Than::Same), (&["--wrap-lines"], Than::Same)]
    {
        pair.run(&[&options[..], layout, &rest].concat(), 0);
        let result = pair.result("out.smt2", than).unwrap();
        assert_eq!(result.contains("\n  (and\n    (not true)\n"), layout == ["--pretty-print"], "{result}");
    }
    let long = format!(
        "(set-logic QF_UFLIA)\n(assert (and {}))\n(check-sat)\n",
        "(or true false) ".repeat(12).trim()
    );
    let pair = Pair::new(&long, CHECK_SAT);
    pair.run(&[&options[..], &["--wrap-lines"], &rest].concat(), 0);
    let result = pair.result("out.smt2", Than::Same).unwrap();
    assert!(result.lines().count() > 4 && result.lines().all(|line| line.len() <= 78), "{result}");
}

#[test]
fn unchecked_accepts_everything() {
    let pair = Pair::new(SCRIPT, "#!/bin/sh\nexit 9\n");
    pair.run(&["--unchecked", "in.smt2", "out.smt2", "./oracle"], 0);
    assert_eq!(pair.result("out.smt2", Than::Same).as_deref(), Some(""));
    let pair = Pair::new("(declare-const x Bool)\n(assert (not (not x)))\n", "#!/bin/sh\nexit 9\n");
    let only = ["--unchecked", "--disable-all", "--bool-double-negations", "in.smt2", "out.smt2", "./oracle"];
    pair.run(&only, 0);
    let expected = "(declare-const x Bool)\n(assert x)\n";
    assert_eq!(pair.result("out.smt2", Than::Same).as_deref(), Some(expected));
}

#[test]
fn in_place() {
    let pair = Pair::new(SCRIPT, CHECK_SAT);
    pair.run(&["in.smt2", "in.smt2", "./oracle"], 0);
    assert_eq!(pair.result("in.smt2", Than::AtMost).as_deref(), Some("(check-sat)\n"));
}

#[test]
fn exit_codes() {
    let pair = Pair::new(SCRIPT, CHECK_SAT);
    let rest = ["in.smt2", "out.smt2", "./oracle"];
    pair.run(&["--no-such-option", "in.smt2", "out.smt2", "./oracle"], 2);
    pair.run(&["--strategy", "none", "in.smt2", "out.smt2", "./oracle"], 2);
    pair.run(&["--jobs", "x", "in.smt2", "out.smt2", "./oracle"], 2);
    pair.run(&["in.smt2"], 2);
    pair.run(&["in.smt2", "out.smt2"], 1);
    pair.run(&["none.smt2", "out.smt2", "./oracle"], 1);
    pair.run(&["in.smt2", "out.smt2", "./none"], 1);
    pair.run(&["in.smt2", "none/out.smt2", "./oracle"], 1);
    pair.run(&[&["--match-err", "never said"], &rest[..]].concat(), 1);
    pair.run(&[&["--match-out", "never said"], &rest[..]].concat(), 1);
    let pair = Pair::new(SCRIPT, "#!/bin/sh\ncksum < \"$1\"\n");
    let run = pair.run(&[&["--disable-all", "--bool-double-negations"], &rest[..]].concat(), 0);
    assert!(run.stderr.contains("unable to minimize input file"), "{}", run.stderr);
}

#[test]
fn the_checker_behaves_as_in_ddsmt() {
    let oracle = "#!/bin/sh\necho out; echo err >&2\ngrep -q assert \"$1\" || { echo other; echo other >&2; }\nexit 3\n";
    let pair = Pair::new(SCRIPT, oracle);
    let rest = ["in.smt2", "out.smt2", "./oracle"];
    // An oracle that also fails on the empty file is refused by nub; ddSMT reduces to nothing.
    for option in ["--ignore-out", "--ignore-err"] {
        pair.run(&[&[option], &rest[..]].concat(), 0);
        assert!(pair.result("out.smt2", Than::AtMost).unwrap().contains("assert"), "{option}");
    }
    let second = "#!/bin/sh\ngrep -q check-sat \"$1\" && exit 5\nexit 6\n";
    pair.ours.program("second", second);
    pair.theirs.iter().for_each(|bench| bench.program("second", second));
    pair.run(&[&["-c", "./second"], &rest[..]].concat(), 0);
    let result = pair.result("out.smt2", Than::AtMost).unwrap();
    assert!(result.contains("assert") && result.contains("check-sat"), "{result}");
}

#[test]
fn where_nub_is_better() {
    // The oracle also accepts the empty file: ddSMT leaves an empty file, nub refuses.
    let bench = Bench::new();
    bench.program("always", "#!/bin/sh\nexit 3\n");
    let run = bench.nub(&["ddsmt", "bug.smt2", "out.smt2", "./always"]).expect(1);
    assert!(run.stderr.contains("an empty file fails in the same way"), "{}", run.stderr);
    assert!(!bench.path("out.smt2").exists());
    // The output holds the candidate's path: masked.
    bench.program("path", "#!/bin/sh\ngrep -q bvudiv \"$1\" || exit 0\necho \"error in $1\"\nexit 3\n");
    bench.nub(&["ddsmt", "-q", "bug.smt2", "out.smt2", "./path"]).expect(0);
    assert!(bench.read("out.smt2").len() < 40);
    // Hints that name options of `nub reduce` say so.
    bench.program("number", "#!/bin/sh\necho $$\nexit 3\n");
    let run = bench.nub(&["ddsmt", "bug.smt2", "out2.smt2", "./number"]).expect(1);
    assert!(
        !run.stderr.contains("--flaky") || run.stderr.contains("`nub reduce` has options for this"),
        "{}",
        run.stderr
    );
}

#[test]
fn interrupted() {
    let bench = Bench::new();
    bench.program("slow", "#!/bin/sh\n: > started\nsleep 0.3\ngrep -q bvudiv \"$1\" && exit 1\nexit 0\n");
    let child = bench.command(&["ddsmt", "-q", "bug.smt2", "out.smt2", "./slow"]).spawn().unwrap();
    while !bench.path("started").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let run = Run::of(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.signal), (Some(1), None));
}

#[test]
fn debugging_options() {
    let pair = Pair::new(SCRIPT, CHECK_SAT);
    let rest = ["in.smt2", "out.smt2", "./oracle"];
    let run = pair.run(&[&["--check-loops"], &rest[..]].concat(), 0);
    assert!(run.stderr.contains("none can occur twice"), "{}", run.stderr);
    for option in ["--profile", "--dump-diffs"] {
        let run = pair.ours.nub(&[&["ddsmt", option], &rest[..]].concat()).expect(2);
        assert!(
            run.stderr.contains(&format!("{option} is not supported")) && run.stderr.contains("hint: "),
            "{run:?}"
        );
    }
}

#[test]
fn help_version_and_config() {
    let pair = Pair::new(SCRIPT, CHECK_SAT);
    let version = pair.ours.nub(&["ddsmt", "--version"]).expect(0).stdout;
    assert_eq!(version.split_whitespace().next(), Some("2.0.6"));
    let help = pair.ours.nub(&["ddsmt", "--help-all"]).expect(0).stdout;
    let short = pair.ours.nub(&["ddsmt", "--help"]).expect(0).stdout;
    assert!(help.contains("--bv-zeroextend-pred") && !short.contains("--bv-zeroextend-pred"), "{short}");
    let args = ["--no-bv", "--dump-config", "--parser-test", "in.smt2", "out.smt2"];
    let config = pair.ours.nub(&[&["ddsmt"], &args[..]].concat()).expect(0).stdout;
    assert!(config.starts_with("{'check_loops': False,\n 'cmd': [],\n"), "{config}");
    assert!(
        config.contains(" 'mutator_bv_to_bool': False,\n") && config.contains(" 'mutators_bv': False,\n"),
        "{config}"
    );
    if let Some(theirs) = pair.their_run(&args) {
        let keys = |text: &str| -> Vec<String> {
            let options = text.lines().take_while(|line| line.starts_with(['{', ' ']));
            options.filter_map(|line| Some(line.split('\'').nth(1)?.to_owned())).collect()
        };
        assert_eq!(keys(&config), keys(&theirs.stdout));
        let mutators = |text: &str| -> Vec<String> {
            text.lines().filter(|line| line.contains("'mutator")).map(str::to_owned).collect()
        };
        assert_eq!(mutators(&config), mutators(&theirs.stdout));
        let all = pair.their_run(&["--help-all"]).unwrap().stdout;
        let names = all.split_whitespace().filter_map(|word| word.strip_prefix("--[no-]"));
        let missing: Vec<&str> = names.filter(|name| !help.contains(&format!("--{name}"))).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

#[test]
fn live_or_not() {
    // Prints in the log of the end-to-end suite whether ddSMT was run.
    println!(
        "ddsmt: {} mutator cases, {}",
        MUTATORS.len(),
        if is_live() { "compared with ddSMT" } else { "not compared" }
    );
}
