//! Whether everything that could be changed was tried.
//!
//! "No other value of a single expression repairs the program" is known if every expression of the program has been refuted. Values of integers are
//! sites, and are refuted one by one. Pointers, records, and the target of a store through an index or a pointer are not tried. So the claim is made
//! only if no such expression is evaluated in all failing runs: an expression that some run does not reach cannot repair that run. Undefined
//! behaviour happens while an expression is evaluated, so nothing is claimed about such failures.

use super::runs::{Run, limits};
use super::search::Problem;
use super::sites::{At, Site, is_changeable, is_read_global, is_tried};
use super::target::Target;
use nub_c_ir::interp::TraceEvent;
use nub_c_ir::{
    BlockId, Callee, ExprKind, Function, FunctionId, InstrKind, Place, PlaceBase, PlaceStep, Program,
    Recording, TerminatorKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether every expression of program code that all these runs evaluate is a site, or part of one.
pub(super) fn is_covered(problem: &Problem<'_>, runs: &[Run]) -> bool {
    if !matches!(problem.target, Target::Assertions(_)) || runs.is_empty() {
        return false;
    }
    let program = problem.program;
    let is_program = |id: FunctionId| problem.is_program.get(id.index()).copied().unwrap_or(false);
    let is_read = is_read_global(program, is_program);
    let has_tried_all = program.globals.iter().zip(is_read).all(|(global, is_read)| {
        !is_read || global.is_extern || global.initial.iter().all(|piece| is_tried(program, global, piece))
    });
    let blocks = common_blocks(problem, runs);
    let in_program = blocks.iter().filter(|(function, _)| is_program(*function));
    has_tried_all && in_program.into_iter().all(|(id, block)| is_block_covered(program, *id, *block))
}

/// Whether the value of a site is all that its expression decides: not also where that value goes, or whether it can be computed at all.
pub(super) fn is_whole(problem: &Problem<'_>, site: &Site) -> bool {
    let function = problem.program.function(site.function);
    let is_placed = match site.at {
        At::Store(block, at) => match function.block(block).instrs.get(at).map(|instr| &instr.kind) {
            Some(InstrKind::Store { place, .. }) => is_fixed(function, place),
            _ => true,
        },
        _ => true,
    };
    is_placed && matches!(problem.target, Target::Assertions(_))
}

/// Blocks that all runs reach. O(length of the runs).
fn common_blocks(problem: &Problem<'_>, runs: &[Run]) -> FxHashSet<(FunctionId, BlockId)> {
    let mut common: Option<FxHashSet<(FunctionId, BlockId)>> = None;
    for run in runs {
        let limits = limits(Recording::Control);
        let run = nub_c_ir::run(problem.program, problem.start, &run.inputs, &limits);
        let mut functions: FxHashMap<u32, FunctionId> = FxHashMap::default();
        let mut found = FxHashSet::default();
        for event in &run.trace {
            match event {
                TraceEvent::Call { frame, function } => drop(functions.insert(*frame, *function)),
                TraceEvent::Block { frame, block } => {
                    found.extend(functions.get(frame).map(|function| (*function, *block)));
                }
                _ => {}
            }
        }
        common = Some(match common {
            Some(before) => before.intersection(&found).copied().collect(),
            None => found,
        });
    }
    common.unwrap_or_default()
}

fn is_block_covered(program: &Program, id: FunctionId, block: BlockId) -> bool {
    let function = program.function(id);
    let block = function.block(block);
    let is_value = |id: &nub_c_ir::ExprId| is_changeable(program, function.expr(*id).ty);
    let is_fixed = |place: &Place| is_fixed(function, place);
    block.instrs.iter().all(|instr| match &instr.kind {
        // The value of a temporary is part of another expression.
        InstrKind::Store { place, .. } if is_temporary(function, place) => true,
        InstrKind::Store { place, value } => is_fixed(place) && is_value(value),
        InstrKind::Call { callee: Callee::Direct(_), args, result } => {
            args.iter().all(is_value) && result.iter().all(is_fixed)
        }
        InstrKind::Input { place, .. } => is_fixed(place),
        InstrKind::Call { .. } | InstrKind::Allocate { .. } => false,
        _ => true,
    }) && match &block.terminator.kind {
        TerminatorKind::Return(Some(value)) | TerminatorKind::Switch { value, .. } => is_value(value),
        _ => true,
    }
}

fn is_temporary(function: &Function, place: &Place) -> bool {
    match place.base {
        PlaceBase::Local(local) => {
            function.locals[local.index()].kind == nub_c_ir::LocalKind::Temporary && place.steps.is_empty()
        }
        _ => false,
    }
}

/// Whether its location does not depend on any value.
fn is_fixed(function: &Function, place: &Place) -> bool {
    !matches!(place.base, PlaceBase::Pointer(_))
        && place.steps.iter().all(|step| match step {
            PlaceStep::Index(index) => matches!(function.expr(*index).kind, ExprKind::Int(_)),
            PlaceStep::Field(..) => true,
        })
}
