//! Nesting of every kind, too deep for one stack frame per level, on a stack of 2 MiB.
#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_smtlib::{Analysis, NodeId, Script, SortId};

const STACK: usize = 2 << 20;

fn analyse(text: String) -> (Script, Analysis) {
    let job = move || {
        let (script, _) = Script::parse(text.as_bytes());
        let analysis = script.analyse();
        (script, analysis)
    };
    std::thread::Builder::new().stack_size(STACK).spawn(job).unwrap().join().expect("no overflow")
}

fn nested(prefix: &str, open: &str, core: &str, close: &str, suffix: &str, n: usize) -> String {
    [prefix, &open.repeat(n), core, &close.repeat(n), suffix].concat()
}

#[test]
fn a_million_brackets() {
    let (script, analysis) = analyse(nested("(assert ", "(", "", ")", ")", 1_000_000));
    assert_eq!(script.tree().len(), 1_000_002);
    assert_eq!(analysis.sort_of(NodeId(2)), Some(SortId::UNKNOWN));
    let (_, analysis) = analyse("(".repeat(1_000_000));
    assert!(analysis.errors().is_empty());
}

#[test]
fn a_hundred_thousand_lets() {
    let (_, analysis) =
        analyse(nested("(declare-const x Bool)(assert ", "(let ((x (not x))) ", "x", ")", ")", 100_000));
    assert_eq!(analysis.decls().len(), 100_001);
    assert!(analysis.errors().is_empty() && analysis.unknown().is_empty());
    assert!(analysis.decl_ids().all(|id| analysis.uses(id).len() == 1), "each hides the one before");
    let (_, analysis) = analyse(nested("(assert ", "(let ((x ", "true", ")) x)", ")", 100_000));
    assert!(analysis.errors().is_empty() && analysis.unknown().is_empty());
}

#[test]
fn terms_of_every_kind() {
    let n = 100_000;
    let cases = [
        ("(not ", "true", ")"),
        ("(forall ((x Int)) ", "true", ")"),
        ("(! ", "true", " :weight 1)"),
        ("(! true :pattern (", "true", "))"),
        ("(as ", "true", " Bool)"),
        ("(_ ", "true", ")"),
        ("((_ f ", "true", "))"),
        ("(match true ((x ", "true", ")))"),
        ("((lambda ((x Bool)) ", "x", ") true)"),
        ("(((as f Bool) ", "true", "))"),
    ];
    for (open, core, close) in cases {
        analyse(nested("(assert ", open, core, close, ")", n));
    }
}

#[test]
fn sorts_of_every_kind() {
    let n = 50_000;
    for (open, close) in
        [("(Array Int ", ")"), ("(-> Int ", ")"), ("(Foo ", ")"), ("(_ Bar ", ")"), ("(Seq ", ")")]
    {
        let (_, analysis) = analyse(nested("(declare-const x ", open, "Int", close, ")(assert (= x 1))", n));
        assert_eq!(analysis.decls().len(), 1);
    }
}

#[test]
fn sorts_that_double() {
    let mut text = String::from("(define-sort A0 (X) X)");
    for n in 0..500 {
        text.push_str(&format!("(define-sort A{} (X) (Array (A{n} X) (A{n} X)))", n + 1));
    }
    text.push_str("(declare-const x (A500 Int))(declare-const y (A499 Bool))(assert (= x y))");
    let (_, analysis) = analyse(text);
    assert_eq!(analysis.errors().len(), 1, "seen without writing 2^500 sorts");
}
