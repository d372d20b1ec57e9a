//! Decoding: the parts of an operand, and rounding modes.

use super::words::{Words, signed_width};
use crate::TermId;
use crate::float::{FloatFormat, RoundingMode};

/// The parts of an operand.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) bits: TermId,
    pub(super) sign: TermId,
    /// All bits except the sign.
    pub(super) magnitude: TermId,
    pub(super) fraction: TermId,
    pub(super) is_nan: TermId,
    pub(super) is_infinite: TermId,
    pub(super) is_zero: TermId,
    /// The exponent field is zero.
    pub(super) is_tiny: TermId,
    /// The biased exponent; that of subnormal values is 1.
    pub(super) exponent: TermId,
    /// Including the hidden bit.
    pub(super) significand: TermId,
}

/// A finite operand that is not zero, shifted so that its leading one is the top bit.
#[derive(Clone, Copy)]
pub(super) struct Normalised {
    /// The top bit is the constant one.
    pub(super) significand: TermId,
    /// The biased exponent, signed: that of subnormal values is below 1.
    pub(super) exponent: TermId,
}

/// The smallest and largest biased exponents of normalised operands.
pub(super) fn normalised_range(format: FloatFormat) -> (i128, i128) {
    (2 - i128::from(format.significand_bits()), 2 * format.bias() + 1)
}

impl Words<'_> {
    pub(super) fn parts(&mut self, format: FloatFormat, bits: TermId) -> Parts {
        let (width, fb) = (format.width(), format.fraction_bits());
        let sign = self.bit(bits, width - 1);
        let magnitude = self.slice(bits, width - 2, 0);
        let field = self.slice(bits, width - 2, fb);
        let fraction = self.slice(bits, fb - 1, 0);
        let (is_tiny, is_huge) = (self.is_zero(field), self.is_ones(field));
        let no_fraction = self.is_zero(fraction);
        let hidden = self.not(is_tiny);
        let lowest = self.bit(field, 0);
        let lowest = self.or(lowest, is_tiny);
        let above = self.high(field, format.exponent_bits() - 1);
        Parts {
            bits,
            sign,
            magnitude,
            fraction,
            is_nan: self.and_not(is_huge, no_fraction),
            is_infinite: self.and(is_huge, no_fraction),
            is_zero: self.and(is_tiny, no_fraction),
            is_tiny,
            exponent: self.concat(above, lowest),
            significand: self.concat(hidden, fraction),
        }
    }

    /// Shifts the leading one of a subnormal operand to the top.
    pub(super) fn normalised(&mut self, format: FloatFormat, parts: &Parts) -> Normalised {
        let sb = format.significand_bits();
        let (low, high) = normalised_range(format);
        let width = signed_width(low, high);
        let (significand, count) = self.normalise(parts.significand, sb - 1);
        let exponent = self.zero_extend(parts.exponent, width);
        let count = self.zero_extend_or_cut(count, width);
        let exponent = self.sub(exponent, count);
        let one = self.constant(true);
        let rest = self.low(significand, sb - 1);
        Normalised { significand: self.concat(one, rest), exponent }
    }

    fn zero_extend_or_cut(&mut self, a: TermId, width: u32) -> TermId {
        if self.width(a) > width { self.low(a, width) } else { self.zero_extend(a, width) }
    }

    pub(super) fn nan(&mut self, format: FloatFormat) -> TermId {
        let nan = crate::float::Float::nan(format).bits().clone();
        self.pool.constant(nan)
    }

    /// An infinity whose sign is a term.
    pub(super) fn infinity(&mut self, format: FloatFormat, sign: TermId) -> TermId {
        let ones = self.ones(format.exponent_bits());
        let magnitude = self.shifted_up(ones, format.fraction_bits());
        self.concat(sign, magnitude)
    }

    pub(super) fn zero(&mut self, format: FloatFormat, sign: TermId) -> TermId {
        self.shifted_up(sign, format.width() - 1)
    }
}

/// A rounding mode: one bit for each mode except the last.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub(super) nearest_even: TermId,
    pub(super) nearest_away: TermId,
    pub(super) positive: TermId,
    pub(super) negative: TermId,
}

impl Words<'_> {
    pub(super) fn mode(&mut self, code: TermId) -> Mode {
        let is = |words: &mut Self, mode: RoundingMode| {
            let expected = words.pool.constant(mode.code());
            words.eq(expected, code)
        };
        Mode {
            nearest_even: is(self, RoundingMode::NearestEven),
            nearest_away: is(self, RoundingMode::NearestAway),
            positive: is(self, RoundingMode::TowardPositive),
            negative: is(self, RoundingMode::TowardNegative),
        }
    }

    /// A mode that is known in advance.
    pub(super) fn constant_mode(&mut self, mode: RoundingMode) -> Mode {
        let code = self.pool.constant(mode.code());
        self.mode(code)
    }

    /// Whether rounding increases the magnitude: from the last bit that is kept, the bit below it, and whether any lower bit is set.
    pub(super) fn rounds_up(
        &mut self,
        mode: Mode,
        sign: TermId,
        [last, guard, sticky]: [TermId; 3],
    ) -> TermId {
        let breaks_tie = self.or(sticky, last);
        let breaks_tie = self.or(breaks_tie, mode.nearest_away);
        let is_nearest = self.or(mode.nearest_even, mode.nearest_away);
        let nearest = self.and(guard, breaks_tie);
        let nearest = self.and(nearest, is_nearest);
        let is_inexact = self.or(guard, sticky);
        let directed = self.directed_away(mode, sign);
        let directed = self.and(directed, is_inexact);
        self.or(nearest, directed)
    }

    /// Whether a directed mode rounds away from zero.
    fn directed_away(&mut self, mode: Mode, sign: TermId) -> TermId {
        let up = self.and_not(mode.positive, sign);
        let down = self.and(mode.negative, sign);
        self.or(up, down)
    }

    /// Whether a magnitude that is too large becomes infinite.
    pub(super) fn overflows_to_infinity(&mut self, mode: Mode, sign: TermId) -> TermId {
        let directed = self.directed_away(mode, sign);
        self.or_all(&[mode.nearest_even, mode.nearest_away, directed])
    }
}
