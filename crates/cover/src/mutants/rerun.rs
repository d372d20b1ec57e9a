//! A kill is claimed only if the interpreter sees it: it knows nothing of terms and clauses.

use super::twins::Twins;
use nub_bitvec::{Assignment, Datum, Value};
use nub_c_ir::interp::{InterpretedRun, RunOutcome, RuntimeValue as Seen};
use nub_c_ir::{CheckKind, FunctionId, InterpreterLimits, Program, Recording, RunInputs, run};
use nub_unroll::interpreter_inputs;

/// Steps of a run of a mutant; a test stops it there.
pub(super) const MAX_STEPS: u64 = 1_000_000;

/// What a test says of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It sees another result.
    Killed,
    /// The mutant does not end within [`MAX_STEPS`].
    TimedOut,
    /// The mutant has undefined behaviour: anything may be seen.
    Undefined,
    /// It sees no difference.
    Survives,
}

/// A test that the interpreter can be given, and what it does with the function itself.
pub(super) struct Rerun<'t> {
    twins: &'t Twins,
    inputs: RunInputs,
    original: InterpretedRun,
}

impl<'t> Rerun<'t> {
    /// None if the interpreter cannot be given such inputs.
    pub fn new(twins: &'t Twins, test: &[Value]) -> Option<Rerun<'t>> {
        let mut values = Assignment::new();
        for (input, value) in twins.unrolled.inputs.iter().zip(twins.widened(test)) {
            values.set(input.term, Datum::Bits(value));
        }
        let inputs = interpreter_inputs(&twins.program, &twins.unrolled, &values)?;
        let original = execute(&twins.program, twins.unrolled.function, &inputs);
        let counts = matches!(
            original.outcome,
            RunOutcome::Returned | RunOutcome::Stopped(_) | RunOutcome::AssertionFailed(..)
        );
        counts.then_some(Rerun { twins, inputs, original })
    }

    /// Runs a mutant.
    pub fn verdict(&self, mutant: FunctionId) -> Verdict {
        let run = execute(&self.twins.program, mutant, &self.inputs);
        match &run.outcome {
            RunOutcome::Returned | RunOutcome::Stopped(_) | RunOutcome::AssertionFailed(..) => {
                match is_same(&self.twins.program, &self.original, &run) {
                    true => Verdict::Survives,
                    false => Verdict::Killed,
                }
            }
            RunOutcome::StepLimit => Verdict::TimedOut,
            RunOutcome::Undefined(..) => Verdict::Undefined,
            _ => Verdict::Survives,
        }
    }
}

fn execute(program: &Program, function: FunctionId, inputs: &RunInputs) -> InterpretedRun {
    let limits = InterpreterLimits {
        steps: MAX_STEPS,
        recording: Recording::Nothing,
        ignored: CheckKind::EXTRA.to_vec(),
        ..InterpreterLimits::default()
    };
    run(program, function, inputs, &limits)
}

/// Tests compare how it ends, what is returned, and memory that the caller sees, if it returns.
fn is_same(program: &Program, a: &InterpretedRun, b: &InterpretedRun) -> bool {
    match (&a.outcome, &b.outcome) {
        (RunOutcome::Returned, RunOutcome::Returned) => {}
        (RunOutcome::Stopped(of_a), RunOutcome::Stopped(of_b)) => return of_a == of_b,
        (RunOutcome::AssertionFailed(..), RunOutcome::AssertionFailed(..)) => return true,
        _ => return false,
    }
    let is_its_own = |at: usize| program.globals[at].owner.is_some();
    let globals = (0..a.globals.len()).filter(|at| !is_its_own(*at));
    is_same_value(a.returned.as_ref(), b.returned.as_ref())
        && a.results.iter().zip(&b.results).all(|(a, b)| is_same_value(a.as_ref(), b.as_ref()))
        && globals.clone().all(|at| is_same_bytes(&a.globals[at], &b.globals[at]))
        && a.pointees.iter().zip(&b.pointees).all(|(a, b)| is_same_bytes(a, b))
}

fn is_same_value(a: Option<&Seen>, b: Option<&Seen>) -> bool {
    match (a, b) {
        (Some(Seen::Int(a)), Some(Seen::Int(b))) => a == b,
        (Some(Seen::Pointer(a)), Some(Seen::Pointer(b))) => a == b,
        // Structures are compared by nobody.
        _ => true,
    }
}

/// Bytes of pointers, and those never written, are compared by nobody.
fn is_same_bytes(a: &[Option<u32>], b: &[Option<u32>]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.is_none() || b.is_none() || a == b)
}
