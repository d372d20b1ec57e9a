//! What a run executed, for people to follow it through the source.

use crate::describe::SourceQuotes;
use crate::report::PathStep;
use nub_c_ir::interp::TraceEvent;
use nub_c_ir::{FunctionId, Position};
use rustc_hash::FxHashSet;

/// Statements and conditions of a trace that are in the file of the function, each once, in the order in which they were reached. So a path is
/// never longer than the source, however long the loops run.
pub fn path(source: SourceQuotes<'_>, function: FunctionId, trace: &[TraceEvent]) -> Vec<PathStep> {
    let program = source.program;
    let file = program.function(function).position.file;
    let at = |position: Position| (position.file == file).then_some(position.line);
    let step = |event: &TraceEvent| match event {
        TraceEvent::Statement { statement, .. } => {
            let line = at(program.statements[statement.index()].position)?;
            Some(PathStep { line, condition: None, outcome: None })
        }
        TraceEvent::Branch { test: Some(test), is_true, .. } => {
            let decision = &program.decisions[test.decision.index()];
            let line = at(decision.conditions[test.condition as usize].position)?;
            Some(PathStep { line, condition: Some(source.condition(*test)), outcome: Some(*is_true) })
        }
        _ => None,
    };
    let mut seen = FxHashSet::default();
    trace.iter().filter_map(step).filter(|step| seen.insert(step.clone())).collect()
}
