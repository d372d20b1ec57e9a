//! Parentheses around a new expression where the surrounding operators would bind more tightly.
//!
//! ```c
//! return a && b && c;     with `a || b` for `a && b`
//! return (a || b) && c;   what is meant, and not `a || b && c`
//! ```

use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstBinaryOp, AstExprKind, ExprId};
use nub_text::Span;

/// How tightly an expression binds: levels of the grammar, the loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    Comma,
    Loose,
    Binary(u8),
    Unary,
    Primary,
}

impl Level {
    /// The level of an expression of the source.
    pub fn of(unit: &TranslationUnit, id: ExprId) -> Level {
        match &unit.expr(id).kind {
            AstExprKind::Binary(op, ..) => Level::of_operator(*op),
            AstExprKind::Comma(..) => Level::Comma,
            AstExprKind::Assign(..) | AstExprKind::Conditional { .. } => Level::Loose,
            AstExprKind::Unary(op, _) if !op.is_postfix() => Level::Unary,
            AstExprKind::Cast(..) => Level::Unary,
            _ => Level::Primary,
        }
    }

    /// The level of an expression with this operator.
    pub fn of_operator(op: AstBinaryOp) -> Level {
        use AstBinaryOp::{
            Add, And, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Rem, Shl, Shr, Sub,
        };
        Level::Binary(match op {
            Or => 0,
            And => 1,
            BitOr => 2,
            BitXor => 3,
            BitAnd => 4,
            Eq | Ne => 5,
            Lt | Le | Gt | Ge => 6,
            Shl | Shr => 7,
            Add | Sub => 8,
            Mul | Div | Rem => 9,
        })
    }
}

/// The new text for an expression, in parentheses if it binds less tightly than the old one and is not delimited by the text around it.
pub(super) fn bracketed(unit: &TranslationUnit, old: ExprId, new: String, level: Level) -> String {
    let is_safe =
        level >= Level::of(unit, old) || level > Level::Comma && is_apart(unit, unit.expr(old).span);
    if is_safe { new } else { format!("({new})") }
}

/// Whether the characters before and after delimit the expression in any case.
fn is_apart(unit: &TranslationUnit, span: Span) -> bool {
    let text = unit.source();
    let before = text.get(..span.start as usize).unwrap_or_default().trim_ascii_end();
    let after = text.get(span.end as usize..).unwrap_or_default().trim_ascii_start();
    let is_after_return = before.ends_with(b"return");
    let is_assigned = before.last() == Some(&b'=') && {
        let ahead = before.len().checked_sub(2).map(|at| before[at]);
        !ahead.is_some_and(|byte| b"=!<>".contains(&byte))
    };
    let starts = is_after_return || is_assigned || before.last().is_some_and(|byte| b"([{;,".contains(byte));
    let ends = after.first().is_some_and(|byte| b")]};,".contains(byte));
    starts && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `new` for `old` in the body of a function.
    fn written(body: &str, old: &str, new: &str, op: AstBinaryOp) -> String {
        let text = format!("int f(int a, int b, int c) {{ {body} }}");
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let is_old = |id: &ExprId| unit.text(unit.expr(*id).span) == old.as_bytes();
        let id = unit.exprs().map(|(id, _)| id).find(is_old).expect("it is there");
        bracketed(&unit, id, new.to_owned(), Level::of_operator(op))
    }

    #[test]
    fn only_where_they_are_needed() {
        use AstBinaryOp::{Add, Or, Sub};
        assert_eq!(written("return a && b && c;", "a && b", "a || b", Or), "(a || b)");
        assert_eq!(written("return a && b;", "a && b", "a || b", Or), "a || b");
        assert_eq!(written("return c - a * b;", "a * b", "a + b", Add), "(a + b)");
        assert_eq!(written("return c * (a + b);", "a + b", "a - b", Sub), "a - b");
        assert_eq!(written("if (a && b) c = a + b;", "a && b", "a || b", Or), "a || b");
        assert_eq!(written("c = a & b;", "a & b", "a || b", Or), "a || b");
        assert_eq!(written("return c == a + b;", "a + b", "a || b", Or), "(a || b)");
        assert_eq!(written("f(a * b, 1, 2);", "a * b", "a + b", Add), "a + b");
    }
}
