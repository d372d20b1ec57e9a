//! Positions: spans of nodes, and the mapping back to the original file.

use nub_c_syntax::ast::{AstExprKind, StmtKind};
use nub_c_syntax::parse;

#[test]
fn spans_cover_parentheses_of_operands_not_their_own() {
    let (unit, _) = parse(b"int x = ((a) + (b * c)) - d[(1)];");
    let spans: Vec<&str> =
        unit.exprs().map(|(_, expr)| std::str::from_utf8(unit.text(expr.span)).unwrap()).collect();
    assert_eq!(
        spans,
        ["a", "b", "c", "b * c", "(a) + (b * c)", "d", "1", "d[(1)]", "((a) + (b * c)) - d[(1)]"]
    );
}

#[test]
fn a_statement_maps_to_its_line() {
    let text =
        b"# 1 \"a.c\"\n# 1 \"a.h\" 1\nint g;\n# 2 \"a.c\" 2\nvoid f(void)\n{\n\n  if (g)\n    g = 0;\n}\n";
    let (unit, diagnostics) = parse(text);
    assert!(diagnostics.is_empty());
    let (_, function) = unit.functions().next().unwrap();
    let StmtKind::Compound(stmts) = &unit.stmt(function.body).kind else { panic!() };
    let place = unit.source_map.place(unit.stmt(stmts[0]).span.start);
    assert_eq!((place.file, place.line, place.column), ("a.c", 5, 3));
    assert_eq!(unit.text(unit.stmt(stmts[0]).span), b"if (g)\n    g = 0;");
}

#[test]
fn splices_inside_tokens() {
    let (unit, diagnostics) = parse(b"int fo\\\no = 1\\\n2;\nint y = f\\\noo;");
    assert!(diagnostics.is_empty());
    assert_eq!(nub_c_syntax::print::print(&unit), "int foo = 12;\nint y = foo;\n");
    let (_, last) = unit.exprs().last().unwrap();
    assert!(matches!(last.kind, AstExprKind::Ident(_)));
    assert_eq!(unit.text(last.span), b"f\\\noo", "the text is that of the source");
    assert_eq!(unit.source_map.place(last.span.start).line, 4);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let (unit, diagnostics) = parse("\u{feff}int x;\r\n".as_bytes());
    assert!(diagnostics.is_empty());
    assert_eq!(nub_c_syntax::print::print(&unit), "int x;\n");
    let (_, diagnostics) = parse("int x;\u{feff}int y;".as_bytes());
    assert!(!diagnostics.is_empty(), "only the first bytes of a file are a mark");
}

#[test]
fn names_with_universal_characters_are_one() {
    let (unit, diagnostics) = parse("int \\u00e9; int y = \u{e9};".as_bytes());
    assert!(diagnostics.is_empty());
    assert_eq!(nub_c_syntax::print::print(&unit), "int \u{e9};\nint y = \u{e9};\n");
}

#[test]
fn pragmas_are_noted() {
    let (unit, diagnostics) = parse(b"#pragma pack(1)\nint x; _Pragma(\"once\") int _Pragma(\"a\" \"b\") y;");
    assert!(diagnostics.is_empty());
    let pragmas: Vec<&[u8]> = unit.pragmas.iter().map(|&span| unit.text(span)).collect();
    assert_eq!(pragmas, [&b"#pragma pack(1)"[..], b"_Pragma(\"once\")", b"_Pragma(\"a\" \"b\")"]);
    assert_eq!(unit.items.len(), 2);
}

#[test]
fn attributes_keep_name_and_arguments() {
    let (unit, _) = parse(b"struct __attribute__((__packed__, aligned ( 8 ))) s { int x; };");
    let nub_c_syntax::ast::Item::Declaration(id) = unit.items[0] else { panic!() };
    let nub_c_syntax::ast::BaseType::Record(record) = unit.specifiers(unit.decl(id).specifiers).base else {
        panic!()
    };
    let attributes = &unit.record(record).attributes;
    assert_eq!((unit.name(attributes[0].name), attributes[0].args), ("packed", None));
    assert_eq!(unit.name(attributes[1].name), "aligned");
    assert_eq!(unit.text(attributes[1].args.unwrap()), b" 8 ");
}
