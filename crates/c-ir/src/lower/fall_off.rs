//! Functions that end without returning the value that they declare.
//!
//! ```c
//! int f(int x) { if (x) return 1; }   // allowed
//! int y = f(0);                       // undefined: the value is used
//! ```
//!
//! Only a caller knows whether the value is used, and only when all functions are known is it clear which calls matter. These are checked
//! like the read of a variable that was never written.

use crate::ids::*;
use crate::ir::*;
use crate::types::{IntKind, Types};

/// Adds a check after each call whose value is used and may be missing. Linear.
pub(super) fn check_calls(program: &mut Program) {
    let is_void: Vec<bool> = program.functions.iter().map(|found| is_void(program, found)).collect();
    let falls: Vec<bool> =
        program.functions.iter().zip(is_void).map(|(found, is_void)| !is_void && falls_off(found)).collect();
    let any_pointer =
        program.functions.iter().zip(&falls).any(|(found, falls)| *falls && found.address_taken);
    if !falls.contains(&true) {
        return;
    }
    let int = program.types.int(IntKind::Int);
    let Program { functions, types, .. } = program;
    for function in functions.iter_mut() {
        let Function { blocks, exprs, .. } = function;
        for block in blocks {
            let mut instrs = Vec::with_capacity(block.instrs.len());
            for instr in std::mem::take(&mut block.instrs) {
                let place = missing(&instr.kind, &falls, any_pointer);
                let origin = instr.origin;
                // The value of an earlier call, in a loop, is not the value of this one.
                let begin = place.as_ref().and_then(|place| match place.base {
                    PlaceBase::Local(local) => Some(InstrKind::LifetimeBegin { local }),
                    _ => None,
                });
                instrs.extend(begin.map(|kind| Instr { kind, origin }));
                instrs.push(instr);
                let check = place.and_then(|place| written(place, int, exprs, types, origin));
                instrs.extend(check.map(|kind| Instr { kind, origin }));
            }
            block.instrs = instrs;
        }
    }
}

fn is_void(program: &Program, function: &Function) -> bool {
    *program.types.get(function.result) == crate::types::Type::Void
}

/// Whether some path reaches its end without `return value`.
fn falls_off(function: &Function) -> bool {
    let is_empty = |block: &BasicBlock| matches!(block.terminator.kind, TerminatorKind::Return(None));
    matches!(function.body, Body::Defined) && function.blocks.iter().any(is_empty)
}

/// Where the value of this call goes, if it is used and may be missing.
fn missing(kind: &InstrKind, falls: &[bool], any_pointer: bool) -> Option<Place> {
    let InstrKind::Call { callee, result: Some(place), .. } = kind else { return None };
    let may_fall = match callee {
        Callee::Direct(id) => falls[id.index()],
        Callee::Pointer(_) => any_pointer,
    };
    may_fall.then(|| place.clone())
}

/// The check that a scalar was written. Parts of structures are checked where they are read.
fn written(
    place: Place,
    int: TypeId,
    exprs: &mut Vec<Expr>,
    types: &Types,
    origin: SourceOrigin,
) -> Option<InstrKind> {
    if !types.is_scalar(place.ty) {
        return None;
    }
    exprs.push(Expr { kind: ExprKind::Initialised(place), ty: int, span: origin.span });
    let condition = ExprId::next(exprs.len() - 1);
    Some(InstrKind::Check { kind: CheckKind::Uninitialised, condition })
}
