//! Any bytes are read and analysed without a panic, and the tables agree with each other. The laws are those of
//! `nub_smtlib::check`, which the fuzz targets also call; here the inputs are random words and prefixes of real scripts.
#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_smtlib::check::{check_analysis, check_tree};
use proptest::prelude::*;

fn check(text: &[u8]) {
    check_tree(text);
    check_analysis(text);
}

/// Words that the analysis knows, and some that it does not know.
const WORDS: &[&str] = &[
    "assert",
    "declare-fun",
    "declare-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "declare-sort",
    "declare-datatypes",
    "declare-datatype",
    "par",
    "push",
    "pop",
    "reset",
    "let",
    "forall",
    "lambda",
    "choice",
    "match",
    "!",
    ":named",
    ":pattern",
    "_",
    "as",
    "is",
    "is-c",
    "const",
    "select",
    "store",
    "and",
    "=",
    "+",
    "bvadd",
    "concat",
    "extract",
    "fp",
    "to_fp",
    "str.++",
    "seq.nth",
    "set.insert",
    "tuple",
    "tuple.select",
    "rel.join",
    "map",
    "as-array",
    "@",
    "update",
    "ite",
    "Int",
    "Bool",
    "Array",
    "BitVec",
    "->",
    "Tuple",
    "Relation",
    "x",
    "y",
    "f",
    "c",
    "s",
    "D",
    "|x|",
    "0",
    "1",
    "8",
    "4294967295",
    "99999999999",
    "1.5",
    "#b1",
    "#xff",
    "\"s\"",
    "true",
    "synth-fun",
    "constraint",
    "get-value",
    "check-sat-assuming",
    "set-logic",
    "QF_LRA",
    "HO_ALL",
    "set-option",
    ":global-declarations",
    "bv5",
    "#f1m7",
    "root-obj",
    "declare-heap",
];

/// Random lists of known words: they pass the first checks far more often than random bytes.
fn expression() -> impl Strategy<Value = String> {
    let atom = proptest::sample::select(WORDS).prop_map(str::to_string);
    atom.prop_recursive(6, 64, 6, |inner| {
        proptest::collection::vec(inner, 0..6).prop_map(|items| format!("({})", items.join(" ")))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(text in proptest::collection::vec(any::<u8>(), 0..200)) {
        check(&text);
    }

    #[test]
    fn random_marks(text in "[()|\";a-c0-1 _!:.#\n]{0,120}") {
        check(text.as_bytes());
    }

    #[test]
    fn random_expressions(commands in proptest::collection::vec(expression(), 0..12)) {
        check(commands.join("\n").as_bytes());
    }

    #[test]
    fn random_assertions(terms in proptest::collection::vec(expression(), 0..8)) {
        let mut text = String::from(
            "(declare-datatypes ((D 1)) ((par (T) ((c (s T)) (y)))))(declare-fun f (Int Bool) (D Int))(declare-const x Int)",
        );
        for term in terms {
            text.push_str(&format!("(assert {term})"));
        }
        check(text.as_bytes());
    }
}

#[test]
fn inputs_of_the_sort_tests() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sorts");
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "smt2") {
            let text = std::fs::read(&path).unwrap();
            check(&text);
            // Every prefix of a script must be accepted.
            for end in (0..text.len()).step_by(7) {
                check(&text[..end]);
            }
        }
    }
}
