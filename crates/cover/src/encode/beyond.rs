//! What may happen after a run has left the bound of a loop.

use crate::goals::Event;
use nub_c_ir::{FunctionId, InstrKind, Program, TerminatorKind};
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
    /// Reads the control flow behind the place. Where it is inside of a call, anything may follow. O(blocks).
    pub fn new(program: &Program, unrolled: &Unrolled, over: &Over) -> Later {
        match over.bounded {
            Bounded::Loop { function, header, .. }
                if function == unrolled.function && !is_in_call(unrolled, over) =>
            {
                Later::Some(owners_behind(program, function, header))
            }
            _ => Later::All,
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

fn is_in_call(unrolled: &Unrolled, over: &Over) -> bool {
    let mut next = Some(over.context);
    while let Some(context) = next.map(|id| unrolled.contexts[id.index()]) {
        if matches!(context.kind, ContextKind::Call { .. }) {
            return true;
        }
        next = context.parent;
    }
    false
}

fn owners_behind(program: &Program, function: FunctionId, start: nub_c_ir::BlockId) -> FxHashSet<Owner> {
    let blocks = &program.function(function).blocks;
    let mut is_seen = vec![false; blocks.len()];
    let mut todo = vec![start];
    let mut owners = FxHashSet::default();
    while let Some(id) = todo.pop() {
        if std::mem::replace(&mut is_seen[id.index()], true) {
            continue;
        }
        let block = &blocks[id.index()];
        let begun = block.instrs.iter().filter(|instr| matches!(instr.kind, InstrKind::Begin));
        owners.extend(begun.map(|instr| Owner::Statement(instr.origin.statement)));
        match &block.terminator.kind {
            TerminatorKind::Branch { test: Some(test), .. } => {
                owners.insert(Owner::Decision(test.decision));
            }
            TerminatorKind::Switch { decision, .. } => {
                owners.insert(Owner::Decision(*decision));
            }
            _ => {}
        }
        todo.extend(block.terminator.kind.successors());
    }
    owners
}
