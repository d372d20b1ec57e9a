//! Formats and rounding modes of IEEE 754.

use crate::Value;
use std::fmt;

/// A format, as `(_ FloatingPoint eb sb)` of SMT-LIB: the significand includes its hidden bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FloatFormat {
    exponent_bits: u32,
    significand_bits: u32,
}

impl FloatFormat {
    /// binary16
    pub const HALF: FloatFormat = FloatFormat { exponent_bits: 5, significand_bits: 11 };
    /// binary32
    pub const SINGLE: FloatFormat = FloatFormat { exponent_bits: 8, significand_bits: 24 };
    /// binary64
    pub const DOUBLE: FloatFormat = FloatFormat { exponent_bits: 11, significand_bits: 53 };
    /// The values of the x87 format. Its own encoding has one more bit, which stores the leading one of the significand.
    pub const EXTENDED: FloatFormat = FloatFormat { exponent_bits: 15, significand_bits: 64 };
    /// binary128
    pub const QUAD: FloatFormat = FloatFormat { exponent_bits: 15, significand_bits: 113 };

    /// Wider exponents are rejected: sums of them would not fit the evaluator's numbers.
    pub const MAX_EXPONENT_BITS: u32 = 64;
    /// Wider significands are rejected: their products would be too wide for a bit-vector.
    pub const MAX_SIGNIFICAND_BITS: u32 = 1 << 24;

    /// A format with these widths, each at least 2. `None` if one is too small or too large.
    pub fn new(exponent_bits: u32, significand_bits: u32) -> Option<FloatFormat> {
        let fits = (2..=FloatFormat::MAX_EXPONENT_BITS).contains(&exponent_bits)
            && (2..=FloatFormat::MAX_SIGNIFICAND_BITS).contains(&significand_bits);
        fits.then_some(FloatFormat { exponent_bits, significand_bits })
    }

    /// Bits of the exponent.
    pub fn exponent_bits(self) -> u32 {
        self.exponent_bits
    }

    /// Bits of the significand, including the hidden one.
    pub fn significand_bits(self) -> u32 {
        self.significand_bits
    }

    /// Bits of the significand that are stored.
    pub fn fraction_bits(self) -> u32 {
        self.significand_bits - 1
    }

    /// Bits of a value.
    pub fn width(self) -> u32 {
        self.exponent_bits + self.significand_bits
    }

    /// The number that is added to an exponent before it is stored.
    pub fn bias(self) -> i128 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The largest exponent of a finite value.
    pub fn max_exponent(self) -> i128 {
        self.bias()
    }

    /// The smallest exponent of a normal value; subnormal values use it, too.
    pub fn min_exponent(self) -> i128 {
        1 - self.bias()
    }

    /// The exponent of the last bit of a subnormal value.
    pub(crate) fn min_quantum(self) -> i128 {
        self.min_exponent() - i128::from(self.fraction_bits())
    }
}

/// As SMT-LIB writes the sort.
impl fmt::Display for FloatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(_ FloatingPoint {} {})", self.exponent_bits, self.significand_bits)
    }
}

/// How to round a result that the format cannot represent. The discriminant is the code that terms of this sort have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RoundingMode {
    /// To the nearest value; in a tie, to the one whose last bit is zero.
    NearestEven,
    /// To the nearest value; in a tie, to the one of larger magnitude.
    NearestAway,
    /// Up.
    TowardPositive,
    /// Down.
    TowardNegative,
    /// To the value of smaller magnitude.
    TowardZero,
}

impl RoundingMode {
    /// All modes in the order of their codes.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::TowardPositive,
        RoundingMode::TowardNegative,
        RoundingMode::TowardZero,
    ];
    /// The width of a code. Codes from 5 up are invalid.
    pub const CODE_BITS: u32 = 3;

    /// The code as a bit-vector.
    pub fn code(self) -> Value {
        Value::from_u64(RoundingMode::CODE_BITS, self as u64)
    }

    /// The mode with a code.
    pub fn from_code(code: &Value) -> Option<RoundingMode> {
        RoundingMode::ALL.get(usize::try_from(code.to_u64()?).ok()?).copied()
    }

    /// The mode with this SMT-LIB name, short or long.
    pub fn from_smtlib(name: &str) -> Option<RoundingMode> {
        let long = [
            "roundNearestTiesToEven",
            "roundNearestTiesToAway",
            "roundTowardPositive",
            "roundTowardNegative",
            "roundTowardZero",
        ];
        let is_named = |(mode, long): &(RoundingMode, &str)| mode.in_smtlib() == name || *long == name;
        RoundingMode::ALL.into_iter().zip(long).find(is_named).map(|(mode, _)| mode)
    }

    /// The short name in SMT-LIB.
    pub fn in_smtlib(self) -> &'static str {
        ["RNE", "RNA", "RTP", "RTN", "RTZ"][self as usize]
    }
}
