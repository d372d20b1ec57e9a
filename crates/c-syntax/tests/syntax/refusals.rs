//! What is refused: with a message, at its place.

use super::error;
use nub_c_syntax::{MAX_ERRORS, parse};

#[track_caller]
fn refused(text: &str, message: &str, at: &str) {
    assert_eq!(error(text), (message.into(), at.into()), "{text}");
}

#[test]
fn unsupported_things_are_named() {
    refused("void f(void) { int g(void) { } }", "nested functions are not supported", "g(void)");
    refused("int x = ^{ };", "blocks (`^{ ... }`) are not supported", "^");
    refused("_Complex int x;", "complex integers are not supported", "_Complex int");
    refused("_Imaginary float x;", "`_Imaginary` is not supported", "_Imaginary");
    refused("int x = 3i;", "`3i` is not a valid constant: imaginary constants are not supported", "3i");
}

#[test]
fn syntax_errors_point_at_the_first_wrong_token() {
    refused("int x", "expected `;` after a declaration, found the end of the text", "");
    refused("int x = (1 + ;", "expected an expression, found `;`", ";");
    refused("void f(void) { return 1 }", "expected `;`, found `}`", "}");
    refused("void f(void) { if (a) }", "expected a statement, found `}`", "}");
    refused("void f(void) { else ; }", "expected an expression, found `else`", "else");
    refused("void f(void) { f(int); }", "expected an expression, found the type `int`", "int");
    refused("void f(void) { if (1) int x; }", "a declaration must be in a block", "int");
    refused("int a[3;", "expected `]`, found `;`", ";");
    refused("}", "expected a declaration, found `}`", "}");
    refused("int f(int a, b);", "unknown type name `b`", "b");
    refused("int x @ 3;", "stray `@` in the program", "@");
    refused("int x = sizeof(int)[1];", "expected `;` after a declaration, found `[`", "[");
}

#[test]
fn specifiers_that_make_no_type() {
    refused("short long x;", "these words do not form a type", "short long");
    refused("unsigned float x;", "these words do not form a type", "unsigned float");
    refused("int char x;", "these words do not form a type", "int char");
    refused("long long long x;", "`long` is repeated too often", "long");
    refused("void int int x;", "`int` is repeated too often", "int");
    refused("static extern int x;", "a declaration can have only one storage class", "extern");
    refused("struct s { static int x; };", "`static` is not allowed here", "static");
    refused("struct s { int x; } char y;", "a declaration can have only one type", "char");
    refused("typedef int f(void) { }", "a function cannot be a typedef", "f(void)");
}

#[test]
fn the_first_few_errors_are_shown_together() {
    let text = "int a = ;\nint b = 1;\nvoid f(void) { ) }\nint c = ;\n".repeat(9);
    let (unit, diagnostics) = parse(text.as_bytes());
    assert_eq!(diagnostics.len(), MAX_ERRORS);
    let lines: Vec<u32> = diagnostics.iter().map(|one| unit.source_map.place(one.span.start).line).collect();
    assert_eq!(lines, [1, 3, 4, 5, 7]);
    assert_eq!(unit.items.len(), 2, "what is between them is read");
}

#[test]
fn text_that_is_not_preprocessed() {
    assert_eq!(error("#include <stdio.h>\nint x;").0, "`#include` has not been preprocessed");
    assert_eq!(error("int x = a # b;").0, "stray `#` in the program");
}
