//! The interpreter, which knows nothing of terms and clauses, has to come to the same end.

use crate::system::assignment;
use nub_bitvec::Value;
use nub_c_ir::interp::Outcome;
use nub_c_ir::{Limits, Origin, Program, Recording, StopKind, run};
use nub_unroll::{Unrolled, interpreter_inputs};

/// Steps of one run. Runs within the bounds of the loops are far shorter.
const MAX_STEPS: u64 = 20_000_000;

/// Runs with these inputs: the assertion at `fails` breaks, or everything holds. True if that is so, false if the interpreter cannot be
/// given such inputs, an error if it comes to another end.
pub(crate) fn replay(
    program: &Program,
    unrolled: &Unrolled,
    inputs: &[Value],
    fails: Option<Origin>,
) -> Result<bool, String> {
    let values = assignment(unrolled, inputs);
    let Some(inputs) = interpreter_inputs(program, unrolled, &values) else { return Ok(false) };
    let limits = Limits { steps: MAX_STEPS, recording: Recording::Nothing, ..Limits::default() };
    let outcome = run(program, unrolled.function, &inputs, &limits).outcome;
    let agrees = match (&outcome, fails) {
        (Outcome::AssertionFailed(site, _), Some(origin)) => site.origin == origin,
        (Outcome::Stopped(StopKind::AssertFailed), Some(_)) => true,
        (Outcome::Returned | Outcome::Stopped(StopKind::Abort | StopKind::Exit), None) => true,
        _ => false,
    };
    if agrees { Ok(true) } else { Err(format!("the interpreter comes to another end: {outcome:?}")) }
}
