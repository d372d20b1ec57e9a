//! Declarators: what is a pointer to what.

use super::printed;
use nub_c_syntax::ast::{ArraySize, Derivation, Item, Params};
use nub_c_syntax::parse;

/// The derivations of the first declarator, as they are read aloud.
fn spoken(text: &str) -> String {
    let (unit, diagnostics) = parse(text.as_bytes());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let Some(Item::Declaration(id)) = unit.items.last() else { panic!("no declaration") };
    let declarator = &unit.decl(*id).declarators[0].declarator;
    let steps = declarator.derivations.iter().map(|derivation| match derivation {
        Derivation::Pointer { qualifiers, .. } if qualifiers.is_const => "const pointer",
        Derivation::Pointer { .. } => "pointer",
        Derivation::Array { size: ArraySize::Unknown, .. } => "array",
        Derivation::Array { size: ArraySize::Star, .. } => "array of *",
        Derivation::Array { size: ArraySize::Expr(_), .. } => "array of n",
        Derivation::Function { params: Params::Unspecified, .. } => "function",
        Derivation::Function { params: Params::Names(_), .. } => "function with names",
        Derivation::Function { params: Params::Prototype { is_variadic: true, .. }, .. } => {
            "variadic function"
        }
        Derivation::Function { params: Params::Prototype { .. }, .. } => "function with a prototype",
    });
    steps.collect::<Vec<_>>().join(", ")
}

#[test]
fn derivations_are_read_from_the_name_outwards() {
    assert_eq!(spoken("int x;"), "");
    assert_eq!(spoken("int *a[3];"), "array of n, pointer");
    assert_eq!(spoken("int (*a)[3];"), "pointer, array of n");
    assert_eq!(spoken("int *(*f[3])(void);"), "array of n, pointer, function with a prototype, pointer");
    assert_eq!(spoken("int *const *p;"), "pointer, const pointer");
    assert_eq!(spoken("int (*(*f)(int, ...))[];"), "pointer, variadic function, pointer, array");
    assert_eq!(spoken("int (((x)));"), "");
    assert_eq!(
        spoken("void (*signal(int, void (*)(int)))(int);"),
        "function with a prototype, pointer, function with a prototype"
    );
    assert_eq!(spoken("int f();"), "function");
    assert_eq!(spoken("int m[2][3];"), "array of n, array of n");
}

#[test]
fn declarators_are_printed_as_c() {
    for text in [
        "int *(*f[3])(void);",
        "void (*signal(int , void (*)(int )))(int );",
        "int (*(*f)(int , ...))[];",
        "char *const *volatile p, q[], (*r)();",
        "int f(int (*)[3], int [], int *[static const 4], int [*]);",
        "int f(int (*g)(int ), int (*)(int ));",
    ] {
        assert_eq!(printed(text), text);
    }
}

#[test]
fn abstract_declarators() {
    assert_eq!(printed("int x = sizeof(int *(*[3])(void));"), "int x = (sizeof(int *(*[3])(void)));");
    assert_eq!(printed("int x = sizeof(int (*)());"), "int x = (sizeof(int (*)()));");
    assert_eq!(printed("int x = sizeof(int ());"), "int x = (sizeof(int ()));");
    assert_eq!(printed("int x = sizeof(int (*(*)[2])[3]);"), "int x = (sizeof(int (*(*)[2])[3]));");
}

#[test]
fn a_typedef_name_in_parentheses_is_a_parameter() {
    // C17 6.7.6.3, paragraph 11.
    assert_eq!(printed("typedef int T; int f(int (T), int T);"), "typedef int T;\nint f(int (T ), int T);");
    assert_eq!(printed("typedef int T; int f(int (*T));"), "typedef int T;\nint f(int *T);");
}

#[test]
fn attributes_and_asm_labels_stay_with_their_declarator() {
    let text = "extern int a __asm__(\"b\") __attribute__((__aligned__ (8), weak)), *__attribute__((x)) c;";
    let expected = "extern int a __asm__(\"b\")  __attribute__((aligned(8))) __attribute__((weak)) , *c __attribute__((x)) ;";
    assert_eq!(printed(text), expected);
}
