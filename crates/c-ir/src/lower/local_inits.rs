//! Initialisers of local objects: stores, part by part.

use super::inits::{InitItem, InitStep, InitValue};
use super::{Lower, Lowered, Refusal};
use crate::ids::*;
use crate::ir::*;
use crate::types::Type;
use nub_c_syntax::ast::{self, TypeNameId};
use nub_text::Span;

impl Lower<'_> {
    /// Writes the parts of an initialiser into a fresh object. What it does not name is zero.
    pub(super) fn init_place(&mut self, place: &Place, items: &[InitItem], span: Span) -> Lowered<()> {
        let is_aggregate = self.is_record(place.ty) || self.is_array(place.ty);
        if is_aggregate && !self.covers(place.ty, items) {
            self.zero_rest(place, items, span);
        }
        for item in items {
            self.init_item(place, item)?;
        }
        Ok(())
    }

    /// Do the items, which are disjoint unless designators say otherwise, fill the object?
    fn covers(&self, ty: TypeId, items: &[InitItem]) -> bool {
        let types = &self.shared.program.types;
        let has_bits = items.iter().any(|item| match item.path.last() {
            Some(InitStep::Field(record, field)) => {
                types.record(*record).fields[*field as usize].bits.is_some()
            }
            _ => false,
        });
        let mut paths: Vec<&[InitStep]> = items.iter().map(|item| item.path.as_slice()).collect();
        paths.dedup();
        let total: u64 = items.iter().filter_map(|item| types.size_of(item.ty)).sum();
        !has_bits && paths.len() == items.len() && types.size_of(ty) == Some(total) && self.is_in_order(items)
    }

    /// Without designators that go back, no part is named twice.
    fn is_in_order(&self, items: &[InitItem]) -> bool {
        let key = |item: &InitItem| -> Vec<u64> {
            let step = |step: &InitStep| match step {
                InitStep::Field(_, field) => u64::from(*field),
                InitStep::Index(index) => *index,
            };
            item.path.iter().map(step).collect()
        };
        items.windows(2).all(|pair| key(&pair[0]) < key(&pair[1]))
    }

    fn init_item(&mut self, place: &Place, item: &InitItem) -> Lowered<()> {
        let part = self.init_target(place, item);
        let value = match &item.value {
            InitValue::Unit(unit) => self.int(u128::from(*unit), item.ty, item.span),
            InitValue::Expr(id) => {
                let value = self.value(*id)?;
                if self.is_array(item.ty) {
                    return self.copy_array(part, value.id, item.span);
                }
                self.assign_convert(value, item.ty, item.span)?
            }
        };
        self.emit(InstrKind::Store { place: part, value: value.id }, item.span);
        Ok(())
    }

    /// GNU: an array initialised by a compound literal.
    fn copy_array(&mut self, part: Place, pointer: ExprId, span: Span) -> Lowered<()> {
        let Type::Array(element, Some(length)) = *self.shared.program.types.get(part.ty) else {
            return Err(Refusal::new(span, "an array must be initialised by a list in braces"));
        };
        let ExprKind::AddressOf(from) = self.fun.expr(pointer).kind.clone() else {
            return Err(Refusal::new(span, "an array must be initialised by a list in braces"));
        };
        if from.ty != part.ty {
            return Err(Refusal::new(span, "an array must be initialised by a list in braces"));
        }
        let ty = self.difference_type();
        for index in 0..length {
            let at = self.int(u128::from(index), ty, span);
            let step = |mut place: Place| {
                place.steps.push(PlaceStep::Index(at.id));
                place.ty = element;
                place
            };
            let value = self.add(ExprKind::Load(step(from.clone())), element, span);
            self.emit(InstrKind::Store { place: step(part.clone()), value }, span);
        }
        Ok(())
    }

    fn init_target(&mut self, place: &Place, item: &InitItem) -> Place {
        let start = place.clone();
        item.path.iter().fold(start, |part, step| self.part_at(&part, step, item.ty, item.span))
    }

    /// One step further, to a part of type `ty`.
    pub(super) fn part_at(&mut self, place: &Place, step: &InitStep, ty: TypeId, span: Span) -> Place {
        let mut part = place.clone();
        let index_type = self.difference_type();
        part.steps.push(match step {
            InitStep::Field(record, field) => PlaceStep::Field(*record, *field),
            InitStep::Index(index) => PlaceStep::Index(self.int(u128::from(*index), index_type, span).id),
        });
        part.ty = ty;
        part
    }

    /// `(T){ ... }`: a variable of the block, or a global object at file scope.
    pub(super) fn compound_literal(
        &mut self,
        ty: TypeNameId,
        init: ast::InitId,
        span: Span,
    ) -> Lowered<Place> {
        let ty = self.type_name(ty)?;
        if self.fun.function == FunctionId(u32::MAX) {
            let global = self.add_global(format!(".literal{}", span.start), ty, None, span);
            self.init_global(global, init)?;
            let ty = self.shared.program.globals[global.index()].ty;
            return Ok(Place { base: PlaceBase::Global(global), steps: Vec::new(), ty });
        }
        let (items, ty) = self.init_items(ty, init)?;
        self.require_complete(ty, span)?;
        let local = self.push_local(format!(".literal{}", span.start), ty, LocalKind::Variable, span);
        self.emit(InstrKind::LifetimeBegin { local }, span);
        let place = Place { base: PlaceBase::Local(local), steps: Vec::new(), ty };
        self.init_place(&place, &items, span)?;
        Ok(place)
    }
}
