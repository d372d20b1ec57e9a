//! Reading and writing in base 2, 10 and 16.

use super::limbs::{LIMB_BITS, div_small, mul_add_small, n_limbs, top_mask};
use super::{Repr, Value};

/// The largest power of ten that fits into a limb, and its exponent.
const TEN_POWER: u64 = 10_000_000_000_000_000_000;
const TEN_EXPONENT: usize = 19;

impl Value {
    /// Binary digits, most significant first; as wide as there are digits.
    pub fn parse_binary(digits: &[u8]) -> Option<Value> {
        let are_digits = digits.iter().all(|digit| matches!(digit, b'0' | b'1'));
        let fits = !digits.is_empty() && u32::try_from(digits.len()).is_ok();
        (are_digits && fits).then(|| Value::from_bits(digits.iter().rev().map(|digit| *digit == b'1')))
    }

    /// A decimal number from -2^(width-1) to 2^width - 1, with or without leading zeros. Stops at the first digit that makes it
    /// too large, so a long number costs no more than a number that fits: O(digits * width).
    pub fn parse_decimal(width: u32, text: &[u8]) -> Option<Value> {
        let (digits, is_negative) = match text.split_first() {
            Some((b'-', digits)) => (digits, true),
            _ => (text, false),
        };
        if width == 0 || digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let value = unsigned_decimal(width, digits)?;
        if is_negative { value.ule(&Value::min_signed(width)).then(|| value.neg()) } else { Some(value) }
    }

    /// A hexadecimal number below 2^width, with or without leading zeros.
    pub fn parse_hex(width: u32, digits: &[u8]) -> Option<Value> {
        if width == 0 || digits.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let n_zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        let digits = &digits[n_zeros..];
        if digits.len() > (width.div_ceil(4)) as usize {
            return None;
        }
        let mut limbs = vec![0; n_limbs(width)];
        for (index, digit) in digits.iter().rev().enumerate() {
            let nibble = u64::from((*digit as char).to_digit(16)?);
            limbs[index / 16] |= nibble << (index % 16 * 4);
        }
        fitting(width, limbs)
    }

    /// Binary digits, most significant first, as many as the value is wide.
    pub fn to_binary(&self) -> String {
        match &self.0 {
            Repr::Small { width, bits } => format!("{bits:0width$b}", width = *width as usize),
            Repr::Large { width, .. } => {
                (0..*width).rev().map(|index| if self.bit(index) { '1' } else { '0' }).collect()
            }
        }
    }

    /// The unsigned number in base 10, without leading zeros.
    pub fn to_decimal(&self) -> String {
        let mut rest = self.limbs().to_vec();
        let mut chunks = Vec::new();
        loop {
            chunks.push(div_small(&mut rest, TEN_POWER));
            while rest.last() == Some(&0) {
                rest.pop();
            }
            if rest.is_empty() {
                break;
            }
        }
        let mut text = chunks.pop().unwrap_or(0).to_string();
        for chunk in chunks.into_iter().rev() {
            text.push_str(&format!("{chunk:0TEN_EXPONENT$}"));
        }
        text
    }

    /// The two's complement number in base 10.
    pub fn to_signed_decimal(&self) -> String {
        if self.sign_bit() { format!("-{}", self.neg().to_decimal()) } else { self.to_decimal() }
    }

    /// The unsigned number in base 16, lower case, with leading zeros: one digit for every four bits, rounded up.
    pub fn to_hex(&self) -> String {
        let n_digits = self.width().div_ceil(4) as usize;
        let all: String = self.limbs().iter().rev().map(|limb| format!("{limb:016x}")).collect();
        all[all.len() - n_digits..].to_owned()
    }
}

fn unsigned_decimal(width: u32, digits: &[u8]) -> Option<Value> {
    let mut limbs = vec![0; n_limbs(width)];
    // Only the limbs used so far are multiplied, so that leading zeros and small numbers are cheap at any width.
    let mut n_used = 0;
    let first = digits.len() % TEN_EXPONENT;
    let (head, tail) = digits.split_at(first);
    for chunk in std::iter::once(head).chain(tail.chunks(TEN_EXPONENT)) {
        let addend = chunk.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
        let carry = mul_add_small(&mut limbs[..n_used], TEN_POWER, addend);
        if carry != 0 {
            *limbs.get_mut(n_used)? = carry;
            n_used += 1;
        }
    }
    fitting(width, limbs)
}

/// The value, unless a bit above the width is set. There are exactly as many limbs as the width needs.
fn fitting(width: u32, limbs: Vec<u64>) -> Option<Value> {
    debug_assert_eq!(limbs.len(), width.div_ceil(LIMB_BITS) as usize);
    let fits = limbs.last().is_none_or(|last| last & !top_mask(width) == 0);
    fits.then(|| Value::from_limbs(width, limbs))
}
