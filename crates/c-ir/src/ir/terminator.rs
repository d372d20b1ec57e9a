//! Control flow: how blocks end, and loops.

use super::program::SourceOrigin;
use crate::ids::{BlockId, DecisionId, ExprId, LoopId, StatementId};
use nub_text::Span;

/// How control leaves a block.
#[derive(Clone, Debug)]
pub struct Terminator {
    /// Where it goes.
    pub kind: TerminatorKind,
    /// Where it comes from.
    pub origin: SourceOrigin,
}

/// Where control goes.
#[derive(Clone, Debug)]
pub enum TerminatorKind {
    /// To one block.
    Goto(BlockId),
    /// To one of two.
    Branch {
        /// To `then_block` unless it is zero; of type `int` or any integer type.
        condition: ExprId,
        /// If it is not zero.
        then_block: BlockId,
        /// If it is zero.
        else_block: BlockId,
        /// The condition of the source that is decided here, if it is one.
        test: Option<ConditionTest>,
        /// The loop whose condition, or the first part of it, is decided here.
        loop_header: Option<LoopId>,
    },
    /// To one of many.
    Switch {
        /// The value, promoted.
        value: ExprId,
        /// In the order of the source. Ranges of different cases are disjoint.
        cases: Vec<SwitchCase>,
        /// If no case fits: the `default` label, or what follows.
        default: BlockId,
        /// The decision; its outcomes are [`crate::DecisionOutcome::Case`] in this order and [`crate::DecisionOutcome::Default`].
        decision: DecisionId,
    },
    /// The function ends. Without a value in a function that has a result, the result is unknown.
    Return(Option<ExprId>),
    /// The program ends.
    Stop(StopKind),
    /// Never reached.
    Unreachable,
    /// What follows is not modelled: nothing is known about a run after it reaches this point. The reasons are in [`crate::Function::cuts`].
    Cut,
}

/// One label of a `switch`.
#[derive(Clone, Debug)]
pub struct SwitchCase {
    /// The smallest value: bits of the type of the switch.
    pub low: u128,
    /// The largest value, as the type of the switch orders them. Different from `low` for GNU ranges only.
    pub high: u128,
    /// Where it leads.
    pub target: BlockId,
    /// The label.
    pub span: Span,
}

/// A condition of a decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConditionTest {
    /// Which decision.
    pub decision: DecisionId,
    /// Which of its conditions.
    pub condition: u32,
}

/// How a program ends other than by returning from `main`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopKind {
    /// `abort` and similar functions.
    Abort,
    /// `exit` and similar functions.
    Exit,
    /// After a failed `assert`.
    AssertFailed,
}

/// A loop of the source (`while`, `do`, `for`). Loops made by `goto` are found on the graph.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Where each iteration starts: for `while` and `for` where the condition is evaluated, for `do` the body. Every back edge of the
    /// loop leads here.
    pub header: BlockId,
    /// What it is.
    pub kind: LoopKind,
    /// The statement with the controlling expression.
    pub statement: StatementId,
    /// Keyword to closing bracket.
    pub span: Span,
}

/// What a loop is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopKind {
    /// `while`.
    While,
    /// `do`.
    Do,
    /// `for`.
    For,
}
