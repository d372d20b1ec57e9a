//! Tests of `nub cover` compile without warnings in gcc and clang, whatever the types of parameters and results.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::{Bench, tool};

/// What `nub cover` prints, and the tests. Both compilers take them without any warning, and they pass.
fn strict(text: &str, options: &[&str]) -> (String, String) {
    let bench = Bench::new();
    bench.write("f.c", text);
    let words = [&["cover", "f.c", "-f", "f", "-o", "tests.c"], options].concat();
    let found = bench.nub(&words).expect(0).stdout;
    for compiler in ["gcc", "clang-19"] {
        let words = ["-Wall", "-Wextra", "-Werror", "-o", "program", "tests.c"];
        if tool(&bench.path(""), compiler, &words).is_some() {
            tool(&bench.path(""), "./program", &[]).unwrap();
        }
    }
    (found, bench.read("tests.c"))
}

/// A test compares and shows only what belongs to the calls that it makes.
#[test]
fn tests_that_make_fewer_calls_than_allowed() {
    let (found, tests) = strict(
        "int f(int *p) { if (*p > 3) return -1; *p = 5; return 0; }",
        &["--calls", "4", "--criterion", "mcdc"],
    );
    assert!(tests.contains("calls = 2"), "{tests}");
    assert!(!tests.contains("p #3") && !tests.contains("p #4"), "{tests}");
    assert!(found.contains("results agree"), "{found}");
    let bench = Bench::new();
    bench.write("f.c", "int f(int *p, int n) { if (n > 3) return *p + 1; return 0; }");
    let found =
        bench.nub(&["cover", "f.c", "-f", "f", "--calls", "3", "--ub", "--no-native"]).expect(0).stdout;
    let overflow = found.lines().find(|line| line.contains("signed overflow, with")).unwrap();
    assert!(overflow.contains("calls = 1") && !overflow.contains('#'), "{found}");
}

/// Types of the program lose their qualifiers when they are read; tests must not lose them where pointers lead to pointers.
#[test]
fn constant_things_behind_pointers() {
    for parameter in ["const char *names[]", "const char **names", "const char *const *names"] {
        let text =
            format!("int f(int n, {parameter}) {{ if (n > 0 && names[0][0] == 'x') return 1; return 0; }}");
        let (found, _) = strict(&text, &[]);
        assert!(found.contains("results agree"), "{found}");
    }
    strict("int f(const int (*rows)[3]) { if (rows[0][2] > 3) return 1; return 0; }", &[]);
    strict(
        "struct s { const char **names; const int *p; const char *const *q; };
         int f(const struct s *s) { if (s->names[0][0] == 'x' && *s->p > 3 && s->q[0][1] == 'b') return 1; return 0; }",
        &[],
    );
}

#[test]
fn results_that_point_to_constant_things() {
    let (found, tests) =
        strict("const char *f(const char *p) { if (*p == 'a') return p; return 0; }", &["--calls", "2"]);
    assert!(found.contains("results agree") && tests.contains("result1"), "{found}{tests}");
    strict(
        "struct s { int n; }; static volatile struct s a; volatile struct s *f(int n) { if (n > 3) return &a; return 0; }",
        &["--calls", "2"],
    );
}

/// clang's sanitizer compares the type of a function with that of the pointer that leads to it, qualifiers included.
#[test]
fn callbacks_and_stubs_may_take_constant_things() {
    let callback = "int f(int (*pred)(const void *), const void *c) { if (pred(c)) return 1; return 0; }";
    let stub = "int dev(const char *name); static int (*const hook)(const char *) = dev;
        int f(int a) { if (hook(\"x\") > a) return 1; return 0; }";
    for text in [callback, stub] {
        let (found, _) = strict(text, &[]);
        assert!(found.contains("results agree"), "{found}");
        let bench = Bench::new();
        bench.write("f.c", text);
        if tool(&bench.path(""), "clang-19", &["--version"]).is_some() {
            let found = bench.nub(&["cover", "f.c", "-f", "f", "--cc", "clang-19"]).expect(0).stdout;
            assert!(found.contains("results agree"), "{found}");
        }
    }
}

/// No pointer leads to an object that belongs to another member of a union than the one that is set.
#[test]
fn objects_behind_members_that_are_not_set() {
    strict(
        "struct v { int t; union { int i; const char *s; } u; };
         int f(const struct v *a) { if (a->t == 1) return a->u.s == 0 ? 1 : 2; return 0; }",
        &[],
    );
    strict(
        "union blk { union blk *next; char mem[16]; };
         static union blk store[2];
         static union blk *freel;
         void *f(int n) {
             if (n > 3) { freel = &store[1]; store[0].next = freel; }
             if (!freel) return 0;
             union blk *b = freel;
             freel = b->next;
             return b;
         }",
        &["--globals"],
    );
    strict(
        "void free(void *);
         struct v { int t; union { int i; char *s; } u; };
         int f(struct v *a) { if (a->t == 1) { if (a->u.s) free(a->u.s); return 1; } return a->u.i > 3; }",
        &[],
    );
}

/// The member of the flag has the name that the header of gcc gives it, and clang another.
#[test]
fn atomic_flags_are_compared_as_bytes() {
    let text = "#include <stdatomic.h>
        static atomic_flag busy = ATOMIC_FLAG_INIT;
        struct lock { int n; atomic_flag held; };
        int f(int x, struct lock *l) {
            if (x > 3) { atomic_flag_clear(&busy); atomic_flag_clear(&l->held); return 1; }
            return atomic_flag_test_and_set(&l->held);
        }";
    let (found, tests) = strict(text, &[]);
    assert!(found.contains("results agree"), "{found}");
    assert!(tests.contains("*(unsigned char *)&busy == 0"), "{tests}");
    strict(text, &["--globals"]);
}

/// A program may define a `printf` of its own by a macro, and have other streams: the tests use those of the C library.
#[test]
fn programs_with_macros_for_names_of_the_library() {
    let bench = Bench::new();
    bench.write("own.h", "int own_printf(const char *, ...);\n#define printf own_printf\n#define FILE struct own\n  # define putc(c, file) own_put(c)\n#define stdout own_out\n");
    bench.write("f.c", "#include \"own.h\"\nextern FILE *stdout; int own_put(int);\nint f(int n) { if (n > 3) return printf(\"%d\", n); return putc(n, stdout); }\n");
    let found = bench.nub(&["cover", "f.c", "-f", "f", "-o", "tests.c"]).expect(0).stdout;
    assert!(found.contains("results agree"), "{found}");
    assert!(bench.read("tests.c").contains("#undef printf\n"));
    for compiler in ["gcc", "clang-19"] {
        if tool(&bench.path(""), compiler, &["-o", "program", "tests.c"]).is_some() {
            let printed = tool(&bench.path(""), "./program", &[]).unwrap();
            assert!(printed.contains("2 tests of f, 0 differ"), "{printed}");
        }
    }
}

/// gnulib replaces `fflush` by a function of its own, which is not linked; a test in a process of its own calls the original.
#[test]
fn programs_that_replace_functions_of_streams() {
    let bench = Bench::new();
    bench.write(
        "own.h",
        "#include <stdio.h>\n#include <stdlib.h>\nint rpl_fflush(FILE *);\n# define fflush rpl_fflush\n",
    );
    bench.write("f.c", "#include \"own.h\"\nint f(int n) { if (n > 3) exit(2); return n; }\n");
    bench.nub(&["cover", "f.c", "-f", "f", "-o", "tests.c"]).expect(0);
    for compiler in ["gcc", "clang-19"] {
        if tool(&bench.path(""), compiler, &["-o", "program", "tests.c"]).is_some() {
            let printed = tool(&bench.path(""), "./program", &[]).unwrap();
            assert!(printed.contains("2 tests of f, 0 differ"), "{printed}");
        }
    }
}

/// Headers of the tests come before the program where it allocates. They must declare what they declare for the program.
#[test]
fn programs_that_choose_what_headers_declare() {
    let bench = Bench::new();
    bench.write("config.h", "#ifndef _GNU_SOURCE\n# define _GNU_SOURCE 1\n#endif\n");
    bench.write("f.c", "#include \"config.h\"\n#include <stdlib.h>\n#include <string.h>\nint f(const char *s) { char *p = malloc(8); if (!p) return -1; free(p); if (secure_getenv(s)) return 1; return 0; }\n");
    let found = bench.nub(&["cover", "f.c", "-f", "f", "-o", "tests.c"]).expect(0).stdout;
    assert!(found.contains("results agree"), "{found}");
    for compiler in ["gcc", "clang-19"] {
        let words = ["-Werror=implicit-function-declaration", "-Werror", "-o", "program", "tests.c"];
        if tool(&bench.path(""), compiler, &words).is_some() {
            tool(&bench.path(""), "./program", &[]).unwrap();
        }
    }
}
