//! Comparison: O(width).

use super::sign;
use crate::{Aig, AigEdge};

/// `a = b`
pub(crate) fn equal(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    let mut all = AigEdge::TRUE;
    for (&a, &b) in a.iter().zip(b) {
        let differ = aig.xor(a, b);
        all = aig.and(all, !differ);
    }
    all
}

/// `a < b`, unsigned: the most significant bit in which they differ decides.
pub(crate) fn less_unsigned(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    let mut less = AigEdge::FALSE;
    for (&a, &b) in a.iter().zip(b) {
        let here = aig.and(!a, b);
        let not_above = aig.and(a, !b);
        let below = aig.and(less, !not_above);
        less = aig.or(here, below);
    }
    less
}

/// `a < b`, signed: an unsigned comparison with flipped signs.
pub(crate) fn less_signed(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    let n = a.len() - 1;
    let less = less_unsigned(aig, &a[..n], &b[..n]);
    let differ = aig.xor(sign(a), sign(b));
    aig.ite(differ, sign(a), less)
}
