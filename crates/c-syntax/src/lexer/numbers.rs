//! Integer and floating constants (C17 6.4.4).
//!
//! First the preprocessing number is read, which must then be a constant as a whole: `0xe+1` is one bad token, as
//! the standard says, not a sum.

use super::{Lexer, hex_value};
use crate::ast::{IntBase, IntLit, LengthSuffix};
use crate::token::T;
use std::fmt;

/// Why a preprocessing number is not an integer constant.
enum IntegerError<'t> {
    NoDigits,
    Digit { digit: u32, radix: u32 },
    TooLarge,
    Imaginary,
    Suffix(&'t [u8]),
}

impl fmt::Display for IntegerError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IntegerError::NoDigits => f.write_str("it has no digits"),
            IntegerError::Digit { digit, radix } => write!(f, "{digit} is not a digit in base {radix}"),
            IntegerError::TooLarge => f.write_str("it needs more than 64 bits"),
            IntegerError::Imaginary => f.write_str("imaginary constants are not supported"),
            IntegerError::Suffix(suffix) => {
                write!(f, "`{}` is not a suffix", String::from_utf8_lossy(&suffix[..suffix.len().min(20)]))
            }
        }
    }
}

impl Lexer<'_> {
    pub(super) fn number(&mut self) {
        let start = self.at;
        let text = &self.text[start..];
        let text = &text[..number_length(text)];
        self.at += text.len();
        if is_floating(text) {
            return self.floating(start, text);
        }
        match integer(text) {
            Ok(literal) => {
                self.out.ints.push(literal);
                self.push(T::Int, start, self.out.ints.len() as u32 - 1);
            }
            Err(why) => {
                let shown = String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();
                self.bad(
                    start,
                    format!("`{shown}` is not a valid constant: {why}"),
                    "see C17 6.4.4 for the forms of constants",
                );
            }
        }
    }

    fn floating(&mut self, start: usize, text: &[u8]) {
        match floating_digits(text) {
            Some(n_digits) if is_floating_suffix(&text[n_digits..]) => {
                let digits = self.spliced.span(start, start + n_digits);
                self.push(T::Float, start, digits.end);
            }
            _ => {
                let shown = String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();
                self.bad(
                    start,
                    format!("`{shown}` is not a floating constant"),
                    "see C17 6.4.4.2 for their form",
                );
            }
        }
    }
}

/// Length of the preprocessing number at the start of `text`.
fn number_length(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let is_sign = matches!(byte, b'+' | b'-') && matches!(text[at.max(1) - 1], b'e' | b'E' | b'p' | b'P');
        let is_part = byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || (is_sign && at > 0);
        if !is_part {
            break;
        }
        at += 1;
    }
    at
}

fn is_floating(text: &[u8]) -> bool {
    match text {
        [b'0', b'x' | b'X', rest @ ..] => rest.iter().any(|byte| matches!(byte, b'.' | b'p' | b'P')),
        [b'0', b'b' | b'B', ..] => false,
        _ => text.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')),
    }
}

/// Length of digits, point and exponent; `None` if they do not make a constant.
fn floating_digits(text: &[u8]) -> Option<usize> {
    let is_hex = matches!(text, [b'0', b'x' | b'X', ..]);
    let from = if is_hex { 2 } else { 0 };
    let is_digit = |byte: &u8| if is_hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let run = |at: usize| text[at..].iter().take_while(|byte| is_digit(byte)).count();
    let mut n_mantissa = run(from);
    let mut at = from + n_mantissa;
    if text.get(at) == Some(&b'.') {
        let n_fraction = run(at + 1);
        n_mantissa += n_fraction;
        at += 1 + n_fraction;
    }
    let has_exponent = match text.get(at) {
        Some(b'e' | b'E') => !is_hex,
        Some(b'p' | b'P') => is_hex,
        _ => false,
    };
    if n_mantissa == 0 || (is_hex && !has_exponent) {
        return None;
    }
    if has_exponent {
        at += 1;
        at += usize::from(matches!(text.get(at), Some(b'+' | b'-')));
        let n_exponent = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if n_exponent == 0 {
            return None;
        }
        at += n_exponent;
    }
    Some(at)
}

/// ISO, GNU (`q`, `w`, `i`) and TS 18661 (`f128`) suffixes.
fn is_floating_suffix(suffix: &[u8]) -> bool {
    let suffix = suffix.to_ascii_lowercase();
    // `i` comes before or after the other letters.
    let ends = [suffix.strip_suffix(b"i"), suffix.strip_suffix(b"j")];
    let starts = [suffix.strip_prefix(b"i"), suffix.strip_prefix(b"j")];
    let real = ends.into_iter().chain(starts).flatten().next().unwrap_or(&suffix);
    matches!(
        real,
        b"" | b"f"
            | b"l"
            | b"q"
            | b"w"
            | b"f16"
            | b"f32"
            | b"f64"
            | b"f128"
            | b"f32x"
            | b"f64x"
            | b"df"
            | b"dd"
            | b"dl"
    )
}

fn integer(text: &[u8]) -> Result<IntLit, IntegerError<'_>> {
    let (base, radix, digits) = match text {
        [b'0', b'x' | b'X', rest @ ..] => (IntBase::Hexadecimal, 16, rest),
        [b'0', b'b' | b'B', rest @ ..] => (IntBase::Binary, 2, rest),
        [b'0', ..] => (IntBase::Octal, 8, text),
        _ => (IntBase::Decimal, 10, text),
    };
    let is_digit = |byte: &&u8| if radix == 16 { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let n_digits = digits.iter().take_while(is_digit).count();
    let (digits, suffix) = digits.split_at(n_digits);
    if digits.is_empty() {
        return Err(IntegerError::NoDigits);
    }
    let mut value = 0u64;
    for &digit in digits {
        let digit = hex_value(digit);
        if digit >= radix {
            return Err(IntegerError::Digit { digit, radix });
        }
        let next = value.checked_mul(radix.into()).and_then(|value| value.checked_add(digit.into()));
        value = next.ok_or(IntegerError::TooLarge)?;
    }
    let (is_unsigned, length) = integer_suffix(suffix)?;
    Ok(IntLit { value, base, is_unsigned, length })
}

fn integer_suffix(suffix: &[u8]) -> Result<(bool, LengthSuffix), IntegerError<'_>> {
    let (is_unsigned, length) = match suffix {
        [b'u' | b'U', rest @ ..] => (true, rest),
        [rest @ .., b'u' | b'U'] => (true, rest),
        _ => (false, suffix),
    };
    let length = match length {
        b"" => LengthSuffix::None,
        b"l" | b"L" => LengthSuffix::Long,
        b"ll" | b"LL" => LengthSuffix::LongLong,
        b"i" | b"j" | b"I" | b"J" => return Err(IntegerError::Imaginary),
        _ => return Err(IntegerError::Suffix(suffix)),
    };
    Ok((is_unsigned, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    fn one(text: &str) -> String {
        let lexed = lex(text.as_bytes());
        match (lexed.tokens.len(), lexed.tokens[0].kind) {
            (2, T::Int) => {
                let IntLit { value, base, is_unsigned, length } = lexed.ints[0];
                format!("{value} {base:?} {is_unsigned} {length:?}")
            }
            (2, T::Float) => format!("float {}", &text[..lexed.tokens[0].data as usize]),
            (2, T::Bad) => lexed.diagnostics[0].message.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn integers() {
        assert_eq!(one("0"), "0 Octal false None");
        assert_eq!(one("42ul"), "42 Decimal true Long");
        assert_eq!(one("0xFFLLU"), "255 Hexadecimal true LongLong");
        assert_eq!(one("0b101"), "5 Binary false None");
        assert_eq!(one("0777"), "511 Octal false None");
        assert_eq!(one("18446744073709551615u"), "18446744073709551615 Decimal true None");
    }

    #[test]
    fn floats() {
        assert_eq!(one("1."), "float 1.");
        assert_eq!(one(".5e-3f"), "float .5e-3");
        assert_eq!(one("0x1.8p+3L"), "float 0x1.8p+3");
        assert_eq!(one("1e5"), "float 1e5");
        assert_eq!(one("09.5"), "float 09.5");
        assert_eq!(one("1.0iF"), "float 1.0");
        assert_eq!(one("1.0Lj"), "float 1.0");
    }

    #[test]
    fn refusals() {
        assert_eq!(one("08"), "`08` is not a valid constant: 8 is not a digit in base 8");
        assert_eq!(one("0b12"), "`0b12` is not a valid constant: 2 is not a digit in base 2");
        assert_eq!(one("1lul"), "`1lul` is not a valid constant: `lul` is not a suffix");
        assert_eq!(one("1lL"), "`1lL` is not a valid constant: `lL` is not a suffix");
        assert_eq!(
            one("18446744073709551616"),
            "`18446744073709551616` is not a valid constant: it needs more than 64 bits"
        );
        assert_eq!(one("0xe+1"), "`0xe+1` is not a valid constant: `+1` is not a suffix");
        assert_eq!(one("0x1.8"), "`0x1.8` is not a floating constant");
        assert_eq!(one("1e"), "`1e` is not a floating constant");
        assert_eq!(one("1.5x"), "`1.5x` is not a floating constant");
        assert_eq!(one("2i"), "`2i` is not a valid constant: imaginary constants are not supported");
        assert_eq!(one("0x"), "`0x` is not a valid constant: it has no digits");
    }
}
