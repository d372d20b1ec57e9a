//! Functions without side effects.

use crate::ids::FunctionId;
use crate::ir::{BasicBlock, Body, Callee, Function, InstrKind, Place, PlaceBase, Program, TerminatorKind};

/// Functions with a wider result are not considered.
const MAX_WIDTH: u32 = 64;

/// At most this many functions are examined, callees included.
const MAX_FUNCTIONS: usize = 64;

/// Whether a function returns an integer, has no loop, writes only its own variables, reads no input, and calls only such functions, without
/// recursion. Cost: the size of the functions.
pub fn is_pure(program: &Program, id: FunctionId) -> bool {
    let mut todo = vec![id];
    let mut seen = Vec::new();
    while let Some(id) = todo.pop() {
        if seen.contains(&id) {
            continue;
        }
        let function = program.function(id);
        let is_defined = matches!(function.body, Body::Defined)
            && function.loops.is_empty()
            && program.types.int_format(function.result).is_some_and(|format| format.width <= MAX_WIDTH);
        let is_escaping = function.locals.iter().any(|local| local.address_taken);
        if !is_defined || is_escaping || seen.len() >= MAX_FUNCTIONS || !goes_forward(function) {
            return false;
        }
        seen.push(id);
        for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
            match &instr.kind {
                InstrKind::Store { place, .. } | InstrKind::Zero { place }
                    if matches!(place.base, PlaceBase::Local(_)) => {}
                // A number that C leaves open is zero for whoever asks.
                InstrKind::LeftOpen { place: Some(_), .. } => {}
                InstrKind::Begin | InstrKind::LifetimeBegin { .. } | InstrKind::Check { .. } => {}
                InstrKind::Call { callee: Callee::Direct(callee), .. } => todo.push(*callee),
                _ => return false,
            }
        }
    }
    !calls_itself(program, &seen)
}

/// Whether calling a function once more changes nothing: it, and all that it calls, write only their own variables, and read no input. Cost: the size
/// of the functions.
pub fn writes_only_locals(program: &Program, id: FunctionId) -> bool {
    let is_local =
        |place: Option<&Place>| place.is_none_or(|place| matches!(place.base, PlaceBase::Local(_)));
    let is_quiet = |kind: &InstrKind| match kind {
        InstrKind::Call { callee: Callee::Direct(_), .. } => is_local(kind.written()),
        InstrKind::Call { .. }
        | InstrKind::Input { .. }
        | InstrKind::Observe { .. }
        | InstrKind::Allocate { .. }
        | InstrKind::Free { .. } => false,
        _ => is_local(kind.written()),
    };
    program.reachable(id).into_iter().map(|id| program.function(id)).all(|function| {
        matches!(function.body, Body::Defined)
            && function.blocks.iter().flat_map(|block| &block.instrs).all(|instr| is_quiet(&instr.kind))
    })
}

/// Whether no edge leads back, so that every block is executed at most once. Lowering numbers blocks so that only loops have back edges.
fn goes_forward(function: &Function) -> bool {
    let ends = |block: &BasicBlock| {
        matches!(
            block.terminator.kind,
            TerminatorKind::Stop(_) | TerminatorKind::Unreachable | TerminatorKind::Cut
        )
    };
    let forward = function
        .blocks
        .iter()
        .enumerate()
        .all(|(index, block)| block.terminator.kind.successors().iter().all(|next| next.index() > index));
    forward && !function.blocks.iter().any(ends)
}

/// Whether some function of the list is recursive. The list is short, so a naive transitive closure is enough.
fn calls_itself(program: &Program, list: &[FunctionId]) -> bool {
    let place = |id: FunctionId| list.iter().position(|other| *other == id);
    let mut reaches = vec![vec![false; list.len()]; list.len()];
    for (from, id) in list.iter().enumerate() {
        for to in direct_callees(program.function(*id)).filter_map(place) {
            reaches[from][to] = true;
        }
    }
    for middle in 0..list.len() {
        let through = reaches[middle].clone();
        for row in reaches.iter_mut().filter(|row| row[middle]) {
            row.iter_mut().zip(&through).for_each(|(reach, more)| *reach |= *more);
        }
    }
    (0..list.len()).any(|at| reaches[at][at])
}

/// Functions that are called by name.
pub fn direct_callees(function: &Function) -> impl Iterator<Item = FunctionId> + '_ {
    function.blocks.iter().flat_map(|block| &block.instrs).filter_map(|instr| match &instr.kind {
        InstrKind::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
        _ => None,
    })
}
