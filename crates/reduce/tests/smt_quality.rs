//! Minima of reductions of SMT-LIB as equalities. Each case once ended with a result above the minimum; its name says
//! what was missing.
#![allow(clippy::unwrap_used)] // tests may panic

#[path = "common/quiet.rs"]
mod quiet;

use nub_edits::smtlib::SmtView;
use nub_reduce::strategies::auto::{ResultLayout, auto};
use nub_reduce::{AllowedCandidates, smt::SmtLib};
use nub_smtlib::{DeclKind, SmtSort};
use quiet::run_quietly;

#[track_caller]
fn check(text: &str, fails: impl Fn(&str) -> bool + Sync, expected: &str) {
    assert!(fails(text), "the original fails");
    let format = SmtLib::new(text.as_bytes(), AllowedCandidates::WellFormed);
    assert!(format.is_strict(), "the original is well formed");
    let fails = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok_and(&fails);
    let (bytes, _) =
        run_quietly(&format, text.as_bytes(), fails, |engine| auto(engine, ResultLayout::Compact));
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
}

/// Some declared function is applied to a value of a datatype.
fn applies_to_datatype(text: &str) -> bool {
    let view = SmtView::new(text.as_bytes());
    let is_datatype = |id| view.analysis().decl(id).kind == DeclKind::Datatype;
    view.terms().any(|term| {
        let is_declared = view
            .analysis()
            .head(term)
            .and_then(|head| head.decl)
            .is_some_and(|id| view.analysis().decl(id).kind == DeclKind::Fun);
        is_declared
            && view.args(term).filter_map(|arg| view.sort(arg)).any(
                |sort| matches!(view.analysis().sorts().get(sort), SmtSort::User(id, _) if is_datatype(*id)),
            )
    })
}

#[test]
fn levels_of_a_push() {
    let text = "(push 2)(assert false)(push 3)(check-sat)(pop 2)(pop 3)(exit)";
    check(text, |text| text.contains("(push") && text.contains("check-sat"), "(push 1)(check-sat)");
    check(text, |text| text.contains("(push 2"), "(push 2)");
}

#[test]
fn a_pop_alone() {
    let text = "(push 1)(push 1)(check-sat)(pop 1)(check-sat)(pop 1)";
    check(text, |text| text.matches("(push").count() == 2, "(push 1)(push 1)");
}

#[test]
fn a_function_on_the_way_to_a_predicate() {
    let text = "(declare-datatype D ((c (s Bool))))(declare-fun f (D) Int)(declare-fun p (Int) Bool)\
        (assert (forall ((x D)) (p (f x))))(check-sat)";
    let fails = |text: &str| text.contains("forall") && text.contains("Bool") && applies_to_datatype(text);
    check(text, fails, "(declare-datatype D((c)))(declare-fun p(D)Bool)(assert(forall((x D))(p c)))");
}

#[test]
fn indices_of_operators() {
    let text = "(declare-const s String)(assert (str.in_re s ((_ re.^ 40) (re.* (str.to_re \"ab\")))))";
    check(text, |text| text.contains("re.^"), "(assert(=((_ re.^ 0)re.all)re.all))");
}

#[test]
fn the_shorter_of_two_values() {
    let text = "(declare-const x Float32)(assert (fp.isNaN (fp.add RNE x x)))";
    check(text, |text| text.contains("fp.isNaN"), "(assert(fp.isNaN(_ NaN 2 3)))");
}

#[test]
fn patterns_of_a_match() {
    let text = "(declare-datatype L ((nil) (cons (head Int) (tail L))))(declare-const l L)\
        (assert (= 7 (match l ((nil 0) ((cons h t) (match t ((nil 1) ((cons i u) h))))))))";
    check(text, |text| text.contains("(match"), "(declare-datatype L((a)))\n(assert(= 0(match a((h 0)))))");
}

#[test]
fn attributes_of_a_command() {
    let text = "(declare-const p Bool)(assert-soft (not p) :weight 0.5 :id goal)(check-sat)";
    check(text, |text| text.contains("assert-soft"), "(assert-soft true)");
}

#[test]
fn texts_of_info() {
    let text = "(set-info :source |a long text,\nof two lines|)(set-info :notes |zzzzzzzzzzzzBUGzzzzzzzzzzzz|)(echo \"end of file\")(check-sat)";
    let fails = |text: &str| text.contains("source") && text.contains("zBUG") && text.contains("(echo \"");
    let expected = "(set-info :source a)(set-info :notes zBUG)(echo \"\")";
    check(text, fails, expected);
}

#[test]
fn neighbours_are_joined() {
    let text = "(declare-const p Bool)(declare-const q Bool)(assert (not p))(assert (not q))";
    let fails = |text: &str| text.contains("(not p)") && text.contains("(not q)");
    check(text, fails, "(declare-const p Bool)(declare-const q Bool)(assert(=(not p)(not q)))");
}
