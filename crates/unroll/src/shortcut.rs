//! The short-circuit graph of a decision: which condition is evaluated after which.

use nub_c_ir::{Decision, TreeNode};

/// What comes after a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Another condition of the decision.
    Condition(u32),
    /// The decision is made.
    Outcome(bool),
}

/// Where each condition leads, if it is true and if it is false. Constant conditions are skipped: nothing leads to one.
///
/// In `a && !b || c`, with `a` 0, `b` 1 and `c` 2: `a` leads to `b` or `c`, `b` to `c` or true, `c` to true or false.
pub fn shortcuts(decision: &Decision) -> Vec<(Next, Next)> {
    let tree = &decision.tree;
    // The first condition below each node.
    let mut first: Vec<u32> = Vec::with_capacity(tree.len());
    for node in tree {
        first.push(match *node {
            TreeNode::Condition(number) => number,
            TreeNode::Not(inner) | TreeNode::And(inner, _) | TreeNode::Or(inner, _) => {
                first.get(inner as usize).copied().unwrap_or(0)
            }
        });
    }
    let end = (Next::Outcome(true), Next::Outcome(false));
    let mut of_node = vec![end; tree.len()];
    let mut found = vec![end; decision.conditions.len()];
    for (at, node) in tree.iter().enumerate().rev() {
        let (when_true, when_false) = of_node[at];
        match *node {
            TreeNode::Condition(number) => {
                if let Some(place) = found.get_mut(number as usize) {
                    *place = (when_true, when_false);
                }
            }
            TreeNode::Not(inner) => of_node[inner as usize] = (when_false, when_true),
            TreeNode::And(left, right) => {
                of_node[right as usize] = (when_true, when_false);
                of_node[left as usize] = (Next::Condition(first[right as usize]), when_false);
            }
            TreeNode::Or(left, right) => {
                of_node[right as usize] = (when_true, when_false);
                of_node[left as usize] = (when_true, Next::Condition(first[right as usize]));
            }
        }
    }
    // Conditions lead to later ones, so those are known already.
    for at in (0..found.len()).rev() {
        let (when_true, when_false) = found[at];
        found[at] =
            (past_constants(decision, &found, when_true), past_constants(decision, &found, when_false));
    }
    found
}

fn past_constants(decision: &Decision, found: &[(Next, Next)], next: Next) -> Next {
    let Next::Condition(number) = next else { return next };
    let constant = decision.conditions.get(number as usize).and_then(|condition| condition.constant);
    match (constant, found.get(number as usize)) {
        (Some(true), Some((when_true, _))) => *when_true,
        (Some(false), Some((_, when_false))) => *when_false,
        _ => next,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_c_ir::{Condition, DecisionKind, FileId, FunctionId, Position, StatementId};
    use nub_text::Span;

    fn decision(n_conditions: usize, tree: Vec<TreeNode>) -> Decision {
        let position = Position { file: FileId(0), line: 1, column: 1 };
        let condition = Condition { span: Span::default(), position, constant: None, comparison: None };
        Decision {
            function: FunctionId(0),
            kind: DecisionKind::If,
            span: Span::default(),
            position,
            statement: StatementId(0),
            conditions: vec![condition; n_conditions],
            tree,
            enclosing: None,
        }
    }

    #[test]
    fn and_not_or() {
        use Next::{Condition, Outcome};
        let tree = vec![
            TreeNode::Condition(0),
            TreeNode::Condition(1),
            TreeNode::Not(1),
            TreeNode::And(0, 2),
            TreeNode::Condition(2),
            TreeNode::Or(3, 4),
        ];
        let mut decision = decision(3, tree);
        let expected =
            [(Condition(1), Condition(2)), (Condition(2), Outcome(true)), (Outcome(true), Outcome(false))];
        assert_eq!(shortcuts(&decision), expected);
        decision.conditions[2].constant = Some(false);
        let expected = [(Condition(1), Outcome(false)), (Outcome(false), Outcome(true))];
        assert_eq!(shortcuts(&decision)[..2], expected);
    }
}
