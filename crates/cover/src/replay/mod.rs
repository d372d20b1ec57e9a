//! Every test is run in the interpreter, which is independent of terms and clauses. A difference is a defect of nub, and is always reported.

mod boundaries;
mod events;
mod path;

#[cfg(test)]
pub(crate) use boundaries::is_at_boundary;
pub use events::events;
pub use path::path_of_terms;

use crate::describe::SourceQuotes;
use crate::encode::Encoded;
use crate::goals::EvaluationMode;
use crate::observe::{Observed, RunEnd};
use crate::report::PathStep;
use crate::search::Behaviour;
use nub_bitvec::{Assignment, Datum, TermId};
use nub_c_ir::interp::{InterpretedRun, Pointer, RunOutcome, RuntimeValue};
use nub_c_ir::{CheckKind, InterpreterLimits, Program, Recording, StopKind, run};
use nub_unroll::{ObservedValue, Unrolled, interpreter_inputs, to_bits};
use std::fmt;

/// Steps of one run. Tests within the bounds of the loops are far shorter.
const MAX_STEPS: u64 = 20_000_000;

/// A value that a stub sees, in the interpreter and in the model.
type Pair<'v> = (&'v Option<RuntimeValue>, &'v Option<nub_bitvec::Value>);

/// Whether a test was run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replayed {
    /// The interpreter and the model agree; with what the run executed.
    Yes(Vec<PathStep>),
    /// The interpreter cannot be given such inputs: a pointer inside an object, or a local that is an input.
    NotPossible,
}

/// A defect of nub: the interpreter and the model disagree about a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayDifference {
    /// How it ends.
    End {
        /// In the interpreter.
        found: String,
        /// In the model.
        expected: String,
    },
    /// The number of calls of stubs.
    CallCount {
        /// In the interpreter.
        found: usize,
        /// In the model.
        expected: usize,
    },
    /// A call of this function.
    Call(String),
    /// Whether this event happens.
    Event(String),
}

impl fmt::Display for ReplayDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the interpreter and the model disagree")?;
        match self {
            ReplayDifference::End { found, expected } => {
                write!(f, ": {found} in one, {expected} in the other")
            }
            ReplayDifference::CallCount { found, expected } => {
                write!(f, ": {found} and {expected} calls of stubs")
            }
            ReplayDifference::Call(name) => write!(f, " about a call of {name}"),
            ReplayDifference::Event(event) => write!(f, " about {event}"),
        }
    }
}

/// Runs a test.
pub fn replay(
    source: SourceQuotes<'_>,
    unrolled: &Unrolled,
    encoded: &Encoded,
    evaluation: EvaluationMode,
    test: &Behaviour,
    observed: &Observed,
) -> Result<Replayed, ReplayDifference> {
    let program = source.program;
    let mut values = Assignment::new();
    for (input, value) in unrolled.inputs.iter().zip(&test.inputs) {
        values.set(input.term, Datum::Bits(value.clone()));
    }
    let Some(inputs) = interpreter_inputs(program, unrolled, &values) else {
        return Ok(Replayed::NotPossible);
    };
    let limits = InterpreterLimits {
        steps: MAX_STEPS,
        recording: Recording::Comparisons,
        ignored: CheckKind::EXTRA.to_vec(),
        ..InterpreterLimits::default()
    };
    let run = run(program, unrolled.function, &inputs, &limits);
    if matches!(run.outcome, RunOutcome::MemoryLimit) {
        // A variable may be larger than what the interpreter allocates.
        return Ok(Replayed::NotPossible);
    }
    compare_end(&run, observed)?;
    compare_calls(program, unrolled, &run, observed)?;
    if evaluation == EvaluationMode::ShortCircuit {
        let seen = events(program, unrolled.function, &encoded.routes, &run.trace);
        for (event, (_, atom)) in &encoded.events {
            if seen.contains(event) != test.has(*atom) {
                return Err(ReplayDifference::Event(event.plain(program)));
            }
        }
    }
    Ok(Replayed::Yes(path::path(source, unrolled.function, &run.trace)))
}

fn compare_end(run: &InterpretedRun, observed: &Observed) -> Result<(), ReplayDifference> {
    let agrees = match (&run.outcome, &observed.end) {
        (RunOutcome::Returned, RunEnd::Returned(None)) => true,
        (RunOutcome::Returned, RunEnd::Returned(Some(expected))) => match &run.returned {
            Some(RuntimeValue::Int(bits)) => *bits == to_bits(expected),
            // No test compares pointers.
            _ => true,
        },
        (RunOutcome::Stopped(kind), RunEnd::Stopped(expected)) => kind == expected,
        (RunOutcome::AssertionFailed(..), RunEnd::Stopped(StopKind::AssertFailed)) => true,
        _ => false,
    };
    let is_same =
        |(found, expected): (&Option<RuntimeValue>, &Option<nub_bitvec::Value>)| match (found, expected) {
            (Some(RuntimeValue::Int(bits)), Some(expected)) => *bits == to_bits(expected),
            _ => true,
        };
    if agrees && run.results.iter().zip(&observed.earlier).all(is_same) {
        return Ok(());
    }
    Err(ReplayDifference::End { found: ended(run), expected: observed.end.plain() })
}

/// Stubs are called in the same order, with the same numbers. Pointers are only compared with null: addresses differ.
fn compare_calls(
    program: &Program,
    unrolled: &Unrolled,
    run: &InterpretedRun,
    observed: &Observed,
) -> Result<(), ReplayDifference> {
    let (found, expected) = (run.stub_calls.len(), observed.stub_calls.len());
    if found != expected {
        return Err(ReplayDifference::CallCount { found, expected });
    }
    for (call, seen) in run.stub_calls.iter().zip(&observed.stub_calls) {
        let expected = &unrolled.stub_calls[seen.index];
        let varies = |term: TermId| unrolled.varying.iter().any(|(value, _)| *value == term);
        let is_same = |((found, value), expected): (Pair<'_>, &ObservedValue)| match (found, value) {
            (Some(RuntimeValue::Int(bits)), Some(value)) => *bits == to_bits(value),
            (Some(RuntimeValue::Pointer(pointer)), Some(value)) => {
                (*pointer == Pointer::Null) == value.is_zero()
            }
            (None, None) | (Some(RuntimeValue::Pointer(_)), None) => true,
            (Some(RuntimeValue::Unknown | RuntimeValue::Record(_)), _) => true,
            // An address is a different number in the interpreter.
            (Some(_), None) => expected.term.is_some_and(varies),
            (None, Some(_)) => false,
        };
        let parts = call.parts.iter().zip(&seen.values).zip(&expected.values);
        if call.callee != expected.callee || !parts.into_iter().all(is_same) {
            return Err(ReplayDifference::Call(program.function(expected.callee).name.clone()));
        }
    }
    Ok(())
}

/// How a run of the interpreter ended, as text.
fn ended(run: &InterpretedRun) -> String {
    match &run.outcome {
        RunOutcome::Returned => match &run.returned {
            Some(RuntimeValue::Int(bits)) => format!("the function returns {bits}"),
            _ => "the function returns".to_owned(),
        },
        RunOutcome::AssertionFailed(site, _) => format!("an assertion fails in line {}", site.line()),
        RunOutcome::AssumptionFailed(site) => format!("an assumption does not hold in line {}", site.line()),
        RunOutcome::Undefined(_, site) => format!("behaviour is undefined in line {}", site.line()),
        RunOutcome::Stopped(kind) => RunEnd::Stopped(*kind).plain(),
        RunOutcome::StepLimit => "the run is too long".to_owned(),
        RunOutcome::DepthLimit => "calls are nested too deep".to_owned(),
        RunOutcome::MemoryLimit => "the run needs too much memory".to_owned(),
        RunOutcome::NoBody(_) => "a function without a body is called".to_owned(),
        RunOutcome::Cut => "something is reached that is not modelled".to_owned(),
    }
}
