//! Evaluations of decisions and their conditions.

use crate::unrolled::ContextId;
use nub_bitvec::TermId;
use nub_c_ir::{DecisionId, DecisionOutcome};

/// One dynamic evaluation of a decision.
#[derive(Clone, Debug)]
pub struct DecisionEvaluation {
    /// Which decision.
    pub decision: DecisionId,
    /// Control reaches the first condition (the `switch`).
    pub reach: TermId,
    /// Conditions in the order of evaluation. Constant ones and those that no run evaluates are omitted. Empty for `switch`.
    pub conditions: Vec<ConditionEvaluation>,
    /// The guard under which control leaves with each outcome. Impossible outcomes are omitted. Guards are disjoint; together they are `reach`,
    /// unless a run ends inside (a call that ends the program, or a bound).
    pub outcomes: Vec<(DecisionOutcome, TermId)>,
    /// Call stack and iterations of loops.
    pub context: ContextId,
    /// How many assignments there were before it.
    pub n_assignments: usize,
}

/// A condition of one evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConditionEvaluation {
    /// Its number in the decision.
    pub condition: u32,
    /// It is evaluated: path condition, earlier conditions of the decision included.
    pub evaluated: TermId,
    /// Its value, one bit.
    pub value: TermId,
    /// What it compares, if it is a comparison of numbers: left and right as in the source, in their common type.
    pub operands: Option<[TermId; 2]>,
}
