//! Numbers and the digits of constants, checked without creating values.

use crate::{BtorDialect, Tag};
use std::fmt;

/// Why a field is not a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NumberError {
    /// Empty, or contains other bytes than digits.
    NotDigits,
    /// A leading zero, as in `01`.
    LeadingZero,
    /// It does not fit into 64 bits.
    Huge,
}

/// A decimal number without sign and leading zeros.
#[inline]
pub(crate) fn number(digits: &[u8]) -> Result<u64, NumberError> {
    // Up to 19 digits cannot overflow.
    const SAFE: usize = 19;
    if digits.is_empty() {
        return Err(NumberError::NotDigits);
    }
    let mut value = 0u64;
    for &byte in digits.iter().take(SAFE) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return Err(NumberError::NotDigits);
        }
        value = value * 10 + u64::from(digit);
    }
    if digits.len() > SAFE {
        let all = digits.iter().all(u8::is_ascii_digit);
        return Err(if all { NumberError::Huge } else { NumberError::NotDigits });
    }
    if digits[0] == b'0' && digits.len() > 1 {
        return Err(NumberError::LeadingZero);
    }
    Ok(value)
}

/// Why digits are not those of a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DigitsError {
    /// This byte is not a binary digit.
    NotBinary(u8),
    /// The number of binary digits is not the width.
    Count { n_digits: usize, width: u32 },
    /// This byte is not a hexadecimal digit.
    NotHexadecimal(u8),
    /// The hexadecimal number has more bits than the node.
    Bits { n_bits: u64, width: u32 },
    /// BTOR: a minus sign.
    Sign,
    /// Not a decimal number.
    NotDecimal,
    /// BTOR: leading zeros.
    LeadingZeros,
    /// The decimal number is out of range.
    Range { width: u32 },
    /// Too many decimal digits to compute whether the number fits.
    TooLong { n_digits: usize, width: u32 },
}

impl fmt::Display for DigitsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            DigitsError::NotBinary(byte) => write!(f, "`{}` is not a binary digit", byte.escape_ascii()),
            DigitsError::Count { n_digits, width } => write!(f, "{n_digits} binary digits for {width} bits"),
            DigitsError::NotHexadecimal(byte) => {
                write!(f, "`{}` is not a hexadecimal digit", byte.escape_ascii())
            }
            DigitsError::Bits { n_bits, width } => {
                write!(f, "the value has {n_bits} bits, but the node has {width}")
            }
            DigitsError::Sign => f.write_str("a decimal constant has no sign in BTOR"),
            DigitsError::NotDecimal => f.write_str("expected a decimal number"),
            DigitsError::LeadingZeros => f.write_str("a decimal constant has no leading zeros in BTOR"),
            DigitsError::Range { width } => write!(f, "the value does not fit {width} bits"),
            DigitsError::TooLong { n_digits, width } => {
                write!(f, "{n_digits} decimal digits are too many to check for {width} bits")
            }
        }
    }
}

/// The longest decimal constant whose fit is computed exactly, which costs the square of the length. If the length
/// alone decides, there is no limit.
const MAX_DECIMAL_DIGITS: usize = 20_000;

/// Checks the digits of a constant against its width. `Err` says what is wrong.
pub(crate) fn check_digits(
    tag: Tag,
    digits: &[u8],
    width: u32,
    dialect: BtorDialect,
) -> Result<(), DigitsError> {
    match tag {
        Tag::Const => {
            if let Some(&byte) = digits.iter().find(|byte| !matches!(byte, b'0' | b'1')) {
                return Err(DigitsError::NotBinary(byte));
            }
            if digits.len() as u64 != u64::from(width) {
                return Err(DigitsError::Count { n_digits: digits.len(), width });
            }
            Ok(())
        }
        Tag::Consth => {
            if let Some(&byte) = digits.iter().find(|byte| !byte.is_ascii_hexdigit()) {
                return Err(DigitsError::NotHexadecimal(byte));
            }
            let n_bits = hex_bits(digits);
            if n_bits > u64::from(width) {
                return Err(DigitsError::Bits { n_bits, width });
            }
            Ok(())
        }
        _ => check_decimal(digits, width, dialect),
    }
}

/// Bits of a hexadecimal number.
fn hex_bits(digits: &[u8]) -> u64 {
    let Some(first) = digits.iter().position(|&digit| digit != b'0') else { return 0 };
    let top = (digits[first] as char).to_digit(16).unwrap_or(0);
    (digits.len() - first - 1) as u64 * 4 + u64::from(32 - top.leading_zeros())
}

fn check_decimal(digits: &[u8], width: u32, dialect: BtorDialect) -> Result<(), DigitsError> {
    let (negative, magnitude) = match digits.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, digits),
    };
    if negative && dialect == BtorDialect::Btor {
        return Err(DigitsError::Sign);
    }
    if magnitude.is_empty() || !magnitude.iter().all(u8::is_ascii_digit) {
        return Err(DigitsError::NotDecimal);
    }
    let n_zeros = magnitude.iter().take_while(|&&digit| digit == b'0').count();
    if dialect == BtorDialect::Btor && n_zeros > 0 && magnitude.len() > 1 {
        return Err(DigitsError::LeadingZeros);
    }
    let magnitude = &magnitude[n_zeros..];
    // The smallest value is -2^(width-1): its magnitude minus one fits into one bit less.
    let (room, less) = if negative { (u64::from(width) - 1, 1) } else { (u64::from(width), 0) };
    match decimal_fits(magnitude, less, room) {
        Some(true) => Ok(()),
        Some(false) => Err(DigitsError::Range { width }),
        None => Err(DigitsError::TooLong { n_digits: magnitude.len(), width }),
    }
}

/// Whether the number minus `less` (0 or 1) is below 2^`room`. `None` if that is too expensive to compute.
fn decimal_fits(digits: &[u8], less: u64, room: u64) -> Option<bool> {
    if digits.is_empty() {
        return Some(true);
    }
    if digits.len() <= 19 {
        let value = digits.iter().fold(0u64, |value, &digit| value * 10 + u64::from(digit - b'0')) - less;
        return Some(room >= 64 || value >> room == 0);
    }
    let n = digits.len() as u64;
    // log2 of 10 lies between 3.3219 and 3.322.
    if n * 3322 <= room * 1000 {
        return Some(true);
    }
    if (n - 1) * 33219 > room * 10000 {
        return Some(false);
    }
    if digits.len() > MAX_DECIMAL_DIGITS {
        return None;
    }
    Some(exact_bits(digits, less) <= room)
}

/// The number of bits of the number minus `less`. Quadratic.
fn exact_bits(digits: &[u8], less: u64) -> u64 {
    let mut limbs: Vec<u64> = Vec::new();
    for chunk in digits.chunks(18) {
        let scale = 10u64.pow(chunk.len() as u32);
        let mut carry = chunk.iter().fold(0u64, |value, &digit| value * 10 + u64::from(digit - b'0'));
        for limb in &mut limbs {
            let product = u128::from(*limb) * u128::from(scale) + u128::from(carry);
            *limb = product as u64;
            carry = (product >> 64) as u64;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut borrow = less;
    for limb in &mut limbs {
        let (rest, under) = limb.overflowing_sub(borrow);
        *limb = rest;
        borrow = u64::from(under);
    }
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    limbs.last().map_or(0, |top| limbs.len() as u64 * 64 - u64::from(top.leading_zeros()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(number(b"0"), Ok(0));
        assert_eq!(number(b"9999999999999999999"), Ok(9_999_999_999_999_999_999));
        assert_eq!(number(b"99999999999999999999"), Err(NumberError::Huge));
        assert_eq!(number(b"9999999999999999999x"), Err(NumberError::NotDigits));
        assert_eq!(number(b"01"), Err(NumberError::LeadingZero));
        for bad in [&b""[..], b"-1", b"1a", b"\0", b"+1"] {
            assert_eq!(number(bad), Err(NumberError::NotDigits));
        }
    }

    fn fits(tag: Tag, digits: &str, width: u32) -> bool {
        check_digits(tag, digits.as_bytes(), width, BtorDialect::Btor2).is_ok()
    }

    #[test]
    fn digits_against_widths() {
        assert!(fits(Tag::Const, "0101", 4) && !fits(Tag::Const, "101", 4) && !fits(Tag::Const, "012", 3));
        assert!(fits(Tag::Consth, "00fF", 8) && !fits(Tag::Consth, "1ff", 8) && !fits(Tag::Consth, "g", 8));
        assert!(fits(Tag::Consth, "1ff", 9) && fits(Tag::Consth, "0", 1));
        assert!(fits(Tag::Constd, "255", 8) && !fits(Tag::Constd, "256", 8));
        assert!(fits(Tag::Constd, "-128", 8) && !fits(Tag::Constd, "-129", 8) && fits(Tag::Constd, "-1", 1));
        assert!(fits(Tag::Constd, "0007", 3) && fits(Tag::Constd, "-0", 1) && !fits(Tag::Constd, "-", 1));
        let in_btor =
            |digits: &str| check_digits(Tag::Constd, digits.as_bytes(), 8, BtorDialect::Btor).is_ok();
        assert!(in_btor("0") && in_btor("200") && !in_btor("-1") && !in_btor("07"));
    }

    #[test]
    fn long_decimals_are_exact() {
        // 2^128 and its neighbours.
        for (digits, width, expected) in [
            ("340282366920938463463374607431768211455", 128, true),
            ("340282366920938463463374607431768211456", 128, false),
            ("340282366920938463463374607431768211456", 129, true),
            ("-340282366920938463463374607431768211456", 129, true),
            ("-340282366920938463463374607431768211457", 129, false),
        ] {
            assert_eq!(fits(Tag::Constd, digits, width), expected, "{digits} in {width}");
        }
    }

    #[test]
    fn length_alone_decides_for_very_long_ones() {
        let digits = "9".repeat(1_000_000);
        assert!(fits(Tag::Constd, &digits, 4_000_000) && !fits(Tag::Constd, &digits, 3_000_000));
        let reason = check_digits(Tag::Constd, digits.as_bytes(), 3_321_929, BtorDialect::Btor2).unwrap_err();
        assert_eq!(reason, DigitsError::TooLong { n_digits: 1_000_000, width: 3_321_929 });
    }
}
