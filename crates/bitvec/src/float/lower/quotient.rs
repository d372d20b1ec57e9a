//! Division and square root, digit by digit. Each step subtracts no more bits than the remainder has. So the circuits
//! are smaller than those of a relation (quotient times divisor is dividend), and still compute forward.

use super::finish::{Finish, Left, Overflow, Right, Unrounded};
use super::parts::{Mode, normalised_range};
use super::words::{Words, signed_width};
use crate::TermId;
use crate::float::FloatFormat;

impl Words<'_> {
    pub(super) fn quotient(&mut self, format: FloatFormat, mode: Mode, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.parts(format, a), self.parts(format, b));
        let sign = self.xor(a.sign, b.sign);
        let (x, y) = (self.normalised(format, &a), self.normalised(format, &b));
        let significand = self.divided(x.significand, y.significand);
        // The top bit of the quotient is its integer part.
        let (low, high) = normalised_range(format);
        let width = signed_width(low - high, high - low + format.bias());
        let (x, y) = (self.sign_extend(x.exponent, width), self.sign_extend(y.exponent, width));
        let difference = self.sub(x, y);
        let below = self.number(width, format.bias() - 1);
        let budget = self.add(below, difference);
        let how = Finish { format, left: Left::Budget(1), right: Right::Maybe, overflow: Overflow::Maybe };
        let finite = self.finish(how, mode, Unrounded { sign, budget, significand });
        let vanishes = self.or(a.is_zero, b.is_infinite);
        let zero = self.zero(format, sign);
        let number = self.ite(vanishes, zero, finite);
        let grows = self.or(a.is_infinite, b.is_zero);
        let infinity = self.infinity(format, sign);
        let number = self.ite(grows, infinity, number);
        let is_invalid = self.and(vanishes, grows);
        let is_nan = self.or_all(&[a.is_nan, b.is_nan, is_invalid]);
        let nan = self.nan(format);
        self.ite(is_nan, nan, number)
    }

    /// `a / b` for significands with their leading ones: two more bits than they have, the first before the point, and a sticky bit
    /// that says whether there is a remainder.
    fn divided(&mut self, a: TermId, b: TermId) -> TermId {
        let n = self.width(a);
        let divisor = self.zero_extend(b, n + 1);
        // Always less than twice the divisor.
        let mut dividend = self.zero_extend(a, n + 1);
        let mut quotient = None;
        let mut rest = a;
        for _ in 0..n + 2 {
            let (fits, left) = self.subtracted(dividend, divisor);
            rest = left;
            quotient = Some(quotient.map_or(fits, |quotient| self.concat(quotient, fits)));
            dividend = self.shifted_up(rest, 1);
        }
        let more = self.is_nonzero(rest);
        let quotient = quotient.unwrap_or(more);
        self.concat(quotient, more)
    }

    /// One step: whether the subtrahend fits, and what remains, one bit shorter. The minuend is less than twice the subtrahend, or
    /// less than half of its range, so that the sign of the difference is its top bit.
    pub(super) fn subtracted(&mut self, minuend: TermId, subtrahend: TermId) -> (TermId, TermId) {
        let n = self.width(minuend) - 1;
        let difference = self.sub(minuend, subtrahend);
        let is_below = self.top(difference);
        let (kept, reduced) = (self.low(minuend, n), self.low(difference, n));
        let rest = self.ite(is_below, kept, reduced);
        (self.not(is_below), rest)
    }

    pub(super) fn root(&mut self, format: FloatFormat, mode: Mode, a: TermId) -> TermId {
        let a = self.parts(format, a);
        let x = self.normalised(format, &a);
        let sb = format.significand_bits();
        let (low, high) = normalised_range(format);
        let width = signed_width(low - format.bias(), high);
        let exponent = self.sign_extend(x.exponent, width);
        let minus = self.number(width, -format.bias());
        let exponent = self.add(minus, exponent);
        // If the exponent is odd, the significand is shifted by one place; the exponent of the root is half of the rest.
        let is_odd = self.bit(exponent, 0);
        let half = self.slice(exponent, width - 1, 1);
        let plain = self.zero_extend(x.significand, sb + 1);
        let doubled = self.shifted_up(x.significand, 1);
        let radicand = self.ite(is_odd, doubled, plain);
        // One more bit than the significand, with the leading one at the top.
        let radicand = self.shifted_up(radicand, sb + 1);
        let significand = self.square_root(radicand);
        let half = self.sign_extend(half, width);
        let below = self.number(width, format.bias() - 1);
        let budget = self.add(below, half);
        let sign = self.constant(false);
        // In formats whose significand is wide for its exponent, the root of a subnormal value may be subnormal, too.
        let least = (low - format.bias()).div_euclid(2) + format.bias() - 1;
        let right = if least < 0 { Right::Maybe } else { Right::Never };
        let how = Finish { format, left: Left::None, right, overflow: Overflow::Never };
        let finite = self.finish(how, mode, Unrounded { sign, budget, significand });
        let stays = self.or(a.is_zero, a.is_infinite);
        let number = self.ite(stays, a.bits, finite);
        let is_below = self.and_not(a.sign, a.is_zero);
        let is_nan = self.or(a.is_nan, is_below);
        let nan = self.nan(format);
        self.ite(is_nan, nan, number)
    }

    /// The root of a number with an even number of bits of which the first two are not both zero; then a sticky bit that says
    /// whether there is a remainder.
    fn square_root(&mut self, radicand: TermId) -> TermId {
        let n = self.width(radicand) / 2;
        // The first digit is one.
        let mut root = self.constant(true);
        let one = self.number(2, 1);
        let first = self.high(radicand, 2);
        let mut rest = self.sub(first, one);
        for done in 1..n {
            // `rest` is at most twice `root`, so it has one more bit.
            let next = self.slice(radicand, 2 * (n - done) - 1, 2 * (n - done) - 2);
            let minuend = self.concat(rest, next);
            let one = self.number(2, 1);
            let subtrahend = self.concat(root, one);
            let subtrahend = self.zero_extend(subtrahend, done + 3);
            let (fits, left) = self.subtracted(minuend, subtrahend);
            rest = left;
            root = self.concat(root, fits);
        }
        let more = self.is_nonzero(rest);
        self.concat(root, more)
    }
}
