//! Confirms kills with the interpreter, which is independent of terms and clauses. Only confirmed kills are claimed.

use nub_bitvec::{Assignment, Datum, Value};
use nub_c_ir::interp::{InterpretedRun, RunOutcome, RuntimeValue as Seen};
use nub_c_ir::{CheckKind, FunctionId, InterpreterLimits, Program, Recording, RunInputs, run};
use nub_unroll::{Unrolled, interpreter_inputs};

/// At most this many steps of a run of a mutant; a test stops it there.
pub(super) const MAX_STEPS: u64 = 1_000_000;

/// The result of a test on a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It sees a different result.
    Killed,
    /// The mutant does not end within [`MAX_STEPS`].
    TimedOut,
    /// The mutant has undefined behaviour: its result may be anything.
    Undefined,
    /// It sees no difference.
    Survives,
}

/// A program with mutants appended to it, and the unrolled function.
#[derive(Clone, Copy)]
pub(super) struct MutantHost<'t> {
    pub program: &'t Program,
    pub unrolled: &'t Unrolled,
}

/// A test that the interpreter can run, and what it does with the function itself.
pub(super) struct Rerun<'t> {
    program: &'t Program,
    inputs: RunInputs,
    original: InterpretedRun,
}

impl<'t> Rerun<'t> {
    /// `None` if the interpreter cannot be given such inputs.
    pub fn new(host: MutantHost<'t>, test: &[Value]) -> Option<Rerun<'t>> {
        let MutantHost { program, unrolled } = host;
        let mut values = Assignment::new();
        for (input, value) in unrolled.inputs.iter().zip(test) {
            values.set(input.term, Datum::Bits(value.clone()));
        }
        let inputs = interpreter_inputs(program, unrolled, &values)?;
        let original = execute(program, unrolled.function, &inputs, MAX_STEPS);
        let counts = matches!(
            original.outcome,
            RunOutcome::Returned | RunOutcome::Stopped(_) | RunOutcome::AssertionFailed(..)
        );
        counts.then_some(Rerun { program, inputs, original })
    }

    /// Steps of the function itself.
    pub fn n_steps(&self) -> u64 {
        self.original.n_steps
    }

    /// Runs a mutant.
    pub fn verdict(&self, mutant: FunctionId) -> Verdict {
        self.verdict_within(mutant, MAX_STEPS).0
    }

    /// Runs a mutant up to a number of steps; also returns how many it took.
    pub fn verdict_within(&self, mutant: FunctionId, max_steps: u64) -> (Verdict, u64) {
        let run = execute(self.program, mutant, &self.inputs, max_steps);
        let verdict = match &run.outcome {
            RunOutcome::Returned | RunOutcome::Stopped(_) | RunOutcome::AssertionFailed(..) => {
                if is_same(self.program, &self.original, &run) { Verdict::Survives } else { Verdict::Killed }
            }
            RunOutcome::StepLimit => Verdict::TimedOut,
            RunOutcome::Undefined(..) => Verdict::Undefined,
            _ => Verdict::Survives,
        };
        (verdict, run.n_steps)
    }
}

fn execute(program: &Program, function: FunctionId, inputs: &RunInputs, steps: u64) -> InterpretedRun {
    let limits = InterpreterLimits {
        steps,
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
        // No test compares structures.
        _ => true,
    }
}

/// No test compares bytes of pointers, nor bytes that were never written.
fn is_same_bytes(a: &[Option<u32>], b: &[Option<u32>]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.is_none() || b.is_none() || a == b)
}
