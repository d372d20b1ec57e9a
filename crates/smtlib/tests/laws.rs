//! Any bytes are analysed without a panic, and the tables agree with each other.
#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_smtlib::{Analysis, Kind, NodeId, Role, Script};
use proptest::prelude::*;

/// What must hold of every analysis.
fn check_analysis(text: &[u8]) {
    let (script, _) = Script::parse(text);
    let analysis = script.analyse();
    for node in script.tree().nodes() {
        check_node(&script, &analysis, node);
    }
    for id in analysis.decl_ids() {
        let decl = analysis.decl(id);
        assert_eq!(analysis.decl_of(decl.name), Some(id), "a name refers to what it declares");
        assert_eq!(analysis.role(decl.name), Role::Name);
        assert!(script.tree().is_within(decl.name, decl.owner), "the owner contains the name");
        assert!(decl.scope.0 <= decl.scope.1);
        assert!(!analysis.uses(id).contains(&decl.name));
        assert!(analysis.uses(id).is_sorted());
        for &node in analysis.uses(id) {
            assert_eq!(analysis.decl_of(node), Some(id));
            assert!(decl.scope.0 <= node && node < decl.scope.1, "names are used in scope");
        }
    }
    for &node in analysis.unknown() {
        assert!(script.tree().is_symbol(node) && analysis.decl_of(node).is_none());
    }
    for error in analysis.errors() {
        assert!(error.span.end as usize <= text.len() && error.hint.is_some());
    }
}

fn check_node(script: &Script, analysis: &Analysis, node: NodeId) {
    assert_eq!(analysis.sort_of(node).is_some(), analysis.role(node) == Role::Term);
    assert_eq!(analysis.sort_value(node).is_some(), analysis.role(node) == Role::Sort);
    if let Some(head) = analysis.head(node) {
        assert!(script.tree().is_within(head.symbol, node) && script.tree().is_symbol(head.symbol));
    }
    if analysis.decl_of(node).is_some() || analysis.op_of(node).is_some() {
        assert!(matches!(script.tree().kind(node), Kind::Symbol | Kind::Quoted));
    }
}

/// Words that the analysis knows, and some that it does not.
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

/// Random lists of known words: far more of them get past the first check than random bytes do.
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
        check_analysis(&text);
    }

    #[test]
    fn random_marks(text in "[()|\";a-c0-1 _!:.#\n]{0,120}") {
        check_analysis(text.as_bytes());
    }

    #[test]
    fn random_expressions(commands in proptest::collection::vec(expression(), 0..12)) {
        check_analysis(commands.join("\n").as_bytes());
    }

    #[test]
    fn random_assertions(terms in proptest::collection::vec(expression(), 0..8)) {
        let mut text = String::from(
            "(declare-datatypes ((D 1)) ((par (T) ((c (s T)) (y)))))(declare-fun f (Int Bool) (D Int))(declare-const x Int)",
        );
        for term in terms {
            text.push_str(&format!("(assert {term})"));
        }
        check_analysis(text.as_bytes());
    }
}

#[test]
fn inputs_of_the_sort_tests() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sorts");
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "smt2") {
            let text = std::fs::read(&path).unwrap();
            check_analysis(&text);
            // Every prefix of a script is a script.
            for end in (0..text.len()).step_by(7) {
                check_analysis(&text[..end]);
            }
        }
    }
}
