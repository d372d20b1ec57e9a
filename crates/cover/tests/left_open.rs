//! What C, the library and other threads leave open: a test may rely on it, a claim names it.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{check_missing as check, missing};

/// A condition that no test makes true, and what the claim rests on.
#[track_caller]
fn check_condition(declarations: &str, condition: &str, state: &str) {
    let text = format!("{declarations} {{ if ({condition}) return 1; return 0; }}");
    assert_eq!(missing(&text), [format!("{condition} true: {state}")], "{text}");
}

/// A run may be cut inside of a later operand: those before it have their values already.
#[test]
fn loops_in_operands_may_go_on() {
    let len = "static int len(const char *s) { int n = 0; while (s[n]) n++; return n; }";
    let bits = "static int bits(unsigned x) { int n = 0; while (x) { x &= x - 1; n++; } return n; }";
    for (helper, declared, condition) in [
        (len, "int f(const char *s, int b)", "b && len(s) == 4"),
        (len, "int f(const char *s, int b)", "b == 3 || len(s) < 4"),
        (len, "int f(const char *s, int a, int b)", "(a || b) && len(s) == 4 && a != 7"),
        (bits, "int f(unsigned char a, int b)", "b && bits(a) == 7"),
        ("int strcmp(const char *, const char *);", "int f(const char *s)", "s && strcmp(s, \"reset\") == 0"),
    ] {
        check(&format!("{helper} {declared} {{ if ({condition}) return 1; return 0; }}"), &[]);
        check(&format!("{helper} {declared} {{ return {condition}; }}"), &[]);
        let text =
            format!("{helper} {declared} {{ int n = 0; while (n < 3 && ({condition})) n++; return n; }}");
        check(&text, &[]);
    }
}

/// Two pointers of a caller may point to different elements of one object.
#[test]
fn moved_pointers_may_be_equal() {
    check("int f(const int *s, const int *p) { return p == s + 1 ? 3 : 0; }", &[]);
    check(
        "int f(const char *s, const char *end) { if (*s != 'a') return 0; if (s + 1 == end) return 1; return 2; }",
        &[],
    );
    for step in ["s += *p++ & 7;", "{ s += *p & 7; p++; }", "{ int *q = p; p = q + 1; s += *q & 7; }"] {
        check(
            &format!(
                "int f(int *p, int *end) {{ int s = 0; while (p != end) {step} if (s == 6) return 1; return 0; }}"
            ),
            &[],
        );
    }
    check(
        "static int at_end(int *p, int *end) { return p == end; } int f(int *p, int *end) { if (at_end(p + 1, end)) return 1; return 0; }",
        &[],
    );
    // A pointer into the structure that it is in is not an input, but a caller may pass one.
    check(
        "struct b { char buf[4]; char *pos; }; int f(struct b *b) { if (b->pos == b->buf + 2) return 1; return 0; }",
        &[
            "b->pos == b->buf + 2 true: infeasible-if no address of an object matters as a number, what `b` points to and what `b->pos` points to do not overlap",
        ],
    );
}

/// C17 6.5.6: a null pointer is moved by nothing at most. A sum with a null pointer constant is a number in disguise.
#[test]
fn null_pointers_are_not_moved() {
    let undefined = "!p && n > 5 true: undefined";
    check("char *f(char *p, unsigned long n) { if (!p && n > 5) return p + n; return 0; }", &[undefined]);
    check(
        "int *f(unsigned long m, int n) { int *p = (int *)m; if (!p && n > 5) return p + n; return 0; }",
        &[undefined],
    );
    check("char *f(char *p, int n) { if (!p && n > 5) return p + 0; return 0; }", &[]);
    check("char *f(char *p, int n) { if (!p && n > 5) return (char *)0 + n; return 0; }", &[]);
}

const LOCALE: &str = "infeasible-if the locale is \"C\"";

/// Other locales have more letters; digits are the same everywhere.
#[test]
fn letters_depend_on_the_locale() {
    for function in ["isalpha", "islower", "isupper", "isalnum", "isspace", "isprint", "ispunct"] {
        let declared = format!("int {function}(int); int f(int c)");
        check_condition(&declared, &format!("c > 127 && c < 256 && {function}(c)"), LOCALE);
    }
    let to = "int tolower(int); int toupper(int); int isalpha(int); int isdigit(int); int isxdigit(int); int f(int c)";
    check_condition(to, "c > 127 && c < 256 && tolower(c) != c", LOCALE);
    check_condition(to, "c == 'i' && toupper(c) != 'I'", LOCALE);
    for impossible in [
        "c == '5' && tolower(c) != c",
        "c > 127 && isdigit(c)",
        "c > 127 && isxdigit(c)",
        "isdigit(c) && isalpha(c)",
        "c == 'x' && !isalpha(c)",
        "c > 127 && c < 256 && tolower(c) > 255",
    ] {
        check_condition(to, impossible, "infeasible");
    }
    let table = "const unsigned short **__ctype_b_loc(void); int f(unsigned char c)";
    check_condition(table, "c > 127 && ((*__ctype_b_loc())[(int)c] & 1024)", LOCALE);
    let case = "int strcasecmp(const char *, const char *); int f(void)";
    check_condition(case, "strcasecmp(\"\\344\", \"\\304\") == 0", LOCALE);
}

/// C fixes the sign of what functions return that compare, and whether a class is zero; nothing else.
#[test]
fn results_may_be_other_numbers() {
    let result = |name: &str| {
        format!(
            "infeasible-if `{name}` returns and writes what it does in the tests, where C leaves that open"
        )
    };
    let strcmp = "int strcmp(const char *, const char *); int f(void)";
    check_condition(strcmp, "strcmp(\"a\", \"b\") == -5", &result("strcmp"));
    check_condition(strcmp, "strcmp(\"a\", \"b\") > 0", "infeasible");
    check_condition(strcmp, "strcmp(\"a\", \"a\")", "infeasible");
    let strncmp =
        "int strncmp(const char *, const char *, unsigned long); int f(const char *a, const char *b)";
    check_condition(strncmp, "a && b && strncmp(a, b, 2) == 1000", &result("strncmp"));
    let memcmp = "int memcmp(const void *, const void *, unsigned long); int f(const char *a, const char *b)";
    check_condition(memcmp, "a && b && memcmp(a, b, 2) == 1000", &result("memcmp"));
    check_condition("int isalpha(int); int f(int c)", "isalpha(c) == 1024", &result("isalpha"));
    check_condition("int isalpha(int); int f(int c)", "c == '1' && isalpha(c)", "infeasible");
}

const SORT: &str = "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); \
    void *bsearch(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, const void *));";

/// `qsort` may exchange equal elements, and `bsearch` may find any of them; the result is sorted all the same.
#[test]
fn equal_elements_may_be_in_any_order() {
    let equals = |name: &str| {
        format!(
            "infeasible-if `{name}` compares and orders equal elements as in the tests, where C leaves that open"
        )
    };
    let same = "static int compare(const void *a, const void *b) { return 0; }";
    let values = "static int compare(const void *a, const void *b) { return (*(const char *)a > *(const char *)b) - (*(const char *)a < *(const char *)b); }";
    let text = |compare: &str, body: &str| {
        format!(
            "{SORT} {compare} int f(char x, char y) {{ char a[2] = {{x, y}}; qsort(a, 2, 1, compare); {body} return 0; }}"
        )
    };
    check(&text(same, "if (a[0] != x) return 1;"), &[&format!("a[0] != x true: {}", equals("qsort"))]);
    check(&text(values, "if (a[0] > a[1]) return 1;"), &["a[0] > a[1] true: infeasible"]);
    let found = format!(
        "{SORT} {same} int f(void) {{ char a[3] = {{1, 2, 3}}; char *p = bsearch(a, a, 3, 1, compare); if (p == a) return 1; if (!p) return 2; return 0; }}"
    );
    check(&found, &[&format!("p == a true: {}", equals("bsearch")), "!p true: infeasible"]);
    let counts = "static int n; static int compare(const void *a, const void *b) { n++; return 0; }";
    let text = format!(
        "{SORT} {counts} int f(void) {{ char a[2] = {{1, 2}}; n = 0; qsort(a, 2, 1, compare); if (n > 1) return 1; return 0; }}"
    );
    check(&text, &[&format!("n > 1 true: {}", equals("qsort"))]);
}

/// Other threads may write what is atomic, and whatever else they may write before the function synchronises with them.
#[test]
fn other_threads_may_write() {
    let threads = "infeasible-if no other thread writes what is read after an atomic operation or a barrier";
    check_condition("_Atomic int a; int f(void)", "a = 1, a != 1", threads);
    check_condition(
        "typedef _Atomic(int) counter; struct s { counter n; } s; int f(void)",
        "s.n = 1, s.n != 1",
        threads,
    );
    check_condition("int *_Atomic p; int f(void)", "p = 0, p != 0", threads);
    check_condition("int flag, data; int f(void)", "data = 1, __atomic_load_n(&flag, 2), data != 1", threads);
    check_condition("int n; int f(void)", "n = 0, __sync_fetch_and_add(&n, 1) != 0", threads);
    check_condition("int f(void)", "({ _Atomic int a = 1; a; }) != 1", "infeasible");
    let barrier =
        "int g; int f(void) { g = 0; __asm__ volatile(\"\" ::: \"memory\"); if (g) return 1; return 0; }";
    check(barrier, &[&format!("g true: {threads}")]);
}

/// What is declared `weak` may be missing when the program is linked, and what is defined so may be replaced.
#[test]
fn weak_symbols_may_be_missing_or_replaced() {
    let linked = |name: &str| {
        format!("infeasible-if `{name}`, which is declared `weak`, is defined when the program is linked")
    };
    check_condition("extern int hook(int) __attribute__((weak)); int f(int x)", "!hook", &linked("hook"));
    check_condition("extern int w __attribute__((weak)); int f(int x)", "!&w", &linked("w"));
    check_condition("extern char w[] __attribute__((weak)); int f(int x)", "w == 0", &linked("w"));
    let table =
        "void hook(void) __attribute__((weak)); static void (*const t[1])(void) = { hook }; int f(void)";
    check_condition(table, "!t[0]", &linked("hook"));
    let late = "void hook(void) __attribute__((weak)); int f(void) { if (!hook) return 1; return 0; } void hook(void) {}";
    check(late, &["!hook true: infeasible"]);
    let pragma = "void hook(void);\n#pragma weak hook\nint f(void)";
    check_condition(pragma, "!hook", &linked("hook"));
    let limit = "__attribute__((weak)) int limit(void) { return 5; } int f(void)";
    check_condition(
        limit,
        "limit() > 5",
        "infeasible-if no other file replaces `limit`, which is declared `weak`",
    );
    let number = "__attribute__((weak)) const int number = 5; int f(void)";
    check_condition(
        number,
        "number > 5",
        "infeasible-if `number` has its initial value when the function is called",
    );
    // Whoever replaces it may write what it can name.
    let writes = "int g; __attribute__((weak)) void note(void) {} int f(void)";
    check_condition(
        writes,
        "g = 1, note(), g != 1",
        "infeasible-if no other file replaces `note`, which is declared `weak`",
    );
}

/// The end of one object may be the start of the next.
#[test]
fn objects_may_follow_one_another() {
    let address = "infeasible-if no address of an object matters as a number";
    for (declared, both) in [
        ("int a[2], b[2];", true),
        ("struct { int x[2]; } s; int b[2], *a = s.x;", true),
        ("struct { int a[2], b[2]; } s; int *a = s.a, *b = s.b + 1;", false),
    ] {
        let text = format!("int f(void) {{ {declared} if (a + 2 == b) return 1; return 0; }}");
        let expected = if both {
            vec![format!("a + 2 == b true: {address}"), format!("a + 2 == b false: {address}")]
        } else {
            vec!["a + 2 == b true: infeasible".to_owned()]
        };
        assert_eq!(missing(&text), expected, "{text}");
    }
    check(
        "int f(void) { int a[2], b[2]; if (a + 1 == b) return 1; return 0; }",
        &["a + 1 == b true: infeasible"],
    );
    let range = "static int t[4], u[4]; int f(int n) { int s = 0; for (int *p = t; p != t + 4; p++) s += *p == n; if (s > 4) return 1; for (int *p = u; p != u + 4; p++) s++; return s; }";
    assert!(missing(range).iter().all(|line| !line.contains("address")), "{:?}", missing(range));
}

/// What was never written may be anything: a run that reads it is undefined, so the goal is not simply infeasible.
#[test]
fn what_was_never_written_may_be_anything() {
    for text in [
        "int f(int c) { int x; if (c) x = 1; if (x == 5) return 1; return 0; }",
        "int f(int c) { int x; if (c > 3) c = 0; if (x + c == 5) return 1; return 0; }",
        "int f(int c) { int a[2]; a[0] = c; if (a[1] == 5) return 1; return 0; }",
        "void *malloc(unsigned long); int f(void) { int *p = malloc(4); if (*p == 3) return 1; return 0; }",
    ] {
        let found = missing(text);
        assert!(found.iter().all(|line| line.ends_with(": undefined")), "{text}\n{found:?}");
        assert!(
            found.iter().any(|line| line.contains("== 5 true") || line.contains("== 3 true")),
            "{found:?}"
        );
    }
    check(
        "int f(int c) { int x; if (c) x = 1; else x = 2; if (x == 5) return 1; return 0; }",
        &["x == 5 true: infeasible"],
    );
    check(
        "int f(int c) { int x; if (c) x = 1; if (c && x == 5) return 1; return 0; }",
        &["c && x == 5 true: infeasible"],
    );
}

/// Functions of the library may set `errno`, whether they fail or not, but never to 0; without calls nothing sets it.
#[test]
fn errno_may_be_set_by_every_function() {
    let errno = "infeasible-if functions of the library set `errno` only where they do in the tests";
    let declared = "int *__errno_location(void); void *malloc(unsigned long); int abs(int); double log(double); int f(int x, double d)";
    check_condition(declared, "*__errno_location() = 0, !malloc(4), *__errno_location() == 12", errno);
    check_condition(declared, "*__errno_location() = 0, abs(x & 7), *__errno_location()", errno);
    check_condition(declared, "*__errno_location() = 0, log(d), *__errno_location() == 33", errno);
    check_condition(declared, "*__errno_location() = 5, abs(x & 7), *__errno_location() == 0", "infeasible");
    check_condition(
        "int *__errno_location(void); int f(void)",
        "*__errno_location() = 0, *__errno_location()",
        "infeasible",
    );
}

/// An object may get the address of one that was freed.
#[test]
fn addresses_may_be_used_again() {
    let address = "infeasible-if no address of an object matters as a number";
    let text = "void *realloc(void *, unsigned long); void *malloc(unsigned long); int f(void) { char *p = malloc(4), *o = p, *q = realloc(p, 10); if (q == o) return 1; return 0; }";
    check(text, &[&format!("q == o true: {address}"), &format!("q == o false: {address}")]);
    let alive = "void *malloc(unsigned long); int f(void) { char *p = malloc(4), *q = malloc(4); if (p == q) return 1; return 0; }";
    check(alive, &["p == q true: infeasible"]);
}

/// After an error, C says nothing about the array or about an element of which only a part was read.
#[test]
fn what_was_read_before_an_error_is_open() {
    let result = |name: &str| {
        format!(
            "infeasible-if `{name}` returns and writes what it does in the tests, where C leaves that open"
        )
    };
    let read = "unsigned long fread(void *, unsigned long, unsigned long, void *); int f(void *s) { char v[2] = {7, 7}; if (fread(v, 2, 1, s) != 1) { if (v[0] != 7) return 1; return 2; } return 0; }";
    check(read, &[&format!("v[0] != 7 true: {}", result("fread"))]);
    let line = "char *fgets(char *, int, void *); int f(void *s) { char b[2] = {1, 2}; if (!fgets(b, 2, s)) { if (b[1] == 5) return 1; return 2; } return 0; }";
    check(line, &[&format!("b[1] == 5 true: {}", result("fgets"))]);
}

/// The elements of an array of another file whose length is not known here.
#[test]
fn arrays_of_unknown_length_may_be_longer() {
    for text in [
        "extern int t[]; int f(unsigned i) { if (t[i] == 3 && i > 70) return 1; return 0; }",
        "extern int t[]; int f(int i) { if (i > 70) { if (t[i] == 3) return 1; } return 0; }",
    ] {
        let found = missing(text);
        assert!(
            !found.is_empty() && found.iter().all(|line| line.ends_with("beyond-bound")),
            "{text}\n{found:?}"
        );
    }
}

/// A caller may have set the rounding mode, where the program may observe that. Without `FENV_ACCESS` it would be undefined.
#[test]
fn callers_may_set_the_rounding_mode() {
    let mode = "infeasible-if `<rounding mode>` has its initial value when the function is called";
    check_condition("int fegetround(void); int f(void)", "fegetround() == 0x800", mode);
    let third = "int f(float a)";
    check_condition(third, "a == 3 && 1.0f / a * 3.0f != 1.0f", "infeasible");
    check_condition(
        &format!("#pragma STDC FENV_ACCESS ON\n{third}"),
        "a == 3 && 1.0f / a * 3.0f != 1.0f",
        mode,
    );
}

/// Runs through a null pointer are undefined in their own way, and say nothing about what was never written.
#[test]
fn other_rules_are_not_blamed_on_what_was_never_written() {
    let text = "int f(_Bool *p, unsigned char *q) { *p = 0; *q = 1; if (*p) return 1; return 0; }";
    check(text, &["*p true: infeasible-if what `p` points to and what `q` points to do not overlap"]);
}

/// A weak compare-and-exchange may fail although the values agree; and a flag may be a structure.
#[test]
fn weak_exchanges_may_fail() {
    let text = |weak: u32| {
        format!(
            "int f(int x) {{ int n = 1, old = 1; if (!__atomic_compare_exchange_n(&n, &old, x, {weak}, 5, 5)) return 1; return 0; }}"
        )
    };
    let condition = |weak: u32| format!("!__atomic_compare_exchange_n(&n, &old, x, {weak}, 5, 5) true:");
    check(
        &text(0),
        &[&format!(
            "{} infeasible-if no other thread writes what is read after an atomic operation or a barrier",
            condition(0)
        )],
    );
    let found = missing(&text(1));
    assert!(found.len() == 1 && found[0].contains("`atomic_compare_exchange_weak` returns"), "{found:?}");
    let flag = "typedef _Atomic struct { unsigned char v; } flag; static flag l; int f(int x) { if (x) __atomic_clear(&l, 5); if (__atomic_test_and_set(&l, 5)) return 1; return 0; }";
    let found = missing(flag);
    assert!(
        found.len() == 1 && found[0].starts_with("__atomic_test_and_set(&l, 5) true: infeasible-if"),
        "{found:?}"
    );
}

/// A bit-field that was never written shares bytes with one that was: nothing is claimed about its value.
#[test]
fn bits_beside_a_written_bit_field_are_open() {
    let text = "struct s { unsigned a : 3, b : 5; }; int f(int k) { struct s s; s.a = k; if (s.b == 9) return 1; if (s.a == 5) return 2; return 0; }";
    let found = missing(text);
    assert!(found.iter().all(|line| !line.ends_with(": infeasible")), "{found:?}");
}

/// GNU C allows a name before its definition.
#[test]
fn enumerations_may_be_named_before_they_are_defined() {
    check(
        "typedef enum op op; int g(op *o); enum op { ADD, SUB = 9 }; int f(op *o) { if (*o == SUB) return 1; return 0; }",
        &[],
    );
}

/// In gcc a bit-field of 40 bits has a type of 40 bits, in clang its declared type.
#[test]
fn wide_bit_fields_have_types_of_their_own() {
    let read = |bits: u32| {
        format!(
            "struct s {{ unsigned long w : {bits}; unsigned n : 3; }};
             int f(struct s s) {{ if (s.w << 1 == 3) return 1; if (s.n > 7) return 2; return 0; }}"
        )
    };
    let premise = "infeasible-if bit-fields wider than `int` have the type that they are declared with";
    check(&read(40), &[&format!("s.w << 1 == 3 true: {premise}"), &format!("s.n > 7 true: {premise}")]);
    check(&read(64), &["s.w << 1 == 3 true: infeasible", "s.n > 7 true: infeasible"]);
    check(&read(20), &["s.w << 1 == 3 true: infeasible", "s.n > 7 true: infeasible"]);
}

/// Other code may have stored the address of an allocation in a pointer that is null in the tests.
#[test]
fn unknown_pointers_may_be_freed() {
    let premise =
        |name: &str| format!("infeasible-if `{name}` has its initial value when the function is called");
    let declared = "typedef unsigned long size_t; void free(void *); void *realloc(void *, size_t);";
    let list = "struct t { struct t *next; int r; }; struct t *list;";
    for (text, condition, name) in [
        (
            "int f(int r) { struct t *t = list; if (t->r == r) return 1; list = t->next; free(t); return 0; }",
            "t->r == r",
            "list",
        ),
        (
            "int f(int n) { int *p = realloc(old, 8); if (n > 5) { if (p[1] == n) return 1; } return 0; }",
            "p[1] == n",
            "old",
        ),
    ] {
        let found = missing(&format!("{declared} {list} int *old; {text}"));
        for side in ["true", "false"] {
            let claim = format!("{condition} {side}: {}", premise(name));
            assert!(found.contains(&claim), "{claim}: {found:?}");
        }
    }
}

/// A claim that needs an assumption is "infeasible if", also where it needs a rule about what was never written too.
#[test]
fn claims_about_undefined_runs_name_their_assumptions() {
    check(
        "long read(int fd, void *buffer, unsigned long size);
         int f(int fd) { char b[32]; long n = read(fd, b, sizeof b); if (n == 20 && b[19] == 'z') return 2; return 0; }",
        &[
            "n == 20 && b[19] == 'z' true: infeasible-if `read`, which has no body here, writes nothing else that is read",
        ],
    );
}
