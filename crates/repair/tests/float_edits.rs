//! Small edits of programs with floats: each is ranked first, and inserted into the text as printed it makes the program right.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{applied, rank_text};
use nub_repair::{EditKind, EditText, RepairProof};

/// Declarations that every program needs; they are its first line.
const HEAD: &str = "float nondet_float(void); double nondet_double(void); int nondet_int(void); void nub_assume(int); \
     void __CPROVER_assert(int, const char *); double floor(double); double ceil(double); float fabsf(float);";

/// The first edit of a program, which makes it right.
#[track_caller]
fn first_edit(text: &str) -> EditText {
    let text = format!("{HEAD}\n{text}");
    let found = rank_text(&text).unwrap();
    let line = &found.lines[0];
    assert!(matches!(line.proof, RepairProof::Edited { .. }), "{line:?}");
    let edit = line.edit.clone().unwrap();
    assert!(rank_text(&applied(&text, &edit)).is_none(), "not right: {edit:?}");
    edit
}

#[track_caller]
fn check(text: &str, kind: EditKind, old: &str, new: &str) {
    let edit = first_edit(text);
    assert_eq!((edit.kind, edit.old.as_str(), edit.new.as_str()), (kind, old, new));
}

#[test]
fn another_comparison() {
    let text = "static int is_warm(float t) { return t > 20.0f; }
        int main(void) {
            float t = nondet_float();
            __CPROVER_assert(is_warm(t) == (t >= 20.0f), \"\");
            return 0;
        }";
    check(text, EditKind::Operator, "t > 20.0f", "t >= 20.0f");
}

#[test]
fn another_constant() {
    let text = "static float clamp(float x) { return x > 2.5f ? 2.0f : x; }
        int main(void) {
            float x = nondet_float();
            nub_assume(x == x);
            __CPROVER_assert(clamp(x) == (x < 2.0f ? x : 2.0f), \"\");
            return 0;
        }";
    check(text, EditKind::Number, "2.5f", "2.0f");
}

#[test]
fn a_neighbouring_constant() {
    let text = "static int is_small(double x) { return x <= 0.1; }
        int main(void) {
            double x = nondet_double();
            __CPROVER_assert(is_small(x) == (x < 0.1 || x == 0.1 || x == 0.10000000000000002), \"\");
            return 0;
        }";
    check(text, EditKind::Number, "0.1", "0.10000000000000002");
}

#[test]
fn another_variable() {
    let text = "static float larger(float a, float b) { return a < b ? a : a; }
        int main(void) {
            float a = nondet_float(), b = nondet_float();
            nub_assume(a == a && b == b);
            float m = larger(a, b);
            __CPROVER_assert(m >= a && m >= b, \"\");
            return 0;
        }";
    check(text, EditKind::Name, "a", "b");
}

#[test]
fn a_check_for_nan() {
    let text = "static float positive(float x) { return x < 0.0f ? 0.0f : x; }
        int main(void) {
            __CPROVER_assert(positive(nondet_float()) >= 0.0f, \"\");
            return 0;
        }";
    let edit = first_edit(text);
    assert_eq!((edit.kind, edit.old.as_str()), (EditKind::NanCheck, "x < 0.0f"));
}

#[test]
fn a_tolerance() {
    let text = "static int is_same(float a, float b) { return a == b; }
        int main(void) {
            int n = nondet_int();
            nub_assume(n >= 1 && n <= 40);
            float x = n * 0.1f, y = n / 10.0f;
            __CPROVER_assert(is_same(x, y) && is_same(y, x), \"\");
            __CPROVER_assert(!is_same(x, y + 0.05f) && !is_same(y + 0.05f, x), \"\");
            return 0;
        }";
    let edit = first_edit(text);
    assert_eq!((edit.kind, edit.old.as_str()), (EditKind::Tolerance, "a == b"));
    assert!(edit.new.starts_with("__builtin_fabsf(a - b) <= 1e-"), "{edit:?}");
}

#[test]
fn another_rounding() {
    let text = "static double whole(double x) { return x < 0 ? floor(x) : floor(x); }
        int main(void) {
            double x = nondet_double();
            nub_assume(x > -100.0 && x < 100.0);
            double y = whole(x);
            __CPROVER_assert(x < 0 ? y >= x && y < x + 1 : y <= x && y > x - 1, \"\");
            return 0;
        }";
    let edit = first_edit(text);
    assert_eq!((edit.kind, edit.old.as_str()), (EditKind::Rounding, "floor(x)"));
}

#[test]
fn another_precision() {
    let text = "static int is_tenth(float x) { return x == 0.1; }
        int main(void) {
            __CPROVER_assert(is_tenth(0.1f), \"\");
            __CPROVER_assert(!is_tenth(nondet_int() & 7), \"\");
            return 0;
        }";
    check(text, EditKind::Precision, "0.1", "0.1f");
}

#[test]
fn a_sum_that_overflows() {
    let text = "static float mean(float a, float b) { return (a + b) / 2.0f; }
        int main(void) {
            float a = nondet_float();
            nub_assume(a >= 1.0f && a - a == 0.0f);
            __CPROVER_assert(mean(a, a) == a, \"\");
            return 0;
        }";
    check(text, EditKind::Precision, "(a + b) / 2.0f", "((double)a + b) / 2.0f");
}

#[test]
fn inputs_are_shown_as_floats() {
    let text = format!(
        "{HEAD}\nstatic float half(float x) {{ return x * 0.25f; }}
        int main(void) {{
            float x = nondet_float();
            nub_assume(x == 1.5f);
            __CPROVER_assert(half(x) == 0.7109375f, \"\");
            return 0;
        }}"
    );
    let found = rank_text(&text).unwrap();
    assert_eq!(found.counterexamples[0][0].1, "1.5f");
    let evidence = found.lines.iter().find_map(|line| line.evidence.as_ref()).unwrap();
    assert_eq!((evidence.now.as_str(), evidence.repaired.as_str()), ("0.375f", "0.7109375f"));
}

/// The second check repeats the first, so it does nothing. The last line could be fixed, too.
#[test]
fn a_decision_that_does_nothing_comes_first() {
    let text = "static int is_nan(double x) { return x != x; }
        static double difference(double x, double y) {
            if (is_nan(x)) return x;
            if (is_nan(x)) return y;
            return x > y ? x - y : 0;
        }
        static int is_same(double a, double b) { return a == b || (a != a && b != b); }
        int main(void) {
            double x = nondet_double(), y = nondet_double();
            double wanted = is_nan(x) ? x : is_nan(y) ? y : x > y ? x - y : 0;
            __CPROVER_assert(is_same(difference(x, y), wanted), \"\");
            return 0;
        }";
    check(text, EditKind::Name, "x", "y");
}

/// The fault is in the declaration: the computation is right, but the variable cannot hold the result.
#[test]
fn another_type_for_a_variable() {
    let text = "static int is_above(int n)
        {
            float x = n;
            return x > 16777216.0f;
        }
        int main(void) {
            int n = nondet_int();
            __CPROVER_assert(is_above(n) == (n > 16777216), \"\");
            return 0;
        }";
    check(text, EditKind::Type, "float", "double");
    let text = "static int is_most(float share)
        {
            int doubled;
            doubled = share * 2.0f;
            return doubled > 1;
        }
        int main(void) {
            float share = nondet_float();
            nub_assume(share >= 0.0f && share <= 1.0f);
            __CPROVER_assert(is_most(share) == (share > 0.5f), \"\");
            return 0;
        }";
    check(text, EditKind::Type, "int", "double");
    let found = rank_text(&format!("{HEAD}\n{text}")).unwrap();
    assert_eq!(found.lines[0].line, 4, "the line of the declaration");
}

/// Inputs with few values: a tolerance that needs no proof about division.
#[test]
fn a_tolerance_for_all_values_of_an_input() {
    let text = "static float to_fahrenheit(float c) { return c * 1.8f + 32.0f; }
        static float to_celsius(float f) { return (f - 32.0f) / 1.8f; }
        static int is_same(float a, float b)
        {
            float d = a - b;
            if (d < 0.0f)
                d = -d;
            return d == 0.0f;
        }
        int main(void) {
            int n = nondet_int();
            nub_assume(n >= -100 && n <= 250);
            float c = n * 0.1f;
            __CPROVER_assert(is_same(c, to_celsius(to_fahrenheit(c))), \"\");
            return 0;
        }";
    let edit = first_edit(text);
    assert_eq!((edit.kind, edit.old.as_str()), (EditKind::Tolerance, "d == 0.0f"));
}
