//! Statements, with an explicit stack.
//!
//! A statement that contains others is a frame on the stack until its last part is complete. So a chain of ten
//! thousand `else if`, or as many nested blocks, costs memory only.

use super::expr::Level;
use super::{Parse, Parser};
use crate::ast::*;
use crate::token::T;
use nub_text::Span;

/// A statement that waits for a part.
pub(super) struct Frame {
    start: u32,
    kind: Waiting,
}

/// What it is, with the parts read so far.
enum Waiting {
    Block { stmts: Vec<StmtId> },
    Then { condition: ExprId },
    Else { condition: ExprId, then: StmtId },
    While { condition: ExprId },
    Do,
    For { init: Option<StmtId>, condition: Option<ExprId>, step: Option<ExprId> },
    Switch { value: ExprId },
    Case { low: ExprId, high: Option<ExprId> },
    Default,
    Label { name: Ident },
}

impl Parser<'_> {
    /// `{ ... }`. Cost: linear in its tokens.
    pub(super) fn compound_statement(&mut self) -> Parse<StmtId> {
        self.enter()?;
        let base = self.stmt_frames.len();
        if self.kind() != T::LBrace {
            return self.fail_expected("`{`");
        }
        self.open_block();
        loop {
            let Some(mut done) = self.statement()? else { continue };
            // A complete statement may complete those around it.
            loop {
                if self.stmt_frames.len() == base {
                    self.leave();
                    return Ok(done);
                }
                match self.complete(done)? {
                    Some(outer) => done = outer,
                    None => break,
                }
            }
        }
    }

    /// A statement that contains no other, or the head of one that does: then a frame is pushed, `None` is returned, and the next call reads the
    /// first statement inside. The `}` of a block completes the block.
    fn statement(&mut self) -> Parse<Option<StmtId>> {
        let start = self.start();
        match self.kind() {
            T::RBrace => self.close_block(),
            T::LBrace => {
                self.open_block();
                Ok(None)
            }
            T::Semi => {
                self.bump();
                self.done(start, StmtKind::Empty)
            }
            T::If | T::While | T::Switch => self.controlled(),
            T::Do => {
                self.bump();
                self.open(start, Waiting::Do)
            }
            T::For => self.for_head(),
            T::Case | T::Default => self.case_label(),
            T::Ident if self.ahead(1).kind == T::Colon => self.label(),
            T::Goto | T::Continue | T::Break | T::Return => self.jump(),
            T::Asm => {
                let asm = self.asm()?;
                self.expect(T::Semi, "`;` after `asm`")?;
                self.done(start, StmtKind::Asm(asm))
            }
            T::LocalLabel => self.local_labels(),
            T::StaticAssert => {
                let assertion = self.static_assert()?;
                self.done(start, StmtKind::StaticAssert(assertion))
            }
            T::Attribute | T::LBracket if self.is_attribute_start() => self.after_attributes(),
            T::Extension if self.is_extension_declaration() => self.declaration_statement(),
            _ if self.is_declaration_start(0) => self.declaration_statement(),
            _ => {
                let value = self.expression(Level::Comma)?;
                self.expect(T::Semi, "`;` after an expression")?;
                self.done(start, StmtKind::Expr(value))
            }
        }
    }

    /// Gives a complete statement to the frame that waits for it. `None` if the frame waits for another one.
    fn complete(&mut self, done: StmtId) -> Parse<Option<StmtId>> {
        let Some(Frame { start, kind }) = self.stmt_frames.pop() else { return Ok(Some(done)) };
        let kind = match kind {
            Waiting::Block { mut stmts } => {
                stmts.push(done);
                return self.open(start, Waiting::Block { stmts });
            }
            Waiting::Then { condition } if self.eat(T::Else) => {
                return self.open(start, Waiting::Else { condition, then: done });
            }
            Waiting::Then { condition } => StmtKind::If { condition, then: done, otherwise: None },
            Waiting::Else { condition, then } => StmtKind::If { condition, then, otherwise: Some(done) },
            Waiting::While { condition } => StmtKind::While { condition, body: done },
            Waiting::Switch { value } => StmtKind::Switch { value, body: done },
            Waiting::Case { low, high } => StmtKind::Case { low, high, body: done },
            Waiting::Default => StmtKind::Default { body: done },
            Waiting::Label { name } => StmtKind::Label { name, body: done },
            Waiting::For { init, condition, step } => {
                self.scopes.close();
                StmtKind::For { init, condition, step, body: done }
            }
            Waiting::Do => {
                self.expect(T::While, "`while` after the body of `do`")?;
                let condition = self.condition()?;
                self.expect(T::Semi, "`;` after `do ... while (...)`")?;
                StmtKind::DoWhile { body: done, condition }
            }
        };
        self.done(start, kind)
    }

    fn open(&mut self, start: u32, kind: Waiting) -> Parse<Option<StmtId>> {
        self.stmt_frames.push(Frame { start, kind });
        Ok(None)
    }

    fn done(&mut self, start: u32, kind: StmtKind) -> Parse<Option<StmtId>> {
        let span = self.span_from(start);
        Ok(Some(self.unit.add_stmt(Stmt { kind, span })))
    }

    fn open_block(&mut self) {
        let start = self.start();
        self.bump();
        self.scopes.open();
        self.stmt_frames.push(Frame { start, kind: Waiting::Block { stmts: Vec::new() } });
    }

    /// At `}`. A label right before it labels an empty statement, as in C23 and gcc.
    fn close_block(&mut self) -> Parse<Option<StmtId>> {
        let at = self.end();
        match self.stmt_frames.pop() {
            Some(Frame { start, kind: Waiting::Block { stmts } }) => {
                self.bump();
                self.scopes.close();
                self.done(start, StmtKind::Compound(stmts))
            }
            Some(frame) if frame.kind.is_label() => {
                self.stmt_frames.push(frame);
                let span = Span { start: at, end: at };
                Ok(Some(self.unit.add_stmt(Stmt { kind: StmtKind::Empty, span })))
            }
            _ => self.fail_expected("a statement"),
        }
    }

    /// `(a)`
    fn condition(&mut self) -> Parse<ExprId> {
        self.expect(T::LParen, "`(`")?;
        let condition = self.expression(Level::Comma)?;
        self.expect(T::RParen, "`)`")?;
        Ok(condition)
    }

    fn controlled(&mut self) -> Parse<Option<StmtId>> {
        let start = self.start();
        let keyword = self.bump().kind;
        let condition = self.condition()?;
        let kind = match keyword {
            T::If => Waiting::Then { condition },
            T::While => Waiting::While { condition },
            _ => Waiting::Switch { value: condition },
        };
        self.open(start, kind)
    }

    fn for_head(&mut self) -> Parse<Option<StmtId>> {
        let start = self.start();
        self.bump();
        self.expect(T::LParen, "`(`")?;
        self.scopes.open();
        let init = self.for_init()?;
        let condition = if self.kind() == T::Semi { None } else { Some(self.expression(Level::Comma)?) };
        self.expect(T::Semi, "`;` in `for`")?;
        let step = if self.kind() == T::RParen { None } else { Some(self.expression(Level::Comma)?) };
        self.expect(T::RParen, "`)`")?;
        self.open(start, Waiting::For { init, condition, step })
    }

    fn for_init(&mut self) -> Parse<Option<StmtId>> {
        let start = self.start();
        if self.eat(T::Semi) {
            return Ok(None);
        }
        if self.kind() == T::StaticAssert {
            let assertion = self.static_assert()?;
            return self.done(start, StmtKind::StaticAssert(assertion));
        }
        if self.is_declaration_start(0) || self.is_attribute_start() || self.is_extension_declaration() {
            let declaration = self.declaration()?;
            return self.done(start, StmtKind::Declaration(declaration));
        }
        let value = self.expression(Level::Comma)?;
        self.expect(T::Semi, "`;` in `for`")?;
        self.done(start, StmtKind::Expr(value))
    }

    fn case_label(&mut self) -> Parse<Option<StmtId>> {
        let start = self.start();
        if self.bump().kind == T::Default {
            self.expect(T::Colon, "`:` after `default`")?;
            return self.open(start, Waiting::Default);
        }
        let low = self.expression(Level::Conditional)?;
        let high = if self.eat(T::Ellipsis) { Some(self.expression(Level::Conditional)?) } else { None };
        self.expect(T::Colon, "`:` after the value of a case")?;
        self.open(start, Waiting::Case { low, high })
    }

    fn label(&mut self) -> Parse<Option<StmtId>> {
        let start = self.start();
        let name = self.ident("a label")?;
        self.bump();
        if self.kind() == T::Attribute {
            // `label: __attribute__((unused));`, which belongs to the label.
            self.attributes(&mut Vec::new())?;
        }
        self.open(start, Waiting::Label { name })
    }

    fn jump(&mut self) -> Parse<Option<StmtId>> {
        let start = self.start();
        let kind = match self.bump().kind {
            T::Continue => StmtKind::Continue,
            T::Break => StmtKind::Break,
            T::Goto if self.eat(T::Star) => StmtKind::GotoComputed(self.expression(Level::Comma)?),
            T::Goto => StmtKind::Goto(self.ident("a label")?),
            _ if self.kind() == T::Semi => StmtKind::Return(None),
            _ => StmtKind::Return(Some(self.expression(Level::Comma)?)),
        };
        self.expect(T::Semi, "`;`")?;
        self.done(start, kind)
    }

    fn local_labels(&mut self) -> Parse<Option<StmtId>> {
        let start = self.start();
        self.bump();
        let mut names = vec![self.ident("a label")?];
        while self.eat(T::Comma) {
            names.push(self.ident("a label")?);
        }
        self.expect(T::Semi, "`;`")?;
        self.done(start, StmtKind::LocalLabels(names))
    }

    /// `__attribute__((fallthrough));` is a statement, anything else the start of a declaration.
    fn after_attributes(&mut self) -> Parse<Option<StmtId>> {
        let start = self.start();
        let first = self.at;
        self.attributes(&mut Vec::new())?;
        if self.eat(T::Semi) {
            return self.done(start, StmtKind::Empty);
        }
        if self.is_declaration_start(0) {
            self.at = first;
            return self.declaration_statement();
        }
        // Attributes of a statement are ignored.
        self.statement()
    }

    /// `__extension__` before a declaration; before an expression it is an operator.
    fn is_extension_declaration(&self) -> bool {
        self.kind() == T::Extension && self.is_declaration_start(1)
    }

    fn declaration_statement(&mut self) -> Parse<Option<StmtId>> {
        let start = self.start();
        let place = self.stmt_frames.last().map(|frame| &frame.kind);
        if !place.is_some_and(|kind| matches!(kind, Waiting::Block { .. }) || kind.is_label()) {
            let token = self.token();
            let message = "a declaration must be in a block";
            return self.fail(token.span, message, "put braces around it");
        }
        let declaration = self.declaration()?;
        self.done(start, StmtKind::Declaration(declaration))
    }
}

impl Waiting {
    fn is_label(&self) -> bool {
        matches!(self, Waiting::Label { .. } | Waiting::Case { .. } | Waiting::Default)
    }
}
