//! What a run executed, for people to follow it through the source.

use crate::describe::Source;
use crate::report::PathStep;
use nub_c_ir::interp::Event;
use nub_c_ir::{FunctionId, Position};
use rustc_hash::FxHashSet;

/// Statements and conditions of a trace that are in the file of the function, each once, in the order in which they were reached. So a path is
/// never longer than the source, however long the loops run.
pub fn path(source: Source<'_>, function: FunctionId, trace: &[Event]) -> Vec<PathStep> {
    let program = source.program;
    let file = program.function(function).position.file;
    let at = |position: Position| (position.file == file).then_some(position.line);
    let step = |event: &Event| match event {
        Event::Statement { statement, .. } => {
            let line = at(program.statements[statement.index()].position)?;
            Some(PathStep { line, condition: None, outcome: None })
        }
        Event::Branch { test: Some(test), is_true, .. } => {
            let decision = &program.decisions[test.decision.index()];
            let line = at(decision.conditions[test.condition as usize].position)?;
            Some(PathStep { line, condition: Some(source.condition(*test)), outcome: Some(*is_true) })
        }
        _ => None,
    };
    let mut seen = FxHashSet::default();
    trace.iter().filter_map(step).filter(|step| seen.insert(step.clone())).collect()
}
