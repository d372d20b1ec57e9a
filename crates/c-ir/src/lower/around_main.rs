//! Functions with the attribute `constructor` run before `main`, those with `destructor` after it: calls at its start and at its ends.
//!
//! Where that would be wrong, `main` is refused: if it is called again, if `exit` ends the program, or if one of these functions takes parameters.

use super::finish::targets;
use crate::ids::{BlockId, FunctionId};
use crate::ir::*;
use crate::types::Type;
use nub_text::{Diagnostic, Span};

/// A function that runs before or after `main` without being called.
pub(super) struct AroundMain {
    pub(super) function: String,
    pub(super) side: MainSide,
    /// Functions with a smaller number run further from `main`.
    pub(super) priority: u32,
    pub(super) span: Span,
}

/// When a function runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MainSide {
    Before,
    After,
}

/// Adds the calls to `main`, if there is one.
pub(super) fn call(program: &mut Program, found: Vec<AroundMain>) {
    let Some(main) = program.functions.iter().position(|function| function.name == "main") else { return };
    if found.is_empty() || !matches!(program.functions[main].body, Body::Defined) {
        return;
    }
    let mut found = found;
    // Stable: of one priority, in the order of the text.
    found.sort_by_key(|entry| entry.priority);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for entry in found {
        match runnable(program, FunctionId::next(main), &entry) {
            Some(function) if entry.side == MainSide::Before => before.push(function),
            Some(function) => after.push(function),
            None => {
                let message = "this function runs before or after `main` in a way that is not supported";
                program.before_main.push(Diagnostic::error(entry.span, message));
            }
        }
    }
    after.reverse();
    let main = &mut program.functions[main];
    add_entry(main, &before);
    for block in
        main.blocks.iter_mut().filter(|block| matches!(block.terminator.kind, TerminatorKind::Return(_)))
    {
        let origin = block.terminator.origin;
        block.instrs.extend(after.iter().map(|function| plain_call(*function, origin)));
    }
    program.around_main = (before, after);
}

fn runnable(program: &Program, main: FunctionId, entry: &AroundMain) -> Option<FunctionId> {
    let id = program.functions.iter().position(|function| function.name == entry.function)?;
    let function = &program.functions[id];
    let is_plain = matches!(function.body, Body::Defined)
        && function.n_params == 0
        && *program.types.get(function.result) == Type::Void;
    let mut blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let leaves = |block: &BasicBlock| matches!(block.terminator.kind, TerminatorKind::Stop(StopKind::Exit));
    let is_ended_early = entry.side == MainSide::After && blocks.any(leaves);
    let calls_main = program.functions.iter().any(|function| {
        function.address_taken && function.name == "main"
            || program.callees(function).iter().any(|(callee, _)| *callee == main)
    });
    (is_plain && !is_ended_early && !calls_main).then_some(FunctionId::next(id))
}

/// Adds a new first block: the old one may be the start of a loop.
fn add_entry(main: &mut Function, before: &[FunctionId]) {
    let Some(first) = main.blocks.first().filter(|_| !before.is_empty()) else { return };
    let origin = first.instrs.first().map_or(first.terminator.origin, |instr| instr.origin);
    for block in &mut main.blocks {
        targets(&mut block.terminator.kind).into_iter().for_each(|target| *target = BlockId(target.0 + 1));
    }
    main.loops.iter_mut().for_each(|found| found.header = BlockId(found.header.0 + 1));
    let instrs = before.iter().map(|function| plain_call(*function, origin)).collect();
    let terminator = Terminator { kind: TerminatorKind::Goto(BlockId(1)), origin };
    main.blocks.insert(0, BasicBlock { instrs, terminator });
}

fn plain_call(function: FunctionId, origin: SourceOrigin) -> Instr {
    let callee = Callee::Direct(function);
    Instr { kind: InstrKind::Call { callee, args: Vec::new(), result: None }, origin }
}
