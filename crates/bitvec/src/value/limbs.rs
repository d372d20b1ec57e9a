//! Unsigned numbers as slices of 64-bit limbs, least significant first.
//!
//! Division is algorithm D of Knuth, The Art of Computer Programming 2, section 4.3.1.

use std::cmp::Ordering;

/// Bits of a limb.
pub(crate) const LIMB_BITS: u32 = u64::BITS;

/// Limbs that `width` bits need.
pub(crate) fn n_limbs(width: u32) -> usize {
    width.div_ceil(LIMB_BITS) as usize
}

/// The bits of the top limb that belong to a number of `width` > 0 bits.
pub(crate) fn top_mask(width: u32) -> u64 {
    u64::MAX >> ((LIMB_BITS - width % LIMB_BITS) % LIMB_BITS)
}

/// Compares numbers of equally many limbs.
pub(crate) fn cmp(a: &[u64], b: &[u64]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

/// `a + b`, modulo the limbs of `a`; `b` has the same number of limbs.
pub(crate) fn add(a: &[u64], b: &[u64]) -> Vec<u64> {
    add_limbs(a, b.iter().copied(), false)
}

/// `a - b`, modulo the limbs of `a`; `b` has the same number of limbs.
pub(crate) fn sub(a: &[u64], b: &[u64]) -> Vec<u64> {
    add_limbs(a, b.iter().map(|limb| !limb), true)
}

fn add_limbs(a: &[u64], b: impl Iterator<Item = u64>, mut carry: bool) -> Vec<u64> {
    let digits = a.iter().zip(b).map(|(&x, y)| {
        let (sum, over) = x.overflowing_add(y);
        let (sum, over_again) = sum.overflowing_add(u64::from(carry));
        carry = over | over_again;
        sum
    });
    digits.collect()
}

/// `a * factor + addend` in place; returns the carry.
pub(crate) fn mul_add_small(a: &mut [u64], factor: u64, addend: u64) -> u64 {
    let mut carry = addend;
    for limb in a {
        let product = u128::from(*limb) * u128::from(factor) + u128::from(carry);
        *limb = product as u64;
        carry = (product >> LIMB_BITS) as u64;
    }
    carry
}

/// `a / divisor` in place; returns the remainder. The divisor is not zero.
pub(crate) fn div_small(a: &mut [u64], divisor: u64) -> u64 {
    let mut rest = 0_u64;
    for limb in a.iter_mut().rev() {
        let part = u128::from(rest) << LIMB_BITS | u128::from(*limb);
        *limb = (part / u128::from(divisor)) as u64;
        rest = (part % u128::from(divisor)) as u64;
    }
    rest
}

/// `a * b` modulo the limbs of `a`; `b` has the same number of limbs. Quadratic.
pub(crate) fn mul(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut product = vec![0; a.len()];
    for (shift, &factor) in b.iter().enumerate().filter(|(_, factor)| **factor != 0) {
        let mut carry = 0;
        for (digit, &limb) in product[shift..].iter_mut().zip(a) {
            let sum = u128::from(limb) * u128::from(factor) + u128::from(*digit) + u128::from(carry);
            *digit = sum as u64;
            carry = (sum >> LIMB_BITS) as u64;
        }
    }
    product
}

/// Quotient and remainder of `a / b`, each with as many limbs as `a`. `b` has the same number of limbs and is not zero.
pub(crate) fn div_rem(a: &[u64], b: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let n = b.len() - b.iter().rev().take_while(|limb| **limb == 0).count();
    assert!(n > 0, "division of numbers by zero");
    if n == 1 {
        let mut quotient = a.to_vec();
        let mut rest = vec![0; a.len()];
        rest[0] = div_small(&mut quotient, b[0]);
        return (quotient, rest);
    }
    // Knuth's D1: shift both so that the divisor's top bit is one. The dividend gets one more limb.
    let shift = b[n - 1].leading_zeros();
    let divisor = &shl(b, u64::from(shift))[..n];
    let mut rest = shl(&[a, &[0]].concat(), u64::from(shift));
    let mut quotient = vec![0; a.len()];
    for at in (0..=a.len() - n).rev() {
        quotient[at] = quotient_digit(&mut rest[at..=at + n], divisor);
    }
    rest.pop();
    (quotient, shr(&rest, u64::from(shift)))
}

/// One round of algorithm D: divides the n + 1 limbs of `part` by the n of `divisor`, leaves the remainder in `part`.
fn quotient_digit(part: &mut [u64], divisor: &[u64]) -> u64 {
    let n = divisor.len();
    let base = 1_u128 << LIMB_BITS;
    let (first, second) = (u128::from(divisor[n - 1]), u128::from(divisor[n - 2]));
    // D3: an estimate from the top limbs. It is at most one too large when the loop ends.
    let top = u128::from(part[n]) << LIMB_BITS | u128::from(part[n - 1]);
    let (mut guess, mut left) = (top / first, top % first);
    while guess >= base || guess * second > (left << LIMB_BITS | u128::from(part[n - 2])) {
        guess -= 1;
        left += first;
        if left >= base {
            break;
        }
    }
    let guess = guess as u64;
    // D4: subtract guess * divisor. D6: if the result is negative, add the divisor back.
    if !sub_product(part, divisor, guess) {
        return guess;
    }
    let sum = add(&part[..n], divisor);
    let carry = cmp(&sum, divisor) == Ordering::Less;
    part[..n].copy_from_slice(&sum);
    part[n] = part[n].wrapping_add(u64::from(carry));
    guess - 1
}

/// `part - factor * divisor` in place; true if the result is negative.
fn sub_product(part: &mut [u64], divisor: &[u64], factor: u64) -> bool {
    let mut carry = 0_u64;
    for (digit, &limb) in part.iter_mut().zip(divisor.iter().chain([&0])) {
        let product = u128::from(limb) * u128::from(factor) + u128::from(carry);
        let (rest, borrow) = digit.overflowing_sub(product as u64);
        *digit = rest;
        carry = (product >> LIMB_BITS) as u64 + u64::from(borrow);
    }
    carry != 0
}

/// `a << by`, modulo the limbs of `a`.
pub(crate) fn shl(a: &[u64], by: u64) -> Vec<u64> {
    let mut shifted = vec![0; a.len()];
    let (limbs, bits) = split_amount(by);
    for index in limbs..a.len() {
        let low = if bits == 0 || index == limbs { 0 } else { a[index - limbs - 1] >> (LIMB_BITS - bits) };
        shifted[index] = a[index - limbs] << bits | low;
    }
    shifted
}

/// `a >> by`, filled with zeros.
pub(crate) fn shr(a: &[u64], by: u64) -> Vec<u64> {
    let mut shifted = vec![0; a.len()];
    let (limbs, bits) = split_amount(by);
    for (index, digit) in shifted.iter_mut().enumerate().take(a.len().saturating_sub(limbs)) {
        let from = index + limbs;
        let high = if bits == 0 || from + 1 == a.len() { 0 } else { a[from + 1] << (LIMB_BITS - bits) };
        *digit = a[from] >> bits | high;
    }
    shifted
}

/// The amount as whole limbs and remaining bits.
fn split_amount(by: u64) -> (usize, u32) {
    let limbs = usize::try_from(by / u64::from(LIMB_BITS)).unwrap_or(usize::MAX);
    (limbs, (by % u64::from(LIMB_BITS)) as u32)
}
