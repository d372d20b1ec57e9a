//! Decisions: short circuit as control flow, and the table that coverage reads.
//!
//! `if (a && !b || c)` becomes one branch per leaf. A constant leaf makes no branch, and what it makes unreachable is not built. Chains of any length
//! are walked with explicit stacks.

use super::{Lower, Lowered, RValue};
use crate::ids::*;
use crate::ir::*;
use nub_c_syntax::ast::{self, AstBinaryOp, AstExprKind as AstKind, AstUnaryOp};
use nub_text::Span;
use rustc_hash::FxHashSet;

/// What a condition was lowered to.
pub(super) struct Decided {
    pub(super) decision: DecisionId,
    /// Some edge leads to the block for "true".
    pub(super) can_hold: bool,
    /// Some edge leads to the block for "false".
    pub(super) can_fail: bool,
}

/// Where the leaves of a decision lead.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    pub(super) then_block: BlockId,
    pub(super) else_block: BlockId,
    /// The loop that the first leaf decides.
    pub(super) loop_header: Option<LoopId>,
}

impl Lower<'_> {
    /// True for `&&`, `||`, and `!` in front of them.
    pub(super) fn is_logical(&self, id: ast::ExprId) -> bool {
        let mut id = id;
        loop {
            match self.unit.expr(id).kind {
                AstKind::Binary(AstBinaryOp::And | AstBinaryOp::Or, ..) => return true,
                AstKind::Unary(AstUnaryOp::Not, inner) => id = inner,
                _ => return false,
            }
        }
    }

    /// `a && b` as a value.
    pub(super) fn logical_value(&mut self, id: ast::ExprId) -> Lowered<RValue> {
        self.decision_value(id, DecisionKind::Value)
    }

    /// A condition as 0 or 1. Without `&&` or `||` it is not a decision of its own.
    pub(super) fn truth_value(&mut self, id: ast::ExprId, kind: DecisionKind) -> Lowered<RValue> {
        if self.is_logical(id) {
            return self.decision_value(id, kind);
        }
        let span = self.unit.expr(id).span;
        let value = self.value(id)?;
        self.require_scalar(value, span)?;
        Ok(self.truth(value, span))
    }

    fn decision_value(&mut self, id: ast::ExprId, kind: DecisionKind) -> Lowered<RValue> {
        let span = self.unit.expr(id).span;
        let (then_block, else_block) = (self.fun.add_block(), self.fun.add_block());
        let decided = self.condition(id, kind, Targets { then_block, else_block, loop_header: None })?;
        match (decided.can_hold, decided.can_fail) {
            (true, false) => {
                self.switch_to(then_block);
                Ok(self.plain_int(1, span))
            }
            (false, _) => {
                self.switch_to(else_block);
                Ok(self.plain_int(0, span))
            }
            (true, true) => Ok(self.join_truth(then_block, else_block, span)),
        }
    }

    /// 1 on one side, 0 on the other.
    fn join_truth(&mut self, then_block: BlockId, else_block: BlockId, span: Span) -> RValue {
        let ty = self.int_type();
        let place = self.temporary(ty, span);
        let join = self.fun.add_block();
        for (block, truth) in [(then_block, 1), (else_block, 0)] {
            self.switch_to(block);
            let value = self.plain_int(truth, span);
            self.emit(InstrKind::Store { place: place.clone(), value: value.id }, span);
            self.goto(join, span);
        }
        self.switch_to(join);
        let id = self.add(ExprKind::Load(place), ty, span);
        RValue { id, ty, bits: None }
    }

    pub(super) fn require_scalar(&mut self, value: RValue, span: Span) -> Lowered<()> {
        if self.shared.program.types.is_scalar(value.ty) {
            Ok(())
        } else {
            Err(self.unsupported_operand(value.ty, span))
        }
    }

    /// Lowers a condition; control goes to one of the targets, and the current block has ended.
    pub(super) fn condition(
        &mut self,
        id: ast::ExprId,
        kind: DecisionKind,
        targets: Targets,
    ) -> Lowered<Decided> {
        let span = self.unit.expr(id).span;
        let decision = self.decision(id, kind, span);
        let start = self.fun.current;
        let mut reached = FxHashSet::default();
        reached.insert(start);
        let mut loop_header = targets.loop_header;
        let mut n_leaves = 0;
        // Expression, where it starts, and where it leads.
        let mut todo = vec![(id, start, targets.then_block, targets.else_block)];
        while let Some((id, start, then_block, else_block)) = todo.pop() {
            match self.unit.expr(id).kind {
                AstKind::Unary(AstUnaryOp::Not, inner) => todo.push((inner, start, else_block, then_block)),
                AstKind::Binary(op @ (AstBinaryOp::And | AstBinaryOp::Or), left, right) => {
                    let middle = self.fun.add_block();
                    todo.push((right, middle, then_block, else_block));
                    let is_and = op == AstBinaryOp::And;
                    let (when_true, when_false) =
                        if is_and { (middle, else_block) } else { (then_block, middle) };
                    todo.push((left, start, when_true, when_false));
                }
                _ => {
                    let test = ConditionTest { decision, condition: n_leaves };
                    n_leaves += 1;
                    if !reached.contains(&start) {
                        // Lowered only for its errors.
                        self.discard(|lower| lower.value(id).map(|_| ()))?;
                        continue;
                    }
                    self.switch_to(start);
                    let targets = Targets { then_block, else_block, loop_header: loop_header.take() };
                    reached.extend(self.leaf(id, test, targets)?);
                }
            }
        }
        let (can_hold, can_fail) =
            (reached.contains(&targets.then_block), reached.contains(&targets.else_block));
        Ok(Decided { decision, can_hold, can_fail })
    }

    /// One condition of a decision; returns the blocks it leads to.
    fn leaf(&mut self, id: ast::ExprId, test: ConditionTest, targets: Targets) -> Lowered<Vec<BlockId>> {
        let span = self.unit.expr(id).span;
        let value = self.value(id)?;
        self.require_scalar(value, span)?;
        let truth = self.truth(value, span);
        if let Some(bits) = self.known(truth.id) {
            let conditions = &mut self.shared.program.decisions[test.decision.index()].conditions;
            conditions[test.condition as usize].constant = Some(bits != 0);
            let target = if bits != 0 { targets.then_block } else { targets.else_block };
            self.goto(target, span);
            return Ok(vec![target]);
        }
        let kind = TerminatorKind::Branch {
            condition: truth.id,
            then_block: targets.then_block,
            else_block: targets.else_block,
            test: Some(test),
            loop_header: targets.loop_header,
        };
        self.end_block(kind, span);
        Ok(vec![targets.then_block, targets.else_block])
    }

    /// Enters a decision with its conditions into the table.
    fn decision(&mut self, id: ast::ExprId, kind: DecisionKind, span: Span) -> DecisionId {
        let (tree, leaves) = self.decision_tree(id);
        let mut conditions = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let leaf = self.unit.expr(leaf);
            let (span, comparison) = (leaf.span, comparison(&leaf.kind));
            let position = self.position(span);
            conditions.push(Condition { span, position, constant: None, comparison });
        }
        self.add_decision(kind, span, conditions, tree)
    }

    pub(super) fn add_decision(
        &mut self,
        kind: DecisionKind,
        span: Span,
        conditions: Vec<Condition>,
        tree: Vec<TreeNode>,
    ) -> DecisionId {
        let position = self.position(span);
        let (function, statement, enclosing) = (self.fun.function, self.fun.statement, self.fun.enclosing);
        let decisions = &mut self.shared.program.decisions;
        decisions.push(Decision { function, kind, span, position, statement, conditions, tree, enclosing });
        DecisionId::next(decisions.len() - 1)
    }

    /// The expression over its leaves in postfix order, and the leaves.
    fn decision_tree(&self, id: ast::ExprId) -> (Vec<TreeNode>, Vec<ast::ExprId>) {
        enum Visit {
            Enter(ast::ExprId),
            Not,
            And,
            Or,
        }
        let (mut tree, mut leaves): (Vec<TreeNode>, Vec<ast::ExprId>) = (Vec::new(), Vec::new());
        let mut operands: Vec<u32> = Vec::new();
        let mut todo = vec![Visit::Enter(id)];
        while let Some(visit) = todo.pop() {
            let mut operand = || operands.pop().unwrap_or_default();
            let node = match visit {
                Visit::Enter(id) => match self.unit.expr(id).kind {
                    AstKind::Unary(AstUnaryOp::Not, inner) => {
                        todo.extend([Visit::Not, Visit::Enter(inner)]);
                        continue;
                    }
                    AstKind::Binary(op @ (AstBinaryOp::And | AstBinaryOp::Or), left, right) => {
                        let node = if op == AstBinaryOp::And { Visit::And } else { Visit::Or };
                        todo.extend([node, Visit::Enter(right), Visit::Enter(left)]);
                        continue;
                    }
                    _ => {
                        leaves.push(id);
                        TreeNode::Condition(leaves.len() as u32 - 1)
                    }
                },
                Visit::Not => TreeNode::Not(operand()),
                Visit::And | Visit::Or => {
                    let right = operand();
                    let left = operand();
                    if matches!(visit, Visit::And) {
                        TreeNode::And(left, right)
                    } else {
                        TreeNode::Or(left, right)
                    }
                }
            };
            operands.push(tree.len() as u32);
            tree.push(node);
        }
        (tree, leaves)
    }
}

/// The operator, if the expression is a comparison.
fn comparison(kind: &AstKind) -> Option<ComparisonOperator> {
    let AstKind::Binary(op, ..) = kind else { return None };
    Some(match op {
        AstBinaryOp::Eq => ComparisonOperator::Equal,
        AstBinaryOp::Ne => ComparisonOperator::NotEqual,
        AstBinaryOp::Lt => ComparisonOperator::Less,
        AstBinaryOp::Le => ComparisonOperator::AtMost,
        AstBinaryOp::Gt => ComparisonOperator::Greater,
        AstBinaryOp::Ge => ComparisonOperator::AtLeast,
        _ => return None,
    })
}
