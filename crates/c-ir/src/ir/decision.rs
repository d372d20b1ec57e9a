//! Decisions and their conditions.

use super::program::Position;
use crate::ids::{DecisionId, FunctionId, StatementId};
use nub_text::Span;

/// A decision of the source: a controlling expression, or a maximal expression of `&&` and `||` elsewhere.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The function it is in.
    pub function: FunctionId,
    /// What it controls.
    pub kind: DecisionKind,
    /// The whole expression.
    pub span: Span,
    /// Where it starts.
    pub position: Position,
    /// The statement it is in.
    pub statement: StatementId,
    /// Its conditions, in the order of the text. A `switch` has none.
    pub conditions: Vec<Condition>,
    /// The expression over the conditions in postfix order; the last node is the root. Empty for `switch`.
    pub tree: Vec<TreeNode>,
    /// The decision around it, and which outcome leads here. Early returns and jumps are not considered.
    pub enclosing: Option<(DecisionId, DecisionOutcome)>,
}

/// What a decision controls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    /// `if`.
    If,
    /// `while`.
    While,
    /// `do`.
    Do,
    /// `for`.
    For,
    /// `?:`.
    Conditional,
    /// `switch`.
    Switch,
    /// A value: `&&` or `||` in an assignment, an argument, a condition's operand.
    Value,
    /// The argument of an assertion or assumption.
    Assertion,
}

/// A leaf of a decision.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The leaf.
    pub span: Span,
    /// Where it starts.
    pub position: Position,
    /// It is a constant expression with this value: no branch is made, and its other outcome is impossible.
    pub constant: Option<bool>,
    /// The leaf is a comparison, as the source writes it. [`Function::compared`](crate::Function::compared) finds the operands.
    pub comparison: Option<ComparisonOperator>,
}

/// A comparison of the source. In expressions `a > b` is `b < a`, and the `!=` of floats a negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComparisonOperator {
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
}

/// A node of a decision's expression. Operands are positions in [`Decision::tree`], before the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeNode {
    /// A condition by its number.
    Condition(u32),
    /// `!`.
    Not(u32),
    /// `&&`.
    And(u32, u32),
    /// `||`.
    Or(u32, u32),
}

/// An outcome of a decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DecisionOutcome {
    /// Not zero.
    True,
    /// Zero.
    False,
    /// A case of a `switch`, by its number.
    Case(u32),
    /// No case of a `switch`.
    Default,
}
