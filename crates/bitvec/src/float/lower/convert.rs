//! Conversions: to integers within a format, to and from bit-vectors, between formats.

use super::IntegerTerms;
use super::finish::{Finish, Left, Overflow, Right, Unrounded};
use super::parts::Mode;
use super::words::{Words, signed_width};
use crate::TermId;
use crate::float::{FloatFormat, Signedness};

impl Words<'_> {
    /// `fp.roundToIntegral`: the fraction is shifted out and rounded, and the rest shifted back.
    pub(super) fn integral(&mut self, format: FloatFormat, mode: Mode, a: TermId) -> TermId {
        let a = self.parts(format, a);
        let (sb, fb, bias) = (format.significand_bits(), format.fraction_bits(), format.bias());
        let width = signed_width(-bias, 2 * bias + 1 + i128::from(sb) + 2);
        let exponent = self.zero_extend(a.exponent, width);
        // All numbers below a half are rounded alike, so the exponent can be limited to that of a quarter.
        let least = self.number(width, bias - 2);
        let is_small = self.slt(exponent, least);
        let exponent = self.ite(is_small, least, exponent);
        let all = self.number(width, bias + i128::from(fb));
        let places = self.sub(all, exponent);
        let is_integral = self.top(places);
        let significand = self.shifted_up(a.significand, 2);
        let shifted = self.shift_right_sticky(significand, places);
        let [last, guard, sticky] = [2, 1, 0].map(|bit| self.bit(shifted, bit));
        let up = self.rounds_up(mode, a.sign, [last, guard, sticky]);
        let kept = self.slice(shifted, sb + 1, 2);
        let (kept, up) = (self.zero_extend(kept, sb + 2), self.zero_extend(up, sb + 2));
        let rounded = self.add(kept, up);
        let significand = self.shift_left(rounded, places);
        let one = self.number(width, 1);
        let budget = self.add(one, exponent);
        let how = Finish { format, left: Left::Budget(2), right: Right::Never, overflow: Overflow::Maybe };
        let finite = self.finish(how, mode, Unrounded { sign: a.sign, budget, significand });
        let is_special = self.or(a.is_nan, a.is_infinite);
        let same = self.or(is_integral, is_special);
        self.ite(same, a.bits, finite)
    }

    pub(super) fn integer_to_float(
        &mut self,
        format: FloatFormat,
        mode: Mode,
        signedness: Signedness,
        bits: TermId,
    ) -> TermId {
        let n = self.width(bits);
        let sign = match signedness {
            Signedness::Signed => self.top(bits),
            Signedness::Unsigned => self.constant(false),
        };
        let zero = self.zeros(n);
        let significand = self.add_or_sub(sign, zero, bits);
        let most = format.bias() + i128::from(n) - 2;
        let width = signed_width(0, most.max(i128::from(n)));
        let budget = self.number(width, most);
        let how = Finish { format, left: Left::Free(n - 1), right: Right::Never, overflow: Overflow::Maybe };
        self.finish(how, mode, Unrounded { sign, budget, significand })
    }

    pub(super) fn float_to_integer(
        &mut self,
        format: FloatFormat,
        mode: Mode,
        signedness: Signedness,
        a: TermId,
        n: u32,
    ) -> IntegerTerms {
        let a = self.parts(format, a);
        let sb = format.significand_bits();
        let width = signed_width(-format.bias(), (2 * format.bias() + 2).max(i128::from(n) + 1));
        // How many places the leading bit is above the units bit; -1 for a half.
        let exponent = self.zero_extend(a.exponent, width);
        let minus = self.number(width, 1 - format.bias());
        let places = self.add(minus, exponent);
        let is_small = self.top(places);
        let most = self.number(width, i128::from(n));
        let is_large = self.slt(most, places);
        let wide = self.zero_extend(a.significand, n + sb);
        let wide = self.shift_left(wide, places);
        let whole = self.high(wide, n);
        let [last, guard] = [self.bit(whole, 0), self.bit(wide, sb - 1)];
        let rest = self.low(wide, sb - 1);
        let rest = self.is_nonzero(rest);
        // Below a half, only whether it is nonzero matters.
        let something = self.is_nonzero(a.significand);
        let [last, guard] = [last, guard].map(|bit| self.and_not(bit, is_small));
        let sticky = self.ite(is_small, something, rest);
        let up = self.rounds_up(mode, a.sign, [last, guard, sticky]);
        let counts = self.not(is_small);
        let counts = self.spread(counts, n);
        let whole = self.and(whole, counts);
        let (whole, up) = (self.zero_extend(whole, n + 1), self.zero_extend(up, n + 1));
        let magnitude = self.add(whole, up);
        let is_above = self.out_of_range(signedness, a.sign, magnitude);
        let is_wrong = self.or_all(&[a.is_nan, a.is_infinite, is_large, is_above]);
        let bits = self.low(magnitude, n);
        let zero = self.zeros(n);
        let bits = self.add_or_sub(a.sign, zero, bits);
        IntegerTerms { bits, fits: self.not(is_wrong) }
    }

    /// Whether a magnitude with one more bit than the result does not fit.
    fn out_of_range(&mut self, signedness: Signedness, sign: TermId, magnitude: TermId) -> TermId {
        let n = self.width(magnitude) - 1;
        let carry = self.top(magnitude);
        match signedness {
            Signedness::Unsigned => {
                let is_nonzero = self.is_nonzero(magnitude);
                let is_negative = self.and(sign, is_nonzero);
                self.or(carry, is_negative)
            }
            Signedness::Signed => {
                let top = self.bit(magnitude, n - 1);
                let is_least = match n {
                    1 => self.constant(true),
                    _ => {
                        let rest = self.low(magnitude, n - 1);
                        self.is_zero(rest)
                    }
                };
                let is_least = self.and(is_least, sign);
                let top = self.and_not(top, is_least);
                self.or(carry, top)
            }
        }
    }

    pub(super) fn float_to_float(
        &mut self,
        format: FloatFormat,
        mode: Mode,
        from: FloatFormat,
        a: TermId,
    ) -> TermId {
        let a = self.parts(from, a);
        let (sb, shift) = (from.significand_bits(), format.bias() - from.bias());
        let width = signed_width(shift, 2 * from.bias() + 1 + shift.max(0));
        let exponent = self.zero_extend(a.exponent, width.max(from.exponent_bits() + 1));
        let less = self.number(self.width(exponent), shift - 1);
        let budget = self.add(less, exponent);
        // Subnormal values get a smaller exponent only if the format has one.
        let left = if shift > 0 { Left::Budget(sb - 1) } else { Left::None };
        let right = if shift < 0 { Right::Maybe } else { Right::Never };
        let is_wider = shift >= 0 && format.significand_bits() >= sb;
        let overflow = if is_wider { Overflow::Never } else { Overflow::Maybe };
        let how = Finish { format, left, right, overflow };
        let finite = self.finish(how, mode, Unrounded { sign: a.sign, budget, significand: a.significand });
        let infinity = self.infinity(format, a.sign);
        let number = self.ite(a.is_infinite, infinity, finite);
        let nan = self.nan(format);
        self.ite(a.is_nan, nan, number)
    }
}
