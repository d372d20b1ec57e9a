//! Functions of the library that nub has models of.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::check_missing as check;

/// They write where the number ends: as stubs they did not, and reading that was undefined.
#[test]
fn numbers_of_all_widths_in_texts() {
    for (ty, name) in [
        ("long", "strtol"),
        ("long long", "strtoll"),
        ("long", "strtoimax"),
        ("unsigned long", "strtoul"),
        ("unsigned long long", "strtoull"),
        ("unsigned long", "strtoumax"),
    ] {
        let text = format!(
            "{ty} {name}(const char *, char **, int);
             int f(const char *s) {{ char *p; {ty} n = {name}(s, &p, 10); if (p == s) return 1; if (*p == 'k') return 2; if (n == 42) return 3; return 4; }}"
        );
        check(&text, &[]);
    }
}

/// C says nothing about other bases (C17 7.22.1.4), and libraries differ: no test passes one.
#[test]
fn numbers_in_texts_have_a_base() {
    check(
        "long strtol(const char *, char **, int); int f(const char *s, int base) { long n = strtol(s, 0, base); if (base == 1) return 1; if (base > 36) return 2; return n == 3; }",
        &["base == 1 true: beyond-bound", "base > 36 true: beyond-bound"],
    );
}

#[test]
fn parts_of_a_text() {
    check(
        "char *strsep(char **, const char *);
         int f(char *s) { char *rest = s, *part = strsep(&rest, \",\"); if (!part) return 1; if (!rest) return 2; if (part[0] == 'a' && rest[0] == 'b') return 3; return 4; }",
        &[],
    );
    check(
        "char *strtok_r(char *, const char *, char **);
         int f(char *s) { char *rest, *part = strtok_r(s, \" \", &rest); if (!part) return 1; if (part != s) return 2; part = strtok_r(0, \" \", &rest); if (part && part[0] == 'b') return 3; return 4; }",
        &[],
    );
    check(
        "void bzero(void *, unsigned long); int f(int *p) { bzero(p, 4); if (*p) return 1; return 0; }",
        &["*p true: infeasible"],
    );
}

/// Arguments that are not read must be valid all the same (C17 7.1.4): headers declare them `nonnull`, and sanitizers report null pointers.
#[test]
fn no_argument_is_null() {
    for (declaration, call) in [
        ("char *strstr(const char *, const char *);", "strstr(p, \"\")"),
        ("unsigned long strspn(const char *, const char *);", "strspn(\"\", p)"),
        ("unsigned long strcspn(const char *, const char *);", "strcspn(\"\", p)"),
        ("char *strpbrk(const char *, const char *);", "strpbrk(\"\", p)"),
        (
            "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); static int order(const void *a, const void *b) { return a < b; }",
            "qsort(p, 0, 1, order)",
        ),
        (
            "void *bsearch(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, const void *)); static int order(const void *a, const void *b) { return a < b; }",
            "bsearch(\"\", p, 0, 1, order)",
        ),
        ("void *memchr(const void *, int, unsigned long);", "memchr(p, 3, 0)"),
    ] {
        check(
            &format!("{declaration} int f(char *p) {{ {call}; if (!p) return 1; return 0; }}"),
            &["!p true: undefined"],
        );
    }
}
