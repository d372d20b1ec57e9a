//! The failure modes of other reducers, measured on ddSMT 2.0.6, Shrink Ray, C-Vise, C-Reduce and Picireny: one test each,
//! named after the failure. nub shows none of them.
//!
//! Elsewhere: results lost at an interrupt or a kill (`interrupt.rs`, `promises/kill.rs`, `promises/signals.rs`), slow ends
//! (`promises/signals.rs`), no reduction at all on a file with many declarations (`bench/`).

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::{Bench, Run};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// A bench with this input and this test script.
fn bench(input: &[u8], script: &str) -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("bug.smt2"), input).unwrap();
    bench.program("test.sh", script);
    bench
}

/// Fails if the file holds this byte string.
fn holds(text: &str) -> String {
    format!("#!/bin/sh\nLC_ALL=C grep -aqF -e '{text}' \"$1\"\n")
}

/// Reduces with the test script, and returns the result, which has no header.
#[track_caller]
fn reduce(input: &[u8], script: &str, options: &[&str]) -> Vec<u8> {
    let bench = bench(input, script);
    let args = ["reduce", "bug.smt2", "--no-header", "-o", "out.smt2", "--test", "./test.sh"];
    let run = bench.nub(&[&args[..], options].concat());
    if run.code == Some(1) {
        return input.to_vec();
    }
    run.expect(0);
    fs::read(bench.path("out.smt2")).unwrap()
}

#[track_caller]
fn reduced_text(input: &[u8], script: &str, options: &[&str]) -> String {
    String::from_utf8(reduce(input, script, options)).unwrap()
}

#[test]
fn ddsmt_a_broken_oracle_is_taken_for_the_failure() {
    // The script reads a file next to itself: nub runs it where it is.
    let bench = Bench::new();
    bench.write("needle.sh", "needle=bvudiv\n");
    bench.program(
        "test.sh",
        "#!/bin/sh\n. \"$(dirname \"$0\")/needle.sh\" || exit 1\ngrep -q $needle \"$1\"\n",
    );
    bench.nub(&["reduce", "bug.smt2", "--test", "./test.sh"]).expect(0);
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
    // The same as a command that fails for the wrong reason: an empty file fails in the same way, so nub
    // refuses.
    fs::remove_file(bench.path("needle.sh")).unwrap();
    bench.program("solver", "#!/bin/sh\n. \"$(dirname \"$0\")/needle.sh\"\n");
    let run = bench.nub(&["reduce", "bug.smt2", "-o", "out.smt2", "--", "./solver"]).expect(3);
    assert!(run.stderr.contains("an empty file fails in the same way"), "{}", run.stderr);
    assert!(!bench.path("out.smt2").exists());
}

#[test]
fn ddsmt_a_golden_run_over_the_time_limit_matches_everything() {
    let bench = Bench::new();
    bench.program("solver", "#!/bin/sh\nexec sleep 9\n");
    for more in [&[][..], &["--match-out", "sat"]] {
        let args = [&["reduce", "bug.smt2", "--timeout", "0.2"], more, &["--", "./solver"]].concat();
        let run = bench.nub(&args).expect(3);
        assert!(run.stderr.contains("did not end within"), "{}", run.stderr);
    }
    assert_eq!(bench.names(), ["bug.smt2", "solver", "test.sh"]);
}

#[test]
fn ddsmt_one_unlucky_golden_run_spoils_everything() {
    // The first run behaves differently. Runs are parallel, so an atomic step decides which is first.
    let bench = Bench::new();
    let log = bench.path("log");
    let odd = format!(
        "#!/bin/sh\nmkdir {0} 2>/dev/null && exit 0\ngrep -q bvudiv \"$1\" && exit 7\nexit 0\n",
        log.display()
    );
    bench.program("solver", &odd);
    let run = bench.nub(&["reduce", "bug.smt2", "--", "./solver"]).expect(3);
    assert!(run.stderr.contains("fails in only") && run.stderr.contains("--flaky"), "{}", run.stderr);
    fs::remove_dir(&log).unwrap();
    bench.nub(&["reduce", "bug.smt2", "--flaky", "--", "./solver"]).expect(0);
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
}

/// Durations of sleeps that no other process uses.
fn sleeping(seconds: &str) -> usize {
    let output = Command::new("sh")
        .args(["-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '"])
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).matches(&format!("sleep {seconds}")).count()
}

#[test]
fn ddsmt_time_limits_leave_grandchildren() {
    let seconds = format!("8{:07}.1", std::process::id());
    let bench = Bench::new();
    let script = format!(
        "#!/bin/sh\n[ -s \"$1\" ] || exit 1\ngrep -q bvudiv \"$1\" && exit 0\nsh -c 'sleep {seconds}; :'\nexit 1\n"
    );
    bench.program("test.sh", &script);
    let args = ["reduce", "bug.smt2", "--timeout", "0.15", "--max-asks", "30", "--test", "./test.sh"];
    bench.nub(&args).expect(0);
    assert_eq!(sleeping(&seconds), 0);
}

#[test]
fn ddsmt_a_background_child_with_our_pipe_delays_every_run() {
    let seconds = format!("8{:07}.2", std::process::id());
    let bench = Bench::new();
    bench.program("test.sh", &format!("#!/bin/sh\nsleep {seconds} &\ngrep -q bvudiv \"$1\"\n"));
    let start = Instant::now();
    bench
        .nub(&["reduce", "bug.smt2", "--timeout", "20", "--max-asks", "40", "--test", "./test.sh"])
        .expect(0);
    // With a delay of 20 s for each of the 40 runs it would take 800 s.
    assert!(start.elapsed() < Duration::from_secs(400), "{:?}", start.elapsed());
    assert_eq!(sleeping(&seconds), 0);
}

#[test]
fn ddsmt_input_that_is_not_utf8_ends_in_a_traceback() {
    let input = b"; caf\xe9\n(set-info :source |\xfc|)\n(declare-const s String)\n(assert (= s \"\xe4needle\"))\n(check-sat)\n";
    let text = reduce(input, &holds("needle"), &[]);
    assert!(text.len() < input.len() && text.windows(6).any(|window| window == b"needle"), "{text:?}");
    // What stays, stays byte by byte.
    let text = reduce(input, "#!/bin/sh\nLC_ALL=C grep -aq \"$(printf '\\344needle')\" \"$1\"\n", &[]);
    assert!(text.len() < input.len() && text.windows(7).any(|window| window == b"\xe4needle"), "{text:?}");
}

#[test]
fn ddsmt_output_that_is_not_utf8_ends_in_a_traceback() {
    let bench = Bench::new();
    bench.program(
        "solver",
        "#!/bin/sh\ngrep -q bvudiv \"$1\" || exit 0\nprintf 'b\\344d \\377\\n'\nprintf '\\200' >&2\nexit 3\n",
    );
    bench.nub(&["reduce", "bug.smt2", "--", "./solver"]).expect(0);
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
}

#[test]
fn ddsmt_an_unbalanced_parenthesis_ends_in_a_traceback() {
    let input = b"(declare-const x Bool))\n(assert needle)\n(check-sat)\n";
    let run = bench(input, &holds("needle")).nub(&["reduce", "bug.smt2", "--test", "./test.sh"]).expect(2);
    assert!(run.stderr.contains("bug.smt2:1:23") && run.stderr.contains("--any"), "{}", run.stderr);
    // If it is the failure, it is kept.
    let text = reduced_text(input, "#!/bin/sh\ngrep -q needle \"$1\" && grep -q '))' \"$1\"\n", &["--any"]);
    assert!(text.contains("needle") && text.contains("))") && text.len() < 20, "{text}");
}

#[test]
fn ddsmt_a_string_at_top_level_ends_in_a_traceback() {
    for input in
        ["\"needle\"\n(check-sat)\n(exit)\n", "(check-sat) \"a \"\" needle ( ; \" 12 #b01 |needle| :k\n"]
    {
        let text = reduced_text(input.as_bytes(), &holds("needle"), &[]);
        assert!(text.contains("needle") && text.len() < input.len(), "{text}");
    }
}

#[test]
fn ddsmt_a_last_token_is_dropped_silently() {
    let input = "(check-sat)\n(assert true)\nneedle";
    let text = reduced_text(input.as_bytes(), &holds("needle"), &[]);
    assert_eq!(text.trim_end(), "needle");
    // And if all of it matters, all of it stays.
    let all = "#!/bin/sh\n[ \"$(cat \"$1\")\" = \"$(printf '(check-sat)\\n(assert true)\\nneedle')\" ]\n";
    assert_eq!(reduced_text(input.as_bytes(), all, &[]), input);
}

#[test]
fn ddsmt_btor2_is_accepted_and_thousands_of_asks_are_wasted() {
    let btor2 =
        "1 sort bitvec 8\n2 input 1 a\n3 constd 1 7\n4 add 1 2 3\n5 sort bitvec 1\n6 eq 5 4 3\n7 bad 6\n";
    let script = "#!/bin/sh\necho x >> \"$LOG\"\ngrep -q '^6 eq 5 4 3$' \"$1\"\n";
    for name in ["bug.btor2", "bug.smt2"] {
        let bench = Bench::new();
        bench.write(name, btor2);
        bench.program("test.sh", script);
        let mut command = bench.command(&["reduce", name, "-o", "out", "--test", "./test.sh"]);
        let run = Run::of(command.env("LOG", bench.path("log")).output().unwrap()).expect(0);
        // The format is detected by content, not by name: the needed ids stay, the values do not.
        assert!(run.stderr.contains("nodes"), "{}", run.stderr);
        let n_asks = bench.read("log").lines().count();
        let out = bench.read("out");
        assert!(
            out.contains("\n6 eq 5 4 3\n") && !out.contains("input") && n_asks < 100,
            "{name}: {n_asks} asks\n{out}"
        );
    }
}

#[test]
fn ddsmt_results_are_not_standard() {
    // Everything but the command's name may go, and yet the command must stay a command.
    let input = "(set-logic ALL)\n(declare-sort S 0)\n(declare-sort T 2)\n(declare-datatypes ((A 0) (B 0)) (((mk (f Int) (g B))) ((n) (c (h A)))))\n\
        (declare-datatype C ((red) (green)))\n(declare-const s S)\n(declare-const t (T S Int))\n(declare-const a A)\n(declare-fun f2 (S C) (T S Int))\n\
        (define-sort U (X) (T X S))\n(define-fun d ((x Int) (y S)) Int (+ x 1))\n(push 2)\n(assert (= (f2 s red) t))\n\
        (assert ((_ is mk) a))\n(assert (> (d (f a) s) 0))\n(assert (exists ((q Int) (r S)) (= r s)))\n(check-sat-assuming ((= s s)))\n(pop 1)\n(check-sat)\n(pop 1)\n(get-info :name)\n(echo \"x\")\n(exit)\n";
    let words = [
        ("declare-sort S", "(declare-sort "),
        ("declare-datatypes", "(declare-datatypes "),
        ("declare-datatype", "(declare-datatype "),
        ("push", "(push "),
        ("pop", "(pop "),
        ("declare-fun", "(declare-fun "),
        ("define-sort", "(define-sort "),
        ("define-fun", "(define-fun "),
        ("exists", "(exists (("),
        ("check-sat-assuming", "(check-sat-assuming ("),
        ("get-info", "(get-info :"),
    ];
    for (needle, form) in words {
        let word = needle.split(' ').next().unwrap();
        let text = reduced_text(input.as_bytes(), &holds(word), &["--pretty"]);
        assert!(text.contains(form), "{needle}: {text}");
        let (tree, diagnostics) = nub_smtlib::Tree::parse(text.as_bytes());
        assert!(diagnostics.is_empty(), "{needle}: {text}");
        for root in tree.roots() {
            check_command(&text, &tree, root);
        }
    }
}

/// The number of arguments that the standard wants.
#[track_caller]
fn check_command(text: &str, tree: &nub_smtlib::Tree, command: nub_smtlib::NodeId) {
    let slice = |node| {
        let span = tree.span(node);
        &text[span.start as usize..span.end as usize]
    };
    let parts: Vec<_> = tree.children(command).collect();
    let name = parts.first().map_or("", |&part| slice(part));
    let n_arguments = parts.len().saturating_sub(1);
    let wanted = match name {
        "declare-sort" | "declare-datatype" | "declare-datatypes" | "declare-const" => 2,
        "declare-fun" | "define-sort" => 3,
        "define-fun" => 4,
        "push" | "pop" | "assert" | "set-logic" | "echo" | "get-info" | "check-sat-assuming" => 1,
        "check-sat" | "exit" => 0,
        _ => panic!("no command: {text}"),
    };
    assert_eq!(n_arguments, wanted, "{name}: {text}");
    if name == "declare-sort" {
        assert!(
            slice(parts[1]).chars().all(char::is_alphabetic) && slice(parts[2]).parse::<u32>().is_ok(),
            "{text}"
        );
    }
    if name == "declare-datatypes" {
        assert_eq!(tree.children(parts[1]).count(), tree.children(parts[2]).count(), "{text}");
    }
}

#[test]
fn shrink_ray_the_first_run_comes_late() {
    let bench = Bench::new();
    bench.write("bug.smt2", &common::script(4000));
    bench.program("test.sh", "#!/bin/sh\ndate +%s.%N >> \"$LOG\"\ngrep -q bvudiv \"$1\"\n");
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64();
    // The best of three, since the machine may be busy.
    let delay = (0..3).map(|_| {
        let _ = fs::remove_file(bench.path("log"));
        let start = now();
        let mut command =
            bench.command(&["reduce", "bug.smt2", "-j1", "-q", "--max-asks", "1", "--test", "./test.sh"]);
        command.env("LOG", bench.path("log")).output().unwrap();
        bench.read("log").lines().next().unwrap().parse::<f64>().unwrap() - start
    });
    let best = delay.fold(f64::INFINITY, f64::min);
    assert!(best < 0.5, "first run after {best} s");
}

#[test]
fn cvise_the_input_is_rewritten_and_orig_files_stay() {
    let bench = Bench::new();
    let before = (bench.read("bug.smt2"), fs::metadata(bench.path("bug.smt2")).unwrap().modified().unwrap());
    bench.nub(&["reduce", "bug.smt2", "--", "./solver"]).expect(0);
    let after = (bench.read("bug.smt2"), fs::metadata(bench.path("bug.smt2")).unwrap().modified().unwrap());
    assert_eq!(before, after);
    assert_eq!(bench.names(), ["bug.reduced.smt2", "bug.smt2", "solver", "test.sh"]);
}

#[test]
fn cvise_brackets_become_zeros_one_by_one() {
    // A thousand nested lets in few asks.
    let mut text = String::from("(declare-const needle Bool)\n(assert (let ((v0 needle)) ");
    (1..1000).for_each(|idx| text.push_str(&format!("(let ((v{idx} (not v{}))) ", idx - 1)));
    text.push_str(&format!("v999{}))\n(check-sat)\n", ")".repeat(999)));
    let bench = bench(text.as_bytes(), "#!/bin/sh\necho x >> \"$LOG\"\ngrep -q needle \"$1\"\n");
    let mut command = bench.command(&["reduce", "bug.smt2", "--no-header", "-j1", "--test", "./test.sh"]);
    let run = Run::of(command.env("LOG", bench.path("log")).output().unwrap()).expect(0);
    let n_asks = bench.read("log").lines().count();
    assert!(n_asks < 300, "{n_asks} asks: {}", run.stderr);
    assert!(bench.read("bug.reduced.smt2").len() < 60);
}

#[test]
fn picireny_literals_are_printed_differently() {
    let kept = ["#b0000", "#x00aF", "007", "1.50", "|x|", "\"a\"\"b\""];
    for literal in kept {
        let input = format!("(set-info :status sat)\n(set-info :keep {literal})\n(check-sat)\n");
        let script = format!("#!/bin/sh\ngrep -qF -e ':keep {literal})' \"$1\"\n");
        let text = reduced_text(input.as_bytes(), &script, &[]);
        assert_eq!(text.trim_end(), format!("(set-info :keep {literal})"));
    }
}

#[test]
fn nesting_of_20_000_levels() {
    let depth = 20_000;
    let input = format!(
        "(declare-const p Bool)\n(declare-const needle Bool)\n(assert {}(and p needle){})\n(check-sat)\n",
        "(not ".repeat(depth),
        ")".repeat(depth)
    );
    let twice = "#!/bin/sh\n[ $(grep -o needle \"$1\" | wc -l) -ge 2 ]\n";
    let text = reduced_text(input.as_bytes(), twice, &["--max-asks", "400"]);
    assert!(text.contains("needle") && text.len() < 100, "{} bytes", text.len());
}

/// Texts with constructs that confuse parsers; each contains the needle where it counts and once where it does not.
#[test]
fn odd_but_legal_texts() {
    let cases = [
        (
            "CRLF",
            "(declare-const needle Bool)\r\n(declare-const q Bool)\r\n(assert (or\r\n q needle))\r\n(check-sat)\r\n",
        ),
        (
            "quoted symbols",
            "(declare-const |needle ( ; \" x| Bool)\n(declare-const |;)| Bool)\n(assert (and |;)| |needle ( ; \" x|))\n(check-sat)\n",
        ),
        (
            "doubled quotes",
            "(declare-const s String)\n(assert (= s \"a \"\" ) needle ; \"\"\"))\n(assert (= s \"\"))\n(check-sat)\n",
        ),
        (
            "comments",
            "; ) ( | \"\n(declare-const ; (\n needle ; |\n Bool);\n(assert;x\nneedle)\n;;\n(check-sat);",
        ),
        (
            "UTF-8",
            "(set-info :source |käse 漢字|)\n(declare-const |needle ü| Bool)\n(assert |needle ü|)\n(check-sat)\n",
        ),
        (
            "form feed",
            "(declare-const needle Bool)\x0c\n(assert\x0cneedle)\x0b(assert (not needle))\n(check-sat)\n",
        ),
        (
            "shadowed lets",
            "(declare-const x Bool)\n(declare-const needle Bool)\n(assert (let ((x needle)) (let ((x (not x)) (y x)) (let ((y (and x y))) (or x y)))))\n(check-sat)\n",
        ),
        (
            "par",
            "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (hd T) (tl (L T)))))))\n(declare-const needle (L Int))\n(assert (= needle (cons 1 (as nil (L Int)))))\n(check-sat)\n",
        ),
        (
            "match",
            "(declare-datatype N ((z) (s (p N))))\n(declare-const needle N)\n(assert (match needle ((z true) ((s m) (= m z)))))\n(check-sat)\n",
        ),
        (
            "lambda",
            "(declare-const needle (-> Int Int))\n(assert (= needle (lambda ((x Int)) (+ x 1))))\n(check-sat)\n",
        ),
    ];
    for (name, input) in cases {
        let text = reduced_text(input.as_bytes(), &holds("needle"), &[]);
        assert!(text.contains("needle") && text.len() < input.len(), "{name}: {text:?}");
        let (_, diagnostics) = nub_smtlib::Tree::parse(text.as_bytes());
        assert!(diagnostics.is_empty(), "{name}: {text:?}");
        // If all of it matters, nothing changes.
        let bench = bench(input.as_bytes(), "#!/bin/sh\ncmp -s \"$1\" \"$WHOLE\"\n");
        fs::copy(bench.path("bug.smt2"), bench.path("whole")).unwrap();
        let mut command = bench.command(&["reduce", "bug.smt2", "--test", "./test.sh"]);
        Run::of(command.env("WHOLE", bench.path("whole")).output().unwrap()).expect(1);
        assert_eq!(bench.read("bug.smt2"), input, "{name}");
    }
}
