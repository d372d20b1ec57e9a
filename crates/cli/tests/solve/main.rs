//! `nub solve`: formats, models, exit codes, refusals; models checked by an evaluator that shares no code with the
//! solver; `proofs` (evidence of `unsat`) and `peers` (other solvers).

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::print_stdout)] // tests start programs and write files

#[path = "../common/mod.rs"]
mod common;
mod peers;
mod proofs;
mod sat_solver;

use common::{Bench, Run};
use nub_bitvec::{ArrayValue, Datum, Value};
use nub_btor::eval::evaluate;
use nub_btor::{BtorDialect, BtorFile, BtorModel, Sort, Tag};
use std::collections::BTreeMap;

const BTOR: &str = "1 var 8 x\n2 array 8 2 mem\n3 var 2\n4 read 8 2 3\n5 inc 8 1\n6 eq 1 4 5\n7 root 1 6\n\
                    8 constd 8 7\n9 eq 1 1 8\n10 root 1 9\n11 const 2 10\n12 eq 1 3 11\n13 root 1 12\n";

/// Counts if its input is set; bad at 3. The other bad line is never reached.
const COUNTER: &str = "1 sort bitvec 3\n2 sort bitvec 1\n3 zero 1\n4 input 2 go\n5 state 1 c\n6 init 1 5 3\n7 uext 1 4 2\n\
                       8 add 1 5 7\n9 next 1 5 8\n10 constd 1 3\n11 eq 2 5 10\n12 zero 2\n13 bad 12\n14 bad 11\n";

#[test]
fn models_in_each_format() {
    let bench = Bench::new();
    bench.write("a.btor", BTOR);
    let run = bench.nub(&["solve", "a.btor", "--model"]).expect(10);
    assert_eq!(run.stdout, "sat\nx 00000111\nmem[10] 00001000\n3 10\n");
    bench.write(
        "a.btor2",
        "1 sort bitvec 2\n2 input 1 x\n3 ones 1\n4 sort bitvec 1\n5 eq 4 2 3\n6 constraint 5\n",
    );
    assert_eq!(bench.nub(&["solve", "a.btor2", "--model"]).expect(10).stdout, "sat\n#0\n@0\n0 11 x@0\n.\n");
    bench.write("a.cnf", "c\np cnf 3 2\n-1 0\n1 3 0\n");
    assert_eq!(bench.nub(&["solve", "a.cnf", "--model"]).expect(10).stdout, "s SATISFIABLE\nv -1 3 0\n");
    assert_eq!(bench.nub(&["solve", "a.cnf"]).expect(10).stdout, "s SATISFIABLE\n");
    bench.write("a.smt2", "; x\n(declare-const x (_ BitVec 4))(assert (= x #xc))(check-sat)");
    let script = bench.nub(&["solve", "a.smt2", "--model"]).expect(10);
    assert_eq!(script.stdout, "sat\n(\n  (define-fun x () (_ BitVec 4) #b1100)\n)\n");
}

#[test]
fn the_last_answer_is_the_exit_code() {
    let bench = Bench::new();
    let cases = [
        ("(check-sat)(assert false)(check-sat)", 20, "sat\nunsat\n"),
        ("(push)(assert false)(check-sat)(pop)(check-sat)", 10, "unsat\nsat\n"),
        ("(assert false)", 0, ""),
    ];
    for (text, code, printed) in cases {
        bench.write("a.smt2", text);
        assert_eq!(bench.nub(&["solve", "a.smt2"]).expect(code).stdout, printed);
    }
    bench.write("a.cnf", "p cnf 1 2\n1 0\n-1 0\n");
    assert_eq!(bench.nub(&["solve", "a.cnf", "--model"]).expect(20).stdout, "s UNSATISFIABLE\n");
    bench.write("a.btor", "1 zero 1\n2 root 1 1\n");
    assert_eq!(bench.nub(&["solve", "a.btor", "--model"]).expect(20).stdout, "unsat\n");
}

#[test]
fn a_bad_state_within_the_bound() {
    let bench = Bench::new();
    bench.write("c.btor2", COUNTER);
    assert_eq!(bench.nub(&["solve", "c.btor2", "--bound", "2"]).expect(20).stdout, "unsat\n");
    let run = bench.nub(&["solve", "c.btor2", "--bound", "1000", "--model"]).expect(10);
    let expected = "sat\nb1\n#0\n@0\n0 1 go@0\n@1\n0 1 go@1\n@2\n0 1 go@2\n@3\n";
    assert!(run.stdout.starts_with(expected) && run.stdout.ends_with("\n.\n"), "{}", run.stdout);
    let run = bench.nub(&["solve", "c.btor2"]).expect(2);
    assert!(run.stderr.contains("c.btor2:6:3") && run.stderr.contains("--bound K"), "{}", run.stderr);
    // An array that begins with one element everywhere, compared as a whole.
    let filled = "1 sort bitvec 16\n2 sort array 1 1\n3 ones 1\n4 state 2 a\n5 init 2 4 3\n6 input 1 i\n7 write 2 4 6 3\n\
                  8 sort bitvec 1\n9 neq 8 4 7\n10 bad 9\n";
    bench.write("f.btor2", filled);
    assert_eq!(bench.nub(&["solve", "f.btor2", "--bound", "0"]).expect(20).stdout, "unsat\n");
}

#[test]
fn a_time_limit_ends_in_unknown() {
    let bench = Bench::new();
    // A Mersenne prime has no factors.
    let factors = "(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))(assert (= (bvmul x y) (_ bv2305843009213693951 64)))
        (assert (bvult x #x0000000080000000))(assert (bvult y #x0000000080000000))(assert (bvult x y))(check-sat)";
    bench.write("hard.smt2", factors);
    let run = bench.nub(&["solve", "hard.smt2", "--max-time", "0.1"]).expect(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("unknown\n", "note: unknown: cancelled\n"));
    let run = bench.nub(&["solve", "hard.smt2", "--max-time=-1"]).expect(2);
    assert!(run.stderr.contains("--max-time"), "{}", run.stderr);
}

/// What is wrong, where, and exit code 2.
#[test]
fn errors_have_places() {
    let bench = Bench::new();
    let cases: &[(&str, &str, &[&str])] = &[
        ("a.smt2", "(check-sat)\n(declare-const x Int)", &["a.smt2:2:16", "sort Int", "bit-vectors"]),
        ("b.smt2", "(check-sat", &["b.smt2:1:1"]),
        (
            "c.smt2",
            "(declare-const x Bool)(assert x)\n(declare-const x Bool)(assert (not x))(check-sat)",
            &["c.smt2:2:16", "`x` is already declared in this scope", "hint: "],
        ),
        ("a.btor", "1 var 8\n2 add 8 1 3\n", &["a.btor:2:11"]),
        ("a.btor2", "1 sort bitvec 1\n2 input 1\n3 justice 1 2\n", &["a.btor2:3:3", "infinite runs"]),
        ("b.btor", "1 var 4194305\n2 redor 1 1\n3 root 1 2\n", &["b.btor:1:3", "4194304 bits"]),
        ("a.cnf", "p cnf 1 1\n2 0\n", &["a.cnf:2:1", "fewer variables"]),
        ("a.wcnf", "p wcnf 1 1 5\n5 1 0\n", &["a.wcnf:1:1", "cnf is the only"]),
        ("a.txt", "hello\n", &["neither SMT-LIB", "--from"]),
    ];
    for (name, text, words) in cases {
        bench.write(name, text);
        let run = bench.nub(&["solve", name]).expect(2);
        words.iter().for_each(|word| assert!(run.stderr.contains(word), "{name}: {}", run.stderr));
    }
    let run = bench.nub(&["solve", "a.cnf", "--bound", "3"]).expect(2);
    assert!(run.stderr.contains("--bound"), "{}", run.stderr);
    assert!(bench.nub(&["solve", "missing"]).expect(2).stderr.contains("cannot read missing"));
    // An answer before the refusal stays.
    assert_eq!(bench.nub(&["solve", "a.smt2"]).expect(2).stdout, "sat\n");
}

#[test]
fn standard_input_and_named_formats() {
    let bench = Bench::new();
    bench.write("a.txt", BTOR);
    let mut command = bench.command(&["solve", "-", "--from", "btor"]);
    command.stdin(std::fs::File::open(bench.path("a.txt")).unwrap());
    assert_eq!(Run::of(command.output().unwrap()).expect(10).stdout, "sat\n");
    bench.write("empty.smt2", "");
    assert_eq!(bench.nub(&["solve", "empty.smt2"]).expect(0).stdout, "");
}

/// The values of a printed BTOR model, by name and index; an index of none is a bit-vector's.
fn values_of(printed: &str) -> BTreeMap<(String, Option<String>), Value> {
    let lines = printed.lines().skip(1).map(|line| line.split_once(' ').unwrap());
    lines
        .map(|(name, bits)| {
            let key = match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
                Some((name, index)) => (name.to_owned(), Some(index.to_owned())),
                None => (name.to_owned(), None),
            };
            (key, Value::parse_binary(bits.as_bytes()).unwrap())
        })
        .collect()
}

fn datum_of(values: &BTreeMap<(String, Option<String>), Value>, name: &str, sort: Sort) -> Datum {
    let Sort::Array { index, element } = sort else {
        return Datum::Bits(values[&(name.to_owned(), None)].clone());
    };
    let default = values.get(&(name.to_owned(), Some("*".to_owned())));
    let mut array = ArrayValue::constant(index, default.cloned().unwrap_or_else(|| Value::zero(element)));
    for ((of, at), value) in values {
        if of == name
            && let Some(at) = at.as_ref().and_then(|at| Value::parse_binary(at.as_bytes()))
        {
            array.write(at, value.clone());
        }
    }
    Datum::Array(array)
}

/// Whether the printed model makes all roots true, according to the evaluator of `nub_btor`.
fn is_model(text: &str, printed: &str) -> bool {
    let file = BtorFile::read(text.as_bytes(), BtorDialect::Btor);
    let model = BtorModel::of(&file).unwrap();
    let values = values_of(printed);
    let leaves = file.lines().iter().filter(|line| matches!(line.tag, Some(Tag::Var | Tag::Array)));
    let names: Vec<String> = leaves
        .map(|line| match line.symbol {
            Some(symbol) => String::from_utf8(symbol.slice(file.text()).to_vec()).unwrap(),
            None => line.id.to_string(),
        })
        .collect();
    let of_input = |node| {
        let at = model.inputs().binary_search(&node).unwrap();
        datum_of(&values, &names[at], model.node(node).sort)
    };
    let values = evaluate(&model, of_input).unwrap();
    let mut roots = model.properties().iter().filter(|property| property.tag == Tag::Root);
    roots.all(|root| values.is_set(root.refs[0]))
}

#[test]
fn models_of_random_files_are_models() {
    let bench = Bench::new();
    bench.nub(&["generate", "-n", "60", "--count", "60", "--out", "d"]).expect(0);
    let (mut n_sat, mut n_spoiled) = (0, 0);
    for name in common::names(&bench.path("d")) {
        let text = bench.read(&format!("d/{name}"));
        let run = bench.nub(&["solve", &format!("d/{name}"), "--model"]);
        if run.code == Some(20) {
            continue;
        }
        let run = run.expect(10);
        assert!(is_model(&text, &run.stdout), "{name}: {}", run.stdout);
        n_sat += 1;
        // The check can fail: with all bits the other way round it mostly does.
        let (word, rest) = run.stdout.split_at(4);
        let flipped: String = rest
            .lines()
            .map(|line| {
                let (name, bits) = line.split_once(' ').unwrap();
                let bits: String = bits.chars().map(|bit| if bit == '0' { '1' } else { '0' }).collect();
                format!("{name} {bits}\n")
            })
            .collect();
        n_spoiled += u32::from(!is_model(&text, &format!("{word}{flipped}")));
    }
    assert!(n_sat > 10 && n_spoiled > n_sat / 4, "{n_sat} {n_spoiled}");
}

/// Step by step, and as one formula per number of steps that another crate writes.
#[test]
fn bounds_agree_with_unrolling() {
    let bench = Bench::new();
    let options = ["generate", "--to", "btor2", "--states", "3", "--constraints", "1", "-n", "30"];
    bench.nub(&[&options[..], &["--count", "12", "--out", "d"]].concat()).expect(0);
    let mut answers = Vec::new();
    for name in common::names(&bench.path("d")) {
        let file = format!("d/{name}");
        let steps = ["0", "1", "2", "3"];
        let reached = steps.iter().any(|k| {
            bench
                .nub(&["convert", &file, "--unroll", k, "--exactly", "--to", "smt2", "-o", "u.smt2"])
                .expect(0);
            bench.nub(&["solve", "u.smt2"]).code == Some(10)
        });
        let run = bench.nub(&["solve", &file, "--bound", "3", "--model"]);
        assert_eq!(run.code, Some(if reached { 10 } else { 20 }), "{name}: {run:?}");
        answers.push(reached);
    }
    assert_eq!(answers.len(), 12);
}
