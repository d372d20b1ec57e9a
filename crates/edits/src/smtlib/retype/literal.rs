//! Narrower bit-vector literals.

use super::sites::Bits;
use crate::smtlib::SmtView;
use nub_smtlib::{NodeId, NodeKind};

/// Wider literals are written in decimal notation and not bit by bit.
const MAX_BITS: u32 = 4096;

/// A literal of `width` bits made from a wider one, in the shortest notation.
pub(super) fn narrow(view: &SmtView, node: NodeId, bits: Bits, width: u32) -> Vec<u8> {
    let text = view.slice(node);
    if width > MAX_BITS {
        // A literal this wide can only come from an even wider one.
        return match view.tree().kind(node) {
            NodeKind::List => [b"(_ ", name(view, node), b" ", width.to_string().as_bytes(), b")"].concat(),
            _ => format!("(_ bv0 {width})").into_bytes(),
        };
    }
    let all: Vec<bool> = match view.tree().kind(node) {
        NodeKind::Binary => text[2..].iter().map(|&digit| digit == b'1').collect(),
        NodeKind::Hex => text[2..].iter().flat_map(|&digit| hex_bits(digit)).collect(),
        _ => decimal_bits(&name(view, node)[2..], width),
    };
    notation(&pick(&all, bits, width as usize))
}

/// The `bv5` in `(_ bv5 8)`.
fn name(view: &SmtView, node: NodeId) -> &[u8] {
    view.tree().child(node, 1).map_or(b"bv0", |name| view.slice(name))
}

fn hex_bits(digit: u8) -> [bool; 4] {
    let value = (digit as char).to_digit(16).unwrap_or(0);
    [8, 4, 2, 1].map(|bit| value & bit != 0)
}

/// The low bits of a decimal number, highest first. Wrapping arithmetic keeps the low bits correct; bits above 128 are
/// assumed to be zero.
fn decimal_bits(digits: &[u8], width: u32) -> Vec<bool> {
    let value = digits.iter().fold(0u128, |value, digit| {
        value.wrapping_mul(10).wrapping_add(u128::from(digit.wrapping_sub(b'0')))
    });
    (0..width).rev().map(|bit| bit < 128 && value >> bit & 1 == 1).collect()
}

fn pick(all: &[bool], bits: Bits, width: usize) -> Vec<bool> {
    let mut picked = vec![false; width.saturating_sub(all.len())];
    let width = width.min(all.len());
    let low = &all[all.len() - width..];
    match bits {
        Bits::Low => picked.extend(low),
        Bits::High => picked.extend(&all[..width]),
        Bits::Exponent => {
            picked.extend(low);
            if let (Some(first), Some(highest)) = (picked.first_mut(), all.first()) {
                *first = *highest;
            }
        }
    }
    picked
}

/// The shortest way to write the bits.
fn notation(bits: &[bool]) -> Vec<u8> {
    let mut best: Vec<u8> = b"#b".to_vec();
    best.extend(bits.iter().map(|&bit| if bit { b'1' } else { b'0' }));
    if bits.len().is_multiple_of(4) {
        let digit = |four: &[bool]| four.iter().fold(0, |value, &bit| value << 1 | u32::from(bit));
        best = b"#x".to_vec();
        best.extend(
            bits.chunks(4).filter_map(|four| char::from_digit(digit(four), 16)).map(|digit| digit as u8),
        );
    }
    let significant = bits.iter().skip_while(|&&bit| !bit).count();
    if significant <= 64 {
        let value =
            bits[bits.len() - significant..].iter().fold(0u64, |value, &bit| value << 1 | u64::from(bit));
        let indexed = format!("(_ bv{value} {})", bits.len()).into_bytes();
        if indexed.len() < best.len() {
            best = indexed;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrowed(literal: &str, bits: Bits, width: u32) -> String {
        let view = SmtView::new(format!("(assert (= {literal} x))").as_bytes());
        let term = view.terms().nth(1).unwrap();
        String::from_utf8(narrow(&view, term, bits, width)).unwrap()
    }

    #[test]
    fn bits_that_stay() {
        assert_eq!(narrowed("#b10110", Bits::Low, 3), "#b110");
        assert_eq!(narrowed("#xdeadbeef", Bits::Low, 16), "#xbeef");
        assert_eq!(narrowed("(_ bv300 32)", Bits::Low, 8), "#x2c");
        assert_eq!(narrowed("#b01111111", Bits::Exponent, 5), "#b01111");
        assert_eq!(narrowed("#b10000001", Bits::Exponent, 5), "#b10001");
        assert_eq!(narrowed("#b1100", Bits::High, 2), "#b11");
        assert_eq!(narrowed("(_ bv5 64)", Bits::Low, 63), "(_ bv5 63)");
        assert_eq!(narrowed("(_ bv5 10000)", Bits::Low, 5000), "(_ bv5 5000)");
    }
}
