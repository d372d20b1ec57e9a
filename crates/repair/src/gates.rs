//! Branches of a function with assertions that decide whether these are reached.
//!
//! ```c
//! for (step = 0; step < 6; step++) {      decides: `step > 6` would silence the assertion
//!     if (low > high) swap(&low, &high);  does not
//!     assert(low <= high);
//! }
//! ```
//!
//! Changing such a branch would merely silence the assertion, so it is not a suspect where that function is examined in addition to the program.

use super::sites::{At, Site};
use nub_c_ir::analysis::deciding;
use nub_c_ir::{Callee, DecisionId, Function, FunctionId, InstrKind, Program, TerminatorKind};

/// For each function with assertions, its blocks, and whether the branch at the end decides about one.
pub(super) struct Gates<'p> {
    program: &'p Program,
    blocks: Vec<Vec<bool>>,
}

impl<'p> Gates<'p> {
    /// Cost: blocks times the depth of the post-dominator tree.
    pub fn new(program: &'p Program) -> Gates<'p> {
        let holds: Vec<bool> =
            program.functions.iter().map(|function| asserts(function, |_| false)).collect();
        let is_holder = |id: FunctionId| holds.get(id.index()).copied().unwrap_or(false);
        let blocks = program.functions.iter().zip(&holds).map(|(function, &holds)| {
            if holds { gates(function, is_holder) } else { vec![false; function.blocks.len()] }
        });
        Gates { program, blocks: blocks.collect() }
    }

    /// Whether the site is such a branch.
    pub fn holds(&self, site: &Site) -> bool {
        match &site.at {
            At::Branch(block) | At::Switch(block) => self.blocks[site.function.index()][block.index()],
            At::Decision(decision) => self.decides(site.function, *decision),
            _ => false,
        }
    }

    /// Whether some branch of the decision is such a branch.
    pub fn decides(&self, function: FunctionId, decision: DecisionId) -> bool {
        let blocks = &self.program.function(function).blocks;
        let is_own = |kind: &TerminatorKind| matches!(kind, TerminatorKind::Branch { test: Some(test), .. } if test.decision == decision);
        let gates = blocks.iter().zip(&self.blocks[function.index()]);
        gates.into_iter().any(|(block, is_gate)| *is_gate && is_own(&block.terminator.kind))
    }
}

/// Whether the function asserts something itself, or calls one that does.
fn asserts(function: &Function, is_holder: impl Fn(FunctionId) -> bool) -> bool {
    (0..function.blocks.len()).any(|block| asserts_in(function, block, &is_holder))
}

fn asserts_in(function: &Function, block: usize, is_holder: &impl Fn(FunctionId) -> bool) -> bool {
    function.blocks[block].instrs.iter().any(|instr| match &instr.kind {
        InstrKind::Assert { .. } => true,
        InstrKind::Call { callee: Callee::Direct(callee), .. } => is_holder(*callee),
        _ => false,
    })
}

/// Blocks whose branch decides about an assertion, directly or through other branches.
fn gates(function: &Function, is_holder: impl Fn(FunctionId) -> bool) -> Vec<bool> {
    let deciding = deciding(function);
    let mut is_gate = vec![false; function.blocks.len()];
    let mut todo: Vec<usize> =
        (0..function.blocks.len()).filter(|block| asserts_in(function, *block, &is_holder)).collect();
    while let Some(block) = todo.pop() {
        for branch in &deciding[block] {
            if !std::mem::replace(&mut is_gate[*branch], true) {
                todo.push(*branch);
            }
        }
    }
    is_gate
}
