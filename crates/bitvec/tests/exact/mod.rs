//! Floating point by definition: all values of a tiny format in a list, results as fractions, and rounding as a search in the
//! list. It shares no code with the crate except the encoding of operands.

use std::cmp::Ordering;

/// A fraction; the denominator is positive.
#[derive(Clone, Copy, Debug)]
pub struct Fraction(pub i128, pub i128);

impl Fraction {
    pub fn compare(self, other: Fraction) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    pub fn add(self, other: Fraction) -> Fraction {
        Fraction(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    pub fn mul(self, other: Fraction) -> Fraction {
        Fraction(self.0 * other.0, self.1 * other.1)
    }

    pub fn div(self, other: Fraction) -> Fraction {
        let sign = other.0.signum();
        Fraction(self.0 * other.1 * sign, self.1 * other.0 * sign)
    }

    /// The nearest integer; in a tie, the even one.
    pub fn nearest_even(self) -> i128 {
        let floor = self.0.div_euclid(self.1);
        let rest = Fraction(self.0 - floor * self.1, self.1);
        match rest.compare(Fraction(1, 2)) {
            Ordering::Less => floor,
            Ordering::Greater => floor + 1,
            Ordering::Equal => floor + floor.rem_euclid(2),
        }
    }
}

/// The rounding modes in the order of their codes.
pub const MODES: [&str; 5] = ["RNE", "RNA", "RTP", "RTN", "RTZ"];

/// What an encoding represents.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    Nan,
    Infinite { negative: bool },
    Number { negative: bool, value: Fraction },
}

/// A format, given by the list of its values.
pub struct Tiny {
    pub eb: u32,
    pub sb: u32,
    /// Magnitudes in order; the index is the encoding without sign. The last one is the first that is too large.
    magnitudes: Vec<Fraction>,
}

impl Tiny {
    pub fn new(eb: u32, sb: u32) -> Tiny {
        let bias = (1_i32 << (eb - 1)) - 1;
        let power = |exponent: i32| match exponent {
            0.. => Fraction(1 << exponent, 1),
            _ => Fraction(1, 1 << -exponent),
        };
        let hidden = 1_i128 << (sb - 1);
        let mut magnitudes = Vec::new();
        for field in 0..(1_i32 << eb) {
            for fraction in 0..hidden {
                let (significand, exponent) =
                    if field == 0 { (fraction, 1 - bias) } else { (hidden + fraction, field - bias) };
                let scale = power(exponent - (sb as i32 - 1));
                magnitudes.push(Fraction(significand * scale.0, scale.1));
                if field == (1 << eb) - 1 {
                    return Tiny { eb, sb, magnitudes };
                }
            }
        }
        unreachable!("the last field ends the loop")
    }

    pub fn width(&self) -> u32 {
        self.eb + self.sb
    }

    fn infinity(&self) -> u64 {
        self.magnitudes.len() as u64 - 1
    }

    pub fn nan(&self) -> u64 {
        self.infinity() | 1 << (self.sb - 2)
    }

    pub fn signed(&self, negative: bool, magnitude: u64) -> u64 {
        magnitude | u64::from(negative) << (self.width() - 1)
    }

    pub fn infinite(&self, negative: bool) -> u64 {
        self.signed(negative, self.infinity())
    }

    pub fn meaning(&self, bits: u64) -> Meaning {
        let negative = bits >> (self.width() - 1) & 1 == 1;
        let magnitude = bits & !(1 << (self.width() - 1));
        match magnitude.cmp(&self.infinity()) {
            Ordering::Greater => Meaning::Nan,
            Ordering::Equal => Meaning::Infinite { negative },
            Ordering::Less => {
                let value = self.magnitudes[magnitude as usize];
                Meaning::Number {
                    negative,
                    value: Fraction(if negative { -value.0 } else { value.0 }, value.1),
                }
            }
        }
    }

    /// Rounds a magnitude that is only known through comparisons.
    pub fn round_by(&self, mode: usize, negative: bool, compare: impl Fn(Fraction) -> Ordering) -> u64 {
        // The largest magnitude that is not greater.
        let below = self.magnitudes.iter().rposition(|magnitude| compare(*magnitude) != Ordering::Less);
        let below = below.expect("zero is not larger");
        let is_exact = compare(self.magnitudes[below]) == Ordering::Equal;
        let last = self.magnitudes.len() - 1;
        let away = match MODES[mode] {
            "RTP" => !negative,
            "RTN" => negative,
            "RTZ" => false,
            _ if below == last => true,
            name => {
                let sum = self.magnitudes[below].add(self.magnitudes[below + 1]);
                match compare(Fraction(sum.0, sum.1 * 2)) {
                    Ordering::Less => false,
                    Ordering::Greater => true,
                    Ordering::Equal => name == "RNA" || below % 2 == 1,
                }
            }
        };
        let found = match () {
            () if is_exact && below < last => below,
            () if away => (below + 1).min(last),
            () => below.min(last - 1),
        };
        self.signed(negative, found as u64)
    }

    /// Rounds a number; `zero` says whether a zero result is negative.
    pub fn round(&self, mode: usize, value: Fraction, zero: bool) -> u64 {
        let negative = if value.is_zero() { zero } else { value.0 < 0 };
        let magnitude = Fraction(value.0.abs(), value.1);
        self.round_by(mode, negative, |other| magnitude.compare(other))
    }
}
