//! The operands of comparisons, in the order of the source.

use crate::ids::{ExprId, FunctionId};
use crate::ir::*;
use crate::types::NumberFormat;
use std::cmp::Ordering;

impl ComparisonOperator {
    /// Whether the comparison holds for operands in this order.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            ComparisonOperator::Equal => order.is_eq(),
            ComparisonOperator::NotEqual => order.is_ne(),
            ComparisonOperator::Less => order.is_lt(),
            ComparisonOperator::AtMost => order.is_le(),
            ComparisonOperator::Greater => order.is_gt(),
            ComparisonOperator::AtLeast => order.is_ge(),
        }
    }

    fn is_swapped(self) -> bool {
        matches!(self, ComparisonOperator::Greater | ComparisonOperator::AtLeast)
    }
}

impl Function {
    /// The numbers that a condition compares, left and right as in the source, after the conversions to their common type. `condition` is
    /// what the comparison was lowered to. None for pointers.
    pub fn compared(&self, condition: ExprId, operator: ComparisonOperator) -> Option<[ExprId; 2]> {
        let (left, right) = match &self.expr(condition).kind {
            // The `!=` of floats.
            ExprKind::Compare(CompareOp::Eq, equal, _) if operator == ComparisonOperator::NotEqual => {
                float_operands(&self.expr(*equal).kind)?
            }
            ExprKind::Compare(_, left, right) => (*left, *right),
            other => float_operands(other)?,
        };
        Some(if operator.is_swapped() { [right, left] } else { [left, right] })
    }
}

fn float_operands(kind: &ExprKind) -> Option<(ExprId, ExprId)> {
    match kind {
        ExprKind::Float(FloatOperator::Less | FloatOperator::AtMost | FloatOperator::Equal, operands) => {
            Some((*operands.first()?, *operands.get(1)?))
        }
        _ => None,
    }
}

/// A condition that compares two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberComparison {
    /// Which condition.
    pub test: ConditionTest,
    /// How it compares.
    pub operator: ComparisonOperator,
    /// The common type of the operands.
    pub format: NumberFormat,
}

impl Program {
    /// The operator of a condition that is a comparison.
    pub fn comparison(&self, test: ConditionTest) -> Option<ComparisonOperator> {
        self.decisions[test.decision.index()].conditions[test.condition as usize].comparison
    }

    /// The conditions of a function that compare numbers and are not constant. Linear in its blocks.
    pub fn number_comparisons(&self, id: FunctionId) -> Vec<NumberComparison> {
        let function = self.function(id);
        let found = |block: &BasicBlock| {
            let TerminatorKind::Branch { condition, test, .. } = block.terminator.kind else { return None };
            let test = test?;
            let operator = self.comparison(test)?;
            let [left, _] = function.compared(condition, operator)?;
            let format = self.types.number_format(function.expr(left).ty)?;
            Some(NumberComparison { test, operator, format })
        };
        function.blocks.iter().filter_map(found).collect()
    }
}
