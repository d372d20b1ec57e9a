//! Attributes of GNU C that change what a program does.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{check_missing as check, missing};

/// What an alias names may be an alias itself.
#[test]
fn an_alias_of_an_alias() {
    check(
        "int real = 3; extern int other __attribute__((alias(\"real\"))); extern int third __attribute__((alias(\"other\")));
         int f(void) { real = 4; third = 5; if (real == 5) return 1; return 0; }",
        &["real == 5 false: infeasible"],
    );
}

/// An alias and what it names are one object, whichever is declared first.
#[test]
fn aliases_are_the_same_object() {
    let alias = "extern int other __attribute__((alias(\"real\")));";
    check(
        &format!(
            "int real = 3; {alias} int f(void) {{ real = 4; other = 5; if (real == 5) return 1; return 0; }}"
        ),
        &["real == 5 false: infeasible"],
    );
    check(
        &format!(
            "extern int other; int f(int a) {{ if (other == a) return 1; return 0; }} int real = 3; {alias}"
        ),
        &[],
    );
    // Other files can name a `static` object by its alias.
    check(
        &format!("static int real = 3; {alias} int f(void) {{ if (real == 3) return 1; return 0; }}"),
        &["real == 3 false: infeasible-if `real` has its initial value when the function is called"],
    );
    // What an access through another type does is not known.
    check(
        "int real = 3; extern unsigned char other[4] __attribute__((alias(\"real\")));
         int f(int a) { if (a) other[0] = 4; if (real == 4) return 1; return 0; }",
        &["a true: beyond-bound", "real == 4 true: beyond-bound"],
    );
}

#[test]
fn aliases_are_the_same_function() {
    let real = "static int real(int a) { return a + 1; }";
    check(
        &format!(
            "{real} int other(int) __attribute__((__alias__(\"real\"))); int f(short a) {{ if (other(a) == 5) return 1; if (other(a) != a + 1) return 2; return 0; }}"
        ),
        &["other(a) != a + 1 true: infeasible"],
    );
    check(
        &format!(
            "int other(int); int f(short a) {{ if (other(a) == a) return 2; return 0; }} {real} extern __typeof(real) other __attribute__((weak, alias(\"real\")));"
        ),
        &["other(a) == a true: infeasible-if no other file replaces `real`, which is declared `weak`"],
    );
}

/// A function is called when the scope of the variable is left, so no run past its declaration is known.
#[test]
fn variables_that_are_cleaned_up() {
    let done = "static int n; static void done(int *p) { n += *p; }";
    for declared in
        ["__attribute__((cleanup(done))) int x = a & 3;", "int x __attribute__((__cleanup__(done))) = a & 3;"]
    {
        check(
            &format!(
                "{done} int f(int a) {{ n = 0; if (a > 9) {{ {declared} n++; }} if (n == 4) return 1; return 0; }}"
            ),
            &["a > 9 true: beyond-bound", "n == 4 true: beyond-bound"],
        );
    }
}

/// A caller that passes a null pointer for `a[static 3]` has undefined behaviour.
#[test]
fn parameters_that_are_not_null() {
    for parameter in ["int a[static 3]", "int a[const static 3]", "int a[static 1][2]"] {
        check(
            &format!("int f(int n, {parameter}) {{ if (!a) return 1; return n; }}"),
            &["!a true: undefined"],
        );
    }
    check(
        "int g(const int a[static 1]) { return a[0]; } int f(const int *p, int n) { if (n) { n = g(p); if (!p) return 3; } return n; }",
        &["!p true: undefined"],
    );
}

/// Objects are where their types want them to be, also at multiples of more than 16.
#[test]
fn types_with_large_alignments() {
    let premise = "infeasible-if no address of an object matters as a number";
    for align in [32, 64, 128] {
        let text = format!(
            "struct __attribute__((aligned({align}))) line {{ int i; }}; static struct line lines[2];
             int f(struct line *p) {{ struct line q = {{ 3 }};
               if ((unsigned long)&q & {0}) return 1; if ((unsigned long)&lines[1] & {0}) return 2; if ((unsigned long)p % {align}) return 3;
               return q.i; }}",
            align - 1
        );
        let conditions = [
            format!("(unsigned long)&q & {}", align - 1),
            format!("(unsigned long)&lines[1] & {}", align - 1),
        ];
        let expected: Vec<String> = conditions.iter().map(|text| format!("{text} true: {premise}")).collect();
        let last = format!("(unsigned long)p % {align} true: {premise}");
        assert_eq!(missing(&text), [&expected[..], &[last]].concat(), "{text}");
    }
}
