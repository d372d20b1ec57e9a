//! `nub cover` with pointers into the middle of an object, with types that have no name, and with functions of the library that the headers rename: the
//! compiled tests make the runs that were found.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

/// What `nub cover` prints about a program that it must have compiled, and whose tests pass by themselves, optimised too.
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

/// A header in front of the characters that are handed out.
#[test]
fn what_lies_before_a_pointer_is_an_input() {
    for function in ["f", "before", "back"] {
        let found = cover(STRINGS, function, &[]);
        assert!(!found.contains("Not covered"), "{found}");
    }
    // Who asks for undefined behaviour is told of what a caller must not do.
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

/// A member of a structure by which the structure is found.
#[test]
fn a_member_leads_to_its_structure() {
    for function in ["f", "size_of"] {
        let found = cover(LISTS, function, &[]);
        assert!(!found.contains("Not covered"), "{found}");
    }
    let found = cover(LISTS, "find", &["-c", "decision", "--elements", "1"]);
    assert!(!found.contains("Not covered"), "{found}");
}

/// Structures without a tag, or with one that only a function knows, have a name in the tests.
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

/// Headers of glibc give `sscanf` another name for the assembler, so that no label can; the definition has that name.
#[test]
fn a_scanner_whose_macro_is_undefined_reads_inputs() {
    let text = "#include <stdio.h>\n#undef sscanf\n\
                int f(const char *s) { int a; if (sscanf(s, \"%d\", &a) == 1 && a > 3) return 1; return 0; }\n";
    let found = cover(text, "f", &[]);
    assert!(!found.contains("Not covered"), "{found}");
}

/// An allocation that no machine grants is not a test, and one that C excludes fails in the tests too.
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

/// What a function frees is allocated by the tests, which do not look at it afterwards.
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
    // What it returns is lost.
    let bench = Bench::new();
    bench.write("f.c", text);
    let found = bench.nub(&["cover", "f.c", "-f", "grow", "-c", "decision", "--native"]).expect(0).stdout;
    assert!(found.contains("results agree") && !found.contains("Not covered"), "{found}");
}
