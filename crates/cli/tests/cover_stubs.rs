//! `nub cover` with functions without a body, and with a failing library: the tests expect the arguments of their calls, and what they
//! return and write are inputs. The compiled tests do the same, and detect a changed call.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

const STUBS: &str = "\
struct point { int x; short y; };
int read_sensor(int channel, int *value);
void log_it(const char *text, int level);
int fill(char *buf, unsigned n);
struct point *find(int id);
int f(int id) {
    int v;
    char b[8];
    if (read_sensor(id, &v) != 0) { log_it(\"no sensor\", id); return -1; }
    if (fill(b, 8) == 2 && b[0] == 'o' && b[1] == 'k') { log_it(b, v); return 2; }
    struct point *p = find(v);
    if (!p) return 3;
    if (p->x == 7 && p->y < 0) return 4;
    return v > 100;
}
";

/// The compiler that users have, with all its warnings, and the sanitizers.
fn compile(bench: &Bench) -> bool {
    let options = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined"];
    let more = ["-Wno-misleading-indentation", "-o", "t", "t.c", "-lm"];
    let mut cc = std::process::Command::new("cc");
    let built = cc.args(options).args(more).current_dir(bench.path("")).output().unwrap();
    assert!(built.status.success(), "{}\n{}", String::from_utf8_lossy(&built.stderr), bench.read("t.c"));
    let run = std::process::Command::new(bench.path("t")).current_dir(bench.path("")).output().unwrap();
    run.status.success()
}

/// The output of `nub cover` for a program that it must have compiled and whose tests pass.
fn cover(text: &str, options: &[&str]) -> (Bench, String) {
    let bench = Bench::new();
    bench.write("f.c", text);
    let words: Vec<&str> =
        ["cover", "f.c", "-f", "f", "--native", "-o", "t.c"].iter().chain(options).copied().collect();
    let found = bench.nub(&words).expect(0).stdout;
    assert!(compile(&bench), "{found}\n{}", bench.read("t.c"));
    (bench, found)
}

#[test]
fn stubs_write_and_return_and_are_compared() {
    let (bench, found) = cover(STUBS, &[]);
    assert!(found.contains("6 tests cover 29 of 29 goals"), "{found}");
    assert!(found.contains("read_sensor(0, &v), log_it(\"no sensor\", 0)"), "{found}");
    // A program that calls something else is noticed.
    for (from, to) in [
        ("log_it(\"no sensor\", id)", "log_it(\"no sensor\", id + 1)"),
        ("\"no sensor\"", "\"no censor\""),
        ("fill(b, 8)", "fill(b, 7)"),
        ("log_it(b, v); ", ""),
        (
            "struct point *p = find(v);",
            "struct point *p = find(v); if (v == 77) p = find(v); log_it(\"\", 0);",
        ),
    ] {
        assert!(STUBS.contains(from));
        bench.write("f.c", &STUBS.replace(from, to));
        assert!(!compile(&bench), "{from} -> {to}");
    }
}

/// Only the order and arguments of calls of a void function can be observed.
#[test]
fn calls_of_void_functions_are_compared() {
    let text = "void on(int led); void off(int led);\n\
                void f(int mode) { if (mode > 3) { on(mode); off(1); } else off(2); }\n";
    let (bench, found) = cover(text, &[]);
    assert!(found.contains("on(4), off(1)") && found.contains("off(2)"), "{found}");
    bench.write("f.c", &text.replace("on(mode); off(1);", "off(1); on(mode);"));
    assert!(!compile(&bench));
    let json = bench.nub(&["cover", "f.c", "--no-native", "--json"]).expect(0).stdout;
    assert!(json.contains("\"calls\"") && json.contains("\"led\""), "{json}");
    bench.nub(&["cover", "f.c", "--no-native", "-q", "-o", "r.md", "-o", "r.html"]).expect(0);
    assert!(bench.read("r.md").contains("calls of stubs"), "{}", bench.read("r.md"));
    let page = bench.read("r.html");
    assert!(page.contains(r#"{"arguments":[{"name":"led","value":"4"}],"function":"on"}"#), "{page}");
}

#[test]
fn callbacks_write_through_their_pointers() {
    let text = "typedef int (*reader)(unsigned char *to, int n);\n\
                int f(reader r) { unsigned char b[2] = { 0, 0 }; if (!r) return -1;\n\
                if (r(b, 2) < 0) return -2; if (b[0] == 0x7f && b[1] == 9) return 1; return 0; }";
    let (_, found) = cover(text, &[]);
    assert!(!found.contains("Not covered") && found.contains("callback_2(\"\", 2)"), "{found}");
}

/// A compiler removes code after a call that never returns, so a stub that returned would run into arbitrary code.
#[test]
fn stubs_that_never_return_end_the_run() {
    for (head, name) in [
        ("_Noreturn void die(int code, const char *why);", "_Noreturn"),
        ("extern void die(int code, const char *why) __attribute__((__noreturn__));", "attribute behind"),
        ("__attribute__((noreturn)) void die(int, const char *);", "attribute before"),
    ] {
        let text = format!(
            "{head}\nint f(int a) {{ if (a < 3) die(a, \"small\"); if (a == 77) return 1; return 2; }}\n"
        );
        let (bench, found) = cover(&text, &[]);
        assert!(found.contains("  exited") && !found.contains("Not covered"), "{name}: {found}");
        bench.write("f.c", &text.replace("die(a, \"small\")", "die(a + 1, \"small\")"));
        assert!(!compile(&bench), "{name}: the call that ends the run is compared");
    }
}

/// If such a body returns nevertheless, that is undefined behaviour: no test relies on it.
#[test]
fn returning_from_a_function_that_never_returns_is_undefined() {
    let text = "_Noreturn void die(int code) { while (code > 3) ; }\n\
                int f(int a) { if (a == 9) die(a); if (a == 7) return 1; return 2; }\n";
    let bench = Bench::new();
    bench.write("f.c", text);
    let found = bench.nub(&["cover", "f.c", "-f", "f", "--native", "-c", "decision"]).expect(0).stdout;
    assert!(!found.contains("a = 9"), "{found}");
}

/// C does not say which argument is evaluated first, and compilers differ.
#[test]
fn calls_of_one_statement_come_in_any_order() {
    let text = "int left(int a); int right(int a); int both(int l, int r); int other(void);\n\
                int f(int a) { if (both(left(a), right(a + 1)) == 5 && left(7) == 2) return other(); return 0; }\n";
    let (bench, found) = cover(text, &[]);
    assert!(!found.contains("Not covered"), "{found}");
    bench.write("f.c", &text.replace("both(left(a), right(a + 1))", "both(left(a), right(a))"));
    assert!(!compile(&bench), "the arguments are compared in any order");
    bench.write("f.c", &text.replace("return other();", "{ int o = other(); left(7); return o; }"));
    assert!(!compile(&bench), "a call of another statement comes in its turn");
}

/// Two calls of one function cannot be told apart by their names.
#[test]
fn calls_of_one_function_in_one_list_of_arguments_come_as_the_compiler_makes_them() {
    let text = "int get(int at); int max(int a, int b) { return a > b ? a : b; }\n\
                int f(int a) { int m = max(get(a), get(a + 1)); if (m == 5) return 1; return 0; }\n";
    let (_, found) = cover(text, &[]);
    assert!(found.contains("results agree") && found.contains("get(1), get(0)"), "{found}");
}

/// A caller may pass a stream as `void *`: a test has plain memory there, which the library must not use.
#[test]
fn streams_may_come_as_any_pointer() {
    let text = "#include <stdio.h>\nstruct writer { void *to; int level; };\n\
                int f(struct writer *w) { FILE *file = (FILE *)w->to; if (!file) return -1;\n\
                if (w->level > 3) { fprintf(file, \"%d\", w->level); fputs(\"x\", file); fflush(file); return 1; } return 0; }\n";
    let (_, found) = cover(text, &[]);
    assert!(!found.contains("Not covered") && found.contains("results agree"), "{found}");
}

/// `memcpy` with overlapping memory is undefined: no test relies on it.
#[test]
fn copies_do_not_overlap() {
    let text = "#include <string.h>\nint f(char *a, char *b) { if (!a || !b) return -1; memcpy(a, b, 2);\n\
                if (a[0] == 'x' && b[1] == 'y') return 1; if (a == b) return 2; return 0; }\n";
    let (_, found) = cover(text, &[]);
    assert!(found.contains("results agree"), "{found}");
    assert!(found.contains("`a == b` true: "), "no test has both in one place: {found}");
}

/// `memcmp` compares `n` bytes of both objects, also if the first ones differ.
#[test]
fn all_bytes_that_are_compared_are_there() {
    let text = "#include <string.h>\nint f(unsigned n) { char a[4] = \"abc\", b[4] = \"abd\";\n\
                if (memcmp(a, b, n) < 0) { if (n > 4) return 1; return 2; } return 0; }\n";
    let (_, found) = cover(text, &[]);
    assert!(found.contains("results agree") && found.contains("`n > 4` true: infeasible"), "{found}");
    assert!(
        found.contains("a pointer to no object in line 3\n"),
        "the user's line, not one of our model: {found}"
    );
    let behind = "#include <string.h>\nint f(const char *a, const char *b, unsigned n) { if (!a || !b) return 3;\n\
                  if (memcmp(a, b, n) == 0) return 1; if (n > 9) return 7; return 0; }\n";
    let (_, found) = cover(behind, &[]);
    assert!(found.contains("results agree") && !found.contains("infeasible\n"), "{found}");
}

/// No claim is made about other memory that a stub could return.
#[test]
fn what_a_stub_may_return_besides_is_an_assumption() {
    let bench = Bench::new();
    bench.write(
        "f.c",
        "int g; int *where(void);\nint f(void) { int *p = where(); g = 1; if (!p) return 0; *p = 2; if (g == 2) return 1; return 2; }",
    );
    let words = ["cover", "f.c", "--no-native", "-c", "decision"];
    let found = bench.nub(&words).expect(0).stdout;
    assert!(found.contains("infeasible if") && found.contains("returns pointers only to"), "{found}");
}

/// Each result of the library is an input, and supplied in the compiled tests.
#[test]
fn the_library_fails_where_a_goal_needs_it() {
    for (name, text) in [
        (
            "fgets",
            "#include <stdio.h>\nint f(void) { char b[6]; if (!fgets(b, 6, stdin)) return -1;\n\
             if (b[0] == 'y' && b[1] == '\\n') return 1; return 0; }",
        ),
        (
            "fread",
            "#include <stdio.h>\nint f(FILE *in) { unsigned char h[2]; if (!in) return -2; if (fread(h, 1, 2, in) != 2) return -1;\n\
             if (h[0] == 0x1f && h[1] == 0x8b) return 1; return 0; }",
        ),
        (
            "fopen",
            "#include <stdio.h>\nint f(void) { FILE *in = fopen(\"x\", \"r\"); int c; if (!in) return -1;\n\
             c = fgetc(in); if (ferror(in)) { fclose(in); return -2; } if (fclose(in) != 0) return -3; return c == '#'; }",
        ),
        (
            "feof",
            "#include <stdio.h>\nint f(void) { int c = getchar(); if (c == EOF && feof(stdin)) return 1; return 0; }",
        ),
        (
            "fputs",
            "#include <stdio.h>\nint f(void) { if (fputs(\"a\", stdout) < 0) return 1; fputs(\"b\", stdout);\n\
             if (printf(\"%d\", 3) != 1) return 2; return 0; }",
        ),
        (
            "fwrite",
            "#include <stdio.h>\nint f(const int *p) { if (!p) return 0; if (fwrite(p, sizeof *p, 1, stdout) != 1) return 1; return 2; }",
        ),
        (
            "getenv",
            "#include <stdlib.h>\nint f(void) { const char *t = getenv(\"MODE\"); if (!t) return 0; if (t[0] == 'd' && t[1] == 0) return 1; return 2; }",
        ),
        (
            "strdup",
            "#define _POSIX_C_SOURCE 200809L\n#include <string.h>\n#include <stdlib.h>\n\
             int f(const char *s) { char *c; int r; if (!s) return -2; c = strdup(s); if (!c) return -1; r = c[0] == 'x'; free(c); if (r) return 1; return 0; }",
        ),
        (
            "time",
            "#include <time.h>\nint f(void) { time_t t; if (time(&t) == (time_t)-1) return -1; if (t > 1000000) return 1; return 0; }",
        ),
        ("clock", "#include <time.h>\nint f(void) { if (clock() == 5) return 1; return 0; }"),
        ("system", "#include <stdlib.h>\nint f(void) { if (system(\"true\") != 0) return 1; return 0; }"),
    ] {
        let (_, found) = cover(text, &["-c", "condition-decision"]);
        assert!(!found.contains("Not covered") && found.contains(name), "{name}: {found}");
    }
}

/// A stub gets a table of pointers as bytes: their addresses need not be the same in the next run. A number that is an address is not
/// compared, but what follows it is; a pointer to a place before its object has no known target.
#[test]
fn addresses_in_the_middle_of_arguments() {
    let text = "int sys(long n, long a, long b);
int f(int c, int *p) { int r; if (c) r = sys(1, (long)p, c); else r = sys(2, c, (long)p); if (r) return 1; return 0; }
";
    let (bench, found) = cover(text, &[]);
    assert!(found.contains("sys(1, an address, 1)"), "{found}");
    bench.write("f.c", &text.replace("(long)p, c)", "(long)p, c + 1)"));
    let test = bench.read("t.c").replace("(long)p, c)", "(long)p, c + 1)");
    bench.write("t.c", &test);
    assert!(!compile(&bench), "a changed call must be noticed");
    let text = "struct v { int tt; };
struct s { struct v *top; struct v *func; int n; };
void call(struct s *, struct v *, int);
int f(struct s *s, int n) { struct v *func = s->top - (n + 1); if (n > 3) call(s, func, n); if (s->n) return 1; return 2; }
";
    cover(text, &[]);
}

#[test]
fn bytes_of_pointers_are_not_expected() {
    let text = "struct cell { struct cell *next; int v; } table[2];\n\
                void clear(unsigned char *p, unsigned n);\n\
                int f(int x) { clear((unsigned char *)table, sizeof table); if (x > 3) return 1; return 0; }\n";
    let (_bench, found) = cover(text, &["--globals"]);
    assert!(found.contains("2 tests cover 5 of 5 goals") && found.contains("results agree"), "{found}");
}

/// Sanitizers call functions of the system too: the program under test gets stubs of these under another name.
#[test]
fn functions_that_sanitizers_need_are_stubs() {
    let text = "#include <pthread.h>\n#include <sys/mman.h>\n#include <signal.h>\n\
                int f(pthread_mutex_t *m, int n) { if (pthread_mutex_lock(m) != 0) return -1;\n\
                if (mmap(0, 16, PROT_READ, MAP_PRIVATE, n, 0) == MAP_FAILED) return -2;\n\
                if (sigaltstack(0, 0) && pthread_mutex_unlock(m)) return 1; return 0; }\n";
    let (_, found) = cover(text, &["-c", "decision"]);
    // The result of `mmap` is only known to be new memory, or null.
    assert!(found.contains("3 tests cover 5 of 6 goals; 1 infeasible under assumptions"), "{found}");
}

/// A stub of `sysconf` that returns 0 would leave AddressSanitizer without a stack.
#[test]
fn functions_of_the_system_are_stubs_of_the_program_alone() {
    let text = "#include <unistd.h>\n#include <fcntl.h>\n#include <strings.h>\n#include <sys/stat.h>\n\
                struct file { int (*close)(int); int index; };\n\
                int f(struct file *file, int fd) { struct stat stat_of; if (sysconf(_SC_PAGESIZE) == 7) return 1;\n\
                if (!file) return 2; if (stat(\"x\", &stat_of) == 0 && stat_of.st_size == 12) return 3;\n\
                if (open(\"x\", O_RDONLY) == 9 && isatty(fd)) return 4; if (index(\"abc\", file->index)) return 5; return close(fd); }\n";
    let (_, found) = cover(text, &["-c", "decision"]);
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}

/// Tests also include library headers if processes or models need them: renamed functions are renamed in all of them.
#[test]
fn functions_of_one_header_may_be_models_and_stubs() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\n#include <assert.h>\n#include <unistd.h>\n\
                int f(const char *name) { FILE *file = fopen(name, \"r\"); long n; if (!file) return 1; n = ftell(file);\n\
                if (n == 12) abort(); assert(n < 70); fclose(file); return sysconf(1) == 3 && truncate(name, n) == 0; }\n";
    let (_, found) = cover(text, &["-c", "decision"]);
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}

/// Sanitizers read the limits before `main`, and must not call the functions of a program that is itself a C library.
#[test]
fn programs_may_define_functions_of_the_system() {
    let text = "struct limits { unsigned long now, most; };\nextern void *nowhere(int);\n\
                int getrlimit(int which, struct limits *to) { to->now = 0; return nowhere(which) != 0; }\n\
                int setrlimit(int which, const struct limits *to) { return nowhere(which) == to; }\n\
                long sysconf(int name) { if (name == 3) return 0; return -1; }\n\
                int f(int a) { if (sysconf(a) == 0) return 1; return 0; }\n";
    let (_, found) = cover(text, &["-c", "decision"]);
    assert!(found.contains("results agree") && found.contains("2 tests cover 2 of 2 goals"), "{found}");
}

/// A callback that has a callback as a parameter.
#[test]
fn callbacks_may_have_callbacks() {
    let text = "typedef int (*rng)(void *state, const unsigned char *to, unsigned n);\n\
                typedef int (*sign)(rng random, void *state, int (*table)[4]);\n\
                int f(sign with, int n) { if (!with) return -1; if (n > 3) return 1; return with(0, 0, 0) == 5; }\n";
    let (_, found) = cover(text, &["-c", "decision"]);
    assert!(found.contains("results agree"), "{found}");
}

/// Inline functions whose external definitions are in another file.
#[test]
fn inline_functions_are_defined_by_the_tests() {
    let text = "inline int twice(int a) { return 2 * a; }\ninline int unused(int a) { return twice(a); }\n\
                int f(int a) { if (a > 100 || a < 0) return -1; if (twice(a) == 6) return 1; return 0; }\n";
    let (_, found) = cover(text, &[]);
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}

/// A function without a stub, because tests need it themselves, ends only the runs that call it.
#[test]
fn runs_that_call_what_tests_need_end_there() {
    let text = "#include <unistd.h>\n#include <sys/wait.h>\n\
                int f(int a) { if (a > 3) { int s = 0; if (fork() == 0) return 7; return wait(&s) > 0; } if (a == 2) return 2; return 1; }\n";
    let (_, found) = cover(text, &["-c", "decision"]);
    assert!(found.contains("beyond the bound") && !found.contains("infeasible"), "{found}");
    assert!(found.contains("returns 2") && found.contains("returns 1"), "{found}");
    let bench = Bench::new();
    bench.write("f.c", text);
    bench.nub(&["cover", "f.c", "-f", "f", "--no-stubs"]).expect(2);
}

/// Tests pass no null pointer where the declaration forbids it: that would be undefined, and sanitizers detect it.
#[test]
fn what_must_not_be_null_is_not() {
    let text = "int open_it(const char *name, int *n) __attribute__((__nonnull__(1)));\n\
                int use(int *p) __attribute__((nonnull)); int f(const char *name, int *n, int k) {\n\
                if (k > 3 && open_it(name, n)) return 1; if (k < -3 && use(n)) return 2; return name && n ? 3 : 4; }\n";
    let (_, found) = cover(text, &["-c", "condition"]);
    assert!(found.contains("covers 9 of 10 goals") || !found.contains("Not covered"), "{found}");
}

/// The program may be written for another library than the one that the tests are linked with. The test program finds the functions that it needs, and
/// does not require those that no library has.
#[test]
fn declarations_of_the_program_do_not_weaken_the_tests() {
    let text = "int atexit(void (*)(void)); long double nowhere(void);\n\
                int f(int a) { static int n; n++; if (a > 3) return 2; if (a == 1) return nowhere() > 1; return n; }\n";
    let (_, found) = cover(text, &["-c", "decision"]);
    assert!(found.contains("returns 2") && found.contains("beyond the bound"), "{found}");
}

/// Functions with variable arguments get those that a run requests.
#[test]
fn functions_with_variable_arguments_are_called_with_them() {
    let text = "#include <stdarg.h>\n#include <stdio.h>\nstruct error { int code; char text[16]; };\n\
                int f(struct error *e, int code, const char *format, ...) { va_list list; if (!e || e->code) return 0; e->code = code;\n\
                va_start(list, format); vsnprintf(e->text, sizeof e->text, format, list); va_end(list);\n\
                if (e->text[0] == 'x') return 2; return 1; }\n\
                int sum(int n, ...) { va_list list; int all = 0; if (n > 3 || n < 0) return -1; va_start(list, n);\n\
                while (n--) all += va_arg(list, int); va_end(list); if (all == 77) return 5; return all; }\n";
    let (bench, found) = cover(text, &["-c", "decision"]);
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
    let found = bench.nub(&["cover", "f.c", "-f", "sum", "--native"]).expect(0).stdout;
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}

/// A function of the tests creates the argument list. One behind a pointer or in a structure is empty.
#[test]
fn functions_with_an_argument_list_are_called_with_one() {
    let text = "#include <stdarg.h>\nstruct pair { int a, b; };\nstruct reader { int n; va_list list; };\n\
                struct pair f(const char *const *s, va_list list, unsigned char n) { struct pair p = {n, 0};\n\
                if (n > 100 && s && s[0]) p.b = 3; if (n == 5) p.a = va_arg(list, int); if (p.a == 77) p.a = 1; return p; }\n\
                int next(va_list *list, int k) { if (k > 3) return va_arg(*list, int); return k; }\n\
                int of(struct reader *r) { if (r->n > 3) return va_arg(r->list, int); return r->n; }\n\
                static int n; void last(va_list list) { (void)list; if (n > 1) return; n++; }\n";
    let (bench, found) = cover(text, &["-c", "decision"]);
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
    for name in ["next", "of"] {
        let found = bench.nub(&["cover", "f.c", "-f", name, "--native"]).expect(0).stdout;
        assert!(found.contains("results agree") && !found.contains("infeasible"), "{found}");
    }
    let found = bench.nub(&["cover", "f.c", "-f", "last", "--native", "--calls", "3"]).expect(0).stdout;
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}

/// A stub fills a part of a buffer, and all of it is copied: what was never written has no value that a test could expect.
#[test]
fn copies_of_what_was_never_written_are_not_compared() {
    let text = "\
#include <string.h>
void fill(unsigned char *buffer, int n);
int f(unsigned char *out, int n) {
    unsigned char wide[8];
    if (n < 0 || n > 8) return 0;
    fill(wide, n);
    memcpy(out, wide + 4, 4);
    return 1;
}
";
    let (bench, found) = cover(text, &[]);
    assert!(!found.contains("Not covered"), "{found}");
    // The stub writes at most a few bytes, and two tests leave the memory as it was.
    let tests = bench.read("t.c");
    assert_eq!(tests.matches("[3] == 0,").count(), 2, "{tests}");
}

/// A compiler drops a call of a `pure` function whose value nobody uses, and the calls of stubs with it.
#[test]
fn a_pure_function_is_called() {
    let bench = Bench::new();
    let text = "int *find(int); int *f(int a) __attribute__((pure));\nint *f(int a) { if (a > 3) return find(a); return 0; }";
    bench.write("f.c", text);
    let found = bench.nub(&["cover", "f.c", "-f", "f", "-c", "decision", "--native"]).expect(0).stdout;
    assert!(found.contains("2 tests cover 2 of 2 goals") && found.contains("results agree"), "{found}");
}

/// Nobody calls the function, so it has no stub; but its address is not null, and differs from that of every other function.
#[test]
fn functions_that_are_only_passed_on_have_addresses() {
    let bench = Bench::new();
    let text = "typedef int random(void *, unsigned char *, unsigned long);\nrandom own, other; int draw(random *, int);\n\
                int f(int x) { random *r = x > 9 ? own : other; if (r == other) return draw(r, x); return draw(r, x) > 1; }";
    bench.write("f.c", text);
    let found = bench.nub(&["cover", "f.c", "-f", "f", "--native"]).expect(0).stdout;
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}

/// Variables that a stub may change are restored after each test, but not those that are `const` by way of a typedef name.
#[test]
fn what_is_const_by_its_type_name_is_not_written() {
    let bench = Bench::new();
    let text = "typedef const unsigned char (sum)[4]; static sum sums[] = { {1, 2, 3, 4}, {5, 6, 7, 8} };\n\
                typedef const struct { int a; } record; static record one = { 3 };\nint g(int, sum *, record *);\n\
                int f(int i) { if (i < 0 || i > 1) return 0; if (sums[i][0] == 5) return g(one.a, sums, &one); return g(i, sums, &one) > 3; }";
    bench.write("f.c", text);
    let found = bench.nub(&["cover", "f.c", "-f", "f", "--native"]).expect(0).stdout;
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}

/// C fixes only the sign of what `strcmp` returns; sanitizers return -1 or 1, and libraries differences of characters.
#[test]
fn results_of_comparisons_are_those_of_the_model() {
    let bench = Bench::new();
    let text = "#include <string.h>\n#include <strings.h>\nint f(const char *a, const char *b, int n) { if (!a || !b) return 7;\n\
                switch (n) { case 0: return strcmp(a, b); case 1: return strncmp(a, b, 3); case 2: return strcasecmp(a, b);\n\
                case 3: return strncasecmp(a, b, 2); default: return memcmp(a, b, 2); } }\n\
                int g(const char *a, const char *b) { if (strcmp(a, b) == 5) return 1; return 0; }";
    bench.write("f.c", text);
    for name in ["f", "g"] {
        let found = bench.nub(&["cover", "f.c", "-f", name, "--native"]).expect(0).stdout;
        assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
    }
}

/// A table of functions may be read as another one: calls with too few arguments are undefined, and no test makes one.
#[test]
fn functions_are_not_called_with_too_few_arguments() {
    let bench = Bench::new();
    let text = "struct base { int n; }; struct own { struct base b; int (*two)(int, int); };\n\
                static int four(int a, int b, int c, int d) { return a + b + c + d; } static int both(int a, int b) { return a - b; }\n\
                int pick(int k) { struct own o = { { 1 }, both }; if (k == 3) o.two = (int (*)(int, int))four; if (o.two(k, 2) == 1) return 9; return 0; }";
    bench.write("f.c", text);
    let found = bench.nub(&["cover", "f.c", "-f", "pick", "-c", "decision", "--native"]).expect(0).stdout;
    assert!(found.contains("results agree") && found.contains("undefined"), "{found}");
}

/// Compilers make one call of two with the same arguments: no test depends on the second one.
#[test]
fn calls_of_const_functions_may_be_combined() {
    let bench = Bench::new();
    let text = "int hash(int) __attribute__((const));\n\
                int f(int x) { if (hash(x) != hash(x)) return 1; return 0; }\n\
                int g(int x) { int h = hash(x); if (h == 3) return 1; if (hash(x + 1) > h) return 2; return 0; }\n\
                int h(int x) { int n = 0; for (int i = 0; i < 3; i++) n += hash(i) > x; if (n == 2) return 1; return 0; }";
    bench.write("f.c", text);
    for name in ["f", "g", "h"] {
        let found = bench.nub(&["cover", "f.c", "-f", name, "-c", "decision"]).expect(0).stdout;
        assert_eq!(found.contains("Not covered"), name == "f", "{found}");
    }
}

/// Structures with pointers, unions, and objects with both.
#[test]
fn stubs_return_what_contains_pointers_and_unions() {
    for (text, goals) in [
        (
            "struct s { int n; const char *p; };\nstruct s get(void);\nint f(void) { struct s x = get();\n\
             if (x.n == 42) { if (x.p) { if (x.p[0] == 'a') return 3; return 2; } return 1; } return 0; }",
            6,
        ),
        (
            "struct c { const int a; int b; char *const s; };\nstruct c get(void);\n\
             int f(void) { struct c c = get(); if (c.a == 3 && c.b < 0) return 1; if (!c.s) return 2; return 0; }",
            4,
        ),
        (
            "union u { int i; float f; };\nunion u get(void);\n\
             int f(void) { union u x = get(); if (x.i == 42) return 1; if (x.f < -1.0f) return 2; return 0; }",
            4,
        ),
        (
            "struct v { int tag; union { long i; char *s; struct { short a, b; } p; } u; };\nstruct v get(int);\n\
             int f(void) { struct v x = get(1); if (x.tag == 0) { if (x.u.i == 9) return 1; }\n\
             if (x.tag == 1) { if (x.u.s && x.u.s[1] == 'k') return 2; }\n\
             if (x.tag == 2) { if (x.u.p.a > x.u.p.b) return 3; } return 0; }",
            12,
        ),
        (
            "struct n { int v; struct n *next; union { int i; char c; } u; };\nstruct n *get(void);\n\
             int f(void) { struct n *x = get(); if (!x) return 9; if (x->next && x->next->v == 7) return 1;\n\
             if (x->u.i == 5000) return 3; return 0; }",
            6,
        ),
    ] {
        let (_, found) = cover(text, &["-c", "decision"]);
        let all = format!("cover {goals} of {goals} goals");
        assert!(found.contains(&all) && found.contains("results agree"), "{found}");
    }
    let (_, found) = cover(
        "struct p { int a; char *s; };\nint f(struct p (*g)(void)) { if (g().s) return 1; return 0; }",
        &["-c", "decision"],
    );
    assert!(found.contains("2 of 2 goals") && found.contains("#1.s is null"), "{found}");
}

/// A call of a function that is defined `inline` may use the definition of another file (C17 6.7.4), and the attribute `gnu_inline` says that there is one.
#[test]
fn calls_of_inline_functions_may_use_another_definition() {
    let rest = "int f(int a) { if (twice(a) == 5) return 1; return 0; }\n";
    let body = "int twice(int a) { return 2 * (a & 7); }\n";
    let open = "if calls of `twice`, which is defined `inline`, use the definition in this file";
    for head in ["inline ", "extern inline __attribute__((gnu_inline)) "] {
        let (_, found) = cover(&format!("{head}{body}{rest}"), &["-c", "decision"]);
        assert!(found.contains(open) && found.contains("results agree"), "{found}");
    }
    for (before, after) in [
        ("static inline ", ""),
        ("extern inline ", ""),
        ("int twice(int a);\ninline ", ""),
        ("inline ", "extern int twice(int a);\n"),
        ("inline __attribute__((always_inline)) ", ""),
        ("inline __attribute__((gnu_inline)) ", ""),
    ] {
        let (_, found) = cover(&format!("{before}{body}{after}{rest}"), &["-c", "decision"]);
        assert!(found.contains("1 infeasible (proved)"), "{before}{after}: {found}");
    }
}

/// C has no constants of more than 64 bits.
#[test]
fn wide_numbers_are_inputs_and_results() {
    let text = "__int128 get(void);\nvoid put(unsigned __int128);\n\
                __int128 f(unsigned __int128 *p, __int128 x) { if (get() > ((__int128)1 << 100)) return -x;\n\
                put(*p + 1); if (x < 0 && *p == (((unsigned __int128)5 << 64) | 3)) return x; return (__int128)1 << 90; }";
    let (_, found) = cover(text, &[]);
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}

/// What only other functions use need not be there: objects of threads in other files, functions of libraries, and those of `math.h`.
#[test]
fn other_functions_may_need_other_libraries() {
    let text = "#include <math.h>\nextern __thread int last_error; extern __thread struct place { int line; } place;\n\
                # 10 \"/usr/include/other/library.h\"\nint other_open(const char *name);\n# 10 \"f.c\"\n\
                int fail(int line) { last_error = 1; place.line = line; return other_open(\"x\"); }\n\
                double (*table[])(double) = { fabs, floor, exp };\n\
                int f(int *p) { return *p > 3 ? 1 : 2; }\n";
    let (_, found) = cover(text, &[]);
    assert!(found.contains("results agree"), "{found}");
}

/// Objects of threads in other files are inputs.
#[test]
fn objects_of_threads_are_inputs() {
    let text = "extern __thread int level; int f(int x) { if (level > 4 && x) { level = 0; return 1; } return 0; }\n";
    let (_, found) = cover(text, &[]);
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}

/// An allocator of the program returns memory for what its result is used as.
#[test]
fn results_are_as_large_as_what_they_are_used_as() {
    let text = "struct b { char pad[16]; int high; }; void *own_malloc(unsigned long);\n\
                int f(int n) { struct b *p = own_malloc(sizeof *p); if (!p) return 1; p->high = n; return n > 3 ? 2 : 0; }\n";
    let (_, found) = cover(text, &[]);
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}
