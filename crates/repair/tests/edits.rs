//! Small edits of many kinds: each is ranked first, and inserted into the text as printed it makes the program right.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{applied, rank_text};
use nub_repair::{RankedLine, Ranking, RepairProof};

/// Declarations that every program needs; they are its first line.
const HEAD: &str = "int nondet_int(void); void nub_assume(int); void __CPROVER_assert(int, const char *);";

/// The ranking of a program; checks that no assertion fails with any edit that is reported as right.
#[track_caller]
fn ranked(text: &str) -> Ranking {
    let text = format!("{HEAD}\n{text}");
    let found = rank_text(&text).unwrap();
    for line in found.lines.iter().filter(|line| matches!(line.proof, RepairProof::Edited { .. })) {
        let edit = line.edit.as_ref().unwrap();
        assert!(rank_text(&applied(&text, edit)).is_none(), "not right: {edit:?}");
    }
    found
}

/// The first line has a right edit: what it replaces, and by what.
#[track_caller]
fn first_edit(text: &str) -> (String, String) {
    let found = ranked(text);
    let line: &RankedLine = &found.lines[0];
    assert!(matches!(line.proof, RepairProof::Edited { .. }), "{line:?}");
    let edit = line.edit.as_ref().unwrap();
    (edit.old.clone(), edit.new.clone())
}

#[track_caller]
fn check(text: &str, old: &str, new: &str) {
    assert_eq!(first_edit(text), (old.to_owned(), new.to_owned()));
}

#[test]
fn another_member() {
    let text = "struct span { int low, high; };
        static int width(const struct span *s) { return s->high - s->high; }
        int main(void) {
            struct span s = { nondet_int(), nondet_int() };
            nub_assume(s.low >= 0 && s.low <= s.high && s.high < 100);
            __CPROVER_assert(width(&s) == s.high - s.low, \"\");
            return 0;
        }";
    check(text, "s->high", "s->low");
}

#[test]
fn another_member_is_written() {
    let text = "struct pair { int a, b; } p;
        static void set(int x, int y) { p.a = x; p.a = y; }
        int main(void) {
            int x = nondet_int(), y = nondet_int();
            set(x, y);
            __CPROVER_assert(p.a == x && p.b == y, \"\");
            return 0;
        }";
    check(text, "p.a = y", "p.b = y");
}

#[test]
fn another_constant_of_the_enumeration() {
    let text = "enum light { RED, GREEN, YELLOW };
        static enum light next(enum light l) { return l == RED ? GREEN : l == GREEN ? RED : RED; }
        int main(void) {
            int l = nondet_int();
            nub_assume(l >= 0 && l <= 2);
            __CPROVER_assert((int)next((enum light)l) == (l + 1) % 3, \"\");
            return 0;
        }";
    check(text, "RED", "YELLOW");
}

#[test]
fn another_way_to_assign() {
    let text = "static int sum(int a, int b, int c) { int s = a; s += b; s = c; return s; }
        int main(void) {
            int a = nondet_int(), b = nondet_int(), c = nondet_int();
            nub_assume(a >= 0 && a < 99 && b >= 0 && b < 99 && c >= 0 && c < 99);
            __CPROVER_assert(sum(a, b, c) == a + b + c, \"\");
            return 0;
        }";
    check(text, "s = c", "s += c");
}

#[test]
fn arguments_in_the_other_order() {
    let text = "static int less(int a, int b) { return a < b; }
        static int is_sorted(int a, int b, int c) { return !less(b, a) && !less(b, c); }
        int main(void) {
            int a = nondet_int(), b = nondet_int(), c = nondet_int();
            __CPROVER_assert(is_sorted(a, b, c) == (a <= b && b <= c), \"\");
            return 0;
        }";
    check(text, "less(b, c)", "less(c, b)");
}

#[test]
fn one_more_at_an_index() {
    let text = "static int second(const int *a, int at) { return a[at]; }
        int main(void) {
            int a[4] = { nondet_int(), nondet_int(), nondet_int(), nondet_int() };
            int at = nondet_int();
            nub_assume(at >= 0 && at < 3);
            __CPROVER_assert(second(a, at) == a[at + 1], \"\");
            return 0;
        }";
    check(text, "at", "at + 1");
}

#[test]
fn a_sign_is_missing() {
    let text = "static int magnitude(int x) { if (x < 0) return x; return x; }
        int main(void) {
            int x = nondet_int();
            nub_assume(x > -1000 && x < 1000);
            __CPROVER_assert(magnitude(x) >= 0 && (magnitude(x) == x || magnitude(x) == -x), \"\");
            return 0;
        }";
    let (old, new) = first_edit(text);
    assert!((old.as_str(), new.as_str()) == ("x", "-x") || old == "x < 0", "{old} {new}");
}

/// `-1` for `1` would be `--1`.
#[test]
fn a_sign_is_too_many() {
    let text = "static int step(int up) { return up ? -1 : 0; }
        int main(void) {
            int up = nondet_int();
            __CPROVER_assert(step(up) == (up != 0), \"\");
            return 0;
        }";
    check(text, "-1", "1");
}

#[test]
fn a_bit_pattern_is_another() {
    let text = "static unsigned low(unsigned x) { return x & 0x7f; }
        int main(void) {
            unsigned x = (unsigned)nondet_int();
            __CPROVER_assert(low(x) == x % 64, \"\");
            return 0;
        }";
    check(text, "0x7f", "0x3f");
}

/// Without parentheses the text would be `a || b && c`.
#[test]
fn an_edit_can_be_put_in_as_it_is() {
    let text = "static int is_open(int a, int b, int c) { return a && b && c; }
        int main(void) {
            int a = nondet_int(), b = nondet_int(), c = nondet_int();
            __CPROVER_assert(is_open(a, b, c) == ((a || b) && c), \"\");
            return 0;
        }";
    check(text, "a && b", "(a || b)");
}

/// An edit of the harness's loop would silence the assertion. It is not the fault, though nothing else repairs all runs.
#[test]
fn the_harness_is_not_silenced() {
    let found = ranked(
        "static int n, items[4];
        static void put(int x) { if (n < 4) items[n] = x; }
        int main(void) {
            int step;
            for (step = 0; step < 3; step++) {
                if (step > 5)
                    return 0;
                put(nondet_int());
                __CPROVER_assert(n == step + 1, \"\");
            }
            return 0;
        }",
    );
    let lines: Vec<(&str, &str)> =
        found.lines.iter().map(|line| (line.function.as_str(), line.text.as_str())).collect();
    assert!(
        !lines.iter().any(|(_, text)| text.contains("step < 3") || text.contains("step > 5")),
        "{lines:?}"
    );
}
