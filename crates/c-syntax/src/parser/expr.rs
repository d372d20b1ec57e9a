//! Expressions, by operator precedence with an explicit stack.
//!
//! Two states alternate. Where an operand is expected, prefix operators, casts and opening parentheses are pushed as frames until a primary
//! expression comes. Where an operator is expected, frames that bind more tightly than the next operator are popped and become nodes; then the
//! operator is pushed. The frame of an open bracket is popped only by its closing token. None of this recurses: `((((a))))` costs memory only.

use super::operators::{Binding, Infix, binary_binding, prefix};
use super::{Parse, Parser};
use crate::ast::*;
use crate::token::T;
use nub_text::Span;

/// Which operators an expression may have outside of brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// All.
    Comma,
    /// No comma: an argument, an initialiser.
    Assignment,
    /// Neither comma nor assignment: a constant expression.
    Conditional,
}

/// An operand that has been read, and the text it covers with its parentheses.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) id: ExprId,
    pub(super) span: Span,
    /// False for `sizeof(int)`, which no `[` may follow.
    pub(super) takes_postfix: bool,
}

/// What waits for an operand.
pub(super) enum Frame {
    // Brackets.
    Paren {
        start: u32,
    },
    Index {
        base: Operand,
    },
    Call {
        callee: Operand,
        args: Vec<ExprId>,
    },
    /// Between `?` and `:`.
    Then {
        condition: Operand,
    },
    // Operators.
    Prefix {
        op: AstUnaryOp,
        start: u32,
    },
    Cast {
        ty: TypeNameId,
        start: u32,
    },
    SizeofExpr {
        start: u32,
    },
    AlignofExpr {
        start: u32,
    },
    Binary {
        op: AstBinaryOp,
        left: Operand,
    },
    Assign {
        op: Option<AstBinaryOp>,
        left: Operand,
    },
    Comma {
        left: Operand,
    },
    /// `==>`
    Implies {
        left: Operand,
    },
    Else {
        condition: Operand,
        then: Option<ExprId>,
    },
}

impl Frame {
    /// `None` for brackets.
    fn binding(&self) -> Binding {
        match self {
            Frame::Paren { .. } | Frame::Index { .. } | Frame::Call { .. } | Frame::Then { .. } => {
                Binding::None
            }
            Frame::Prefix { .. }
            | Frame::Cast { .. }
            | Frame::SizeofExpr { .. }
            | Frame::AlignofExpr { .. } => Binding::Prefix,
            Frame::Binary { op, .. } => binary_binding(*op),
            Frame::Assign { .. } => Binding::Assignment,
            Frame::Comma { .. } => Binding::Comma,
            Frame::Else { .. } | Frame::Implies { .. } => Binding::Conditional,
        }
    }
}

impl Parser<'_> {
    /// One expression. Cost: linear in its tokens.
    pub(super) fn expression(&mut self, level: Level) -> Parse<ExprId> {
        self.enter()?;
        let base = self.expr_frames.len();
        loop {
            let mut operand = self.operand()?;
            // Loops while operands are completed without a new one being needed: after postfix operators and
            // closing brackets.
            loop {
                if operand.takes_postfix {
                    match self.postfix(operand)? {
                        Some(longer) => operand = longer,
                        None => break,
                    }
                }
                let infix = self.infix();
                operand = self.reduce(base, operand, infix);
                if self.expr_frames.len() == base {
                    match infix.filter(|infix| is_allowed(*infix, level)) {
                        Some(infix) => {
                            self.push_infix(operand, infix);
                            break;
                        }
                        None => {
                            self.leave();
                            return Ok(operand.id);
                        }
                    }
                }
                let is_argument = matches!(self.expr_frames.last(), Some(Frame::Call { .. }));
                match infix.filter(|infix| !(is_argument && matches!(infix, Infix::Comma))) {
                    Some(infix) => {
                        self.push_infix(operand, infix);
                        break;
                    }
                    None => match self.close_bracket(operand)? {
                        Some(closed) => operand = closed,
                        None => break,
                    },
                }
            }
        }
    }

    /// Pops frames that bind more tightly than what comes next.
    fn reduce(&mut self, base: usize, mut operand: Operand, next: Option<Infix>) -> Operand {
        let (binding, is_right) =
            next.map_or((Binding::Comma, false), |next| (next.binding(), next.is_right_associative()));
        while self.expr_frames.len() > base {
            let top = self.expr_frames.last().map_or(Binding::None, Frame::binding);
            if top < binding || (is_right && top == binding) {
                break;
            }
            let Some(frame) = self.expr_frames.pop() else { break };
            operand = self.apply(frame, operand);
        }
        operand
    }

    /// Makes the node of an operator whose last operand is complete.
    fn apply(&mut self, frame: Frame, last: Operand) -> Operand {
        let (kind, start) = match frame {
            Frame::Prefix { op, start } => (AstExprKind::Unary(op, last.id), start),
            Frame::Cast { ty, start } => (AstExprKind::Cast(ty, last.id), start),
            Frame::SizeofExpr { start } => (AstExprKind::SizeofExpr(last.id), start),
            Frame::AlignofExpr { start } => (AstExprKind::AlignofExpr(last.id), start),
            Frame::Binary { op, left } => (AstExprKind::Binary(op, left.id, last.id), left.span.start),
            Frame::Assign { op, left } => (AstExprKind::Assign(op, left.id, last.id), left.span.start),
            Frame::Comma { left } => (AstExprKind::Comma(left.id, last.id), left.span.start),
            Frame::Implies { left } => {
                let not = self.new_operand(AstExprKind::Unary(AstUnaryOp::Not, left.id), left.span);
                (AstExprKind::Binary(AstBinaryOp::Or, not.id, last.id), left.span.start)
            }
            Frame::Else { condition, then } => {
                let kind = AstExprKind::Conditional { condition: condition.id, then, otherwise: last.id };
                (kind, condition.span.start)
            }
            // Brackets are closed by `close_bracket`: their binding keeps `reduce` away from them.
            Frame::Paren { .. } | Frame::Index { .. } | Frame::Call { .. } | Frame::Then { .. } => {
                return last;
            }
        };
        self.new_operand(kind, Span { start, end: last.span.end })
    }

    pub(super) fn new_operand(&mut self, kind: AstExprKind, span: Span) -> Operand {
        let id = self.unit.add_expr(AstExpr { kind, span });
        Operand { id, span, takes_postfix: true }
    }

    /// The operator that comes next, if it is one.
    fn infix(&self) -> Option<Infix> {
        let (token, next) = (self.token(), self.ahead(1));
        let is_implication = token.kind == T::EqEq && next.kind == T::Gt && next.span.start == token.span.end;
        if is_implication { Some(Infix::Implies) } else { Infix::of(token.kind) }
    }

    fn push_infix(&mut self, left: Operand, infix: Infix) {
        self.bump();
        if matches!(infix, Infix::Implies) {
            self.bump();
        }
        let frame = match infix {
            Infix::Binary(op) => Frame::Binary { op, left },
            Infix::Assign(op) => Frame::Assign { op, left },
            Infix::Comma => Frame::Comma { left },
            Infix::Implies => Frame::Implies { left },
            Infix::Question if self.eat(T::Colon) => Frame::Else { condition: left, then: None },
            Infix::Question => Frame::Then { condition: left },
        };
        self.expr_frames.push(frame);
    }

    /// The innermost bracket is complete except for its closing token. `None` if another operand must follow.
    fn close_bracket(&mut self, operand: Operand) -> Parse<Option<Operand>> {
        match self.expr_frames.pop() {
            Some(Frame::Paren { start }) => {
                self.expect(T::RParen, "`)`")?;
                let span = self.span_from(start);
                Ok(Some(Operand { id: operand.id, span, takes_postfix: true }))
            }
            Some(Frame::Index { base }) => {
                self.expect(T::RBracket, "`]`")?;
                let span = self.span_from(base.span.start);
                Ok(Some(self.new_operand(AstExprKind::Index(base.id, operand.id), span)))
            }
            Some(Frame::Then { condition }) => {
                self.expect(T::Colon, "`:`")?;
                self.expr_frames.push(Frame::Else { condition, then: Some(operand.id) });
                Ok(None)
            }
            Some(Frame::Call { callee, mut args }) => {
                args.push(operand.id);
                if self.eat(T::Comma) {
                    self.expr_frames.push(Frame::Call { callee, args });
                    return Ok(None);
                }
                self.expect(T::RParen, "`,` or `)`")?;
                let span = self.span_from(callee.span.start);
                Ok(Some(self.new_operand(AstExprKind::Call { callee: callee.id, args }, span)))
            }
            _ => self.fail_expected("an expression"),
        }
    }

    /// Applies postfix operators. `None` if an operand inside a bracket must be read first.
    fn postfix(&mut self, mut operand: Operand) -> Parse<Option<Operand>> {
        loop {
            let start = operand.span.start;
            let kind = match self.kind() {
                T::LBracket => {
                    self.bump();
                    self.expr_frames.push(Frame::Index { base: operand });
                    return Ok(None);
                }
                T::LParen => {
                    self.bump();
                    if !self.eat(T::RParen) {
                        self.expr_frames.push(Frame::Call { callee: operand, args: Vec::new() });
                        return Ok(None);
                    }
                    AstExprKind::Call { callee: operand.id, args: Vec::new() }
                }
                T::Dot | T::Arrow => {
                    let access =
                        if self.bump().kind == T::Dot { MemberAccess::Dot } else { MemberAccess::Arrow };
                    AstExprKind::Member {
                        base: operand.id,
                        access,
                        member: self.ident("the name of a member")?,
                    }
                }
                T::PlusPlus => {
                    self.bump();
                    AstExprKind::Unary(AstUnaryOp::PostInc, operand.id)
                }
                T::MinusMinus => {
                    self.bump();
                    AstExprKind::Unary(AstUnaryOp::PostDec, operand.id)
                }
                _ => return Ok(Some(operand)),
            };
            operand = self.new_operand(kind, self.span_from(start));
        }
    }

    /// Pushes frames for everything before a primary expression, then reads that.
    fn operand(&mut self) -> Parse<Operand> {
        loop {
            let start = self.start();
            let kind = self.kind();
            if let Some(op) = prefix(kind) {
                self.bump();
                self.expr_frames.push(Frame::Prefix { op, start });
                continue;
            }
            match kind {
                T::LParen if self.is_type_name_start(1) => {
                    self.bump();
                    let ty = self.type_name()?;
                    self.expect(T::RParen, "`)`")?;
                    if self.kind() == T::LBrace {
                        return self.compound_literal(ty, start);
                    }
                    self.expr_frames.push(Frame::Cast { ty, start });
                }
                T::LParen if self.ahead(1).kind == T::LBrace => return self.statement_expression(),
                T::LParen => {
                    self.bump();
                    self.expr_frames.push(Frame::Paren { start });
                }
                T::Sizeof | T::Alignof => {
                    if let Some(operand) = self.size_of()? {
                        return Ok(operand);
                    }
                }
                T::Extension => {
                    self.bump();
                }
                _ => return self.primary(),
            }
        }
    }

    /// `sizeof` or `_Alignof`. `None` if its operand is an expression that is to be read next.
    fn size_of(&mut self) -> Parse<Option<Operand>> {
        let start = self.start();
        let is_size = self.bump().kind == T::Sizeof;
        let frame = if is_size { Frame::SizeofExpr { start } } else { Frame::AlignofExpr { start } };
        if self.kind() != T::LParen || !self.is_type_name_start(1) {
            self.expr_frames.push(frame);
            return Ok(None);
        }
        let paren = self.start();
        self.bump();
        let ty = self.type_name()?;
        self.expect(T::RParen, "`)`")?;
        if self.kind() == T::LBrace {
            // `sizeof (T){ ... }` is the size of a compound literal; postfix operators may follow it: `sizeof (T){ 0 }.x`.
            self.expr_frames.push(frame);
            return self.compound_literal(ty, paren).map(Some);
        }
        let kind = if is_size { AstExprKind::SizeofType(ty) } else { AstExprKind::AlignofType(ty) };
        let operand = self.new_operand(kind, self.span_from(start));
        Ok(Some(Operand { takes_postfix: false, ..operand }))
    }
}

fn is_allowed(infix: Infix, level: Level) -> bool {
    match infix {
        Infix::Comma => level == Level::Comma,
        Infix::Assign(_) => level != Level::Conditional,
        Infix::Question | Infix::Binary(_) | Infix::Implies => true,
    }
}
