//! What is refused: with a message, at its place, and only where it matters.
#![allow(clippy::unwrap_used)]

use nub_c_ir::{DataModel, lower};
use nub_text::Severity;

/// Findings as `line:column message`, errors only.
fn errors(text: &str) -> Vec<String> {
    let (unit, syntax) = nub_c_syntax::parse(text.as_bytes());
    assert!(syntax.iter().all(|found| found.severity != Severity::Error), "{syntax:?}");
    let (program, diagnostics) = lower(&unit, &DataModel::lp64());
    let shown = |found: &nub_text::Diagnostic| {
        let place = unit.source_map.place(found.span.start);
        format!("{}:{} {}", place.line, place.column, found.message)
    };
    let mut all: Vec<String> =
        diagnostics.iter().filter(|found| found.severity == Severity::Error).map(shown).collect();
    // Missing bodies are found when a function that needs them is checked.
    if let Some(start) = program.function_by_name("f") {
        all.extend(program.refusals(start).iter().map(shown));
    }
    all.sort();
    all.dedup();
    all
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(errors(text), [expected], "{text}");
}

#[test]
fn a_bit_field_has_neither_address_nor_size() {
    let head = "struct { int b : 3; } s;";
    refused(&format!("{head} int *f(void) {{ return &s.b; }}"), "1:48 a bit-field has no address");
    refused(&format!("{head} int f(void) {{ return sizeof s.b; }}"), "1:47 a bit-field has no size");
}

#[test]
fn what_is_not_supported_is_named() {
    refused("int f(double _Complex x) { return 1; }", "1:7 complex numbers are not supported");
    refused(
        "int n; int a[n]; int f(void) { return a[0]; }",
        "1:13 variable-length arrays are not supported here",
    );
    refused("int f(void) { asm(\"nop\"); return 0; }", "1:15 inline assembly is not supported");
    refused("int setjmp(long *); int f(long *b) { return setjmp(b); }", "1:45 `setjmp` is not supported");
    for format in ["%12s", "%d %d"] {
        refused(
            &format!("int scanf(const char *, ...); int f(char *s) {{ return scanf(\"{format}\", s); }}"),
            "1:55 `scanf` is supported only with a literal format that reads numbers",
        );
    }
    refused("extern _Thread_local const int x; int f(void) { return x; }", "1:1 threads are not supported");
    refused(
        "int f(void) { void *p = &&a; return p != 0; }",
        "1:27 this label is not defined in the function",
    );
}

#[test]
fn code_before_main_refuses_main_alone() {
    let text = "__attribute__((constructor)) void g(int n) {} int f(void) { return 0; } int main(void) { return f(); }";
    let (unit, _) = nub_c_syntax::parse(text.as_bytes());
    let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
    let refusals = |name: &str| program.refusals(program.function_by_name(name).unwrap());
    assert_eq!(refusals("f"), []);
    assert_eq!(
        refusals("main")[0].message,
        "this function runs before or after `main` in a way that is not supported"
    );
}

#[test]
fn mistakes_are_found_at_their_place() {
    refused("int f(void) { return y; }", "1:22 `y` is not declared");
    refused("struct s { int a; }; int f(struct s *p) { return p->b; }", "1:53 `struct s` has no member `b`");
    refused("struct s; int f(struct s *p) { return p->b; }", "1:42 `struct s` is declared but not defined");
    refused("int f(int x) { return *x; }", "1:23 expected a pointer, found `int`");
    refused("int f(int x) { x() ; return 0; }", "1:16 `int` cannot be called");
    refused(
        "int g(int a) { return a; } int f(void) { return g(1, 2); }",
        "1:49 wrong number of arguments: expected 1, found 2",
    );
    refused("int f(void) { 3 = 4; return 0; }", "1:15 this is not a modifiable object");
    refused("int f(void) { int a[2]; a = 0; return 0; }", "1:25 an array cannot be assigned to");
    refused(
        "struct s { int a; }; int f(struct s x) { return x; }",
        "1:49 cannot convert `struct s` to `int`",
    );
    refused("int f(int x) { switch (x) { case 1: case 1: ; } return 0; }", "1:37 duplicate `case` value");
    refused(
        "int f(int x) { switch (x) { case x: ; } return 0; }",
        "1:34 this is not an integer constant expression",
    );
    refused("int f(void) { goto a; return 0; }", "1:20 this label is not defined in the function");
    refused("int f(void) { break; return 0; }", "1:15 `break` outside of a loop or `switch`");
    refused("int f(void) { int x; int x; return 0; }", "1:26 `x` is declared twice");
    refused(
        "struct s { int b : 40; }; int f(void) { return 0; }",
        "1:20 a bit-field of type `int` can have at most 32 bits",
    );
    refused(
        "int f(void) { return sizeof(struct nothing); }",
        "1:22 the size of `struct nothing` is not known here",
    );
    refused("int a[-1]; int f(void) { return 0; }", "1:6 the length of an array must not be negative");
    refused(
        "int y; int x = y; int f(void) { return 0; }",
        "1:16 the initial value of a static object must be constant",
    );
    refused(
        "_Static_assert(sizeof(int) == 2, \"\"); int f(void) { return 0; }",
        "1:1 static assertion failed",
    );
    refused(
        "int f(void) { int x = 1; return &x == &(x + 1); }",
        "1:39 only objects and functions have an address",
    );
}

#[test]
fn a_missing_body_is_named_where_it_is_called() {
    refused(
        "int g(int); int h(int); int k(int x) { return h(x); } int f(void) { return g(1); }",
        "1:76 `g` has no body here and is not a known library function",
    );
}

/// What matters for the function `f`, as `line:column message`.
fn refusals_of_f(text: &str) -> Vec<String> {
    let (unit, _) = nub_c_syntax::parse(text.as_bytes());
    let (program, _) = lower(&unit, &DataModel::lp64());
    let place = |offset| unit.source_map.place(offset);
    let shown = |found: &nub_text::Diagnostic| {
        format!("{}:{} {}", place(found.span.start).line, place(found.span.start).column, found.message)
    };
    program.refusals(program.function_by_name("f").unwrap()).iter().map(shown).collect()
}

/// Headers are full of declarations that a function does not use.
#[test]
fn a_refused_declaration_refuses_its_users_only() {
    let declarations = [
        "double _Complex rate = 1.5;",
        "typedef int v __attribute__((vector_size(16)));",
        "struct s { int a; __attribute__((mode(XX))) int b; };",
        "enum e { A, B = 1.5 * 2 };",
        "__thread int counter;",
    ];
    for declaration in declarations {
        let unused = format!("{declaration} int f(int x) {{ return x; }}");
        assert_eq!(refusals_of_f(&unused), [] as [&str; 0], "{unused}");
    }
    let used = [
        (
            "double _Complex rate = 1.5;\nint f(int x) { return x + (int)rate; }",
            "1:24 complex numbers are not supported",
        ),
        (
            "typedef int v __attribute__((vector_size(12)));\nint f(v x) { return 0; }",
            "1:30 this vector type is not supported",
        ),
        (
            "struct s { int a; __attribute__((mode(XX))) int b; };\nint f(struct s *p) { return p->a; }",
            "1:34 the mode `XX` is not supported",
        ),
        (
            "enum e { A, B = 1.5 * 2 };\nint f(int x) { return x == B; }",
            "1:17 this is not an integer constant expression",
        ),
        (
            "extern const __thread int counter;\nint f(void) { return counter; }",
            "1:1 threads are not supported",
        ),
    ];
    for (text, expected) in used {
        assert_eq!(refusals_of_f(text), [expected], "{text}");
    }
}

/// What was used before it was refused cannot be trusted, and neither can a file that is not valid C.
#[test]
fn some_refusals_are_for_all() {
    let texts = [
        "extern int t[]; int f(int x) { return t[x]; } int t[] = { 1, (int)1.5i };",
        "int f(int x) { return x; } int f(int x) { return x + 1; }",
        "int f(int x) { return x; } _Static_assert(sizeof(long) == 4, \"\");",
        "int x; int f(void) { return x; } long x;",
    ];
    for text in texts {
        assert_eq!(refusals_of_f(text).len(), 1, "{text}");
    }
}

#[test]
fn one_refused_function_leaves_the_others() {
    let text = "double _Complex g(double x) { return x; } int k(int x) { int y; y = g(x); return y; } int f(int x) { return x; }";
    let (unit, _) = nub_c_syntax::parse(text.as_bytes());
    let (program, diagnostics) = lower(&unit, &DataModel::lp64());
    assert!(!diagnostics.is_empty());
    let refusals = |name: &str| program.refusals(program.function_by_name(name).unwrap()).len();
    assert_eq!((refusals("f"), refusals("g"), refusals("k")), (0, 1, 1));
}
