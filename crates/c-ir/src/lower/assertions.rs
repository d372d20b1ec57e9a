//! Assertions and assumptions, in the forms in which they occur.
//!
//! The macro of glibc expands to `if (c) ; else __assert_fail("c", ...)`, with `__STRICT_ANSI__` to `c ? (void) 0 : __assert_fail(...)`.
//! Both are recognised, so that the condition belongs to an assertion and is not a decision of the program.

use super::{Lower, Lowered, Refusal};
use crate::ir::*;
use nub_c_syntax::ast::{self, AstExprKind as AstKind, StmtId, StmtKind};
use nub_text::Span;

/// Functions that a failing `assert` calls, and which argument is the text.
const FAILURES: &[(&str, usize)] =
    &[("__assert_fail", 0), ("__assert_rtn", 3), ("__assert_func", 3), ("__assert", 0)];

impl Lower<'_> {
    /// The text of the assertion, if the expression reports that one has failed.
    pub(super) fn assertion_failure(&self, id: ast::ExprId) -> Option<String> {
        let AstKind::Call { callee, args } = &self.unit.expr(id).kind else { return None };
        let AstKind::Ident(ident) = self.unit.expr(*callee).kind else { return None };
        if self.defined_here.contains(&ident.name) {
            return None;
        }
        let name = self.spelling(ident.name);
        let (_, at) = FAILURES.iter().find(|(known, _)| *known == name)?;
        Some(args.get(*at).and_then(|arg| self.literal_text(*arg)).unwrap_or_default())
    }

    /// The text of `else __assert_fail(...)` after an empty statement.
    pub(super) fn failing_branch(&self, then: StmtId, otherwise: Option<StmtId>) -> Option<String> {
        let (StmtKind::Empty, StmtKind::Expr(expr)) =
            (&self.unit.stmt(then).kind, &self.unit.stmt(otherwise?).kind)
        else {
            return None;
        };
        self.assertion_failure(*expr)
    }

    /// The text of a string literal, ignoring casts around it.
    pub(super) fn literal_text(&self, id: ast::ExprId) -> Option<String> {
        let mut id = id;
        while let AstKind::Cast(_, inner) = self.unit.expr(id).kind {
            id = inner;
        }
        let AstKind::String(string) = self.unit.expr(id).kind else { return None };
        let bytes: Vec<u8> = self.unit.string(string).units.iter().map(|unit| *unit as u8).collect();
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The condition should hold here.
    pub(super) fn assertion(
        &mut self,
        id: ast::ExprId,
        text: String,
        kind: AssertKind,
        span: Span,
    ) -> Lowered<()> {
        let condition = self.truth_value(id, DecisionKind::Assertion)?.id;
        self.emit(InstrKind::Assert { condition, text, kind }, span);
        Ok(())
    }

    /// Runs in which the condition fails are ignored.
    pub(super) fn assumption(&mut self, id: ast::ExprId, span: Span) -> Lowered<()> {
        let condition = self.truth_value(id, DecisionKind::Assertion)?.id;
        self.emit(InstrKind::Assume { condition }, span);
        Ok(())
    }

    /// This place must not be reached.
    pub(super) fn failure(&mut self, text: String, kind: AssertKind, span: Span) {
        let condition = self.plain_int(0, span).id;
        self.emit(InstrKind::Assert { condition, text, kind }, span);
        self.stop(StopKind::AssertFailed, span);
    }

    /// The program ends here.
    pub(super) fn stop(&mut self, kind: StopKind, span: Span) {
        self.end_block(TerminatorKind::Stop(kind), span);
        self.switch_to_unreachable();
    }

    pub(super) fn require_args(&self, args: &[ast::ExprId], least: usize, span: Span) -> Lowered<()> {
        if args.len() < least {
            Err(Refusal::new(span, format!("at least {least} arguments are needed")))
        } else {
            Ok(())
        }
    }
}
