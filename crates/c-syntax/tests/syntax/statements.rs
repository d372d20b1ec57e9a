//! Statements.

use super::body;

#[test]
fn an_else_belongs_to_the_nearest_if() {
    assert_eq!(body("if (a) if (b) c; else d;"), "if (a) if (b) c; else d;");
    assert_eq!(body("if (a) { if (b) c; } else d;"), "if (a) { if (b) c; } else d;");
    assert_eq!(
        body("if (a) while (b) if (c) d; else e; else f;"),
        "if (a) while (b) if (c) d; else e; else f;"
    );
    assert_eq!(body("if (a) b; else if (c) d; else e;"), "if (a) b; else if (c) d; else e;");
}

#[test]
fn loops() {
    assert_eq!(body("for (;;) break;"), "for (; ; ) break;");
    assert_eq!(
        body("for (int i = 0, j; i < 3; i++, j--) continue;"),
        "for (int i = 0, j; (i < 3); ((i++) , (j--))) continue;"
    );
    assert_eq!(body("for (i = 0; ; ) ;"), "for ((i = 0); ; ) ;");
    assert_eq!(body("do do x(); while (a); while (b);"), "do do x(); while (a); while (b);");
    assert_eq!(body("while (a, b) { }"), "while ((a , b)) { }");
}

#[test]
fn switches_and_labels() {
    assert_eq!(
        body("switch (a) { case 1: case 2 ... 'z': b; default: ; }"),
        "switch (a) { case 1: case 2 ... 'z': b; default: ; }"
    );
    assert_eq!(body("switch (a) case 1: b;"), "switch (a) case 1: b;");
    assert_eq!(body("case a ? b : c: d;"), "case (a ? b : c): d;");
    assert_eq!(body("{ goto l; l: }"), "{ goto l; l: ; }");
    assert_eq!(body("l: int x;"), "l: int x;");
    assert_eq!(body("__label__ a, b; a: b: ;"), "__label__ a, b; a: b: ;");
}

#[test]
fn what_else_stands_in_a_block() {
    assert_eq!(
        body("asm volatile (\"nop\" : : \"r\"(x)); return;"),
        "asm volatile (\"nop\" : : \"r\"(x)); return;"
    );
    assert_eq!(
        body("_Static_assert(1); extern int g(void); ; return 1;"),
        "_Static_assert(1); extern int g(void); ; return 1;"
    );
    assert_eq!(
        body("__attribute__((fallthrough)); __attribute__((unused)) int x;"),
        "; __attribute__((unused)) int x;"
    );
    assert_eq!(body("__extension__ int x; __extension__ (void)x;"), "int x; ((void )x);");
}
