//! The remainder. Subtracting once for every place between the exponents could take 2^53 steps. Instead, the power of two
//! between them modulo the divisor is computed by squaring: one multiplication and one reduction for each bit of the distance.

use super::finish::{Finish, Left, Overflow, Right, Unrounded};
use super::parts::{Normalised, normalised_range};
use super::words::{Words, signed_width};
use crate::TermId;
use crate::float::{FloatFormat, RoundingMode};

impl Words<'_> {
    pub(super) fn remainder(&mut self, format: FloatFormat, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.parts(format, a), self.parts(format, b));
        let (x, y) = (self.normalised(format, &a), self.normalised(format, &b));
        let (low, high) = normalised_range(format);
        let width = signed_width(low - high, high - low + 1);
        let (top_x, top_y) = (self.sign_extend(x.exponent, width), self.sign_extend(y.exponent, width));
        let distance = self.sub(top_x, top_y);
        let one = self.number(width, 1);
        let places = self.add(one, distance);
        let finite = self.remainder_finite(format, a.sign, x, y, places);
        // The exponent alone shows that it is less than half of the divisor.
        let is_below = self.top(places);
        let stays = self.or_all(&[is_below, a.is_zero, b.is_infinite]);
        let number = self.ite(stays, a.bits, finite);
        let is_nan = self.or_all(&[a.is_nan, a.is_infinite, b.is_nan, b.is_zero]);
        let nan = self.nan(format);
        self.ite(is_nan, nan, number)
    }

    /// The remainder of x * 2^`places` by 2 y instead of x by y, so that half of the divisor is an integer. `places` is not negative.
    fn remainder_finite(
        &mut self,
        format: FloatFormat,
        sign: TermId,
        x: Normalised,
        y: Normalised,
        places: TermId,
    ) -> TermId {
        let sb = format.significand_bits();
        let power = self.power_mod(format, places, y.significand);
        let x_wide = self.zero_extend(x.significand, 2 * sb + 2);
        let power = self.zero_extend(power, 2 * sb + 2);
        let product = self.mul(x_wide, power);
        let rest = self.reduced(product, y.significand);
        // Modulo twice the divisor 2 y: comparing with the divisor tells whether the quotient is odd.
        let twice = self.shifted_up(y.significand, 1);
        let twice = self.zero_extend(twice, sb + 3);
        let rest = self.zero_extend(rest, sb + 3);
        let (is_odd, rest) = self.subtracted(rest, twice);
        let rest = self.low(rest, sb + 1);
        let half = self.zero_extend(y.significand, sb + 1);
        let is_above = self.ult(half, rest);
        let is_half = self.eq(half, rest);
        let is_tie = self.and(is_half, is_odd);
        let goes_up = self.or(is_above, is_tie);
        let twice = self.low(twice, sb + 1);
        let other = self.sub(twice, rest);
        let significand = self.ite(goes_up, other, rest);
        let sign = self.xor(sign, goes_up);
        // The top bit is the leading bit of y.
        let (low, high) = normalised_range(format);
        let width = signed_width(low - 1, high);
        let exponent = self.sign_extend(y.exponent, width);
        let minus = self.number(width, -1);
        let budget = self.add(minus, exponent);
        let how = Finish { format, left: Left::Budget(sb), right: Right::Maybe, overflow: Overflow::Never };
        let mode = self.constant_mode(RoundingMode::TowardZero);
        self.finish(how, mode, Unrounded { sign, budget, significand })
    }

    /// 2^`places` modulo 4 y; `places` is not negative, and y has its leading one. The high bits of `places` give a power that
    /// is already below 4 y; each of the other bits squares it.
    fn power_mod(&mut self, format: FloatFormat, places: TermId, y: TermId) -> TermId {
        let sb = format.significand_bits();
        let (low, high) = normalised_range(format);
        let most = high - low + 1;
        let n_squarings = (0..).find(|n| most >> n <= i128::from(sb)).unwrap_or(0);
        let top = self.width(places) - 1;
        let above = self.slice(places, top, n_squarings);
        let one = self.number(sb + 2, 1);
        let mut power = self.shift_left(one, above);
        for bit in (0..n_squarings).rev() {
            let wide = self.zero_extend(power, 2 * sb + 4);
            let square = self.mul(wide, wide);
            let plain = self.zero_extend(square, 2 * sb + 5);
            let doubled = self.shifted_up(square, 1);
            let doubles = self.bit(places, bit);
            let square = self.ite(doubles, doubled, plain);
            power = self.reduced(square, y);
        }
        power
    }

    /// A number modulo 4 y, which has two more bits than y: the two lowest bits stay, the others are divided by y, which has its
    /// leading one.
    fn reduced(&mut self, number: TermId, y: TermId) -> TermId {
        let (n, width) = (self.width(y), self.width(number));
        let divisor = self.zero_extend(y, n + 1);
        // As many bits as are certain to be below y.
        let mut rest = self.high(number, n - 1);
        rest = self.zero_extend(rest, n);
        for at in (2..width - (n - 1)).rev() {
            let next = self.bit(number, at);
            let dividend = self.concat(rest, next);
            rest = self.subtracted(dividend, divisor).1;
        }
        let low = self.low(number, 2);
        self.concat(rest, low)
    }
}
