//! The end of a function: the reachable blocks, numbered in a good order.

use super::builder::{Builder, OpenBlock};
use crate::ids::*;
use crate::ir::*;

/// Moves what was built into the function. Unreachable blocks are removed, the others are numbered in reverse postorder: without loops, every block
/// comes after its predecessors. Linear.
pub(super) fn finish(function: &mut Function, built: Builder) {
    let order = reverse_postorder(&built.blocks);
    let mut numbers = vec![None; built.blocks.len()];
    for (number, block) in order.iter().enumerate() {
        numbers[block.index()] = Some(BlockId::next(number));
    }
    let renumber = |block: &mut BlockId| {
        if let Some(number) = numbers[block.index()] {
            *block = number;
        }
    };
    let (loops, loop_numbers) = kept_loops(built.loops, &numbers);
    let origin =
        SourceOrigin { span: function.span, position: function.position, statement: built.statement };
    let mut open: Vec<Option<OpenBlock>> = built.blocks.into_iter().map(Some).collect();
    for block in order {
        let OpenBlock { instrs, terminator } = open[block.index()].take().unwrap_or_default();
        let mut terminator = terminator.unwrap_or(Terminator { kind: TerminatorKind::Unreachable, origin });
        if function.is_noreturn && matches!(terminator.kind, TerminatorKind::Return(_)) {
            terminator.kind = TerminatorKind::Unreachable;
        }
        targets(&mut terminator.kind).into_iter().for_each(renumber);
        if let TerminatorKind::Branch { loop_header: Some(id), .. } = &mut terminator.kind {
            *id = loop_numbers[id.index()].unwrap_or(*id);
        }
        function.blocks.push(BasicBlock { instrs, terminator });
    }
    function.locals = built.locals;
    function.exprs = built.exprs;
    function.loops = loops;
}

/// The loops that can be entered, and their new numbers.
fn kept_loops(loops: Vec<Loop>, numbers: &[Option<BlockId>]) -> (Vec<Loop>, Vec<Option<LoopId>>) {
    let (mut kept, mut loop_numbers) = (Vec::new(), Vec::new());
    for found in loops {
        let header = numbers[found.header.index()];
        loop_numbers.push(header.map(|_| LoopId::next(kept.len())));
        kept.extend(header.map(|header| Loop { header, ..found }));
    }
    (kept, loop_numbers)
}

/// The blocks that a terminator leads to.
pub(crate) fn targets(kind: &mut TerminatorKind) -> Vec<&mut BlockId> {
    match kind {
        TerminatorKind::Goto(target) => vec![target],
        TerminatorKind::Branch { then_block, else_block, .. } => vec![then_block, else_block],
        TerminatorKind::Switch { cases, default, .. } => {
            cases.iter_mut().map(|case| &mut case.target).chain([default]).collect()
        }
        TerminatorKind::Return(_)
        | TerminatorKind::Stop(_)
        | TerminatorKind::Unreachable
        | TerminatorKind::Cut => Vec::new(),
    }
}

fn reverse_postorder(blocks: &[OpenBlock]) -> Vec<BlockId> {
    let successors = |block: BlockId| match &blocks[block.index()].terminator {
        Some(terminator) => terminator.kind.successors(),
        None => Vec::new(),
    };
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    seen[0] = true;
    let mut stack = vec![(BlockId(0), successors(BlockId(0)))];
    while let Some((block, rest)) = stack.last_mut() {
        // Last successor first: the branch for "true" then comes first in the reversed order.
        match rest.pop() {
            Some(next) if !seen[next.index()] => {
                seen[next.index()] = true;
                let following = successors(next);
                stack.push((next, following));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
