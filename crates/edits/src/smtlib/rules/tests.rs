//! Reading, matching and writing together. Proofs are tested in the crate that has the solver.

use super::*;
use crate::render;

const DECLARATIONS: &str = "(declare-const a (_ BitVec 8))(declare-const b (_ BitVec 8))(declare-const p Bool)\
    (declare-const q Bool)(declare-const r Bool)(declare-const i Int)(declare-fun f (Bool) Bool)";

/// The script's term after the first match was replaced; `None` if there is no match.
fn once(rule: &str, term: &str) -> Option<String> {
    let rule = read(rule.as_bytes()).unwrap_or_else(|error| panic!("{error:?}")).swap_remove(0);
    let text = format!("{DECLARATIONS}(assert {term})");
    let view = SmtView::new(text.as_bytes());
    assert!(view.analysis().errors().is_empty() && view.analysis().unknown().is_empty(), "{term}");
    let edit = RulePass::new(rule, None).edits(&view).into_iter().next()?;
    let after = String::from_utf8(render(view.text(), &edit.splices)).unwrap();
    assert!(SmtView::new(after.as_bytes()).analysis().errors().is_empty(), "{after}");
    Some(after[DECLARATIONS.len() + "(assert ".len()..after.len() - 1].to_owned())
}

#[track_caller]
fn check(rule: &str, before: &str, after: &str) {
    assert_eq!(once(rule, before).as_deref(), Some(after));
}

#[track_caller]
fn check_stays(rule: &str, term: &str) {
    assert_eq!(once(rule, term), None);
}

#[track_caller]
fn check_error(text: &str, message: &str, place: &str) {
    let error = read(text.as_bytes()).map(|rules| rules.len()).unwrap_err();
    assert!(error.message.contains(message), "{}", error.message);
    assert_eq!(String::from_utf8_lossy(error.span.slice(text.as_bytes())), place);
    assert!(error.hint.is_some());
}

#[test]
fn variables_and_literals() {
    check("(rule r ((x Bool)) (not (not x)) x)", "(or q (not (not (f p))))", "(or q (f p))");
    let zero = "(rule r ((x (_ BitVec n))) (bvadd x (_ bv0 n)) x)";
    check(zero, "(= a (bvadd b #x00))", "(= a b)");
    check(zero, "(= a (bvadd b (_ bv0 8)))", "(= a b)");
    check(zero, "(= a (bvadd b #b00000000))", "(= a b)");
    check_stays(zero, "(= a (bvadd b #x01))");
    check_stays(zero, "(= a (bvadd #x00 b))");
    check("(rule r ((x Int)) (+ x 0) x)", "(= i (+ i 00))", "(= i i)");
    check_stays("(rule r ((x Real)) (+ x 0) x)", "(= i (+ i 0))");
}

#[test]
fn a_variable_twice_is_the_same_term() {
    let rule = "(rule r ((x ?A)) (= x x) true)";
    check(rule, "(= (f  p) (f p))", "true");
    check_stays(rule, "(= (f p) (f q))");
    check("(rule r ((c Bool) (x ?A)) (ite c x x) x)", "(= a (ite p b b))", "(= a b)");
}

#[test]
fn indices_and_numbers() {
    let merge = "(rule r ((x (_ BitVec n)) (i :index) (j :index)) \
        ((_ zero_extend i) ((_ zero_extend j) x)) ((_ zero_extend (+ i j)) x))";
    let deep = "(= ((_ zero_extend 2) ((_ zero_extend 3) a)) ((_ zero_extend 5) b))";
    check(merge, deep, "(= ((_ zero_extend 5) a) ((_ zero_extend 5) b))");
    let fold = "(rule r ((k (_ BitVec n) :literal) (i :index) (j :index)) ((_ extract i j) k) \
        (bits (div (value k) (pow2 j)) (+ (- i j) 1)))";
    check(fold, "(= a (concat ((_ extract 7 4) #xab) #x0))", "(= a (concat #xa #x0))");
    let shift =
        "(rule r ((x (_ BitVec n)) (k (_ BitVec n) :literal)) (bvshl x k) (_ bv0 n) :when (>= (value k) n))";
    check(shift, "(= a (bvshl b #x08))", "(= a #x00)");
    check_stays(shift, "(= a (bvshl b #x07))");
    check_stays(shift, "(= a (bvshl b a))");
}

#[test]
fn rests() {
    let rule = "(rule r ((xs Bool :rest) (ys Bool)) (and xs true ys) (and xs ys))";
    check(rule, "(and p q true r)", "(and p q r)");
    check(rule, "(and true r)", "(and r)");
    check_stays(rule, "(and p q r)");
    check("(rule r ((xs Bool :rest)) (or true xs) true)", "(or true p q)", "true");
    check("(rule r ((xs Bool :rest)) (or true xs) true)", "(or true)", "true");
    // An application without its arguments is not a term.
    check_stays("(rule r ((xs Bool :rest)) (or true xs) (or xs))", "(or true)");
}

#[test]
fn names_are_neither_lost_nor_doubled() {
    check("(rule r ((x Bool)) (not (not x)) x)", "(not (not (! p :named n)))", "(! p :named n)");
    check_stays("(rule r ((x Bool)) (and x false) false)", "(and (! p :named n) false)");
    check_stays("(rule r ((x Bool)) (not x) (xor true x x x))", "(not (! p :named n))");
}

#[test]
fn a_declared_symbol_is_no_operator() {
    let rule = read(b"(rule r ((x Bool)) (and x true) x)").unwrap().swap_remove(0);
    let view = SmtView::new(b"(declare-fun and (Bool Bool) Bool)(declare-const p Bool)(assert (and p true))");
    assert!(RulePass::new(rule, None).edits(&view).is_empty());
}

#[test]
fn errors_have_places_and_hints() {
    check_error("(rule r ((x Bool)) (not y) x)", "`y` is neither declared", "y");
    check_error("(rule r ((x Bool)) (nott x) x)", "`nott` is neither", "nott");
    check_error("(rule r ((x Boo)) (not x) x)", "`Boo` is not a sort", "Boo");
    check_error("(rule r ((x Bool) (x Bool)) (not x) x)", "declared twice", "x");
    check_error("(rule r ((not Bool)) (not x) x)", "is an operator", "not");
    check_error("(rule r ((x Bool) (y Bool)) (not x) y)", "does not have the variable `y`", "(not x)");
    check_error("(rule r ((x Bool)) x x)", "matches every term", "x");
    check_error("(rule r ((x Bool) (i :index)) (not x) x)", "does not determine `i`", "(not x)");
    check_error("(rule r ((x Bool)) (not x) x :if true)", "unexpected after", ":if");
    check_error("(rule r ((x Bool)) (not x) x :when (= (value x) 1))", "not a bit-vector literal", "x");
    check_error("(rule r ((x (_ BitVec 0))) (bvnot x) x)", "not a width", "0");
    check_error("(rule r ((x Bool)) (forall ((y Bool)) x) x)", "not supported in rules", "forall");
    check_error("(rule r ((xs Bool :rest)) (not xs) xs)", "is a rest", "xs");
    check_error("(rule r ((xs Bool :rest) (ys Bool :rest)) (and xs ys) true)", "one rest", "ys");
    check_error("(rule r)", "not a rule", "(rule r)");
    check_error("(rue r () true false)", "not a command", "rue");
    check_error("(rule r () true", "never closed", "(");
    check_error("(rule r () true false)(rule r () true false)", "two rules", "(rule r () true false)");
    let deep = format!("(rule r ((x Bool)) {}x{} x)", "(not ".repeat(40), ")".repeat(40));
    assert!(read(deep.as_bytes()).unwrap_err().message.contains("deep"));
}

#[test]
fn ill_sorted_rules_are_refused() {
    let instances = |text: &str| read(text.as_bytes()).unwrap().swap_remove(0).instances(4);
    let message = |text: &str| instances(text).map(|found| found.all.len()).unwrap_err().message;
    assert!(message("(rule r ((x Int)) (not x) x)").contains("the pattern is ill sorted"));
    assert!(message("(rule r ((x (_ BitVec n))) (bvcomp x x) x)").contains("at n = 2"));
    assert!(
        message("(rule r ((x (_ BitVec n))) (bvnot x) x :when (> n 9))").contains("excludes every width")
    );
    assert_eq!(instances("(rule r ((x (_ BitVec n))) (bvnot x) x)").unwrap().all.len(), 4);
    let extract =
        "(rule r ((x (_ BitVec n)) (i :index) (j :index)) ((_ extract i j) x) (bits 0 (+ (- i j) 1)))";
    // All 0 <= j <= i < n up to n = 4: 1 + 3 + 6 + 10.
    assert_eq!(instances(extract).unwrap().all.len(), 20);
}

#[test]
fn obligations_are_scripts() {
    let text =
        "(rule r ((x (_ BitVec n)) (k (_ BitVec n) :literal)) (bvshl x k) (_ bv0 n) :when (>= (value k) n))";
    let rule = read(text.as_bytes()).unwrap().swap_remove(0);
    let instance = rule.instances(3).unwrap().all.swap_remove(2);
    assert_eq!(instance.words(&rule), "n = 3");
    let script = rule.obligation(&instance).unwrap().script;
    let expected = "(declare-const x (_ BitVec 3))\n(declare-const k (_ BitVec 3))\n\
        (assert (bvsle #x0000000000000003 ((_ zero_extend 61) k)))\n\
        (assert (distinct (bvshl x k) (_ bv0 3)))\n(check-sat)\n";
    assert_eq!(script, expected);
}
