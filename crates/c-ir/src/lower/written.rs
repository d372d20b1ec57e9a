//! After all functions: removes checks for uninitialised values that cannot fail.
//!
//! A scalar with an initialiser has a value wherever it can be read, unless a pointer to it lets `memcpy` put uninitialised bytes there or a jump
//! skips its declaration. A record is different: it may be a copy of a partly written one.

use crate::ids::*;
use crate::ir::*;
use crate::types::{Type, Types};

/// Linear in the instructions.
pub(super) fn drop_known(program: &mut Program) {
    let Program { functions, globals, types, .. } = program;
    let is_written_global: Vec<bool> =
        globals.iter().map(|global| !global.address_taken && is_plain(types, global.ty)).collect();
    for function in functions {
        let Function { blocks, locals, exprs, .. } = function;
        let is_written = |place: &Place| match place.base {
            PlaceBase::Local(local) => {
                let local = &locals[local.index()];
                local.is_initialised && !local.address_taken && is_plain(types, local.ty)
            }
            PlaceBase::Global(global) => is_written_global[global.index()],
            PlaceBase::String(_) => true,
            PlaceBase::Pointer(_) => false,
        };
        let is_needed = |instr: &Instr| match instr.kind {
            InstrKind::Check { kind: CheckKind::Uninitialised, condition } => {
                !matches!(&exprs[condition.index()].kind, ExprKind::Initialised(place) if is_written(place))
            }
            _ => true,
        };
        blocks.iter_mut().for_each(|block| block.instrs.retain(is_needed));
    }
}

/// Whether it is a scalar, or an array of scalars: an initialiser writes all of it.
fn is_plain(types: &Types, mut ty: TypeId) -> bool {
    while let Type::Array(element, _) = types.get(ty) {
        ty = *element;
    }
    !matches!(types.get(ty), Type::Record(_))
}
