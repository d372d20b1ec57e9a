//! What a run executed, so that people can follow it through the source, and for line counts.

use crate::describe::SourceQuotes;
use crate::report::PathStep;
use nub_c_ir::interp::TraceEvent;
use nub_c_ir::{ConditionTest, FunctionId, Position, StatementId};
use rustc_hash::FxHashMap;

/// The kind of a step, without its position and its text: a trace may be long.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Statement(StatementId),
    Condition(ConditionTest, bool),
}

/// Statements and conditions of a trace that are in the file of the function, each once with how often it was executed, in the order in which they
/// were first reached. So a path is never longer than the source, however long the loops run.
pub fn path(source: SourceQuotes<'_>, function: FunctionId, trace: &[TraceEvent]) -> Vec<PathStep> {
    let program = source.program;
    let file = program.function(function).position.file;
    let mut order: Vec<Step> = Vec::new();
    let mut times: FxHashMap<Step, u64> = FxHashMap::default();
    for event in trace {
        let step = match event {
            TraceEvent::Statement { statement, .. } => Step::Statement(*statement),
            TraceEvent::Branch { test: Some(test), is_true, .. } => Step::Condition(*test, *is_true),
            _ => continue,
        };
        let n_times = times.entry(step).or_default();
        if *n_times == 0 {
            order.push(step);
        }
        *n_times += 1;
    }
    let show = |step: Step| {
        let (position, condition, outcome) = match step {
            Step::Statement(statement) => (program.statements[statement.index()].position, None, None),
            Step::Condition(test, is_true) => {
                let decision = &program.decisions[test.decision.index()];
                let position = decision.conditions[test.condition as usize].position;
                (position, Some(source.condition(test)), Some(is_true))
            }
        };
        let Position { line, column, .. } = position;
        (position.file == file).then(|| PathStep { line, column, condition, outcome, times: times[&step] })
    };
    order.into_iter().filter_map(show).collect()
}
