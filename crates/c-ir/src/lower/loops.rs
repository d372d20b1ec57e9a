//! `while`, `do`, `for`.

use super::builder::Exit;
use super::conditions::Targets;
use super::{Lower, Lowered};
use crate::ids::*;
use crate::ir::*;
use nub_c_syntax::ast::{self, StmtId, StmtKind};
use nub_text::Span;

/// The blocks of a loop.
#[derive(Clone, Copy)]
struct LoopBlocks {
    header: BlockId,
    body: BlockId,
    exit: BlockId,
    /// Where `continue` leads.
    again: BlockId,
}

impl Lower<'_> {
    pub(super) fn while_loop(&mut self, condition: ast::ExprId, body: StmtId, span: Span) -> Lowered<()> {
        let header = self.fun.add_block();
        let blocks =
            LoopBlocks { header, body: self.fun.add_block(), exit: self.fun.add_block(), again: header };
        self.goto(header, span);
        self.switch_to(header);
        let outer = self.fun.enclosing;
        self.loop_condition(condition, LoopKind::While, DecisionKind::While, blocks, span)?;
        self.loop_body(body, blocks, span);
        self.fun.enclosing = outer;
        self.switch_to(blocks.exit);
        Ok(())
    }

    pub(super) fn do_loop(&mut self, body: StmtId, condition: ast::ExprId, span: Span) -> Lowered<()> {
        let (header, again, exit) = (self.fun.add_block(), self.fun.add_block(), self.fun.add_block());
        let blocks = LoopBlocks { header, body: header, exit, again };
        self.goto(header, span);
        self.loop_body(body, blocks, span);
        self.switch_to(again);
        let outer = self.fun.enclosing;
        self.loop_condition(condition, LoopKind::Do, DecisionKind::Do, blocks, span)?;
        self.fun.enclosing = outer;
        self.switch_to(exit);
        Ok(())
    }

    pub(super) fn for_loop(
        &mut self,
        init: Option<StmtId>,
        condition: Option<ast::ExprId>,
        step: Option<ast::ExprId>,
        body: StmtId,
        span: Span,
    ) -> Lowered<()> {
        let depth = self.scopes.depth();
        self.scopes.enter();
        if let Some(init) = init {
            self.for_init(init)?;
        }
        let (header, again) = (self.fun.add_block(), self.fun.add_block());
        let blocks = LoopBlocks { header, body: self.fun.add_block(), exit: self.fun.add_block(), again };
        self.goto(header, span);
        self.switch_to(header);
        let outer = self.fun.enclosing;
        match condition {
            Some(condition) => {
                self.loop_condition(condition, LoopKind::For, DecisionKind::For, blocks, span)?
            }
            None => {
                let statement = self.fun.statement;
                self.fun.loops.push(Loop { header, kind: LoopKind::For, statement, span });
                self.goto(blocks.body, span);
            }
        }
        self.loop_body(body, blocks, span);
        self.switch_to(again);
        if let Some(step) = step {
            self.begin_statement(StatementKind::ForStep, self.unit.expr(step).span);
            self.effect(step)?;
        }
        self.goto(header, span);
        self.fun.enclosing = outer;
        self.switch_to(blocks.exit);
        self.end_lifetimes(depth, span);
        self.scopes.leave();
        Ok(())
    }

    fn for_init(&mut self, init: StmtId) -> Lowered<()> {
        match &self.unit.stmt(init).kind {
            StmtKind::Expr(expr) => {
                self.begin_statement(StatementKind::ForInit, self.unit.stmt(init).span);
                self.effect(*expr)
            }
            StmtKind::Declaration(declaration) => self.declaration(*declaration),
            _ => Ok(()),
        }
    }

    /// The condition, in the current block. What is lowered after it is enclosed by this decision.
    fn loop_condition(
        &mut self,
        condition: ast::ExprId,
        kind: LoopKind,
        decision_kind: DecisionKind,
        blocks: LoopBlocks,
        span: Span,
    ) -> Lowered<()> {
        let condition_span = self.unit.expr(condition).span;
        let statement = self.begin_statement(StatementKind::Control, condition_span);
        self.fun.loops.push(Loop { header: blocks.header, kind, statement, span });
        let loop_header = Some(LoopId::next(self.fun.loops.len() - 1));
        let targets = Targets { then_block: blocks.body, else_block: blocks.exit, loop_header };
        let decided = self.condition(condition, decision_kind, targets)?;
        self.fun.enclosing = Some((decided.decision, DecisionOutcome::True));
        Ok(())
    }

    fn loop_body(&mut self, body: StmtId, blocks: LoopBlocks, span: Span) {
        let depth = self.scopes.depth();
        self.fun.breaks.push(Exit { block: blocks.exit, depth });
        self.fun.continues.push(Exit { block: blocks.again, depth });
        self.switch_to(blocks.body);
        self.statement(body);
        self.goto(blocks.again, span);
        self.fun.breaks.pop();
        self.fun.continues.pop();
    }
}
