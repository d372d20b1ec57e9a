//! Numbers and blanks in bytes.

/// White space between tokens. NUL and other control characters are not blanks: solvers stumble over them, so they become
/// unreadable tokens.
pub(crate) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}

/// Where the token that begins at `start` ends.
pub(crate) fn token_end(text: &[u8], start: usize) -> usize {
    let rest = text[start..].iter().position(|&byte| is_blank(byte));
    rest.map_or(text.len(), |length| start + length)
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// A number without a sign.
    Plain(u64),
    /// The magnitude of a number after a minus sign; never zero.
    Negative(u64),
    /// Digits that do not fit into 64 bits.
    Overflow,
    /// Not a number.
    Bad,
}

/// Reads the token at `start`; returns its value and its end. The hot loop of the reader.
pub(crate) fn number_at(text: &[u8], start: usize) -> (Value, usize) {
    let is_negative = text.get(start) == Some(&b'-');
    let first = start + usize::from(is_negative);
    let mut at = first;
    let mut value: u64 = 0;
    let mut fits = true;
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        match value.checked_mul(10).and_then(|value| value.checked_add(u64::from(digit))) {
            Some(next) => value = next,
            None => fits = false,
        }
        at += 1;
    }
    if at == first || text.get(at).is_some_and(|&byte| !is_blank(byte)) {
        return (Value::Bad, token_end(text, start));
    }
    let value = match (fits, is_negative) {
        (false, _) => Value::Overflow,
        (true, false) => Value::Plain(value),
        (true, true) if value == 0 => Value::Bad,
        (true, true) => Value::Negative(value),
    };
    (value, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens() {
        let read = |text: &str| number_at(text.as_bytes(), 0);
        assert_eq!(read("12 3"), (Value::Plain(12), 2));
        assert_eq!(read("-007\n"), (Value::Negative(7), 4));
        assert_eq!(read("18446744073709551615"), (Value::Plain(u64::MAX), 20));
        assert_eq!(read("18446744073709551616 "), (Value::Overflow, 20));
        for bad in ["-", "-0", "1x", "+1", "--1", "1-", "1\u{0}"] {
            assert_eq!(read(bad), (Value::Bad, bad.len()), "{bad:?}");
        }
    }
}
