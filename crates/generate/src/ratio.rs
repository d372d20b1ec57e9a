//! Clauses per variable, in thousandths: an integer, so that results are the same on every machine.

use crate::error::OptionError;
use std::fmt;
use std::str::FromStr;

const UNIT: u32 = 1_000;

/// A ratio with three decimal places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ratio(u32);

impl Ratio {
    /// The largest ratio, far beyond any useful one; keeps sizes within 32 bits.
    pub const MAX: u32 = 1_000;

    /// A whole number.
    pub const fn whole(number: u32) -> Ratio {
        Ratio(number * UNIT)
    }

    /// This many thousandths.
    pub const fn thousandths(number: u32) -> Ratio {
        Ratio(number)
    }

    /// How many thousandths it has.
    pub const fn in_thousandths(self) -> u32 {
        self.0
    }

    /// The ratio times `n`, rounded to the nearest number.
    pub fn times(self, n: u32) -> u32 {
        let product = u64::from(self.0) * u64::from(n) + u64::from(UNIT / 2);
        u32::try_from(product / u64::from(UNIT)).unwrap_or(u32::MAX)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:03}", self.0 / UNIT, self.0 % UNIT);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl FromStr for Ratio {
    type Err = OptionError;

    /// `4`, `4.25`, `.5`.
    fn from_str(text: &str) -> Result<Ratio, OptionError> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        if text.bytes().all(|byte| byte == b'.') || !is_number(whole) || !is_number(part) {
            return Err(OptionError::RatioForm);
        }
        if part.len() > 3 {
            return Err(OptionError::RatioPlaces);
        }
        let whole = if whole.is_empty() { Ok(0) } else { whole.parse::<u32>() };
        // Three digits at most.
        let part = format!("{part:0<3}").parse::<u32>().unwrap_or(0);
        match whole {
            Ok(whole) if whole < Ratio::MAX || (whole == Ratio::MAX && part == 0) => {
                Ok(Ratio(whole * UNIT + part))
            }
            _ => Err(OptionError::RatioSize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        for text in ["0", "4", "4.25", "0.5", "1000", "0.001", "10.01"] {
            assert_eq!(text.parse::<Ratio>().unwrap().to_string(), text);
        }
        assert_eq!(".5".parse(), Ok(Ratio::thousandths(500)));
        for text in ["", ".", "-1", "4.2501", "1000.001", "99999999999", "1e3", "4,5", " 4"] {
            assert!(text.parse::<Ratio>().is_err(), "{text}");
        }
    }

    #[test]
    fn products_are_rounded() {
        assert_eq!(Ratio::thousandths(4_250).times(120), 510);
        assert_eq!(Ratio::thousandths(1_500).times(3), 5);
        assert_eq!(Ratio::whole(1_000).times(u32::MAX), u32::MAX);
    }
}
