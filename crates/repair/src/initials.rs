//! Initial values as assignments: they are executed again when the function under test begins.

use super::patch::Patch;
use nub_c_ir::{Constant, ExprId, GlobalId, InstrKind, Place, PlaceBase, PlaceStep, Program, Type, TypeId};

/// Goes to the start of the function, and returns the expression of the initial value. From now on the object may be written.
///
/// Control must not return to the first block; a function whose first block is the head of a loop gets no such sites.
pub(super) fn open(
    patch: &mut Patch,
    program: &mut Program,
    global: GlobalId,
    piece: usize,
) -> Option<ExprId> {
    let comes_back = patch
        .function()
        .blocks
        .iter()
        .any(|block| block.terminator.kind.successors().iter().any(|next| next.index() == 0));
    let Constant::Int(bits) = program.globals[global.index()].initial.get(piece)?.value else { return None };
    if comes_back {
        return None;
    }
    let ty = program.globals[global.index()].initial[piece].ty;
    path(program, global, piece)?;
    program.globals[global.index()].is_const = false;
    patch.go(nub_c_ir::BlockId(0), 0);
    Some(patch.int(bits, ty))
}

/// Stores the new value.
pub(super) fn close(patch: &mut Patch, program: &Program, global: GlobalId, piece: usize, new: ExprId) {
    let Some(steps) = path(program, global, piece) else { return };
    let pointer_wide = program.types.model.pointer_bits;
    let mut place_steps = Vec::with_capacity(steps.len());
    for step in steps {
        place_steps.push(match step {
            PathStep::Field(step) => step,
            PathStep::Index(index) => {
                let word = patch.kinds.word;
                let narrow = program.types.int_format(word).is_none_or(|format| format.width != pointer_wide);
                debug_assert!(!narrow, "`path` refuses models whose pointers are not words");
                PlaceStep::Index(patch.int(u128::from(index), word))
            }
        });
    }
    let ty = program.globals[global.index()].initial[piece].ty;
    let place = Place { base: PlaceBase::Global(global), steps: place_steps, ty };
    patch.insert(InstrKind::Store { place, value: new });
}

enum PathStep {
    Field(PlaceStep),
    Index(u64),
}

/// The path from the object to the scalar at the offset of a piece; `None` if there is none of that type, as in a union.
fn path(program: &Program, global: GlobalId, piece: usize) -> Option<Vec<PathStep>> {
    let types = &program.types;
    let object = &program.globals[global.index()];
    let piece = object.initial.get(piece)?;
    let (mut ty, mut offset): (TypeId, u64) = (object.ty, piece.offset);
    let mut steps = Vec::new();
    loop {
        match types.get(ty) {
            Type::Array(element, _) => {
                let is_word = types.model.pointer_bits == types.model.long_long_bits;
                let size = types.size_of(*element).filter(|size| *size > 0 && is_word)?;
                steps.push(PathStep::Index(offset / size));
                offset %= size;
                ty = *element;
            }
            Type::Record(record) => {
                let found = types.record(*record);
                let holds = |field: &nub_c_ir::Field| {
                    let size = types.size_of(field.ty).unwrap_or(0);
                    field.bits.is_none() && (field.offset..field.offset + size).contains(&offset)
                };
                let at = found.fields.iter().position(holds).filter(|_| !found.is_union)?;
                steps.push(PathStep::Field(PlaceStep::Field(*record, at as u32)));
                offset -= found.fields[at].offset;
                ty = found.fields[at].ty;
            }
            _ => return (ty == piece.ty && offset == 0).then_some(steps),
        }
    }
}
