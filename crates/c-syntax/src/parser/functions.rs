//! Function definitions, of ISO and of K&R style.

use super::scopes::NameKind;
use super::{Parse, Parser};
use crate::ast::*;
use crate::token::T;

impl Parser<'_> {
    /// True if the declarator is that of a function and a body, or the parameter declarations of a K&R definition,
    /// follow.
    pub(super) fn is_definition(&self, declarator: &Declarator) -> bool {
        match declarator.derivations.first() {
            Some(Derivation::Function { params: Params::Names(_), .. }) => {
                self.kind() == T::LBrace || self.is_declaration_start(0) || self.is_attribute_start()
            }
            Some(Derivation::Function { .. }) => self.kind() == T::LBrace,
            _ => false,
        }
    }

    /// After the declarator.
    pub(super) fn function_definition(
        &mut self,
        start: u32,
        specifiers: SpecifiersId,
        declarator: Declarator,
    ) -> Parse<()> {
        if self.unit.specifiers(specifiers).storage == Some(Storage::Typedef) {
            return self.fail(
                declarator.span,
                "a function cannot be a typedef",
                "remove `typedef`, or the body",
            );
        }
        if let Some(name) = declarator.name {
            self.scopes.declare(name.name, NameKind::Ordinary);
        }
        self.scopes.open();
        for param in param_names(&declarator) {
            self.scopes.declare(param.name, NameKind::Ordinary);
        }
        let mut old_style = Vec::new();
        while self.kind() != T::LBrace {
            if !self.is_declaration_start(0) && !self.is_attribute_start() {
                return self.fail_expected("a parameter declaration or `{`");
            }
            old_style.push(self.declaration()?);
        }
        let body = self.compound_statement()?;
        self.scopes.close();
        let span = self.span_from(start);
        let function = FunctionDefinition { span, specifiers, declarator, old_style, body };
        let id = self.unit.add_function(function);
        self.unit.items.push(Item::Function(id));
        Ok(())
    }
}

/// The names that the parameters of a function declarator declare in its body.
fn param_names(declarator: &Declarator) -> Vec<Ident> {
    match declarator.derivations.first() {
        Some(Derivation::Function { params: Params::Names(names), .. }) => names.clone(),
        Some(Derivation::Function { params: Params::Prototype { params, .. }, .. }) => {
            params.iter().filter_map(|param| param.declarator.name).collect()
        }
        _ => Vec::new(),
    }
}
