//! Natural numbers of any size: significands before rounding.

use crate::Value;
use crate::value::limbs;
use std::cmp::Ordering;

const LIMB_BITS: u64 = limbs::LIMB_BITS as u64;

/// A natural number. The top limb is not zero, so that equal numbers have equal limbs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Natural(Vec<u64>);

impl Natural {
    pub(crate) fn zero() -> Natural {
        Natural(Vec::new())
    }

    pub(crate) fn one() -> Natural {
        Natural(vec![1])
    }

    /// 2^`exponent`
    pub(crate) fn power_of_two(exponent: u64) -> Natural {
        Natural::one().shl(exponent)
    }

    #[cfg(test)]
    fn from_u64(number: u64) -> Natural {
        Natural::from_limbs(vec![number])
    }

    /// The unsigned number in a bit-vector.
    pub(crate) fn from_value(value: &Value) -> Natural {
        Natural::from_limbs(value.limbs().to_vec())
    }

    /// From decimal digits; `None` for any other text.
    pub(crate) fn from_decimal(digits: &[u8]) -> Option<Natural> {
        let mut number = vec![0_u64; digits.len() / 19 + 1];
        for digit in digits {
            let digit = digit.is_ascii_digit().then(|| digit - b'0')?;
            let carry = limbs::mul_add_small(&mut number, 10, u64::from(digit));
            debug_assert_eq!(carry, 0, "19 decimal digits fit a limb");
        }
        Some(Natural::from_limbs(number))
    }

    /// 10^`exponent`
    pub(crate) fn power_of_ten(exponent: u64) -> Natural {
        let mut power = Natural::one();
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            power = power.mul(&power);
            if exponent >> bit & 1 == 1 {
                power = power.mul(&Natural(vec![10]));
            }
        }
        power
    }

    /// The decimal digits, at least one.
    pub(crate) fn to_digits(&self) -> Vec<u8> {
        self.to_value(self.bit_len().max(1) as u32).to_decimal().into_bytes()
    }

    /// Number of decimal digits.
    pub(crate) fn n_digits(&self) -> usize {
        self.to_digits().len()
    }

    /// The low `width` bits as a bit-vector.
    pub(crate) fn to_value(&self, width: u32) -> Value {
        Value::from_limbs(width, self.0.clone())
    }

    fn from_limbs(mut limbs: Vec<u64>) -> Natural {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Natural(limbs)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn is_odd(&self) -> bool {
        self.0.first().is_some_and(|limb| limb & 1 == 1)
    }

    /// The number of bits up to the highest one; 0 for zero.
    pub(crate) fn bit_len(&self) -> u64 {
        self.0.last().map_or(0, |top| self.0.len() as u64 * LIMB_BITS - u64::from(top.leading_zeros()))
    }

    /// Both numbers padded to the limbs of the longer one plus `spare`.
    fn padded(&self, other: &Natural, spare: usize) -> [Vec<u64>; 2] {
        let n = self.0.len().max(other.0.len()) + spare;
        [self, other].map(|number| {
            let mut limbs = number.0.clone();
            limbs.resize(n, 0);
            limbs
        })
    }

    pub(crate) fn add(&self, other: &Natural) -> Natural {
        let [a, b] = self.padded(other, 1);
        Natural::from_limbs(limbs::add(&a, &b))
    }

    /// The difference; panics if it is negative.
    pub(crate) fn sub(&self, other: &Natural) -> Natural {
        assert!(*self >= *other, "the difference of naturals would be negative");
        let [a, b] = self.padded(other, 0);
        Natural::from_limbs(limbs::sub(&a, &b))
    }

    pub(crate) fn mul(&self, other: &Natural) -> Natural {
        let n = self.0.len() + other.0.len();
        let [mut a, mut b] = [self.0.clone(), other.0.clone()];
        a.resize(n, 0);
        b.resize(n, 0);
        Natural::from_limbs(limbs::mul(&a, &b))
    }

    /// Quotient and remainder; panics if the divisor is zero.
    pub(crate) fn div_rem(&self, divisor: &Natural) -> (Natural, Natural) {
        let [a, b] = self.padded(divisor, 0);
        let (quotient, rest) = limbs::div_rem(&a, &b);
        (Natural::from_limbs(quotient), Natural::from_limbs(rest))
    }

    pub(crate) fn shl(&self, by: u64) -> Natural {
        let mut limbs = self.0.clone();
        limbs.resize(self.0.len() + (by / LIMB_BITS) as usize + 1, 0);
        Natural::from_limbs(limbs::shl(&limbs, by))
    }

    pub(crate) fn shr(&self, by: u64) -> Natural {
        Natural::from_limbs(limbs::shr(&self.0, by))
    }

    /// The lowest `n_bits` bits.
    pub(crate) fn low_bits(&self, n_bits: u64) -> Natural {
        self.sub(&self.shr(n_bits).shl(n_bits))
    }

    /// The largest number whose square is at most `self`, and whether that square is less. Computed bit by bit.
    pub(crate) fn sqrt(&self) -> (Natural, bool) {
        let mut root = Natural::zero();
        let mut square = Natural::zero();
        for bit in (0..self.bit_len().div_ceil(2)).rev() {
            // (root + 2^bit)^2 = square + root * 2^(bit + 1) + 2^(2 bit)
            let next = square.add(&root.shl(bit + 1)).add(&Natural::power_of_two(2 * bit));
            if next <= *self {
                square = next;
                root = root.add(&Natural::power_of_two(bit));
            }
        }
        let is_inexact = square < *self;
        (root, is_inexact)
    }

    /// 2^`exponent` modulo a number, by squaring, so that large exponents are cheap.
    pub(crate) fn power_of_two_mod(exponent: u128, modulus: &Natural) -> Natural {
        let mut power = Natural::one().div_rem(modulus).1;
        for bit in (0..u128::BITS - exponent.leading_zeros()).rev() {
            let square = power.mul(&power);
            let doubled = if exponent >> bit & 1 == 1 { square.shl(1) } else { square };
            power = doubled.div_rem(modulus).1;
        }
        power
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Natural) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| limbs::cmp(&self.0, &other.0))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Natural) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(number: u64) -> Natural {
        Natural::from_u64(number)
    }

    #[test]
    fn roots_are_the_largest() {
        for number in 0..2000_u64 {
            let (root, is_inexact) = n(number).sqrt();
            let expected = number.isqrt();
            assert_eq!((root, is_inexact), (n(expected), expected * expected != number), "{number}");
        }
    }

    #[test]
    fn powers_are_reduced() {
        for modulus in 1..40_u64 {
            for exponent in 0..60_u32 {
                let expected = (1_u64 << exponent) % modulus;
                assert_eq!(Natural::power_of_two_mod(u128::from(exponent), &n(modulus)), n(expected));
            }
        }
    }

    #[test]
    fn decimal_digits_are_read_at_any_length() {
        let digits = format!("1{}", "0".repeat(60));
        let ten = n(10);
        let expected = (0..60).fold(Natural::one(), |power, _| power.mul(&ten));
        assert_eq!(Natural::from_decimal(digits.as_bytes()), Some(expected));
        assert_eq!(Natural::from_decimal(b"1x"), None);
    }
}
