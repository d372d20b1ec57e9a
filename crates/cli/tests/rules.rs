//! `nub rules`, `nub reduce --rules` and `--combine` with any strategies.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

const SCRIPT: &str = "(set-logic QF_BV)\n(declare-const a (_ BitVec 32))\n(declare-const p Bool)\n\
    (assert (not (not (= (bvadd a #x00000000) (bvudiv a #x00000003)))))\n(assert (or true p (= a a)))\n(check-sat)\n";
const RULES: &str = "(rule double-negation ((x Bool)) (not (not x)) x)\n\
    (rule add-zero ((x (_ BitVec n))) (bvadd x (_ bv0 n)) x)\n(rule or-true ((xs Bool :rest)) (or true xs) true)\n";

fn bench(rules: &str) -> Bench {
    let bench = Bench::new();
    bench.write("in.smt2", SCRIPT);
    bench.write("my.rules", rules);
    bench.program("solver", "#!/bin/sh\ngrep -q bvudiv \"$1\" && exit 1\nexit 0\n");
    bench
}

#[track_caller]
fn reduced(bench: &Bench, options: &[&str]) -> String {
    let args = ["reduce", "in.smt2", "--no-header", "-q", "-o", "out.smt2"];
    bench.nub(&[&args[..], options, &["--", "./solver"]].concat()).expect(0);
    bench.read("out.smt2")
}

#[test]
fn only_these_rules() {
    let bench = bench(RULES);
    let expected = "(set-logic QF_BV)\n(declare-const a (_ BitVec 32))\n\
        (assert (= a (bvudiv a #x00000003)))\n(assert true)\n(check-sat)\n";
    assert_eq!(reduced(&bench, &["--strategy", "rules", "--rules", "my.rules"]), expected);
    // All three are proved at the widths of the script, so none is lost.
    assert_eq!(reduced(&bench, &["--strategy", "rules", "--rules", "my.rules", "--sound-only"]), expected);
}

#[test]
fn auto_with_rules_and_chains() {
    let bench = bench("(rule div ((x (_ BitVec n)) (y (_ BitVec n))) (bvudiv x y) (bvudiv y y))\n");
    let all = reduced(&bench, &["--rules", "my.rules"]);
    assert!(all.contains("bvudiv") && all.len() < 60, "{all}");
    let chains = ["sound,auto", "rules,sound", "ddsmt,rules,hdd*", "auto,ddmin", "ddmin,hdd,auto"];
    for chain in chains {
        let uses_rules = chain.contains("rules") || chain.contains("auto");
        let rules = if uses_rules { &["--rules", "my.rules"][..] } else { &[] };
        let text = reduced(&bench, &[&["--combine", chain], rules].concat());
        assert!(text.contains("bvudiv") && text.len() < SCRIPT.len(), "{chain}: {text}");
    }
    // Each stage is seen in the table of passes.
    let args = ["reduce", "in.smt2", "-o", "out.smt2", "--combine", "sound,auto", "--", "./solver"];
    let run = bench.nub(&args).expect(0);
    assert!(run.stderr.contains("double-negation"), "{}", run.stderr);
}

#[test]
fn chains_on_other_formats() {
    let bench = Bench::new();
    bench.write(
        "a.btor",
        "1 var 8\n2 var 8\n3 and 8 1 2\n4 const 8 00000001\n5 add 8 3 4\n6 redor 1 5\n7 root 1 6\n",
    );
    bench.program("adds", "#!/bin/sh\ngrep -q add \"$1\" && exit 1\nexit 0\n");
    let run = |args: &[&str]| bench.nub(&[&["reduce", "-q"], args, &["--", "./adds"]].concat());
    run(&["a.btor", "--combine", "hdd*,auto"]).expect(0);
    assert!(bench.read("a.reduced.btor").contains("add"));
    run(&["a.btor", "--combine", "sound,auto"]).expect(2);
    bench.write("a.txt", "one\nadd\ntwo\n");
    run(&["a.txt", "--combine", "ddmin,auto"]).expect(0);
    run(&["a.txt", "--combine", "hdd,auto"]).expect(2);
}

#[test]
fn unsound_rules_are_said_and_refused_on_request() {
    let bench = bench("(rule wrong ((x Bool)) (not (not x)) true)\n");
    let args = ["reduce", "in.smt2", "-o", "out.smt2", "--strategy", "rules", "--rules", "my.rules"];
    let run = bench.nub(&[&args[..], &["--", "./solver"]].concat());
    assert!(run.stderr.contains("note: rule wrong: unsound: x = false"), "{}", run.stderr);
    let run = bench.nub(&[&args[..], &["--sound-only", "--", "./solver"]].concat()).expect(2);
    assert!(run.stderr.contains("rule `wrong` is not used with --sound-only: unsound"), "{}", run.stderr);
    assert!(run.stderr.contains("hint: "), "{}", run.stderr);
}

#[test]
fn a_family_is_used_only_where_it_is_proved() {
    // A number that is 3 for every width from 2 to 8, and 0 for wider ones.
    let three = "(bits (* 3 (div 16 (+ n 8))) n)";
    let rule =
        format!("(rule trap ((x (_ BitVec n))) (bvudiv x (_ bv3 n)) (bvudiv x {three}) :when (>= n 2))\n");
    let bench = bench(&rule);
    let claim = bench.nub(&["rules", "my.rules"]).expect(0).stdout;
    assert_eq!(claim, "trap  sound for widths and indices up to 8 (proved, 7 instances)\n");
    let claim = bench.nub(&["rules", "--widths", "9", "my.rules"]).expect(1).stdout;
    assert!(claim.starts_with("trap  unsound: n = 9; x = "), "{claim}");
    // The script has 32 bits: there the rule is wrong, and the proof for eight does not count.
    let args = ["reduce", "in.smt2", "-q", "-o", "none.smt2", "--strategy", "rules", "--rules", "my.rules"];
    bench.nub(&[&args[..], &["--sound-only", "--", "./solver"]].concat()).expect(1);
    assert!(!bench.path("none.smt2").exists());
    let text = reduced(&bench, &["--strategy", "rules", "--rules", "my.rules"]);
    assert!(text.contains("(bvudiv a #x00000000)"), "{text}");
}

#[test]
fn wrong_use() {
    let bench = bench(RULES);
    let refused = |args: &[&str], message: &str| {
        let run = bench.nub(&[&["reduce", "in.smt2"], args, &["--", "./solver"]].concat()).expect(2);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    };
    refused(&["--strategy", "rules"], "needs a file of rules");
    refused(&["--strategy", "sound", "--rules", "my.rules"], "none of these strategies uses --rules");
    refused(&["--strategy", "rules", "--rules", "none"], "cannot read none");
    refused(&["--sound-only"], "--rules");
    refused(&["--strategy", "rules", "--recursive", "--rules", "my.rules"], "--recursive is a variant");
    bench.write("bad.rules", "(rule r ((x Bool)) (nott x) x)\n");
    let run = bench.nub(&["rules", "bad.rules"]).expect(2);
    assert!(run.stderr.contains(" --> bad.rules:1:21\n") && run.stderr.contains("hint: "), "{}", run.stderr);
    bench.nub(&["rules", "none.rules"]).expect(2);
}

#[test]
fn a_run_does_not_go_on_with_other_rules() {
    let bench = bench(RULES);
    let args = [
        "reduce",
        "in.smt2",
        "-q",
        "-j",
        "1",
        "--strategy",
        "rules",
        "--rules",
        "my.rules",
        "--max-asks",
        "1",
        "--keep-run-folder",
    ];
    let _ = bench.nub(&[&args[..], &["--", "./solver"]].concat());
    bench.write("my.rules", &RULES.replace("or-true", "or-right"));
    let run = bench.nub(&[&args[..], &["--resume", "--", "./solver"]].concat()).expect(3);
    assert!(run.stderr.contains("the --rules is not the same"), "{}", run.stderr);
}

/// The examples of the manual: a block of rules, and the output of `nub rules` for it.
#[test]
fn examples_of_the_manual() {
    let manual = include_str!("../../../docs/rules.md");
    let bench = Bench::new();
    let mut n_examples = 0;
    for part in manual.split("\n```rules\n").skip(1) {
        let (rules, rest) = part.split_once("\n```\n").unwrap();
        let (_, expected) = rest.split_once("\n```text\n").unwrap();
        let (expected, _) = expected.split_once("\n```").unwrap();
        bench.write("example.rules", rules);
        let run = bench.nub(&["rules", "example.rules"]);
        assert_eq!(run.stdout.trim_end(), expected, "{}", run.stderr);
        n_examples += 1;
    }
    assert_eq!(n_examples, 2);
}
