//! Typedef names: scopes, hiding, and name spaces of their own.

use super::{error, printed};

#[test]
fn a_variable_hides_a_type() {
    let text = "typedef int T; void f(void){ T T = 1; T = T * T; } T x;";
    assert_eq!(printed(text), "typedef int T;\nvoid f(void) { T T = 1; (T = (T * T)); }\nT x;");
}

#[test]
fn the_same_text_is_a_product_or_a_declaration() {
    let text = "typedef int T; int p; void f(void) { T * p; { int T; T * p; } T * q; }";
    let expected = "void f(void) { T *p; { int T; (T * p); } T *q; }";
    assert_eq!(printed(text).lines().last(), Some(expected));
}

#[test]
fn a_name_is_in_scope_in_its_own_initialiser() {
    let text = "typedef int T; void f(void) { int T = sizeof(T); }";
    assert_eq!(printed(text).lines().last(), Some("void f(void) { int T = (sizeof T); }"));
}

#[test]
fn parameters_hide_types_in_the_body_alone() {
    let text =
        "typedef int T; int f(T T) { return (T)-1; } int g(void) { return (T)-1; } int h(T T, int a[(T)-1]);";
    let printed = printed(text);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[1], "int f(T T) { return (T - 1); }");
    assert_eq!(lines[2], "int g(void) { return ((T )(-1)); }");
    assert_eq!(lines[3], "int h(T T, int a[(T - 1)]);");
}

#[test]
fn enumeration_constants_hide_types() {
    let text = "typedef int T; int f(void) { enum { T = 2 }; return (T)-1; }";
    assert_eq!(printed(text).lines().last(), Some("int f(void) { enum { T = 2 } ; return (T - 1); }"));
}

#[test]
fn members_tags_and_labels_hide_nothing() {
    let text = "typedef int T; struct T { T T; }; void f(struct T *p) { T: p->T = (T)-1; goto T; struct T q = { .T = 1 }; q = (struct T){ T: 2 }; }";
    let expected = "void f(struct T *p) { T: ((p->T) = ((T )(-1))); goto T; struct T q = {.T = 1}; (q = ((struct T ){.T = 2})); }";
    assert_eq!(printed(text).lines().last(), Some(expected));
}

#[test]
fn the_scope_of_a_for_loop_ends_with_it() {
    let text = "typedef int T; void f(void) { for (int T = 0; T; ) T * T; T x; }";
    assert_eq!(printed(text).lines().last(), Some("void f(void) { for (int T = 0; T; ) (T * T); T x; }"));
}

#[test]
fn a_function_hides_a_type_and_a_local_typedef_ends() {
    let text = "typedef int T; void g(void) { int T(void); T(); } void f(void) { { typedef char U; U c; } int U; U * U; }";
    let printed = printed(text);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[1], "void g(void) { int T(void); T(); }");
    assert_eq!(lines[2], "void f(void) { { typedef char U; U c; } int U; (U * U); }");
}

#[test]
fn a_second_type_word_is_the_declared_name() {
    assert_eq!(
        printed("typedef int T; void f(void) { unsigned T; T = 1; }").lines().last(),
        Some("void f(void) { unsigned int T; (T = 1); }")
    );
    assert_eq!(
        printed("typedef int T; void f(void) { const T x; }").lines().last(),
        Some("void f(void) { const T x; }")
    );
}

#[test]
fn unknown_types_are_named() {
    assert_eq!(error("foo x;").0, "unknown type name `foo`");
    assert_eq!(error("void f(void) { foo x; }").0, "unknown type name `foo`");
    assert_eq!(error("void f(foo *x) { }").0, "unknown type name `foo`");
    assert_eq!(error("struct s { foo *x; };").0, "unknown type name `foo`");
    assert_eq!(error("static foo x;").0, "unknown type name `foo`");
}
