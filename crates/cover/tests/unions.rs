//! Unions among the inputs: a caller may have set any member.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::with_options;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::{CoverOptions, Memory, output};

/// All goals of condition/decision coverage are covered.
#[track_caller]
fn check(text: &str) {
    let readings = vec![CriterionReading::new(Criterion::ConditionDecision)];
    let options = CoverOptions { readings, memory: Memory::UpTo(64), ..CoverOptions::default() };
    let report = with_options(text, &options).unwrap();
    assert_eq!(report.summary.covered, report.summary.goals, "{}", output::table(&report));
}

#[test]
fn a_number_or_a_pointer() {
    check(
        "struct s { int k; union { long n; char *p; } u; };
        int f(struct s *s) { if (s->k) return s->u.n == 12345 ? 1 : 2; return s->u.p[0] == 'x' ? 3 : 4; }",
    );
    check(
        "union v { char *p; long n; } v;
        int f(union v v, int k) { if (k) return v.n == 12345 ? 1 : 2; return v.p[0] == 'x' ? 3 : 4; }",
    );
}

#[test]
fn a_function_or_an_object() {
    check(
        "union v { int (*f)(int); int *p; }; int g(int x) { return x; }
        int f(union v v, int k) { if (k) return v.f(k) > 3 ? 1 : 2; return *v.p == 9 ? 3 : 4; }",
    );
    check(
        "struct info { union { struct { const unsigned *pc; } l; struct { int (*k)(int); long old; } c; } u; };
        int f(struct info *i) { const unsigned *pc = i->u.l.pc; return *pc == 3 ? 1 : 2; }",
    );
}

/// A pointer lies where the member that is stored has two scalars, or bytes.
#[test]
fn a_pointer_across_other_scalars() {
    check(
        "struct a { int type; int *list; int n; }; struct b { int type; double x; char *name; };
        union e { int type; struct a a; struct b b; };
        int f(union e *e) {
            if (e->type == 1) return e->a.n > 0 && e->a.list[0] == 4;
            return e->type == 2 && e->b.x > 1.0 && e->b.name[0] == 'z';
        }",
    );
    check(
        "union u { char text[16]; struct { char *p; long n; } s; };
        int f(union u *u, int k) { if (k) return u->text[9] == 'q' ? 1 : 2; return u->s.p[0] == 'x' ? 3 : 4; }",
    );
    check(
        "union u { char text[20]; char *p; };
        int f(union u *u, int k) { if (k) return u->text[9] == 'q' ? 1 : 2; return u->p[0] == 'x' ? 3 : 4; }",
    );
}

#[test]
fn unions_in_unions_arrays_and_without_a_name() {
    check(
        "union any { int i; char *s; struct { union { int *q; float f; } in; short z; } n; };
        int f(union any a, int k) {
            switch (k) {
                case 0: return a.i < 0 ? 1 : 2;
                case 1: return a.s[2] == 'x' ? 3 : 4;
                case 2: return *a.n.in.q == 4 ? 5 : 6;
                case 3: return a.n.in.f > 3.5f ? 7 : 8;
                case 4: return a.n.z == 77 ? 9 : 10;
            }
            return 0;
        }",
    );
    check(
        "struct v { int tag; union { int i; const char *s; struct v *next; }; };
        int f(struct v v[2]) {
            if (v[0].tag == 1 && v[0].s[1] == 'b') return 1;
            return v[1].tag == 2 && v[1].next->tag == 3 && v[1].next->i == 7;
        }",
    );
}

/// Where the stored member has padding, another one has a number.
#[test]
fn numbers_in_padding() {
    check(
        "union u { struct { char c; double d; } s; unsigned words[4]; };
        int f(union u *u, int k) { return k ? u->words[0] == 0xabcd1234u : u->s.d > 1.0; }",
    );
}

/// What is written through one member is read through another.
#[test]
fn members_share_memory() {
    check(
        "struct s { int kind; union { int *p; long n; } u; };
        int f(struct s *s, int x) {
            if (s->kind == 1) { if (s->u.p) *s->u.p = x; return 1; }
            if (s->kind == 2) { s->u.n += x; return s->u.n > 100 ? 2 : 3; }
            s->u.n = 0;
            return 4;
        }",
    );
}

/// A `_Bool` holds 0 or 1, and not all bytes are a `long double`. Callers may have set a member that holds all values.
#[test]
fn members_with_more_values_than_others() {
    check(
        "union v { _Bool b; unsigned char c; };
        int f(union v v) { if (v.c > 1) return 1; if (v.b) return 2; return 0; }",
    );
    check(
        "struct m { int k; union { struct { _Bool on, off; } s; unsigned char raw[2]; } u; };
        int f(const struct m *m) { if (m->k == 1 && m->u.raw[0] > 1) return 1; if (m->k == 2 && m->u.s.off) return 2; return 0; }",
    );
    check(
        "union v { struct { _Bool b; int n; } s; unsigned char c; };
        int f(union v v, int k) { if (k) return v.c > 1; return v.s.b && v.s.n == 3; }",
    );
    check(
        "union v { struct { _Bool b; unsigned char c; } s; struct { unsigned char c; _Bool b; } t; };
        int f(union v v, int k) { if (k) return v.s.c > 1; return v.t.c > 1; }",
    );
    check(
        "union v { long double d; unsigned char b[16]; };
        int f(union v v) { if (v.b[9] == 0x7f && v.b[7] == 1) return 1; if (v.b[12] == 3) return 2; return 0; }",
    );
}
