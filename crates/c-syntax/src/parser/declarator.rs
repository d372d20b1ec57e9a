//! Declarators: `*(*f[3])(void)`, with a name or without.
//!
//! Declarators are read from the outside in and stored from the name out. The pointers of each parenthesis wait on a stack until its closing token;
//! arrays and functions are stored as they come, because they bind more tightly.

use super::expr::Level;
use super::scopes::NameKind;
use super::specifiers::Place;
use super::{Parse, Parser};
use crate::ast::*;
use crate::token::T;
use nub_text::Span;

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// In declarations and members.
    Always,
    /// In type names.
    Never,
    /// In parameters.
    Maybe,
}

impl Parser<'_> {
    /// A declarator, without what may follow it (attributes, `asm`).
    pub(super) fn declarator(&mut self, naming: Naming) -> Parse<Declarator> {
        let start = self.start();
        let mut attributes = Vec::new();
        // Pointers of the open parentheses, the innermost last.
        let mut outer: Vec<Vec<Derivation>> = Vec::new();
        let mut pointers = self.pointers(&mut attributes)?;
        while self.kind() == T::LParen && self.is_grouping(naming) {
            self.bump();
            outer.push(pointers);
            self.attributes(&mut attributes)?;
            pointers = self.pointers(&mut attributes)?;
        }
        let name = self.declared_name(naming)?;
        let mut derivations = Vec::new();
        loop {
            self.suffixes(&mut derivations, &mut attributes)?;
            pointers.reverse();
            if derivations.is_empty() {
                derivations = pointers;
            } else {
                derivations.append(&mut pointers);
            }
            match outer.pop() {
                None => break,
                Some(waiting) => pointers = waiting,
            }
            self.expect(T::RParen, "`)` in a declarator")?;
        }
        Ok(Declarator { span: self.span_from(start), name, derivations, attributes, asm_label: None })
    }

    /// `* const * ...`
    fn pointers(&mut self, attributes: &mut Vec<Attribute>) -> Parse<Vec<Derivation>> {
        let mut pointers = Vec::new();
        while self.kind() == T::Star {
            let start = self.start();
            self.bump();
            let mut qualifiers = Qualifiers::default();
            loop {
                if self.is_attribute_start() {
                    self.attributes(attributes)?;
                } else if !self.qualifier(&mut qualifiers) {
                    break;
                }
            }
            pointers.push(Derivation::Pointer { span: self.span_from(start), qualifiers });
        }
        Ok(pointers)
    }

    /// True if the `(` here groups, false if it begins parameters. In `int (T)` of a parameter, with `T` a typedef
    /// name, it begins parameters (C17 6.7.6.3, paragraph 11).
    fn is_grouping(&self, naming: Naming) -> bool {
        naming == Naming::Always || !(self.ahead(1).kind == T::RParen || self.is_declaration_start(1))
    }

    fn declared_name(&mut self, naming: Naming) -> Parse<Option<Ident>> {
        let token = self.token();
        if naming != Naming::Never && matches!(token.kind, T::Ident | T::ExtFloat) {
            self.bump();
            return Ok(Some(Ident { name: Name(token.data), span: token.span }));
        }
        match naming {
            Naming::Always => self.fail_expected("a name to declare"),
            Naming::Never | Naming::Maybe => Ok(None),
        }
    }

    /// `[3](int)...`
    fn suffixes(&mut self, derivations: &mut Vec<Derivation>, attributes: &mut Vec<Attribute>) -> Parse<()> {
        loop {
            match self.kind() {
                T::LBracket if self.ahead(1).kind == T::LBracket => self.attributes(attributes)?,
                T::LBracket => derivations.push(self.array()?),
                T::LParen => derivations.push(self.function_suffix()?),
                _ => return Ok(()),
            }
        }
    }

    /// `[static const n]`
    fn array(&mut self) -> Parse<Derivation> {
        let start = self.start();
        self.bump();
        let mut qualifiers = Qualifiers::default();
        let mut is_static = false;
        loop {
            if self.eat(T::Static) {
                is_static = true;
            } else if !self.qualifier(&mut qualifiers) {
                break;
            }
        }
        let size = match self.kind() {
            T::RBracket => ArraySize::Unknown,
            T::Star if self.ahead(1).kind == T::RBracket => {
                self.bump();
                ArraySize::Star
            }
            _ => ArraySize::Expr(self.expression(Level::Assignment)?),
        };
        self.expect(T::RBracket, "`]`")?;
        Ok(Derivation::Array { span: self.span_from(start), size, qualifiers, is_static })
    }

    /// `(int a, ...)`, `()` or `(a, b)`
    fn function_suffix(&mut self) -> Parse<Derivation> {
        self.enter()?;
        let start = self.start();
        self.bump();
        self.scopes.open();
        let params = match self.kind() {
            T::RParen => Params::Unspecified,
            T::Void if self.ahead(1).kind == T::RParen => {
                self.bump();
                Params::Prototype { params: Vec::new(), is_variadic: false }
            }
            T::Ident if self.is_name_list() => self.name_list()?,
            _ => self.prototype()?,
        };
        self.scopes.close();
        self.expect(T::RParen, "`,` or `)` after a parameter")?;
        self.leave();
        Ok(Derivation::Function { span: self.span_from(start), params })
    }

    /// True for `a, b)` with names that are not types.
    fn is_name_list(&self) -> bool {
        let token = self.token();
        !self.scopes.is_typedef(token.data) && matches!(self.ahead(1).kind, T::Comma | T::RParen)
    }

    fn name_list(&mut self) -> Parse<Params> {
        let mut names = vec![self.ident("a parameter")?];
        while self.eat(T::Comma) {
            names.push(self.ident("a parameter")?);
        }
        Ok(Params::Names(names))
    }

    fn prototype(&mut self) -> Parse<Params> {
        let mut params = Vec::new();
        loop {
            if self.kind() == T::Ellipsis && !params.is_empty() {
                self.bump();
                return Ok(Params::Prototype { params, is_variadic: true });
            }
            params.push(self.param()?);
            if !self.eat(T::Comma) {
                return Ok(Params::Prototype { params, is_variadic: false });
            }
        }
    }

    fn param(&mut self) -> Parse<Param> {
        let start = self.start();
        if !self.is_declaration_start(0) && !self.is_attribute_start() && self.kind() != T::Extension {
            let token = self.token();
            return match token.kind {
                T::Ident => self.fail_unknown_type(token),
                _ => self.fail_expected("a parameter"),
            };
        }
        let specifiers = self.specifiers(Place::Declaration)?;
        let mut declarator = self.declarator(Naming::Maybe)?;
        self.declarator_tail(&mut declarator)?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name.name, NameKind::Ordinary);
        }
        Ok(Param { span: Span { start, end: self.end() }, specifiers, declarator })
    }
}
