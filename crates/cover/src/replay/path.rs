//! What a run executed, so that people can follow it through the source, and for line counts.

use crate::describe::SourceQuotes;
use crate::report::PathStep;
use crate::search::Behaviour;
use nub_bitvec::{Assignment, Datum, Evaluator, TermId};
use nub_c_ir::interp::TraceEvent;
use nub_c_ir::{ConditionTest, FunctionId, Position, StatementId};
use nub_unroll::Unrolled;
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
    let steps = trace.iter().filter_map(|event| match event {
        TraceEvent::Statement { statement, .. } => Some(Step::Statement(*statement)),
        TraceEvent::Branch { test: Some(test), is_true, .. } => Some(Step::Condition(*test, *is_true)),
        _ => None,
    });
    counted(source, function, steps)
}

/// The same for a run that the interpreter cannot make, from the terms: by line, since terms have no order. O(terms).
pub fn path_of_terms(source: SourceQuotes<'_>, unrolled: &Unrolled, test: &Behaviour) -> Vec<PathStep> {
    let statements = unrolled.statements.iter().map(|executed| executed.guard);
    let conditions = unrolled.decisions.iter().flat_map(|decision| &decision.conditions);
    let roots: Vec<TermId> =
        statements.chain(conditions.flat_map(|found| [found.evaluated, found.value])).collect();
    let mut values = Assignment::new();
    for (input, value) in unrolled.inputs.iter().zip(&test.inputs) {
        values.set(input.term, Datum::Bits(value.clone()));
    }
    unrolled.add_library_results(&mut values);
    let found = Evaluator::new(&unrolled.pool, &roots).run(&values);
    let (of_statements, of_conditions) = found.split_at(unrolled.statements.len());
    let executed = unrolled.statements.iter().zip(of_statements).filter(|(_, guard)| guard.is_true());
    let tests = unrolled.decisions.iter().flat_map(|decision| {
        decision
            .conditions
            .iter()
            .map(|found| ConditionTest { decision: decision.decision, condition: found.condition })
    });
    let evaluated = tests.zip(of_conditions.chunks(2)).filter(|(_, pair)| pair[0].is_true());
    let steps = executed
        .map(|(executed, _)| Step::Statement(executed.statement))
        .chain(evaluated.map(|(test, pair)| Step::Condition(test, pair[1].is_true())));
    let mut path = counted(source, unrolled.function, steps);
    path.sort_by_key(|step| (step.line, step.column, step.outcome.is_some()));
    path
}

fn counted(
    source: SourceQuotes<'_>,
    function: FunctionId,
    steps: impl Iterator<Item = Step>,
) -> Vec<PathStep> {
    let program = source.program;
    let file = program.function(function).position.file;
    let mut order: Vec<Step> = Vec::new();
    let mut times: FxHashMap<Step, u64> = FxHashMap::default();
    for step in steps {
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
