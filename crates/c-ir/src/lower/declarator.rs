//! Declarators: pointers, arrays and functions derived from a type.

use super::{Lower, Lowered, Refusal};
use crate::ids::*;
use crate::types::{FunctionType, Type};
use nub_c_syntax::ast::{self, ArraySize, Declarator, Derivation, Param, Params};
use nub_text::Span;

impl Lower<'_> {
    /// The type of what a declarator names.
    pub(super) fn declarator_type(&mut self, base: TypeId, declarator: &Declarator) -> Lowered<TypeId> {
        let ty = self.derive(base, &declarator.derivations)?;
        self.with_mode(ty, &declarator.attributes)
    }

    /// Built from the back: the last derivation is applied to the base type first.
    fn derive(&mut self, base: TypeId, derivations: &[Derivation]) -> Lowered<TypeId> {
        let mut ty = base;
        for derivation in derivations.iter().rev() {
            ty = match derivation {
                Derivation::Pointer { qualifiers, .. } => {
                    let pointer = self.types().pointer_to(ty);
                    match qualifiers {
                        ast::Qualifiers { is_volatile: true, .. } => self.types().volatile(pointer),
                        ast::Qualifiers { is_atomic: true, .. } => self.types().atomic(pointer),
                        _ => pointer,
                    }
                }
                Derivation::Array { span, size, .. } => self.array_type(ty, *size, *span)?,
                Derivation::Function { span, params } => self.function_type(ty, params, *span)?,
            };
        }
        Ok(ty)
    }

    fn array_type(&mut self, element: TypeId, size: ArraySize, span: Span) -> Lowered<TypeId> {
        let length = match size {
            ArraySize::Unknown => None,
            ArraySize::Star => {
                return Err(Refusal::unmodelled(span, "variable-length arrays are not supported here"));
            }
            ArraySize::Expr(id) if self.is_variable(element) => {
                return self.variable_array(element, id, span);
            }
            ArraySize::Expr(id) => match self.array_length(id, span)? {
                Some(length) => Some(length),
                None => return self.variable_array(element, id, span),
            },
        };
        let types = &self.shared.program.types;
        if matches!(types.get(element), Type::Function(_) | Type::Void | Type::Array(_, None)) {
            let message = format!("arrays of `{}` are not allowed", self.spell(element));
            return Err(Refusal::new(span, message));
        }
        let ty = self.types().intern(Type::Array(element, length));
        let is_complete = length.is_some() && self.shared.program.types.size_of(element).is_some();
        if is_complete && self.shared.program.types.size_of(ty).is_none() {
            return Err(Refusal::new(span, "this array is too large"));
        }
        Ok(ty)
    }

    /// The length if it is constant.
    fn array_length(&mut self, id: ast::ExprId, span: Span) -> Lowered<Option<u64>> {
        let Some((bits, ty)) = self.try_constant(id)? else { return Ok(None) };
        let format = self.format(ty);
        if format.is_signed && crate::ints::to_signed(bits, format.width) < 0 {
            return Err(Refusal::new(span, "the length of an array must not be negative"));
        }
        u64::try_from(bits).map(Some).map_err(|_| Refusal::new(span, "this array is too large"))
    }

    fn function_type(&mut self, result: TypeId, params: &Params, span: Span) -> Lowered<TypeId> {
        if matches!(self.shared.program.types.get(result), Type::Array(..) | Type::Function(_)) {
            return Err(Refusal::new(span, format!("a function cannot return `{}`", self.spell(result))));
        }
        let result = self.types().unqualified(result);
        let function = match params {
            Params::Unspecified | Params::Names(_) => {
                FunctionType { result, params: Vec::new(), is_variadic: false, has_prototype: false }
            }
            Params::Prototype { params, is_variadic } => {
                let declared = self.declared_params(params);
                self.n_prototypes += 1;
                let types: Lowered<Vec<TypeId>> = params.iter().map(|param| self.param_type(param)).collect();
                self.n_prototypes -= 1;
                let params = types?;
                let function =
                    FunctionType { result, params, is_variadic: *is_variadic, has_prototype: true };
                let ty = self.types().intern(Type::Function(Box::new(function)));
                self.shared.program.note_prototype(ty, declared);
                return Ok(ty);
            }
        };
        Ok(self.types().intern(Type::Function(Box::new(function))))
    }

    /// The type of a parameter. If it is written as an array, its length is ignored.
    pub(super) fn param_type(&mut self, param: &Param) -> Lowered<TypeId> {
        let base = self.specifiers_type(param.specifiers)?;
        let ty = match param.declarator.derivations.split_first() {
            Some((Derivation::Array { .. }, inner)) => {
                let element = self.derive(base, inner)?;
                self.types().pointer_to(element)
            }
            _ => self.declarator_type(base, &param.declarator)?,
        };
        // A parameter belongs to its function: no other code changes it.
        let ty = self.adjust_param(ty);
        Ok(self.types().unqualified(ty))
    }

    /// The length of a parameter that is written as an array, if it is a constant.
    pub(super) fn param_length(&mut self, param: &Param) -> Option<u64> {
        match param.declarator.derivations.first() {
            Some(Derivation::Array { span, size: ArraySize::Expr(id), .. }) => {
                self.array_length(*id, *span).ok().flatten().filter(|length| *length > 0)
            }
            _ => None,
        }
    }

    /// Arrays and functions as parameters are pointers.
    pub(super) fn adjust_param(&mut self, ty: TypeId) -> TypeId {
        match *self.shared.program.types.get(ty) {
            Type::Array(element, _) => self.types().pointer_to(element),
            Type::Function(_) => self.types().pointer_to(ty),
            _ => ty,
        }
    }
}
