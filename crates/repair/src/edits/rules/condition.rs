//! When a rule is violated, in terms of the program: the condition of a check, negated and written as C.
//!
//! | rule | condition |
//! |---|---|
//! | `a + b` fits | `(long long)a + b > INT_MAX \|\| (long long)a + b < INT_MIN`; `a > INT_MAX - 1` for `a + 1` |
//! | `data[i]` is inside | `i < 0 \|\| i >= 8`; `i >= 8` if `i` is unsigned |
//! | `*p`, `p->x` | `p == 0` |
//! | `a / b` | `b == 0`; the smallest number divided by -1 |
//! | `a << n` | `n < 0 \|\| n >= 32`; `a < 0 \|\| a > INT_MAX >> n` |
//!
//! Operands are quoted from the source, so one that writes or calls something has no condition: it would be evaluated twice.

use super::Broken;
use super::limits::{largest, smallest, wider};
use nub_c_ir::{
    BinaryOp, CheckKind, CompareOp, Conversion, ExprId, ExprKind, Function, InstrKind, OverflowOp, PlaceBase,
    Program, UnaryOp,
};
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast;

/// The condition under which a run violates the rule there; `None` if it cannot be written.
pub(super) fn violated(unit: &TranslationUnit, program: &Program, broken: Broken) -> Option<String> {
    let function = program.function(broken.function);
    let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    let mut found: Vec<String> = Vec::new();
    for instr in instrs.filter(|instr| instr.origin == broken.origin) {
        let InstrKind::Check { kind, condition } = instr.kind else { continue };
        if kind != broken.kind {
            continue;
        }
        let text = Words { unit, program, function }.negated(kind, condition)?;
        if !found.contains(&text) {
            found.push(text);
        }
    }
    (!found.is_empty()).then(|| found.join(" || "))
}

/// Expressions of a function, as C.
struct Words<'a> {
    unit: &'a TranslationUnit,
    program: &'a Program,
    function: &'a Function,
}

impl Words<'_> {
    fn kind(&self, id: ExprId) -> &ExprKind {
        &self.function.expr(id).kind
    }

    fn negated(&self, kind: CheckKind, condition: ExprId) -> Option<String> {
        match (kind, self.kind(condition)) {
            (CheckKind::Overflow, ExprKind::Compare(CompareOp::Eq, inner, _)) => match self.kind(*inner) {
                ExprKind::Overflows(op, left, right) => self.overflow(*op, *left, *right),
                _ => None,
            },
            (CheckKind::Overflow, ExprKind::Compare(CompareOp::Ne, inner, _)) => {
                self.smallest_by_minus_one(*inner)
            }
            (CheckKind::Bounds, ExprKind::Compare(op, index, length)) => {
                let ExprKind::Int(length) = self.kind(*length) else { return None };
                let beyond = if *op == CompareOp::ULe { ">" } else { ">=" };
                self.outside(*index, beyond, &length.to_string())
            }
            (CheckKind::ShiftAmount, ExprKind::Compare(CompareOp::ULt, amount, width)) => {
                let ExprKind::Int(width) = self.kind(*width) else { return None };
                self.outside(*amount, ">=", &width.to_string())
            }
            (CheckKind::ShiftBase, ExprKind::Compare(CompareOp::Eq, lost, _)) => {
                let ExprKind::Binary(BinaryOp::LShr, left, rest) = self.kind(*lost) else { return None };
                let ExprKind::Binary(BinaryOp::Sub, _, amount) = self.kind(*rest) else { return None };
                let width = self.program.types.int_format(self.function.expr(*left).ty)?.width;
                let (left, amount) = (self.operand(*left)?, self.operand(*amount)?);
                Some(format!("{left} < 0 || {left} > {} >> {amount}", largest(width)))
            }
            (CheckKind::DivisionByZero, ExprKind::Compare(CompareOp::Ne, divisor, _))
            | (CheckKind::Null, ExprKind::PointerCompare(CompareOp::Ne, divisor, _)) => {
                Some(format!("{} == 0", self.operand(*divisor)?))
            }
            _ => None,
        }
    }

    /// An index or amount that is negative or too large.
    fn outside(&self, id: ExprId, beyond: &str, limit: &str) -> Option<String> {
        let text = self.operand(id)?;
        let too_large = format!("{text} {beyond} {limit}");
        Some(if self.is_signed(id) { format!("{text} < 0 || {too_large}") } else { too_large })
    }

    fn is_signed(&self, id: ExprId) -> bool {
        match self.kind(id) {
            ExprKind::Convert(Conversion::SignExtend | Conversion::Same, inner) => self.is_signed(*inner),
            ExprKind::Convert(Conversion::ZeroExtend, _) => false,
            _ => {
                self.program.types.int_format(self.function.expr(id).ty).is_some_and(|found| found.is_signed)
            }
        }
    }

    fn overflow(&self, op: OverflowOp, left: ExprId, right: ExprId) -> Option<String> {
        let types = &self.program.types;
        let ty = self.function.expr(left).ty;
        let (kind, width) = (types.int_kind(ty)?, types.int_format(ty)?.width);
        let (max, min) = (largest(width), smallest(width));
        let (a, b) = (self.operand(left)?, self.operand(right)?);
        let number = |id: ExprId| match self.kind(id) {
            ExprKind::Int(bits) => Some(nub_c_ir::ints::to_signed(*bits, width)),
            _ => None,
        };
        match (op, number(left), number(right)) {
            (OverflowOp::Sub, Some(0), _) => return Some(format!("{b} == {min}")),
            (OverflowOp::Add, _, Some(step)) if step > 0 => return Some(format!("{a} > {max} - {step}")),
            (OverflowOp::Add, Some(step), _) if step > 0 => return Some(format!("{b} > {max} - {step}")),
            (OverflowOp::Sub, _, Some(step)) if step > 0 => return Some(format!("{a} < {min} + {step}")),
            (OverflowOp::Mul, _, Some(by)) if by > 0 => {
                return Some(format!("{a} > {max} / {by} || {a} < {min} / {by}"));
            }
            _ => {}
        }
        let sign = match op {
            OverflowOp::Add => "+",
            OverflowOp::Sub => "-",
            OverflowOp::Mul => "*",
        };
        if let Some(wider) = wider(kind) {
            let whole = format!("({}){a} {sign} {b}", wider.spelling());
            return Some(format!("{whole} > {max} || {whole} < {min}"));
        }
        match op {
            OverflowOp::Add => Some(format!("({b} > 0 ? {a} > {max} - {b} : {a} < {min} - {b})")),
            OverflowOp::Sub => Some(format!("({b} < 0 ? {a} > {max} + {b} : {a} < {min} + {b})")),
            OverflowOp::Mul => None,
        }
    }

    /// `(a ^ min) | ~b`, which is zero only for the smallest number and -1.
    fn smallest_by_minus_one(&self, id: ExprId) -> Option<String> {
        let ExprKind::Binary(BinaryOp::Or, left, right) = self.kind(id) else { return None };
        let ExprKind::Binary(BinaryOp::Xor, a, _) = self.kind(*left) else { return None };
        let ExprKind::Unary(UnaryOp::Not, b) = self.kind(*right) else { return None };
        let width = self.program.types.int_format(self.function.expr(*a).ty)?.width;
        Some(format!("({} == {} && {} == -1)", self.operand(*a)?, smallest(width), self.operand(*b)?))
    }

    /// An operand: a number, a name, or its text in the source, in parentheses unless it binds tightly enough.
    fn operand(&self, id: ExprId) -> Option<String> {
        let expr = self.function.expr(id);
        match &expr.kind {
            ExprKind::Convert(_, inner) | ExprKind::PointerCast(inner) => self.operand(*inner),
            ExprKind::Int(bits) => {
                let format = self.program.types.int_format(expr.ty)?;
                Some(if format.is_signed {
                    nub_c_ir::ints::to_signed(*bits, format.width).to_string()
                } else {
                    bits.to_string()
                })
            }
            ExprKind::Load(place) if place.steps.is_empty() => match place.base {
                PlaceBase::Local(local) => self.name(&self.function.locals[local.index()].name),
                PlaceBase::Global(global) => self.name(&self.program.globals[global.index()].name),
                _ => self.quoted(id),
            },
            _ => self.quoted(id),
        }
    }

    /// A name of the source; temporaries have none.
    fn name(&self, name: &str) -> Option<String> {
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        (is_plain && !name.is_empty()).then(|| name.to_owned())
    }

    fn quoted(&self, id: ExprId) -> Option<String> {
        let span = self.function.expr(id).span;
        let text = super::super::atoms::one_line(self.unit.text(span)).filter(|text| !text.is_empty())?;
        if !is_repeatable(self.unit, span) {
            return None;
        }
        let (_, whole) = self.unit.exprs().find(|(_, expr)| expr.span == span)?;
        let is_tight = matches!(
            whole.kind,
            ast::AstExprKind::Ident(_)
                | ast::AstExprKind::Int(_)
                | ast::AstExprKind::Index(..)
                | ast::AstExprKind::Member { .. }
        );
        Some(if is_tight { text } else { format!("({text})") })
    }
}

/// Whether the expression neither writes nor calls anything, so that it may be evaluated again.
pub(super) fn is_repeatable(unit: &TranslationUnit, span: nub_text::Span) -> bool {
    use ast::AstUnaryOp::{PostDec, PostInc, PreDec, PreInc};
    let acts = |kind: &ast::AstExprKind| {
        matches!(
            kind,
            ast::AstExprKind::Assign(..)
                | ast::AstExprKind::Call { .. }
                | ast::AstExprKind::Statement(_)
                | ast::AstExprKind::Unary(PostDec | PostInc | PreDec | PreInc, _)
        )
    };
    let is_inside = |inner: nub_text::Span| span.start <= inner.start && inner.end <= span.end;
    !unit.exprs().any(|(_, expr)| is_inside(expr.span) && acts(&expr.kind))
}
