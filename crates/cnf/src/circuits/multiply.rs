//! Multiplication by shifting and adding, and its overflow: O(width^2).

use super::{Word, add, negate_if, sign};
use crate::{Aig, AigEdge};

/// `a * b`, modulo 2^width.
pub(crate) fn multiply(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> Word {
    // There is one row per bit of the second factor, and rows of constant zeros cost nothing.
    let n_zeros = |word: &[AigEdge]| word.iter().filter(|bit| **bit == AigEdge::FALSE).count();
    let (a, b) = if n_zeros(a) > n_zeros(b) { (b, a) } else { (a, b) };
    let n = a.len();
    let mut product = vec![AigEdge::FALSE; n];
    for (shift, &bit) in b.iter().enumerate().filter(|(_, bit)| **bit != AigEdge::FALSE) {
        let row: Word = a[..n - shift].iter().map(|x| aig.and(*x, bit)).collect();
        let sum = add(aig, &product[shift..], &row, AigEdge::FALSE);
        product[shift..].copy_from_slice(&sum);
    }
    product
}

/// The product with one extra bit, and whether even that bit is not enough. If bits i of `a` and j of `b` are set and i + j >= width,
/// the product overflows; otherwise it is below 2^(width+1). (Schulte, Balzola, Akkas, Brocato, Integer
/// multiplication with overflow detection or saturation, 2000.)
fn multiply_wide(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> (Word, AigEdge) {
    let n = a.len();
    let wide = |word: &[AigEdge]| [word, &[AigEdge::FALSE]].concat();
    let product = multiply(aig, &wide(a), &wide(b));
    let mut above = AigEdge::FALSE;
    let mut is_large = AigEdge::FALSE;
    for shift in 1..n {
        // True if some bit of `a` from `n - shift` up is set.
        above = aig.or(above, a[n - shift]);
        let meets = aig.and(above, b[shift]);
        is_large = aig.or(is_large, meets);
    }
    (product, is_large)
}

/// True if the unsigned product overflows.
pub(crate) fn overflows_unsigned(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    let (product, is_large) = multiply_wide(aig, a, b);
    aig.or(is_large, sign(&product))
}

/// True if the signed product overflows. Magnitudes are multiplied; the magnitude of the smallest number is allowed if the product is negative.
pub(crate) fn overflows_signed(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    let n = a.len();
    let is_negative = aig.xor(sign(a), sign(b));
    let [a, b] = [a, b].map(|word| negate_if(aig, sign(word), word));
    let (product, is_large) = multiply_wide(aig, &a, &b);
    let is_too_large = aig.or(is_large, product[n]);
    let below = aig.or_all(product[..n - 1].iter().copied());
    let is_min = aig.and(is_negative, !below);
    let reaches_sign = aig.and(product[n - 1], !is_min);
    aig.or(is_too_large, reaches_sign)
}
