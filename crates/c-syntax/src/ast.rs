//! The syntax tree of one translation unit.
//!
//! Nodes live in arenas and are named by numbers ([`ExprId`], [`StmtId`], ...): a tree of any depth is built, copied and dropped without recursion. A
//! child is always made before its parent, so its number is smaller: a bottom-up pass over all expressions walks the arena from the front.
//!
//! Parentheses leave no node. Every node has the [`Span`] of its text; that of an operator reaches over the
//! parentheses around its operands, that of an operand does not include its own.
//!
//! The tree says what is written, not what it means: names are not resolved (only typedef names are distinguished from other identifiers, because C
//! cannot be parsed otherwise), no type is computed, no constant is folded.

mod decl;
mod expr;
mod ids;
mod literal;
mod stmt;

pub use decl::*;
pub use expr::*;
pub use ids::*;
pub use literal::*;
pub use stmt::*;

use nub_text::Span;

/// An identifier at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// Which identifier; [`crate::TranslationUnit::name`] spells it.
    pub name: Name,
    /// Where it is.
    pub span: Span,
}

/// One entry of `__attribute__((...))` or of `[[...]]`.
///
/// Only the argument of `aligned` is read here: it is an expression. Code that computes layout must look for `packed`, `aligned`, `mode` and
/// `vector_size`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// Its name without leading and trailing double underscores: `packed` for `__packed__`.
    pub name: Name,
    /// The entry, arguments included.
    pub span: Span,
    /// What is between the parentheses of the entry, if it has any.
    pub args: Option<Span>,
    /// The argument of `aligned`.
    pub alignment: Option<ExprId>,
}

/// `asm` in any form, kept so that it can be refused at its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asm {
    /// From the keyword to the closing parenthesis.
    pub span: Span,
}

/// `_Static_assert(condition, "message")`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StaticAssert {
    /// From the keyword to the semicolon.
    pub span: Span,
    /// What must not be zero.
    pub condition: ExprId,
    /// The message, which C23 allows to be absent.
    pub message: Option<StringId>,
}

/// An item at file scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// A function with its body.
    Function(FunctionId),
    /// A declaration.
    Declaration(DeclId),
    /// `_Static_assert`
    StaticAssert(StaticAssert),
    /// `asm("...");`
    Asm(Asm),
}
