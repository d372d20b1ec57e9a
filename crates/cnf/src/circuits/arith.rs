//! Addition by a chain of full adders: O(width).

use super::{Word, complement};
use crate::{Aig, Edge};

/// `a + b + carry`, modulo 2^width.
pub(crate) fn add(aig: &mut Aig, a: &[Edge], b: &[Edge], carry: Edge) -> Word {
    let mut carry = carry;
    let mut sum = Word::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let half = aig.xor(a, b);
        sum.push(aig.xor(half, carry));
        // As a choice the carry has 4 clauses and no gates of its own; as `a & b | half & carry` it has 9.
        carry = aig.ite(half, carry, a);
    }
    sum
}

/// `a - b`
pub(crate) fn sub(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Word {
    add(aig, a, &complement(b), Edge::TRUE)
}

/// `-a`
pub(crate) fn negate(aig: &mut Aig, a: &[Edge]) -> Word {
    negate_if(aig, Edge::TRUE, a)
}

/// `-a` if the condition holds, else `a`: each bit flipped, plus one.
pub(crate) fn negate_if(aig: &mut Aig, condition: Edge, a: &[Edge]) -> Word {
    let flipped: Word = a.iter().map(|bit| aig.xor(*bit, condition)).collect();
    add(aig, &flipped, &vec![Edge::FALSE; a.len()], condition)
}
