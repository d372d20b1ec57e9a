//! Objects with static lifetime and their initial values.

use super::builder::Builder;
use super::inits::{InitItem, InitStep, InitValue};
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ints;
use crate::ir::*;
use crate::types::Type;
use nub_c_syntax::ast;
use nub_text::Span;

impl Lower<'_> {
    /// A new global object.
    pub(super) fn add_global(
        &mut self,
        name: String,
        ty: TypeId,
        owner: Option<FunctionId>,
        span: Span,
    ) -> GlobalId {
        let position = self.position(span);
        let globals = &mut self.shared.program.globals;
        globals.push(Global {
            name,
            ty,
            owner,
            span,
            position,
            initial: Vec::new(),
            is_extern: false,
            is_internal: owner.is_some(),
            is_const: false,
            is_weak: false,
            is_thread_local: false,
            has_open_length: false,
            address_taken: false,
            is_of_partial_file: false,
        });
        GlobalId::next(globals.len() - 1)
    }

    /// Sets the initial value of a global object, and its length if it had none.
    pub(super) fn init_global(&mut self, global: GlobalId, init: ast::InitId) -> Lowered<()> {
        let ty = self.shared.program.globals[global.index()].ty;
        let pieces = self.in_scratch(|lower| {
            let (items, ty) = lower.static_items(ty, init)?;
            lower.shared.program.globals[global.index()].ty = ty;
            items.iter().map(|item| lower.initial_pieces(ty, item)).collect::<Lowered<Vec<_>>>()
        })?;
        let pieces: Vec<InitialPiece> = pieces.into_iter().flatten().collect();
        self.note_flexible(global, &pieces);
        self.shared.program.globals[global.index()].initial = pieces;
        Ok(())
    }

    /// Initial values after the end of a structure belong to its flexible member: the object is longer than its type.
    fn note_flexible(&mut self, global: GlobalId, pieces: &[InitialPiece]) {
        let types = &self.shared.program.types;
        let end = pieces.iter().map(|piece| piece.offset + types.size_of(piece.ty).unwrap_or(0)).max();
        let size = types.size_of(self.shared.program.globals[global.index()].ty);
        if let Some(end) = end.filter(|end| size.is_some_and(|size| *end > size)) {
            self.shared.flexible.push((global, end));
        }
    }

    /// Runs with a scratch function that is discarded; strings and compound literals are kept.
    fn in_scratch<T>(&mut self, inner: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let void = self.void_type();
        let mut scratch = Builder::scratch(void);
        // Names of locals may occur in messages.
        scratch.locals = self.fun.locals.clone();
        scratch.statement = self.fun.statement;
        // A table of labels refers to those of the function.
        scratch.local_labels = self.fun.local_labels.clone();
        scratch.label_addresses = std::mem::take(&mut self.fun.label_addresses);
        let saved = std::mem::replace(&mut self.fun, scratch);
        let program = &self.shared.program;
        let (n_statements, n_decisions) = (program.statements.len(), program.decisions.len());
        let result = inner(self);
        let scratch = std::mem::replace(&mut self.fun, saved);
        self.fun.label_addresses = scratch.label_addresses;
        self.shared.program.statements.truncate(n_statements);
        self.shared.program.decisions.truncate(n_decisions);
        result
    }

    /// One item as scalars; more than one if it copies a constant record.
    fn initial_pieces(&mut self, whole: TypeId, item: &InitItem) -> Lowered<Vec<InitialPiece>> {
        let (offset, bits) = self.item_offset(whole, &item.path);
        let value = match &item.value {
            InitValue::Unit(unit) => Constant::Int(u128::from(*unit)),
            InitValue::Expr(id) => {
                let value = self.value(*id)?;
                if self.is_record(item.ty) || self.is_array(item.ty) {
                    return self.copied_pieces(value, offset, item.span);
                }
                let value = self.assign_convert(value, item.ty, item.span)?;
                self.constant_value(value.id, item.span)?
            }
        };
        let position = self.position(item.span);
        Ok(vec![InitialPiece { offset, bits, ty: item.ty, value, span: item.span, position }])
    }

    /// A compound literal that initialises a record or an array: its own initial value is copied.
    fn copied_pieces(&mut self, value: RValue, offset: u64, span: Span) -> Lowered<Vec<InitialPiece>> {
        let place = match &self.fun.expr(value.id).kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => place,
            _ => return Err(not_constant(span)),
        };
        let (PlaceBase::Global(global), true) = (place.base, place.steps.is_empty()) else {
            return Err(not_constant(span));
        };
        let pieces = self.shared.program.globals[global.index()].initial.iter();
        Ok(pieces.map(|piece| InitialPiece { offset: piece.offset + offset, ..piece.clone() }).collect())
    }

    /// Bytes from the start of an object of type `ty`, and the bits for a bit-field.
    fn item_offset(&self, ty: TypeId, path: &[InitStep]) -> (u64, Option<BitRange>) {
        let types = &self.shared.program.types;
        let (mut offset, mut bits, mut ty) = (0, None, ty);
        for step in path {
            match step {
                InitStep::Field(record, field) => {
                    let field = &types.record(*record).fields[*field as usize];
                    offset += field.offset;
                    bits = field.bits;
                    ty = field.ty;
                }
                InitStep::Index(index) => {
                    ty = self.element_type(ty).unwrap_or(ty);
                    offset += index * types.size_of(ty).unwrap_or(0);
                    bits = None;
                }
            }
        }
        (offset, bits)
    }

    fn element_type(&self, ty: TypeId) -> Option<TypeId> {
        match self.shared.program.types.get(ty) {
            Type::Array(element, _) => Some(*element),
            _ => None,
        }
    }

    /// The constant value of an expression. Pointers are followed to their object, and the offsets on the way are added up.
    pub(super) fn constant_value(&self, id: ExprId, span: Span) -> Lowered<Constant> {
        let mut offset: i128 = 0;
        let mut id = id;
        loop {
            match &self.fun.expr(id).kind {
                ExprKind::Int(bits) => return Ok(Constant::Int(*bits)),
                ExprKind::Null if offset == 0 => return Ok(Constant::Null),
                ExprKind::FunctionAddress(function) if offset == 0 => {
                    return Ok(Constant::Function(*function));
                }
                ExprKind::PointerCast(inner) => id = *inner,
                ExprKind::PointerAdd { pointer, index, scale } => {
                    let Some(index) = self.known(*index) else { return Err(not_constant(span)) };
                    let index = ints::to_signed(index, self.shared.program.model.pointer_bits);
                    offset = offset.wrapping_add(index.wrapping_mul(i128::from(*scale)));
                    id = *pointer;
                }
                ExprKind::AddressOf(place) => {
                    offset = offset.wrapping_add(self.constant_path(place, span)?);
                    match place.base {
                        PlaceBase::Global(global) => {
                            return Ok(Constant::Address(ObjectBase::Global(global), offset));
                        }
                        PlaceBase::String(string) => {
                            return Ok(Constant::Address(ObjectBase::String(string), offset));
                        }
                        PlaceBase::Pointer(pointer) => id = pointer,
                        PlaceBase::Local(_) => return Err(not_constant(span)),
                    }
                }
                ExprKind::IntToPointer(number) if self.known(*number).is_some() => {
                    let number = self.known(*number).unwrap_or(0).wrapping_add(offset.cast_unsigned());
                    return Ok(Constant::Int(ints::truncate(number, self.shared.program.model.pointer_bits)));
                }
                ExprKind::IntToPointer(_) | ExprKind::PointerToInt(_) => {
                    return Err(Refusal::unmodelled(
                        span,
                        "pointers made from integers are not supported in initial values",
                    ));
                }
                _ => return Err(not_constant(span)),
            }
        }
    }

    /// Bytes from the base of a place to the place.
    fn constant_path(&self, place: &Place, span: Span) -> Lowered<i128> {
        let types = &self.shared.program.types;
        let mut offset: i128 = 0;
        let mut ty = self.base_type(place.base);
        for step in &place.steps {
            match step {
                PlaceStep::Field(record, field) => {
                    let field = &types.record(*record).fields[*field as usize];
                    offset = offset.wrapping_add(i128::from(field.offset));
                    ty = field.ty;
                }
                PlaceStep::Index(index) => {
                    let (Some(index), Some(element)) = (self.known(*index), self.element_type(ty)) else {
                        return Err(not_constant(span));
                    };
                    let size = i128::from(types.size_of(element).unwrap_or(0));
                    let index = ints::to_signed(index, types.model.pointer_bits);
                    offset = offset.wrapping_add(index.wrapping_mul(size));
                    ty = element;
                }
            }
        }
        Ok(offset)
    }
}

fn not_constant(span: Span) -> Refusal {
    Refusal::new(span, "the initial value of a static object must be constant")
}
