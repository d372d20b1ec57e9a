//! The interpreter, which is independent of terms and clauses, must end the same way.

use crate::property::{Instance, PropertyKind, property_kind};
use nub_bitvec::Value;
use nub_c_ir::interp::RunOutcome;
use nub_c_ir::{InterpreterLimits, Program, Recording, SourceOrigin, StopKind, run};
use nub_unroll::{Unrolled, interpreter_inputs};
use std::fmt;

/// Steps of one run. Runs within the bounds of the loops are far shorter.
const MAX_STEPS: u64 = 20_000_000;

/// How a run should end.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// This property is violated.
    Fails(Instance),
    /// Everything holds.
    Passes,
}

/// The program in which a run is replayed.
#[derive(Clone, Copy)]
pub(crate) enum Replay<'p> {
    /// The program of the unrolled function: it must fail at exactly the same place.
    ByPlace(&'p Program),
    /// Another text of it, with the same lines.
    ByLine(&'p Program),
}

/// The solver and the interpreter say different things about the same run.
#[derive(Debug)]
pub(crate) struct Disagreement {
    /// What the run does according to the solver.
    expected: String,
    /// What happens in the interpreter.
    found: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { expected, found } = self;
        write!(f, "according to the solver a run {expected}, but in the interpreter {found}")
    }
}

/// Runs with these inputs. True if it ends as it should, false if the interpreter cannot be given such inputs or cannot observe a bound, an error if
/// it ends differently.
pub(crate) fn replay(
    replay: Replay<'_>,
    unrolled: &Unrolled,
    inputs: &[Value],
    end: &End,
) -> Result<bool, Disagreement> {
    let (Replay::ByPlace(program) | Replay::ByLine(program)) = replay;
    let values = unrolled.assignment(inputs);
    let Some(inputs) = interpreter_inputs(program, unrolled, &values) else { return Ok(false) };
    if matches!(end, End::Fails(property) if property.kind == PropertyKind::Unwinding) {
        // The interpreter continues beyond the bound.
        return Ok(false);
    }
    let limits =
        InterpreterLimits { steps: MAX_STEPS, recording: Recording::Nothing, ..InterpreterLimits::default() };
    let outcome = run(program, unrolled.function, &inputs, &limits).outcome;
    let is_there = |found: SourceOrigin, wanted: SourceOrigin| match replay {
        Replay::ByPlace(_) => found == wanted,
        Replay::ByLine(_) => found.position.line == wanted.position.line,
    };
    // An allocation for which the model has memory, but no machine does.
    if outcome == RunOutcome::MemoryLimit {
        return Ok(false);
    }
    let agrees = match (&outcome, end) {
        (RunOutcome::AssertionFailed(site, _) | RunOutcome::Undefined(_, site), End::Fails(property)) => {
            is_there(site.origin, property.origin)
        }
        (RunOutcome::Stopped(StopKind::AssertFailed), End::Fails(_)) => true,
        (RunOutcome::Returned | RunOutcome::Stopped(StopKind::Abort | StopKind::Exit), End::Passes) => true,
        _ => false,
    };
    if agrees { Ok(true) } else { Err(disagreement(program, &outcome, end)) }
}

/// What the solver and the interpreter say about the same run.
fn disagreement(program: &Program, outcome: &RunOutcome, end: &End) -> Disagreement {
    let expected = match end {
        End::Fails(property) => format!("violates {} in line {}", property.id, property.origin.position.line),
        End::Passes => "passes".to_owned(),
    };
    let place = |site: &nub_c_ir::interp::Site| {
        format!("line {} of `{}`", site.origin.position.line, program.function(site.function).name)
    };
    let found = match outcome {
        RunOutcome::Returned => "it returns".to_owned(),
        RunOutcome::AssertionFailed(site, _) => format!("an assertion fails in {}", place(site)),
        RunOutcome::AssumptionFailed(site) => format!("an assumption does not hold in {}", place(site)),
        RunOutcome::Undefined(kind, site) => {
            format!("{} does not hold in {}", property_kind(*kind).rule(), place(site))
        }
        RunOutcome::Stopped(StopKind::Abort) => "it aborts".to_owned(),
        RunOutcome::Stopped(_) => "it exits".to_owned(),
        RunOutcome::StepLimit => format!("it does not end within {MAX_STEPS} steps"),
        _ => "it cannot be executed to its end".to_owned(),
    };
    Disagreement { expected, found }
}
