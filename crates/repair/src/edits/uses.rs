//! What names are used for: C uses `int` for both truth values and numbers, but programs distinguish them.
//!
//! ```c
//! if (enabled && height < 600)      enabled is a truth value, height is a number
//! if (height && height < 600)       nobody means this
//! ```
//!
//! A name that is only ever one of the two is not tried in place of the other. A name whose use is unknown is tried: it may be the one that was meant
//! and is used nowhere else.

use super::atoms::is_comparison;
use super::expressions::{Role, expressions};
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstBinaryOp, AstExprKind, AstUnaryOp, ExprId};
use rustc_hash::FxHashSet;

/// Names of variables and functions by what they are used for; the same name in two functions counts as one.
#[derive(Default)]
pub(super) struct Uses<'a> {
    truths: FxHashSet<&'a str>,
    numbers: FxHashSet<&'a str>,
}

impl<'a> Uses<'a> {
    /// From all functions of a text. O(size).
    pub fn new(unit: &'a TranslationUnit) -> Uses<'a> {
        let mut uses = Uses::default();
        for (_, function) in unit.functions() {
            for (id, role) in expressions(unit, function.body) {
                match &unit.expr(id).kind {
                    AstExprKind::Ident(ident) => uses.note(unit.name(ident.name), role),
                    AstExprKind::Call { callee, .. } => uses.note_target(unit, *callee, role),
                    AstExprKind::Assign(None, target, value) => {
                        uses.note_target(unit, *target, made(unit, *value));
                    }
                    _ => {}
                }
            }
        }
        uses
    }

    fn note_target(&mut self, unit: &'a TranslationUnit, target: ExprId, role: Role) {
        if let AstExprKind::Ident(ident) = unit.expr(target).kind {
            self.note(unit.name(ident.name), role);
        }
    }

    fn note(&mut self, name: &'a str, role: Role) {
        match role {
            Role::Truth | Role::Condition => drop(self.truths.insert(name)),
            Role::Number => drop(self.numbers.insert(name)),
            Role::Value => {}
        }
    }

    /// Whether the name may appear at a place with this role.
    pub fn fits(&self, name: &str, role: Role) -> bool {
        let (is_truth, is_number) = (self.truths.contains(name), self.numbers.contains(name));
        match role {
            Role::Truth | Role::Condition => is_truth || !is_number,
            Role::Number => is_number || !is_truth,
            Role::Value => true,
        }
    }
}

/// What kind of value an expression yields.
fn made(unit: &TranslationUnit, id: ExprId) -> Role {
    match &unit.expr(id).kind {
        AstExprKind::Binary(AstBinaryOp::And | AstBinaryOp::Or, ..)
        | AstExprKind::Unary(AstUnaryOp::Not, _) => Role::Truth,
        AstExprKind::Binary(op, ..) if is_comparison(*op) => Role::Truth,
        AstExprKind::Binary(
            AstBinaryOp::Add | AstBinaryOp::Sub | AstBinaryOp::Mul | AstBinaryOp::Div | AstBinaryOp::Rem,
            ..,
        ) => Role::Number,
        AstExprKind::Int(number) if number.value > 1 => Role::Number,
        _ => Role::Value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_no_condition() {
        let text = b"int on, height, unused, both;
            int f(void) { if (on && height < 600) both = height + 1; return both ? height : on; }";
        let (unit, _) = nub_c_syntax::parse(text);
        let uses = Uses::new(&unit);
        let fits = |role: Role| ["on", "height", "unused", "both"].map(|name| uses.fits(name, role));
        assert_eq!(fits(Role::Condition), [true, false, true, true]);
        assert_eq!(fits(Role::Number), [false, true, true, true]);
        assert_eq!(fits(Role::Value), [true; 4]);
    }
}
