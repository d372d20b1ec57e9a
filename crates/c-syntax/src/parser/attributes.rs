//! `__attribute__((...))`, `[[...]]`, `asm(...)` and `_Static_assert`.

use super::expr::Level;
use super::{Parse, Parser};
use crate::ast::*;
use crate::token::T;
use nub_text::Span;

impl Parser<'_> {
    /// True if attributes begin at the current token.
    pub(super) fn is_attribute_start(&self) -> bool {
        match self.kind() {
            T::Attribute => true,
            T::LBracket => self.ahead(1).kind == T::LBracket,
            _ => false,
        }
    }

    /// All attributes here, appended to `attributes`.
    pub(super) fn attributes(&mut self, attributes: &mut Vec<Attribute>) -> Parse<()> {
        while self.is_attribute_start() {
            let is_gnu = self.bump().kind == T::Attribute;
            if is_gnu {
                self.expect(T::LParen, "`(`")?;
                self.expect(T::LParen, "`(`")?;
            } else {
                self.bump();
            }
            let close = if is_gnu { T::RParen } else { T::RBracket };
            while self.kind() != close {
                if self.eat(T::Comma) {
                    continue;
                }
                attributes.push(self.attribute()?);
                if self.kind() != close && self.kind() != T::Comma {
                    return self.fail_expected("`,` or the end of the attributes");
                }
            }
            self.bump();
            self.expect(close, "the end of the attributes")?;
        }
        Ok(())
    }

    /// One entry: any word, with a scope in C23 style, and arguments, of which only an alignment is parsed.
    fn attribute(&mut self) -> Parse<Attribute> {
        let start = self.start();
        let mut word = self.attribute_word()?;
        while self.kind() == T::Colon && self.ahead(1).kind == T::Colon {
            self.bump();
            self.bump();
            word = self.attribute_word()?;
        }
        let plain = without_underscores(self.unit.name(word)).to_owned();
        let name = self.unit.names.intern(&plain);
        let (mut args, mut alignment) = (None, None);
        if self.kind() == T::LParen {
            let open = self.token().span;
            if plain == "aligned" {
                self.bump();
                alignment = Some(self.expression(Level::Conditional)?);
                self.expect(T::RParen, "`)`")?;
            } else {
                self.skip_balanced()?;
            }
            args = Some(Span { start: open.end, end: self.end() - 1 });
        }
        Ok(Attribute { name, span: self.span_from(start), args, alignment })
    }

    /// An identifier or a keyword: `const` is an attribute too.
    fn attribute_word(&mut self) -> Parse<Name> {
        let token = self.token();
        let first = self.unit.text(token.span).first().copied().unwrap_or(0);
        let is_word = first.is_ascii_alphabetic() || first == b'_';
        if !is_word || matches!(token.kind, T::String | T::Char | T::Bad) {
            return self.fail_expected("the name of an attribute");
        }
        self.bump();
        Ok(Name(token.data))
    }

    /// From an opening parenthesis to after its closing one.
    fn skip_balanced(&mut self) -> Parse<()> {
        let mut n_open = 0usize;
        loop {
            match self.kind() {
                T::LParen => n_open += 1,
                T::RParen => n_open -= 1,
                T::Eof | T::Bad => return self.fail_expected("`)`"),
                _ => {}
            }
            self.bump();
            if n_open == 0 {
                return Ok(());
            }
        }
    }

    /// `asm volatile goto ("...")`; operands are not parsed.
    pub(super) fn asm(&mut self) -> Parse<Asm> {
        let start = self.start();
        self.bump();
        while matches!(self.kind(), T::Volatile | T::Goto | T::Inline | T::Const) {
            self.bump();
        }
        if self.kind() != T::LParen {
            return self.fail_expected("`(` after `asm`");
        }
        if self.ahead(1).kind != T::String {
            self.bump();
            return self.fail_expected("a string");
        }
        self.skip_balanced()?;
        Ok(Asm { span: self.span_from(start) })
    }

    /// What may follow a declarator: `asm("symbol")`, then attributes.
    pub(super) fn declarator_tail(&mut self, declarator: &mut Declarator) -> Parse<()> {
        if self.kind() == T::Asm {
            declarator.asm_label = Some(self.asm()?);
        }
        self.attributes(&mut declarator.attributes)
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> Parse<StaticAssert> {
        let start = self.start();
        self.bump();
        self.expect(T::LParen, "`(`")?;
        let condition = self.expression(Level::Conditional)?;
        let mut message = None;
        if self.eat(T::Comma) {
            let token = self.expect(T::String, "a string")?;
            message = Some(self.string_literal(token));
        }
        self.expect(T::RParen, "`)`")?;
        self.expect(T::Semi, "`;`")?;
        Ok(StaticAssert { span: self.span_from(start), condition, message })
    }
}

/// `packed` for `__packed__`: compilers accept both and mean the same.
fn without_underscores(word: &str) -> &str {
    let mut plain = word;
    while let Some(inner) = plain.strip_prefix("__").and_then(|rest| rest.strip_suffix("__"))
        && inner.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
    {
        plain = inner;
    }
    plain
}
