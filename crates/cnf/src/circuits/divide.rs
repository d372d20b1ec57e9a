//! Division by subtracting and restoring: O(width^2). Division by zero needs no case: every subtraction succeeds, which
//! gives the quotient of all ones and the dividend as remainder that SMT-LIB asks for.

use super::{Word, add, complement, equal, negate_if, sign};
use crate::{Aig, Edge};

/// Quotient and remainder, unsigned.
pub(crate) fn divide(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> (Word, Word) {
    let n = a.len();
    let minus_b = complement(&[b, &[Edge::FALSE]].concat());
    let mut rest = vec![Edge::FALSE; n];
    let mut quotient = vec![Edge::FALSE; n];
    for index in (0..n).rev() {
        // One bit more: the remainder shifted may need it.
        let shifted = [&[a[index]], rest.as_slice()].concat();
        let difference = add(aig, &shifted, &minus_b, Edge::TRUE);
        let fits = !sign(&difference);
        quotient[index] = fits;
        rest = (0..n).map(|bit| aig.ite(fits, difference[bit], shifted[bit])).collect();
    }
    (quotient, rest)
}

/// Quotient and remainder, signed; the quotient is rounded towards zero.
pub(crate) fn divide_signed(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> (Word, Word) {
    let (sign_a, sign_b) = (sign(a), sign(b));
    let [a, b] = [a, b].map(|word| negate_if(aig, sign(word), word));
    let (quotient, rest) = divide(aig, &a, &b);
    let differ = aig.xor(sign_a, sign_b);
    (negate_if(aig, differ, &quotient), negate_if(aig, sign_a, &rest))
}

/// The remainder that has the sign of the divisor.
pub(crate) fn modulo_signed(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Word {
    let (_, rest) = divide_signed(aig, a, b);
    let is_zero = equal(aig, &rest, &vec![Edge::FALSE; rest.len()]);
    let differ = aig.xor(sign(a), sign(b));
    let must_add = aig.and(differ, !is_zero);
    let addend: Word = b.iter().map(|bit| aig.and(*bit, must_add)).collect();
    add(aig, &rest, &addend, Edge::FALSE)
}
