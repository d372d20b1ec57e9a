//! The model and the interpreter agree on whether a run fails, and where.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::ask;
use nub_explain::{Explanation, PropertyKind};

/// The kind of the property that every run violates, and its line.
#[track_caller]
fn always_violated(text: &str) -> (PropertyKind, Option<u32>) {
    match ask(text) {
        Explanation::NoPassingRun { property, .. } => (property.kind, property.place.line),
        other => panic!("{other:?}"),
    }
}

/// GNU C allows arrays without elements.
#[test]
fn an_array_of_length_zero_has_no_element() {
    let head = "void __CPROVER_assert(int, const char *); int nums[0]; int *p;\n";
    for body in [
        "int main(void) {\n nums[1] = 999; p = &nums[0];\n p++; __CPROVER_assert(*p == 999, \"\"); return 0; }",
        "int main(void) {\n nums[0] = 999; p = nums;\n return *p; }",
        "int main(void) {\n int own[2][0]; own[1][0] = 3;\n return own[1][0]; }",
        "struct s { int n; int rest[0]; } s; int main(void) {\n s.rest[0] = 3;\n return s.rest[1]; }",
    ] {
        assert_eq!(always_violated(&format!("{head}{body}")), (PropertyKind::Pointer, Some(3)), "{body}");
    }
}

/// As a member, it stands for what follows the structure.
#[test]
fn a_member_of_length_zero_may_have_elements() {
    let text = "void *malloc(unsigned long); struct s { int n; int rest[0]; };
        int f(void) { struct s *p = malloc(sizeof *p + 8); if (!p) return 0; p->rest[1] = 3; return p->rest[1]; }";
    let found = ask(text);
    assert!(matches!(found, Explanation::NoViolation { .. }), "{found:?}");
}

#[test]
fn elements_of_vectors_are_read() {
    let text = "typedef int v4 __attribute__((vector_size(16))); union u { v4 v; int members[4]; };
        void __CPROVER_assert(int, const char *);
        int main(void) { union u x, y, z;
        z.v = x.v + y.v;
        __CPROVER_assert(z.members[0] == x.members[0] + y.members[0], \"\"); return 0; }";
    assert_eq!(always_violated(text), (PropertyKind::Uninitialised, Some(4)));
}

/// A header before a text of any length, found by going back from the text.
#[test]
fn a_pointer_goes_back_into_an_object_of_any_size() {
    let text = "void *malloc(unsigned long); struct h { unsigned char len, alloc, flags; };
        char *f(unsigned long n, int k) { int header = k ? 1 : 3; if (n > 4) return 0;
        char *s = (char *)malloc(header + n + 1) + header; if (k) return s;
        struct h *h = (struct h *)(s - sizeof(struct h)); h->len = n; return s; }";
    let found = ask(text);
    assert!(matches!(found, Explanation::NoViolation { .. }), "{found:?}");
}
