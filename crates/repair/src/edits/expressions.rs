//! Expressions of the source that may be edited: those that are evaluated and whose value is read.

use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstExprKind, AstUnaryOp, ExprId, InitId, InitKind, StmtId, StmtKind, Storage};

/// How the value of an expression is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// It is passed on as it is.
    Value,
    /// It is a number: used in arithmetic, ordered, or an index.
    Number,
    /// Only whether it is zero matters.
    Truth,
    /// The same, and no other condition encloses it.
    Condition,
}

impl Role {
    /// Whether only its truth value matters.
    pub fn is_truth(self) -> bool {
        matches!(self, Role::Truth | Role::Condition)
    }
}

/// Expressions of a function body, each with its role, parents before their operands. Targets of assignments, constant expressions and unevaluated
/// operands are not included. O(size).
pub(super) fn expressions(unit: &TranslationUnit, body: StmtId) -> Vec<(ExprId, Role)> {
    let mut todo = roots(unit, body);
    todo.reverse();
    let mut found = Vec::new();
    while let Some((id, role)) = todo.pop() {
        found.push((id, role));
        let mut below = operands(unit, id, role);
        below.reverse();
        todo.append(&mut below);
    }
    found
}

/// Whole expressions of statements.
fn roots(unit: &TranslationUnit, body: StmtId) -> Vec<(ExprId, Role)> {
    let mut found = Vec::new();
    let mut todo = vec![body];
    while let Some(id) = todo.pop() {
        match &unit.stmt(id).kind {
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => found.push((*expr, Role::Value)),
            StmtKind::Switch { value, body } => {
                found.push((*value, Role::Value));
                todo.push(*body);
            }
            StmtKind::Declaration(id) => {
                let decl = unit.decl(*id);
                if unit.specifiers(decl.specifiers).storage.is_none_or(|storage| storage == Storage::Register)
                {
                    let inits = decl.declarators.iter().filter_map(|declarator| declarator.init);
                    inits.for_each(|init| initialiser(unit, init, &mut found));
                }
            }
            StmtKind::Compound(items) => todo.extend(items),
            StmtKind::If { condition, then, otherwise } => {
                found.push((*condition, Role::Condition));
                todo.push(*then);
                todo.extend(otherwise);
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                found.push((*condition, Role::Condition));
                todo.push(*body);
            }
            StmtKind::For { init, condition, step, body } => {
                found.extend(condition.map(|condition| (condition, Role::Condition)));
                found.extend(step.map(|step| (step, Role::Value)));
                todo.extend(init);
                todo.push(*body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } | StmtKind::Label { body, .. } => {
                todo.push(*body);
            }
            _ => {}
        }
    }
    found
}

fn initialiser(unit: &TranslationUnit, init: InitId, found: &mut Vec<(ExprId, Role)>) {
    let mut todo = vec![init];
    while let Some(id) = todo.pop() {
        match &unit.init(id).kind {
            InitKind::Expr(expr) => found.push((*expr, Role::Value)),
            InitKind::List(entries) => todo.extend(entries.iter().map(|entry| entry.init)),
        }
    }
}

/// Operands whose values are read.
fn operands(unit: &TranslationUnit, id: ExprId, role: Role) -> Vec<(ExprId, Role)> {
    use nub_c_syntax::ast::AstBinaryOp::{Add, And, Div, Ge, Gt, Le, Lt, Mul, Or, Rem, Shl, Shr, Sub};
    let value = |id: &ExprId| (*id, Role::Value);
    let number = |id: &ExprId| (*id, Role::Number);
    match &unit.expr(id).kind {
        AstExprKind::Unary(AstUnaryOp::Not, a) => vec![(*a, Role::Truth)],
        AstExprKind::Unary(
            AstUnaryOp::Plus | AstUnaryOp::Minus | AstUnaryOp::BitNot | AstUnaryOp::Deref,
            a,
        )
        | AstExprKind::Cast(_, a) => vec![value(a)],
        AstExprKind::Binary(And | Or, a, b) => vec![(*a, Role::Truth), (*b, Role::Truth)],
        AstExprKind::Binary(Lt | Le | Gt | Ge | Add | Sub | Mul | Div | Rem | Shl | Shr, a, b) => {
            vec![number(a), number(b)]
        }
        AstExprKind::Binary(_, a, b) => vec![value(a), value(b)],
        AstExprKind::Comma(a, b) => vec![value(a), (*b, role)],
        // Of the target of an assignment, only an index is read.
        AstExprKind::Assign(_, left, right) => match &unit.expr(*left).kind {
            AstExprKind::Index(_, index) => vec![number(index), value(right)],
            _ => vec![value(right)],
        },
        AstExprKind::Conditional { condition, then: Some(then), otherwise } => {
            vec![(*condition, Role::Condition), (*then, passed(role)), (*otherwise, passed(role))]
        }
        AstExprKind::Call { args, .. } => args.iter().map(value).collect(),
        AstExprKind::Index(_, index) => vec![number(index)],
        _ => Vec::new(),
    }
}

/// The role of a value that is passed on as it is: it is not a whole condition.
fn passed(role: Role) -> Role {
    if role == Role::Number { Role::Number } else { Role::Value }
}
