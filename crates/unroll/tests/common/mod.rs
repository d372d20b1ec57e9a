//! What the tests share: reading C, and the law of replay.
//!
//! The law: for any values of the inputs, the interpreter and the evaluation of the unrolled terms agree: the same statements in the same order, the
//! same conditions with the same values, the same values assigned, the same end.

#![allow(clippy::unwrap_used, dead_code)] // Tests may stop; each test file uses a part of this.

pub mod generate;

use nub_bitvec::{Assignment, Datum, Evaluator, Sort, TermId, Value};
use nub_c_ir::interp::{self, TraceEvent};
use nub_c_ir::{CheckKind, DataModel, FunctionId, InterpreterLimits, Program, StatementId, Type};
use nub_random::Rng;
use nub_unroll::{UnrollConfig, UnrollRefusal, Unrolled, What, interpreter_inputs, unroll};
use std::collections::BTreeMap;

/// A program from its text, which must have no findings.
#[track_caller]
pub fn program(text: &str) -> Program {
    program_with(text, &DataModel::lp64())
}

#[track_caller]
pub fn program_with(text: &str, model: &DataModel) -> Program {
    let (unit, found) = nub_c_syntax::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?} in\n{text}");
    let (program, found) = nub_c_ir::lower(&unit, model);
    assert!(found.is_empty(), "{found:?} in\n{text}");
    program
}

#[track_caller]
pub fn function(program: &Program, name: &str) -> FunctionId {
    program.function_by_name(name).unwrap()
}

/// Unrolls function `f` of a text.
pub fn try_unroll(text: &str, config: &UnrollConfig) -> (Program, Result<Unrolled, UnrollRefusal>) {
    try_unroll_with(text, &DataModel::lp64(), config)
}

/// The same, on another machine.
pub fn try_unroll_with(
    text: &str,
    model: &DataModel,
    config: &UnrollConfig,
) -> (Program, Result<Unrolled, UnrollRefusal>) {
    let program = program_with(text, model);
    let unrolled = unroll(&program, function(&program, "f"), config);
    (program, unrolled)
}

/// Unrolls function `f` of a text.
#[track_caller]
pub fn unrolled(text: &str, config: &UnrollConfig) -> (Program, Unrolled) {
    let (program, unrolled) = try_unroll(text, config);
    (program, unrolled.unwrap())
}

/// Random numbers, with a preference for those that matter to programs.
pub struct Random(Rng);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Rng::new(seed))
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0.below(limit)
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// Numbers that matter to programs: small, near the ends of the range, or anything.
    fn bits(&mut self) -> u64 {
        match self.below(4) {
            0 => self.below(4).wrapping_sub(2),
            1 => self.below(24),
            2 => (1_u64 << self.below(64)).wrapping_add(self.below(3)).wrapping_sub(1),
            _ => self.below(1 << 31) << 33 ^ self.below(1 << 31) << 11 ^ self.below(1 << 31),
        }
    }
}

/// Values for all inputs.
pub fn random_inputs(unrolled: &Unrolled, random: &mut Random) -> Assignment {
    let mut values = Assignment::new();
    for input in &unrolled.inputs {
        let Sort::Bits(width) = unrolled.pool.sort(input.term) else { continue };
        let (low, high) = (random.bits(), random.bits());
        let bits =
            (0..width).map(|bit| if bit < 64 { low >> bit & 1 == 1 } else { high >> (bit - 64) & 1 == 1 });
        values.set(input.term, Datum::Bits(Value::from_bits(bits)));
    }
    values
}

/// Values of all terms that matter, in one run.
pub struct Seen<'a> {
    unrolled: &'a Unrolled,
    evaluator: Evaluator<'a>,
    roots: Vec<TermId>,
}

/// The values of one run.
pub struct Values<'a> {
    roots: &'a [TermId],
    values: Vec<u128>,
}

impl<'a> Seen<'a> {
    pub fn new(unrolled: &'a Unrolled) -> Seen<'a> {
        let mut roots = vec![unrolled.returned];
        roots.extend(unrolled.result);
        roots.extend(unrolled.assignments.iter().flat_map(|found| [found.guard, found.term]));
        roots.extend(unrolled.statements.iter().map(|found| found.guard));
        roots.extend(unrolled.checks.iter().flat_map(|found| [found.guard, found.condition]));
        roots.extend(unrolled.asserts.iter().flat_map(|found| [found.guard, found.condition]));
        roots.extend(unrolled.assumes.iter().flat_map(|found| [found.guard, found.condition]));
        roots.extend(unrolled.over.iter().map(|found| found.guard));
        roots.extend(unrolled.stops.iter().map(|found| found.guard));
        for evaluation in &unrolled.decisions {
            roots.push(evaluation.reach);
            roots.extend(evaluation.conditions.iter().flat_map(|found| [found.evaluated, found.value]));
            roots.extend(evaluation.outcomes.iter().map(|found| found.1));
        }
        roots.sort_unstable();
        roots.dedup();
        Seen { unrolled, evaluator: Evaluator::new(&unrolled.pool, &roots), roots }
    }

    pub fn run(&self, assignment: &Assignment) -> Values<'_> {
        let bits = |value: &Value| {
            value.bits().take(128).enumerate().fold(0, |all, (at, bit)| all | u128::from(bit) << at)
        };
        let values = self.evaluator.run(assignment).iter().map(|datum| bits(datum.bits())).collect();
        Values { roots: &self.roots, values }
    }
}

impl Values<'_> {
    pub fn of(&self, term: TermId) -> u128 {
        self.values[self.roots.binary_search(&term).unwrap()]
    }

    pub fn holds(&self, term: TermId) -> bool {
        self.of(term) == 1
    }
}

/// What each side reports about a run.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Story {
    pub statements: Vec<StatementId>,
    /// Decision, condition or case, value.
    pub decided: Vec<(u32, u32, bool)>,
    /// Statement, offset in the object if that is constant, value.
    pub assigned: Vec<(StatementId, Option<u128>)>,
}

/// Checks the law for one run; true if the run was compared to its end.
#[track_caller]
pub fn check_run(program: &Program, seen: &Seen<'_>, assignment: &Assignment) -> bool {
    let unrolled = seen.unrolled;
    let Some(inputs) = interpreter_inputs(program, unrolled, assignment) else { return false };
    let values = seen.run(assignment);
    if unrolled.over.iter().any(|over| values.holds(over.guard)) {
        return false;
    }
    let limits = InterpreterLimits { steps: 200_000, ..InterpreterLimits::default() };
    let run = interp::run(program, unrolled.function, &inputs, &limits);
    let expected = story_of_run(program, &run.trace);
    let mut found = story_of_terms(program, unrolled, &values, &run.trace);
    // An early end of the run stops the interpreter's trace, but not the terms.
    let is_whole = run.outcome == interp::RunOutcome::Returned;
    if !is_whole {
        found.statements.truncate(expected.statements.len());
        found.assigned.truncate(expected.assigned.len());
        // These are in the order of decisions, so each decision is cut off separately.
        let mut left: BTreeMap<u32, usize> = BTreeMap::new();
        expected.decided.iter().for_each(|decided| *left.entry(decided.0).or_default() += 1);
        found.decided.retain(|decided| match left.get_mut(&decided.0) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        });
    }
    assert_eq!(found, expected, "{:?} of {inputs:?}", run.outcome);
    for evaluation in unrolled.decisions.iter().filter(|found| is_whole && values.holds(found.reach)) {
        let taken = evaluation.outcomes.iter().filter(|(_, guard)| values.holds(*guard)).count();
        assert_eq!(taken, 1, "a decision that is reached is made: {evaluation:?}");
    }
    check_end(unrolled, &values, &run);
    is_whole
}

/// The end of a run.
#[track_caller]
fn check_end(unrolled: &Unrolled, values: &Values<'_>, run: &interp::InterpretedRun) {
    let is_true = |term: TermId| values.holds(term);
    let fails = |guard: TermId, condition: TermId| is_true(guard) && !is_true(condition);
    let broken: Vec<CheckKind> = unrolled
        .checks
        .iter()
        .filter(|check| fails(check.guard, check.condition))
        .map(|check| check.kind)
        .collect();
    match &run.outcome {
        interp::RunOutcome::Returned => {
            assert_eq!(broken, [], "the run is defined");
            assert!(!unrolled.asserts.iter().any(|found| fails(found.guard, found.condition)));
            assert!(!unrolled.assumes.iter().any(|found| fails(found.guard, found.condition)));
            assert!(is_true(unrolled.returned));
            if let (Some(interp::RuntimeValue::Int(expected)), Some(result)) =
                (&run.returned, unrolled.result)
            {
                assert_eq!(values.of(result), *expected, "what is returned");
            }
        }
        interp::RunOutcome::Undefined(kind, site) => {
            let is_it = |check: &nub_unroll::Property<CheckKind>| {
                check.kind == *kind && check.origin == site.origin && fails(check.guard, check.condition)
            };
            assert!(unrolled.checks.iter().any(is_it), "{kind:?} at {:?}, found {broken:?}", site.origin);
        }
        interp::RunOutcome::AssertionFailed(site, _) => {
            let is_it = |found: &nub_unroll::Property<nub_c_ir::AssertKind>| {
                found.origin == site.origin && fails(found.guard, found.condition)
            };
            assert!(unrolled.asserts.iter().any(is_it));
        }
        interp::RunOutcome::AssumptionFailed(site) => {
            let is_it = |found: &nub_unroll::Property<()>| {
                found.origin == site.origin && fails(found.guard, found.condition)
            };
            assert!(unrolled.assumes.iter().any(is_it));
        }
        interp::RunOutcome::Stopped(kind) => {
            assert!(unrolled.stops.iter().any(|stop| stop.kind == *kind && is_true(stop.guard)));
            assert!(!is_true(unrolled.returned));
        }
        // The interpreter has no room for such an object; the terms have no such limit.
        interp::RunOutcome::MemoryLimit => {}
        other => panic!("{other:?}, but no bound was met"),
    }
}

fn is_integer(program: &Program, ty: nub_c_ir::TypeId) -> bool {
    matches!(program.types.get(ty), Type::Int(_))
}

fn story_of_run(program: &Program, trace: &[TraceEvent]) -> Story {
    let mut story = Story::default();
    let records = with_records(program, trace);
    for event in trace {
        match event {
            TraceEvent::Statement { statement, .. } => story.statements.push(*statement),
            TraceEvent::Branch { test: Some(test), is_true, .. } => {
                story.decided.push((test.decision.0, test.condition, *is_true));
            }
            TraceEvent::Switch { decision, outcome, .. } => {
                story.decided.push((decision.0, case(*outcome), true))
            }
            TraceEvent::Assign { statement, target, value, .. }
                if is_integer(program, target.ty) && !records.contains(statement) =>
            {
                let value = match value {
                    interp::RuntimeValue::Int(bits) => Some(*bits),
                    _ => None,
                };
                story.assigned.push((*statement, value));
            }
            TraceEvent::Input { statement, target, value, .. }
                if is_integer(program, target.ty)
                    && target.bits.is_none()
                    && !records.contains(statement) =>
            {
                story.assigned.push((*statement, Some(*value)));
            }
            _ => {}
        }
    }
    story.decided.sort_by_key(|decided| decided.0);
    story
}

/// Statements that copy structures: one assignment in the trace, many in the terms.
fn with_records(program: &Program, trace: &[TraceEvent]) -> Vec<StatementId> {
    let is_record = |ty| matches!(program.types.get(ty), Type::Record(_));
    let of_event = |event: &TraceEvent| match event {
        TraceEvent::Assign { statement, target, .. } if is_record(target.ty) => Some(*statement),
        _ => None,
    };
    trace.iter().filter_map(of_event).collect()
}

fn case(outcome: nub_c_ir::DecisionOutcome) -> u32 {
    match outcome {
        nub_c_ir::DecisionOutcome::Case(number) => number,
        _ => u32::MAX,
    }
}

pub fn story_of_terms(
    program: &Program,
    unrolled: &Unrolled,
    values: &Values<'_>,
    trace: &[TraceEvent],
) -> Story {
    let mut story = Story::default();
    let executed = unrolled.statements.iter().filter(|found| values.holds(found.guard));
    story.statements.extend(executed.map(|executed| executed.statement));
    for evaluation in &unrolled.decisions {
        for found in evaluation.conditions.iter().filter(|found| values.holds(found.evaluated)) {
            story.decided.push((evaluation.decision.0, found.condition, values.holds(found.value)));
        }
        let taken: Vec<_> = evaluation.outcomes.iter().filter(|(_, guard)| values.holds(*guard)).collect();
        assert!(taken.len() <= 1, "outcomes are disjoint");
        assert!(taken.is_empty() || values.holds(evaluation.reach), "an outcome is reached");
        if evaluation.conditions.is_empty() {
            story
                .decided
                .extend(taken.iter().map(|(outcome, _)| (evaluation.decision.0, case(*outcome), true)));
        }
    }
    story.decided.sort_by_key(|decided| decided.0);
    let records = with_records(program, trace);
    for found in unrolled.assignments.iter().filter(|found| values.holds(found.guard)) {
        let Some(statement) = found.origin.map(|origin| origin.statement) else { continue };
        let is_store = matches!(found.what, What::Store | What::Temporary);
        if is_store && is_integer(program, found.ty) && !records.contains(&statement) {
            story.assigned.push((statement, Some(values.of(found.term))));
        }
    }
    // A value that was never written may be copied; the interpreter does not know it.
    let unknown = story_of_run(program, trace).assigned;
    for (found, expected) in
        story.assigned.iter_mut().zip(unknown).filter(|(_, expected)| expected.1.is_none())
    {
        *found = expected;
    }
    story
}

/// Checks the law on some random runs; returns how many were compared to their end.
#[track_caller]
pub fn check_law(text: &str, config: &UnrollConfig, n_runs: usize, random: &mut Random) -> usize {
    check_program(&program(text), config, n_runs, random)
}

#[track_caller]
pub fn check_program(program: &Program, config: &UnrollConfig, n_runs: usize, random: &mut Random) -> usize {
    let unrolled = unroll(program, function(program, "f"), config).unwrap();
    let seen = Seen::new(&unrolled);
    (0..n_runs).filter(|_| check_run(program, &seen, &random_inputs(&unrolled, random))).count()
}
