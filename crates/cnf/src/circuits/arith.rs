//! Addition by a chain of full adders: O(width).

use super::{Word, complement};
use crate::{Aig, AigEdge};

/// `a + b + carry`, modulo 2^width.
pub(crate) fn add(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge], carry: AigEdge) -> Word {
    let mut carry = carry;
    let mut sum = Word::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let half = aig.xor(a, b);
        sum.push(aig.xor(half, carry));
        // As an if-then-else the carry has 4 clauses and no gates of its own; as `a & b | half & carry` it has 9 clauses.
        carry = aig.ite(half, carry, a);
    }
    sum
}

/// `a - b`
pub(crate) fn sub(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> Word {
    add(aig, a, &complement(b), AigEdge::TRUE)
}

/// `-a`
pub(crate) fn negate(aig: &mut Aig, a: &[AigEdge]) -> Word {
    negate_if(aig, AigEdge::TRUE, a)
}

/// `-a` if the condition holds, otherwise `a`: each bit is flipped, then one is added.
pub(crate) fn negate_if(aig: &mut Aig, condition: AigEdge, a: &[AigEdge]) -> Word {
    let flipped: Word = a.iter().map(|bit| aig.xor(*bit, condition)).collect();
    add(aig, &flipped, &vec![AigEdge::FALSE; a.len()], condition)
}
