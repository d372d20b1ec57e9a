//! Restoring division: O(width * width of the divisor), with at most width^2 / 2 full adders. Division by zero needs no special case as
//! long as the divisor has all its bits: every subtraction succeeds, so the quotient is all ones and the remainder is the dividend, as
//! SMT-LIB requires.

use super::{Word, add, complement, equal, negate_if, sign};
use crate::{Aig, AigEdge};

/// Quotient and remainder, unsigned. After `k` steps the remainder has `k` bits, so a step subtracts that many, and the divisor must be zero above them.
///
/// The remainder is less than the divisor. So it needs no more bits than the divisor has bits that are not constant zero, which saves work if the
/// divisor is a constant or a number of a narrower type.
pub(crate) fn divide(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> (Word, Word) {
    let n = a.len();
    let n_divisor = b.iter().rposition(|bit| *bit != AigEdge::FALSE).map_or(n, |top| top + 1);
    // Entry `k`: all bits of the divisor from `k` up are zero.
    let mut is_short = vec![AigEdge::TRUE; n + 1];
    for k in (0..n).rev() {
        is_short[k] = aig.and(is_short[k + 1], !b[k]);
    }
    let mut rest = Word::new();
    let mut quotient = vec![AigEdge::FALSE; n];
    for (index, is_short) in (0..n).rev().zip(is_short.into_iter().skip(1)) {
        let shifted = [&[a[index]], rest.as_slice(), &[AigEdge::FALSE]].concat();
        let n_bits = shifted.len() - 1;
        let minus_b =
            complement(&[&b[..n_bits.min(n)], &vec![AigEdge::FALSE; shifted.len() - n_bits.min(n)]].concat());
        let difference = add(aig, &shifted, &minus_b, AigEdge::TRUE);
        let fits = aig.and(is_short, !sign(&difference));
        quotient[index] = fits;
        rest = (0..n_bits.min(n_divisor)).map(|bit| aig.ite(fits, difference[bit], shifted[bit])).collect();
    }
    (quotient, remainder(aig, a, b, rest))
}

/// The whole remainder, given its lower bits. If the divisor is zero, it is the dividend.
fn remainder(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge], mut rest: Word) -> Word {
    if rest.len() == a.len() {
        return rest;
    }
    rest.resize(a.len(), AigEdge::FALSE);
    let is_zero = !aig.or_all(b.iter().copied());
    a.iter().zip(rest).map(|(a, rest)| aig.ite(is_zero, *a, rest)).collect()
}

/// Quotient and remainder, signed; the quotient is rounded towards zero.
pub(crate) fn divide_signed(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> (Word, Word) {
    let (sign_a, sign_b) = (sign(a), sign(b));
    let [a, b] = [a, b].map(|word| negate_if(aig, sign(word), word));
    let (quotient, rest) = divide(aig, &a, &b);
    let differ = aig.xor(sign_a, sign_b);
    (negate_if(aig, differ, &quotient), negate_if(aig, sign_a, &rest))
}

/// The remainder whose sign is that of the divisor.
pub(crate) fn modulo_signed(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> Word {
    let (_, rest) = divide_signed(aig, a, b);
    let is_zero = equal(aig, &rest, &vec![AigEdge::FALSE; rest.len()]);
    let differ = aig.xor(sign(a), sign(b));
    let must_add = aig.and(differ, !is_zero);
    let addend: Word = b.iter().map(|bit| aig.and(*bit, must_add)).collect();
    add(aig, &rest, &addend, AigEdge::FALSE)
}
