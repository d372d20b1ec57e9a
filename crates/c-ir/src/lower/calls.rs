//! Calls.
//!
//! A function that the unit defines is called. Otherwise it may be one that this crate knows ([`super::builtins`]), one that has a C model
//! ([`super::models`]), or one without a body, which is refused when it is reached.

use super::places::Operand;
use super::scope::Entity;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ir::*;
use crate::types::{FunctionType, Type};
use nub_c_syntax::ast::{self, AstExprKind as AstKind, Ident};
use nub_text::Span;

impl Lower<'_> {
    pub(super) fn call(&mut self, callee: ast::ExprId, args: &[ast::ExprId], span: Span) -> Lowered<RValue> {
        let callee = match self.unit.expr(callee).kind {
            AstKind::Ident(ident) => match self.known_call(ident, args, span)? {
                Ok(value) => return Ok(value),
                Err(operand) => operand,
            },
            _ => self.operand(callee)?,
        };
        match callee {
            Operand::Function(function) => {
                let ty = self.shared.program.functions[function.index()].ty;
                self.emit_call(Callee::Direct(function), ty, args, span)
            }
            operand => {
                let pointer = self.operand_value(operand, span)?;
                let target = self.shared.program.types.pointee(pointer.ty);
                match target.filter(|ty| matches!(self.shared.program.types.get(*ty), Type::Function(_))) {
                    Some(ty) => self.pointer_call(pointer, ty, args, span),
                    None => Err(Refusal::new(span, format!("`{}` cannot be called", self.spell(pointer.ty)))),
                }
            }
        }
    }

    /// A call through a pointer; one that is known to lead to a function is a direct call.
    fn pointer_call(
        &mut self,
        pointer: RValue,
        ty: TypeId,
        args: &[ast::ExprId],
        span: Span,
    ) -> Lowered<RValue> {
        if let ExprKind::FunctionAddress(function) = self.fun.expr(pointer.id).kind {
            return self.emit_call(Callee::Direct(function), ty, args, span);
        }
        let null = self.null(pointer.ty, span);
        let not_null = self.pointer_compare(CompareOp::Ne, pointer, null, span);
        self.check(CheckKind::Null, not_null, span);
        self.emit_call(Callee::Pointer(pointer.id), ty, args, span)
    }

    /// A call by name: the value if the function is known, otherwise what the name denotes.
    #[allow(clippy::type_complexity)] // A result in a result: refused, or known, or an operand.
    fn known_call(
        &mut self,
        ident: Ident,
        args: &[ast::ExprId],
        span: Span,
    ) -> Lowered<Result<RValue, Operand>> {
        let entity = self.scopes.find(ident.name);
        let is_function = matches!(entity, Some(Entity::Function(_)) | None);
        if is_function && !self.defined_here.contains(&ident.name) {
            let name = self.spelling(ident.name).to_owned();
            if let Some(value) = self.builtin(&name, entity, args, span)? {
                return Ok(Ok(value));
            }
            if let Some(function) = self.modelled(&name, ident)? {
                return Ok(Err(Operand::Function(function)));
            }
        }
        if entity.is_some() {
            return self.name(ident).map(Err);
        }
        self.implicit_declaration(ident).map(|function| Err(Operand::Function(function)))
    }

    /// A library function that has a C model, declared or not, also with `__builtin_` in front of its name.
    fn modelled(&mut self, name: &str, ident: Ident) -> Lowered<Option<FunctionId>> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let key = if self.shared.models.contains_key(name) { name } else { plain };
        let Some(&(_, ty)) = self.shared.models.get(key) else { return Ok(None) };
        if let Some(&function) = self.shared.functions_by_name.get(key) {
            return Ok(Some(function));
        }
        let function = self.declare_function(ident, ty)?;
        if key != name {
            // It was just declared under the name that the user calls it by; it gets the name of the model.
            self.shared.functions_by_name.remove(name);
            self.shared.program.functions[function.index()].name = key.to_owned();
            self.shared.functions_by_name.insert(key.to_owned(), function);
        }
        Ok(Some(function))
    }

    /// As before C99: a function that is called without a declaration returns `int`.
    fn implicit_declaration(&mut self, ident: Ident) -> Lowered<FunctionId> {
        let result = self.int_type();
        let ty = FunctionType { result, params: Vec::new(), is_variadic: false, has_prototype: false };
        let ty = self.types().intern(Type::Function(Box::new(ty)));
        let name = self.spelling(ident.name).to_owned();
        // Our models call each other without declarations: a declaration would be one for the user's program too.
        let known = self.shared.models.get(&name).filter(|_| self.shared.is_model);
        let ty = known.map_or(ty, |(_, ty)| *ty);
        if !self.fun.is_unevaluated {
            self.warn(ident.span, format!("`{name}` is called without a declaration"));
        }
        let function = match self.shared.functions_by_name.get(&name) {
            Some(&function) => function,
            None => self.declare_function(ident, ty)?,
        };
        self.scopes.declare_in_file(ident.name, Entity::Function(function));
        Ok(function)
    }

    fn emit_call(&mut self, callee: Callee, ty: TypeId, args: &[ast::ExprId], span: Span) -> Lowered<RValue> {
        let Type::Function(function) = self.shared.program.types.get(ty).clone() else {
            return Err(Refusal::new(span, "this is not a function"));
        };
        let mark = self.fun.mark();
        let args = self.arguments(&function, args, span)?;
        self.check_nonnull(&callee, &args, span);
        let callee = match callee {
            Callee::Pointer(id) => {
                let ty = self.fun.expr(id).ty;
                Callee::Pointer(self.preserve(RValue { id, ty, bits: None }, mark, span).id)
            }
            direct => direct,
        };
        let is_void = self.is_void(function.result);
        if !is_void && !self.fun.is_unevaluated {
            match self.shared.program.types.get(function.result) {
                Type::Float(_) if self.shared.program.types.is_scalar(function.result) => {}
                Type::Float(_) | Type::VaList => return Err(self.unsupported_operand(function.result, span)),
                _ => self.require_complete(function.result, span)?,
            }
        }
        let result = if is_void { None } else { Some(self.temporary(function.result, span)) };
        self.emit(InstrKind::Call { callee, args, result: result.clone() }, span);
        match result {
            None => Ok(self.void_value(span)),
            Some(place) => {
                let ty = place.ty;
                let id = self.add(ExprKind::Load(place), ty, span);
                Ok(RValue { id, ty, bits: None })
            }
        }
    }

    /// A call whose value is not used: it need not have one.
    pub(super) fn call_effect(
        &mut self,
        callee: ast::ExprId,
        args: &[ast::ExprId],
        span: Span,
    ) -> Lowered<()> {
        self.fun.unused_call = Some(span);
        let value = self.call(callee, args, span)?;
        // What a function without a body returns may have to be supplied, used or not.
        let is_elsewhere = matches!(self.unit.expr(callee).kind, AstKind::Ident(ident) if !self.defined_here.contains(&ident.name));
        let current = self.fun.current.index();
        if let Some(Instr { kind: InstrKind::Call { callee, result, .. }, .. }) =
            self.fun.blocks[current].instrs.last_mut()
            && matches!(&self.fun.exprs[value.id.index()].kind, ExprKind::Load(place) if result.as_ref() == Some(place))
            && !(is_elsewhere && matches!(callee, Callee::Direct(_)))
        {
            *result = None;
        }
        Ok(())
    }

    /// Arguments from left to right, in the types of the parameters.
    fn arguments(
        &mut self,
        function: &FunctionType,
        args: &[ast::ExprId],
        span: Span,
    ) -> Lowered<Vec<ExprId>> {
        let n_params = function.params.len();
        let is_wrong = args.len() < n_params || (args.len() > n_params && !function.is_variadic);
        if function.has_prototype && is_wrong {
            let message = format!("wrong number of arguments: expected {n_params}, found {}", args.len());
            return Err(Refusal::new(span, message));
        }
        let mut values = self.argument_values(args)?;
        let mut converted = Vec::with_capacity(values.len());
        for (at, value) in values.drain(..).enumerate() {
            let span = self.unit.expr(args[at]).span;
            let value = match function.params.get(at) {
                Some(&param) => self.assign_convert(value, param, span)?,
                None => self.promote_argument(value, span)?,
            };
            converted.push(value.id);
        }
        if function.is_variadic && converted.len() > n_params && !self.fun.is_unevaluated {
            let rest = converted.split_off(n_params);
            converted.push(self.packed_arguments(&rest, span)?);
        }
        Ok(converted)
    }

    /// The values of arguments, each as it was when it was evaluated. C leaves the order open. It is that of the text, except where a function
    /// without a body is called in two arguments: there it is that of gcc, because a test cannot tell such calls apart.
    pub(super) fn argument_values(&mut self, args: &[ast::ExprId]) -> Lowered<Vec<RValue>> {
        let is_reversed = self.calls_one_stub(args);
        let order: Vec<ast::ExprId> =
            if is_reversed { args.iter().rev().copied().collect() } else { args.to_vec() };
        let mut values = Vec::with_capacity(order.len());
        for arg in &order {
            let value = self.value(*arg)?;
            values.push((value, self.fun.mark()));
        }
        // Last to first, so that earlier marks stay valid.
        let mut kept: Vec<RValue> = Vec::with_capacity(values.len());
        for ((value, mark), arg) in values.into_iter().zip(&order).rev() {
            let span = self.unit.expr(*arg).span;
            kept.push(self.preserve(value, mark, span));
        }
        if !is_reversed {
            kept.reverse();
        }
        Ok(kept)
    }

    /// Is a function without a body called by its name in two of these expressions? The parts of an expression come right before it.
    fn calls_one_stub(&self, args: &[ast::ExprId]) -> bool {
        let mut earlier: Vec<ast::Name> = Vec::new();
        for arg in args {
            let whole = self.unit.expr(*arg).span;
            let parts = self.unit.exprs_up_to(*arg);
            let inside =
                parts.take_while(|part| whole.start <= part.span.start && part.span.end <= whole.end);
            let callees = inside.filter_map(|part| match part.kind {
                ast::AstExprKind::Call { callee, .. } => match self.unit.expr(callee).kind {
                    ast::AstExprKind::Ident(ident) => Some(ident.name),
                    _ => None,
                },
                _ => None,
            });
            // A function of a verifier is an input, and not a call that a test expects.
            let is_call = |name: &ast::Name| Self::nondet_suffix(self.spelling(*name)).is_none();
            let own: Vec<ast::Name> = callees.filter(is_call).collect();
            if own.iter().any(|name| earlier.contains(name) && !self.has_body(*name)) {
                return true;
            }
            earlier.extend(own);
        }
        false
    }

    /// O(functions of the text); called only for functions that are called twice in a list of arguments.
    fn has_body(&self, name: ast::Name) -> bool {
        let is_named = |function: &ast::FunctionDefinition| {
            function.declarator.name.as_ref().is_some_and(|found| found.name == name)
        };
        self.unit.functions().any(|(_, function)| is_named(function))
    }
}
