//! The attribute `nonnull`, and `static` in `int a[static 3]` (C17 6.7.6.3 paragraph 7): a call with a null pointer is undefined. Sanitizers report it, and
//! compilers assume that it does not happen. Functions that have a C model check this themselves.

use super::{Lower, RValue};
use crate::ids::*;
use crate::ir::*;
use nub_c_syntax::ast::{Attribute, Declarator, Derivation, Ident, Param, Params};
use nub_text::Span;

impl Lower<'_> {
    /// `nonnull`: records which parameters must not be null, by the name of the function. Without numbers, all pointers.
    pub(super) fn note_nonnull(&mut self, attributes: &[Attribute], name: Ident) {
        for attribute in attributes {
            if self.spelling(attribute.name) != "nonnull" {
                continue;
            }
            let numbers = attribute.args.map(|span| self.source_text(span)).unwrap_or_default();
            let numbers = numbers.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok());
            let numbers: Vec<usize> = numbers.collect();
            let function = self.spelling(name.name).to_owned();
            self.shared.nonnull.entry(function).or_default().push(numbers);
        }
    }

    /// The same for parameters that are declared as `a[static N]`.
    pub(super) fn note_static_arrays(&mut self, declarator: &Declarator, name: Ident) {
        let Some(Derivation::Function { params: Params::Prototype { params, .. }, .. }) =
            declarator.derivations.first()
        else {
            return;
        };
        let is_meant = |param: &Param| {
            matches!(param.declarator.derivations.first(), Some(Derivation::Array { is_static: true, .. }))
        };
        let numbers: Vec<usize> =
            (1..).zip(params).filter(|(_, param)| is_meant(param)).map(|(at, _)| at).collect();
        if !numbers.is_empty() {
            let function = self.spelling(name.name).to_owned();
            self.shared.nonnull.entry(function).or_default().push(numbers);
        }
    }

    /// The same at the start of the function itself: a test is a caller too.
    pub(super) fn check_own_nonnull(&mut self, span: Span) {
        let name = &self.shared.program.functions[self.fun.function.index()].name;
        let Some(lists) = self.shared.nonnull.get(name).filter(|_| !self.shared.is_model) else { return };
        let params = self.fun.locals.iter().enumerate();
        let params = params.filter(|(_, local)| local.kind == LocalKind::Parameter).enumerate();
        let meant: Vec<(usize, TypeId)> = params
            .filter(|(at, _)| lists.iter().any(|list| list.is_empty() || list.contains(&(at + 1))))
            .map(|(_, (local, found))| (local, found.ty))
            .filter(|(_, ty)| self.shared.program.types.pointee(*ty).is_some())
            .collect();
        for (local, ty) in meant {
            let place = Place { base: PlaceBase::Local(LocalId::next(local)), steps: Vec::new(), ty };
            let id = self.add(ExprKind::Load(place), ty, span);
            let null = self.null(ty, span);
            let not_null = self.pointer_compare(CompareOp::Ne, RValue { id, ty, bits: None }, null, span);
            self.check(CheckKind::Null, not_null, span);
        }
    }

    /// Checks that arguments declared as `nonnull` are not null.
    pub(super) fn check_nonnull(&mut self, callee: &Callee, args: &[ExprId], span: Span) {
        let Callee::Direct(function) = callee else { return };
        let name = &self.shared.program.functions[function.index()].name;
        let Some(lists) = self
            .shared
            .nonnull
            .get(name)
            .filter(|_| !self.fun.is_unevaluated && !self.shared.models.contains_key(name))
        else {
            return;
        };
        let is_meant = |at: usize| lists.iter().any(|list| list.is_empty() || list.contains(&(at + 1)));
        let meant: Vec<ExprId> =
            args.iter().enumerate().filter(|(at, _)| is_meant(*at)).map(|(_, id)| *id).collect();
        for id in meant {
            let pointer = RValue { id, ty: self.fun.expr(id).ty, bits: None };
            if self.shared.program.types.pointee(pointer.ty).is_some() {
                let null = self.null(pointer.ty, span);
                let not_null = self.pointer_compare(CompareOp::Ne, pointer, null, span);
                self.check(CheckKind::Null, not_null, span);
            }
        }
    }
}
