//! Models in the notations of z3, cvc5 and others; each is also changed in one place and must then be rejected.

#![allow(clippy::unwrap_used)]

use super::{ModelCheck, check_model};

const SCRIPT: &str = "(set-logic QF_AUFBV)(declare-sort U 0)
(declare-fun u () U)(declare-fun v () U)(declare-fun g (U) U)
(declare-fun f ((_ BitVec 4) Bool) (_ BitVec 4))(declare-fun p ((_ BitVec 4)) Bool)
(declare-const a (Array (_ BitVec 4) (_ BitVec 8)))(declare-const b (Array (_ BitVec 4) (_ BitVec 8)))
(declare-const x (_ BitVec 4))(declare-const |y z| (_ BitVec 4))
(assert (= a (store b x #x12)))(assert (= (select a |y z|) #x13))
(assert (distinct (f x true) (f x false) (f |y z| true)))
(assert (p x))(assert (not (p |y z|)))(assert (not (= a b)))
(assert (distinct u v (g u)))(assert (= (g v) u))
(check-sat)(get-model)";

const Z3: &str = "sat\n(
  ;; universe for U:
  (declare-fun U!val!1 () U)(declare-fun U!val!0 () U)(declare-fun U!val!2 () U)
  (forall ((x U)) (or (= x U!val!1) (= x U!val!0) (= x U!val!2)))
  (define-fun v () U U!val!1)
  (define-fun b () (Array (_ BitVec 4) (_ BitVec 8)) (_ as-array k!7))
  (define-fun |y z| () (_ BitVec 4) #x0)(define-fun x () (_ BitVec 4) #x4)
  (define-fun u () U U!val!0)
  (define-fun a () (Array (_ BitVec 4) (_ BitVec 8))
    (store (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00) #x0 #x13) #x4 #x12))
  (define-fun k!7 ((x!0 (_ BitVec 4))) (_ BitVec 8) (ite (= x!0 #x0) #x13 (ite (= x!0 #x4) #x32 #x00)))
  (define-fun g ((x!0 U)) U (ite (= x!0 U!val!1) U!val!0 U!val!2))
  (define-fun p ((x!0 (_ BitVec 4))) Bool (= x!0 #x4))
  (define-fun f ((x!0 (_ BitVec 4)) (x!1 Bool)) (_ BitVec 4)
    (ite (and (= x!0 #x4) (= x!1 true)) #x2 (ite (and (= x!0 #x4) (= x!1 false)) #x1 #x0))))";

const CVC5: &str = "sat\n(\n; cardinality of U is 3\n; rep: (as @U_0 U)
(define-fun u () U (as @U_1 U))(define-fun v () U (as @U_0 U))
(define-fun g ((_arg_1 U)) U (ite (= (as @U_0 U) _arg_1) (as @U_1 U) (as @U_2 U)))
(define-fun f ((_arg_1 (_ BitVec 4)) (_arg_2 Bool)) (_ BitVec 4) (ite (= _arg_1 #b1111) (ite _arg_2 #b1111 #b1101) #b1100))
(define-fun p ((_arg_1 (_ BitVec 4))) Bool (= _arg_1 #b1111))
(define-fun a () (Array (_ BitVec 4) (_ BitVec 8)) (store (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #b00000000) #b1111 #b00010010) #b1110 #b00010011))
(define-fun b () (Array (_ BitVec 4) (_ BitVec 8)) (store (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #b00000000) #b1111 #b11111111) #b1110 #b00010011))
(define-fun x () (_ BitVec 4) #b1111)
(define-fun |y z| () (_ BitVec 4) (_ bv14 4))\n)\n";

fn is_valid(script: &str, model: &str) -> bool {
    match check_model(script.as_bytes(), model.as_bytes()) {
        ModelCheck::Valid => true,
        ModelCheck::Invalid { .. } => false,
        ModelCheck::Unsupported { reason } => panic!("{reason}"),
    }
}

fn invalid_part(script: &str, model: &str) -> String {
    match check_model(script.as_bytes(), model.as_bytes()) {
        ModelCheck::Invalid { assertion } => script[assertion.range()].to_owned(),
        other => panic!("{other:?}"),
    }
}

fn reason(script: &str, model: &str) -> String {
    match check_model(script.as_bytes(), model.as_bytes()) {
        ModelCheck::Unsupported { reason } => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn models_of_z3_and_cvc5() {
    assert!(is_valid(SCRIPT, Z3));
    assert!(is_valid(SCRIPT, CVC5));
    assert!(is_valid(SCRIPT, &Z3.replace("sat\n(", "(model")));
}

#[test]
fn a_spoiled_model_names_the_assertion() {
    let cases = [
        (Z3, "(= x!0 #x0) #x13 ", "(= x!0 #x0) #x14 ", "(= a (store b x #x12))"),
        (Z3, "u () U U!val!0", "u () U U!val!1", "(distinct u v (g u))"),
        (Z3, "(= x!0 #x4))\n  (define-fun f", "(= x!0 #x5))\n  (define-fun f", "(p x)"),
        (CVC5, "#b1111 #b11111111", "#b1111 #b00010010", "(not (= a b))"),
        (CVC5, "(_ bv14 4)", "(_ bv15 4)", "(= (select a |y z|) #x13)"),
    ];
    for (model, old, new, wrong) in cases {
        assert!(model.contains(old), "{old}");
        assert_eq!(invalid_part(SCRIPT, &model.replace(old, new)), wrong);
    }
}

/// Indices of 32 bits cannot be enumerated: the constants of the body are enough.
#[test]
fn arrays_by_functions() {
    let script = "(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))(declare-const b (Array (_ BitVec 32) (_ BitVec 8)))
        (assert (= b (store (store a #x00000005 #x01) #x00000007 #x02)))(assert (= (select a #x00000009) #x03))(check-sat)";
    let bits = "(x (_ BitVec 32))";
    let sort = "(Array (_ BitVec 32) (_ BitVec 8))";
    let body = "(ite (= x #x00000005) #x01 (let ((y (= #x00000007 x))) (ite y #x02 #x03)))";
    let as_array = format!(
        "((define-fun a () {sort} ((as const {sort}) #x03))(define-fun b () {sort} (_ as-array k!0))(define-fun k!0 ({bits}) (_ BitVec 8) {body}))"
    );
    assert!(is_valid(script, &as_array));
    assert!(!is_valid(script, &as_array.replace("y #x02 #x03", "y #x02 #x04")));
    let lambda = format!(
        "((define-fun a () {sort} ((as const {sort}) #x03))(define-fun b () {sort} (lambda ({bits}) {body})))"
    );
    assert!(is_valid(script, &lambda));
    assert!(!is_valid(script, &lambda.replace("#x01 (let", "#x02 (let")));
    // Through another function, as in older versions of z3.
    let nested = as_array
        .replace(body, "(k!1 x)")
        .replace("((define-fun a", &format!("((define-fun k!1 ({bits}) (_ BitVec 8) {body})(define-fun a"));
    assert!(is_valid(script, &nested));
    // A function that depends on the whole index is not a table.
    let computed = lambda.replace(body, "(ite (bvult x #x00000005) #x01 #x03)");
    assert!(reason(script, &computed).contains("computes"));
    let returned = lambda.replace(body, "((_ extract 7 0) x)");
    assert!(reason(script, &returned).contains("table"));
}

#[test]
fn the_last_question_counts() {
    let script =
        "(declare-const x (_ BitVec 2))(push)(assert (= x #b01))(check-sat)(pop)(push 2)(assert (= x #b10))
        (check-sat-assuming ((bvult x #b11) (bvugt x #b00)))(pop 2)(assert false)(exit)(check-sat)";
    assert!(is_valid(script, "((define-fun x () (_ BitVec 2) #b10))"));
    assert!(!is_valid(script, "((define-fun x () (_ BitVec 2) #b01))"));
    let script = "(set-option :global-declarations true)(push)(declare-const x Bool)(assert (not x))(pop)(assert x)(check-sat)";
    assert!(is_valid(script, "(\n(define-fun x () Bool true))"));
    let script =
        "(declare-const x (_ BitVec 2))(assert (= x #b00))(check-sat-assuming ((= x #b00) (= x #b01)))";
    assert_eq!(invalid_part(script, "(model)"), "(= x #b01)");
    // The last of several models counts, and values are not a model.
    let both =
        "sat\n((define-fun x () (_ BitVec 2) #b11))\nsat\n((define-fun x () (_ BitVec 2) #b00))\n((x #b01))";
    assert_eq!(invalid_part(script, both), "(= x #b01)");
}

#[test]
fn what_is_not_understood_is_said() {
    let script = "(declare-const x Bool)(assert x)(check-sat)";
    assert!(reason("(assert true)", "()").contains("asks nothing"));
    assert!(reason("(declare-const i Int)(assert (= i i))(check-sat)", "()").contains("Int"));
    assert!(reason(script, "((define-fun x () Bool y))").contains("`y`"));
    assert!(reason(script, "((define-fun x () Bool x))").contains("recursive"));
    assert!(reason(script, "((define-fun x () Bool #b1))").contains("sort"));
    assert!(reason(script, "((define-fun x ((z Bool)) Bool true))").contains("arguments"));
    assert!(reason(script, "((define-fun x () Bool true)").contains("cannot be read"));
    assert!(reason(script, "((define-fun x () U 1 true))").contains("not well formed"));
    assert!(reason("(declare-datatypes ((T 0)) (((c))))(check-sat)", "()").contains("declare-datatypes"));
    assert!(reason("(push 4000000000)(check-sat)", "()").contains("levels"));
}

/// Any bytes get an answer.
#[test]
fn hostile_models() {
    let model = Z3.as_bytes();
    for cut in 0..model.len() {
        _ = check_model(SCRIPT.as_bytes(), &model[..cut]);
        let mut spoiled = model.to_vec();
        spoiled[cut] = b")("[cut % 2];
        _ = check_model(SCRIPT.as_bytes(), &spoiled);
    }
    let deep = format!("((define-fun x () Bool {}true{}))", "(not ".repeat(100_000), ")".repeat(100_000));
    assert!(is_valid("(declare-const x Bool)(assert x)(check-sat)", &deep));
    let lambdas = format!(
        "((define-fun x () (Array (_ BitVec 2) Bool) {}true{}))",
        "(lambda ((i (_ BitVec 2))) ".repeat(100_000),
        ")".repeat(100_000)
    );
    assert!(
        reason("(declare-const x (Array (_ BitVec 2) Bool))(assert true)(check-sat)", &lambdas)
            .contains("arrays")
    );
}
