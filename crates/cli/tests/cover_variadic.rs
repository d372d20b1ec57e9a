//! `nub cover` on functions with variable arguments: what a run requests with `va_arg` is an input, and tests pass it.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

/// The output of `nub cover`; its tests were run, and a strict compiler accepts them.
fn cover(text: &str, options: &[&str]) -> String {
    let bench = Bench::new();
    bench.write("f.c", &format!("#include <stdarg.h>\n{text}"));
    let words: Vec<&str> = ["cover", "f.c", "-f", "f", "-o", "t.c"].iter().chain(options).copied().collect();
    let found = bench.nub(&words).expect(0).stdout;
    assert!(found.contains("compiled with sanitizers and run: results agree"), "{found}");
    let strict =
        ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-misleading-indentation", "-o", "t", "t.c"];
    let built = std::process::Command::new("cc").args(strict).current_dir(bench.path("")).output().unwrap();
    assert!(built.status.success(), "{}\n{}", String::from_utf8_lossy(&built.stderr), bench.read("t.c"));
    let run = std::process::Command::new(bench.path("t")).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    found
}

/// All goals are covered.
fn check(text: &str, options: &[&str]) -> String {
    let found = cover(text, options);
    let words: Vec<&str> = found.lines().next().unwrap_or_default().split(' ').collect();
    assert!(words.len() > 5 && words[3] == words[5], "{found}");
    found
}

#[test]
fn numbers_are_counted_by_a_parameter() {
    let text = "int f(int n, ...) { va_list ap; int s = 0; va_start(ap, n);\n\
                for (int i = 0; i < n; i++) { int v = va_arg(ap, int); if (v < 0) break; s += v > 100 ? 1 : 2; }\n\
                va_end(ap); return s == 5 ? -1 : s; }";
    let found = check(text, &[]);
    assert!(found.contains("argument 2  argument 3"), "{found}");
}

/// What is requested depends on the format: a test passes, and shows, only that.
#[test]
fn a_format_says_which_types_follow() {
    let text = "int f(const char *fmt, ...) { va_list ap; int r = 0; va_start(ap, fmt); for (; *fmt; fmt++) switch (*fmt) {\n\
                case 'd': if (va_arg(ap, int) == 42) r |= 1; break;\n\
                case 's': { const char *s = va_arg(ap, const char *); if (s && s[0] == 'h') r |= 2; break; }\n\
                case 'l': if (va_arg(ap, long) > 1000000000000L) r |= 4; break;\n\
                case 'g': if (va_arg(ap, double) > 2.5) r |= 8; break; default: break; } va_end(ap); return r; }";
    check(text, &["-c", "decision", "--elements", "3"]);
}

/// A null pointer ends the list.
#[test]
fn strings_up_to_null() {
    let text = "#include <string.h>\nint f(const char *first, ...) { va_list ap; int n = 0; va_start(ap, first);\n\
                for (const char *s = first; s; s = va_arg(ap, const char *)) { n++; if (strcmp(s, \"ab\") == 0) { n = -n; break; } }\n\
                va_end(ap); return n; }";
    check(text, &[]);
}

/// A function with a `va_list` is called by one with variable arguments.
#[test]
fn lists_as_parameters() {
    let text = "int f(int k, va_list ap, char c) { int x = va_arg(ap, int); unsigned y = va_arg(ap, unsigned);\n\
                if (x == k) return 1; if (y > 4000000000u && c == 'z') return 2; return 0; }";
    check(text, &[]);
}

/// Objects behind variable arguments are compared after the call, only where the run has them. `va_copy` reads the same arguments again.
#[test]
fn objects_behind_arguments_are_written() {
    let text = "int f(int k, ...) { va_list ap, aq; int r = 0; va_start(ap, k); va_copy(aq, ap);\n\
                if (k == 3) { int *p = va_arg(ap, int *); r = *p; *p = 7; if (va_arg(aq, int *) != p) r = 9; }\n\
                va_end(ap); va_end(aq); return r > 3; }";
    let found = cover(text, &[]);
    assert!(found.contains("!= p` true: infeasible\n"), "{found}");
}

/// A list may be handed to a function that nobody has written, or to the library.
#[test]
fn lists_are_passed_on() {
    let text = "int log_it(const char *fmt, va_list ap);\n\
                int f(int k, const char *fmt, ...) { va_list ap; int r = 0; va_start(ap, fmt); if (k == 1) r = log_it(fmt, ap);\n\
                va_end(ap); return r > 3; }";
    check(text, &[]);
    let text = "#include <stdio.h>\nint f(char *to, const char *fmt, ...) { va_list ap; int n; if (!to || !fmt) return -1;\n\
                va_start(ap, fmt); n = vsnprintf(to, 3, fmt, ap); va_end(ap); return n >= 3 ? 1 : n; }";
    cover(text, &["-c", "decision", "--elements", "4", "--max-time", "60"]);
}

/// Writing may fail.
#[test]
fn results_of_functions_that_print_lists_are_inputs() {
    let text = "#include <stdio.h>\nint f(FILE *out, int level, const char *fmt, ...) { va_list ap; int n; if (level > 3) return 0;\n\
                va_start(ap, fmt); n = level == 2 ? vprintf(fmt, ap) : vfprintf(out, fmt, ap); va_end(ap); return n < 0 ? -1 : 1; }";
    check(text, &[]);
}

/// A mutant may request what the function does not: no test passes that.
#[test]
fn mutants_get_the_arguments_of_the_original() {
    let text = "int f(int n, ...) { va_list ap; int s = 0; va_start(ap, n); if (n > 0) s = va_arg(ap, int); if (n > 1) s += va_arg(ap, int);\n\
                va_end(ap); return s > 10; }";
    let found = check(text, &["--mutants"]);
    assert!(found.contains("mutants that differ are killed"), "{found}");
}

/// What tests cannot pass is never called infeasible.
#[test]
fn other_types_and_many_arguments_are_beyond_the_bound() {
    let record = "struct s { int a, b; }; int f(int k, ...) { va_list ap; int r = 0; va_start(ap, k);\n\
                  if (k == 2) { struct s v = va_arg(ap, struct s); if (v.a > v.b) r = 1; } va_end(ap); return r; }";
    let many = "int f(int k, ...) { va_list ap; int r = 0, i; va_start(ap, k); for (i = 0; i < 9; i++) r = va_arg(ap, int) + k;\n\
                va_end(ap); if (r == 5) return 1; return 0; }";
    let both = "int f(int k, ...) { va_list ap, aq; int r = 0; va_start(ap, k); va_copy(aq, ap); if (k == 1) r = va_arg(ap, int);\n\
                if (k < 2 && va_arg(aq, long) == 1) r++; va_end(ap); va_end(aq); return r; }";
    for text in [record, many, both] {
        let bench = Bench::new();
        bench.write("f.c", &format!("#include <stdarg.h>\n{text}"));
        let found = bench.nub(&["cover", "f.c", "-f", "f", "-c", "decision"]).expect(0).stdout;
        assert!(!found.contains("infeasible"), "{found}");
    }
}

/// An argument may point to what a parameter points to.
#[test]
fn arguments_share_objects_with_parameters() {
    let text = "int f(char *s, ...) { va_list ap; va_start(ap, s); char *p = va_arg(ap, char *); va_end(ap);\n\
                if (p == s) return 1; return 0; }\n";
    let found = check(text, &[]);
    assert!(found.contains("argument 2 == s"), "{found}");
}

/// A list from which the function itself takes nothing is passed on.
#[test]
fn lists_are_passed_on_beside_pointers_to_pointers() {
    let text = "void show(va_list);\n\
                int f(int **d, ...) { va_list ap; if (**d) return 1; va_start(ap, d); show(ap); va_end(ap); return 2; }\n";
    check(text, &[]);
}
