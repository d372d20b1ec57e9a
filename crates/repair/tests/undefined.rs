//! An edit that makes assertions hold by undefined behaviour is not right.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{applied, rank_text};
use nub_repair::Ranking;

const HEAD: &str = "int nondet_int(void); void nub_assume(int); void __CPROVER_assert(int, const char *);";

/// The ranking, and the edits that are called right: what they replace, and by what.
#[track_caller]
fn right(text: &str) -> (Ranking, Vec<(String, String)>) {
    let found = rank_text(&format!("{HEAD}\n{text}")).unwrap();
    let shown = found.lines.iter().flat_map(|line| line.edit.iter().chain(&line.alternatives));
    let right = shown.filter(|edit| edit.is_proved);
    let edits = right.map(|edit| (edit.old.clone(), edit.new.clone())).collect();
    (found, edits)
}

/// With `a + 1` the assertion holds wherever it is reached, but for the largest `a` the sum overflows.
#[test]
fn an_edit_that_overflows_is_not_right() {
    let (found, edits) = right(
        "static int f(int a) { return a > 0 ? a - 1 : a; }
         int main(void) { int a = nondet_int(), r = f(a); __CPROVER_assert(a <= 0 || r > a, \"\"); return 0; }",
    );
    assert!(!edits.iter().any(|(_, new)| new == "a + 1"), "{edits:?}\n{found:?}");
}

/// The same edit is right if no run has the largest number.
#[test]
fn an_edit_that_cannot_overflow_is_right() {
    let text = "static int f(int a) { return a > 0 ? a - 1 : a; }
        int main(void) {
            int a = nondet_int();
            nub_assume(a < 1000);
            int r = f(a);
            __CPROVER_assert(a <= 0 || r == a + 1, \"\");
            return 0;
        }";
    let (found, edits) = right(text);
    assert!(edits.contains(&("a - 1".to_owned(), "a + 1".to_owned())), "{edits:?}");
    let edit = found.lines[0].edit.as_ref().unwrap();
    assert!(rank_text(&applied(&format!("{HEAD}\n{text}"), edit)).is_none());
}

/// `v[1] -= 7` reads what was never written.
#[test]
fn an_edit_that_reads_what_was_never_written_is_not_right() {
    let (found, edits) = right(
        "static int f(int a) { int v[2]; v[0] = 0; v[1] = 7; return a == 3 ? v[1] : 0; }
         int main(void) { int r = f(nondet_int()); __CPROVER_assert(r != 7, \"\"); return 0; }",
    );
    assert!(!edits.is_empty(), "{found:?}");
    assert!(!edits.iter().any(|(_, new)| new.contains("-=")), "{edits:?}");
}

/// The sum overflows in some runs, with the edit and without it. The assertion is not about that.
#[test]
fn an_edit_need_not_repair_a_rule_that_was_broken_before() {
    let text = "static int sum(int a, int b) { return a + b; }
        static int larger(int a, int b) { return a > b ? b : a; }
        int main(void) {
            int a = nondet_int(), b = nondet_int();
            int s = sum(a, b), m = larger(a, b);
            __CPROVER_assert(m >= a && m >= b && (m == a || m == b) && s == a + b, \"\");
            return 0;
        }";
    let (found, edits) = right(text);
    assert!(edits.contains(&("a > b".to_owned(), "a < b".to_owned())), "{edits:?}\n{found:?}");
}

/// The original breaks a rule for one `b` only; the edit must not do so for others.
#[test]
fn a_rule_that_was_broken_before_excuses_no_other_run() {
    let (found, edits) = right(
        "static int f(int a, int b) { return a > 0 ? a - 1 + 10 / b : a; }
         int main(void) {
             int a = nondet_int(), b = nondet_int();
             nub_assume(b >= 0 && b < 20);
             int r = f(a, b);
             __CPROVER_assert(a <= 0 || r > a, \"\");
             return 0;
         }",
    );
    assert!(!edits.iter().any(|(_, new)| new == "a + 1"), "{edits:?}\n{found:?}");
}
