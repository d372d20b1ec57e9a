//! Declarations, at file scope and in blocks.

use super::scope::Entity;
use super::{Lower, Lowered, Refusal};
use crate::ids::*;
use crate::ir::*;
use crate::types::{FunctionType, Type};
use nub_c_syntax::ast::{
    self, BaseType, DeclId, Derivation, Ident, InitDeclarator, InitKind, Params, Storage,
};
use nub_text::Span;

impl Lower<'_> {
    pub(super) fn file_declaration(&mut self, id: DeclId) -> Lowered<()> {
        self.declaration(id)
    }

    /// Handles all declarators of a declaration. Names whose declarators are refused are poisoned; the first refusal is returned at the end.
    pub(super) fn declaration(&mut self, id: DeclId) -> Lowered<()> {
        let unit = self.unit;
        let declaration = unit.decl(id);
        let mut first = Ok(());
        if declaration.declarators.is_empty() {
            self.specifiers_type(declaration.specifiers)?;
        }
        for declarator in &declaration.declarators {
            let before = declarator.declarator.name.and_then(|name| self.scopes.find_here(name.name));
            let result = self.declarator(declaration, declarator);
            if let (Err(refusal), Some(name)) = (result, declarator.declarator.name) {
                self.poison_name(name, before, &refusal);
                if first.is_ok() {
                    first = Err(refusal);
                }
            }
        }
        first
    }

    fn declarator(&mut self, declaration: &ast::Declaration, declarator: &InitDeclarator) -> Lowered<()> {
        let specifiers = self.unit.specifiers(declaration.specifiers);
        let ty = match (specifiers.base, declarator.init) {
            (BaseType::Auto, Some(init)) => self.auto_type(init)?,
            _ => {
                let base = self.specifiers_type(declaration.specifiers)?;
                self.declarator_type(base, &declarator.declarator)?
            }
        };
        let Some(name) = declarator.declarator.name else { return Ok(()) };
        let is_function = matches!(self.shared.program.types.get(ty), Type::Function(_));
        match specifiers.storage {
            Some(Storage::Typedef) => {
                let is_const =
                    self.declared_qualifiers(declaration.specifiers, &declarator.declarator).is_const;
                let ty = self.system_type(name, ty);
                self.scopes.declare(name.name, Entity::Typedef { ty, is_const });
                self.name_record(ty, name);
                Ok(())
            }
            _ if is_function => {
                self.note_constructors(&specifiers.attributes, name);
                self.note_constructors(&declarator.declarator.attributes, name);
                self.note_nonnull(&specifiers.attributes, name);
                self.note_nonnull(&declarator.declarator.attributes, name);
                self.note_static_arrays(&declarator.declarator, name);
                let function = self.declare_function(name, ty)?;
                self.note_parameters(function, &declarator.declarator);
                self.note_promises(function, declaration.specifiers, &declarator.declarator);
                self.scopes.declare(name.name, Entity::Function(function));
                Ok(())
            }
            storage if self.scopes.is_file_scope() || storage == Some(Storage::Extern) => {
                self.file_object(name, ty, storage, declarator.init)?;
                self.note_const(name, declaration.specifiers, &declarator.declarator);
                Ok(())
            }
            Some(Storage::Static) => {
                self.static_local(name, ty, declarator.init)?;
                self.note_const(name, declaration.specifiers, &declarator.declarator);
                Ok(())
            }
            _ => {
                self.refuse_cleanup(&specifiers.attributes)?;
                self.refuse_cleanup(&declarator.declarator.attributes)?;
                self.local_object(name, ty, declarator.init, declarator.declarator.span)
            }
        }
    }

    /// Records whether an object that was just declared must not be written, whether it is weak, and whether each thread has its own.
    fn note_const(&mut self, name: Ident, base: ast::SpecifiersId, declarator: &ast::Declarator) {
        if let Some(Entity::Global(global)) = self.scopes.find(name.name) {
            let is_const = self.declared_qualifiers(base, declarator).is_const;
            let mut attributes = self.unit.specifiers(base).attributes.iter().chain(&declarator.attributes);
            let is_weak = attributes.any(|attribute| self.spelling(attribute.name) == "weak")
                || self.is_named_weak(self.spelling(name.name));
            let is_thread_local = self.unit.specifiers(base).is_thread_local;
            let is_alias = self.aliases.contains_key(&name.name);
            let global = &mut self.shared.program.globals[global.index()];
            global.is_const |= is_const && !is_alias;
            global.is_weak |= is_weak;
            global.is_thread_local |= is_thread_local;
        }
    }

    /// Records what a prototype says beyond the types. A later prototype replaces an earlier one.
    fn note_parameters(&mut self, function: FunctionId, declarator: &ast::Declarator) {
        let Some(Derivation::Function { params: Params::Prototype { params, .. }, .. }) =
            declarator.derivations.first()
        else {
            return;
        };
        self.shared.program.functions[function.index()].declared = self.declared_params(params);
    }

    pub(super) fn declared_params(&self, params: &[ast::Param]) -> Vec<DeclaredParam> {
        let declared = |param: &ast::Param| {
            let name = param.declarator.name.map(|name| self.spelling(name.name).to_owned());
            let is_constant = match param.declarator.derivations.as_slice() {
                [_] => self.qualifiers_of(param.specifiers).is_const,
                [_, Derivation::Pointer { qualifiers, .. }, ..] => qualifiers.is_const,
                _ => false,
            };
            DeclaredParam { name: name.unwrap_or_default(), is_constant }
        };
        params.iter().map(declared).collect()
    }

    /// A record without a tag is known by its first typedef name, as tests must write it.
    fn name_record(&mut self, ty: TypeId, name: Ident) {
        let Type::Record(record) = *self.shared.program.types.get(ty) else { return };
        let alias = self.spelling(name.name).to_owned();
        let record = self.types().record_mut(record);
        if record.tag.is_empty() && record.alias.is_empty() {
            record.alias = alias;
        }
    }

    fn auto_type(&mut self, init: ast::InitId) -> Lowered<TypeId> {
        match self.unit.init(init).kind {
            InitKind::Expr(id) => self.discard(|lower| Ok(lower.value(id)?.ty)),
            InitKind::List(_) => {
                Err(Refusal::new(self.unit.init(init).span, "`__auto_type` needs a plain initialiser"))
            }
        }
    }

    /// A declaration of a function; also `f` in `int f(), x;`.
    pub(super) fn declare_function(&mut self, name: Ident, ty: TypeId) -> Lowered<FunctionId> {
        let linked = self.linked_name(name);
        if let Some(&known) = self.shared.functions_by_name.get(&linked) {
            self.check_alias(name, ty, self.shared.program.function(known).ty)?;
        }
        self.declare_as(&linked, ty, name.span)
    }

    /// Declares a function by its name as text.
    pub(super) fn declare_as(&mut self, name: &str, ty: TypeId, span: Span) -> Lowered<FunctionId> {
        let Type::Function(function_type) = self.shared.program.types.get(ty).clone() else {
            return Err(Refusal::new(span, "this is not a function"));
        };
        if let Some(&function) = self.shared.functions_by_name.get(name) {
            self.merge_function(function, ty, &function_type, span);
            return Ok(function);
        }
        let position = self.position(span);
        let is_model = self.shared.is_model;
        let functions = &mut self.shared.program.functions;
        functions.push(Function {
            is_model,
            ..Function::without_body(name.to_owned(), ty, function_type.result, span, position)
        });
        let function = FunctionId::next(functions.len() - 1);
        self.shared.functions_by_name.insert(name.to_owned(), function);
        Ok(function)
    }

    /// A declaration with a prototype says more than one without.
    fn merge_function(&mut self, function: FunctionId, ty: TypeId, new: &FunctionType, span: Span) {
        let old = &self.shared.program.functions[function.index()];
        if old.ty == ty {
            return;
        }
        let Type::Function(old_type) = self.shared.program.types.get(old.ty).clone() else { return };
        let differ = old_type.result != new.result
            || (old_type.has_prototype && new.has_prototype && old_type.params != new.params);
        if differ && !self.shared.is_model {
            let name = old.name.clone();
            self.warn(span, format!("`{name}` was declared before with another type"));
        }
        if new.has_prototype || !old_type.has_prototype {
            let function = &mut self.shared.program.functions[function.index()];
            function.ty = ty;
            function.result = new.result;
        }
    }

    /// An object at file scope, or declared `extern` in a block.
    fn file_object(
        &mut self,
        name: Ident,
        ty: TypeId,
        storage: Option<Storage>,
        init: Option<ast::InitId>,
    ) -> Lowered<()> {
        let spelling = self.linked_name(name);
        if self.is_void(ty) {
            return Err(Refusal::new(name.span, format!("`{spelling}` cannot be an object of type `void`")));
        }
        let global = match self.shared.globals_by_name.get(&spelling) {
            Some(&global) => {
                self.check_alias(name, ty, self.shared.program.globals[global.index()].ty)?;
                self.merge_object(global, ty, name.span)?;
                global
            }
            None => {
                let global = self.add_global(spelling.clone(), ty, None, name.span);
                self.shared.program.globals[global.index()].is_extern = true;
                self.shared.globals_by_name.insert(spelling, global);
                global
            }
        };
        self.scopes.declare(name.name, Entity::Global(global));
        let found = &mut self.shared.program.globals[global.index()];
        found.is_internal |= storage == Some(Storage::Static);
        if storage != Some(Storage::Extern) || init.is_some() {
            self.shared.program.globals[global.index()].is_extern = false;
        }
        match init {
            Some(init) => self.init_global(global, init),
            None => Ok(()),
        }
    }

    fn merge_object(&mut self, global: GlobalId, ty: TypeId, span: Span) -> Lowered<()> {
        let old = self.shared.program.globals[global.index()].ty;
        let types = &self.shared.program.types;
        match (types.get(old), types.get(ty)) {
            _ if old == ty => Ok(()),
            (Type::Array(a, None), Type::Array(b, _)) if a == b => {
                self.shared.program.globals[global.index()].ty = ty;
                Ok(())
            }
            (Type::Array(a, _), Type::Array(b, None)) if a == b => Ok(()),
            _ => {
                let message =
                    format!("declared before as `{}`, now as `{}`", self.spell(old), self.spell(ty));
                Err(Refusal::new(span, message))
            }
        }
    }

    fn static_local(&mut self, name: Ident, ty: TypeId, init: Option<ast::InitId>) -> Lowered<()> {
        let spelling = self.spelling(name.name).to_owned();
        let owner = self.fun.function;
        let global = self.add_global(spelling, ty, Some(owner), name.span);
        self.scopes.declare(name.name, Entity::Global(global));
        match init {
            Some(init) => self.init_global(global, init)?,
            None => self.require_complete(ty, name.span)?,
        }
        Ok(())
    }

    pub(super) fn require_complete(&mut self, ty: TypeId, span: Span) -> Lowered<()> {
        match self.shared.program.types.size_of(ty) {
            Some(_) => Ok(()),
            None => {
                Err(Refusal::new(span, format!("objects of type `{}` are not allowed here", self.spell(ty))))
            }
        }
    }

    /// A variable of a block.
    fn local_object(
        &mut self,
        name: Ident,
        ty: TypeId,
        init: Option<ast::InitId>,
        span: Span,
    ) -> Lowered<()> {
        if let Some(Entity::Local(_) | Entity::VariableArray(_)) = self.scopes.find_here(name.name) {
            let message = format!("`{}` is declared twice", self.spelling(name.name));
            return Err(Refusal::new(name.span, message));
        }
        if self.is_variable(ty) {
            return self.variable_object(name, ty, init, span);
        }
        let Some(init) = init else {
            self.require_complete(ty, name.span)?;
            let local = self.add_local(name, ty, LocalKind::Variable);
            self.emit(InstrKind::LifetimeBegin { local }, span);
            return Ok(());
        };
        let init_span = self.unit.init(init).span;
        let whole = Span { start: span.start, end: init_span.end };
        self.begin_statement(StatementKind::Declaration, whole);
        // The type needs the initialiser if the length is not written.
        let known = self.shared.program.types.size_of(ty).is_some();
        let items = if known { None } else { Some(self.init_items(ty, init)?) };
        let ty = items.as_ref().map_or(ty, |(_, ty)| *ty);
        self.require_complete(ty, name.span)?;
        let local = self.add_local(name, ty, LocalKind::Variable);
        self.emit(InstrKind::LifetimeBegin { local }, span);
        let items = match items {
            Some((items, _)) => items,
            None => self.init_items(ty, init)?.0,
        };
        let place = Place { base: PlaceBase::Local(local), steps: Vec::new(), ty };
        let n_exprs = self.fun.exprs.len();
        self.init_place(&place, &items, whole)?;
        // `int x = x;` reads what is not written yet, and a `case` further down may jump past the declaration.
        let is_read = |expr: &Expr| matches!(&expr.kind, ExprKind::Load(read) if read.base == place.base);
        let reads_itself = self.fun.exprs[n_exprs..].iter().any(is_read);
        self.fun.locals[local.index()].is_initialised = !reads_itself && self.fun.switches.is_empty();
        Ok(())
    }

    pub(super) fn add_local(&mut self, name: Ident, ty: TypeId, kind: LocalKind) -> LocalId {
        let spelling = self.spelling(name.name).to_owned();
        let local = self.push_local(spelling, ty, kind, name.span);
        self.fun.locals[local.index()].is_initialised = kind != LocalKind::Variable;
        self.scopes.declare(name.name, Entity::Local(local));
        local
    }
}
