//! Properties of every input, as functions that panic if one does not hold.
//!
//! The fuzz target in `fuzz/` and the tests call the same functions. An input that once failed is reduced and kept
//! as a numbered file in `tests/fuzz-failures/`.

use crate::ast::*;
use crate::print::print;
use crate::{TranslationUnit, parse};
use nub_text::{Diagnostic, Severity, Span};

/// For any bytes: spans are within the text and nest, children come before parents, every finding has a hint, and an accepted text can be printed and
/// parsed again without a change of structure.
///
/// # Panics
/// If that does not hold.
pub fn check_parse(text: &[u8]) {
    let (unit, diagnostics) = parse(text);
    check_diagnostics(&diagnostics, text);
    check_exprs(&unit);
    check_stmts(&unit);
    for (_, function) in unit.functions() {
        assert!(matches!(function.declarator.derivations.first(), Some(Derivation::Function { .. })));
        assert!(function.declarator.name.is_some());
        assert!(matches!(unit.stmt(function.body).kind, StmtKind::Compound(_)));
        let place = unit.source_map.place(function.span.start);
        assert!(place.column >= 1);
    }
    if is_accepted(&diagnostics) {
        check_print(&unit);
    }
}

fn is_accepted(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error)
}

fn check_diagnostics(diagnostics: &[Diagnostic], text: &[u8]) {
    assert!(diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span));
    for diagnostic in diagnostics {
        let span = diagnostic.span;
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{diagnostic:?}");
        assert!(diagnostic.hint.is_some() && !diagnostic.message.is_empty());
    }
}

/// Printing, parsing and printing again gives the same text. Printed text has parentheses everywhere, so the structure is the same.
fn check_print(unit: &TranslationUnit) {
    let once = print(unit);
    let (again, diagnostics) = parse(once.as_bytes());
    assert!(is_accepted(&diagnostics), "printed text is refused: {diagnostics:?}\n{once}");
    assert_eq!(print(&again), once, "printing changes the structure");
}

fn check_exprs(unit: &TranslationUnit) {
    for (id, expr) in unit.exprs() {
        check_span(unit, expr.span);
        for part in parts(&expr.kind) {
            assert!(part < id, "parts come before the whole");
            assert!(expr.span.contains(unit.expr(part).span), "parts lie within the whole");
        }
    }
}

/// The operands of an expression.
fn parts(kind: &AstExprKind) -> Vec<ExprId> {
    match *kind {
        AstExprKind::Unary(_, of)
        | AstExprKind::Cast(_, of)
        | AstExprKind::SizeofExpr(of)
        | AstExprKind::AlignofExpr(of)
        | AstExprKind::Member { base: of, .. }
        | AstExprKind::Quantifier { body: of, .. }
        | AstExprKind::VaArg(of, _) => vec![of],
        AstExprKind::Binary(_, left, right)
        | AstExprKind::Assign(_, left, right)
        | AstExprKind::Comma(left, right)
        | AstExprKind::Index(left, right) => vec![left, right],
        AstExprKind::Conditional { condition, then, otherwise } => {
            [Some(condition), then, Some(otherwise)].into_iter().flatten().collect()
        }
        AstExprKind::Call { callee, ref args } => {
            std::iter::once(callee).chain(args.iter().copied()).collect()
        }
        AstExprKind::Generic { control, ref associations } => {
            std::iter::once(control).chain(associations.iter().map(|one| one.value)).collect()
        }
        AstExprKind::Ident(_)
        | AstExprKind::Int(_)
        | AstExprKind::Float(_)
        | AstExprKind::Char(_)
        | AstExprKind::String(_)
        | AstExprKind::CompoundLiteral(..)
        | AstExprKind::SizeofType(_)
        | AstExprKind::AlignofType(_)
        | AstExprKind::Statement(_)
        | AstExprKind::LabelAddress(_)
        | AstExprKind::Offsetof { .. }
        | AstExprKind::TypesCompatible(..) => Vec::new(),
    }
}

fn check_stmts(unit: &TranslationUnit) {
    for (index, stmt) in unit.stmts.iter().enumerate() {
        check_span(unit, stmt.span);
        for part in stmt_parts(&stmt.kind) {
            assert!(part.index() < index, "parts come before the whole");
            assert!(stmt.span.contains(unit.stmt(part).span), "parts lie within the whole");
        }
    }
}

/// The statements in a statement.
fn stmt_parts(kind: &StmtKind) -> Vec<StmtId> {
    match *kind {
        StmtKind::Compound(ref stmts) => stmts.clone(),
        StmtKind::If { then, otherwise, .. } => std::iter::once(then).chain(otherwise).collect(),
        StmtKind::For { init, body, .. } => init.into_iter().chain([body]).collect(),
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::Case { body, .. }
        | StmtKind::Default { body }
        | StmtKind::Label { body, .. } => vec![body],
        _ => Vec::new(),
    }
}

fn check_span(unit: &TranslationUnit, span: Span) {
    assert!(span.start <= span.end && span.end as usize <= unit.source().len());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small inputs that reach every construct.
    const SAMPLES: &[&[u8]] = &[
        b"typedef int T; void f(void){ T T = 1; T = T * T; }",
        b"int *(*f[3])(int (*)(void), ...), g(); struct s { int a, b : 3, : 0; union { char c[]; }; } x = { .a = 1, };",
        b"main(argc, argv) char **argv; { for (;;) if (argc) do ; while (0); else switch (1) { case 1 ... 2: default: l: } }",
        b"# 7 \"a\\\\b.c\" 2\n#pragma x\nint a[] = { [0 ... 1] = { 2 }, [2] 3, }; _Pragma(\"y\") enum e { A, B = A ?: 2, };",
        b"int f(int n) { __label__ a; int x = ({ int y = n; y; }); goto *&&a; a: return sizeof (int){1} + sizeof(int) * x; }",
        b"static inline __attribute__((__noreturn__, aligned(8))) void g(register const int *restrict p, int a[static 3]);",
        b"_Static_assert(_Alignof(int) == 4, \"a\" \"b\"); _Alignas(16) int y; asm(\"nop\"); _Thread_local int t;",
        b"enum e : unsigned char { A = 1 } x; enum : short { B }; struct g { enum e : 3; };",
        b"int q(int *a) { return __CPROVER_forall { int i; (i > 0 && i < 3) ==> a[i] ==> __CPROVER_exists { unsigned j; a[j] == i } } == 1; }",
        b"int v(__builtin_va_list l) { return _Generic(l, int: 1, default: 2) + __builtin_va_arg(l, int) + __builtin_offsetof(struct s, a.b[1]); }",
        b"char *s = L\"\\x41\\u00e9\\n\" \"\", *t = u8\"\"; int c = 'ab' + L'\\0'; double d = 0x1.8p3f + .5e-1;",
        b"_Float128 const _Complex z; unsigned __int128 w; int x \\\n= 0xe ++; int q = 1 .a;",
        b"[[maybe_unused]] int f [[a::b(1)]] (void) { [[fallthrough]]; __attribute__((unused)) int x; __extension__ x; }",
    ];

    #[test]
    fn samples_are_accepted() {
        for sample in SAMPLES {
            let (_, diagnostics) = parse(sample);
            assert!(is_accepted(&diagnostics), "{diagnostics:?}");
        }
    }

    #[test]
    fn samples_and_their_prefixes() {
        for sample in SAMPLES {
            for end in 0..=sample.len() {
                check_parse(&sample[..end]);
            }
        }
    }

    #[test]
    fn samples_with_a_byte_removed() {
        for sample in SAMPLES {
            for at in 0..sample.len() {
                check_parse(&[&sample[..at], &sample[at + 1..]].concat());
            }
        }
    }

    #[test]
    fn samples_with_a_byte_doubled_or_changed() {
        for sample in SAMPLES {
            for at in 0..sample.len() {
                check_parse(&[&sample[..at], &sample[at..=at], &sample[at..]].concat());
                for byte in [b'(', b'{', b'"', b'\\', b'\n', b'#', b'*', b';', 0xff] {
                    check_parse(&[&sample[..at], &[byte], &sample[at + 1..]].concat());
                }
            }
        }
    }

    #[test]
    fn fuzz_failures() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz-failures");
        for entry in folder.read_dir().unwrap() {
            check_parse(&std::fs::read(entry.unwrap().path()).unwrap());
        }
    }
}
