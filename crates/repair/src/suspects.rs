//! Which functions are assumed to be right.
//!
//! The specification is code too: the function with the assertion, its callers, the reference that results are compared with. A change there could
//! make any run pass, so it is excluded. Trusted are functions that the user names, our models of the library, functions that contain an assertion or
//! assumption, with the rest of their file if the program is in other files, and functions that are named as a reference or can only check. If that
//! leaves nothing to examine, only what the user names, what can only check and the models are trusted. If no line of the program would repair more
//! than one run, functions that contain assertions and have logic of their own are examined too: small programs have their logic there.

use super::gates::Gates;
use nub_c_ir::analysis::{checkers, is_reference, reached};
use nub_c_ir::{Body, Decision, DecisionId, FileId, FunctionId, InstrKind, PlaceBase, Program};

/// How far suspicion extends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Suspicion {
    /// To the program.
    Program,
    /// Also to the functions that contain assertions, if they have logic of their own.
    Holders,
}

/// For each function whether it is program code that a run from `start` can reach, and so may be changed.
pub(super) fn changeable(
    program: &Program,
    start: FunctionId,
    named: &[String],
    suspicion: Suspicion,
) -> Vec<bool> {
    let is_reached = reached(program, start);
    let is_named = |id: usize| named.contains(&program.functions[id].name);
    let is_code = |id: usize| {
        let function = &program.functions[id];
        is_reached[id] && !function.is_model && matches!(function.body, Body::Defined) && !is_named(id)
    };
    let holders: Vec<usize> =
        (0..program.functions.len()).filter(|id| holds_assertion(program, *id)).collect();
    let files: Vec<FileId> = holders.iter().map(|id| program.functions[*id].position.file).collect();
    let is_checker = checkers(program, start);
    let is_reference = |id: usize| is_reference(&program.functions[id].name);
    let is_specification = |id: usize| holders.contains(&id) || is_checker[id] || is_reference(id);
    let is_free = |id: usize| is_code(id) && !is_specification(id);
    let in_other_files = |id: usize| is_free(id) && !files.contains(&program.functions[id].position.file);
    let all = 0..program.functions.len();
    if suspicion == Suspicion::Holders {
        let gates = Gates::new(program);
        let may_be = |id: usize| !holders.contains(&id) || has_logic(program, &gates, id);
        return all.map(|id| is_code(id) && !is_checker[id] && !is_reference(id) && may_be(id)).collect();
    }
    let by_file: Vec<bool> = all.clone().map(in_other_files).collect();
    if by_file.contains(&true) {
        return by_file;
    }
    let by_function: Vec<bool> = all.clone().map(is_free).collect();
    if by_function.contains(&true) {
        return by_function;
    }
    all.map(|id| is_code(id) && !is_checker[id]).collect()
}

/// Whether a function with assertions makes decisions, which a harness does not. Decisions that assertions depend on are their precondition: changing
/// them would merely silence the assertions.
fn has_logic(program: &Program, gates: &Gates<'_>, id: usize) -> bool {
    use nub_c_ir::DecisionKind::{Assertion, Conditional, If, Switch};
    let own = || program.decisions.iter().enumerate().filter(|(_, decision)| decision.function.index() == id);
    let is_choice = |(number, decision): (usize, &Decision)| {
        let is_gate = gates.decides(decision.function, DecisionId(number as u32));
        matches!(decision.kind, If | Conditional | Switch) && !is_gate
    };
    own().any(is_choice)
        && own().all(|(_, decision)| decision.kind != Assertion || decision.enclosing.is_none())
}

fn holds_assertion(program: &Program, id: usize) -> bool {
    let is_it = |kind: &InstrKind| matches!(kind, InstrKind::Assert { .. } | InstrKind::Assume { .. });
    program.functions[id].blocks.iter().flat_map(|block| &block.instrs).any(|instr| is_it(&instr.kind))
}

/// Globals that program code reads or writes.
pub(super) fn used_globals(program: &Program, is_program: &[bool]) -> Vec<bool> {
    let mut is_used = vec![false; program.globals.len()];
    let code = program.functions.iter().zip(is_program).filter(|(_, is_program)| **is_program);
    for (function, _) in code {
        let loads = function.exprs.iter().filter_map(|expr| match &expr.kind {
            nub_c_ir::ExprKind::Load(place) | nub_c_ir::ExprKind::AddressOf(place) => Some(place),
            _ => None,
        });
        let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
        let stores = instrs.filter_map(|instr| match &instr.kind {
            InstrKind::Store { place, .. } => Some(place),
            _ => None,
        });
        for place in loads.chain(stores) {
            if let PlaceBase::Global(global) = place.base {
                is_used[global.index()] = true;
            }
        }
    }
    is_used
}
