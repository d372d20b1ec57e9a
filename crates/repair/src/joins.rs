//! A decision with several conditions as one value and one branch.
//!
//! `if (a && b)` is two branches. To change the outcome as a whole, all edges that leave the decision are redirected to a new block, where the
//! outcome is 0 or 1 and one more branch decides.

use super::patch::Patch;
use nub_c_ir::{BlockId, ConditionTest, Decision, ExprId, InstrKind, Program, TerminatorKind};
use nub_unroll::{Next, shortcuts};

/// Joins the edges that leave a decision, goes to the new branch, and returns its condition. `None` if only one outcome is possible.
pub(super) fn join(patch: &mut Patch, program: &Program, decision: &Decision) -> Option<ExprId> {
    let leads = shortcuts(decision);
    let mut exits: [Vec<(BlockId, bool)>; 2] = [Vec::new(), Vec::new()];
    let mut targets: [Option<BlockId>; 2] = [None, None];
    let mut found = None;
    for (index, block) in patch.function().blocks.iter().enumerate() {
        let TerminatorKind::Branch { then_block, else_block, test: Some(test), .. } = block.terminator.kind
        else {
            continue;
        };
        let is_own = std::ptr::eq(&program.decisions[test.decision.index()], decision);
        let Some((when_true, when_false)) = leads.get(test.condition as usize).filter(|_| is_own) else {
            continue;
        };
        found = found.or(Some((test, block.terminator.origin)));
        for (next, target, side) in [(when_true, then_block, true), (when_false, else_block, false)] {
            if let Next::Outcome(outcome) = next {
                exits[usize::from(*outcome)].push((BlockId(index as u32), side));
                targets[usize::from(*outcome)] = Some(target);
            }
        }
    }
    let ([Some(else_block), Some(then_block)], Some((test, origin))) = (targets, found) else { return None };
    let outcome = patch.temporary(patch.kinds.int);
    let condition = patch.load(outcome.clone());
    // Loops count iterations where their decision is evaluated, which is here now.
    let test = Some(ConditionTest { decision: test.decision, condition: 0 });
    let kind = TerminatorKind::Branch { condition, then_block, else_block, test, loop_header: None };
    let joined = patch.add_block(kind, origin);
    for (value, edges) in exits.iter().enumerate() {
        let number = patch.int(value as u128, patch.kinds.int);
        let block = patch.add_block(TerminatorKind::Goto(joined), origin);
        let store = InstrKind::Store { place: outcome.clone(), value: number };
        patch.function_mut().blocks[block.index()].instrs.push(nub_c_ir::Instr { kind: store, origin });
        for (from, side) in edges {
            let from = &mut patch.function_mut().blocks[from.index()].terminator.kind;
            if let TerminatorKind::Branch { then_block, else_block, .. } = from {
                *(if *side { then_block } else { else_block }) = block;
            }
        }
    }
    patch.go_to_end(joined);
    Some(condition)
}
