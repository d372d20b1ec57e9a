//! Multiplication, alone and fused with an addition.

use super::finish::{Finish, Left, Overflow, Right, Unrounded};
use super::parts::{Mode, Parts, normalised_range};
use super::words::{Words, signed_width};
use crate::TermId;
use crate::float::FloatFormat;

/// The result of a product that is not a finite number.
struct Special {
    sign: TermId,
    is_nan: TermId,
    is_infinite: TermId,
    is_zero: TermId,
}

impl Words<'_> {
    fn special_product(&mut self, a: &Parts, b: &Parts) -> Special {
        let is_infinite = self.or(a.is_infinite, b.is_infinite);
        let is_zero = self.or(a.is_zero, b.is_zero);
        let is_invalid = self.and(is_infinite, is_zero);
        Special {
            sign: self.xor(a.sign, b.sign),
            is_nan: self.or_all(&[a.is_nan, b.is_nan, is_invalid]),
            is_infinite,
            is_zero,
        }
    }

    /// Significands are multiplied without normalising them; the leading zeros of subnormal operands are shifted out of the product.
    pub(super) fn product(&mut self, format: FloatFormat, mode: Mode, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.parts(format, a), self.parts(format, b));
        let special = self.special_product(&a, &b);
        let n = 2 * format.significand_bits();
        let (x, y) = (self.zero_extend(a.significand, n), self.zero_extend(b.significand, n));
        let significand = self.mul(x, y);
        // The top bit of the product is one place above the product of the operands' leading bits.
        let bias = format.bias();
        let width = signed_width(2 - bias, 3 * bias + 2);
        let exponents = [a.exponent, b.exponent].map(|exponent| self.zero_extend(exponent, width));
        let sum = self.add(exponents[0], exponents[1]);
        let minus = self.number(width, -bias);
        let budget = self.add(minus, sum);
        let how =
            Finish { format, left: Left::Budget(n - 1), right: Right::Maybe, overflow: Overflow::Maybe };
        let finite = self.finish(how, mode, Unrounded { sign: special.sign, budget, significand });
        let infinity = self.infinity(format, special.sign);
        let number = self.ite(special.is_infinite, infinity, finite);
        let nan = self.nan(format);
        self.ite(special.is_nan, nan, number)
    }

    /// `a * b + c`
    pub(super) fn fused(&mut self, format: FloatFormat, mode: Mode, [a, b, c]: [TermId; 3]) -> TermId {
        let [a, b, c] = [a, b, c].map(|bits| self.parts(format, bits));
        let product = self.special_product(&a, &b);
        let is_sub = self.xor(product.sign, c.sign);
        let finite = self.fused_finite(format, mode, [&a, &b, &c], product.sign);
        // If the product is zero, the result is the addend; if both are zero, the rules of sums decide the sign.
        let both = self.ite(is_sub, mode.negative, c.sign);
        let zero = self.zero(format, both);
        let addend = self.ite(c.is_zero, zero, c.bits);
        let finite = self.ite(product.is_zero, addend, finite);
        let opposite = self.and(product.is_infinite, c.is_infinite);
        let opposite = self.and(opposite, is_sub);
        let is_nan = self.or_all(&[product.is_nan, c.is_nan, opposite]);
        let is_infinite = self.or(product.is_infinite, c.is_infinite);
        let sign = self.ite(c.is_infinite, c.sign, product.sign);
        let infinity = self.infinity(format, sign);
        let number = self.ite(is_infinite, infinity, finite);
        let nan = self.nan(format);
        self.ite(is_nan, nan, number)
    }

    /// Finite operands and a nonzero product.
    fn fused_finite(
        &mut self,
        format: FloatFormat,
        mode: Mode,
        [a, b, c]: [&Parts; 3],
        sign: TermId,
    ) -> TermId {
        let sb = format.significand_bits();
        let [x, y, z] = [a, b, c].map(|parts| self.normalised(format, parts));
        let (wide_x, wide_y) =
            (self.zero_extend(x.significand, 2 * sb), self.zero_extend(y.significand, 2 * sb));
        let product = self.mul(wide_x, wide_y);
        let has_addend = self.not(c.is_zero);
        let mask = self.spread(has_addend, sb);
        let addend = self.and(z.significand, mask);
        let addend = self.shifted_up(addend, sb);
        // Biased exponents of the top bits.
        let (low, high) = normalised_range(format);
        let width = signed_width(2 * low - format.bias() - high, 2 * high - low + format.bias());
        let [x, y, z] = [x, y, z].map(|operand| self.sign_extend(operand.exponent, width));
        let above = self.number(width, 1 - format.bias());
        let exponent = self.add(x, y);
        let exponent = self.add(exponent, above);
        let distance = self.sub(exponent, z);
        let is_below = self.top(distance);
        let is_swapped = self.and(is_below, has_addend);
        let large = self.ite(is_swapped, addend, product);
        let small = self.ite(is_swapped, product, addend);
        let top = self.ite(is_swapped, z, exponent);
        let away = self.neg(distance);
        let distance = self.ite(is_swapped, away, distance);
        let (large, small) = (self.shifted_up(large, 3), self.shifted_up(small, 3));
        let small = self.shift_right_sticky(small, distance);
        // One bit for the carry, and one for the sign: if the exponents are close, either operand may be the larger.
        let n = 2 * sb + 5;
        let (large, small) = (self.zero_extend(large, n), self.zero_extend(small, n));
        let is_sub = self.xor(sign, c.sign);
        let sum = self.add_or_sub(is_sub, large, small);
        let is_negative = self.top(sum);
        let zero = self.zeros(n);
        let sum = self.add_or_sub(is_negative, zero, sum);
        let sum = self.low(sum, n - 1);
        let first = self.ite(is_swapped, c.sign, sign);
        let first = self.xor(first, is_negative);
        let cancels = self.is_zero(sum);
        let sign = self.ite(cancels, mode.negative, first);
        let how =
            Finish { format, left: Left::Budget(n - 2), right: Right::Maybe, overflow: Overflow::Maybe };
        self.finish(how, mode, Unrounded { sign, budget: top, significand: sum })
    }
}
