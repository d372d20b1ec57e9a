//! `nub cover` with pointers into the middle of an object, with types that have no name, and with library functions that the headers rename: the
//! compiled tests take the paths that were found.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

/// What `nub cover` prints. Checks that it compiled the program, and that its tests also pass when they are compiled here with optimisation.
fn cover(text: &str, function: &str, options: &[&str]) -> String {
    let bench = Bench::new();
    bench.write("f.c", text);
    let words = ["cover", "f.c", "-f", function, "--native", "-o", "t.c"];
    let found = bench.nub(&words.iter().chain(options).copied().collect::<Vec<_>>()).expect(0).stdout;
    let options = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O2", "-fsanitize=address,undefined"];
    let mut cc = std::process::Command::new("cc");
    let more = ["-Wno-misleading-indentation", "-o", "t", "t.c"];
    let built = cc.args(options).args(more).current_dir(bench.path("")).output().unwrap();
    assert!(built.status.success(), "{}\n{}", String::from_utf8_lossy(&built.stderr), bench.read("t.c"));
    let run = std::process::Command::new(bench.path("t")).current_dir(bench.path("")).output().unwrap();
    assert!(run.status.success(), "{found}\n{}", bench.read("t.c"));
    assert!(found.contains("results agree"), "{found}");
    found
}

const STRINGS: &str = "\
#include <stdint.h>
#include <stddef.h>
struct __attribute__((packed)) small { uint8_t len, room; unsigned char flags; char text[]; };
struct __attribute__((packed)) large { uint16_t len, room; unsigned char flags; char text[]; };
static size_t len(const char *s) {
    switch (s[-1] & 3) {
    case 1: return ((struct small *)(s - sizeof(struct small)))->len;
    case 2: return ((struct large *)(s - sizeof(struct large)))->len;
    }
    return 0;
}
int f(char *s) { if (len(s) > 300) return s[0] == 'a'; if (len(s) == 7) { s[-1] = 2; return 2; } return 3; }
int before(const int *p) { if (p[-1] == 3 && p[1] == 4) return 1; return 0; }
int back(const char *end) { int n = 0; while (*--end == ' ') n++; if (n == 3) return 1; return 0; }
";

/// Strings with a header before their first character, and other accesses before a pointer.
#[test]
fn what_lies_before_a_pointer_is_an_input() {
    for function in ["f", "before", "back"] {
        let found = cover(STRINGS, function, &[]);
        assert!(!found.contains("Not covered"), "{found}");
    }
    // With `--ub`, the report lists what a caller must not do.
    let bench = Bench::new();
    bench.write("f.c", STRINGS);
    let found =
        bench.nub(&["cover", "f.c", "-f", "before", "--ub", "--no-native", "--json"]).expect(0).stdout;
    assert!(found.contains("bounds"), "{found}");
}

const LISTS: &str = "\
#include <stddef.h>
struct list { struct list *next, *prev; };
struct item { int key; struct list node; int value; };
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
int f(struct list *l) { struct item *it = container_of(l, struct item, node); if (it->key == 7 && it->value > 3) return 1; return 0; }
int find(struct list *head, int key) {
    for (struct list *l = head->next; l != head; l = l->next)
        if (container_of(l, struct item, node)->key == key) return container_of(l, struct item, node)->value;
    return -1;
}
void *size_of(void *p, unsigned n) { struct header { unsigned size; void *next; } *h = (struct header *)p - 1; if (h->size < n) return h->next; return p; }
";

/// A pointer to a member from which the program computes the structure, as `container_of` does.
#[test]
fn a_member_leads_to_its_structure() {
    for function in ["f", "size_of"] {
        let found = cover(LISTS, function, &[]);
        assert!(!found.contains("Not covered"), "{found}");
    }
    let found = cover(LISTS, "find", &["-c", "decision", "--elements", "1"]);
    assert!(!found.contains("Not covered"), "{found}");
}

/// The tests define structures that have no tag, or whose tag is local to a function.
#[test]
fn types_without_a_name_are_defined_by_the_tests() {
    let text = "typedef struct { struct { int x; struct { short y : 5; } in; } pos; union { int i; char c; } *u; enum { A, B } kind; struct { char c; struct { int q; }; } *anon; } thing;\n\
                int f(void *p, int k) { struct cell { int a; short b; } *c = p; if (c->a > 3 && k) return c->b; return 0; }\n\
                int g(thing *t) { if (t->pos.in.y == 3 && t->kind == B) return 1; if (t->u && t->u->i == 4) return 2;\n\
                if (t->anon && t->anon->q == 9) { t->anon->c = 1; return 4; } return 0; }\n\
                int k(enum { X, Y } e, const struct inner { int a; } *p) { if (e == Y && p->a) return 1; return 0; }\n";
    for function in ["f", "g", "k"] {
        let bench = Bench::new();
        bench.write("f.c", text);
        let words = ["cover", "f.c", "-f", function, "--native", "-o", "t.c"];
        let found = bench.nub(&words).expect(0).stdout;
        assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
    }
}

/// The headers of glibc already give `sscanf` another assembler name, so the tests cannot; their definition has the name that glibc uses.
#[test]
fn a_scanner_whose_macro_is_undefined_reads_inputs() {
    let text = "#include <stdio.h>\n#undef sscanf\n\
                int f(const char *s) { int a; if (sscanf(s, \"%d\", &a) == 1 && a > 3) return 1; return 0; }\n";
    let found = cover(text, "f", &[]);
    assert!(!found.contains("Not covered"), "{found}");
}

/// No test needs an allocation that no machine can make, and one that C excludes fails in the tests too.
#[test]
fn allocations_are_of_a_size_that_machines_have() {
    let text = "#include <stdlib.h>\n\
                int f(size_t n) { char *p = malloc(n); if (!p) return 1; if (n > 0x20000000000ull) { p[0] = 1; free(p); return 3; } free(p); return 0; }\n\
                int g(size_t n, size_t m) { char *p = calloc(n, m); if (!p) return n > 1ull << 40 && m > 1ull << 30; free(p); return 0; }\n";
    let found = cover(text, "f", &["-c", "decision"]);
    assert!(found.contains("beyond") && !found.contains("infeasible"), "{found}");
    let found = cover(text, "g", &["--no-aliases"]);
    assert!(!found.contains("Not covered"), "{found}");
}

/// The tests allocate what the function frees, and do not compare it afterwards.
#[test]
fn what_is_freed_was_allocated() {
    let text = "#include <stdlib.h>\nstruct node { int key; char *text; struct node *next; };\n\
                int f(struct node *n) { if (!n) return 0; if (n->key == 7) { n->key = 1; return 2; } free(n->text); free(n); return 1; }\n\
                int twice(int *p, int *q) { if (!p || !q) return 0; *q = 3; int same = p == q; free(p); if (!same) { int v = *q; free(q); return v; } return 1; }\n\
                char *grow(char *p, size_t n) { char *q = realloc(p, n); if (!q) return p; if (n > 3) q[n - 1] = 1; return q; }\n\
                void header(void *p) { struct h { long n; } *h = (struct h *)p - 1; if (h->n > 3) free(h); }\n";
    for function in ["f", "twice", "header"] {
        let found = cover(text, function, &["-c", "decision"]);
        assert!(!found.contains("Not covered"), "{function}: {found}");
    }
    // The tests do not free the result of `grow`, which a leak check would report.
    let bench = Bench::new();
    bench.write("f.c", text);
    let found = bench.nub(&["cover", "f.c", "-f", "grow", "-c", "decision", "--native"]).expect(0).stdout;
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}

/// Members that the program may not write, and calls with memory that it may free: the tests set the ones and name the other.
#[test]
fn constant_members_are_set_and_allocated_objects_are_expected() {
    let text = "\
#include <stdio.h>
#include <stdlib.h>
struct inner { int a; };
struct option { const char letter; const struct inner in; const char *const name; const int table[2]; int flags; };
int f(const struct option *o) {
    if (o->letter == 'x' && o->in.a > 3) return 1;
    if (o->name && o->name[0] == 'q') return 2;
    return o->table[1] == 7;
}
struct owner { char *buffer; FILE *stream; };
int send(const char *text, unsigned n, FILE *stream);
int g(struct owner *o) {
    if (!o) return 1;
    int sent = send(o->buffer, 1, o->stream);
    free(o->buffer);
    if (sent != 1) return 2;
    return 0;
}
";
    for function in ["f", "g"] {
        let found = cover(text, function, &[]);
        assert!(!found.contains("Not covered"), "{found}");
    }
}

/// Headers define macros with the names of members of unions without a name.
#[test]
fn members_that_are_macros_too_are_set() {
    let text = "\
#include <signal.h>
int f(const struct sigaction *s) {
    if (!s->sa_handler) return 1;
    return (s->sa_flags & SA_SIGINFO) != 0 && s->sa_flags > 9;
}
";
    let found = cover(text, "f", &[]);
    assert!(!found.contains("Not covered"), "{found}");
}

/// The last byte of a pointer into an object may be zero: a test that compares it with a number expects neither result.
#[test]
fn last_bytes_of_pointers_are_not_expected() {
    let bench = Bench::new();
    bench.write(
        "f.c",
        "union u { unsigned char ch; char *p; };
         int f(int type, union u u, char c) { if (type == 8) return u.p[-1] == c; return u.ch == c; }",
    );
    let found = bench.nub(&["cover", "f.c", "-f", "f", "--no-native"]).expect(0).stdout;
    assert!(found.contains("returned") && !found.contains("returns 0"), "{found}");
}
