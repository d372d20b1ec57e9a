//! The value of a constant.

use super::BtorView;
use nub_bitvec::Value;
use nub_btor::{LineId, OperandKind, Tag};

/// The widest value that is computed: decimal notation costs the square of the width, and large widths are cheap to write.
pub(super) const MAX_BITS: u32 = 1 << 12;

/// The digits of a `const`, `constd` or `consth`.
pub(super) fn digits(view: &BtorView, line: LineId) -> Option<&nub_btor::Operand> {
    view.operands(line).last().filter(|operand| operand.kind == OperandKind::Digits)
}

/// The value, in its full width; `None` if it is wider than [`MAX_BITS`] or not well formed.
pub(super) fn value(view: &BtorView, line: LineId) -> Option<Value> {
    let width = view.sort(line)?.bits().filter(|&width| width <= MAX_BITS)?;
    let digits = digits(view, line)?.span.slice(view.text());
    let value = match view.tag(line)? {
        Tag::Const => Value::parse_binary(digits),
        Tag::Constd => Value::parse_decimal(width, digits),
        Tag::Consth => Value::parse_hex(width, digits),
        _ => None,
    };
    value.filter(|value| value.width() == width)
}

/// The value of any constant, including named ones; `None` if it is wider than [`MAX_BITS`].
pub(super) fn any_value(view: &BtorView, line: LineId) -> Option<Value> {
    let width = || view.sort(line)?.bits().filter(|&width| width <= MAX_BITS);
    match view.tag(line)? {
        Tag::Zero => width().map(Value::zero),
        Tag::One => width().map(Value::one),
        Tag::Ones => width().map(Value::ones),
        _ => value(view, line),
    }
}

/// The digits of the low `width` bits, in the same base. `None` if computing them is too expensive.
pub(super) fn low_digits(view: &BtorView, line: LineId, width: u32) -> Option<Vec<u8>> {
    let digits = digits(view, line)?.span.slice(view.text());
    if view.tag(line)? == Tag::Const {
        let from = digits.len().checked_sub(width as usize)?;
        return Some(digits[from..].to_vec());
    }
    let narrow = |value: Value| {
        let fits = width >= value.width() || value.slice(value.width() - 1, width).is_zero();
        if fits { None } else { Some(value.slice(width - 1, 0)) }
    };
    // An unsigned number needs only as many bits as its digits, however wide the constant is.
    let old = view.sort(line)?.bits()?.min(4 * digits.len() as u32 + 1);
    let shorter = match view.tag(line)? {
        Tag::Consth if old <= MAX_BITS => narrow(Value::parse_hex(old, digits)?).map(|low| low.to_hex()),
        Tag::Constd if old <= MAX_BITS && !digits.starts_with(b"-") => {
            narrow(Value::parse_decimal(old, digits)?).map(|low| low.to_decimal())
        }
        Tag::Constd => narrow(value(view, line)?).map(|low| low.to_decimal()),
        _ => return None,
    };
    Some(shorter.map_or_else(|| digits.to_vec(), String::into_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_btor::BtorDialect;

    fn low(text: &str, width: u32) -> Option<String> {
        let view = BtorView::new(
            format!("1 sort bitvec 2000000\n2 sort bitvec 8\n3 {text}\n").as_bytes(),
            BtorDialect::Btor2,
        );
        low_digits(&view, LineId::new(2), width).map(|digits| String::from_utf8(digits).unwrap())
    }

    #[test]
    fn low_bits_in_the_same_base() {
        for (text, width, expected) in [
            ("const 2 10010110", 3, Some("110")),
            ("constd 2 200", 4, Some("8")),
            ("constd 2 5", 4, Some("5")),
            ("constd 2 -1", 4, Some("15")),
            ("consth 2 a7", 4, Some("7")),
            ("constd 1 300", 8, Some("44")),
            ("consth 1 fff", 1_000_000, Some("fff")),
            ("constd 1 -1", 4, None),
            ("constd 2 x", 4, None),
        ] {
            assert_eq!(low(text, width).as_deref(), expected, "{text} in {width} bits");
        }
    }
}
