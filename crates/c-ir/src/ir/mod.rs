//! The intermediate representation: a program as control flow graphs over pure, typed expressions.
//!
//! What holds in every program that [`crate::lower`] returns, and [`crate::validate`] checks:
//!
//! - Expressions have no side effect. They read memory only through [`ExprKind::Load`]. All conversions are explicit, so both
//!   operands of an operator have the same width, which is the width of the operator. Signedness is in the operator.
//! - A float is its encoding: a constant is [`ExprKind::Int`] with its bits.
//! - Comparisons, [`ExprKind::Overflows`], [`ExprKind::ValidPointer`] and [`ExprKind::Initialised`] yield 0 or 1 in the type `int`.
//! - Side effects are instructions. Where C leaves the order of evaluation open, it is left to right; an operand that a later side
//!   effect could change is first saved in a temporary.
//! - `&&`, `||` and `?:` are control flow. Their leaves are the conditions of a [`Decision`].
//! - A condition that must hold for an operation to be defined is a [`InstrKind::Check`] just before the instruction with that operation.
//! - A load of a structure or union is only the value of a store, an argument or a returned value, never an operand.
//!
//! Ids of locals, expressions, blocks and loops belong to their function; all other ids belong to the program.

mod decision;
mod expr;
mod float;
mod function;
mod instr;
mod program;
mod terminator;

pub use decision::*;
pub use expr::*;
pub use float::*;
pub use function::*;
pub use instr::*;
pub use program::*;
pub use terminator::*;
