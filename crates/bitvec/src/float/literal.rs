//! Constants as in programming languages: decimal with an exponent, and hexadecimal.

use super::Rational;

/// Decimal exponents beyond this are out of the range of every format that programs use, including the smallest subnormal of binary128.
/// Larger ones are clamped to it, so that `1e999999999` costs nothing.
const MAX_DECIMAL: i64 = 5_500;
/// The same for exponents of two.
const MAX_BINARY: i64 = 20_000;

/// Digits, and the position of the point among them.
struct Digits {
    digits: Vec<u8>,
    n_whole: usize,
}

impl Digits {
    /// Reads `12.5`, `.5`, `12.` or `12`. `None` if there is no digit.
    fn read(text: &[u8], is_digit: fn(&u8) -> bool) -> Option<Digits> {
        let n_whole = text.iter().position(|byte| *byte == b'.').unwrap_or(text.len());
        let part = text.get(n_whole + 1..).unwrap_or_default();
        let digits = [&text[..n_whole], part].concat();
        let is_number = !digits.is_empty() && digits.iter().all(is_digit);
        is_number.then_some(Digits { digits, n_whole })
    }

    /// The position of the first nonzero digit, counted from the point; `None` if all digits are zero.
    fn leading_place(&self) -> Option<i64> {
        let first = self.digits.iter().position(|digit| *digit != b'0')?;
        Some(self.n_whole as i64 - first as i64)
    }
}

impl Rational {
    /// A floating constant of C without its suffix: `1.5e-3`, `.5`, `7.`, `0x1.8p3`. `None` for any other text. A number outside of the
    /// range of every format becomes some number outside of that range, not the exact one.
    pub fn from_c(text: &[u8]) -> Option<Rational> {
        match text {
            [b'0', b'x' | b'X', rest @ ..] => Rational::from_hexadecimal(rest),
            _ => Rational::from_scientific(text),
        }
    }

    fn from_scientific(text: &[u8]) -> Option<Rational> {
        let (digits, exponent) = split(text, [b'e', b'E']);
        let exponent = exponent.map_or(Some(0), read_exponent)?;
        let digits = Digits::read(digits, u8::is_ascii_digit)?;
        let Some(place) = digits.leading_place() else { return Some(Rational::from_digits(b"0", 0)) };
        if exponent + place > MAX_DECIMAL {
            return Some(Rational::from_digits(b"1", MAX_DECIMAL));
        }
        if exponent + place < -MAX_DECIMAL {
            return Some(Rational::from_digits(b"1", -MAX_DECIMAL));
        }
        let n_part = (digits.digits.len() - digits.n_whole) as i64;
        Some(Rational::from_digits(&digits.digits, exponent - n_part))
    }

    fn from_hexadecimal(text: &[u8]) -> Option<Rational> {
        let (digits, exponent) = split(text, [b'p', b'P']);
        let exponent = read_exponent(exponent?)?;
        let digits = Digits::read(digits, u8::is_ascii_hexdigit)?;
        let Some(place) = digits.leading_place() else { return Some(Rational::from_digits(b"0", 0)) };
        let magnitude = exponent + 4 * place;
        if magnitude.abs() > MAX_BINARY {
            return Some(
                Rational::from_digits(b"1", 0).scaled(magnitude.clamp(-MAX_BINARY, MAX_BINARY) as i32),
            );
        }
        let n_part = (digits.digits.len() - digits.n_whole) as i64;
        let exponent = i32::try_from(exponent - 4 * n_part).ok()?;
        Some(Rational::from_hex_digits(&digits.digits).scaled(exponent))
    }
}

/// The text before and after the first occurrence of either byte.
fn split(text: &[u8], at: [u8; 2]) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|byte| at.contains(byte)) {
        Some(found) => (&text[..found], Some(&text[found + 1..])),
        None => (text, None),
    }
}

/// An exponent with or without a sign; clamped if it is far outside of every range.
fn read_exponent(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let step = |number: i64, digit: &u8| (10 * number + i64::from(digit - b'0')).min(i64::MAX / 100);
    let number = is_number.then(|| digits.iter().fold(0, step))?;
    Some(if is_negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::{FloatFormat, RoundingMode};

    fn double(text: &str) -> Option<f64> {
        let value = Rational::from_c(text.as_bytes())?.round(FloatFormat::DOUBLE, RoundingMode::NearestEven);
        value.bits().to_u64().map(f64::from_bits)
    }

    #[test]
    fn decimal_constants_are_rounded_once() {
        let texts = [
            "0",
            "1",
            "0.1",
            ".5",
            "7.",
            "1e22",
            "1e23",
            "2.2250738585072011e-308",
            "4.9e-324",
            "2.4e-324",
            "1.7976931348623157e308",
            "1.7976931348623159e308",
            "9007199254740993",
            "0.000000000000000000001e21",
            "123456789012345678901234567890e-20",
            "1e400",
            "1e-400",
            "0e99999999999999999999",
        ];
        for text in texts {
            assert_eq!(double(text).map(f64::to_bits), text.parse().ok().map(f64::to_bits), "{text}");
        }
        assert_eq!(double("1e999999999999999999999"), Some(f64::INFINITY));
        assert_eq!(double("1e-999999999999999999999"), Some(0.0));
        assert_eq!(double(&format!("0.{}1e10001", "0".repeat(10_000))), Some(1.0));
    }

    /// Rounded once, not through double: the decimal is just above the midpoint of two floats, and its nearest double is that midpoint.
    #[test]
    fn single_is_not_rounded_twice() {
        let text = "1.000000059604644775390625000000000001";
        let value =
            Rational::from_c(text.as_bytes()).unwrap().round(FloatFormat::SINGLE, RoundingMode::NearestEven);
        assert_eq!(value.bits().to_u64(), Some(u64::from(1.000_000_1_f32.to_bits())));
        assert_eq!(text.parse::<f64>().unwrap() as f32, 1.0);
    }

    #[test]
    fn hexadecimal_constants() {
        assert_eq!(double("0x1.8p+3"), Some(12.0));
        assert_eq!(double("0xA.p-1"), Some(5.0));
        assert_eq!(double("0x.8P1"), Some(1.0));
        assert_eq!(double("0x1.fffffffffffff8p0"), Some(2.0));
        assert_eq!(double("0x1p-1074"), Some(f64::from_bits(1)));
        assert_eq!(double("0x1p-99999999999999999999"), Some(0.0));
        assert_eq!(double("0x1p99999999999999999999"), Some(f64::INFINITY));
        assert_eq!(double("0x0p99999999999999999999"), Some(0.0));
    }

    #[test]
    fn what_is_no_constant_is_none() {
        for text in ["", ".", "e5", "1e", "1e+", "0x1.8", "0xp1", "1.2.3", "1_0", "0x1p1p1"] {
            assert!(Rational::from_c(text.as_bytes()).is_none(), "{text}");
        }
    }
}
