//! What may happen after a run has left the bound of a loop, in the function under test or in one that it calls.

use crate::goals::Event;
use nub_c_ir::{BlockId, DecisionId, Function, FunctionId, InstrKind, Program, TerminatorKind};
use nub_text::Span;
use nub_unroll::{Bounded, ContextKind, Over, Unrolled};
use rustc_hash::FxHashSet;

/// The events of the function under test that can still happen after one place where runs are cut.
pub enum Later {
    /// Any.
    All,
    /// Those of these blocks' statements and decisions.
    Some(FxHashSet<Owner>),
}

/// What an event belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Owner {
    /// A statement.
    Statement(nub_c_ir::StatementId),
    /// A decision.
    Decision(nub_c_ir::DecisionId),
}

impl Owner {
    /// None for a path: it says where it ends.
    fn of(event: Event) -> Option<Owner> {
        Some(match event {
            Event::Statement(statement) => Owner::Statement(statement),
            Event::Outcome(decision, _) | Event::Path(decision, _) => Owner::Decision(decision),
            Event::Condition(test, _) => Owner::Decision(test.decision),
            Event::Route(_) => return None,
        })
    }
}

impl Later {
    /// Reads the control flow behind the place, or behind the call that it is in. After a function that calls itself anything may follow.
    /// O(blocks).
    pub fn new(program: &Program, unrolled: &Unrolled, over: &Over) -> Later {
        let function = program.function(unrolled.function);
        if is_recursive(program, unrolled.function) {
            return Later::All;
        }
        let starts = match (outermost_call(unrolled, over), over.bounded) {
            (Some(call), _) => calls_at(function, call),
            (None, Bounded::Loop { header, .. }) => vec![header],
            (None, Bounded::Recursion(_)) => calls_at(function, over.origin.span),
        };
        match starts.is_empty() {
            true => Later::All,
            false => Later::Some(owners_behind(function, starts)),
        }
    }

    /// Can the event happen there?
    pub fn contains(&self, event: Event) -> bool {
        match (self, Owner::of(event)) {
            (_, None) => false,
            (Later::All, _) => true,
            (Later::Some(owners), Some(owner)) => owners.contains(&owner),
        }
    }
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

/// The blocks that have this call.
fn calls_at(function: &Function, span: Span) -> Vec<BlockId> {
    let blocks = (0..).map(BlockId).zip(&function.blocks);
    let has_call = |(_, block): &(BlockId, &nub_c_ir::Block)| {
        let mut calls = block.instrs.iter().filter(|instr| matches!(instr.kind, InstrKind::Call { .. }));
        calls.any(|instr| instr.origin.span == span)
    };
    blocks.filter(has_call).map(|(id, _)| id).collect()
}

/// Can the function be called while it is running?
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

/// The decisions that a run evaluates once at most: they are in no loop, and the function does not call itself. O(blocks²).
pub fn evaluated_once(program: &Program, id: FunctionId) -> FxHashSet<DecisionId> {
    let function = program.function(id);
    if is_recursive(program, id) {
        return FxHashSet::default();
    }
    let mut once = FxHashSet::default();
    let mut again = FxHashSet::default();
    for (block, body) in (0..).map(BlockId).zip(&function.blocks) {
        let Some(decision) = decision_of(&body.terminator.kind) else { continue };
        let is_in_loop = reachable(function, body.terminator.kind.successors())[block.index()];
        if is_in_loop {
            again.insert(decision)
        } else {
            once.insert(decision)
        };
    }
    once.retain(|decision| !again.contains(decision));
    once
}

fn decision_of(terminator: &TerminatorKind) -> Option<DecisionId> {
    match terminator {
        TerminatorKind::Branch { test: Some(test), .. } => Some(test.decision),
        TerminatorKind::Switch { decision, .. } => Some(*decision),
        _ => None,
    }
}

/// By block: can control get there from these?
fn reachable(function: &Function, starts: Vec<BlockId>) -> Vec<bool> {
    let mut is_seen = vec![false; function.blocks.len()];
    let mut todo = starts;
    while let Some(id) = todo.pop() {
        if !std::mem::replace(&mut is_seen[id.index()], true) {
            todo.extend(function.block(id).terminator.kind.successors());
        }
    }
    is_seen
}

fn owners_behind(function: &Function, starts: Vec<BlockId>) -> FxHashSet<Owner> {
    let mut owners = FxHashSet::default();
    let is_seen = reachable(function, starts);
    for (block, _) in function.blocks.iter().zip(is_seen).filter(|(_, is_seen)| *is_seen) {
        let begun = block.instrs.iter().filter(|instr| matches!(instr.kind, InstrKind::Begin));
        owners.extend(begun.map(|instr| Owner::Statement(instr.origin.statement)));
        owners.extend(decision_of(&block.terminator.kind).map(Owner::Decision));
    }
    owners
}
