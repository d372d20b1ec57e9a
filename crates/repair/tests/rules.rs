//! Where a rule of C is violated, an edit is offered that prevents it: inserted into the text as printed, no run fails any more.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{applied, try_rank};
use nub_repair::{EditKind, EditText, Ranking, RepairProof, RepairSettings};

const HEAD: &str = "int nondet_int(void); unsigned nondet_unsigned(void); void nub_assume(int); \
                    void __CPROVER_assert(int, const char *);\n";

/// The ranking of a program in a file without a name, which has no macros.
#[track_caller]
fn ranked(text: &str) -> Option<Ranking> {
    try_rank(text, &[("", text.as_bytes())], &RepairSettings::default()).unwrap()
}

/// The first edit of one of the kinds for rules. It is proved, and right when it is applied.
#[track_caller]
fn rule_edit(text: &str) -> EditText {
    let text = format!("{HEAD}{text}");
    let found = ranked(&text).unwrap();
    let is_rule = |edit: &&EditText| matches!(edit.kind, EditKind::Wider | EditKind::Guard);
    let edits = found.lines.iter().flat_map(|line| line.edit.iter().chain(&line.alternatives));
    let edit = edits.into_iter().find(is_rule).unwrap_or_else(|| panic!("{found:#?}"));
    assert!(edit.is_proved);
    let again = ranked(&applied(&text, edit));
    assert!(again.is_none(), "{} fails: {again:#?}", applied(&text, edit));
    edit.clone()
}

/// The first line has an edit of this kind.
#[track_caller]
fn first(text: &str) -> (u32, EditText) {
    let found = ranked(&format!("{HEAD}{text}")).unwrap();
    let line = &found.lines[0];
    assert!(matches!(line.proof, RepairProof::Edited { .. }), "{found:#?}");
    (line.line - 1, line.edit.clone().unwrap())
}

#[test]
fn the_mean_of_two_numbers_in_a_wider_type() {
    let text = "static int mean(int a, int b) {
  return (a + b) / 2;
}
int main(void) {
  int a = nondet_int(), b = nondet_int();
  int m = mean(a, b);
  return m;
}
";
    let edit = rule_edit(text);
    assert_eq!(
        (edit.kind, edit.old.as_str(), edit.new.as_str()),
        (EditKind::Wider, "a + b", "(long long)a + b")
    );
    assert_eq!(edit.damage, 0.0);
    assert_eq!(first(text).0, 2);
}

/// The sum itself does not fit, in whatever type it is computed.
#[test]
fn a_sum_that_is_returned_needs_a_guard() {
    let edit = rule_edit(
        "static int sum(int a, int b) {
  return a + b;
}
int main(void) {
  int a = nondet_int(), b = nondet_int();
  return sum(a, b);
}
",
    );
    assert_eq!(edit.kind, EditKind::Guard);
    assert_eq!(edit.old, "");
    let whole = "(long long)a + b";
    assert_eq!(edit.new, format!("if ({whole} > 2147483647 || {whole} < (-2147483647 - 1)) return -1;"));
}

#[test]
fn limits_have_names_where_they_are_included() {
    let text = "/*\n#include <limits.h>\n*/\nstatic int next(int a) {\n  return a + 1;\n}\nint main(void) {\n  return next(nondet_int());\n}\n";
    let found = ranked(&format!("{HEAD}{text}")).unwrap();
    let line =
        found.lines.iter().find(|line| line.edit.as_ref().is_some_and(|edit| edit.kind == EditKind::Guard));
    assert_eq!(line.unwrap().edit.as_ref().unwrap().new, "if (a > INT_MAX - 1) return -1;");
}

#[test]
fn an_index_an_amount_a_divisor_and_a_pointer_are_guarded() {
    let cases = [
        (
            "static int t[8]; static int get(int i) {\n  return t[i];\n}",
            "get(nondet_int())",
            "i < 0 || i >= 8",
        ),
        (
            "static int t[8]; static int get(unsigned i) {\n  return t[i];\n}",
            "get(nondet_unsigned())",
            "i >= 8",
        ),
        ("static unsigned bit(int n) {\n  return 1u << n;\n}", "bit(nondet_int())", "n < 0 || n >= 32"),
        (
            "static unsigned part(unsigned a, unsigned b) {\n  return a / b;\n}",
            "part(nondet_unsigned(), nondet_unsigned())",
            "b == 0",
        ),
        ("static int x; static int at(int *p) {\n  return *p;\n}", "at(nondet_int() ? &x : 0)", "p == 0"),
    ];
    for (function, call, condition) in cases {
        let edit =
            rule_edit(&format!("{function}\nint main(void) {{\n  int r = (int){call};\n  return r;\n}}\n"));
        let value =
            if function.contains("unsigned bit") || function.contains("unsigned part") { "0" } else { "-1" };
        assert_eq!(edit.new, format!("if ({condition}) return {value};"));
    }
}

/// Both the index and the quotient may be wrong: one guard checks both.
#[test]
fn a_statement_that_breaks_two_rules() {
    let edit = rule_edit(
        "static int t[4]; static int get(unsigned i, unsigned n) {
  return t[i] + (int)(7u / n);
}
int main(void) {
  int r = get(nondet_unsigned(), nondet_unsigned());
  return r;
}
",
    );
    assert!(edit.new.contains("i >= 4") && edit.new.contains("n == 0"), "{}", edit.new);
}

/// The only statement of a branch gets a block.
#[test]
fn a_guard_inside_of_a_branch() {
    let edit = rule_edit(
        "static int t[4]; static int get(unsigned i, int on) {
  if (on)
    return t[i];
  return 0;
}
int main(void) {
  int r = get(nondet_unsigned(), nondet_int());
  return r;
}
",
    );
    assert_eq!(edit.new, "{ if (i >= 4) return -1; return t[i]; }");
}

/// A result of -1 would violate the assertion, and so would 0: a change that violates it is not a repair.
#[test]
fn a_guard_that_breaks_an_assertion_is_not_offered() {
    let text = "static int t[4] = {1, 2, 3, 4}; static int get(unsigned i) {
  return t[i];
}
int main(void) {
  int r = get(nondet_unsigned());
  __CPROVER_assert(r > 0, \"\");
  return 0;
}
";
    let found = ranked(&format!("{HEAD}{text}")).unwrap();
    let is_guard = |edit: &EditText| edit.kind == EditKind::Guard;
    let edits = || found.lines.iter().flat_map(|line| line.edit.iter().chain(&line.alternatives));
    assert!(!edits().any(is_guard), "{found:#?}");
}

/// The smallest and the largest of three numbers: the one assignment that differs from its siblings.
#[test]
fn the_wrong_target_of_an_assignment_is_first() {
    let text = include_str!("../../explain/tests/programs/extremes.c");
    let found = ranked(text).unwrap();
    let edit = found.lines[0].edit.as_ref().unwrap();
    assert_eq!((found.lines[0].line, edit.new.as_str()), (14, "low = b"));
}

/// `fib(0)` is 1 here, and so `fib(2)` is 2; what is meant is `return n`.
#[test]
fn the_edge_of_a_recursion() {
    let text = "static int fib(int n) {
  if (n < 2)
    return 1;
  return fib(n - 1) + fib(n - 2);
}
static const int right[] = {0, 1, 1, 2, 3};
int main(void) {
  int n = nondet_int();
  nub_assume(n >= 0 && n <= 4);
  int r = fib(n);
  __CPROVER_assert(r == right[n], \"\");
  return 0;
}
";
    let found = ranked(&format!("{HEAD}{text}")).unwrap();
    let edits: Vec<_> =
        found.lines.iter().flat_map(|line| &line.edit).map(|edit| edit.new.as_str()).collect();
    assert_eq!((found.lines[0].line, edits.first()), (4, Some(&"n")), "{edits:?}");
}
