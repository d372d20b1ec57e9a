//! Bounds of loops, and inputs by their names.

use super::runs::Run;
use nub_c_ir::{FunctionId, LoopId, ProgramSource};
use nub_unroll::{Bounded, ContextKind, UnrollConfig, Unrolled};
use rustc_hash::FxHashMap;

/// How often each loop runs. With a table in its condition a loop of constant length is no longer constant, and must not be cut too early.
pub(super) fn rounds(unrolled: &Unrolled, config: &UnrollConfig) -> Vec<((FunctionId, LoopId), u32)> {
    let mut most: FxHashMap<(FunctionId, LoopId), u32> = FxHashMap::default();
    for context in &unrolled.contexts {
        let ContextKind::Round { source: Some(source), number, .. } = context.kind else { continue };
        let mut around = context.parent;
        let function = loop {
            let Some(parent) = around.and_then(|id| unrolled.contexts.get(id.index())) else { break None };
            match parent.kind {
                ContextKind::Entry(function) | ContextKind::Call { function, .. } => break Some(function),
                ContextKind::Round { .. } => around = parent.parent,
            }
        };
        if let Some(function) = function {
            let rounds = most.entry((function, source)).or_insert(0);
            *rounds = (*rounds).max(number);
        }
    }
    let is_cut = |key: &(FunctionId, LoopId)| {
        unrolled.over.iter().any(|over| {
            matches!(over.bounded, Bounded::Loop { function, source, .. } if (function, source) == (key.0, Some(key.1)))
        })
    };
    let bound = |key: &(FunctionId, LoopId)| config.loops.get(key).copied().unwrap_or(config.unwind);
    let mut found: Vec<_> =
        most.into_iter().filter(|(key, rounds)| !is_cut(key) && *rounds > bound(key)).collect();
    found.sort_unstable();
    found
}

/// The inputs of a run with their names.
pub(super) fn named(source: ProgramSource<'_>, unrolled: &Unrolled, run: &Run) -> Vec<(String, String)> {
    let names = nub_unroll::input_names(source.program, unrolled);
    let list = unrolled.inputs.iter().zip(&run.values).zip(names);
    list.map(|((input, value), name)| {
        (name, super::report::number(&source.program.types, input.ty, nub_unroll::to_bits(value)))
    })
    .collect()
}
