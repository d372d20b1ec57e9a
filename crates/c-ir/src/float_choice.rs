//! Readable floating-point values: 0, 1, constants of the source, numbers with few digits, the NaN without a payload.

use crate::{ExprKind, FloatEncoding, FunctionId, NumberFormat, Program};
use nub_bitvec::Value;
use nub_bitvec::float::{Float, Rational, RoundingMode, Sign};

/// At most this many constants of the source are tried, with their neighbours.
const MAX_CONSTANTS: usize = 8;
/// Significant digits up to which a value is rounded.
const MAX_DIGITS: usize = 6;

/// Values that are tried for every float.
const COMMON: [&str; 10] = ["0.0", "1.0", "-1.0", "2.0", "0.5", "-0.5", "10.0", "100.0", "1000.0", "1e10"];

/// The floating constants of a function, each once.
pub fn float_constants(program: &Program, function: FunctionId) -> Vec<Float> {
    let mut found: Vec<Float> = Vec::new();
    for expr in &program.function(function).exprs {
        let ExprKind::Int(bits) = expr.kind else { continue };
        let float = match program.types.number_format(expr.ty) {
            Some(NumberFormat::Float(encoding)) => encoding.decode(bits),
            _ => continue,
        };
        if !found.contains(&float) {
            found.push(float);
        }
    }
    found
}

/// Candidates for a readable value of a floating-point input.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatChoice {
    encoding: FloatEncoding,
    /// Most readable first.
    values: Vec<Value>,
}

impl FloatChoice {
    /// Candidates for an input with this encoding, in a function with these constants.
    pub fn new(encoding: FloatEncoding, constants: &[Float]) -> FloatChoice {
        let format = encoding.values;
        let mode = RoundingMode::NearestEven;
        let one = |text: &str| read(encoding, text);
        let mut floats: Vec<Float> = COMMON[..3].iter().map(|text| one(text)).collect();
        for constant in constants.iter().filter(|found| !found.is_nan()).take(MAX_CONSTANTS) {
            let constant = constant.to_format(format, mode);
            let step = one("1.0");
            floats.extend([constant.clone(), constant.add(&step, mode), constant.sub(&step, mode)]);
        }
        floats.extend(COMMON[3..].iter().map(|text| one(text)));
        floats.extend([Float::nan(format), Float::infinity(format, Sign::Positive)]);
        floats.push(Float::infinity(format, Sign::Negative));
        let mut values: Vec<Value> = Vec::new();
        for float in floats {
            let value = encoded(encoding, &float);
            if !values.contains(&value) {
                values.push(value);
            }
        }
        FloatChoice { encoding, values }
    }

    /// How the input is represented.
    pub fn encoding(&self) -> FloatEncoding {
        self.encoding
    }

    /// Values to try before the value of a test is rounded.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Values near that of a test, those with few digits first.
    pub fn rounded(&self, value: &Value) -> Vec<Value> {
        let float = self.encoding.decode(bits(value));
        if float.is_nan() || float.is_infinite() || float.is_zero() {
            return Vec::new();
        }
        let text = float.to_shortest();
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let is_digit = |at: usize| mantissa.as_bytes()[at].is_ascii_digit();
        let first =
            (0..mantissa.len()).find(|at| is_digit(*at) && mantissa.as_bytes()[*at] != b'0').unwrap_or(0);
        let mut found = Vec::new();
        for n_digits in 1..=MAX_DIGITS {
            // The digits after the first `n_digits` become zero. Both neighbours are tried: the one towards zero, and the next one away from zero.
            let mut n_seen = 0;
            let cut: String = (mantissa.char_indices())
                .map(|(at, letter)| {
                    let counts = letter.is_ascii_digit() && at >= first;
                    n_seen += usize::from(counts);
                    if counts && n_seen > n_digits { '0' } else { letter }
                })
                .collect();
            let below = read(self.encoding, &format!("{cut}e{exponent}"));
            found.push(encoded(self.encoding, &below));
            if let Some(step) = step(mantissa, first, n_digits) {
                let step = read(self.encoding, &format!("{step}e{exponent}"));
                let away = if float.is_negative() { step.neg() } else { step };
                found.push(encoded(self.encoding, &below.add(&away, RoundingMode::NearestEven)));
            }
        }
        found.dedup();
        found
    }
}

/// A number of the same length whose only digit other than zero is a 1, at the last digit that is kept; `None` if there are fewer digits.
fn step(mantissa: &str, first: usize, n_digits: usize) -> Option<String> {
    let places = mantissa.char_indices().filter(|(at, letter)| letter.is_ascii_digit() && *at >= first);
    let (last, _) = places.clone().nth(n_digits - 1)?;
    let text = mantissa.char_indices().map(|(at, letter)| match letter {
        '.' => '.',
        _ if at == last => '1',
        _ => '0',
    });
    Some(text.collect())
}

fn bits(value: &Value) -> u128 {
    value.bits().enumerate().fold(0, |bits, (at, bit)| bits | u128::from(bit) << at)
}

fn encoded(encoding: FloatEncoding, float: &Float) -> Value {
    let bits = encoding.encode(float);
    Value::from_bits((0..encoding.width()).map(|bit| bits >> bit & 1 == 1))
}

/// A decimal with or without a sign; zero if the text is not a decimal.
fn read(encoding: FloatEncoding, text: &str) -> Float {
    let digits = text.trim_start_matches('-');
    let rational = Rational::from_c(digits.as_bytes());
    let float = match rational {
        Some(rational) => rational.round(encoding.values, RoundingMode::NearestEven),
        None => Float::zero(encoding.values, Sign::Positive),
    };
    if digits.len() < text.len() { float.neg() } else { float }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(value: f64) -> Value {
        Value::from_u64(64, value.to_bits())
    }

    fn back(values: &[Value]) -> Vec<f64> {
        values.iter().map(|value| f64::from_bits(value.to_u64().unwrap())).collect()
    }

    #[test]
    fn constants_come_before_strange_numbers() {
        let constant = read(FloatEncoding::SINGLE, "25000.5");
        let choice = FloatChoice::new(FloatEncoding::DOUBLE, &[constant]);
        let values = back(choice.values());
        assert_eq!(values[..6], [0.0, 1.0, -1.0, 25000.5, 25001.5, 24999.5]);
        assert!(values.iter().any(|value| value.is_nan()) && values.contains(&f64::INFINITY));
    }

    #[test]
    fn values_are_rounded_to_few_digits() {
        let choice = FloatChoice::new(FloatEncoding::DOUBLE, &[]);
        let found = back(&choice.rounded(&double(7123.456789)));
        assert_eq!(found[..4], [7000.0, 8000.0, 7100.0, 7200.0]);
        let found = back(&choice.rounded(&double(-0.001234567)));
        assert_eq!(found[..2], [-0.001, -0.002]);
        let found = back(&choice.rounded(&double(1.5e300)));
        assert_eq!(found[..3], [1e300, 2e300, 1.5e300]);
        assert_eq!(choice.rounded(&double(f64::NAN)), []);
    }
}
