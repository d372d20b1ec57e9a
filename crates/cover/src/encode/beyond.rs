//! Where runs that exceeded a bound continue, in the function under test.

use nub_c_ir::{BlockId, Function, FunctionId, InstrKind, Program};
use nub_text::Span;
use nub_unroll::{Bounded, ContextKind, Over, Unrolled};

/// Whether there is only one run of the function under test, so that a run that was cut continues where it was. Otherwise another call may follow, or
/// the function may call itself. O(program).
pub fn goes_on_once(program: &Program, unrolled: &Unrolled) -> bool {
    unrolled.max_calls <= 1 && !is_recursive(program, unrolled.function)
}

/// The blocks of the function under test from which a run that was cut continues, if [`goes_on_once`] holds: the loop, or the call that it is in.
/// `None` if it can be anywhere. O(blocks).
pub fn resumed_at(program: &Program, unrolled: &Unrolled, over: &Over) -> Option<Vec<BlockId>> {
    let function = program.function(unrolled.function);
    // Code that is not modelled may do anything: computed `goto` leads to any label.
    if over.bounded == Bounded::Unmodelled {
        return None;
    }
    let starts = match (outermost_call(unrolled, over), over.bounded) {
        (Some(call), _) => calls_at(function, call),
        (None, Bounded::Loop { header, .. }) => vec![header],
        (None, Bounded::Recursion(_) | Bounded::Callee | Bounded::LongCall) => {
            calls_at(function, over.origin.span)
        }
        (None, Bounded::Allocation(_) | Bounded::Address | Bounded::Unmodelled | Bounded::Large) => {
            blocks_at(function, over.origin.span)
        }
    };
    (!starts.is_empty()).then_some(starts)
}

/// The call of the function under test that a place is in.
fn outermost_call(unrolled: &Unrolled, over: &Over) -> Option<Span> {
    let (mut next, mut found) = (Some(over.context), None);
    while let Some(context) = next.map(|id| unrolled.contexts[id.index()]) {
        if let ContextKind::Call { origin, .. } = context.kind {
            found = Some(origin.span);
        }
        next = context.parent;
    }
    found
}

/// The blocks that contain this call.
fn calls_at(function: &Function, span: Span) -> Vec<BlockId> {
    let blocks = (0..).map(BlockId).zip(&function.blocks);
    let has_call = |(_, block): &(BlockId, &nub_c_ir::BasicBlock)| {
        let mut calls = block.instrs.iter().filter(|instr| matches!(instr.kind, InstrKind::Call { .. }));
        calls.any(|instr| instr.origin.span == span)
    };
    blocks.filter(has_call).map(|(id, _)| id).collect()
}

/// The blocks that contain an instruction with this span, or end with it.
fn blocks_at(function: &Function, span: Span) -> Vec<BlockId> {
    let is_here = |block: &nub_c_ir::BasicBlock| {
        let mut origins = block.instrs.iter().map(|instr| instr.origin).chain([block.terminator.origin]);
        origins.any(|origin| origin.span == span)
    };
    (0..).map(BlockId).zip(&function.blocks).filter(|(_, block)| is_here(block)).map(|(id, _)| id).collect()
}

/// Whether the function can be called while it is running.
fn is_recursive(program: &Program, start: FunctionId) -> bool {
    let mut is_seen = vec![false; program.functions.len()];
    let mut todo = vec![start];
    while let Some(id) = todo.pop() {
        for (callee, _) in program.callees(program.function(id)) {
            if callee == start {
                return true;
            }
            if !std::mem::replace(&mut is_seen[callee.index()], true) {
                todo.push(callee);
            }
        }
    }
    false
}
