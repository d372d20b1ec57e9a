//! The values of a run, and where they are in the program.

use nub_bitvec::{Evaluator, TermId, Value};
use nub_unroll::Unrolled;

/// The values of both runs.
#[derive(Clone, Copy)]
pub(crate) struct Both<'v> {
    pub before: &'v [Value],
    pub after: &'v [Value],
}

/// A run: the counted values, and whether control reaches them.
pub(crate) struct Seen {
    pub values: Vec<Value>,
    pub executed: Vec<bool>,
}

impl Seen {
    /// `counted` are positions of assignments.
    pub fn new(unrolled: &Unrolled, counted: &[usize], inputs: &[Value]) -> Seen {
        let of = |at: &usize| &unrolled.assignments[*at];
        let roots: Vec<TermId> = counted.iter().flat_map(|at| [of(at).term, of(at).guard]).collect();
        let found = Evaluator::new(&unrolled.pool, &roots).run(&unrolled.assignment(inputs));
        let values = found.iter().step_by(2).map(|value| value.bits().clone()).collect();
        let executed = found.iter().skip(1).step_by(2).map(nub_bitvec::Datum::is_true).collect();
        Seen { values, executed }
    }
}
