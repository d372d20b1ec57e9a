//! Multiplication by shifting and adding, and its overflow: O(width^2).

use super::{Word, add, negate_if, sign, sub};
use crate::{Aig, AigEdge};

/// `a * b`, modulo 2^width.
///
/// There is one row per bit of the second factor, and rows of constant zeros cost nothing. The top bits of a number that was sign-extended are one bit s: together
/// they stand for -s * 2^k, which is one row that is subtracted.
pub(crate) fn multiply(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> Word {
    let (a, b) = if n_rows(a) < n_rows(b) { (b, a) } else { (a, b) };
    let n = a.len();
    let n_plain = n_before_sign(b);
    let mut product = vec![AigEdge::FALSE; n];
    for (shift, &bit) in b.iter().enumerate().take(n_plain).filter(|(_, bit)| **bit != AigEdge::FALSE) {
        let row = row(aig, &a[..n - shift], bit);
        let sum = add(aig, &product[shift..], &row, AigEdge::FALSE);
        product[shift..].copy_from_slice(&sum);
    }
    if n_plain < n && sign(b) != AigEdge::FALSE {
        let row = row(aig, &a[..n - n_plain], sign(b));
        let difference = sub(aig, &product[n_plain..], &row);
        product[n_plain..].copy_from_slice(&difference);
    }
    product
}

fn row(aig: &mut Aig, a: &[AigEdge], bit: AigEdge) -> Word {
    a.iter().map(|x| aig.and(*x, bit)).collect()
}

/// How many low bits there are before the copies of the sign.
fn n_before_sign(word: &[AigEdge]) -> usize {
    word.iter().rposition(|bit| *bit != sign(word)).map_or(0, |last| last + 1)
}

/// How many rows a second factor makes.
fn n_rows(word: &[AigEdge]) -> usize {
    let low = &word[..n_before_sign(word)];
    let n_set = low.iter().filter(|bit| **bit != AigEdge::FALSE).count();
    n_set + usize::from(sign(word) != AigEdge::FALSE)
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
