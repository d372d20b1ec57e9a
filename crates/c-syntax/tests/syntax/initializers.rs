//! Initialisers and designators.

use super::printed;

#[test]
fn lists_nest_and_may_end_with_a_comma() {
    assert_eq!(printed("int a[][2] = { { 1, 2 }, { 3, }, 4, };"), "int a[][2] = {{1, 2}, {3}, 4};");
    assert_eq!(printed("struct s x = {};"), "struct s x = {};");
    assert_eq!(printed("char s[] = { \"a\" }, *t = \"b\";"), "char s[] = {\"a\"}, *t = \"b\";");
}

#[test]
fn designators_of_all_styles() {
    assert_eq!(
        printed("struct s x = { .a.b[2] = 1, c: 2, [3] = 4 };"),
        "struct s x = {.a.b[2] = 1, .c = 2, [3] = 4};"
    );
    assert_eq!(printed("int a[] = { [1] 2, [3 ... 5] = { 6 } };"), "int a[] = {[1] = 2, [3 ... 5] = {6}};");
    assert_eq!(printed("int a[] = { (b, c), d = e };"), "int a[] = {(b , c), (d = e)};");
    assert_eq!(printed("int a[] = { x ? y : z };"), "int a[] = {(x ? y : z)};");
}
