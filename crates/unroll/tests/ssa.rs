//! Values as variables: the terms over inputs still replay, and every definition is true in every run.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{Random, Seen, check_run, function, generate, program, random_inputs};
use nub_bitvec::{Assignment, Op, TermId, evaluate};
use nub_unroll::{Guarded, Ssa, UnrollConfig, Unrolled, What, unroll, unroll_ssa};

fn config() -> UnrollConfig {
    let mut config = UnrollConfig::default();
    // Some programs have loops that never end.
    config.limits.max_constant_rounds = 16;
    config
}

/// The values of the variables of all definitions, from their terms over inputs.
fn with_variables(unrolled: &Unrolled, ssa: &Ssa, inputs: &Assignment) -> Assignment {
    let terms: Vec<TermId> = unrolled.assignments.iter().map(|found| found.term).collect();
    let values = evaluate(&unrolled.pool, inputs, &terms);
    let mut all = inputs.clone();
    for (definition, value) in ssa.definitions.iter().zip(values) {
        if unrolled.pool.op(definition.variable) == Op::Var {
            all.set(definition.variable, value);
        }
    }
    all
}

fn check_definitions(unrolled: &Unrolled, ssa: &Ssa, inputs: &Assignment) {
    let all = with_variables(unrolled, ssa, inputs);
    let value = |term: TermId| evaluate(&unrolled.pool, &all, &[term]).remove(0);
    for (definition, found) in ssa.definitions.iter().zip(&unrolled.assignments) {
        assert_eq!(value(definition.variable), value(definition.term), "{found:?}");
    }
    let same = |guarded: &Guarded, guard: TermId, condition: TermId| {
        assert_eq!(value(guarded.guard), value(guard));
        assert_eq!(value(guarded.condition), value(condition));
    };
    let checks = ssa.checks.iter().zip(&unrolled.checks);
    checks.for_each(|(a, b)| same(a, b.guard, b.condition));
    let asserts = ssa.asserts.iter().zip(&unrolled.asserts);
    asserts.for_each(|(a, b)| same(a, b.guard, b.condition));
    for (guard, over) in ssa.over.iter().zip(&unrolled.over) {
        assert_eq!(value(*guard), value(over.guard));
    }
}

#[test]
fn random_programs() {
    let mut n_variables = 0;
    for seed in 0..60 {
        let text = generate::program(&mut Random::new(seed));
        let program = program(&text);
        let (unrolled, ssa) = unroll_ssa(&program, function(&program, "f"), &config()).unwrap();
        assert_eq!(ssa.definitions.len(), unrolled.assignments.len());
        n_variables += ssa.definitions.iter().filter(|found| found.variable != found.term).count();
        let seen = Seen::new(&unrolled);
        let mut random = Random::new(seed ^ 0x5a5a);
        for _ in 0..3 {
            let values = random_inputs(&unrolled, &mut random);
            let check = std::panic::AssertUnwindSafe(|| {
                check_run(&program, &seen, &values);
                check_definitions(&unrolled, &ssa, &values);
            });
            std::panic::catch_unwind(check).unwrap_or_else(|_| panic!("seed {seed}:\n{text}"));
        }
    }
    assert!(n_variables > 1_000, "only {n_variables}");
}

/// Constants stay constants, so there are as many assignments, iterations and checks as in plain unrolling.
#[test]
fn nothing_is_more_open_than_without_variables() {
    for text in [
        "int f(int a) { int s = 0; for (int i = 0; i < 20; i++) s += a; return s; }",
        "int f(int a) { int b = a, n = b - a; for (int i = n; i < 12; i++) a++; return a; }",
        "int f(int a) { int x[3] = {a, a + 1, 2}; int *p = &x[1]; if (a > 3) p = &x[2]; return *p / 7; }",
    ] {
        let program = program(text);
        let id = function(&program, "f");
        let plain = unroll(&program, id, &UnrollConfig::default()).unwrap();
        let (unrolled, _) = unroll_ssa(&program, id, &UnrollConfig::default()).unwrap();
        assert_eq!(unrolled.assignments.len(), plain.assignments.len(), "{text}");
        assert_eq!(unrolled.over.len(), plain.over.len(), "{text}");
        assert_eq!(unrolled.checks.len(), plain.checks.len(), "{text}");
    }
}

/// The simplification of terms does not decide what is counted: a side of a branch that no run takes is included too, unless the condition is made of
/// constants. Nothing can be violated there.
#[test]
fn code_that_no_run_reaches_has_values() {
    for (text, n_more) in [
        // The guard, `return 100`, and `b` where paths merge.
        ("int f(int a) { int b = a; if (b > 3) { if (a <= 3) return 100; b = 1; } return b; }", 3),
        // The guard and its side; `a` where paths merge.
        ("int f(int a) { if ((a & 0) == 1) a = 1 / a; return a; }", 3),
        ("int f(int a) { int b = 2; if (b == 0) a = 1 / b; return a; }", 0),
        ("int f(int a) { switch (a & 0) { case 1: a = 3; break; default: a = 4; } return a; }", 3),
    ] {
        let program = program(text);
        let id = function(&program, "f");
        let plain = unroll(&program, id, &UnrollConfig::default()).unwrap();
        let (unrolled, _) = unroll_ssa(&program, id, &UnrollConfig::default()).unwrap();
        assert_eq!(unrolled.assignments.len(), plain.assignments.len() + n_more, "{text}");
        assert_eq!(unrolled.checks.len(), plain.checks.len(), "{text}");
        assert_eq!(unrolled.statements.len(), plain.statements.len(), "{text}");
    }
}

/// A definition reads what the source reads, not what those values were computed from.
#[test]
fn definitions_read_the_last_values() {
    let text = "int f(int a) { int b = a, c = b; if (c) c = b + 1; return c; }";
    let program = program(text);
    let (unrolled, ssa) = unroll_ssa(&program, function(&program, "f"), &UnrollConfig::default()).unwrap();
    let variables: Vec<TermId> = ssa.definitions.iter().map(|found| found.variable).collect();
    let whats: Vec<What> = unrolled.assignments.iter().map(|found| found.what).collect();
    let reads = |index: usize| -> Vec<usize> {
        let cone = nub_bitvec::cone(&unrolled.pool, &[ssa.definitions[index].term]);
        (0..variables.len()).filter(|at| cone.contains(&variables[*at])).collect()
    };
    // a, b, c, the guard, c, the phi, what is returned.
    assert_eq!(whats.len(), 7, "{whats:?}");
    let found: Vec<Vec<usize>> = (1..7).map(reads).collect();
    assert_eq!(found, [vec![0], vec![1], vec![2], vec![1], vec![2, 3, 4], vec![5]]);
}

/// A pointer with a variable still points to the same things, and dereferencing it reads the variable.
#[test]
fn pointers() {
    let text = "int f(int a) { int x = 1, y = 2; int *p = &x; if (a) p = &y; *p = 5; return x; }";
    let program = program(text);
    let (unrolled, ssa) = unroll_ssa(&program, function(&program, "f"), &UnrollConfig::default()).unwrap();
    let is_phi = |index: &usize| unrolled.assignments[*index].what == What::Phi;
    let pointer = (0..ssa.definitions.len()).find(is_phi).unwrap();
    let last = ssa.definitions.last().unwrap();
    let cone = nub_bitvec::cone(&unrolled.pool, &[last.term]);
    assert!(cone.contains(&ssa.definitions[pointer].variable));
}

/// After a decision its guards disappear: what follows does not depend on them.
#[test]
fn paths_meet_again() {
    for body in [
        "if (a && b && c) a = 1; else a = 2;",
        "if (a && (b || c)) a = 1;",
        "if (a) { if (b) a = 1; else if (c) a = 2; } else a = b && c;",
        "b = !a || (a && !(b > c)); c = a && (b >= 3) && (c >= 2);",
        "if (a) b = !g(a) || (g(b) && !(b > h(c))); else b = g(a) && (b >= 3) && (h(a) >= 2);",
        "a = (a && b) && (c && (a > 2)) || (!a && b);",
        "if (a && ((b && c) || !b)) { int x = k(a, b) && g(a), y = k(b, a) && g(b); if (x && y) a = 0; else if (x) a = 1; else if (y) a = 2; }",
        "if (a && ((b && c) || !b)) a = 0;",
        "int x = k(a, b); a = x;",
        "int x = k(a, b) && g(a); a = x;",
        "int x = k(a, b) && g(a), y = k(b, a) && g(b); a = x + y;",
        "int x = g(a), y = g(b); if (x && y) a = 0; else if (x) a = 1; else if (y) a = 2;",
        "if (g(a)) b = !g(b) || (g(b) && !(b > h(a)));",
        "b = !g(b) || (g(b) && !(b > h(a)));",
        "b = !g(b) || (g(b) && !(b > 3));",
        "b = !g(b) || !(b > h(a));",
        "if (a) b = h(a) && (b > 3);",
        "if (a < 1 || a > 10 || b != 8 || c < 8 || c > 15 || a == 5 || b == 5 || c == 9 || (a == 8 && c != 1) || b > 77 || b < -8) a = 3;",
        "switch (a) { case 1: b = 2; break; case 2: b = 3; case 4: c = 1; break; default: b = 7; }",
        "while (a > 0 && b < 4) { a--; if (c) break; }",
        "if (a > b) a = b; if (a <= b) c = 2; else c = 3;",
    ] {
        let text = format!(
            "void __CPROVER_assert(int, const char *); void __CPROVER_assume(int);
            int g(int a) {{ return a < 3; }} int h(int a) {{ if (a) return 1; return 2; }}
            int k(int a, int b) {{ int r; if (g(a)) r = !g(b) || (g(b) && !(b > h(a))); else r = g(a) && (b >= 3) && (h(a) >= 2); return r; }}
            void f(int a, int b, int c) {{ {body} __CPROVER_assert(a == 77, \"\"); }}"
        );
        let program = program(&text);
        let (unrolled, ssa) =
            unroll_ssa(&program, function(&program, "f"), &UnrollConfig::default()).unwrap();
        let guard = ssa.asserts[0].guard;
        let is_whole = unrolled.pool.value(guard).is_some_and(|value| value.is_one());
        assert!(is_whole || !unrolled.over.is_empty(), "{body}");
    }
}
