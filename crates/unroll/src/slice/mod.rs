//! Relevance slicing (Weiler 2013, section 3.1): what cannot influence a control decision is left out before anything is encoded.
//!
//! The program is read backwards. What a decision reads is directly relevant; what an assignment to something relevant reads is indirectly
//! relevant; above an assignment that sets all of a variable, the variable is not relevant any more. Where paths meet (read backwards:
//! where they part) the relevant sets are united. Calls are followed: what is relevant after any call of a function is relevant at its
//! end. Variables whose address is taken are one lot, and are never set entirely.
//!
//! Cost: O(instructions × rounds until nothing changes), with one bit per variable and block.

mod effects;
mod flow;
mod set;

use effects::Places;
use flow::{Flow, Summary};
use nub_c_ir::{BlockId, Body, FunctionId, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What must be preserved beside the control decisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Goals {
    /// Assertions and assumptions.
    pub asserts: bool,
    /// Conditions for defined behaviour.
    pub checks: bool,
    /// What the function returns.
    pub result: bool,
    /// Global objects and what parameters point to, after the function returned.
    pub outputs: bool,
}

/// What of a program is relevant.
#[derive(Clone, Debug)]
pub struct Slice {
    /// For each function that can be reached: for each block and instruction whether it stays.
    kept: FxHashMap<FunctionId, Vec<Vec<bool>>>,
    /// For each parameter of the function under test.
    params: Vec<bool>,
}

impl Slice {
    /// True if the instruction stays. Those of functions that were not looked at do.
    pub fn keeps(&self, function: FunctionId, block: BlockId, instr: usize) -> bool {
        let blocks = self.kept.get(&function).and_then(|blocks| blocks.get(block.index()));
        blocks.and_then(|instrs| instrs.get(instr)).copied().unwrap_or(true)
    }

    /// For each parameter of the function under test: can it influence the goals?
    pub fn relevant_params(&self) -> &[bool] {
        &self.params
    }
}

/// Finds what is relevant for the control decisions of a function and what it calls, and for the goals.
pub fn slice(program: &Program, function: FunctionId, goals: Goals) -> Slice {
    let places = Places::new(program);
    let mut summaries: FxHashMap<FunctionId, Summary> = FxHashMap::default();
    let mut start = Summary::new(places.n_shared());
    start.returns = goals.result;
    if goals.outputs {
        start.after.insert_all();
    }
    summaries.insert(function, start);
    let mut todo: BTreeSet<FunctionId> = BTreeSet::from([function]);
    let mut kept = FxHashMap::default();
    let mut callers: FxHashMap<FunctionId, BTreeSet<FunctionId>> = FxHashMap::default();
    // Sets only grow and are finite, so this ends.
    while let Some(id) = todo.pop_first() {
        if !matches!(program.function(id).body, Body::Defined) {
            continue;
        }
        let mut flow = Flow::new(program, &places, id, goals, &summaries);
        flow.run();
        let found = flow.finish();
        for (callee, after) in found.calls {
            callers.entry(callee).or_default().insert(id);
            let is_new = !summaries.contains_key(&callee);
            let summary = summaries.entry(callee).or_insert_with(|| Summary::new(places.n_shared()));
            if summary.join_after(&after) || is_new {
                todo.insert(callee);
            }
        }
        kept.insert(id, found.kept);
        let summary = summaries.entry(id).or_insert_with(|| Summary::new(places.n_shared()));
        if summary.join_before(&found.before, &found.params, found.matters) {
            todo.extend(callers.get(&id).into_iter().flatten());
        }
    }
    let params = summaries.get(&function).map(|summary| summary.params.clone()).unwrap_or_default();
    Slice { kept, params }
}
