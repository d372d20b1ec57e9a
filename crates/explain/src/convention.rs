//! What counts as one value of a run.
//!
//! Counted are assignments of the source, phis, guards (path condition and condition), arguments, returned values and inputs, executed or
//! not. Not counted are temporaries of lowering, the conditions of assertions and assumptions, and an input that the same statement puts
//! into a variable: the variable stands for it.

use nub_c_ir::{DecisionKind, LocalKind, Program};
use nub_unroll::{Assignment, InputPlace, ObjectKind, Target, Unrolled, What};

/// The positions of the assignments that count, in an order of execution.
pub(crate) fn counted(program: &Program, unrolled: &Unrolled) -> Vec<usize> {
    let is_counted = |index: &usize| counts(program, unrolled, *index);
    (0..unrolled.assignments.len()).filter(is_counted).collect()
}

fn counts(program: &Program, unrolled: &Unrolled, index: usize) -> bool {
    let found = &unrolled.assignments[index];
    // What is the same in all runs never differs.
    if unrolled.pool.value(found.term).is_some() {
        return false;
    }
    match found.what {
        What::Temporary => false,
        What::Guard(test) => {
            let kind = test.map(|test| program.decisions[test.decision.index()].kind);
            kind != Some(DecisionKind::Assertion)
        }
        What::Input(input) => {
            let is_read = matches!(unrolled.inputs[input.index()].place, InputPlace::Read { .. });
            !(is_read && is_stored(program, unrolled, index))
        }
        _ => !is_temporary(program, unrolled, found.target),
    }
}

/// The statement that reads this input puts it into a variable of the source. Only what follows in that statement is looked at.
fn is_stored(program: &Program, unrolled: &Unrolled, index: usize) -> bool {
    let input = &unrolled.assignments[index];
    let statement = |found: &Assignment| found.origin.map(|origin| origin.statement);
    let rest = unrolled.assignments[index + 1..].iter();
    rest.take_while(|found| statement(found) == statement(input)).any(|found| {
        let is_store = matches!(found.what, What::Store | What::Argument);
        is_store && found.term == input.term && !is_temporary(program, unrolled, found.target)
    })
}

fn is_temporary(program: &Program, unrolled: &Unrolled, target: Target) -> bool {
    let Target::Part { object, .. } = target else { return false };
    match unrolled.objects[object.index()].kind {
        ObjectKind::Local { function, local, .. } => {
            let local = program.function(function).locals.get(local.index());
            local.is_none_or(|local| local.kind == LocalKind::Temporary)
        }
        _ => false,
    }
}
