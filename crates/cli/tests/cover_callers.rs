//! `nub cover` where the caller decides: pointers to one object, pointers that are marker values, static state. The compiled tests take the same paths.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

/// The output of `nub cover` for a program that it must have compiled and whose tests pass.
fn cover(text: &str, options: &[&str]) -> String {
    let bench = Bench::new();
    bench.write("f.c", text);
    let words: Vec<&str> =
        ["cover", "f.c", "-f", "f", "--native", "-o", "t.c"].iter().chain(options).copied().collect();
    let found = bench.nub(&words).expect(0).stdout;
    let strict =
        ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-misleading-indentation", "-o", "t", "t.c"];
    let built = std::process::Command::new("cc").args(strict).current_dir(bench.path("")).output().unwrap();
    assert!(built.status.success(), "{}\n{}", String::from_utf8_lossy(&built.stderr), bench.read("t.c"));
    let run = std::process::Command::new(bench.path("t")).output().unwrap();
    assert!(run.status.success(), "{}\n{}", String::from_utf8_lossy(&run.stdout), bench.read("t.c"));
    found
}

#[test]
fn callers_may_share_objects() {
    for text in [
        "int f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) return 1; return 0; }",
        "int g; int f(int *p) { g = 1; *p = 2; if (g == 2) return 1; return 0; }",
        "int f(int *p) { if (p == (int *)1) return 1; return 0; }",
        "struct n { struct n *next; int v; };\nint f(struct n *p) { if (p && p->next == p) return 1; return 0; }",
    ] {
        let found = cover(text, &["-c", "decision"]);
        assert!(found.contains("2 tests cover 2 of 2 goals"), "{found}");
    }
    let text = "int f(const char *p, const char *end) { int n = 0; if (!p || !end) return -1;\n\
                while (p < end) { n += *p++; } if (n > 3) return 1; return 0; }";
    let found = cover(text, &[]);
    assert!(found.contains("tests cover") && !found.contains("infeasible"), "{found}");
}

#[test]
fn static_state_takes_several_calls() {
    let text = "int f(int ev) { static int count; if (ev == 1) count++;\n\
                if (count > 2 && ev == 0) { count = 0; return 1; } return 0; }";
    let bench = Bench::new();
    bench.write("f.c", text);
    let one = bench.nub(&["cover", "f.c", "--no-native"]).expect(0).stdout;
    assert!(
        one.contains("if `count` has its initial value when the function is called (lifted by --calls N"),
        "{one}"
    );
    let found = cover(text, &["--calls", "4"]);
    assert!(found.contains("returns 0, 0, 0, 1") && !found.contains("infeasible"), "{found}");
    let any = bench.nub(&["cover", "f.c", "--globals"]).expect(0).stdout;
    assert!(
        any.contains("not compiled: `count` is static in a function") && !any.contains("infeasible"),
        "{any}"
    );
    let refused = bench.nub(&["cover", "f.c", "--calls", "2", "-c", "path"]).expect(2).stderr;
    assert!(refused.contains("--calls cannot be combined with the criterion path"), "{refused}");
}

/// An infeasible goal does not lower the grade, but one that is infeasible under an assumption does.
#[test]
fn the_grade_counts_assumptions_as_reachable() {
    let bench = Bench::new();
    bench.write(
        "f.c",
        "int mode; int f(unsigned char a) { if (mode == 3) return 1; if (a > 300) return 2; return 0; }",
    );
    let words = ["cover", "f.c", "--no-native", "-c", "decision", "--fail-under"];
    bench.nub(&[&words[..], &["66"]].concat()).expect(0);
    bench.nub(&[&words[..], &["67"]].concat()).expect(1);
    bench.nub(&[&words[..], &["100", "--globals"]].concat()).expect(0);
    let json = bench.nub(&["cover", "f.c", "--no-native", "-c", "decision", "--json"]).expect(0).stdout;
    assert!(json.contains("\"infeasible_if\":1") || json.contains("\"infeasible_if\": 1"), "{json}");
    assert!(json.contains("\"lifted_by\"") && json.contains("--globals"), "{json}");
}

/// As with `-fwrapv`: interpreter, terms and the compiled tests agree, and divisions still trap.
#[test]
fn signed_overflow_wraps_on_request() {
    let bench = Bench::new();
    bench.write(
        "f.c",
        "int f(int x, int y) { int r = x + 1; if (r < x) return 1; if (y < 0 && (y << 3) == 8) return 2; \
         if (-x == x && x != 0) return 3; return x / y == x ? 4 : 5; }\n",
    );
    let plain = bench.nub(&["cover", "f.c", "-c", "decision"]).expect(0).stdout;
    assert!(plain.contains("infeasible without undefined behaviour"), "{plain}");
    let words =
        ["cover", "f.c", "-c", "decision", "--wrapv", "--native", "-o", "t.c", "-o", "CMakeLists.txt"];
    let found = bench.nub(&words).expect(0).stdout;
    assert!(found.contains("signed overflow wraps"), "{found}");
    // The smallest number plus one is not below itself, so the third decision needs the first to be false: INT_MIN does that.
    assert!(found.contains("8 of 8 goals") && found.contains("results agree"), "{found}");
    assert!(bench.read("t.c").contains("Compile with -fwrapv"), "{}", bench.read("t.c"));
    assert!(bench.read("CMakeLists.txt").contains("target_compile_options(nub_tests_f PRIVATE -fwrapv)"));
    // A division that overflows traps even with this option.
    bench.write("g.c", "int g(int x, int y) { if (x / y == 3) return 1; return 0; }");
    let listed =
        bench.nub(&["cover", "g.c", "-c", "decision", "--wrapv", "--ub", "--no-native"]).expect(0).stdout;
    assert!(listed.contains("x = -2147483648, y = -1"), "{listed}");
}

/// Objects that a system header defines are reset between tests like all others.
#[test]
fn state_of_system_headers_is_reset() {
    let bench = Bench::new();
    bench.write("state.h", "#pragma GCC system_header\nstatic int state = 7;\n");
    bench.write(
        "f.c",
        "#include \"state.h\"\nint f(int a) { state += 1; if (a > 3) return state; return 0; }\n",
    );
    let found = bench.nub(&["cover", "f.c", "--native", "-o", "t.c"]).expect(0).stdout;
    assert!(found.contains("results agree"), "{found}");
}

/// A pointer to a member of a packed structure need not be aligned: the compiled tests agree all the same.
#[test]
fn members_of_packed_structures_may_be_misaligned() {
    let text = "#pragma pack(push, 1)\nstruct frame { char kind; long value; };\n#pragma pack(pop)\nstruct frame sent;\n\
                int f(int a) { long *p = &sent.value; sent.value = a; if (*p > 3) return 1; return 0; }";
    let bench = Bench::new();
    bench.write("f.c", text);
    let found = bench.nub(&["cover", "f.c", "--native", "-o", "t.c"]).expect(0).stdout;
    assert!(found.contains("results agree"), "{found}");
}

/// The order of calls in one expression is the compiler's choice, so no test and no claim that depends on it is certain.
#[test]
fn the_order_of_calls_is_open() {
    let head =
        "int n; static int next(void) { return ++n; } static int two(int a, int b) { return a * 10 + b; }\n";
    let bench = Bench::new();
    for body in [
        "int f(int x) { if (two(next(), next()) == 12) return 1; return x; }",
        "int f(int x) { if (two(n, next()) == 1) return 1; return x; }",
        "int f(int x) { if (n - next() == -1) return 1; return x; }",
    ] {
        bench.write("f.c", &format!("{head}{body}"));
        let found = bench.nub(&["cover", "f.c", "-f", "f", "-c", "decision"]).expect(0).stdout;
        assert!(
            found.contains("the parts of an expression that call functions are evaluated from left to right"),
            "{found}"
        );
    }
    // Values that are read in one expression are supplied in the compiler's order.
    let text = "int nondet_int(void);\nstatic int two(int a, int b) { return a * 256 + b; }\n\
                int f(void) { if (two(nondet_int() & 255, nondet_int() & 255) == 0x4142) return 1; return 0; }";
    let found = cover(text, &["-c", "decision"]);
    assert!(found.contains("2 tests cover 2 of 2 goals") && found.contains("results agree"), "{found}");
}

/// What one path frees is alive on the others.
#[test]
fn one_path_frees_an_object() {
    let text = "#include <stdlib.h>\nint f(int *p, int c) { if (c == 1) { free(p); p = 0; }\nif (p && *p == 3) return 1; return 0; }";
    let found = cover(text, &["-c", "decision"]);
    assert!(found.contains("tests cover 4 of 4 goals"), "{found}");
}

/// A compiler takes `cbrt` for that of the library and computes `cbrt(-1.0)` itself.
#[test]
fn a_program_may_define_functions_of_the_library() {
    for text in [
        "double cbrt(double x);\ndouble cbrt(double x) { if (x < 0) return x - 1; return 0; }",
        "int toupper(int c);\nint toupper(int c) { if (c == 'a') return 5; return 'b'; }",
    ] {
        let bench = Bench::new();
        bench.write("f.c", text);
        let found = bench.nub(&["cover", "f.c", "-c", "decision", "--native"]).expect(0).stdout;
        assert!(found.contains("2 tests cover 2 of 2 goals") && found.contains("results agree"), "{found}");
    }
}

/// A caller that ignores the value may call a function that does not return one.
#[test]
fn a_function_may_end_without_a_value() {
    let text = "int f(int a);\nint f(int a) { if (a == 3) return 7; if (a > 100) return 9; }";
    let bench = Bench::new();
    bench.write("f.c", text);
    for calls in ["1", "2"] {
        let words = ["cover", "f.c", "-f", "f", "-c", "decision", "--native", "--calls", calls];
        let found = bench.nub(&words).expect(0).stdout;
        assert!(found.contains("4 of 4 goals") && found.contains("results agree"), "{found}");
    }
}

/// The order of two pointers is defined inside one object: callers may pass any two of its elements, in both orders.
#[test]
fn callers_may_pass_two_places_of_one_object() {
    for (text, goals) in [
        ("int f(const char *a, const char *b) { if (b < a) return 1; if (a < b) return 2; return 0; }", 4),
        ("int f(int *a, int *b) { if (a - b == 2) return 1; if (b - a == 3) return 2; return 0; }", 4),
        (
            "struct buf { char *base, *cur, *end; };\n\
             int f(struct buf *b) { if (b->cur < b->base) return -1; if (b->cur > b->end) return -2; return 0; }",
            4,
        ),
        (
            "int f(const int *a, const int *e) { int n = 0; while (a != e) { n += *a == 7; a++; } if (n == 2) return 1; return 0; }",
            4,
        ),
        (
            "extern long *first, *last;\nint f(void) { if (!first || !last) return 9; if (last < first) return 1; return first < last; }",
            4,
        ),
    ] {
        let found = cover(text, &["-c", "decision"]);
        let all = format!("cover {goals} of {goals} goals");
        assert!(found.contains(&all) && found.contains("results agree"), "{found}");
    }
    // What is read through a pointer that goes back.
    let text = "int f(int *d, const int *s) { if (d <= s) return 0; d[0] = 5; if (s[1] == 5 && d - s == 1) return 1; return 2; }";
    let found = cover(text, &[]);
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}

/// What is written through a pointer that is declared `restrict` is accessed through that pointer alone, so no test passes it twice.
#[test]
fn restricted_pointers_do_not_share_what_is_written() {
    for text in [
        "int f(int *restrict a, int *restrict b) { *a = 1; *b = 2; if (*a != 1) return 1; return 0; }",
        "int g; int f(int *restrict a) { *a = 1; g = 2; if (*a != 1) return 1; return 0; }",
        "int f(int a[restrict 2], int *b) { a[0] = 1; b[0] = 2; if (a[0] != 1) return 1; return 0; }",
    ] {
        let found = cover(text, &["-c", "decision"]);
        assert!(found.contains("1 test covers 1 of 2 goals"), "{found}");
    }
    let reads =
        "int f(const int *restrict a, const int *restrict b) { if (a == b) return 1; return *a + *b > 3; }";
    let found = cover(reads, &["-c", "decision"]);
    assert!(found.contains("2 of 2 goals"), "{found}");
}

/// A caller may pass a function of another file, also one that this file only names.
#[test]
fn callers_may_pass_functions_of_other_files() {
    let text = "typedef void (*fp)(void); static void a(void) {} void c(void);\n\
                int f(fp p) { if (p == a) return 1; if (p == c) return 2; return 0; }";
    let found = cover(text, &["-c", "decision"]);
    assert!(found.contains("4 of 4 goals") && found.contains("results agree"), "{found}");
    // A test calls what it passes, so it does not pass a function of another type; a caller may.
    let text = "typedef int (*fp)(int); void other(void);\n\
                int f(fp p) { if (p == (fp)other) return 1; return 0; }";
    let found = cover(text, &["-c", "decision"]);
    assert!(found.contains("if function pointers point to functions of this file"), "{found}");
}
