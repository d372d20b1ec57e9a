//! Lvalues: names, members, elements, what a pointer points to.

use super::scope::Entity;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ir::*;
use crate::types::Type;
use nub_c_syntax::ast::{self, Ident, MemberAccess};
use nub_text::Span;

/// An expression before conversion to a value.
#[derive(Clone)]
pub(super) enum Operand {
    /// Designates an object.
    Place(Place),
    /// Designates a function.
    Function(FunctionId),
    /// Has a value only.
    Value(RValue),
}

impl Operand {
    pub(super) fn ty(&self, lower: &Lower<'_>) -> TypeId {
        match self {
            Operand::Place(place) => place.ty,
            Operand::Function(function) => lower.shared.program.functions[function.index()].ty,
            Operand::Value(value) => value.ty,
        }
    }
}

impl Lower<'_> {
    /// The type of what a place starts with.
    pub(super) fn base_type(&self, base: PlaceBase) -> TypeId {
        let program = &self.shared.program;
        match base {
            PlaceBase::Local(local) => self.fun.locals[local.index()].ty,
            PlaceBase::Global(global) => program.globals[global.index()].ty,
            PlaceBase::String(string) => program.strings[string.index()].ty,
            PlaceBase::Pointer(pointer) => {
                let ty = self.fun.expr(pointer).ty;
                program.types.pointee(ty).unwrap_or(ty)
            }
        }
    }

    /// The width of a place that is a bit-field; `None` for any other.
    pub(super) fn bit_field(&self, place: &Place) -> Option<u32> {
        match place.steps.last()? {
            PlaceStep::Field(record, field) => {
                self.shared.program.types.record(*record).fields[*field as usize].bits.map(|bits| bits.width)
            }
            PlaceStep::Index(_) => None,
        }
    }

    /// An identifier.
    pub(super) fn name(&mut self, ident: Ident) -> Lowered<Operand> {
        let whole = |base, ty| Operand::Place(Place { base, steps: Vec::new(), ty });
        match self.scopes.find(ident.name) {
            Some(Entity::Local(local)) => {
                Ok(whole(PlaceBase::Local(local), self.fun.locals[local.index()].ty))
            }
            Some(Entity::VariableArray(local)) => Ok(Operand::Place(self.variable_place(local, ident.span))),
            Some(Entity::Global(global)) => {
                Ok(whole(PlaceBase::Global(global), self.shared.program.globals[global.index()].ty))
            }
            Some(Entity::Function(function)) => Ok(Operand::Function(function)),
            Some(Entity::Enumerator(bits, ty)) => Ok(Operand::Value(self.int(bits, ty, ident.span))),
            Some(Entity::Poisoned(poison)) => Err(self.poisoned(poison)),
            Some(Entity::Typedef { .. }) | None => self.unknown_name(ident),
        }
    }

    fn unknown_name(&mut self, ident: Ident) -> Lowered<Operand> {
        let name = self.spelling(ident.name).to_owned();
        if matches!(name.as_str(), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            let functions = &self.shared.program.functions;
            let text = functions
                .get(self.fun.function.index())
                .map(|function| function.name.clone())
                .unwrap_or_default();
            return Ok(Operand::Place(self.made_up_string(&text, ident.span)));
        }
        Err(Refusal::new(ident.span, format!("`{name}` is not declared")))
    }

    /// `base.member`, `base->member`
    pub(super) fn member(
        &mut self,
        base: ast::ExprId,
        access: MemberAccess,
        member: Ident,
        span: Span,
    ) -> Lowered<Operand> {
        let place = match access {
            MemberAccess::Arrow => {
                let pointer = self.value(base)?;
                self.pointer_target(pointer, span)?
            }
            MemberAccess::Dot => match self.operand(base)? {
                Operand::Place(place) => place,
                Operand::Value(value) => match &self.fun.expr(value.id).kind {
                    ExprKind::Load(place) => place.clone(),
                    _ => return Err(self.no_member(value.ty, member)),
                },
                operand @ Operand::Function(_) => return Err(self.no_member(operand.ty(self), member)),
            },
        };
        let Type::Record(record) = *self.shared.program.types.get(place.ty) else {
            return Err(self.no_member(place.ty, member));
        };
        let name = self.spelling(member.name).to_owned();
        let Some(path) = self.find_member(record, &name) else {
            return Err(self.no_member(place.ty, member));
        };
        Ok(Operand::Place(self.walk_fields(place, &path)))
    }

    fn no_member(&self, ty: TypeId, member: Ident) -> Refusal {
        let message = match self.shared.program.types.get(ty) {
            Type::Record(record) if self.shared.program.types.record(*record).size.is_none() => {
                format!("`{}` is declared but not defined", self.spell(ty))
            }
            _ => format!("`{}` has no member `{}`", self.spell(ty), self.spelling(member.name)),
        };
        Refusal::new(member.span, message)
    }

    /// The way to a member by its name, through anonymous records. Breadth first, as nesting is rarely deeper than one.
    pub(super) fn find_member(&self, record: RecordId, name: &str) -> Option<Vec<(RecordId, u32)>> {
        let types = &self.shared.program.types;
        let mut todo: Vec<(RecordId, Vec<(RecordId, u32)>)> = vec![(record, Vec::new())];
        let mut at = 0;
        while let Some((record, path)) = todo.get(at).cloned() {
            at += 1;
            for (index, field) in types.record(record).fields.iter().enumerate() {
                let step = (record, index as u32);
                if field.name == name {
                    return Some(path.iter().copied().chain([step]).collect());
                }
                if let (true, Type::Record(inner)) = (field.name.is_empty(), types.get(field.ty)) {
                    todo.push((*inner, path.iter().copied().chain([step]).collect()));
                }
            }
        }
        None
    }

    /// Members of what is volatile are volatile.
    pub(super) fn walk_fields(&mut self, place: Place, path: &[(RecordId, u32)]) -> Place {
        let mut place = place;
        for (record, field) in path {
            place.steps.push(PlaceStep::Field(*record, *field));
            let ty = self.shared.program.types.record(*record).fields[*field as usize].ty;
            let is_volatile = self.shared.program.types.is_volatile(place.ty);
            place.ty = if is_volatile { self.types().volatile(ty) } else { ty };
        }
        place
    }

    /// What a pointer points to.
    pub(super) fn pointer_target(&mut self, pointer: RValue, span: Span) -> Lowered<Place> {
        let Some(ty) = self.shared.program.types.pointee(pointer.ty) else {
            let message = format!("expected a pointer, found `{}`", self.spell(pointer.ty));
            return Err(Refusal::new(span, message));
        };
        if let Some(place) = self.known_target(pointer.id, ty, span) {
            return Ok(place);
        }
        Ok(Place { base: PlaceBase::Pointer(pointer.id), steps: Vec::new(), ty })
    }

    /// `*&x` is `x`, `*a` is `a[0]` and `*(a + i)` is `a[i]` for an array: no pointer is followed.
    fn known_target(&mut self, pointer: ExprId, ty: TypeId, span: Span) -> Option<Place> {
        let types = &self.shared.program.types;
        let element_of =
            |place: &Place| matches!(types.get(place.ty), Type::Array(element, _) if *element == ty);
        match &self.fun.expr(pointer).kind {
            ExprKind::AddressOf(place) if place.ty == ty => Some(place.clone()),
            ExprKind::AddressOf(place) if element_of(place) => {
                let mut place = place.clone();
                let index_type = self.difference_type();
                place.steps.push(PlaceStep::Index(self.int(0, index_type, span).id));
                place.ty = ty;
                Some(place)
            }
            ExprKind::PointerAdd { pointer, index, .. } => match &self.fun.expr(*pointer).kind {
                ExprKind::AddressOf(place) if element_of(place) => {
                    let mut place = place.clone();
                    place.steps.push(PlaceStep::Index(*index));
                    place.ty = ty;
                    Some(place)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `base[index]`, also written the other way round.
    pub(super) fn index(&mut self, base: ast::ExprId, index: ast::ExprId, span: Span) -> Lowered<Operand> {
        let first = self.operand(base)?;
        let first = self.vector_base(first);
        let mark = self.fun.mark();
        let is_array = matches!(self.shared.program.types.get(first.ty(self)), Type::Array(..));
        if let (true, Operand::Place(place)) = (is_array, &first) {
            let amount = self.value(index)?;
            let place = self.preserve_place(place.clone(), mark, span);
            return self.element(place, amount, span).map(Operand::Place);
        }
        let variable = Some(first.ty(self)).filter(|ty| self.is_variable(*ty));
        let first = self.operand_value(first, self.unit.expr(base).span)?;
        let mark = self.fun.mark();
        let second = self.operand(index)?;
        let is_array = matches!(self.shared.program.types.get(second.ty(self)), Type::Array(..));
        if let (true, Operand::Place(place)) = (is_array, &second) {
            return self.element(place.clone(), first, span).map(Operand::Place);
        }
        let second = self.operand_value(second, self.unit.expr(index).span)?;
        let first = self.preserve(first, mark, span);
        let (pointer, amount) = if self.is_pointer(first.ty) { (first, second) } else { (second, first) };
        let moved = self.pointer_add(pointer, amount, Direction::Forward, span)?;
        if let Some(array) = variable {
            self.fun.variable_elements.insert(moved.id, (array, amount));
        }
        self.pointer_target(moved, span).map(Operand::Place)
    }

    /// An element of an array that is a place.
    pub(super) fn element(&mut self, place: Place, amount: RValue, span: Span) -> Lowered<Place> {
        let Type::Array(element, _) = *self.shared.program.types.get(place.ty) else {
            return Err(Refusal::new(span, "only arrays and pointers have elements"));
        };
        let index = self.index_value(amount, span)?;
        let mut place = place;
        place.steps.push(PlaceStep::Index(index.id));
        place.ty = element;
        Ok(place)
    }

    /// An index, converted to a signed number as wide as a pointer.
    pub(super) fn index_value(&mut self, amount: RValue, span: Span) -> Lowered<RValue> {
        if self.int_kind(amount.ty).is_none() {
            let message = format!("an index must be an integer, not `{}`", self.spell(amount.ty));
            return Err(Refusal::new(span, message));
        }
        let amount = self.promote(amount, span)?;
        let ty = self.difference_type();
        self.convert(amount, ty, span)
    }

    /// A place that may be written.
    pub(super) fn modifiable(&mut self, id: ast::ExprId) -> Lowered<Place> {
        let span = self.unit.expr(id).span;
        match self.operand(id)? {
            Operand::Place(place) if matches!(self.shared.program.types.get(place.ty), Type::Array(..)) => {
                Err(Refusal::new(span, "an array cannot be assigned to"))
            }
            Operand::Place(place) => Ok(place),
            Operand::Function(_) | Operand::Value(_) => {
                Err(Refusal::new(span, "this is not a modifiable object"))
            }
        }
    }
}

pub(super) use super::pointers::Direction;
