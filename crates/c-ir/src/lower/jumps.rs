//! Labels, `goto`, `break`, `continue`.

use super::builder::{Exit, Label, LabelKey};
use super::{Lower, Lowered, Refusal};
use crate::ids::*;
use crate::ir::*;
use nub_c_syntax::ast::{Ident, StmtId, StmtKind};
use nub_text::Span;

impl Lower<'_> {
    /// Handles the labels in front of a statement; returns the statement after them.
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
        let key = self.label_key(name);
        match self.fun.labels.get_mut(&key) {
            Some(label) if label.is_defined => Err(Refusal::new(name.span, "this label is defined twice")),
            Some(label) => {
                label.is_defined = true;
                label.scopes = self.scopes.open();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// GNU `__label__ a, b;`: these names are labels of this block alone, and hide others.
    pub(super) fn local_labels(&mut self, names: &[Ident]) {
        for name in names {
            self.fun.n_local_labels += 1;
            self.fun.local_labels.push((name.name, self.fun.n_local_labels));
        }
    }

    pub(super) fn label_key(&self, name: Ident) -> LabelKey {
        let local = self.fun.local_labels.iter().rev().find(|(local, _)| *local == name.name);
        local.copied().unwrap_or((name.name, 0))
    }

    fn named_block(&mut self, name: Ident) -> BlockId {
        let key = self.label_key(name);
        if let Some(label) = self.fun.labels.get(&key) {
            return label.block;
        }
        let block = self.fun.add_block();
        let label = Label { block, is_defined: false, span: name.span, scopes: Vec::new() };
        self.fun.labels.insert(key, label);
        block
    }

    pub(super) fn goto_label(&mut self, name: Ident, span: Span) -> Lowered<()> {
        self.begin_statement(StatementKind::Jump, span);
        let block = self.named_block(name);
        let key = self.label_key(name);
        self.note_goto(key, span);
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
