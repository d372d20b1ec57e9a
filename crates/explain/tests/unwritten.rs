//! Variables that are read before they are written, as inputs.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{ask, program};
use nub_explain::{ExplainOptions, Explanation, ProgramSource, unwritten_as_inputs};

/// The text after the variables got their values.
fn opened(text: &str) -> Option<String> {
    let program = program(text);
    let function = program.function_by_name("main").unwrap();
    let source = ProgramSource { program: &program, text: text.as_bytes(), file: "" };
    let text = unwritten_as_inputs(source, function, &ExplainOptions::default()).unwrap();
    text.map(|(text, _)| String::from_utf8(text).unwrap())
}

#[test]
fn only_what_some_run_reads_gets_a_value() {
    for (text, expected) in [
        (
            "int main() { int x, i; for (i = 0; i < 2; i++) x += i; }",
            "int main() { int x = __VERIFIER_nondet_int(), i; for (i = 0; i < 2; i++) x += i; }",
        ),
        (
            "int main() { unsigned char c ; int d; if (c) d = 1; return c ? d : 0; }",
            "int main() { unsigned char c = __VERIFIER_nondet_uchar() ; int d; if (c) d = 1; return c ? d : 0; }",
        ),
        (
            "struct s { short a; long b[2]; }; int main() { struct s v[1]; return v[0].b[1] > 0; }",
            "struct s { short a; long b[2]; }; int main() { struct s v[1] = { __VERIFIER_nondet_short(), __VERIFIER_nondet_long(), __VERIFIER_nondet_long() }; return v[0].b[1] > 0; }",
        ),
        (
            "int g(int *p) { return *p; } int main() { int a = 1, b; return g(&a) + g(&b); }",
            "int g(int *p) { return *p; } int main() { int a = 1, b = __VERIFIER_nondet_int(); return g(&a) + g(&b); }",
        ),
    ] {
        assert_eq!(opened(text).as_deref(), Some(expected));
    }
}

#[test]
fn what_cannot_have_a_value_stays() {
    for text in [
        "int main() { int x = 1; return x; }",
        "int main() { int *p; return *p; }",
        "int main() { int x __attribute__((unused)); return x; }",
        "int main(int argc) { if (argc) goto end; int x = 1; end: return x; }",
        "int main() { int big[1000]; return big[3]; }",
    ] {
        assert_eq!(opened(text), None, "{text}");
    }
}

#[test]
fn the_changed_program_is_explained() {
    let text = opened("int main() { int x;\n__CPROVER_assume(x > 3);\n__CPROVER_assert(x != 5, \"five\"); }")
        .unwrap();
    let Explanation::Explained(story) = ask(&text) else { panic!("{text}") };
    assert_eq!((story.failing.inputs[0].name.as_str(), story.failing.inputs[0].value.as_str()), ("x", "5"));
    assert_eq!(story.property.place.line, Some(3));
}
