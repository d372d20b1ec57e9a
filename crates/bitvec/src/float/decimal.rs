//! Decimal output: the shortest decimal that reads back as the same value.
//!
//! For an increasing number of digits, the two decimals next to the value are tried; the nearest one that reads back is the answer.
//! Exact arithmetic makes it correct for every format; it is not meant to be fast.

use super::natural::Natural;
use super::round::Exact;
use super::value::Kind;
use super::{Float, Rational, RoundingMode};

/// A decimal: 0.d1 d2 d3... * 10^`point`.
struct Decimal {
    digits: Vec<u8>,
    point: i64,
}

/// The positions of the decimal point for which no exponent is written. Outside of them, an exponent is easier to read.
const PLAIN_POINTS: std::ops::RangeInclusive<i64> = -3..=16;

impl Float {
    /// `0.1`, `-2.0`, `1e300`, `inf`, `-nan`... A number contains a point or an exponent, so that C reads it as a floating constant.
    pub fn to_shortest(&self) -> String {
        let sign = if self.sign().is_negative() { "-" } else { "" };
        match self.kind() {
            Kind::Nan => "nan".to_owned(),
            Kind::Infinite(_) => format!("{sign}inf"),
            Kind::Finite(exact) if exact.magnitude.is_zero() => format!("{sign}0.0"),
            Kind::Finite(exact) => format!("{sign}{}", shortest(&exact, self).written()),
        }
    }
}

/// Fewer digits than the value has bits are always enough, since 10 > 2.
fn shortest(exact: &Exact, value: &Float) -> Decimal {
    let scale = Scale::of(exact);
    let mut n_digits = 1;
    loop {
        let [below, above] = scale.neighbours(n_digits);
        let reads_back = |digits: &Natural| {
            let decimal = Rational::from_natural(digits.clone(), scale.point - n_digits);
            let read = decimal.round(value.format(), RoundingMode::NearestEven);
            read == value.abs()
        };
        let found = [below, above].into_iter().find(reads_back);
        if let Some(digits) = found {
            let point = scale.point + i64::from(digits.n_digits() > n_digits as usize);
            return Decimal { digits: digits.to_digits(), point };
        }
        n_digits += 1;
    }
}

/// A value as a fraction, with its decimal exponent.
struct Scale {
    numerator: Natural,
    denominator: Natural,
    /// 10^(point - 1) <= value < 10^point
    point: i64,
}

impl Scale {
    fn of(exact: &Exact) -> Scale {
        let shift = exact.exponent.unsigned_abs() as u64;
        let (numerator, denominator) = match exact.exponent {
            0.. => (exact.magnitude.shl(shift), Natural::one()),
            _ => (exact.magnitude.clone(), Natural::power_of_two(shift)),
        };
        // The estimate of log10 from the number of bits is off by at most one.
        let bits = numerator.bit_len() as i64 - denominator.bit_len() as i64;
        let mut point = (bits as f64 * std::f64::consts::LOG10_2).floor() as i64 - 1;
        let is_below = |point: i64| {
            let (left, right) = match u64::try_from(point) {
                Ok(power) => (numerator.clone(), denominator.mul(&Natural::power_of_ten(power))),
                Err(_) => (numerator.mul(&Natural::power_of_ten(point.unsigned_abs())), denominator.clone()),
            };
            left < right
        };
        while !is_below(point) {
            point += 1;
        }
        Scale { numerator, denominator, point }
    }

    /// The numbers of `n_digits` digits just below and above the value, the nearer one first.
    fn neighbours(&self, n_digits: i64) -> [Natural; 2] {
        let power = n_digits - self.point;
        let (left, right) = match u64::try_from(power) {
            Ok(power) => (self.numerator.mul(&Natural::power_of_ten(power)), self.denominator.clone()),
            Err(_) => {
                (self.numerator.clone(), self.denominator.mul(&Natural::power_of_ten(power.unsigned_abs())))
            }
        };
        let (below, rest) = left.div_rem(&right);
        let above = below.add(&Natural::one());
        if rest.shl(1) <= right { [below, above] } else { [above, below] }
    }
}

impl Decimal {
    fn written(mut self) -> String {
        while self.digits.len() > 1 && self.digits.last() == Some(&b'0') {
            self.digits.pop();
        }
        let digits = String::from_utf8_lossy(&self.digits).into_owned();
        let n_digits = digits.len() as i64;
        if !PLAIN_POINTS.contains(&self.point) {
            let exponent = self.point - 1;
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            return format!("{first}{point}{rest}e{exponent}");
        }
        match self.point {
            point if point <= 0 => format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
            point if point >= n_digits => format!("{digits}{}.0", "0".repeat((point - n_digits) as usize)),
            point => format!("{}.{}", &digits[..point as usize], &digits[point as usize..]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;
    use crate::float::{FloatFormat, Sign};

    fn double(value: f64) -> Float {
        Float::from_bits(FloatFormat::DOUBLE, Value::from_u64(64, value.to_bits()))
    }

    #[test]
    fn as_people_write_them() {
        let cases = [
            (0.1, "0.1"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-2.5, "-2.5"),
            (100.0, "100.0"),
            (1e17, "1e17"),
            (123456.789, "123456.789"),
            (0.0001, "0.0001"),
            (1e-7, "1e-7"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e308"),
            (9007199254740993.0, "9007199254740992.0"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in cases {
            assert_eq!(double(value).to_shortest(), text);
        }
    }

    /// Against Rust's own printing, which is also shortest: the same number of digits, and it reads back.
    #[test]
    fn shortest_on_doubles_and_powers_of_two() {
        let mut rng = nub_random::Rng::new(1);
        let powers = (0..2047).map(|exponent| exponent << 52);
        let random = (0..500).map(|_| rng.bits() >> 1);
        for bits in powers.chain(random).map(f64::from_bits).filter(|value| value.is_finite()) {
            let text = double(bits).to_shortest();
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(bits.to_bits()), "{text}");
            let count = |text: &str| {
                let digits: String =
                    text.split('e').next().unwrap_or("").chars().filter(char::is_ascii_digit).collect();
                digits.trim_matches('0').len()
            };
            assert_eq!(count(&text), count(&format!("{bits:e}")), "{text} {bits:e}");
        }
    }

    #[test]
    fn the_extended_format_reads_back() {
        let least = Float::from_bits(FloatFormat::EXTENDED, Value::from_u64(79, 1));
        assert_eq!(least.to_shortest(), "4e-4951");
        let most = Float::max_finite(FloatFormat::EXTENDED, Sign::Positive);
        assert_eq!(most.to_shortest(), "1.189731495357231765e4932");
    }
}
