//! Items of file scope, and declarations in blocks.

use super::declarator::Naming;
use super::scopes::NameKind;
use super::specifiers::Place;
use super::{Parse, Parser};
use crate::ast::*;
use crate::token::T;

impl Parser<'_> {
    /// One item of file scope.
    pub(super) fn item(&mut self) -> Parse<()> {
        match self.kind() {
            // A stray semicolon, which gcc and clang accept.
            T::Semi => {
                self.bump();
                return Ok(());
            }
            T::Asm => {
                let asm = self.asm()?;
                self.expect(T::Semi, "`;`")?;
                self.unit.items.push(Item::Asm(asm));
                return Ok(());
            }
            T::StaticAssert => {
                let item = Item::StaticAssert(self.static_assert()?);
                self.unit.items.push(item);
                return Ok(());
            }
            _ => {}
        }
        let start = self.start();
        let first = self.at;
        let specifiers = self.specifiers(Place::Declaration)?;
        let has_specifiers = self.at > first;
        if has_specifiers && self.kind() == T::Semi {
            return self.add_declaration(start, specifiers, Vec::new());
        }
        if !has_specifiers && !matches!(self.kind(), T::Ident | T::Star | T::LParen) {
            return self.fail_expected("a declaration");
        }
        let mut declarator = self.declarator(Naming::Always)?;
        if !has_specifiers {
            self.warn_implicit_int(declarator.span);
        }
        self.declarator_tail(&mut declarator)?;
        if self.is_definition(&declarator) {
            return self.function_definition(start, specifiers, declarator);
        }
        let declarators = self.init_declarators(specifiers, declarator)?;
        self.add_declaration(start, specifiers, declarators)
    }

    fn add_declaration(
        &mut self,
        start: u32,
        specifiers: SpecifiersId,
        declarators: Vec<InitDeclarator>,
    ) -> Parse<()> {
        let id = self.finish_declaration(start, specifiers, declarators)?;
        self.unit.items.push(Item::Declaration(id));
        Ok(())
    }

    fn finish_declaration(
        &mut self,
        start: u32,
        specifiers: SpecifiersId,
        declarators: Vec<InitDeclarator>,
    ) -> Parse<DeclId> {
        self.expect(T::Semi, "`;` after a declaration")?;
        let span = self.span_from(start);
        Ok(self.unit.add_decl(Declaration { span, specifiers, declarators }))
    }

    /// A declaration in a block, before the body of a K&R definition, or in `for (`.
    pub(super) fn declaration(&mut self) -> Parse<DeclId> {
        let start = self.start();
        let specifiers = self.specifiers(Place::Declaration)?;
        let mut declarators = Vec::new();
        if self.kind() != T::Semi {
            let mut first = self.declarator(Naming::Always)?;
            self.declarator_tail(&mut first)?;
            if self.kind() == T::LBrace {
                return self.fail(
                    first.span,
                    "nested functions are not supported",
                    "move the function to file scope",
                );
            }
            declarators = self.init_declarators(specifiers, first)?;
        }
        self.finish_declaration(start, specifiers, declarators)
    }

    /// The initialiser of `first`, and all declarators after it.
    fn init_declarators(
        &mut self,
        specifiers: SpecifiersId,
        first: Declarator,
    ) -> Parse<Vec<InitDeclarator>> {
        let kind = match self.unit.specifiers(specifiers).storage {
            Some(Storage::Typedef) => NameKind::Typedef,
            _ => NameKind::Ordinary,
        };
        if let Some(Derivation::Function { span, params: Params::Names(_) }) = first.derivations.first() {
            let hint = "are they types from a header that is missing?";
            self.warn(*span, "parameter names without types in a declaration", hint);
        }
        let mut declarators = Vec::new();
        let mut declarator = first;
        loop {
            // The name is in scope from here on, its own initialiser included.
            if let Some(name) = declarator.name {
                self.scopes.declare(name.name, kind);
            }
            let init = if self.eat(T::Assign) { Some(self.initializer()?) } else { None };
            declarators.push(InitDeclarator { declarator, init });
            if !self.eat(T::Comma) {
                return Ok(declarators);
            }
            let mut attributes = Vec::new();
            self.attributes(&mut attributes)?;
            declarator = self.declarator(Naming::Always)?;
            declarator.attributes.append(&mut attributes);
            self.declarator_tail(&mut declarator)?;
        }
    }
}
