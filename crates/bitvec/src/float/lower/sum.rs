//! Addition and subtraction: operands sorted by magnitude, one adder, one normalisation.

use super::finish::{Finish, Left, Overflow, Right, Unrounded};
use super::parts::Mode;
use super::words::Words;
use crate::TermId;
use crate::float::FloatFormat;

impl Words<'_> {
    /// `a + b`. The sign of a NaN does not matter, so a difference is the sum with a flipped sign bit.
    pub(super) fn sum(&mut self, format: FloatFormat, mode: Mode, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.parts(format, a), self.parts(format, b));
        let sb = format.significand_bits();
        let is_swapped = self.ult(a.magnitude, b.magnitude);
        let large = self.ite(is_swapped, b.bits, a.bits);
        let small = self.ite(is_swapped, a.bits, b.bits);
        let (large, small) = (self.parts(format, large), self.parts(format, small));
        let is_sub = self.xor(large.sign, small.sign);
        let distance = self.sub(large.exponent, small.exponent);
        // Three more bits: if more than one bit of the smaller operand is lost, at most one leading bit can cancel.
        let (first, second) = (self.shifted_up(large.significand, 3), self.shifted_up(small.significand, 3));
        let second = self.shift_right_sticky(second, distance);
        let (first, second) = (self.zero_extend(first, sb + 4), self.zero_extend(second, sb + 4));
        let sum = self.add_or_sub(is_sub, first, second);
        let cancels = self.is_zero(sum);
        let cancels = self.and(cancels, is_sub);
        let sign = self.ite(cancels, mode.negative, large.sign);
        // The top bit is the carry, one place above the leading bit of the larger operand.
        let budget = self.zero_extend(large.exponent, format.exponent_bits() + 1);
        let how =
            Finish { format, left: Left::Budget(sb + 3), right: Right::Never, overflow: Overflow::Maybe };
        let finite = self.finish(how, mode, Unrounded { sign, budget, significand: sum });
        let opposite = self.and(a.is_infinite, b.is_infinite);
        let opposite = self.and(opposite, is_sub);
        let is_nan = self.or_all(&[a.is_nan, b.is_nan, opposite]);
        let is_infinite = self.or(a.is_infinite, b.is_infinite);
        let infinity = self.infinity(format, large.sign);
        let number = self.ite(is_infinite, infinity, finite);
        let nan = self.nan(format);
        self.ite(is_nan, nan, number)
    }

    /// The encoding with its sign bit flipped, even if it is a NaN.
    pub(super) fn flipped(&mut self, format: FloatFormat, a: TermId) -> TermId {
        let sign = self.top(a);
        let sign = self.not(sign);
        let rest = self.low(a, format.width() - 1);
        self.concat(sign, rest)
    }
}
