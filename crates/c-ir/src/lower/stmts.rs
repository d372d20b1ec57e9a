//! Statements, simple ones and `if`.

use super::conditions::Targets;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ir::*;
use nub_c_syntax::ast::{self, StmtId, StmtKind};
use nub_text::Span;

impl Lower<'_> {
    /// Adds a statement of the source to the table.
    pub(super) fn add_statement(&mut self, kind: StatementKind, span: Span) -> StatementId {
        let position = self.position(span);
        let function = self.fun.function;
        let statements = &mut self.shared.program.statements;
        statements.push(Statement { function, kind, span, position });
        StatementId::next(statements.len() - 1)
    }

    /// What is emitted from now on belongs to a new statement.
    pub(super) fn begin_statement(&mut self, kind: StatementKind, span: Span) -> StatementId {
        let statement = self.add_statement(kind, span);
        self.fun.statement = statement;
        self.emit(InstrKind::Begin, span);
        statement
    }

    /// Lowers a statement. One that is not modelled is cut; any other refusal is recorded, and lowering continues with the next statement.
    pub(super) fn statement(&mut self, id: StmtId) {
        let span = self.unit.stmt(id).span;
        let scopes = self.scopes.depth();
        let (breaks, continues, switches) =
            (self.fun.breaks.len(), self.fun.continues.len(), self.fun.switches.len());
        let (depth, enclosing) = (self.depth, self.fun.enclosing);
        // Labels in a row are a chain in the tree.
        let inner = match self.nested(span, |lower| lower.labels_before(id)) {
            Ok(inner) => inner,
            Err(refusal) => return self.refuse(refusal),
        };
        let start = self.statement_start();
        let result = self.nested(span, |lower| lower.statement_here(inner));
        if let Err(refusal) = result {
            if !self.cut(&start, &refusal, self.unit.stmt(inner).span) {
                self.refuse(refusal);
            }
            // Whatever was open in the middle of the statement is closed.
            self.scopes.leave_to(scopes);
            self.fun.breaks.truncate(breaks);
            self.fun.continues.truncate(continues);
            self.fun.switches.truncate(switches);
            (self.depth, self.fun.enclosing) = (depth, enclosing);
        }
    }

    fn statement_here(&mut self, id: StmtId) -> Lowered<()> {
        let unit = self.unit;
        let stmt = unit.stmt(id);
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Empty => Ok(()),
            StmtKind::LocalLabels(names) => {
                self.local_labels(names);
                Ok(())
            }
            StmtKind::Expr(expr) => {
                self.begin_statement(StatementKind::Expression, span);
                self.effect(*expr)
            }
            StmtKind::Declaration(declaration) => self.declaration(*declaration),
            StmtKind::StaticAssert(assertion) => self.static_assert(assertion),
            StmtKind::Compound(statements) => {
                let (depth, n_labels) = (self.scopes.depth(), self.fun.local_labels.len());
                self.scopes.enter();
                for statement in statements {
                    self.statement(*statement);
                }
                self.fun.local_labels.truncate(n_labels);
                self.end_lifetimes(depth, span);
                self.scopes.leave();
                Ok(())
            }
            StmtKind::If { .. } => self.if_chain(id),
            StmtKind::While { condition, body } => self.while_loop(*condition, *body, span),
            StmtKind::DoWhile { body, condition } => self.do_loop(*body, *condition, span),
            StmtKind::For { init, condition, step, body } => {
                self.for_loop(*init, *condition, *step, *body, span)
            }
            StmtKind::Switch { value, body } => self.switch(*value, *body, span),
            StmtKind::Goto(label) => self.goto_label(*label, span),
            StmtKind::Break => self.break_statement(span),
            StmtKind::Continue => self.continue_statement(span),
            StmtKind::Return(value) => self.return_statement(*value, span),
            StmtKind::GotoComputed(address) => self.goto_computed(*address, span),
            StmtKind::Asm(asm) if self.is_barrier(asm.span) => {
                self.begin_statement(StatementKind::Expression, span);
                if self.source_text(asm.span).contains("memory") {
                    self.emit(InstrKind::LeftOpen { choice: OpenChoice::Threads, place: None }, span);
                }
                Ok(())
            }
            StmtKind::Asm(asm) => Err(Refusal::unmodelled(asm.span, "inline assembly is not supported")),
            // `labels_before` handled them.
            StmtKind::Case { .. } | StmtKind::Default { .. } | StmtKind::Label { .. } => Ok(()),
        }
    }

    /// `if ... else if ... else ...`, walked as a chain.
    fn if_chain(&mut self, id: StmtId) -> Lowered<()> {
        let unit = self.unit;
        let outer = self.fun.enclosing;
        let join = self.fun.add_block();
        let mut next = Some(id);
        while let Some(id) = next.take() {
            let stmt = unit.stmt(id);
            let StmtKind::If { condition, then, otherwise } = &stmt.kind else {
                self.statement(id);
                break;
            };
            let condition_span = unit.expr(*condition).span;
            self.begin_statement(StatementKind::Control, condition_span);
            if let Some(text) = self.failing_branch(*then, *otherwise) {
                self.assertion(*condition, text, AssertKind::Assert, condition_span)?;
                break;
            }
            let then_block = self.fun.add_block();
            let else_block = if otherwise.is_some() { self.fun.add_block() } else { join };
            let targets = Targets { then_block, else_block, loop_header: None };
            let decided = self.condition(*condition, DecisionKind::If, targets)?;
            self.switch_to(then_block);
            self.fun.enclosing = Some((decided.decision, DecisionOutcome::True));
            self.statement(*then);
            self.goto(join, stmt.span);
            self.fun.enclosing = Some((decided.decision, DecisionOutcome::False));
            if otherwise.is_some() {
                self.switch_to(else_block);
            } else {
                self.fun.enclosing = outer;
                self.switch_to(join);
                return Ok(());
            }
            next = *otherwise;
        }
        self.goto(join, unit.stmt(id).span);
        self.fun.enclosing = outer;
        self.switch_to(join);
        Ok(())
    }

    fn return_statement(&mut self, value: Option<ast::ExprId>, span: Span) -> Lowered<()> {
        self.begin_statement(StatementKind::Return, span);
        let result = self.fun.result;
        let returned = match value {
            Some(id) if self.is_void(result) => {
                self.effect(id)?;
                None
            }
            Some(id) => {
                let value = self.value(id)?;
                Some(self.assign_convert(value, result, self.unit.expr(id).span)?.id)
            }
            None => None,
        };
        self.end_block(TerminatorKind::Return(returned), span);
        self.switch_to_unreachable();
        Ok(())
    }

    /// GNU `({ ... })`: the value of the last expression statement.
    pub(super) fn statement_value(&mut self, id: StmtId, span: Span) -> Lowered<RValue> {
        let unit = self.unit;
        let StmtKind::Compound(statements) = &unit.stmt(id).kind else { return Ok(self.void_value(span)) };
        let (outer, n_labels) = (self.fun.statement, self.fun.local_labels.len());
        self.scopes.enter();
        let (last, before) = match statements.split_last() {
            Some((last, before)) => (Some(*last), before),
            None => (None, &statements[..]),
        };
        for statement in before {
            self.statement(*statement);
        }
        let result = match last.map(|last| self.labels_before(last)).transpose()? {
            Some(last) => match &unit.stmt(last).kind {
                StmtKind::Expr(expr) => self.last_value(*expr, unit.stmt(last).span),
                _ => {
                    self.statement(last);
                    Ok(self.void_value(span))
                }
            },
            None => Ok(self.void_value(span)),
        };
        self.scopes.leave();
        self.fun.local_labels.truncate(n_labels);
        self.fun.statement = outer;
        result
    }

    /// Saved, because the variables that it reads end here.
    fn last_value(&mut self, id: ast::ExprId, span: Span) -> Lowered<RValue> {
        self.begin_statement(StatementKind::Expression, span);
        let operand = self.operand(id)?;
        let value = self.operand_value(operand, span)?;
        Ok(if self.is_void(value.ty) { value } else { self.save(value, span) })
    }
}
