//! Small faults: an operator is replaced by another, a constant is increased by one, a statement is removed.
//!
//! | of | mutant |
//! |---|---|
//! | `a < b`, `a == b` | `a <= b`, `a != b`, and the like |
//! | `a && b` | `a \|\| b`, and back |
//! | `a + b`, `a * b`, `a << b`, `a & b` | `a - b`, `a + b`, `a >> b`, `a \| b`, and the like; the same for `a += b` |
//! | `!a`, `-a`, `~a` | `a` |
//! | `a++` | `a--`, and back |
//! | `7`, `'a'` | one more |
//! | `x = a;`, `f(x);` | nothing |
//!
//! An edit is made on the syntax tree: parentheses keep an operand together where the new operator has another precedence.

use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstBinaryOp, AstExprKind, AstUnaryOp, ExprId, FunctionDefinition, StmtId, StmtKind};
use nub_text::Span;

/// A change of the text at one place of the syntax tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    /// What is changed: an expression or a statement.
    pub span: Span,
    /// Replacements, in the order of the text; they do not overlap.
    pub splices: Vec<(Span, String)>,
}

/// All edits of a function, in the order of the text. Operands of `sizeof` and labels of `case` are not changed.
pub(super) fn edits(unit: &TranslationUnit, function: &FunctionDefinition) -> Vec<Edit> {
    let body = unit.stmt(function.body).span;
    let excluded = excluded(unit, body);
    let is_mutable = |span: Span| body.contains(span) && !excluded.iter().any(|other| other.contains(span));
    let mut found: Vec<Edit> = Vec::new();
    for (id, expr) in unit.exprs().filter(|(_, expr)| is_mutable(expr.span)) {
        found.extend(of_expression(unit, id).map(|splices| Edit { span: expr.span, splices }));
    }
    for (id, stmt) in unit.stmts().filter(|(_, stmt)| is_mutable(stmt.span)) {
        if is_dropped(unit, id) {
            found.push(Edit { span: stmt.span, splices: vec![(stmt.span, ";".to_owned())] });
        }
    }
    found.sort_by_key(|edit| (edit.splices[0].0.start, edit.span.start, edit.span.end));
    // An expression that the parser reads twice is one place.
    found.dedup();
    found
}

/// `n` elements of a list, spread evenly over it.
pub(super) fn spread<T: Clone>(items: &[T], n: usize) -> Vec<T> {
    match items.len() {
        len if len <= n => items.to_vec(),
        len => (0..n).map(|k| items[k * len / n].clone()).collect(),
    }
}

fn excluded(unit: &TranslationUnit, body: Span) -> Vec<Span> {
    let mut spans = Vec::new();
    for (_, expr) in unit.exprs().filter(|(_, expr)| body.contains(expr.span)) {
        match &expr.kind {
            AstExprKind::SizeofExpr(_)
            | AstExprKind::SizeofType(_)
            | AstExprKind::AlignofExpr(_)
            | AstExprKind::AlignofType(_)
            | AstExprKind::Offsetof { .. }
            | AstExprKind::TypesCompatible(..) => spans.push(expr.span),
            AstExprKind::Generic { control, .. } => spans.push(unit.expr(*control).span),
            _ => {}
        }
    }
    for (_, stmt) in unit.stmts().filter(|(_, stmt)| body.contains(stmt.span)) {
        match &stmt.kind {
            StmtKind::Case { low, high, .. } => {
                spans.push(unit.expr(*low).span);
                spans.extend(high.map(|high| unit.expr(high).span));
            }
            StmtKind::StaticAssert(_) | StmtKind::Asm(_) => spans.push(stmt.span),
            _ => {}
        }
    }
    spans
}

/// Whether a statement can be removed: an expression with an effect, which does not jump.
fn is_dropped(unit: &TranslationUnit, id: StmtId) -> bool {
    let StmtKind::Expr(expr) = unit.stmt(id).kind else { return false };
    matches!(unit.expr(expr).kind, AstExprKind::Assign(..) | AstExprKind::Call { .. })
        || matches!(unit.expr(expr).kind, AstExprKind::Unary(op, _) if stepped(op).is_some())
}

fn of_expression(unit: &TranslationUnit, id: ExprId) -> Option<Vec<(Span, String)>> {
    let expr = unit.expr(id);
    match &expr.kind {
        AstExprKind::Binary(op, left, right) => {
            let between =
                Span::new(unit.expr(*left).span.end as usize, unit.expr(*right).span.start as usize);
            let place = find(unit, between, op.spelling())?;
            let other = exchanged(*op).spelling().to_owned();
            Some(vec![
                (Span::new(expr.span.start as usize, expr.span.start as usize), "(".to_owned()),
                (place, other),
                (Span::new(expr.span.end as usize, expr.span.end as usize), ")".to_owned()),
            ])
        }
        AstExprKind::Assign(Some(op), left, right) => {
            let between =
                Span::new(unit.expr(*left).span.end as usize, unit.expr(*right).span.start as usize);
            let place = find(unit, between, &format!("{}=", op.spelling()))?;
            Some(vec![(place, format!("{}=", exchanged(*op).spelling()))])
        }
        AstExprKind::Unary(op @ (AstUnaryOp::Not | AstUnaryOp::Minus | AstUnaryOp::BitNot), _) => {
            Some(vec![(find(unit, expr.span, op.spelling())?, " ".to_owned())])
        }
        AstExprKind::Unary(op, operand) => {
            let other = stepped(*op)?;
            let inner = unit.expr(*operand).span;
            let outside = if op.is_postfix() {
                Span::new(inner.end as usize, expr.span.end as usize)
            } else {
                Span::new(expr.span.start as usize, inner.start as usize)
            };
            Some(vec![(find(unit, outside, op.spelling())?, other.to_owned())])
        }
        AstExprKind::Int(_) => Some(vec![(expr.span, one_more(unit.text(expr.span))?)]),
        AstExprKind::Char(_) => {
            let text = std::str::from_utf8(unit.text(expr.span)).ok()?;
            Some(vec![(expr.span, format!("({text} + 1)"))])
        }
        _ => None,
    }
}

/// The first occurrence of a spelling. There are only parentheses and blanks between operands.
fn find(unit: &TranslationUnit, within: Span, spelling: &str) -> Option<Span> {
    let at = unit.text(within).windows(spelling.len()).position(|bytes| bytes == spelling.as_bytes())?;
    let start = within.start as usize + at;
    Some(Span::new(start, start + spelling.len()))
}

/// A constant increased by one, with its suffix.
fn one_more(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = &text[digits.len()..];
    let lower = digits.to_ascii_lowercase();
    let value = match lower.as_str() {
        hex if hex.starts_with("0x") => u64::from_str_radix(&hex[2..], 16),
        binary if binary.starts_with("0b") => u64::from_str_radix(&binary[2..], 2),
        octal if octal.len() > 1 && octal.starts_with('0') => u64::from_str_radix(&octal[1..], 8),
        decimal => decimal.parse(),
    };
    let more = value.ok()?.checked_add(1)?;
    // Hexadecimal constants stay hexadecimal: their types differ from those of decimal ones.
    Some(if lower.starts_with("0x") { format!("{more:#x}{suffix}") } else { format!("{more}{suffix}") })
}

fn stepped(op: AstUnaryOp) -> Option<&'static str> {
    match op {
        AstUnaryOp::PreInc | AstUnaryOp::PostInc => Some("--"),
        AstUnaryOp::PreDec | AstUnaryOp::PostDec => Some("++"),
        _ => None,
    }
}

fn exchanged(op: AstBinaryOp) -> AstBinaryOp {
    match op {
        AstBinaryOp::Lt => AstBinaryOp::Le,
        AstBinaryOp::Le => AstBinaryOp::Lt,
        AstBinaryOp::Gt => AstBinaryOp::Ge,
        AstBinaryOp::Ge => AstBinaryOp::Gt,
        AstBinaryOp::Eq => AstBinaryOp::Ne,
        AstBinaryOp::Ne => AstBinaryOp::Eq,
        AstBinaryOp::And => AstBinaryOp::Or,
        AstBinaryOp::Or => AstBinaryOp::And,
        AstBinaryOp::Add => AstBinaryOp::Sub,
        AstBinaryOp::Sub | AstBinaryOp::Mul => AstBinaryOp::Add,
        AstBinaryOp::Div => AstBinaryOp::Mul,
        AstBinaryOp::Rem => AstBinaryOp::Div,
        AstBinaryOp::Shl => AstBinaryOp::Shr,
        AstBinaryOp::Shr => AstBinaryOp::Shl,
        AstBinaryOp::BitAnd => AstBinaryOp::BitOr,
        AstBinaryOp::BitOr | AstBinaryOp::BitXor => AstBinaryOp::BitAnd,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_keep_their_suffix_and_base() {
        let more = |text: &str| one_more(text.as_bytes());
        assert_eq!(more("41UL").as_deref(), Some("42UL"));
        assert_eq!(more("0xfFu").as_deref(), Some("0x100u"));
        assert_eq!(more("017").as_deref(), Some("16"));
        assert_eq!(more("0").as_deref(), Some("1"));
        assert_eq!(more("18446744073709551615"), None, "the next number has no type");
    }

    #[test]
    fn a_few_of_many_are_spread() {
        assert_eq!(spread(&[0, 1, 2, 3, 4, 5, 6], 3), [0, 2, 4]);
        assert_eq!(spread(&[0, 1], 3), [0, 1]);
    }
}
