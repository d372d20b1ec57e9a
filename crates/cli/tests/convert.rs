//! `nub convert`: formats, unrolling, refusals; with `NUB_E2E=1` also the answers of boolector, z3 and cvc5.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::print_stdout)] // tests start programs and write files

mod common;

use common::Bench;
use nub_btor::eval::evaluate;
use nub_btor::ops::OPS;
use nub_btor::{BtorDialect, BtorFile, BtorModel, WidthRule};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../btor/tests/golden");

const BTOR: &str = "7 var 8 x\n9 inc 8 7 ; comment\n10 ult 1 9 -7\n20 root 1 10\n";

const COUNTER: &str = "1 sort bitvec 3\n2 sort bitvec 1\n3 zero 1\n4 state 1 c\n5 init 1 4 3\n6 inc 1 4\n\
                       7 next 1 4 6\n8 constd 1 5\n9 eq 2 4 8\n10 bad 9\n";

#[test]
fn the_extension_or_an_option_names_the_format() {
    let bench = Bench::new();
    bench.write("a.btor", BTOR);
    bench.nub(&["convert", "a.btor", "-o", "a.btor2"]).expect(0);
    let btor2 = "1 sort bitvec 8\n2 sort bitvec 1\n3 input 1 x\n4 inc 1 3\n5 ult 2 4 -3\n6 constraint 5\n";
    assert_eq!(bench.read("a.btor2"), btor2);
    let run = bench.nub(&["convert", "a.btor", "--to", "btor2", "-o", "-"]).expect(0);
    assert_eq!(run.stdout, btor2);
    let back = "1 var 8 x\n2 inc 8 1\n3 ult 1 2 -1\n4 root 1 3\n";
    assert_eq!(bench.nub(&["convert", "a.btor2", "--to", "btor"]).expect(0).stdout, back);
    assert_eq!(bench.nub(&["convert", "a.btor", "--renumber"]).expect(0).stdout, back);
    let script = bench.nub(&["convert", "a.btor", "--to", "smt2"]).expect(0).stdout;
    assert!(script.starts_with("(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n"), "{script}");
    assert!(script.ends_with("(check-sat)\n"), "{script}");
}

#[test]
fn standard_input_is_read() {
    let bench = Bench::new();
    bench.write("a.btor", BTOR);
    let mut command = bench.command(&["convert", "-", "--to", "smt2"]);
    command.stdin(std::fs::File::open(bench.path("a.btor")).unwrap());
    let run = common::Run::of(command.output().unwrap()).expect(0);
    assert!(run.stdout.contains("(assert"), "{}", run.stdout);
}

#[test]
fn steps_of_a_transition_system() {
    let bench = Bench::new();
    bench.write("c.btor2", COUNTER);
    let run = bench.nub(&["convert", "c.btor2", "--to", "btor", "--unroll", "2"]).expect(0);
    assert!(run.stdout.ends_with("root 1 9\n") && !run.stdout.contains("next"), "{}", run.stdout);
    let exactly = ["convert", "c.btor2", "--to", "btor2", "--unroll", "2", "--exactly"];
    let exactly = bench.nub(&exactly).expect(0).stdout;
    assert!(exactly.ends_with("\n8 bad 7\n") && !exactly.contains(" or "), "{exactly}");
}

/// The message says what is wrong, where, and what to do; exit code 2 and no output.
#[test]
fn bad_files_have_place_and_hint() {
    let bench = Bench::new();
    let cases = [
        ("1 var 8\n2 add 8 1 3\n", "3 is not defined", "a.btor:2:11"),
        ("1 var 8\n2 add 9 1 1\n", "the line declares 9 bits", "a.btor:2:7"),
        ("1 var 8\n2 add 8 1 3\n3 not 8 2\n", "3 is defined later", "a.btor:2:11"),
        ("1 var 8\n2 slice 3 1 8 6\n", "bit 8 is not in an operand", "a.btor:2:13"),
        ("1 sort bitvec 2147483648\n", "a sort of more than", "a.btor:1:15"),
        ("1 var 8\n99999999999999999999 not 8 1\n", "the id", "a.btor:2:1"),
        ("1 array 8 2\n2 var 2\n3 read 8 -1 2\n", "1 is an array", "a.btor:3:10"),
    ];
    for (text, message, place) in cases {
        bench.write("a.btor", text);
        let run = bench.nub(&["convert", "a.btor", "-o", "out.smt2"]).expect(2);
        for part in [message, &format!(" --> {place}\n"), "hint: "] {
            assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
        }
        assert!(run.stdout.is_empty() && !bench.path("out.smt2").exists());
    }
}

#[test]
fn odd_but_clear_files_are_warned_about() {
    let bench = Bench::new();
    bench.write("a.btor", "1 var 8\r\n2 nego 1 1\n3 root 1 2");
    let run = bench.nub(&["convert", "a.btor", "--renumber"]).expect(0);
    assert_eq!(run.stdout, "1 var 8\n2 ones 8\n3 sdivo 1 1 2\n4 root 1 3\n");
    for warning in ["a.btor:1:8: the line ends with a carriage return", "a.btor:2:3:", "a.btor:3:10:"] {
        assert!(run.stderr.contains(warning), "{warning}: {}", run.stderr);
    }
}

#[test]
fn what_a_format_cannot_say_is_refused() {
    let bench = Bench::new();
    bench.write("c.btor2", COUNTER);
    for target in ["btor", "smt2"] {
        let run = bench.nub(&["convert", "c.btor2", "--to", target]).expect(2);
        assert!(run.stderr.contains("c.btor2:5:3") && run.stderr.contains("--unroll"), "{}", run.stderr);
    }
    bench.write("j.btor2", "1 sort bitvec 1\n2 input 1\n3 justice 1 2\n");
    let run = bench.nub(&["convert", "j.btor2", "--to", "smt2"]).expect(2);
    assert!(run.stderr.contains("j.btor2:3:3") && run.stderr.contains("justice"), "{}", run.stderr);
}

#[test]
fn wrong_use() {
    let bench = Bench::new();
    bench.write("a.btor", BTOR);
    let hinted = |args: &[&str]| bench.nub(args).expect(2).stderr.contains("hint: ");
    assert!(hinted(&["convert", "a.btor"]), "no format");
    assert!(hinted(&["convert", "a.btor", "-o", "a.txt"]), "no format either");
    assert!(hinted(&["convert", "a.btor", "--to", "btor"]), "the same format");
    assert!(hinted(&["convert", "a.btor", "--to", "smt2", "--renumber"]));
    assert!(hinted(&["convert", "bug.smt2", "--to", "btor"]), "SMT-LIB cannot be read");
    bench.nub(&["convert", "none.btor", "--to", "smt2"]).expect(2);
    bench.nub(&["convert", "a.btor", "--to", "smt2", "--exactly"]).expect(2);
    bench.nub(&["convert", "a.btor", "-o", "none/a.smt2"]).expect(4);
}

/// True if real solvers are used.
#[track_caller]
fn has_solvers() -> bool {
    ["boolector", "z3", "cvc5"].iter().all(|name| nub_test_kit::end_to_end_tool(name).is_some())
}

/// The first line a solver prints.
fn answer(solver: &str, file: &Path) -> String {
    let mut command = Command::new("timeout");
    command.args(["-sKILL", "60", solver]).arg(file).stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().unwrap_or("nothing").to_owned()
}

/// Answers of all solvers: boolector on the file as BTOR, and after BTOR2 and back; the others on SMT-LIB.
fn answers(bench: &Bench, input: &Path, options: &[&str]) -> Vec<String> {
    let input = input.to_str().unwrap();
    let convert = |input: &str, out: &str, options: &[&str]| {
        bench.nub(&[&["convert", input, "-o", out], options].concat()).expect(0);
    };
    let is_btor = input.ends_with(".btor");
    convert(input, "x.smt2", options);
    if is_btor && options.is_empty() {
        convert(input, "x.btor", &["--renumber"]);
        convert(input, "x.btor2", &[]);
    } else {
        convert(input, "x.btor", options);
        convert("x.btor", "x.btor2", &[]);
    }
    convert("x.btor2", "y.btor", &[]);
    [("boolector", "x.btor"), ("boolector", "y.btor"), ("z3", "x.smt2"), ("cvc5", "x.smt2")]
        .map(|(solver, file)| answer(solver, &bench.path(file)))
        .to_vec()
}

#[test]
fn listings_of_the_thesis() {
    if !has_solvers() {
        return;
    }
    let bench = Bench::new();
    let cases: &[(&str, &[&str], &str)] = &[
        ("listing_a1.btor", &[], "sat"),
        ("listing_a2.btor", &[], "sat"),
        ("listing_a3.btor", &[], "sat"),
        ("listing_a4.btor", &[], "sat"),
        ("listing_a5.btor", &[], "sat"),
        ("product.btor", &[], "sat"),
        ("product_guarded.btor", &[], "unsat"),
        ("product_wide.btor", &[], "unsat"),
        ("dialects.btor", &[], "sat"),
        ("rotate.btor2", &[], "unsat"),
        ("counter.btor2", &["--unroll", "5"], "unsat"),
        ("counter.btor2", &["--unroll", "6"], "sat"),
        ("counter.btor2", &["--unroll", "7", "--exactly"], "unsat"),
        ("memory.btor2", &["--unroll", "0"], "unsat"),
        ("memory.btor2", &["--unroll", "1"], "sat"),
        ("sequential.btor", &["--unroll", "1"], "sat"),
    ];
    for (name, options, expected) in cases {
        let found = answers(&bench, &PathBuf::from(GOLDEN).join(name), options);
        assert!(found.iter().all(|answer| answer == expected), "{name} {options:?}: {found:?}");
    }
    println!("convert: {} cases", cases.len());
}

/// A BTOR2 file that states the evaluator's result of every operator on constants.
fn truths(width: u32) -> String {
    let mut text = format!("1 sort bitvec 1\n2 sort bitvec {width}\n3 sort bitvec {}\n", 2 * width);
    let n_sorts = 3;
    let mut id = n_sorts;
    let sort_of = |bits: u32| {
        if bits == 1 {
            1
        } else if bits == width {
            2
        } else {
            3
        }
    };
    let mut push = |text: &mut String, line: String| {
        id += 1;
        text.push_str(&format!("{id} {line}\n"));
        id
    };
    let mask = (1u64 << width) - 1;
    let numbers = [0, 1, mask, 1 << (width - 1), 5 & mask, mask >> 1];
    let mut checked = Vec::new();
    for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b))) {
        let constants = [a, b].map(|number| push(&mut text, format!("constd {} {number}", sort_of(width))));
        for op in OPS.iter().filter(|op| !op.btor2.is_empty()) {
            let (bits, n_args) = match op.rule {
                WidthRule::Same | WidthRule::Shift => (width, 2),
                WidthRule::Compare | WidthRule::Equal => (1, 2),
                WidthRule::Bit if width == 1 => (1, 2),
                WidthRule::Reduce => (1, 1),
                WidthRule::Concat => (2 * width, 2),
                _ => continue,
            };
            let n_args = if op.shape == nub_btor::LineShape::Nodes(1) { 1 } else { n_args };
            let mut line = format!("{} {}", op.btor2, sort_of(bits));
            constants[..n_args].iter().for_each(|constant| line.push_str(&format!(" {constant}")));
            checked.push((push(&mut text, line), bits));
        }
    }
    let model = BtorModel::of(&BtorFile::read(text.as_bytes(), BtorDialect::Btor2)).unwrap();
    let values = evaluate(&model, |_| panic!("there are no inputs")).unwrap();
    for (line, bits) in checked {
        let node = nub_btor::BtorNodeId::new(line - n_sorts - 1);
        let value = values.get(node.into()).bits().to_binary();
        let constant = push(&mut text, format!("const {} {value}", sort_of(bits)));
        let equal = push(&mut text, format!("eq 1 {line} {constant}"));
        push(&mut text, format!("constraint {equal}"));
    }
    text
}

/// Compares evaluator, both printers and the SMT-LIB meaning with three solvers, for every operator.
#[test]
fn every_operator_means_what_solvers_mean() {
    if !has_solvers() {
        return;
    }
    let bench = Bench::new();
    let widths = [1, 2, 3, 4, 5, 8];
    for width in widths {
        let text = truths(width);
        bench.write("t.btor2", &text);
        let found = answers(&bench, &bench.path("t.btor2"), &[]);
        assert_eq!(found, ["sat"; 4], "width {width}");
        // The check can fail: every solver notices one changed digit.
        let wrong = text.rsplit_once("const ").map(|(before, after)| {
            let flipped = if after.contains(" 0") {
                after.replacen(" 0", " 1", 1)
            } else {
                after.replacen(" 1", " 0", 1)
            };
            format!("{before}const {flipped}")
        });
        bench.write("t.btor2", &wrong.unwrap());
        assert_eq!(answers(&bench, &bench.path("t.btor2"), &[]), ["unsat"; 4], "width {width}");
    }
    println!("convert: {} cases, {} operators", widths.len(), OPS.len());
}

/// Random files with arrays: all solvers give one answer.
#[test]
fn random_files_get_one_answer() {
    if !has_solvers() {
        return;
    }
    let bench = Bench::new();
    let n_files = 40;
    let count = n_files.to_string();
    bench.nub(&["generate", "-n", "80", "--count", &count, "--out", "d"]).expect(0);
    let mut found = Vec::new();
    for name in common::names(&bench.path("d")) {
        let file = bench.path("d").join(&name);
        let mut all = answers(&bench, &file, &[]);
        all.push(answer("boolector", &file));
        assert!(all.iter().all(|answer| *answer == all[0]), "{name}: {all:?}");
        found.push(all.swap_remove(0));
    }
    assert_eq!(found.len(), n_files);
    println!(
        "convert: {n_files} random files, {} sat",
        found.iter().filter(|answer| *answer == "sat").count()
    );
    assert!(found.iter().all(|answer| answer == "sat" || answer == "unsat"), "{found:?}");
}
