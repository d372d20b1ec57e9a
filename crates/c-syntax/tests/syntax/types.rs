//! Specifiers, records and enumerations.

use super::printed;

#[test]
fn words_of_a_type_in_any_order() {
    assert_eq!(printed("long unsigned static int const long x;"), "static const unsigned long long x;");
    assert_eq!(
        printed("char signed a; unsigned b; short int c;"),
        "signed char a;\nunsigned int b;\nshort c;"
    );
    assert_eq!(
        printed("double long a; _Complex b; float _Complex c;"),
        "long double a;\n_Complex double b;\n_Complex float c;"
    );
    assert_eq!(printed("_Atomic(int) a; _Atomic int b;"), "_Atomic(int ) a;\n_Atomic int b;");
    assert_eq!(
        printed("typedef _Atomic _Bool c; static _Atomic(char) d;"),
        "typedef _Atomic _Bool c;\nstatic _Atomic(char ) d;"
    );
    assert_eq!(printed("_Alignas(8) _Alignas(int) char a;"), "_Alignas(8) _Alignas(int ) char a;");
    assert_eq!(printed("_Noreturn inline void f(void);"), "inline _Noreturn void f(void);");
    assert_eq!(
        printed("typeof(int *) a; __typeof__(a + 1) b;"),
        "__typeof__(int *) a;\n__typeof__((a + 1)) b;"
    );
    assert_eq!(printed("__uint128_t a; __int128 unsigned b;"), "unsigned __int128 a;\nunsigned __int128 b;");
}

#[test]
fn old_headers_declare_extended_floats() {
    assert_eq!(printed("typedef float _Float32; _Float32 x;"), "typedef float _Float32;\n_Float32 x;");
}

#[test]
fn records() {
    let text = "struct s { int a, *b; unsigned c : 3, : 0, d : 1 + 2; struct { int e; }; union u f[2]; char g[]; } x, *y;";
    let expected = "struct s { int a, *b; unsigned int c : 3,  : 0, d : (1 + 2); struct { int e; } ; union u f[2]; char g[]; } x, *y;";
    assert_eq!(printed(text), expected);
    assert_eq!(
        printed("struct __attribute__((packed)) s; struct e {};"),
        "struct __attribute__((packed)) s ;\nstruct e { } ;"
    );
    assert_eq!(
        printed("struct s { int x; } __attribute__((packed));"),
        "struct __attribute__((packed)) s { int x; } ;"
    );
    assert_eq!(
        printed("struct s { int a[0]; _Static_assert(1, \"\"); };"),
        "struct s { int a[0]; _Static_assert(1, \"\"); } ;"
    );
}

#[test]
fn enumerations() {
    assert_eq!(
        printed("enum e { A, B = 1 << 2, C, } x; enum e y;"),
        "enum e { A, B = (1 << 2), C } x;\nenum e y;"
    );
    assert_eq!(printed("struct s { enum e : 3; };"), "struct s { enum e  : 3; } ;");
}

#[test]
fn k_and_r_definitions_and_implicit_int() {
    let text = "f(a, b) int a; char *b; { return a; } static x = 1; g() { auto y; }";
    let (unit, diagnostics) = nub_c_syntax::parse(text.as_bytes());
    let expected = "f(a, b) int a; char *b; { return a; }\nstatic x = 1;\ng() { auto y; }\n";
    assert_eq!(nub_c_syntax::print::print(&unit), expected);
    let warnings: Vec<_> =
        diagnostics.iter().map(|one| (one.message.as_str(), unit.text(one.span))).collect();
    let message = "no type is given; `int` is assumed";
    let places: [&[u8]; 4] = [b"f(a, b)", b"static", b"g()", b"auto"];
    assert_eq!(warnings, places.map(|place| (message, place)));
}
