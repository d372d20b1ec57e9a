//! Integer arithmetic on the bits of values up to 128 wide.
//!
//! A value is a `u128` whose bits from its width on are zero. The interpreter, constant folding and layout all compute here.

use crate::ir::{BinaryOp, CompareOp, Conversion, OverflowOp, UnaryOp};

/// The low `width` bits.
pub fn truncate(bits: u128, width: u32) -> u128 {
    if width >= 128 { bits } else { bits & ((1 << width) - 1) }
}

/// The number as a signed one of `width` bits. A value of 128 bits keeps its bits.
pub fn to_signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    ((bits << unused) as i128) >> unused
}

/// The bits of a signed number.
pub fn from_signed(number: i128, width: u32) -> u128 {
    truncate(number as u128, width)
}

/// An operator with one operand.
pub fn unary(op: UnaryOp, bits: u128, width: u32) -> u128 {
    match op {
        UnaryOp::Negate => truncate(bits.wrapping_neg(), width),
        UnaryOp::Not => truncate(!bits, width),
    }
}

/// An operator with two operands; `None` if a divisor is zero. Overflow wraps. A shift by the width or more gives what
/// shifting one by one would give.
pub fn binary(op: BinaryOp, left: u128, right: u128, width: u32) -> Option<u128> {
    let (left_signed, right_signed) = (to_signed(left, width), to_signed(right, width));
    Some(match op {
        BinaryOp::Add => truncate(left.wrapping_add(right), width),
        BinaryOp::Sub => truncate(left.wrapping_sub(right), width),
        BinaryOp::Mul => truncate(left.wrapping_mul(right), width),
        BinaryOp::UDiv => left.checked_div(right)?,
        BinaryOp::URem => left.checked_rem(right)?,
        BinaryOp::SDiv | BinaryOp::SRem if right == 0 => return None,
        BinaryOp::SDiv => from_signed(left_signed.wrapping_div(right_signed), width),
        BinaryOp::SRem => from_signed(left_signed.wrapping_rem(right_signed), width),
        BinaryOp::And => left & right,
        BinaryOp::Or => left | right,
        BinaryOp::Xor => left ^ right,
        BinaryOp::Shl => amount(right, width).map_or(0, |by| truncate(left << by, width)),
        BinaryOp::LShr => amount(right, width).map_or(0, |by| left >> by),
        BinaryOp::AShr => {
            let by = amount(right, width).unwrap_or(width.saturating_sub(1));
            from_signed(left_signed >> by, width)
        }
    })
}

/// A shift amount, if it is below the width.
fn amount(bits: u128, width: u32) -> Option<u32> {
    u32::try_from(bits).ok().filter(|by| *by < width)
}

/// A comparison.
pub fn compare(op: CompareOp, left: u128, right: u128, width: u32) -> bool {
    match op {
        CompareOp::Eq => left == right,
        CompareOp::Ne => left != right,
        CompareOp::ULt => left < right,
        CompareOp::ULe => left <= right,
        CompareOp::SLt => to_signed(left, width) < to_signed(right, width),
        CompareOp::SLe => to_signed(left, width) <= to_signed(right, width),
    }
}

/// A conversion between integer types.
pub fn convert(conversion: Conversion, bits: u128, from_width: u32, to_width: u32) -> u128 {
    match conversion {
        Conversion::Truncate | Conversion::ZeroExtend | Conversion::Same => truncate(bits, to_width),
        Conversion::SignExtend => from_signed(to_signed(bits, from_width), to_width),
        Conversion::ToBool => u128::from(bits != 0),
    }
}

/// Does the signed operation leave the range of `width` bits?
pub fn overflows(op: OverflowOp, left: u128, right: u128, width: u32) -> bool {
    let (left, right) = (to_signed(left, width), to_signed(right, width));
    let exact = match op {
        OverflowOp::Add => left.checked_add(right),
        OverflowOp::Sub => left.checked_sub(right),
        OverflowOp::Mul => left.checked_mul(right),
    };
    exact.is_none_or(|number| to_signed(from_signed(number, width), width) != number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All operands of four bits against arithmetic on small machine integers.
    #[test]
    fn four_bits_are_as_defined() {
        for left in 0..16u128 {
            for right in 0..16u128 {
                let (a, b) = (to_signed(left, 4) as i64, to_signed(right, 4) as i64);
                let low = |number: i64| (number & 15) as u128;
                assert_eq!(binary(BinaryOp::Add, left, right, 4), Some(low(a + b)));
                assert_eq!(binary(BinaryOp::Sub, left, right, 4), Some(low(a - b)));
                assert_eq!(binary(BinaryOp::Mul, left, right, 4), Some(low(a * b)));
                assert_eq!(binary(BinaryOp::SDiv, left, right, 4), (b != 0).then(|| low(a / b)));
                assert_eq!(binary(BinaryOp::SRem, left, right, 4), (b != 0).then(|| low(a % b)));
                assert_eq!(overflows(OverflowOp::Mul, left, right, 4), !(-8..8).contains(&(a * b)));
                assert_eq!(overflows(OverflowOp::Add, left, right, 4), !(-8..8).contains(&(a + b)));
                assert_eq!(overflows(OverflowOp::Sub, left, right, 4), !(-8..8).contains(&(a - b)));
                assert_eq!(compare(CompareOp::SLt, left, right, 4), a < b);
                assert_eq!(compare(CompareOp::ULe, left, right, 4), left <= right);
                assert_eq!(binary(BinaryOp::AShr, left, right, 4), Some(low(a >> b.rem_euclid(16))));
            }
        }
    }

    #[test]
    fn full_width_does_not_panic() {
        let min = 1u128 << 127;
        assert_eq!(binary(BinaryOp::SDiv, min, u128::MAX, 128), Some(min));
        assert!(overflows(OverflowOp::Mul, min, u128::MAX, 128));
        assert_eq!(binary(BinaryOp::Shl, 1, 128, 128), Some(0));
        assert_eq!(binary(BinaryOp::AShr, min, 200, 128), Some(u128::MAX));
        assert_eq!(convert(Conversion::SignExtend, 0x80, 8, 128), !0x7f);
    }
}
