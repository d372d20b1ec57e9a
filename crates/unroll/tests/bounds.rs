//! Bounds, limits, refusals and size.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{Random, Seen, check_law, random_inputs, try_unroll, unrolled};
use nub_bitvec::{Assignment, Datum, Value};
use nub_unroll::{
    AssignmentTarget, Bounded, Globals, InputPlace, Limit, UnrollConfig, UnrollRefusal, Unrolled, What,
};
use std::fmt::Write;

fn with_unwind(unwind: u32) -> UnrollConfig {
    UnrollConfig { unwind, ..UnrollConfig::default() }
}

/// Values for inputs in their order.
fn inputs(unrolled: &Unrolled, numbers: &[u64]) -> Assignment {
    let mut values = Assignment::new();
    for (input, number) in unrolled.inputs.iter().zip(numbers) {
        let width = unrolled.pool.width(input.term);
        values.set(input.term, Datum::Bits(Value::from_u64(width, *number)));
    }
    values
}

/// A bound of n means n executions of the body: a run that needs more is cut, and no other run.
#[test]
fn the_bound_counts_runs_of_the_body() {
    let loops = [
        "int f(unsigned n) { int k = 0; while (n > 0) { n--; k++; } return k; }",
        "int f(unsigned n) { int k = 0; for (unsigned i = 0; i < n; i++) k++; return k; }",
        "int f(unsigned n) { int k = 0; do { k++; } while (k < n); return k; }",
        "int f(unsigned n) { int k = 0; again: if (k < n) { k++; goto again; } return k; }",
    ];
    for text in loops {
        for bound in 1..5 {
            let (_, unrolled) = unrolled(text, &with_unwind(bound));
            assert_eq!(unrolled.over.len(), 1, "{text}");
            let seen = Seen::new(&unrolled);
            for n in 0..8 {
                let values = inputs(&unrolled, &[n]);
                let run = seen.run(&values);
                // For a loop made by `goto`, the body includes the condition.
                let n_bodies = if text.contains("goto") {
                    n + 1
                } else if text.contains("do") {
                    n.max(1)
                } else {
                    n
                };
                let is_over = n_bodies > u64::from(bound);
                assert_eq!(run.holds(unrolled.over[0].guard), is_over, "{n} rounds, bound {bound}: {text}");
                assert_eq!(run.holds(unrolled.returned), !is_over);
            }
        }
    }
}

#[test]
fn constant_loops_need_no_bound() {
    let (_, unrolled) = unrolled(
        "int f(int a) { int s = 0; for (int i = 0; i < 100; i++) { if (a == i) return s; s += i & 3; } return s; }",
        &with_unwind(1),
    );
    assert!(unrolled.over.is_empty());
    let (_, endless) = common::unrolled("int f(int a) { for (;;) a ^= 1; return a; }", &with_unwind(3));
    assert_eq!(endless.over.len(), 1);
    assert_eq!(nub_bitvec::Value::one(1), endless.pool.value(endless.over[0].guard).unwrap().clone());
    assert!(endless.result.is_none());
}

#[test]
fn bounds_of_single_loops_and_of_recursion() {
    let text = "int f(unsigned n) { int k = 0; while (n > 0) { n--; k++; } while (k > 0) k--; return k; }";
    let program = common::program(text);
    let id = common::function(&program, "f");
    let mut config = with_unwind(2);
    config.loops.insert((id, nub_c_ir::LoopId(1)), 5);
    let unrolled = nub_unroll::unroll(&program, id, &config).unwrap();
    let mut bounds: Vec<u32> = unrolled.over.iter().map(|over| over.bound).collect();
    bounds.dedup();
    assert_eq!(bounds, [2, 5]);

    let text = "static int g(unsigned n) { return n ? 1 + g(n - 1) : 0; } int f(unsigned n) { return g(n); }";
    let (_, unrolled) = common::unrolled(text, &UnrollConfig { recursion: 3, ..UnrollConfig::default() });
    assert!(matches!(unrolled.over[0].bounded, Bounded::Recursion(_)));
    let seen = Seen::new(&unrolled);
    for n in 0..6 {
        let values = inputs(&unrolled, &[n]);
        assert_eq!(seen.run(&values).holds(unrolled.over[0].guard), n >= 3);
    }
}

/// Memory at a numeric address is not modelled: runs that use it end there, and nothing is claimed about them.
#[test]
fn memory_at_a_number_is_a_bound() {
    let text = "int f(unsigned long a, int b) { if (b) return *(int *)a; return 1; }";
    let (_, unrolled) = unrolled(text, &UnrollConfig::default());
    let [over] = unrolled.over.as_slice() else { panic!("{:?}", unrolled.over) };
    assert_eq!(over.bounded, Bounded::Address);
    assert!(!over.bounded.can_be_raised());
    let seen = Seen::new(&unrolled);
    for b in [0, 1] {
        let run = seen.run(&inputs(&unrolled, &[64, b]));
        assert_eq!((run.holds(over.guard), run.holds(unrolled.returned)), (b == 1, b == 0));
        assert!(unrolled.checks.iter().all(|check| !run.holds(check.guard) || run.holds(check.condition)));
    }
}

/// The effect of a function without a body is unknown: runs that call it end there.
#[test]
fn a_call_without_a_body_is_a_bound() {
    let text = "int g(int); int f(int a) { if (a) return g(a) + 1; return 0; }";
    let (_, unrolled) = unrolled(text, &UnrollConfig::default());
    let [over] = unrolled.over.as_slice() else { panic!("{:?}", unrolled.over) };
    assert_eq!((over.bounded, &text[over.origin.span.range()]), (Bounded::Unmodelled, "g(a)"));
    let seen = Seen::new(&unrolled);
    for a in [0, 1] {
        let run = seen.run(&inputs(&unrolled, &[a]));
        assert_eq!((run.holds(over.guard), run.holds(unrolled.returned)), (a == 1, a == 0));
    }
}

#[test]
fn too_many_instructions_are_refused() {
    let config = UnrollConfig { unwind: 1_000_000, ..UnrollConfig::default() };
    let (_, endless) = try_unroll("int f(int n) { int k = 0; while (n != k) k += 3; return k; }", &{
        let mut config = config;
        config.limits.max_instructions = 10_000;
        config
    });
    assert!(matches!(endless, Err(UnrollRefusal::Limit(Limit::Instructions(10_000), _))));
}

#[test]
fn globals_are_inputs_if_asked() {
    let text = "static int n = 3; const int k = 4; extern int e; int f(void) { static int s = 1; return n + k + e + s; }";
    let names = |globals: Globals| {
        let (_, unrolled) = unrolled(text, &UnrollConfig { globals, ..UnrollConfig::default() });
        unrolled.inputs.iter().map(|input| input.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(Globals::Initial), ["e"]);
    assert_eq!(names(Globals::Inputs), ["n", "e"]);
    let config = UnrollConfig { globals: Globals::Inputs, ..UnrollConfig::default() };
    let whole = check_law(
        &text.replace("n + k", "n % 9 + k").replace("+ e", "+ e % 9"),
        &config,
        50,
        &mut Random::new(3),
    );
    assert_eq!(whole, 50);
}

#[test]
fn names_are_those_of_the_source() {
    let text = "struct p { int x; struct { short s[2]; } in; }; int g[3];
        int f(struct p *p, char *s, int **q) { g[1] = p->x; p->in.s[1] = 3; **q = 1; return s[2] + *s; }";
    let (program, unrolled) = unrolled(text, &UnrollConfig::default());
    let names: Vec<&str> = unrolled.inputs.iter().map(|input| input.name.as_str()).collect();
    assert_eq!(names, ["p->x", "s[2]", "*s"]);
    let stored = unrolled.assignments.iter().filter(|found| found.what == What::Store);
    let targets: Vec<String> = stored.map(|found| unrolled.target_name(&program, found.target)).collect();
    assert_eq!(targets, ["g[1]", "p->in.s[1]", "**q"]);
    let outputs: Vec<&str> = unrolled.outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(outputs.len(), 3);
    assert!(matches!(unrolled.inputs[0].place, InputPlace::Parameter { index: 0, .. }));
}

/// A null pointer only on request, and then as one more input.
#[test]
fn null_only_if_asked() {
    let text = "int f(int *p) { if (!p) return 1; return *p & 1; }";
    assert_eq!(unrolled(text, &UnrollConfig::default()).1.decisions[0].outcomes.len(), 1);
    let mut config = UnrollConfig::default();
    config.pointers.may_be_null = true;
    assert_eq!(unrolled(text, &config).1.decisions[0].outcomes.len(), 2);
    assert_eq!(check_law(text, &config, 50, &mut Random::new(5)), 50);
}

/// One phi per variable and merge point, none for what is uninitialised on one side, and guards that do not grow.
#[test]
fn phis_and_guards() {
    let text = "int f(int a, int b) { int x = 1, y = 1, z; if (a > 0) { x = 2; z = 5; } if (b > 0) { x += 6; y = 3; } return x + y; }";
    let (program, unrolled) = unrolled(text, &UnrollConfig::default());
    let phis = unrolled.assignments.iter().filter(|found| found.what == What::Phi);
    let names: Vec<String> = phis.clone().map(|found| unrolled.target_name(&program, found.target)).collect();
    assert_eq!(names, ["x", "x", "y"]);
    let truth = unrolled.returned;
    assert!(phis.clone().all(|found| found.guard == truth), "after an `if` the path is the one before it");
    assert!(phis.clone().all(|found| matches!(found.target, AssignmentTarget::Part { .. })));
    assert_eq!(unrolled.assignments.iter().filter(|found| matches!(found.what, What::Guard(_))).count(), 2);
}

/// Terms, assignments and guards of a long body grow linearly with its length.
#[test]
fn long_bodies_cost_what_they_are_long() {
    let size = |n: usize| {
        let mut text = "int g; int f(unsigned a, unsigned b) { unsigned x = 0; int t[8] = {0};\n".to_owned();
        for line in 0..n {
            let _ = match line % 5 {
                0 => writeln!(text, "if (a > {line}) x += b; else x ^= {line};"),
                1 => writeln!(text, "if (b == {line}) return {line};"),
                2 => writeln!(text, "unsigned v{line} = x * {line}u; g = g ^ v{line};"),
                3 => writeln!(text, "t[x & 7] = a & {line};"),
                _ => writeln!(text, "switch (x & 3) {{ case 0: a++; break; case 1: b--; case 2: x++; }}"),
            };
        }
        text.push_str("return t[a & 7]; }");
        let (_, unrolled) = unrolled(&text, &UnrollConfig::default());
        (unrolled.pool.len(), unrolled.assignments.len())
    };
    let (small, large) = (size(300), size(3_000));
    assert!(large.0 < small.0 * 11, "terms: {small:?} {large:?}");
    assert!(large.1 < small.1 * 11, "assignments: {small:?} {large:?}");
}

#[test]
fn deep_nesting_and_long_chains() {
    let mut text = "int f(int a) { int n = 0;".to_owned();
    for depth in 0..60 {
        let _ = write!(text, "if (a > {depth}) {{ n++;");
    }
    text.push_str(&"}".repeat(60));
    text.push_str("return n");
    text.push_str(&" + a % 3".repeat(2_000));
    text.push_str("; }");
    let (program, unrolled) = unrolled(&text, &UnrollConfig::default());
    let seen = Seen::new(&unrolled);
    let values = random_inputs(&unrolled, &mut Random::new(2));
    common::check_run(&program, &seen, &values);
    assert_eq!(unrolled.decisions.len(), 60);
}

/// Parameters of all kinds, and empty functions.
#[test]
fn odd_functions() {
    let config = {
        let mut config = UnrollConfig::default();
        config.limits.max_instructions = 100_000;
        config
    };
    let texts = [
        "void f(void) { }",
        "int f(void) { }",
        "int f(void) { return f(); }",
        "int f(int n) { return n > 0 ? f(n - 1) + f(n - 2) : 1; }",
        "struct s; int f(struct s *p) { return p != 0; }",
        "int f(void *p) { return *(int *)p + ((char *)p)[4]; }",
        "struct l { struct l *next; int v; }; int f(struct l *p) { int n = 0; while (p) { n += p->v & 1; p = p->next; } return n; }",
        "static int g(int a) { return a; } static int h(int a) { return -a; } int f(int (*p)(int), int a) { return p(a); } int (*all[])(int) = {g, h};",
        "int f(int (*p)(int), int a) { return p(a); }",
        "int f(char **v) { return v[0][0]; }",
        "int f(int t[4][3], int i) { return t[1][i]; }",
        "union u { int n; char c[9]; }; int f(union u u) { return u.c[8] + u.n; }",
        "struct e { }; int f(struct e e) { return sizeof e; }",
        "struct v { int n; char data[]; }; int f(struct v *p, int i) { return p->data[i]; }",
        "int f(__int128 a, unsigned __int128 b) { return (int)(a * 3 >> 70) + (b > 5); }",
        "int f(int a) { int t[1000000]; t[a] = 1; return 0; }",
        "int f(int a) { a: goto a; }",
    ];
    for text in texts {
        let (_, unrolled) = try_unroll(text, &config);
        match unrolled {
            Ok(unrolled) => assert!(unrolled.inputs.iter().all(|input| !input.name.is_empty()), "{text}"),
            Err(refusal) => assert!(!refusal.diagnostics().is_empty(), "{text}"),
        }
    }
}

/// The caller's clock can stop it at any instruction.
#[test]
fn it_ends_when_the_time_is_over() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let text = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }";
    let n_asked = std::sync::Arc::new(AtomicUsize::new(0));
    let counter = n_asked.clone();
    let patience = nub_unroll::Patience::until(move || counter.fetch_add(1, Ordering::Relaxed) == 9);
    let config = UnrollConfig { unwind: 1_000, patience, ..UnrollConfig::default() };
    let (_, found) = common::try_unroll(text, &config);
    assert!(matches!(found, Err(nub_unroll::UnrollRefusal::Limit(nub_unroll::Limit::Time, _))), "{found:?}");
    assert_eq!(n_asked.load(Ordering::Relaxed), 10);
}

/// A call that is too much work is cut; runs that return from it early, and those that do not make it, continue.
#[test]
fn a_long_call_is_a_bound() {
    let text = "static int work(int n) { if (n < 0) return 7; for (int i = 0; i < 50; i++) n = n * n + i; return n; }
        static int small(int n) { return n + 1; }
        int f(int a, int b) { int r = 0; if (b > 0) r = work(a); if (r == 7) return small(a); return 2; }";
    let mut config = UnrollConfig::default();
    let (_, whole) = unrolled(text, &config);
    assert!(whole.over.is_empty());
    config.limits.max_call_terms = Some(40);
    let (_, cut) = unrolled(text, &config);
    let [over] = cut.over.as_slice() else { panic!("{:?}", cut.over) };
    assert_eq!(over.bounded, Bounded::LongCall);
    assert!(!over.bounded.can_be_raised());
    let (seen_whole, seen_cut) = (Seen::new(&whole), Seen::new(&cut));
    for (a, b) in [(0_u64, 0_u64), (3, 1), (u64::from(u32::MAX), 1), (u64::from(u32::MAX), 0)] {
        let is_cut = b == 1 && a == 3;
        let run = seen_cut.run(&inputs(&cut, &[a, b]));
        assert_eq!((run.holds(over.guard), run.holds(cut.returned)), (is_cut, !is_cut), "{a} {b}");
        if !is_cut {
            let expected = seen_whole.run(&inputs(&whole, &[a, b]));
            assert_eq!(run.of(cut.result.unwrap()), expected.of(whole.result.unwrap()), "{a} {b}");
        }
    }
}
