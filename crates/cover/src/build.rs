//! Turns results of the search into a report in source terms.

use crate::goals::{Criterion, EvaluationMode, GoalSubject, RunEvent, SourceGoal};
use crate::judge::{Ground, claim};
use crate::observe::{Observed, Observer, RunEnd};
use crate::options::Error;
use crate::reasons::check_text;
use crate::replay::{Replayed, path_of_terms, replay};
use crate::report::{
    CoverReport, CoverState, EarlyStop, GoalKind, GoalReport, Incompatible, NeedWeights, ObservedEnd,
    OverflowReading, Premise, ProofKind, Summary, TestInput, TestReport, WeightedNeed,
};
use crate::same_inputs::give_same_inputs;
use crate::search::{AtomId, Behaviour, GoalState, MinimumProof, Need, Weighting};
use crate::task::{Found, Task};
use nub_bitvec::Value;
use nub_c_ir::{CheckKind, SignedOverflow, StopKind};
use nub_harness::{
    VolatileUse, decimal, earlier_call, effects, is_set, is_volatile_read, literal, returned_pointer, setup,
    stub_call, stubs_with_copy, test_input,
};
use nub_sat::SatStop;
use nub_unroll::{InputPart, InputPlace};

/// The version of the JSON format.
const VERSION: u32 = 1;

/// Builds the report; every test is evaluated and replayed on the way.
pub(crate) fn build(task: &Task<'_>, found: &Found) -> Result<CoverReport, Error> {
    let goals: Vec<GoalReport> = (0..task.goals.len()).map(|index| goal(task, found, index)).collect();
    let mut tests = Vec::new();
    let reading = task.reading;
    let program = task.source.program;
    let observer = Observer::new(program, task.unrolled, task.encoded);
    let n_more = found.mutation.as_ref().map_or(0, |mutation| mutation.more_tests);
    let n_suite = found.suite.tests.len() - n_more;
    for (index, behaviour) in found.suite.tests.iter().enumerate() {
        if index == n_suite {
            tests.extend(concrete_tests(task, found, index, &goals));
        }
        let observed = observer.observe(behaviour).map_err(|defect| Error::Internal(defect.to_string()))?;
        let replayed =
            replay(task.source, task.unrolled, task.encoded, reading.evaluation, behaviour, &observed)
                .map_err(|difference| Error::Internal(difference.to_string()))?;
        let test = test(task, tests.len(), behaviour, &observed, &goals);
        tests.push(with_path(task, test, behaviour, replayed));
    }
    if n_more == 0 {
        tests.extend(concrete_tests(task, found, n_suite, &goals));
    }
    if !found.concrete.is_empty() {
        give_same_inputs(&mut tests);
    }
    let (proof, clique) = match &found.suite.proof {
        MinimumProof::Clique(clique) => (ProofKind::Clique, clique),
        MinimumProof::Weights { clique } => (ProofKind::Weights, clique),
        MinimumProof::Copies { clique } => (ProofKind::Copies, clique),
        MinimumProof::Gap { clique } => (ProofKind::None, clique),
    };
    let (file, line) = task.source.function_place(task.unrolled.function);
    let volatile = VolatileUse {
        is_read: tests.iter().flat_map(|test| &test.reads).any(is_volatile_read),
        writes_registers: tests.iter().any(|test| !test.registers.is_empty()),
    };
    let stubs = stubs_with_copy(program, task.unrolled.function, task.source.text, volatile);
    let is_mcdc = matches!(reading.criterion, Criterion::Mcdc | Criterion::McdcPairs);
    Ok(CoverReport {
        version: VERSION,
        function: task.source.program.function(task.unrolled.function).name.clone(),
        file,
        line,
        criterion: reading.criterion,
        mcdc: is_mcdc.then_some(reading.mcdc),
        evaluate_all: reading.evaluation == EvaluationMode::All,
        signed_overflow: (program.model.signed_overflow == SignedOverflow::Wraps)
            .then_some(OverflowReading::Wraps),
        unwind: task.is_loop_cut().then_some(task.bound),
        elements: task.is_memory_cut().then_some(task.elements),
        summary: summary(&goals),
        n_existing: task.existing.len(),
        best_grade: found.best_grade,
        lower_bound: found.suite.lower,
        is_minimal: found.suite.lower + task.existing.len() + n_more >= tests.len()
            && task.routes_stop.is_none(),
        mutation: found.mutation.clone(),
        proof,
        clique: clique.needs.iter().map(|need| incompatible(task, need)).collect(),
        weights: found.suite.weighting.as_ref().map(|found| weights(task, found)),
        tests,
        goals,
        undefined_behaviour: found.undefined.clone(),
        native: None,
        stopped: found.suite.stop.as_ref().map(early_stop),
        n_questions: found.n_questions,
        stubs,
        needs_math_library: program.needs_math_library(),
    })
}

/// The tests that are concrete runs, from this position on.
fn concrete_tests(task: &Task<'_>, found: &Found, first: usize, goals: &[GoalReport]) -> Vec<TestReport> {
    let mut reports = Vec::with_capacity(found.concrete.len());
    for (index, concrete) in (first..).zip(&found.concrete) {
        // Each has terms of its own.
        let own = Task { unrolled: &concrete.unrolled, encoded: &concrete.encoded, ..*task };
        let test = test(&own, index, &concrete.behaviour, &concrete.observed, goals);
        reports.push(with_path(&own, test, &concrete.behaviour, concrete.replayed.clone()));
    }
    reports
}

/// A test with what it executes: as the interpreter saw it, or else by its terms.
fn with_path(task: &Task<'_>, test: TestReport, behaviour: &Behaviour, replayed: Replayed) -> TestReport {
    match replayed {
        Replayed::Yes(path) => TestReport { is_replayed: true, path, ..test },
        Replayed::NotPossible => {
            TestReport { path: path_of_terms(task.source, task.unrolled, behaviour), ..test }
        }
    }
}

fn early_stop(stop: &SatStop) -> EarlyStop {
    match stop {
        // Only the time limit cancels.
        SatStop::Cancelled => EarlyStop::TimeLimit,
        other => EarlyStop::Solver(other.to_string()),
    }
}

fn summary(goals: &[GoalReport]) -> Summary {
    let mut summary = Summary { goals: goals.len(), ..Summary::default() };
    for goal in goals {
        match goal.state {
            CoverState::Covered => summary.covered += 1,
            CoverState::Infeasible => summary.infeasible += 1,
            CoverState::InfeasibleIf => summary.infeasible_if += 1,
            CoverState::Undefined => summary.undefined += 1,
            CoverState::BeyondBound => summary.beyond_bound += 1,
            CoverState::LeftOut => summary.left_out += 1,
            CoverState::Open => summary.open += 1,
        }
    }
    summary
}

fn goal(task: &Task<'_>, found: &Found, index: usize) -> GoalReport {
    let SourceGoal { id, subject, .. } = &task.goals[index];
    let (text, wanted) = task.words().subject(*subject);
    let (kind, line, column) = place(task, *subject);
    let (state, tests) = match &found.suite.goals[index] {
        GoalState::Covered(tests) => (CoverState::Covered, tests.iter().map(|test| test + 1).collect()),
        GoalState::Infeasible => (CoverState::Infeasible, Vec::new()),
        GoalState::Undefined => (CoverState::Undefined, Vec::new()),
        GoalState::BeyondBound => (CoverState::BeyondBound, Vec::new()),
        GoalState::LeftOut => (CoverState::LeftOut, Vec::new()),
        GoalState::Open => (CoverState::Open, Vec::new()),
    };
    let ground = &found.grounds[index];
    let claimed = claim(state, ground);
    let reason = match (claimed, state) {
        (CoverState::InfeasibleIf, CoverState::BeyondBound) => Some("no test can reach it".to_owned()),
        (CoverState::Undefined | CoverState::InfeasibleIf, CoverState::Infeasible) if ground.needs_rules => {
            let rule = check_text(CheckKind::Uninitialised);
            Some(format!("every run that reaches it has undefined behaviour: {rule}"))
        }
        (CoverState::BeyondBound, CoverState::Undefined) => {
            Some("within the bounds, only runs with undefined behaviour reach it".to_owned())
        }
        _ => found.reasons[index].clone(),
    };
    GoalReport {
        id: id.clone(),
        kind,
        line,
        column,
        text,
        wanted,
        state: claimed,
        tests,
        reason,
        premises: if claimed == CoverState::BeyondBound { Vec::new() } else { premises(ground) },
    }
}

/// What a claim depends on. If that is unknown, the report says so.
fn premises(ground: &Ground) -> Vec<Premise> {
    let mut all = ground.premises.clone();
    all.extend(ground.is_unchecked.then(|| Premise {
        text: "the inputs describe all that callers, other files and devices can do (not checked)".to_owned(),
        lifted_by: None,
    }));
    all
}

fn place(task: &Task<'_>, subject: GoalSubject) -> (GoalKind, u32, u32) {
    let program = task.source.program;
    let (kind, position) = match subject {
        GoalSubject::Event(RunEvent::Statement(statement)) => {
            (GoalKind::Statement, program.statements[statement.index()].position)
        }
        GoalSubject::Event(RunEvent::Outcome(decision, _) | RunEvent::Path(decision, _)) => {
            (GoalKind::Decision, program.decisions[decision.index()].position)
        }
        GoalSubject::Event(RunEvent::Condition(test, _)) => (
            GoalKind::Condition,
            program.decisions[test.decision.index()].conditions[test.condition as usize].position,
        ),
        GoalSubject::Event(RunEvent::Boundary(test, _)) => (
            GoalKind::Boundary,
            program.decisions[test.decision.index()].conditions[test.condition as usize].position,
        ),
        GoalSubject::Event(RunEvent::Route(id)) => {
            let last = task.encoded.routes[id.index()].turns.last();
            let position = program.function(task.unrolled.function).position;
            (GoalKind::Path, last.map_or(position, |turn| program.decisions[turn.decision.index()].position))
        }
        GoalSubject::Independence(test) => (
            GoalKind::Mcdc,
            program.decisions[test.decision.index()].conditions[test.condition as usize].position,
        ),
    };
    (kind, position.line, position.column)
}

fn test(
    task: &Task<'_>,
    index: usize,
    behaviour: &Behaviour,
    observed: &Observed,
    goals: &[GoalReport],
) -> TestReport {
    let (program, unrolled) = (task.source.program, task.unrolled);
    let given = unrolled.inputs.iter().zip(&behaviour.inputs).zip(&observed.is_read);
    let inputs = given.map(|((input, value), is_read)| {
        let name = input.name.clone();
        if input.place == InputPlace::Calls {
            let value = unrolled.calls_made(value.to_u64()).to_string();
            return TestInput {
                name,
                ty: "unsigned".to_owned(),
                value,
                is_read: true,
                shown: None,
                hex: None,
            };
        }
        let is_read = *is_read && is_set(unrolled, &behaviour.inputs, &input.place);
        TestInput { is_read, ..test_input(program, name, input.ty, value) }
    });
    let mut setup = setup(program, unrolled, &behaviour.inputs, &observed.is_read);
    let n_calls = setup.calls.len();
    let args = setup.calls.pop().unwrap_or_default();
    let (earlier, on_earlier) = earlier_calls(task, &setup.calls, observed);
    let (end, result) = match &observed.end {
        RunEnd::Returned(value) => {
            (ObservedEnd::Returned, value.as_ref().map(|value| shown_result(task, value)))
        }
        RunEnd::Stopped(StopKind::Abort) => (ObservedEnd::Aborted, None),
        RunEnd::Stopped(StopKind::Exit) => (ObservedEnd::Exited, None),
        RunEnd::Stopped(StopKind::AssertFailed) => (ObservedEnd::AssertionFailed, None),
    };
    let number = index + 1;
    TestReport {
        number,
        inputs: inputs.collect(),
        args,
        pre: setup.before.join("\n"),
        earlier,
        earlier_results: observed.earlier.iter().flatten().map(|value| shown_result(task, value)).collect(),
        reads: setup.reads,
        unset: setup.unset,
        registers: setup.registers,
        observed_end: end,
        observed_result: result,
        observed_literal: literal_of(task, observed),
        effects: changes(task, behaviour, observed),
        calls: observed
            .stub_calls
            .iter()
            .map(|seen| stub_call(program, unrolled, &unrolled.stub_calls[seen.index], &seen.values))
            .collect(),
        after: match &observed.end {
            RunEnd::Returned(_) => {
                on_earlier.into_iter().chain(effects(program, unrolled, n_calls, &observed.outputs)).collect()
            }
            RunEnd::Stopped(_) => Vec::new(),
        },
        is_replayed: false,
        path: Vec::new(),
        goals: goals.iter().filter(|goal| goal.tests.contains(&number)).map(|goal| goal.id.clone()).collect(),
    }
}

/// The calls before the last one as statements, and the conditions on their results.
fn earlier_calls(task: &Task<'_>, calls: &[Vec<String>], observed: &Observed) -> (Vec<String>, Vec<String>) {
    let (mut statements, mut conditions) = (Vec::new(), Vec::new());
    for (number, args) in calls.iter().enumerate() {
        let value = observed.earlier.get(number).and_then(Option::as_ref);
        let (lines, condition) = earlier_call(task.source.program, task.unrolled, number, args, value);
        statements.extend(lines);
        conditions.extend(condition);
    }
    (statements, conditions)
}

/// The returned value: a number, or what a pointer points to. The address of the model says nothing to the user.
fn shown_result(task: &Task<'_>, value: &Value) -> String {
    let program = task.source.program;
    let ty = program.function(task.unrolled.function).result;
    match (program.types.number_format(ty), value.to_u64()) {
        (None, Some(address)) => task.unrolled.address_name(program, ty, address),
        _ => decimal(program, ty, value),
    }
}

/// The returned value, if it is an integer.
fn literal_of(task: &Task<'_>, observed: &Observed) -> Option<String> {
    let program = task.source.program;
    let ty = program.function(task.unrolled.function).result;
    match &observed.end {
        RunEnd::Returned(Some(value)) if program.types.number_format(ty).is_some() => {
            Some(literal(program, ty, value))
        }
        RunEnd::Returned(Some(value)) => returned_pointer(program, task.unrolled, ty, value),
        _ => None,
    }
}

/// The numbers that the function has changed in memory that it was given, and in globals.
fn changes(task: &Task<'_>, behaviour: &Behaviour, observed: &Observed) -> Vec<TestInput> {
    let (program, unrolled) = (task.source.program, task.unrolled);
    if !matches!(observed.end, RunEnd::Returned(_)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (output, value) in unrolled.outputs.iter().zip(&observed.outputs) {
        let Some(value) = value else { continue };
        let before = unrolled
            .inputs
            .iter()
            .zip(&behaviour.inputs)
            .find(|(input, _)| input.place == output.place && input.part == InputPart::Value);
        let is_same = before.is_some_and(|(_, before)| before == value);
        if program.types.number_format(output.ty).is_some() && !is_same {
            found.push(test_input(program, output.name.clone(), output.ty, value));
        }
    }
    found
}

fn weights(task: &Task<'_>, found: &Weighting) -> NeedWeights {
    let need = |(need, weight): &(Need, u64)| {
        let Incompatible { goal, text } = incompatible(task, need);
        WeightedNeed { goal, text, weight: *weight }
    };
    NeedWeights { needs: found.needs.iter().map(need).collect(), most: found.most }
}

fn incompatible(task: &Task<'_>, need: &Need) -> Incompatible {
    let goal = &task.goals[need.goal];
    let event_of = |atom: &AtomId| {
        let own = goal.ways.iter().flatten().find(|event| task.encoded.events[event].1 == *atom);
        own.map(|event| task.words().event(*event))
    };
    let texts: Vec<String> = need.atoms.iter().filter_map(event_of).collect();
    Incompatible { goal: goal.id.clone(), text: texts.join(", or ") }
}
