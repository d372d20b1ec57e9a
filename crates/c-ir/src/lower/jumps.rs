//! Labels, `goto`, `break`, `continue`.

use super::builder::{Exit, Label};
use super::{Lower, Lowered, Refusal};
use crate::ids::*;
use crate::ir::*;
use nub_c_syntax::ast::{Ident, StmtId, StmtKind};
use nub_text::Span;

impl Lower<'_> {
    /// Handles the labels in front of a statement; returns the statement behind them.
    pub(super) fn labels_before(&mut self, id: StmtId) -> Lowered<StmtId> {
        let unit = self.unit;
        let mut id = id;
        loop {
            let span = unit.stmt(id).span;
            let body = match &unit.stmt(id).kind {
                StmtKind::Case { low, high, body } => {
                    let label = Span { start: span.start, end: unit.expr(high.unwrap_or(*low)).span.end };
                    self.case_label(*low, *high, label)?;
                    *body
                }
                StmtKind::Default { body } => {
                    self.default_label(Span { start: span.start, end: span.start + "default".len() as u32 })?;
                    *body
                }
                StmtKind::Label { name, body } => {
                    self.label(*name)?;
                    *body
                }
                _ => return Ok(id),
            };
            id = body;
        }
    }

    /// A block that starts here, entered from above too. Labels in a row share it.
    pub(super) fn label_block(&mut self, span: Span) -> BlockId {
        let block = self.fun.add_block();
        self.goto(block, span);
        self.switch_to(block);
        block
    }

    fn label(&mut self, name: Ident) -> Lowered<()> {
        self.scopes.note_label(0);
        let block = self.named_block(name);
        self.goto(block, name.span);
        self.switch_to(block);
        match self.fun.labels.get_mut(&name.name) {
            Some(label) if label.is_defined => Err(Refusal::new(name.span, "this label is there twice")),
            Some(label) => {
                label.is_defined = true;
                label.scopes = self.scopes.open();
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn named_block(&mut self, name: Ident) -> BlockId {
        if let Some(label) = self.fun.labels.get(&name.name) {
            return label.block;
        }
        let block = self.fun.add_block();
        self.fun
            .labels
            .insert(name.name, Label { block, is_defined: false, span: name.span, scopes: Vec::new() });
        block
    }

    pub(super) fn goto_label(&mut self, name: Ident, span: Span) -> Lowered<()> {
        self.begin_statement(StatementKind::Jump, span);
        let block = self.named_block(name);
        self.note_goto(name.name, span);
        self.jump(block, span);
        Ok(())
    }

    fn jump(&mut self, block: BlockId, span: Span) {
        self.goto(block, span);
        self.switch_to_unreachable();
    }

    fn leave(&mut self, exit: Exit, span: Span) {
        self.end_lifetimes(exit.depth, span);
        self.jump(exit.block, span);
    }

    pub(super) fn break_statement(&mut self, span: Span) -> Lowered<()> {
        self.begin_statement(StatementKind::Jump, span);
        match self.fun.breaks.last() {
            Some(&exit) => self.leave(exit, span),
            None => return Err(Refusal::new(span, "`break` outside of a loop or `switch`")),
        }
        Ok(())
    }

    pub(super) fn continue_statement(&mut self, span: Span) -> Lowered<()> {
        self.begin_statement(StatementKind::Jump, span);
        match self.fun.continues.last() {
            Some(&exit) => self.leave(exit, span),
            None => return Err(Refusal::new(span, "`continue` outside of a loop")),
        }
        Ok(())
    }
}
