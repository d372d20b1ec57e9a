//! `nub cover` where hardware, the library or a callback supplies values: no goal that a legal run reaches is called infeasible, and the
//! compiled tests agree with the report.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

/// The output of `nub cover` for a program that it must have compiled and whose tests a strict compiler accepts.
fn cover(text: &str, options: &[&str]) -> String {
    let bench = Bench::new();
    bench.write("f.c", text);
    let words: Vec<&str> = ["cover", "f.c", "-f", "f", "-o", "t.c"].iter().chain(options).copied().collect();
    let found = bench.nub(&words).expect(0).stdout;
    assert!(found.contains("compiled with sanitizers and run: results agree"), "{found}");
    let strict = [
        "-std=gnu11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unused-parameter",
        "-Wno-misleading-indentation",
        "-o",
        "t",
        "t.c",
    ];
    let built = std::process::Command::new("cc").args(strict).current_dir(bench.path("")).output().unwrap();
    assert!(built.status.success(), "{}\n{}", String::from_utf8_lossy(&built.stderr), bench.read("t.c"));
    let run = std::process::Command::new(bench.path("t")).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    found
}

/// All goals are covered.
fn check_all(text: &str, options: &[&str]) -> String {
    let found = cover(text, options);
    // "3 tests cover 8 of 8 goals. 3 is the minimum (proved)"
    let words: Vec<&str> = found.lines().next().unwrap_or_default().split(' ').collect();
    assert!(words.len() > 5 && words[3] == words[5], "{found}");
    found
}

/// All goals are covered, by this many tests.
fn check(text: &str, options: &[&str], n_tests: usize) {
    let found = check_all(text, options);
    assert!(found.starts_with(&format!("{n_tests} tests cover ")), "{found}");
}

/// What a caller may not do, no test does: pass null where a declaration says `nonnull`, or let a `_Bool` be 2.
#[test]
fn callers_keep_to_attributes_and_types() {
    let text = "int f(int *p, int n) __attribute__((nonnull));\nint f(int *p, int n) { if (n == 0) return 0; return *p > n; }";
    let found = cover(text, &[]);
    assert!(!found.contains("NULL"), "{found}");
    let text = "int f(unsigned char *c) { _Bool *p = (_Bool *)c; if (*p) { if (*c == 2) return 3; return 1; } return 0; }";
    let found = cover(text, &["-c", "decision"]);
    assert!(found.contains("`*c == 2` true: infeasible"), "{found}");
}

/// A start and an end of one array, where the function looks at what lies before the start.
#[test]
fn an_end_follows_a_start_with_memory_before_it() {
    let text = "int f(const char *from, const char *to) { int n = 0; if (!from || !to || from >= to) return 0; if (from[-1] == 'x') n = 1;\n\
                for (; from < to; from++) if (*from == ']') n += 2; return n == 3 ? -1 : n; }";
    check_all(text, &["-c", "decision"]);
}

/// A table of labels, as interpreters of byte code have it.
#[test]
fn jumps_through_a_table_of_labels() {
    let text = "int f(const unsigned char *code, int x) {\n\
                static const void *const table[] = { &&stop, &&add, &&twice, &&back };\n\
                #define NEXT goto *table[*code++ & 3]\n\
                int n = 0; if (!code) return -1; NEXT;\n\
                add: if (x > 5) n++; NEXT;\n\
                twice: if (n == 1) x *= 0; NEXT;\n\
                back: if (++n < 3) { code -= 1; NEXT; } NEXT;\n\
                stop: return n > 2 ? x : n; }";
    let found = cover(text, &["-c", "decision"]);
    assert!(!found.contains("infeasible"), "{found}");
    let text = "int f(int k) { static const void *const t[] = { &&a, &&b }; if (k < 0 || k > 1) return 3; goto *t[k];\n\
                a: return k + 1;\n b: if (k) return 7;\n return 2; }";
    let found = cover(text, &["-c", "statement"]);
    assert!(found.contains("3 tests cover 6 of 7 goals; 1 infeasible (proved)"), "{found}");
}

#[test]
fn an_allocation_may_fail() {
    let text = "#include <stdlib.h>\n\
                int f(int x) { int *p = malloc(4); if (!p) return -1; *p = x; x = *p > 3; free(p); return x ? 1 : 2; }";
    check(text, &[], 3);
    let text = "#include <stdlib.h>\n\
                int f(void) { char *p = malloc(4), *q = calloc(2, 4); int n = !p ? 1 : !q ? 2 : q[1] ? 3 : 4;\n\
                free(p); free(q); return n; }";
    let found = cover(text, &["-c", "condition"]);
    assert!(found.contains("3 tests cover 5 of 6 goals; 1 infeasible (proved)"), "{found}");
    assert!(found.contains("malloc #1 fails") && found.contains("calloc #1 fails"), "{found}");
}

#[test]
fn the_result_of_scanf_is_an_input() {
    let text = "#include <stdio.h>\n\
                int f(void) { int v; if (scanf(\"%d\", &v) != 1) return -1; return v > 3 ? 1 : 0; }";
    check(text, &["-c", "decision"], 3);
    // If only one of two numbers is read, only the first object is written. End of file and "no number" are different results.
    let text = "#include <stdio.h>\n\
                int f(void) { int a = 1, b = 2, n = scanf(\"%d%d\", &a, &b); \n\
                if (n == EOF) return a; if (n == 0) return b; if (n == 1 && a == 5 && b == 2) return 8; return n == 1 && b != 2; }";
    let found = cover(text, &["-c", "condition"]);
    assert!(found.contains("scanf #1 returns"), "{found}");
    assert!(found.contains("5 tests cover 12 of 14 goals; 2 infeasible (proved)"), "{found}");
}

#[test]
fn characters_of_a_stream_are_inputs() {
    let text = "#include <stdio.h>\n\
                int f(FILE *in) { int c = fgetc(in); if (c == EOF) return -1; return c == 'a' && getc(in) == 'b'; }";
    check(text, &[], 4);
}

#[test]
fn a_callback_returns_anything() {
    let text = "int f(int (*cb)(int), int x) { if (cb == 0) return -1; if (cb(x) > 3 && x < 10) return 1; return 0; }";
    check(text, &[], 4);
    // Each call has a result of its own.
    let text = "int f(const char *(*unused)(void), unsigned char (*cb)(const char *)) {\n\
                if (!cb) return 0; return cb(\"a\") == 1 && cb(\"a\") == 2; }";
    check(text, &[], 4);
}

#[test]
fn a_structure_of_callbacks_is_a_driver() {
    let text = "struct dev { int (*open)(int); int id; };\n\
                int f(struct dev *d) { if (!d || !d->open) return -1; if (d->open(d->id) < 0) return -2; return 0; }";
    check(text, &[], 4);
    let text = "struct at { short x; unsigned char y; }; struct ops { struct at (*get)(void); void (*done)(struct at); };\n\
                int f(struct ops *o) { struct at a; if (!o || !o->get) return 0; a = o->get(); if (o->done) o->done(a);\n\
                return a.x == -7 && a.y == 200; }";
    check_all(text, &[]);
    let text = "static int twice(int x) { return 2 * x; }\n\
                int (*table[2])(int) = { twice };\n\
                int f(unsigned k) { if (k > 1 || !table[k]) return -1; return table[k](k) == 9; }";
    check_all(text, &["--globals", "-c", "condition"]);
}

/// The object that a callback returns a pointer to is an input too.
#[test]
fn a_callback_may_return_a_pointer() {
    let bench = Bench::new();
    bench.write(
        "f.c",
        "int f(int *(*cb)(void)) { int *p; if (!cb) return 0; p = cb(); return p && *p == 3; }",
    );
    let found = bench.nub(&["cover", "f.c"]).expect(0).stdout;
    assert!(
        found.contains("4 tests cover 13 of 13 goals") && found.contains("callback_1 #1 returns null"),
        "{found}"
    );
}

/// Two reads of one object may differ, whatever was written.
#[test]
fn volatile_objects_are_read_from_hardware() {
    let text = "volatile unsigned REG;\n\
                int f(void) { int n = 0; while (!(REG & 1u)) { if (++n > 3) return -1; } return n > 1 ? 2 : 1; }";
    check_all(text, &["--globals"]);
    check_all(text, &[]);
    let text = "static volatile unsigned char REG;\n\
                int f(int x) { REG = 5; if (REG == 1 && REG == 2) return 1; REG |= 4; return REG++ == 7 || x > 2; }";
    check_all(text, &[]);
}

#[test]
fn registers_are_volatile_objects_at_constant_addresses() {
    let text = "#include <stdint.h>\n#define STATUS (*(volatile uint32_t *)0x40020000u)\n\
                int f(void) { int n = 0; while (!(STATUS & 1u)) { if (++n > 3) return -1; } STATUS = 7; return n; }";
    check_all(text, &[]);
    let text = "#include <stdint.h>\n\
                typedef struct { volatile uint32_t CR, SR; uint32_t unused[2]; volatile uint8_t DATA[4]; } UART_Type;\n\
                #define UART1 ((UART_Type *)0x40011000)\n\
                int f(uint8_t *out, int n) { UART1->CR |= 3u; if (!out) return 0;\n\
                for (int i = 0; i < n && i < 4; i++) { if (!(UART1->SR & 0x20u)) return -1; *out = UART1->DATA[i]; if (*out == 0x1b) return i; }\n\
                (void)UART1->SR; UART1->CR &= ~3u; return 9; }";
    check_all(text, &[]);
}

#[test]
fn members_and_pointees_are_volatile_too() {
    let text = "struct port { volatile unsigned in; unsigned out; };\n\
                int f(struct port *p) { if (!p) return 0; p->out = p->in; if (p->in != p->out) return 1; return 2; }";
    check(text, &[], 3);
    let text = "int f(const volatile short *p) { if (p && *p == 3 && *p == 4) return 1; return 0; }";
    check(text, &[], 4);
    let text = "struct bits { unsigned ready : 1, kind : 3; int level : 4; }; volatile struct bits REGS;\n\
                int f(void) { if (REGS.ready && REGS.kind == 5 && REGS.level - 1 < -7) return 1; if (REGS.kind > 7) return 2; return 0; }";
    let found = cover(text, &["-c", "condition"]);
    assert!(found.contains("cover 7 of 8 goals") && found.contains("1 infeasible (proved)"), "{found}");
}

/// A local volatile counter of a delay loop is not visible to hardware.
#[test]
fn a_local_that_nobody_else_knows_is_ordinary() {
    let text = "int f(int n) { volatile int i; for (i = 0; i < 3; i++) n ^= i; return i == 4 ? 1 : n > 2; }";
    let found = cover(text, &["-c", "decision"]);
    assert!(found.contains("1 infeasible (proved)"), "{found}");
    let text =
        "void g(volatile int *p) { *p = 1; } int f(void) { volatile int i = 0; g(&i); return i == 4; }";
    check_all(text, &["-c", "statement"]);
}

/// What cannot be supplied is reported.
#[test]
fn a_bit_field_of_a_large_register_is_not_replayed() {
    let bench = Bench::new();
    let text = "struct bits { unsigned on : 1; char rest[300]; };\n#define R ((volatile struct bits *)0x40000000)\n\
                int f(int a) { R->on = 1; if (a > 3) return 1; return 0; }";
    bench.write("f.c", text);
    let found = bench.nub(&["cover", "f.c"]).expect(0).stdout;
    assert!(
        found.contains("2 tests cover 5 of 5 goals") && found.contains("not compiled: values for"),
        "{found}"
    );
}

/// Strings read by `%s` and `puts` are terminated in every test; a text that need not be terminated is not
/// read to its end.
#[test]
fn texts_that_are_printed_have_an_end() {
    let text = "#include <stdio.h>\n#include <string.h>\n\
                int f(const char *s) { if (strncmp(s, \"abcdefgh\", 8) == 0) { fprintf(stderr, \"'%s'\\n\", s); return 1; }\n\
                if (s[0] == 'x' && s[7] == 'x') { puts(s); return 2; } return 0; }";
    check_all(text, &[]);
    let text = "#include <stdio.h>\n\
                int f(const char *s, int n) { if (n < 0 || n > 3) return 0; printf(\"%d %.*s\\n\", n, n, s); return s[0] == 'q'; }";
    check_all(text, &[]);
    // Without a string there is nothing to print.
    let found = cover(
        "#include <stdio.h>\nint f(const char *s) { printf(\"%s\", s); return s ? 1 : 0; }",
        &["-c", "decision"],
    );
    assert!(found.contains("1 test covers 1 of 2 goals"), "{found}");
}

/// A text of the environment may be longer than those that are tried.
#[test]
fn a_text_of_the_environment_has_any_length() {
    let text = "#include <stdlib.h>\n#include <string.h>\n\
                int f(void) { const char *p = getenv(\"X\"); if (!p) return 0; return strlen(p) > 10 ? 1 : 2; }";
    let found = cover(text, &["-c", "decision"]);
    assert!(found.contains("1 beyond the bound") && !found.contains("infeasible"), "{found}");
}

/// Tests of a function start with the initial values of the text, whatever would run before `main`.
#[test]
fn constructors_do_not_run_before_tests_of_other_functions() {
    let text = "static int ready = 2;\n\
                int f(int x) { static int n; n++; if (n > 1) return 5; if (x > 3) return 1; return ready; }\n\
                __attribute__((constructor)) static void start(void) { ready = 1; f(2); }\n\
                __attribute__((__destructor__(200))) static void end(void) { f(3); __builtin_abort(); }\n";
    let found = cover(text, &["-c", "decision"]);
    assert!(found.contains("returns 2"), "{found}");
}

/// The address of a member of a null pointer is undefined, which sanitizers detect; with a constant it is an
/// offset.
#[test]
fn members_of_null_have_no_address() {
    let text = "struct s { int a; int b[2]; };\n\
                int *g; int f(struct s *p, int n) { int *q = &p->a; if (n > 3) { q = p->b; g = q; }\n\
                if ((unsigned long)&((struct s *)0)->b != 4) return 2; return p ? 1 : 0; }";
    let found = cover(text, &["-c", "decision"]);
    assert!(
        found.contains("3 infeasible") || found.contains("infeasible without undefined behaviour"),
        "{found}"
    );
    assert!(!found.contains("returns 0"), "{found}");
}

/// Volatile objects that only other functions read need no copy of the program, in which headers would be included without the program's
/// macros.
#[test]
fn volatile_objects_of_other_functions_need_no_copy() {
    let text = "#define _GNU_SOURCE\n#include <sys/mman.h>\nvolatile int reg;\n\
                int other(void) { return reg; } void *(*table)(void *, unsigned long, unsigned long, int, ...) = mremap;\n\
                int f(int a) { if (a > 3) return 1; return 0; }\n";
    let bench = Bench::new();
    bench.write("f.c", text);
    let found = bench.nub(&["cover", "f.c", "-f", "f", "-o", "t.c"]).expect(0).stdout;
    assert!(found.contains("results agree") && bench.read("t.c").contains("#include \"f.c\""), "{found}");
}

/// The library sets `errno` even for programs that do not declare it.
#[test]
fn errno_need_not_be_declared() {
    let text = "#include <stdlib.h>\n\
                int f(const char *s) { char *end; unsigned long n = strtoul(s, &end, 0); return end > s && *end == 0 && n < 3 ? 1 : 0; }";
    check_all(text, &[]);
}

/// A program that undefines the macros of library functions still calls them, by pointer or by name.
#[test]
fn functions_of_the_library_are_replaced_without_macros_too() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\n#undef malloc\n# undef  fopen /* C89 */\nstatic void *(*get)(size_t) = malloc;\n\
                int f(void) { char *p = get(4); FILE *file; if (!p) return 1; free(p); file = fopen(\"a\", \"r\"); if (!file) return 2; \
                fclose(file); return 0; }\n";
    check_all(text, &[]);
}

/// The output for a program whose goals are all decided without assumptions.
#[track_caller]
fn cover_without_assumptions(text: &str) -> String {
    let found = cover(text, &[]);
    assert!(
        found.contains("is the minimum (proved)") && !found.contains("infeasible under"),
        "{text}\n{found}"
    );
    found
}

/// `void *` and handles point to what the program uses them as: by a cast, through members, variables and
/// calls.
#[test]
fn opaque_pointers_lead_to_what_they_are_used_as() {
    let types = "struct own { int mode; unsigned have; char *name; };\ntypedef struct { int kind; double d; } item;\nstruct handle;\n\
                 struct outside { struct handle *state; void *user; };\nint inner(void *p) { item *it = (item *)p; return it->kind > 3; }\n";
    for body in [
        "int f(void *p) { struct own *s = p; if (s->mode > 3) return 1; return s->have == 77 ? 2 : 0; }",
        "int f(struct outside *p) { struct own *s = (struct own *)p->state; if (s->mode > 3) return 1; return s->have == 77 ? 2 : 0; }",
        "int f(struct outside *p, int n) { void *q = p->user; if (!q) return -1; return inner(q) ? n : 0; }",
        "int f(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; if (x < y) return -1; return x > y ? 1 : 0; }",
        "int f(void *p) { int tag = *(int *)p; if (tag == 1) return ((item *)p)->kind == 1 ? 3 : 4; return tag == 2 ? ((struct own *)p)->have == 5 : 0; }",
    ] {
        cover_without_assumptions(&format!("{types}{body}\n"));
    }
}

/// If a structure begins like another one, a test creates the larger one, whose members are used.
#[test]
fn pointers_to_a_base_lead_to_what_is_derived_from_it() {
    let types = "struct base { const struct methods *calls; };\nstruct file { const struct methods *calls; int handle; char *path; int error; };\n\
                 struct wide { struct base head; long size; };\nint inner(struct base *b) { return ((struct file *)b)->handle == 7; }\n";
    for body in [
        "int f(struct base *b) { struct file *s = (struct file *)b; if (s->handle > 3 && s->path) { s->error = 5; return 1; } return 0; }",
        "int f(struct base *b) { if (inner(b)) return 1; return 0; }",
        "int f(struct base *b) { if (b->calls) return ((struct wide *)b)->size > 9 ? 1 : 2; return 0; }",
        "int f(struct base *b, struct base *c) { if (b && b == c) return 1; return ((struct wide *)b)->size > 9 ? 3 : 2; }",
    ] {
        let found = cover_without_assumptions(&format!("{types}{body}\n"));
        assert!(!found.contains("b[1]"), "{body}\n{found}");
    }
}

/// The remaining half of an address is a number that differs from run to run.
#[test]
fn half_of_a_pointer_may_be_overwritten() {
    let text = "struct s { struct s *p; struct s *q; };\n\
                int f(struct s *s, int n) { if (s && s->p) { ((int *)s)[0] = n; if (n > 700) return 1; return 2; } return 0; }\n";
    let found = cover(text, &[]);
    assert!(found.contains("cover 13 of 13 goals") && found.contains("results agree"), "{found}");
    let seen =
        "int f(char **s) { if (s && *s) { ((int *)s)[0] = 0; if (*s) return 1; return 2; } return 0; }\n";
    let found = cover(seen, &[]);
    assert!(
        found.contains("results agree") && !found.contains("returns 2"),
        "addresses differ from run to run: {found}"
    );
}

/// Sorting compares as often as it likes, a class is any number but 0: test programs have functions of their own. Claims hold for every library, and
/// every form of the report names what they rest on.
#[test]
fn what_libraries_choose_is_that_of_the_tests() {
    let headers = "#include <stdlib.h>\n#include <ctype.h>\n";
    for body in [
        "static int n; static int compare(const void *a, const void *b) { n++; return *(const char *)a - *(const char *)b; }\n\
         int f(char *a, char x) { if (!a) return -1; n = 0; qsort(a, 3, 1, compare); if (n > 2) return 1; return bsearch(&x, a, 3, 1, compare) != 0; }",
        "int f(char *a, int (*by)(const void *, const void *)) { if (!a || !by) return -1; qsort(a, 3, 1, by); return a[0] > a[1] ? 1 : 0; }",
        "int f(int c) { if ((isalpha)(c) == 1) return 1; return isdigit(c) ? 2 : 0; }",
    ] {
        let found = cover(&format!("{headers}{body}\n"), &["-c", "decision"]);
        assert!(found.contains("results agree") && !found.contains("Not covered"), "{body}\n{found}");
    }
    let declared = "int isalpha(int); int f(int c) { if (isalpha(c) == 1) return 1; return isalpha(c); }\n";
    let found = cover(declared, &["-c", "decision"]);
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
    let time = "#include <time.h>\nint f(void) { time_t t = time(0); if (t < -1) return 1; return t == 5 ? 2 : 0; }\n";
    let found = cover(time, &["-c", "decision"]);
    assert!(
        found.contains("results agree")
            && found.contains("if `time` returns and writes what it does in the tests"),
        "{found}"
    );
}

#[test]
fn every_report_names_the_locale() {
    let bench = Bench::new();
    let text =
        "int isalpha(int); int f(int c) { if (c > 127 && c < 256 && isalpha(c)) return 1; return 0; }\n";
    bench.write("f.c", text);
    let base = ["cover", "f.c", "-f", "f", "-c", "decision", "--no-native"];
    let files = ["-o", "r.txt", "-o", "r.json", "-o", "r.md", "-o", "r.html", "--fail-under", "100"];
    let args: Vec<&str> = base.into_iter().chain(files).collect();
    bench.nub(&args).expect(1);
    for name in ["r.txt", "r.json", "r.md", "r.html"] {
        let found = bench.read(name);
        assert!(found.contains("the locale is"), "{name}: {found}");
        assert!(!found.contains("1 infeasible (proved)"), "{name}: {found}");
    }
}
