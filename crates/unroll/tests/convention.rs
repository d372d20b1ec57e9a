//! What counts as one value of a run: the convention in which Groce et al. 2006 measure the distance of two runs.
//!
//! One value per input, per assignment, per phi, per guard (path condition and condition), per argument and per returned value, whether
//! or not it is executed. An input that is only assigned to a variable counts once, and temporaries do not count.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{Seen, function, program};
use nub_bitvec::{Assignment, Datum, Value};
use nub_unroll::{AssignmentTarget, ObjectKind, UnrollConfig, Unrolled, What, unroll};

const MINMAX: &str = "int nondet_int(void); void __CPROVER_assert(int, const char *);
int main() {
  int input1 = nondet_int(), input2 = nondet_int(), input3 = nondet_int();
  int least = input1, most = input1;
  if (most < input2) most = input2;
  if (most < input3) most = input3;
  if (least > input2) most = input2;
  if (least > input3) least = input3;
  __CPROVER_assert(least <= most, \"\");
}";

const SLICE: &str = "int nondet_int(void); void __CPROVER_assert(int, const char *);
int main() {
  int input1 = nondet_int(), input2 = nondet_int();
  int x = 1, y = 1, z = 1;
  if (input1 > 0) { x += 5; y += 6; z += 4; }
  if (input2 > 0) { x += 6; y += 5; z += 4; }
  __CPROVER_assert(x < 10 || y < 10, \"\");
}";

fn is_temporary(program: &nub_c_ir::Program, unrolled: &Unrolled, target: AssignmentTarget) -> bool {
    let AssignmentTarget::Part { object, .. } = target else { return false };
    match unrolled.objects[object.index()].kind {
        ObjectKind::Local { function, local, .. } => {
            let local = program.function(function).locals.get(local.index());
            local.is_none_or(|local| local.kind == nub_c_ir::LocalKind::Temporary)
        }
        _ => false,
    }
}

/// Names of the values that differ; guards are called `guard`.
fn differences(text: &str, a: &[u64], b: &[u64]) -> Vec<String> {
    let program = program(text);
    let unrolled = unroll(&program, function(&program, "main"), &UnrollConfig::default()).unwrap();
    let seen = Seen::new(&unrolled);
    let values = |numbers: &[u64]| {
        let mut values = Assignment::new();
        for (input, number) in unrolled.inputs.iter().zip(numbers) {
            values.set(input.term, Datum::Bits(Value::from_u64(32, *number)));
        }
        values
    };
    let (a, b) = (values(a), values(b));
    let (a, b) = (seen.run(&a), seen.run(&b));
    let counts = |found: &&nub_unroll::SsaAssignment| match found.what {
        What::Input(_) | What::Temporary => false,
        What::Guard(test) => {
            let kind = test.map(|test| program.decisions[test.decision.index()].kind);
            kind != Some(nub_c_ir::DecisionKind::Assertion)
        }
        _ => !is_temporary(&program, &unrolled, found.target),
    };
    let differing =
        unrolled.assignments.iter().filter(counts).filter(|found| a.of(found.term) != b.of(found.term));
    differing
        .map(|found| match found.what {
            What::Guard(_) => "guard".to_owned(),
            _ => unrolled.target_name(&program, found.target),
        })
        .collect()
}

#[test]
fn minmax() {
    let found = differences(MINMAX, &[1, 0, 1], &[1, 1, 1]);
    assert_eq!(found, ["input2", "most", "guard", "most", "most"]);
}

#[test]
fn slice() {
    assert_eq!(differences(SLICE, &[1, 1], &[1, 0]), ["input2", "guard", "x", "y", "z"]);
    assert_eq!(differences(SLICE, &[1, 1], &[0, 1]).len(), 11);
}
