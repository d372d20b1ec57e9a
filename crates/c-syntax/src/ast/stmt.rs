//! Statements.

use super::{Asm, DeclId, ExprId, Ident, StaticAssert, StmtId};
use nub_text::Span;

/// A statement and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its text, closing semicolon or brace included.
    pub span: Span,
}

/// What a statement is. Declarations are statements here: C23 allows them wherever a label is allowed.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// `a;`
    Expr(ExprId),
    /// `int x;`, a typedef, a lone `struct s { ... };`
    Declaration(DeclId),
    /// `_Static_assert(...);`
    StaticAssert(StaticAssert),
    /// GNU `__label__ a, b;`
    LocalLabels(Vec<Ident>),
    /// `{ ... }`
    Compound(Vec<StmtId>),
    /// `if (condition) then else otherwise`
    If {
        /// The decision.
        condition: ExprId,
        /// If not zero.
        then: StmtId,
        /// If zero.
        otherwise: Option<StmtId>,
    },
    /// `while (condition) body`
    While {
        /// The decision.
        condition: ExprId,
        /// The loop.
        body: StmtId,
    },
    /// `do body while (condition);`
    DoWhile {
        /// The loop.
        body: StmtId,
        /// The decision.
        condition: ExprId,
    },
    /// `for (init; condition; step) body`
    For {
        /// A [`StmtKind::Declaration`], [`StmtKind::StaticAssert`] or [`StmtKind::Expr`]; its span includes the semicolon.
        init: Option<StmtId>,
        /// The decision; if absent, always true.
        condition: Option<ExprId>,
        /// After each round.
        step: Option<ExprId>,
        /// The loop.
        body: StmtId,
    },
    /// `switch (value) body`
    Switch {
        /// What is compared.
        value: ExprId,
        /// The statement with the labels.
        body: StmtId,
    },
    /// `case low:`, GNU `case low ... high:`
    Case {
        /// The value, or the first of the range.
        low: ExprId,
        /// The last of the range.
        high: Option<ExprId>,
        /// The labelled statement.
        body: StmtId,
    },
    /// `default:`
    Default {
        /// The labelled statement.
        body: StmtId,
    },
    /// `name:`
    Label {
        /// The label.
        name: Ident,
        /// The labelled statement.
        body: StmtId,
    },
    /// `goto name;`
    Goto(Ident),
    /// GNU `goto *a;`
    GotoComputed(ExprId),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return a;`
    Return(Option<ExprId>),
    /// `asm(...);`
    Asm(Asm),
}
