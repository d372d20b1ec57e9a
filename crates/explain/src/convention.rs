//! What counts as one value of a run, and how much.
//!
//! Counted are assignments of the source, phis, guards (path condition and condition), arguments, returned values and inputs, executed or not. Not
//! counted are temporaries of lowering, the conditions of assertions and assumptions, an input that the same statement assigns to a variable (the
//! variable represents it), and specification code. For library functions, which have models, only what they return and what they write for their
//! caller counts. Where the failing run violates a rule of C, it ends: an overflow has no result that could be compared, so what follows is not
//! counted. The distance of two runs is the sum of the weights of the values that differ: a metric, since each value either differs or does not, as
//! long as all weights are positive.

use crate::failing_run::Failing;
use crate::options::MetricWeights;
use crate::trust::Trusted;
use nub_c_ir::{DecisionKind, LocalKind, Program};
use nub_unroll::{AssignmentTarget, InputPlace, ObjectKind, SsaAssignment, Unrolled, What};

/// The counted values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counted {
    /// Positions of the assignments, in an order of execution.
    pub positions: Vec<usize>,
    /// The weight of each; positive.
    pub weights: Vec<u32>,
}

impl Counted {
    /// The counted values for this failing run. O(assignments).
    pub fn beside(
        failing: &Failing,
        program: &Program,
        unrolled: &Unrolled,
        trusted: &Trusted,
        weights: &MetricWeights,
    ) -> Counted {
        let mut counted = Counted::new(program, unrolled, trusted, weights);
        let end = failing.property.check.and_then(|at| unrolled.checks.get(at)).map(|check| check.after);
        let n_before = end.map(|end| counted.positions.partition_point(|at| *at < end));
        // If no counted value comes before the violation, what follows is all that can be compared.
        if let Some(n_before) = n_before.filter(|n_before| *n_before > 0) {
            counted.positions.truncate(n_before);
            counted.weights.truncate(n_before);
        }
        counted
    }

    /// The counted values. O(assignments).
    pub fn new(
        program: &Program,
        unrolled: &Unrolled,
        trusted: &Trusted,
        weights: &MetricWeights,
    ) -> Counted {
        let mut counted = Counted::default();
        for index in 0..unrolled.assignments.len() {
            let found = &unrolled.assignments[index];
            let weight = weight(weights, found).min(MetricWeights::MAX);
            if weight > 0 && counts(program, unrolled, index) && !trusted.holds(program, unrolled, found) {
                counted.positions.push(index);
                counted.weights.push(weight);
            }
        }
        counted
    }
}

fn weight(weights: &MetricWeights, found: &SsaAssignment) -> u32 {
    let line = found.origin.map(|origin| origin.position.line);
    let own = weights.lines.iter().find(|(at, _)| Some(*at) == line);
    let usual = match found.what {
        What::Guard(_) => weights.guards,
        What::Input(_) => weights.inputs,
        What::Phi => weights.phis,
        _ => weights.others,
    };
    own.map_or(usual, |(_, weight)| *weight)
}

/// Positions of all values of the source, including those that are the same in all runs. O(assignments).
pub(crate) fn of_source(program: &Program, unrolled: &Unrolled) -> Vec<usize> {
    (0..unrolled.assignments.len()).filter(|index| is_of_source(program, unrolled, *index)).collect()
}

fn counts(program: &Program, unrolled: &Unrolled, index: usize) -> bool {
    // What is the same in all runs never differs.
    unrolled.pool.value(unrolled.assignments[index].term).is_none() && is_of_source(program, unrolled, index)
}

fn is_of_source(program: &Program, unrolled: &Unrolled, index: usize) -> bool {
    let found = &unrolled.assignments[index];
    if program.function(unrolled.function_of(found.context)).is_model {
        return is_outward(program, unrolled, found);
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

/// Whether a value is visible to the caller of a library model: the model returns it, or writes it to an object that is not its own.
fn is_outward(program: &Program, unrolled: &Unrolled, found: &SsaAssignment) -> bool {
    match (found.what, found.target) {
        (What::Return, _) => true,
        (What::Store, AssignmentTarget::Part { object, .. }) => match unrolled.objects[object.index()].kind {
            ObjectKind::Local { function, .. } => !program.function(function).is_model,
            _ => true,
        },
        _ => false,
    }
}

/// Whether the statement that reads this input assigns it to a variable of the source. Only what follows in that statement is examined.
fn is_stored(program: &Program, unrolled: &Unrolled, index: usize) -> bool {
    let input = &unrolled.assignments[index];
    let statement = |found: &SsaAssignment| found.origin.map(|origin| origin.statement);
    let rest = unrolled.assignments[index + 1..].iter();
    rest.take_while(|found| statement(found) == statement(input)).any(|found| {
        let is_store = matches!(found.what, What::Store | What::Argument);
        is_store && found.term == input.term && !is_temporary(program, unrolled, found.target)
    })
}

fn is_temporary(program: &Program, unrolled: &Unrolled, target: AssignmentTarget) -> bool {
    let AssignmentTarget::Part { object, .. } = target else { return false };
    match unrolled.objects[object.index()].kind {
        ObjectKind::Local { function, local, .. } => {
            let local = program.function(function).locals.get(local.index());
            local.is_none_or(|local| local.kind == LocalKind::Temporary)
        }
        _ => false,
    }
}
