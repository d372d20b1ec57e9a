//! Precedence, associativity, and the places where C is ambiguous.

use super::{body, expr, printed};

#[test]
fn precedence() {
    assert_eq!(expr("a + b * c - d"), "((a + (b * c)) - d)");
    assert_eq!(
        expr("a << 1 + b < c == d & e ^ f | g && h || i"),
        "((((((((a << (1 + b)) < c) == d) & e) ^ f) | g) && h) || i)"
    );
    assert_eq!(expr("!a && ~b - -c"), "((!a) && ((~b) - (-c)))");
    assert_eq!(expr("a - b - c"), "((a - b) - c)");
    assert_eq!(expr("a-- - --b"), "((a--) - (--b))");
    assert_eq!(expr("*p++ + **q"), "((*(p++)) + (*(*q)))");
    assert_eq!(expr("&a[1].b->c"), "(&((a[1].b)->c))");
    assert_eq!(expr("-a[i](x)(y)"), "(-a[i](x)(y))");
}

#[test]
fn assignments_and_conditionals_group_to_the_right() {
    assert_eq!(body("a = b += c;"), "(a = (b += c));");
    assert_eq!(body("a ? b : c ? d : e;"), "(a ? b : (c ? d : e));");
    assert_eq!(body("a ? b ? c : d : e;"), "(a ? (b ? c : d) : e);");
    assert_eq!(body("a ? b, c : d;"), "(a ? (b , c) : d);");
    assert_eq!(body("a = b ? c : d, e;"), "((a = (b ? c : d)) , e);");
    assert_eq!(body("a || b ? c : d || e;"), "((a || b) ? c : (d || e));");
    assert_eq!(body("a ?: b ?: c;"), "(a ?  : (b ?  : c));");
}

#[test]
fn commas_separate_arguments() {
    assert_eq!(body("f(a, (b, c), d = e);"), "f(a, (b , c), (d = e));");
    assert_eq!(body("f()(), g(a ? b, c : d);"), "(f()() , g((a ? (b , c) : d)));");
}

#[test]
fn a_parenthesis_with_a_type_is_a_cast() {
    let typedef = "typedef int T; int x, *p, f(int);";
    let y = |text: &str| {
        printed(&format!("{typedef} int y = {text};")).rsplit_once("int y = ").unwrap().1.to_owned()
    };
    assert_eq!(y("(T)*p"), "((T )(*p));");
    assert_eq!(y("(x)*p[0]"), "(x * p[0]);");
    assert_eq!(y("(T)-x"), "((T )(-x));");
    assert_eq!(y("(x)-x"), "(x - x);");
    assert_eq!(y("(T)(x)"), "((T )x);");
    assert_eq!(y("(f)(x)"), "f(x);");
    assert_eq!(y("(T)x + 1"), "(((T )x) + 1);");
    assert_eq!(y("(T)f(x)"), "((T )f(x));");
    assert_eq!(y("(T)&x"), "((T )(&x));");
    assert_eq!(y("(T)(int)x"), "((T )((int )x));");
}

#[test]
fn sizeof_takes_a_type_or_a_unary_expression() {
    assert_eq!(expr("sizeof(int) * 2"), "((sizeof(int )) * 2)");
    assert_eq!(expr("sizeof (int){1}"), "(sizeof ((int ){1}))");
    assert_eq!(expr("sizeof (int[]){1, 2}[0]"), "(sizeof ((int []){1, 2})[0])");
    assert_eq!(expr("sizeof (a)[0] + 1"), "((sizeof a[0]) + 1)");
    assert_eq!(expr("sizeof (a) + 1"), "((sizeof a) + 1)");
    assert_eq!(expr("sizeof a++"), "(sizeof (a++))");
    assert_eq!(expr("sizeof sizeof(int) - 1"), "((sizeof (sizeof(int ))) - 1)");
    assert_eq!(expr("sizeof(int) - 1"), "((sizeof(int )) - 1)");
    assert_eq!(expr("_Alignof(struct s) + __alignof__ a"), "((_Alignof(struct s )) + (__alignof__ a))");
}

#[test]
fn compound_literals_take_postfix_operators() {
    assert_eq!(expr("(struct s){ .x = 1 }.x"), "(((struct s ){.x = 1}).x)");
    assert_eq!(expr("-(int[2]){ 1, 2 }[1]"), "(-((int [2]){1, 2})[1])");
}

#[test]
fn builtins_with_types() {
    assert_eq!(
        expr("_Generic(a, int: 1, char *: b, default: c)"),
        "_Generic(a, int : 1, char *: b, default: c)"
    );
    assert_eq!(expr("__builtin_offsetof(struct s, a.b[2])"), "__builtin_offsetof(struct s , a.b[2])");
    assert_eq!(expr("__builtin_va_arg(l, int) + 1"), "(__builtin_va_arg(l, int ) + 1)");
    assert_eq!(
        expr("__builtin_types_compatible_p(int, const char *)"),
        "__builtin_types_compatible_p(int , const char *)"
    );
    assert_eq!(expr("__builtin_expect(!!(a), 1)"), "__builtin_expect((!(!a)), 1)");
    assert_eq!(expr("__CPROVER_same_object(p, q)"), "__CPROVER_same_object(p, q)");
}

#[test]
fn gnu_expressions() {
    assert_eq!(expr("({ int y = 1; y; }) + 1"), "(({ int y = 1; y; }) + 1)");
    assert_eq!(body("void *p = &&l; l: goto *p;"), "void *p = (&&l); l: goto *p;");
    assert_eq!(body("a && &b;"), "(a && (&b));");
    assert_eq!(expr("__extension__ (a + 1)"), "(a + 1)");
    assert_eq!(expr("__real__ a"), "(__real__ a)");
}

#[test]
fn constants_keep_base_and_suffix() {
    assert_eq!(expr("0x1fU + 017 + 0 + 0b11 + 10LL"), "((((0x1fu + 017) + 0) + 0b11) + 10ll)");
    assert_eq!(expr("1.5e3f + .5"), "(1.5e3f + .5)");
    assert_eq!(expr("'a' + '\\n' + L'\\x20ac' + '\\''"), "((('a' + '\\012') + L'\\x20ac') + '\\047')");
    assert_eq!(expr("\"a\\\"\\0\" \"1\" \"\u{e9}\""), "\"a\\042\\0001\\303\\251\"");
}
