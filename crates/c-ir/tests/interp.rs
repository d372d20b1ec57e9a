//! One run per case: what it returns, or why it stops.
#![allow(clippy::unwrap_used)]

use nub_c_ir::interp::{InterpretedRun, RunOutcome, RuntimeValue, TraceEvent};
use nub_c_ir::{
    Argument, CheckKind, DataModel, InterpreterLimits, Program, Recording, RunInputs, StopKind, lower, run,
    validate,
};

fn lowered(text: &str, model: &DataModel) -> Program {
    let (unit, syntax) = nub_c_syntax::parse(text.as_bytes());
    assert!(syntax.iter().all(|found| found.severity != nub_text::Severity::Error), "{syntax:?}\n{text}");
    let (program, _) = lower(&unit, model);
    validate(&program).unwrap();
    program
}

fn run_with(text: &str, model: &DataModel, inputs: &RunInputs, limits: &InterpreterLimits) -> InterpretedRun {
    let program = lowered(text, model);
    let start = program.function_by_name("f").unwrap();
    assert_eq!(program.refusals(start), [], "{text}");
    run(&program, start, inputs, limits)
}

#[track_caller]
fn returns(text: &str, expected: u128) {
    let found = run_with(text, &DataModel::lp64(), &RunInputs::default(), &InterpreterLimits::default());
    assert_eq!(
        (found.outcome, found.returned),
        (RunOutcome::Returned, Some(RuntimeValue::Int(expected))),
        "{text}"
    );
}

#[track_caller]
fn undefined(text: &str, expected: CheckKind) {
    let found = run_with(text, &DataModel::lp64(), &RunInputs::default(), &InterpreterLimits::default());
    match found.outcome {
        RunOutcome::Undefined(kind, _) => assert_eq!(kind, expected, "{text}"),
        other => panic!("{other:?}\n{text}"),
    }
}

#[test]
fn undefined_behaviour_is_noticed() {
    undefined("int f(void) { int x = 2147483647; return x + 1; }", CheckKind::Overflow);
    undefined("int f(void) { int x = -2147483647 - 1; return -x; }", CheckKind::Overflow);
    undefined("int f(void) { int x = -2147483647 - 1, y = -1; return x / y; }", CheckKind::Overflow);
    undefined("int f(void) { int x = -2147483647 - 1, y = -1; return x % y; }", CheckKind::Overflow);
    undefined("int f(void) { int x = 0; return 5 / x; }", CheckKind::DivisionByZero);
    undefined("int f(void) { int x = 32; return 1 << x; }", CheckKind::ShiftAmount);
    undefined("int f(void) { int x = -1; return 1 >> x; }", CheckKind::ShiftAmount);
    undefined("int f(void) { int x = -1; return x << 1; }", CheckKind::ShiftBase);
    undefined("int f(void) { int x = 1; return x << 31; }", CheckKind::ShiftBase);
    undefined("int f(void) { int a[3] = { 0 }, i = 3; return a[i]; }", CheckKind::Bounds);
    undefined("int f(void) { int a[3] = { 0 }, i = -1; return a[i]; }", CheckKind::Bounds);
    undefined("int f(void) { int a[2][3] = { 0 }, i = 3; return a[0][i]; }", CheckKind::Bounds);
    undefined("int f(void) { int *p = 0; return *p; }", CheckKind::Null);
    undefined("struct s { int a[2]; }; int f(void) { struct s *p = 0; return *p->a; }", CheckKind::Null);
    undefined("int f(void) { int a[3] = { 0 }, i = 3; return *(a + i); }", CheckKind::Bounds);
    undefined("int f(void) { int a[3] = { 0 }, *p = a + 3; return *p; }", CheckKind::Pointer);
    undefined(
        "int *g(void) { int x = 1; int *p = &x; return p; } int f(void) { return *g(); }",
        CheckKind::Pointer,
    );
    undefined("int f(void) { int x; return x; }", CheckKind::Uninitialised);
    undefined("int f(void) { int a[2]; a[0] = 1; return a[1]; }", CheckKind::Uninitialised);
    undefined(
        "int f(void) { int s = 0; for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1; s += x; } return s; }",
        CheckKind::Uninitialised,
    );
    undefined("int g(void) {} int f(void) { return g() + 1; }", CheckKind::Uninitialised);
    undefined(
        "int f(void) { unsigned char c = 2; _Bool *p = (_Bool *)&c; return *p; }",
        CheckKind::Uninitialised,
    );
    undefined(
        "union u { _Bool b; char c; }; int f(void) { union u u; u.c = 3; return u.b; }",
        CheckKind::Uninitialised,
    );
    returns("int f(void) { unsigned char c = 1; _Bool *p = (_Bool *)&c; return *p; }", 1);
    returns("struct s { _Bool a, b : 1; }; int f(void) { struct s s = { 1, 1 }; return s.a + s.b; }", 2);
    let jumps = "static const void *const table[] = { &&zero, &&add, &&end }; int r = 3, at = 0; goto *table[code[at++]];
         zero: r = 0; goto *table[code[at++]]; add: r += 5; goto *table[code[at++]]; end: return r;";
    returns(&format!("static const char code[] = {{ 0, 1, 1, 2 }}; int f(void) {{ {jumps} }}"), 10);
    returns(&format!("static const char code[] = {{ 1, 2 }}; int f(void) {{ {jumps} }}"), 8);
    returns(
        "int f(void) { void *p = &&a; int n = 1; if (n) p = &&b; goto *p; a: return 1; b: return 2; }",
        2,
    );
    undefined("int f(int n) { void *p = &&a; goto *(n ? p : 0); a: return 1; }", CheckKind::Unreachable);
    undefined(
        "__attribute__((nonnull)) int g(int *p, int n) { return p == 0; } int f(void) { return g(0, 1); }",
        CheckKind::Null,
    );
    undefined("int f(void) { int *p = 0; *p; return 0; }", CheckKind::Null);
    undefined("const int c = 1; int f(void) { *(int *)&c = 2; return c; }", CheckKind::Pointer);
    undefined("int f(void) { static int *const c[2]; *(int **)&c[1] = 0; return 0; }", CheckKind::Pointer);
    returns("const char *p = \"a\"; int f(void) { p = \"b\"; return *p; }", 98);
    undefined("int printf(); int f(void) { int *p = 0; printf(\"%d\", *p); return 0; }", CheckKind::Null);
    undefined("int printf(); int f(void) { int x; printf(\"%d\", x); return 0; }", CheckKind::Uninitialised);
    undefined(
        "void *malloc(unsigned long); void free(void *); int f(void) { int *p = malloc(4); *p = 1; free(p); return *p; }",
        CheckKind::Pointer,
    );
    undefined("void free(void *); int f(void) { int x; free(&x); return 0; }", CheckKind::Free);
    undefined(
        "void *malloc(unsigned long); void free(void *); int f(void) { int *p = malloc(4); free(p); free(p); return 0; }",
        CheckKind::Free,
    );
    undefined("int f(void) { char *s = \"abc\"; *s = 'x'; return 0; }", CheckKind::Pointer);
    undefined("int f(void) { int (*p)(void) = 0; return p(); }", CheckKind::Null);
    undefined("int f(void) { __builtin_unreachable(); }", CheckKind::Unreachable);
    undefined(
        "_Noreturn void g(int a) { if (a) for (;;) ; } int f(void) { g(0); return 1; }",
        CheckKind::Unreachable,
    );
    for copy in [
        "memcpy(b + 1, b, 2)",
        "memcpy(b, b + 1, 2)",
        "memcpy(b, b, 1)",
        "strcpy(b + 1, b)",
        "strcat(b, b + 4)",
    ] {
        let text = format!(
            "void *memcpy(void *, const void *, unsigned long); char *strcpy(char *, const char *); char *strcat(char *, const char *);\n\
             int f(void) {{ char b[8] = \"abc\\0de\"; {copy}; return b[0]; }}"
        );
        undefined(&text, CheckKind::Overlap);
    }
}

#[test]
fn what_is_defined_is_not_complained_about() {
    returns(
        "int f(void) { char b[4] = { 1, 2, 3, 4 }; unsigned long n = 4; char *end = b + n; long m = 2; return *(end - m); }",
        3,
    );
    returns(
        "void *memcpy(void *, const void *, unsigned long); void *memmove(void *, const void *, unsigned long);\n\
         int f(void) { char b[6] = \"abcde\"; memcpy(b + 2, b, 2); memcpy(b, b + 2, 2); memcpy(b, b, 0); memmove(b + 1, b, 3); return b[2]; }",
        98,
    );
    returns("int f(void) { unsigned x = 4294967295u; return x + 2 == 1; }", 1);
    returns("int f(void) { signed char c = 127; c++; return c + 128; }", 0);
    returns(
        "int f(void) { int a[3] = { 1, 2, 3 }, *p = &a[3]; return *--p + (p == &a[2]) + (int)(&a[3] - a); }",
        7,
    );
    returns("int f(void) { int x; int *p = &x; *p = 3; return x; }", 3);
    returns(
        "void *memcpy(void *, const void *, unsigned long); struct s { char c; int i; }; \
             int f(void) { struct s a, b; a.c = 1; a.i = 2; memcpy(&b, &a, sizeof a); return b.c + b.i; }",
        3,
    );
}

#[test]
fn memory_is_bytes() {
    returns(
        "int f(void) { int x = 0x01020304; unsigned char *p = (unsigned char *)&x; return p[0] * 10 + p[3]; }",
        41,
    );
    returns(
        "union u { int word; unsigned char b[4]; }; int f(void) { union u u; u.word = 0; u.b[1] = 2; return u.word; }",
        512,
    );
    returns("int f(void) { unsigned char b[4] = { 1, 2, 0, 0 }; return *(int *)b; }", 513);
    returns(
        "int g(int x) { return x + 1; } int f(void) { int (*t[2])(int) = { g, &g }; return (*t[1])(4) + t[0](1); }",
        7,
    );
    returns(
        "struct s { struct s *next; int v; }; int f(void) { struct s a = { 0, 1 }, b = { &a, 2 }, c = b; return c.next->v + c.v; }",
        3,
    );
    returns(
        "int f(void) { int x = 5; int *p = &x; unsigned long a = (unsigned long)p; return *(int *)a; }",
        5,
    );
    returns("int f(void) { static int n = 3; n++; return n; }", 4);
    returns("char *t[] = { \"ab\", \"cd\" + 1 }; int f(void) { return t[1][0] - t[0][1]; }", 2);
    returns(
        "struct b { unsigned a : 3; int b : 4; _Bool c : 1; }; int f(void) { struct b b = { 9, 7, 5 }; b.b++; return b.a * 100 + b.b + b.c; }",
        93,
    );
}

#[test]
fn statements_do_what_they_say() {
    returns("int f(void) { int n = 0; again: if (++n < 5) goto again; return n; }", 5);
    returns(
        "int f(void) { int n = 7, s = 0; switch (n % 4) { case 0: do { s++; case 3: s += 10; } while (--n > 5); } return s; }",
        21,
    );
    returns("int f(void) { int x = 0; return (x = 3, x + 1) + ({ int y = 2; y * 10; }); }", 24);
    returns("int f(void) { int x = 0, *p = &x; return (p ?: 0) == p && (0 ?: 4) == 4; }", 1);
    returns(
        "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } int f(void) { return fib(12); }",
        144,
    );
    returns("int f(void) { return _Generic((char)1, int: 1, char: 2, default: 3); }", 2);
    returns("int f(void) { int r; return __builtin_add_overflow(2147483647, 1, &r) + (r < 0); }", 2);
}

#[test]
fn inputs_and_limits() {
    let text = "int nondet_int(void); unsigned char nondet_uchar(void); int f(int a) { int x = nondet_int(); return a + x + nondet_uchar(); }";
    let inputs =
        RunInputs { arguments: vec![Argument::Int(1)], values: vec![10, 0x1ff], ..RunInputs::default() };
    let found = run_with(text, &DataModel::lp64(), &inputs, &InterpreterLimits::default());
    assert_eq!((found.returned, found.n_inputs), (Some(RuntimeValue::Int(266)), 2));
    let found = run_with(
        "int f(void) { for (;;) ; }",
        &DataModel::lp64(),
        &inputs,
        &InterpreterLimits { steps: 100, ..InterpreterLimits::default() },
    );
    assert_eq!(found.outcome, RunOutcome::StepLimit);
    let found = run_with(
        "int f(int n) { return f(n); }",
        &DataModel::lp64(),
        &inputs,
        &InterpreterLimits { depth: 10, ..InterpreterLimits::default() },
    );
    assert_eq!(found.outcome, RunOutcome::DepthLimit);
    let bytes = vec![Some(4), Some(0), Some(0), Some(0), Some(5), Some(0), Some(0), Some(0)];
    let inputs = RunInputs { arguments: vec![Argument::Object(bytes)], ..RunInputs::default() };
    let found = run_with(
        "int f(int *p) { return p[0] * p[1]; }",
        &DataModel::lp64(),
        &inputs,
        &InterpreterLimits::default(),
    );
    assert_eq!(found.returned, Some(RuntimeValue::Int(20)));
    let inputs = RunInputs { lifetimes: vec![vec![6, 0, 0, 0]], ..RunInputs::default() };
    let found = run_with(
        "int f(void) { int x; return x; }",
        &DataModel::lp64(),
        &inputs,
        &InterpreterLimits::default(),
    );
    assert_eq!(found.returned, Some(RuntimeValue::Int(6)));
}

#[test]
fn runs_end_as_the_program_says() {
    let outcome = |text: &str| {
        run_with(text, &DataModel::lp64(), &RunInputs::default(), &InterpreterLimits::default()).outcome
    };
    assert_eq!(outcome("void abort(void); int f(void) { abort(); }"), RunOutcome::Stopped(StopKind::Abort));
    assert_eq!(outcome("void exit(int); int f(void) { exit(1); }"), RunOutcome::Stopped(StopKind::Exit));
    assert!(
        matches!(outcome("int f(int x) { assert(x == 1); return 0; }"), RunOutcome::AssertionFailed(_, text) if text == "x == 1")
    );
    assert!(matches!(
        outcome("int f(int x) { __CPROVER_assume(x); return 0; }"),
        RunOutcome::AssumptionFailed(_)
    ));
}

#[test]
fn the_trace_tells_conditions_and_values() {
    let text = "int f(int a, int b) { int x = 1; if (a || b) x = 2; return x; }";
    let inputs = RunInputs { arguments: vec![Argument::Int(0), Argument::Int(9)], ..RunInputs::default() };
    let found = run_with(text, &DataModel::lp64(), &inputs, &InterpreterLimits::default());
    let tests: Vec<(u32, bool)> = found
        .trace
        .iter()
        .filter_map(|event| match event {
            TraceEvent::Branch { test: Some(test), is_true, .. } => Some((test.condition, *is_true)),
            _ => None,
        })
        .collect();
    assert_eq!(tests, [(0, false), (1, true)]);
    let values: Vec<RuntimeValue> = found
        .trace
        .iter()
        .filter_map(|event| match event {
            TraceEvent::Assign { value, .. } => Some(value.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(values, [RuntimeValue::Int(1), RuntimeValue::Int(2)]);
    let limits = InterpreterLimits { recording: Recording::Nothing, ..InterpreterLimits::default() };
    assert!(run_with(text, &DataModel::lp64(), &inputs, &limits).trace.is_empty());
}

/// The thesis's example with an `int` of 4 bits: 15 + 1 days fit in one week.
#[test]
fn narrow_integers_wrap() {
    let (model, _) = DataModel::parse("int_bitlength: 4\n");
    let text = "unsigned f(unsigned a, unsigned b) { unsigned days; days = a + b; if (days > 7) return 0; else return 1; }";
    for (a, b, expected) in [(15, 1, 1), (7, 1, 0), (3, 4, 1), (15, 15, 0)] {
        let inputs =
            RunInputs { arguments: vec![Argument::Int(a), Argument::Int(b)], ..RunInputs::default() };
        assert_eq!(
            run_with(text, &model, &inputs, &InterpreterLimits::default()).returned,
            Some(RuntimeValue::Int(expected))
        );
    }
    // With 16-bit ints a product of shorts wraps where 32-bit ints have room for it.
    let text = "int f(void) { unsigned short x = 300; return x * x > 65535; }";
    let found = |model| run_with(text, &model, &RunInputs::default(), &InterpreterLimits::default()).returned;
    assert_eq!(found(DataModel::lp64()), Some(RuntimeValue::Int(1)));
    assert_eq!(found(DataModel::int16()), Some(RuntimeValue::Int(0)));
}

/// A bit-field touches fewer bytes than an object of its declared type would.
#[test]
fn a_bit_field_at_the_end_of_a_structure_is_inside_it() {
    let head = "struct s { short x; unsigned y : 3; } g = { 1, 6 };";
    returns(&format!("{head} unsigned f(void) {{ struct s *p = &g; return p->y; }}"), 6);
    returns(&format!("{head} unsigned f(void) {{ struct s *p = &g; p->y = 5; return p->y + p->x; }}"), 6);
    returns(&format!("{head} unsigned f(void) {{ struct s *p = &g; return ++p->y; }}"), 7);
    // The structure has four bytes, and nothing follows it.
    undefined(
        &format!("{head} unsigned f(void) {{ struct s *p = &g; p++; return p->y; }}"),
        CheckKind::Pointer,
    );
    undefined(
        "struct s { short x; unsigned y : 20; }; void *malloc(unsigned long);
         unsigned f(void) { struct s *p = malloc(5); p->y = 1; return 0; }",
        CheckKind::Pointer,
    );
}

/// The sizes that gcc gives.
#[test]
fn an_assignment_to_a_bit_field_has_the_size_of_its_bits() {
    let cases = [
        ("s.a = 1", 1),
        ("s.b += 1", 4),
        ("s.c = 1", 8),
        ("s.d = 1", 1),
        ("s.e++", 1),
        ("++s.b", 4),
        ("(s.a = 1, s.a)", 1),
        ("+s.a", 4),
        ("+s.c", 8),
        ("1 ? s.a : s.a", 4),
        ("1 ? s.c : s.c", 8),
        ("s.a + 1", 4),
        ("(unsigned long)s.a", 8),
        ("(unsigned long)(s.a = 1)", 8),
    ];
    for (expr, size) in cases {
        let text = format!(
            "struct {{ unsigned long a : 3, b : 17, c : 33; _Bool d : 1; int e : 5; }} s;
             unsigned long f(void) {{ return sizeof({expr}); }}"
        );
        returns(&text, size);
    }
}
