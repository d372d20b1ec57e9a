//! Literals of single conditions, independent of whether control reaches them: what reasons are made of.

use crate::goals::RunEvent;
use nub_bitvec::{Op, Pool, TermId};
use nub_c_ir::{ConditionTest, Decision, DecisionOutcome, Program, TreeNode};
use nub_cnf::Lit;
use nub_unroll::{DecisionEvaluation, EvaluationId, Unrolled};

/// A condition of one evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Which condition.
    pub test: ConditionTest,
    /// Whether it is evaluated.
    pub evaluated: Lit,
    /// Its value.
    pub value: Lit,
}

/// An evaluation of a decision of the function under test.
#[derive(Clone, Debug)]
pub struct EvaluationFacts {
    /// Its place in the unrolled function.
    pub evaluation: EvaluationId,
    /// Which decision.
    pub decision: nub_c_ir::DecisionId,
    /// Whether control reaches it.
    pub reach: Lit,
    /// Its conditions.
    pub conditions: Vec<Fact>,
    /// Adjacent operands, of the comparisons for which goals require that.
    pub boundaries: Vec<(RunEvent, Lit)>,
    /// The value of the whole, whether or not control reaches it; absent for `switch`.
    pub outcome: Option<Lit>,
    /// Whether control leaves with this outcome. Impossible outcomes are omitted.
    pub outcomes: Vec<(DecisionOutcome, Lit)>,
}

/// The value of a decision as a term over the values of its conditions; conditions that no run evaluates count as false.
pub fn outcome_term(pool: &mut Pool, decision: &Decision, found: &DecisionEvaluation) -> Option<TermId> {
    let mut terms: Vec<TermId> = Vec::with_capacity(decision.tree.len());
    for node in &decision.tree {
        let term = match *node {
            TreeNode::Condition(condition) => {
                let evaluated = found.conditions.iter().find(|found| found.condition == condition);
                match (evaluated, decision.conditions[condition as usize].constant) {
                    (Some(evaluated), _) => evaluated.value,
                    (None, constant) => pool.truth(constant.unwrap_or(false)),
                }
            }
            TreeNode::Not(a) => pool.not(terms[a as usize]),
            TreeNode::And(a, b) => pool.mk(Op::And, &[terms[a as usize], terms[b as usize]]),
            TreeNode::Or(a, b) => pool.mk(Op::Or, &[terms[a as usize], terms[b as usize]]),
        };
        terms.push(term);
    }
    terms.pop()
}

/// The evaluations of the function's own decisions.
pub fn own_evaluations(program: &Program, unrolled: &Unrolled) -> Vec<(EvaluationId, DecisionEvaluation)> {
    let is_own =
        |found: &DecisionEvaluation| program.decisions[found.decision.index()].function == unrolled.function;
    let all = (0..).map(EvaluationId).zip(&unrolled.decisions);
    all.filter(|(_, found)| is_own(found)).map(|(id, found)| (id, found.clone())).collect()
}

impl EvaluationFacts {
    /// The literals that make the event happen here if control reaches this point; `None` if it cannot happen.
    pub fn local(
        &self,
        program: &Program,
        event: RunEvent,
        path: Option<&[Option<bool>]>,
    ) -> Option<Vec<Lit>> {
        let value = |condition: u32, value: bool| {
            let fact = self.conditions.iter().find(|fact| fact.test.condition == condition)?;
            Some(fact.value.negated_if(!value))
        };
        match event {
            RunEvent::Condition(test, wanted) => Some(vec![value(test.condition, wanted)?]),
            RunEvent::Boundary(..) => {
                let (_, lit) = self.boundaries.iter().find(|(found, _)| *found == event)?;
                Some(vec![*lit])
            }
            RunEvent::Outcome(_, DecisionOutcome::True) => Some(vec![self.outcome?]),
            RunEvent::Outcome(_, DecisionOutcome::False) => Some(vec![!self.outcome?]),
            RunEvent::Path(decision, _) => {
                let constants = &program.decisions[decision.index()].conditions;
                let given =
                    path?.iter().enumerate().filter(|(index, _)| constants[*index].constant.is_none());
                given.filter_map(|(index, wanted)| Some(value(index as u32, (*wanted)?))).collect()
            }
            RunEvent::Outcome(..) | RunEvent::Statement(_) | RunEvent::Route(_) => None,
        }
    }
}
