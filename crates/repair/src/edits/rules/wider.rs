//! Arithmetic in a wider type.
//!
//! The cast is applied to the first operand, so that everything after it is computed in the wider type: `((long long)a + b) / 2`. Where the value is
//! then stored, returned or passed on, it must fit its destination type; the text that is searched divides by zero otherwise:
//!
//! ```c
//! return (E) / ((E) == (int)(E));      E is ((long long)a + b) / 2
//! ```

use super::super::atoms::{is_comparison, one_line};
use super::super::brackets::Level;
use super::super::candidates::{Edit, EditKind, Splice};
use super::condition::is_repeatable;
use super::{Broken, limits};
use nub_c_ir::{CheckKind, Function, InstrKind, IntKind, Program, TerminatorKind};
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstBinaryOp, AstExpr, AstExprKind, AstUnaryOp, ExprId};
use nub_text::Span;

/// The edit for an operation that overflows; `None` if it is not `+`, `-` or `*`, or no type is wide enough.
pub(super) fn wider(unit: &TranslationUnit, program: &Program, broken: Broken) -> Option<Edit> {
    if broken.kind != CheckKind::Overflow {
        return None;
    }
    let function = program.function(broken.function);
    let is_it = |expr: &AstExpr| {
        let is_computed = matches!(
            expr.kind,
            AstExprKind::Binary(AstBinaryOp::Add | AstBinaryOp::Sub | AstBinaryOp::Mul, ..)
        );
        is_computed && expr.span == broken.origin.span
    };
    let (id, expr) = unit.exprs().find(|(_, expr)| is_it(expr))?;
    let kind = computed_in(program, function, broken)?;
    let wide = limits::wider(kind)?.spelling();
    let leaf = first_operand(unit, id);
    let new = with_cast(unit, expr.span, leaf, wide)?;
    let root = root(unit, id);
    let stricter = if root.is_kept {
        let span = unit.expr(root.id).span;
        let value = with_cast(unit, span, leaf, wide).filter(|_| is_repeatable(unit, span))?;
        let ty = destination(program, function, broken).filter(|_| root.is_whole).unwrap_or(kind).spelling();
        Some(Splice { span, new: format!("(({value}) / (({value}) == ({ty})({value})))") })
    } else {
        None
    };
    let new = super::super::brackets::bracketed(unit, id, new, Level::of(unit, id));
    Some(Edit { kind: EditKind::Wider, span: expr.span, new, statement: super::NOWHERE, stricter })
}

/// The type in which the operation is computed now.
fn computed_in(program: &Program, function: &Function, broken: Broken) -> Option<IntKind> {
    let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    let checks = instrs.filter(|instr| instr.origin == broken.origin).filter_map(|instr| match instr.kind {
        InstrKind::Check { kind: CheckKind::Overflow, condition } => Some(condition),
        _ => None,
    });
    let overflows = checks.filter_map(|condition| match function.expr(condition).kind {
        nub_c_ir::ExprKind::Compare(_, inner, _) => match function.expr(inner).kind {
            nub_c_ir::ExprKind::Overflows(_, left, _) => program.types.int_kind(function.expr(left).ty),
            _ => None,
        },
        _ => None,
    });
    overflows.into_iter().next()
}

/// The operand that is evaluated first, with which all others are combined.
fn first_operand(unit: &TranslationUnit, mut id: ExprId) -> ExprId {
    while let AstExprKind::Binary(AstBinaryOp::Add | AstBinaryOp::Sub | AstBinaryOp::Mul, left, _) =
        unit.expr(id).kind
    {
        id = left;
    }
    id
}

/// The text of an expression with a cast before one of its operands.
fn with_cast(unit: &TranslationUnit, span: Span, leaf: ExprId, ty: &str) -> Option<String> {
    let inner = unit.expr(leaf).span;
    let part = |start: u32, end: u32| std::str::from_utf8(unit.text(Span { start, end })).ok();
    let (before, operand) = (part(span.start, inner.start)?, part(inner.start, inner.end)?);
    let operand = match Level::of(unit, leaf) {
        Level::Primary | Level::Unary => format!("({ty}){operand}"),
        _ => format!("({ty})({operand})"),
    };
    one_line(format!("{before}{operand}{}", part(inner.end, span.end)?).as_bytes())
}

/// The largest arithmetic expression around an operation.
struct Root {
    id: ExprId,
    /// Whether its value is stored, returned or passed on, and not only compared.
    is_kept: bool,
    /// Whether no other expression encloses it, except the assignment of its value.
    is_whole: bool,
}

fn root(unit: &TranslationUnit, mut id: ExprId) -> Root {
    loop {
        let Some((above, expr)) = parent(unit, id) else { return Root { id, is_kept: true, is_whole: true } };
        use AstBinaryOp::{Add, And, Div, Mul, Or, Rem, Sub};
        match &expr.kind {
            AstExprKind::Binary(Add | Sub | Mul | Div | Rem, ..)
            | AstExprKind::Unary(AstUnaryOp::Minus | AstUnaryOp::Plus, _) => id = above,
            AstExprKind::Binary(op, ..) if is_comparison(*op) || matches!(op, And | Or) => {
                return Root { id, is_kept: false, is_whole: false };
            }
            AstExprKind::Unary(AstUnaryOp::Not, _) => return Root { id, is_kept: false, is_whole: false },
            AstExprKind::Assign(None, ..) => {
                let is_whole = parent(unit, above).is_none();
                return Root { id, is_kept: true, is_whole };
            }
            _ => return Root { id, is_kept: true, is_whole: false },
        }
    }
}

/// The expression directly enclosing another. O(expressions).
fn parent(unit: &TranslationUnit, id: ExprId) -> Option<(ExprId, &AstExpr)> {
    let own = unit.expr(id).span;
    let is_around = |span: Span| span.start <= own.start && own.end <= span.end && span.len() > own.len();
    unit.exprs().filter(|(_, expr)| is_around(expr.span)).min_by_key(|(_, expr)| expr.span.len())
}

/// The type that the value of the statement is converted to: that of the only variable that it writes, or of the result.
fn destination(program: &Program, function: &Function, broken: Broken) -> Option<IntKind> {
    let is_own = |origin: nub_c_ir::SourceOrigin| origin.statement == broken.origin.statement;
    let mut found = Vec::new();
    for block in &function.blocks {
        for instr in block.instrs.iter().filter(|instr| is_own(instr.origin)) {
            if let InstrKind::Store { place, .. } = &instr.kind {
                found.push(place.ty);
            }
        }
        if let TerminatorKind::Return(Some(value)) = block.terminator.kind
            && is_own(block.terminator.origin)
        {
            found.push(function.expr(value).ty);
        }
    }
    match found.as_slice() {
        [only] => program.types.int_kind(*only),
        _ => None,
    }
}
