//! Small programs with one fault each, as a developer would ask about them: the likely fault, the fix, and the passing run must be useful.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;
use std::path::Path;

/// What the report of a program has to say.
struct Case {
    file: &'static str,
    args: &'static [&'static str],
    /// The report starts with this.
    first: &'static str,
    has: &'static [&'static str],
    has_not: &'static [&'static str],
}

const NOTHING: &[&str] = &[];
const CHECK: &[&str] = &["-f", "check"];

#[track_caller]
fn assert_explained(case: &Case) {
    let bench = Bench::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/explain");
    bench.write(case.file, &std::fs::read_to_string(data.join(case.file)).unwrap());
    // What is found must not depend on how busy the machine is.
    let mut args = vec!["explain", case.file, "--no-native", "--repair-time", "600"];
    args.extend(case.args);
    let out = bench.nub(&args).expect(0).stdout;
    assert!(out.starts_with(case.first), "{}: {}\n{out}", case.file, case.first);
    for part in case.has {
        assert!(out.contains(part), "{}: {part}\n{out}", case.file);
    }
    for part in case.has_not {
        assert!(!out.contains(part), "{}: {part}\n{out}", case.file);
    }
}

#[test]
fn a_wrong_target() {
    assert_explained(&Case {
        file: "minmax.c",
        args: NOTHING,
        first: "Likely fault: minmax.c:12: replace most = input2 by least = input2",
        has: &["Distance: 5 of 17 values (minimal; proof checked)", "Or these (set 2 of 2)"],
        has_not: NOTHING,
    });
}

/// A `return` is missing. A fix must not avoid the failure by never making the call, or by always returning.
#[test]
fn a_kernel_call() {
    assert_explained(&Case {
        file: "pend.c",
        args: CHECK,
        first: "Likely fault: ",
        has: &["Guard changed: locked > 0", "Assumed:  !(nesting == 0)"],
        has_not: &["replace locked > 0 by locked >= 0: fixes", "replace count > 0 by count >= 0: fixes"],
    });
}

/// The heater is not switched off permanently, and the antecedent `!ign` stays.
#[test]
fn a_state_machine() {
    assert_explained(&Case {
        file: "heater.c",
        args: CHECK,
        first: "Likely fault: heater.c:6: replace ign || temp < 18 by ign && temp < 18",
        has: &["Assumed:  !ign"],
        has_not: &["Likely fault: heater.c:8"],
    });
}

/// The function must still remove elements: an edit that never does is not the likely fault.
#[test]
fn a_list() {
    assert_explained(&Case {
        file: "list.c",
        args: CHECK,
        first: "Likely fault: ",
        has: &["Guard changed: l->head->key == key", "Value changed: l.head#0 from &n2 to &n1"],
        has_not: &["&& !(l->head): fixes every"],
    });
}

#[test]
fn bounds_of_loops() {
    assert_explained(&Case {
        file: "bubble.c",
        args: CHECK,
        first: "Likely fault: bubble.c:5: replace j < 4 - 2 - i by j <= 4 - 2 - i: fixes every failing run",
        has: &["Changed inputs: "],
        has_not: NOTHING,
    });
    assert_explained(&Case {
        file: "maximum.c",
        args: CHECK,
        first: "Likely fault: maximum.c:4: replace 2 by 0: fixes every failing run (proved, checked)",
        has: &["Changed inputs: "],
        has_not: NOTHING,
    });
}

#[test]
fn functions_in_a_table_and_of_the_library() {
    assert_explained(&Case {
        file: "table.c",
        args: CHECK,
        first: "Likely fault: table.c:3: replace b - a by a - b: fixes every failing run (proved, checked)",
        has: &["Passing run: sel=1 "],
        has_not: &["leaves before it"],
    });
    assert_explained(&Case {
        file: "string_compare.c",
        args: CHECK,
        first: "Likely fault: string_compare.c:6: replace strcmp(s, \"halt\") != 0 by strcmp(s, \"halt\") == 0",
        has: &["strlen()"],
        has_not: NOTHING,
    });
}

/// The passing run reaches the assertion, and the report says so if it makes the antecedent false.
#[test]
fn the_assertion_is_reached() {
    assert_explained(&Case {
        file: "automaton.c",
        args: NOTHING,
        first: "Likely fault: automaton.c:8: replace IDLE by DONE: fixes every failing run (proved, checked)",
        has: &["No passing run keeps the antecedent of the property"],
        has_not: NOTHING,
    });
    assert_explained(&Case {
        file: "early_return.c",
        args: CHECK,
        first: "Likely fault: early_return.c:4: replace e > 1 by e >= 1: fixes every failing run",
        has: &["Failing run: s=2 e=1", "Passing run: s=2 e=0", "No passing run keeps the antecedent"],
        has_not: &["Assumed:"],
    });
    assert_explained(&Case {
        file: "under_if.c",
        args: CHECK,
        first: "Likely fault: under_if.c:6: replace 6 by ",
        has: &["Passing run: is_on=1 b=5"],
        has_not: &["leaves before it"],
    });
}

/// Undefined behaviour: the guard is offered, and the passing run is the closest one, not one with a similar overflow.
#[test]
fn rules_of_c() {
    assert_explained(&Case {
        file: "ring_buffer.c",
        args: CHECK,
        first: "Likely fault: ring_buffer.c:3: replace r->head > 4 by r->head >= 4: fixes every failing run",
        has: &["Failing run: head=4", "Passing run: head=3"],
        has_not: &["replace 4 by 0"],
    });
    assert_explained(&Case {
        file: "overflow.c",
        args: NOTHING,
        first: "Likely fault: overflow.c:2: insert \"if (",
        has: &["Distance: 1 of 2 values (minimal; proof checked)", "Changed inputs: a 1 -> 0\n"],
        has_not: NOTHING,
    });
}

/// Values that neither run computes are counted but not shown.
#[test]
fn a_recursion() {
    assert_explained(&Case {
        file: "fib.c",
        args: CHECK,
        first: "Likely fault: fib.c:4: replace 1 by n: fixes every failing run",
        has: &["more in code that neither run executes (--unexecuted shows them)"],
        has_not: &["Likely fault: fib.c:4: return 1;"],
    });
}

/// The answer to a program, given as text, that is also compiled.
fn answer(text: &str, code: i32) -> String {
    let bench = Bench::new();
    bench.write("f.c", text);
    bench.nub(&["explain", "f.c", "--repair-time", "600"]).expect(code).stdout
}

/// What a function frees was allocated by its caller.
#[test]
fn callers_allocate_what_is_freed() {
    let own = "this holds if each input pointer is not null and points to an object of its own";
    let free = "#include <stdlib.h>\n";
    for text in [
        "typedef struct { void *lo; void *hi; } T;\nvoid f(T d) { if (d.lo == d.hi) return; free(d.lo); free(d.hi); }",
        "void f(char **list) { free(list[0]); }",
    ] {
        let found = answer(&format!("{free}{text}"), 1);
        assert!(found.starts_with("No violation: ") && found.contains(own), "{text}\n{found}");
    }
    let found = answer(&format!("{free}void f(char *a, int n) {{ if (n == 3) free(a); free(a); }}"), 0);
    assert!(found.contains("Failing run: n=3"), "{found}");
    let text = "#include <assert.h>\n#include <stddef.h>\nstruct list { int kind; }; struct item { int key; struct list node; };\n\
                void f(struct list *l) { struct item *i = (struct item *)((char *)l - offsetof(struct item, node)); assert(i->key != 3); }";
    let found = answer(text, 0);
    assert!(found.contains("key=3") && found.contains("in the compiled program"), "{found}");
}

/// A caller may pass one object twice, or a global one.
#[test]
fn callers_share_objects() {
    let own = "this holds if each input pointer is not null and points to an object of its own\n";
    for (text, run) in [
        ("#include <stdlib.h>\nvoid f(int *a, int *b) { free(a); free(b); }", "Failing run: b == a=1"),
        ("#include <stdlib.h>\nvoid f(void *a, void *b) { free(a); free(b); }", "Failing run: b == a=1"),
        ("#include <assert.h>\nvoid f(int *a, int *b) { *a = 1; *b = 2; assert(*a == 1); }", "b == a=1"),
        ("#include <assert.h>\nint g = 5;\nvoid f(int *a) { *a = 1; assert(g == 5); }", "a == &g=1"),
    ] {
        let bench = Bench::new();
        bench.write("f.c", text);
        let found = bench.nub(&["explain", "f.c", "--no-repair"]).expect(0).stdout;
        assert!(found.contains(run), "{text}\n{found}");
        let found = bench.nub(&["explain", "f.c", "--no-aliases"]).expect(1).stdout;
        assert!(found.starts_with("No violation: ") && found.contains(own), "{text}\n{found}");
    }
    let text = "#include <assert.h>\nvoid f(int *a, int *b) { *a = 1; *b = 1; assert(*a == 1); }";
    let found = answer(text, 1);
    assert!(found.contains("other pointers or global variables refer to"), "{found}");
}

/// Variable arguments are inputs.
#[test]
fn a_variable_argument_is_too_large() {
    let text = "#include <stdarg.h>\n#include <assert.h>\nint f(int n, ...) {\n  va_list ap; int s = 0; va_start(ap, n);\n\
                for (int i = 0; i < n && i < 3; i++)\n s += va_arg(ap, int) & 15;\n  va_end(ap); assert(s != 20); return s; }";
    let found = answer(text, 0);
    assert!(found.contains("argument 2=") && found.contains("in the compiled program"), "{found}");
}

/// Tests of `main` call what the program runs around it.
#[test]
fn a_destructor_fails() {
    let text = "#include <assert.h>\nint n;\n__attribute__((constructor)) static void first(void) { n = 1; }\n\
                __attribute__((destructor)) static void last(void) { assert(n != 3); }\n\
                int nondet_int(void);\nint main(void) { n += nondet_int() & 3; return 0; }";
    let found = answer(text, 0);
    assert!(found.contains("in the interpreter and in the compiled program"), "{found}");
    let found = answer(
        "#include <assert.h>\n__attribute__((destructor)) void last(void) { assert(0); }\nint main(void) { return 0; }",
        1,
    );
    assert!(found.contains("No run passes"), "{found}");
}
