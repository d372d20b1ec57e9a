//! Function definitions.

use super::builder::Builder;
use super::{Lower, Lowered, Refusal};
use crate::ids::*;
use crate::ir::*;
use crate::types::{FunctionType, Type};
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{self, Declarator, Derivation, Ident, Params};
use nub_text::{Diagnostic, Span};

impl<'u> Lower<'u> {
    /// The type of a definition.
    pub(super) fn definition_type(&mut self, function: &ast::FunctionDefinition) -> Lowered<TypeId> {
        let base = self.specifiers_type(function.specifiers)?;
        self.declarator_type(base, &function.declarator)
    }

    /// Lowers a definition. What is refused inside is kept with the function; only an error in its head is returned.
    pub(super) fn function(&mut self, id: ast::FunctionId) -> Lowered<()> {
        let unit = self.unit;
        let definition = unit.function(id);
        let Some(name) = definition.declarator.name else { return Ok(()) };
        self.note_constructors(&unit.specifiers(definition.specifiers).attributes, name);
        self.note_constructors(&definition.declarator.attributes, name);
        self.note_nonnull(&unit.specifiers(definition.specifiers).attributes, name);
        self.note_nonnull(&definition.declarator.attributes, name);
        self.note_static_arrays(&definition.declarator, name);
        let before = self.scopes.find_here(name.name);
        let declared = self.definition_type(definition).and_then(|ty| {
            let function = self.declare_function(name, ty)?;
            Ok((function, ty))
        });
        let (function, ty) = match declared {
            Ok(declared) => declared,
            Err(refusal) => {
                self.poison_name(name, before, &refusal);
                self.refuse_head(name, &refusal);
                return Err(refusal);
            }
        };
        self.note_promises(function, definition.specifiers, &definition.declarator);
        let specifiers = unit.specifiers(definition.specifiers);
        self.shared.program.functions[function.index()].is_inline =
            specifiers.is_inline && specifiers.storage.is_none();
        self.scopes.declare(name.name, super::scope::Entity::Function(function));
        if !self.shared.program.functions[function.index()].blocks.is_empty() {
            let message = format!("`{}` is defined twice", self.spelling(name.name));
            self.unsupported(name.span, &message);
            return Ok(());
        }
        let Type::Function(function_type) = self.shared.program.types.get(ty).clone() else { return Ok(()) };
        let saved = std::mem::replace(&mut self.fun, Builder::new(function, function_type.result));
        let depth = self.scopes.depth();
        self.scopes.enter();
        self.body(definition, &function_type);
        self.scopes.leave_to(depth);
        self.depth = 0;
        let built = std::mem::replace(&mut self.fun, saved);
        self.finish_function(function, built, definition.span, ty);
        Ok(())
    }

    /// A function whose head cannot be represented is added all the same, as refused: users ask for it by name.
    fn refuse_head(&mut self, name: Ident, refusal: &Refusal) {
        let result = self.types().intern(Type::Void);
        let unknown = FunctionType { result, params: Vec::new(), is_variadic: false, has_prototype: false };
        let ty = self.types().intern(Type::Function(Box::new(unknown)));
        let Ok(function) = self.declare_function(name, ty) else { return };
        let reason = refusal.0.as_deref().cloned();
        let reason =
            reason.unwrap_or_else(|| Diagnostic::error(name.span, "its type could not be represented"));
        self.shared.program.functions[function.index()].body = Body::Refused(vec![reason]);
    }

    fn body(&mut self, definition: &ast::FunctionDefinition, function_type: &FunctionType) {
        self.fun.statement = self.add_statement(StatementKind::Implicit, definition.declarator.span);
        if let Err(refusal) = self.parameters(definition, function_type) {
            self.refuse(refusal);
            return;
        }
        self.check_own_nonnull(definition.declarator.span);
        self.statement(definition.body);
        let end = Span { start: definition.span.end.saturating_sub(1), end: definition.span.end };
        self.fall_off(definition, end);
        if let Err(refusal) = self.finish_dispatch() {
            self.refuse(refusal);
        }
        for label in self
            .fun
            .labels
            .values()
            .filter(|label| !label.is_defined)
            .map(|label| label.span)
            .collect::<Vec<_>>()
        {
            self.refuse(Refusal::new(label, "this label is not defined in the function"));
        }
        self.fun.refusals.sort_by_key(|found| found.span);
        self.end_lifetimes_at_gotos();
        if !self.fun.labels.is_empty() {
            self.doubt_initialisers();
        }
    }

    /// Marks all variables as possibly uninitialised: a `goto` may skip any declaration.
    fn doubt_initialisers(&mut self) {
        let variables = self.fun.locals.iter_mut().filter(|local| local.kind == LocalKind::Variable);
        variables.for_each(|local| local.is_initialised = false);
    }

    /// What happens at the closing brace.
    fn fall_off(&mut self, definition: &ast::FunctionDefinition, end: Span) {
        let is_main = definition.declarator.name.is_some_and(|name| self.spelling(name.name) == "main");
        let returned = if is_main && self.int_kind(self.fun.result).is_some() {
            let result = self.fun.result;
            Some(self.int(0, result, end).id)
        } else {
            None
        };
        let statement = self.fun.statement;
        self.fun.statement = self.add_statement(StatementKind::Implicit, end);
        self.end_block(TerminatorKind::Return(returned), end);
        self.fun.statement = statement;
    }

    fn parameters(
        &mut self,
        definition: &ast::FunctionDefinition,
        function_type: &FunctionType,
    ) -> Lowered<()> {
        self.require_result(function_type.result, definition.declarator.span)?;
        match definition.declarator.derivations.first() {
            Some(Derivation::Function { params: Params::Prototype { params, .. }, .. }) => {
                for param in params {
                    let ty = self.param_type(param)?;
                    self.parameter(param.declarator.name, ty, param.span)?;
                    let declared_length = self.param_length(param);
                    if let Some(local) = self.fun.locals.last_mut() {
                        local.is_restrict = is_restrict(param);
                        local.declared_length = declared_length;
                    }
                }
                if function_type.is_variadic {
                    self.take_variable_arguments(definition.declarator.span);
                }
                Ok(())
            }
            Some(Derivation::Function { params: Params::Names(names), .. }) => {
                self.old_parameters(definition, names)
            }
            _ => Ok(()),
        }
    }

    fn require_result(&mut self, result: TypeId, span: Span) -> Lowered<()> {
        match self.shared.program.types.get(result) {
            Type::Void | Type::Int(_) | Type::Pointer(_) => Ok(()),
            Type::Float(_) if self.shared.program.types.is_scalar(result) => Ok(()),
            Type::Float(_) | Type::VaList => Err(self.unsupported_operand(result, span)),
            _ => self.require_complete(result, span),
        }
    }

    fn parameter(&mut self, name: Option<Ident>, ty: TypeId, span: Span) -> Lowered<()> {
        let types = &self.shared.program.types;
        if matches!(types.get(ty), Type::Float(_) | Type::VaList) && !types.is_scalar(ty) {
            return Err(self.unsupported_operand(ty, span));
        }
        self.require_complete(ty, span)?;
        match name {
            Some(name) => {
                self.add_local(name, ty, LocalKind::Parameter);
            }
            None => {
                self.push_local(String::new(), ty, LocalKind::Parameter, span);
            }
        }
        Ok(())
    }

    /// K&R: names in parentheses, declarations after them, `int` if there is none.
    fn old_parameters(&mut self, definition: &ast::FunctionDefinition, names: &[Ident]) -> Lowered<()> {
        for name in names {
            let ty = match self.old_declaration(definition, *name) {
                Some((specifiers, declarator)) => {
                    let base = self.specifiers_type(specifiers)?;
                    let ty = self.declarator_type(base, declarator)?;
                    self.adjust_param(ty)
                }
                None => self.int_type(),
            };
            self.parameter(Some(*name), ty, name.span)?;
        }
        Ok(())
    }

    /// The declaration of a K&R parameter.
    fn old_declaration(
        &self,
        definition: &ast::FunctionDefinition,
        name: Ident,
    ) -> Option<(ast::SpecifiersId, &'u Declarator)> {
        let unit: &'u TranslationUnit = self.unit;
        for id in &definition.old_style {
            let declaration = unit.decl(*id);
            let mut declarators = declaration.declarators.iter().map(|declared| &declared.declarator);
            if let Some(declarator) =
                declarators.find(|declared| declared.name.is_some_and(|found| found.name == name.name))
            {
                return Some((declaration.specifiers, declarator));
            }
        }
        None
    }

    /// Records why the function cannot be represented, and continues to find more reasons.
    pub(super) fn refuse(&mut self, refusal: Refusal) {
        self.fun.is_refused = true;
        if let Refusal(Some(diagnostic), _) = refusal {
            self.fun.refusals.push(*diagnostic);
        }
    }

    fn finish_function(&mut self, id: FunctionId, built: Builder, span: Span, ty: TypeId) {
        let mut built = built;
        super::volatile::settle(&mut built, &mut self.shared.program.accesses);
        let position = self.position(span);
        let n_params = built.locals.iter().take_while(|local| local.kind == LocalKind::Parameter).count();
        let is_refused = built.is_refused;
        let mut refusals: Vec<Diagnostic> = built.refusals.clone();
        let cuts = built.cuts.clone();
        if is_refused && refusals.is_empty() {
            let message = "a declaration that this function uses was refused";
            refusals.push(Diagnostic::error(span, message));
        }
        self.shared.diagnostics.extend(refusals.iter().cloned());
        let is_model = self.shared.is_model;
        let function = &mut self.shared.program.functions[id.index()];
        function.ty = ty;
        function.span = span;
        function.position = position;
        function.is_model = is_model;
        function.n_params = n_params;
        function.variable_arguments = built.variable_arguments.filter(|_| built.uses_variable_arguments);
        if is_refused {
            function.locals = built.locals;
            function.locals.truncate(n_params);
            function.body = Body::Refused(refusals);
            return;
        }
        function.body = Body::Defined;
        function.cuts = cuts;
        super::finish::finish(function, built);
    }
}

/// Whether the pointer itself is declared `restrict`.
fn is_restrict(param: &ast::Param) -> bool {
    match param.declarator.derivations.first() {
        Some(Derivation::Pointer { qualifiers, .. } | Derivation::Array { qualifiers, .. }) => {
            qualifiers.is_restrict
        }
        _ => false,
    }
}
