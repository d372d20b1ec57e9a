//! Primary expressions: names, constants, and the keywords with parentheses of their own.

use super::expr::{Level, Operand};
use super::scopes::NameKind;
use super::{Parse, Parser};
use crate::ast::*;
use crate::token::{T, Token};
use nub_text::Span;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parse<Operand> {
        let token = self.token();
        let kind = match token.kind {
            T::Ident if !self.scopes.is_typedef(token.data) => return self.identifier(),
            T::Int => AstExprKind::Int(self.lexed.ints[token.data as usize]),
            T::Char => AstExprKind::Char(self.lexed.chars[token.data as usize]),
            T::Float => {
                let digits = Span { start: token.span.start, end: token.data };
                AstExprKind::Float(FloatLit { span: token.span, digits })
            }
            T::String => AstExprKind::String(self.string_literal(token)),
            T::AmpAmp => {
                self.bump();
                let label = self.ident("a label")?;
                return Ok(
                    self.new_operand(AstExprKind::LabelAddress(label), self.span_from(token.span.start))
                );
            }
            T::Generic => return self.generic(),
            T::VaArg => return self.va_arg(),
            T::Offsetof => return self.offsetof(),
            T::TypesCompatible => return self.types_compatible(),
            T::Caret => {
                return self.fail(token.span, "blocks (`^{ ... }`) are not supported", "use a function");
            }
            _ => return self.fail_no_expression(),
        };
        self.bump();
        Ok(self.new_operand(kind, token.span))
    }

    fn fail_no_expression<N>(&mut self) -> Parse<N> {
        let token = self.token();
        if !self.is_type_start(0) {
            return self.fail_expected("an expression");
        }
        let message = format!("expected an expression, found the type {}", self.shown(token));
        self.fail(
            token.span,
            message,
            "a type may appear in an expression only as `(T)`, `sizeof(T)` and the like",
        )
    }

    fn identifier(&mut self) -> Parse<Operand> {
        let token = self.bump();
        let name = Name(token.data);
        let quantifiers = [QuantifierKind::ForAll, QuantifierKind::Exists];
        let quantifier = quantifiers.into_iter().find(|kind| kind.spelling() == self.unit.name(name));
        if let (T::LBrace, Some(kind)) = (self.kind(), quantifier) {
            return self.quantifier(kind, token.span.start);
        }
        Ok(self.new_operand(AstExprKind::Ident(Ident { name, span: token.span }), token.span))
    }

    /// `{ T i; a }` after the name of a quantifier, which begins at `start`.
    fn quantifier(&mut self, kind: QuantifierKind, start: u32) -> Parse<Operand> {
        self.bump();
        self.scopes.open();
        let ty = self.type_name()?;
        let name = self.ident("the variable of a quantifier")?;
        self.scopes.declare(name.name, NameKind::Ordinary);
        self.expect(T::Semi, "`;` after the variable of a quantifier")?;
        let body = self.expression(Level::Comma)?;
        self.eat(T::Semi);
        self.expect(T::RBrace, "`}` after the formula of a quantifier")?;
        self.scopes.close();
        Ok(self.new_operand(AstExprKind::Quantifier { kind, ty, name, body }, self.span_from(start)))
    }

    /// Enters the literal of a string token.
    pub(super) fn string_literal(&mut self, token: Token) -> StringId {
        self.unit.add_string(self.lexed.strings[token.data as usize].clone())
    }

    /// `{ ... }` after `(T)`, which begins at `start`.
    pub(super) fn compound_literal(&mut self, ty: TypeNameId, start: u32) -> Parse<Operand> {
        let init = self.initializer()?;
        Ok(self.new_operand(AstExprKind::CompoundLiteral(ty, init), self.span_from(start)))
    }

    /// `({ ... })`
    pub(super) fn statement_expression(&mut self) -> Parse<Operand> {
        let start = self.start();
        self.bump();
        let body = self.compound_statement()?;
        self.expect(T::RParen, "`)` after a statement expression")?;
        Ok(self.new_operand(AstExprKind::Statement(body), self.span_from(start)))
    }

    fn generic(&mut self) -> Parse<Operand> {
        let start = self.start();
        self.bump();
        self.expect(T::LParen, "`(`")?;
        let control = self.expression(Level::Assignment)?;
        let mut associations = Vec::new();
        while self.eat(T::Comma) {
            let ty = if self.eat(T::Default) { None } else { Some(self.type_name()?) };
            self.expect(T::Colon, "`:`")?;
            associations.push(GenericAssociation { ty, value: self.expression(Level::Assignment)? });
        }
        self.expect(T::RParen, "`,` or `)`")?;
        if associations.is_empty() {
            let span = self.span_from(start);
            return self.fail(
                span,
                "`_Generic` needs at least one type",
                "write `_Generic(x, int: a, default: b)`",
            );
        }
        Ok(self.new_operand(AstExprKind::Generic { control, associations }, self.span_from(start)))
    }

    fn va_arg(&mut self) -> Parse<Operand> {
        let start = self.start();
        self.bump();
        self.expect(T::LParen, "`(`")?;
        let list = self.expression(Level::Assignment)?;
        self.expect(T::Comma, "`,`")?;
        let ty = self.type_name()?;
        self.expect(T::RParen, "`)`")?;
        Ok(self.new_operand(AstExprKind::VaArg(list, ty), self.span_from(start)))
    }

    fn types_compatible(&mut self) -> Parse<Operand> {
        let start = self.start();
        self.bump();
        self.expect(T::LParen, "`(`")?;
        let left = self.type_name()?;
        self.expect(T::Comma, "`,`")?;
        let right = self.type_name()?;
        self.expect(T::RParen, "`)`")?;
        Ok(self.new_operand(AstExprKind::TypesCompatible(left, right), self.span_from(start)))
    }

    fn offsetof(&mut self) -> Parse<Operand> {
        let start = self.start();
        self.bump();
        self.expect(T::LParen, "`(`")?;
        let ty = self.type_name()?;
        self.expect(T::Comma, "`,`")?;
        let mut path = vec![Designator::Member(self.ident("the name of a member")?)];
        loop {
            if self.eat(T::Dot) {
                path.push(Designator::Member(self.ident("the name of a member")?));
            } else if self.eat(T::LBracket) {
                path.push(Designator::Index(self.expression(Level::Comma)?));
                self.expect(T::RBracket, "`]`")?;
            } else {
                break;
            }
        }
        self.expect(T::RParen, "`)`")?;
        Ok(self.new_operand(AstExprKind::Offsetof { ty, path }, self.span_from(start)))
    }
}
