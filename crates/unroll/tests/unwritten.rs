//! Values that were never written, however they reach the place where they are read: the interpreter knows each byte, and the terms must agree.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{Random, check_law, unrolled};
use nub_c_ir::CheckKind;
use nub_unroll::UnrollConfig;

/// Some runs of `f` read what was never written, and the terms and the interpreter agree on which.
#[track_caller]
fn is_unwritten(text: &str) {
    let whole = check_law(text, &UnrollConfig::default(), 40, &mut Random::new(1));
    assert!(whole < 40, "every run was defined:\n{text}");
    let (_, unrolled) = unrolled(text, &UnrollConfig::default());
    assert!(unrolled.checks.iter().any(|check| check.kind == CheckKind::Uninitialised), "{text}");
}

/// No run of `f` does, and no check is left for the solver.
#[track_caller]
fn is_written(text: &str) {
    assert_eq!(check_law(text, &UnrollConfig::default(), 40, &mut Random::new(1)), 40, "{text}");
    let (_, unrolled) = unrolled(text, &UnrollConfig::default());
    assert!(!unrolled.checks.iter().any(|check| check.kind == CheckKind::Uninitialised), "{text}");
}

const PAIR: &str = "struct pair { int a, b; }; union both { int whole; char first; };
    struct outer { union both u; int n; };";

#[track_caller]
fn with_types(judge: fn(&str), body: &str) {
    judge(&format!("{PAIR} {body}"));
}

#[test]
fn records_that_are_copied() {
    with_types(is_unwritten, "int f(void) { struct pair p; p.a = 1; struct pair q = p; return q.b; }");
    with_types(is_unwritten, "int f(void) { struct pair p, q = {0}; p.a = 1; q = p; return q.b; }");
    with_types(
        is_unwritten,
        "int g(struct pair p) { return p.b; } int f(void) { struct pair p; p.a = 1; return g(p); }",
    );
    with_types(
        is_unwritten,
        "struct pair g(void) { struct pair p; p.a = 1; return p; } int f(void) { return g().b; }",
    );
    with_types(
        is_unwritten,
        "struct pair kept; int f(int x) { struct pair p; p.a = x; if (x & 1) kept = p; return kept.b; }",
    );
    with_types(
        is_written,
        "struct pair g(struct pair p) { return p; } int f(int x) { struct pair p = { x }; return g(p).b + g(p).a; }",
    );
}

#[test]
fn the_rest_of_a_union() {
    with_types(is_unwritten, "int f(void) { union both u = { .first = 1 }; return u.whole; }");
    with_types(is_unwritten, "int f(void) { struct outer o = { { .first = 1 }, 2 }; return o.u.whole; }");
    with_types(is_unwritten, "int f(void) { struct outer o[2] = { [1].u.first = 1 }; return o[1].u.whole; }");
    with_types(is_unwritten, "int f(void) { return (union both){ .first = 1 }.whole; }");
    with_types(
        is_written,
        "int f(void) { struct outer o[2] = { [1].u.first = 1 }; return o[0].u.whole + o[1].n + o[1].u.first; }",
    );
    with_types(is_written, "int f(int x) { struct outer o = { { x } }; return o.u.first + o.n; }");
    with_types(is_written, "union both kept = { .first = 1 }; int f(void) { return kept.whole; }");
}

#[test]
fn bytes_that_are_copied() {
    let copies = "void *memcpy(void *, const void *, unsigned long);";
    is_unwritten(&format!("{copies} int kept; int f(void) {{ int x; memcpy(&kept, &x, 4); return kept; }}"));
    is_unwritten(&format!("{copies} int f(void) {{ int x, y = 0; memcpy(&y, &x, 4); return y; }}"));
    is_unwritten(&format!(
        "{copies} int g(int y) {{ int x; memcpy(&y, &x, 4); return y; }} int f(void) {{ return g(1); }}"
    ));
    is_written(&format!("{copies} int kept; int f(int x) {{ memcpy(&kept, &x, 4); return kept; }}"));
}

#[test]
fn initialisers_that_read_their_variable() {
    is_unwritten("int f(int x) { int y = y; return y; }");
    is_unwritten("int f(int x) { int n = 0; for (int i = x & 1 ? i : 0; i < 2; i++) n++; return n; }");
    is_unwritten("int f(int x) { int a[2] = { a[1], 1 }; return a[0]; }");
    is_written("int f(int x) { int y = (int)sizeof y; return y; }");
}

#[test]
fn initialisers_that_are_jumped_over() {
    is_unwritten("int f(int x) { switch (x & 1) { int y = 1; case 1: return y; } return 0; }");
    is_unwritten("int f(int x) { if (x & 1) goto end; int y = 1; end: return y; }");
    is_written("int f(int x) { if (x & 1) goto end; { int y = 1; x = y; } end: return 0; }");
}
