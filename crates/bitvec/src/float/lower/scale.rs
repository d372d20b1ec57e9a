//! Multiplication and division by a constant power of two: the exponent changes, and the significand is shifted and rounded only if the
//! result is subnormal. `x / 2` and `x * 0.5` have the same exact value, and so the same result.

use super::finish::{Finish, Left, Overflow, Right, Unrounded};
use super::parts::Mode;
use super::words::{Words, signed_width};
use crate::float::FloatFormat;
use crate::{Pool, TermId, Value};

/// Two to the `exponent`, or its negation.
#[derive(Clone, Copy)]
pub(super) struct PowerOfTwo {
    is_negative: bool,
    exponent: i128,
}

impl PowerOfTwo {
    /// The power of two that a constant term represents. `None` for other terms and for subnormal values.
    pub(super) fn of(pool: &Pool, format: FloatFormat, term: TermId) -> Option<PowerOfTwo> {
        let bits = pool.value(term)?;
        let (width, fb) = (format.width(), format.fraction_bits());
        let field = bits.slice(width - 2, fb);
        let is_power = bits.slice(fb - 1, 0).is_zero();
        let is_normal = !field.is_zero() && field != Value::ones(format.exponent_bits());
        let exponent = i128::from(field.to_u64()?) - format.bias();
        (is_power && is_normal).then(|| PowerOfTwo { is_negative: bits.bit(width - 1), exponent })
    }

    /// One divided by it.
    pub(super) fn inverse(self) -> PowerOfTwo {
        PowerOfTwo { exponent: -self.exponent, ..self }
    }
}

impl Words<'_> {
    /// A float times a power of two.
    pub(super) fn scaled(&mut self, format: FloatFormat, mode: Mode, a: TermId, by: PowerOfTwo) -> TermId {
        let a = self.parts(format, a);
        let flip = self.constant(by.is_negative);
        let sign = self.xor(a.sign, flip);
        let finite = match by.exponent {
            0 => self.concat(sign, a.magnitude),
            exponent => self.shifted_exponent(format, mode, (sign, a.significand, a.exponent), exponent),
        };
        let infinity = self.infinity(format, sign);
        let number = self.ite(a.is_infinite, infinity, finite);
        let nan = self.nan(format);
        self.ite(a.is_nan, nan, number)
    }

    /// A finite number times a power of two other than one.
    fn shifted_exponent(
        &mut self,
        format: FloatFormat,
        mode: Mode,
        (sign, significand, exponent): (TermId, TermId, TermId),
        by: i128,
    ) -> TermId {
        let width = signed_width(by.min(0), 2 * format.bias() + 1 + by.max(0));
        let biased = self.zero_extend(exponent, width);
        let more = self.number(width, by - 1);
        let budget = self.add(more, biased);
        let most = u32::try_from(by.unsigned_abs()).ok();
        let how = if by > 0 {
            // The leading zeros of a subnormal number become fewer.
            let n_zeros = format.significand_bits() - 1;
            let left = Left::Budget(most.map_or(n_zeros, |most| most.min(n_zeros)));
            Finish { format, left, right: Right::Never, overflow: Overflow::Maybe }
        } else {
            let right = most.map_or(Right::Maybe, Right::AtMost);
            Finish { format, left: Left::None, right, overflow: Overflow::Never }
        };
        self.finish(how, mode, Unrounded { sign, budget, significand })
    }
}
