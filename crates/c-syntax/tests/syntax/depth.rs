//! Deep and long inputs do not overflow the stack, and limits are reported.

use super::{error, printed};
use nub_c_syntax::check::check_parse;

const DEEP: usize = 20_000;

/// `open` and `close` around `inner`, many times.
fn nested(n_levels: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(n_levels), close.repeat(n_levels))
}

#[test]
fn expressions_and_statements_nest_without_limit() {
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("-(", "1", ")"),
        ("- ", "1", ""),
        ("*&", "a", ""),
        ("f(", "1", ")"),
        ("a[", "1", "]"),
        ("a ? ", "1", " : b"),
        ("a ? b : ", "1", ""),
        ("a = ", "1", ""),
        ("a + ", "1", " + b"),
        ("sizeof ", "a", ""),
        ("(int)", "a", ""),
        ("", "a", ".b"),
        ("", "a", "++"),
    ] {
        printed(&format!("int x = {};", nested(DEEP, open, inner, close)));
    }
    for (open, inner, close) in [
        ("{", "", "}"),
        ("if (a) ", ";", ""),
        ("if (a) ; else ", ";", ""),
        ("if (a) ", ";", " else ;"),
        ("while (a) ", ";", ""),
        ("do ", ";", " while (a);"),
        ("for (;;) ", ";", ""),
        ("case 1: ", ";", ""),
        ("l: ", "", ""),
    ] {
        printed(&format!("void f(void) {{ {} }}", nested(DEEP, open, inner, close)));
    }
    printed(&format!("int x = {};", nested(DEEP, "{", "1", "}")));
    printed(&format!("int {};", nested(DEEP, "(", "x", ")")));
    printed(&format!("int {};", nested(DEEP, "*", "x", "")));
    printed(&format!("int {};", nested(DEEP, "(*", "x", ")()")));
}

#[test]
fn other_nesting_has_a_named_limit() {
    for (open, inner, close) in
        [("struct { ", "int x;", " } y;"), ("typeof(", "int", ")* x;"), ("int f(", "int", ");")]
    {
        let text = format!("{};", nested(10_000, open, inner, close));
        assert!(error(&text).0.starts_with("nested too deeply"), "{}", error(&text).0);
        check_parse(text.as_bytes());
    }
    for (open, inner, close) in [
        ("({ ", "1", "; })"),
        ("(int[", "1", "])a"),
        ("sizeof(struct { int x[", "1", "]; })"),
        ("_Generic(a, int: ", "1", ")"),
        ("__builtin_va_arg(", "a", ", int)"),
        ("(int){ ", "1", " }"),
        ("_Alignof(typeof(", "a", "))"),
    ] {
        let text = format!("int x = {};", nested(10_000, open, inner, close));
        assert!(error(&text).0.starts_with("nested too deeply"), "{}", error(&text).0);
        let allowed = format!("int x = {};", nested(63, open, inner, close));
        printed(&allowed);
    }
}

#[test]
fn long_lists() {
    printed(&format!("int x = {};", vec!["1"; DEEP].join(" + ")));
    printed(&format!("int x = f({});", vec!["1"; DEEP].join(", ")));
    printed(&format!("enum e {{ {} }};", vec!["A"; DEEP].join(", ")));
    printed(&format!("char *s = {};", vec!["\"a\""; DEEP].join(" ")));
    check_parse("@".repeat(DEEP).as_bytes());
    check_parse(format!("x {}", "#".repeat(DEEP)).as_bytes());
    check_parse("}".repeat(DEEP).as_bytes());
    check_parse("'\\q' ".repeat(DEEP).as_bytes());
}
