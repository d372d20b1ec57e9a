//! Operators on words of edges, least significant bit first. The constants in a word fold away in the graph.

mod arith;
mod compare;
mod divide;
mod multiply;
mod shift;

pub(crate) use arith::{add, negate, negate_if, sub};
pub(crate) use compare::{equal, less_signed, less_unsigned};
pub(crate) use divide::{divide, divide_signed, modulo_signed};
pub(crate) use multiply::{multiply, overflows_signed, overflows_unsigned};
pub(crate) use shift::{Direction, rotate, shift};

use crate::AigEdge;

/// A word: its bits, least significant first.
pub(crate) type Word = Vec<AigEdge>;

/// The complement of each bit.
pub(crate) fn complement(a: &[AigEdge]) -> Word {
    a.iter().map(|bit| !*bit).collect()
}

/// The most significant bit. A word is never empty.
pub(crate) fn sign(a: &[AigEdge]) -> AigEdge {
    a[a.len() - 1]
}
